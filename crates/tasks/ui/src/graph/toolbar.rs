//! Buttons of the editor: which task, what to do with what is selected, and how to look at it.

use leptos::prelude::*;
use ui_kit::live::live;

use super::desk::Desk;
use tasks_lab::page::tasks::graph::edits::{add_task, duplicate_task};
use tasks_lab::page::tasks::graph::{Doing, Item};
use ui_kit::controls::{Bound, Choices, select};

/// Which task is shown, and more of them.
#[component]
pub fn Tasks(desk: Desk) -> impl IntoView {
    let choices = Signal::derive(move || -> Choices {
        desk.names.with(|names| {
            names.iter().enumerate().map(|(place, name)| (place.to_string(), name.clone())).collect()
        })
    });
    let bound = Bound {
        value: Signal::derive(move || desk.task().get().to_string()),
        write: Callback::new(move |chosen: String| {
            if let Ok(task) = chosen.parse() {
                desk.task().set(task);
            }
        }),
    };
    let only = move || desk.names.with(Vec::len) < 2;
    view! {
        <div class="row tools" role="toolbar" aria-label="Tasks">
            <span class="heading" aria-hidden="true">"Task"</span>
            <span class="pick">{select("Task".to_owned(), "graph-task".to_owned(), choices, bound)}</span>
            <button type="button" data-testid="graph-new-task" on:click=move |_| desk.more_tasks(|tree, _| add_task(tree))>"New task"</button>
            <button type="button" data-testid="graph-copy-task" on:click=move |_| desk.more_tasks(duplicate_task)>"Duplicate task"</button>
            <button type="button" data-testid="graph-remove-task" disabled=only
                on:click=move |_| desk.remove_task()>"Remove task"</button>
        </div>
    }
}

/// What is done with what is selected, and how it is looked at.
#[component]
pub fn Tools(desk: Desk) -> impl IntoView {
    let none = move || desk.selected.with(Option::is_none);
    let no_vertex = move || !matches!(desk.selected.get(), Some(Item::Vertex(_)));
    let connecting = move || matches!(desk.doing.get(), Doing::Connecting(_));
    let connect = move |_| {
        if matches!(desk.doing.get_untracked(), Doing::Connecting(_)) {
            desk.doing.set(Doing::Nothing);
        } else {
            desk.begin_edge();
        }
    };
    view! {
        <div class="row tools graph-tools" role="toolbar" aria-label="What to do with the graph">
            <button type="button" title="A new vertex, after the one that is selected (N)" data-testid="graph-add" on:click=move |_| desk.add_vertex()>"Add vertex"</button>
            <button type="button" title="An edge from the selected vertex (C)" data-testid="graph-connect" disabled=no_vertex
                aria-pressed=live(move || if connecting() { "true" } else { "false" }) on:click=connect>"Connect"</button>
            <button type="button" title="Name and numbers of what is selected (Enter)" data-testid="graph-edit" disabled=none on:click=move |_| desk.write()>"Edit"</button>
            <button type="button" title="Remove what is selected (Delete)" data-testid="graph-remove" disabled=none on:click=move |_| desk.remove()>"Remove"</button>
            <span class="spacer"></span>
            <button type="button" title="Put all vertices into layers from left to right" data-testid="graph-arrange" on:click=move |_| desk.arrange()>"Arrange"</button>
            <div class="switch" role="group" aria-label="Zoom of the graph">
                <button type="button" title="Zoom out" aria-label="Zoom out of the graph" data-testid="graph-out" on:click=move |_| desk.zoom(0.8)>"−"</button>
                <button type="button" title="Zoom in" aria-label="Zoom into the graph" data-testid="graph-in" on:click=move |_| desk.zoom(1.0 / 0.8)>"+"</button>
                <button type="button" title="Show everything" data-testid="graph-fit" on:click=move |_| desk.fit()>"Fit"</button>
            </div>
        </div>
    }
}
