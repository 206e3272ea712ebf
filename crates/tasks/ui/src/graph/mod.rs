//! The graph of a task, drawn and changed: with a mouse, with fingers, with keys, and with buttons.

mod desk;
mod drawing;
mod keys;
mod pointers;
mod toolbar;
mod writing;

use leptos::prelude::*;
use ui_kit::live::{live, memo};
use ui_kit::show::Show;

use super::Panel;
use base::people::{counted, plural};
use desk::Desk;
use drawing::Drawing;
use kit::draw::{Ink, Theme};
use tasks_lab::page::tasks::graph::Doing;
use tasks_lab::page::tasks::graph::sight::Sight;
use tasks_lab::timeline::tasks::class;
use toolbar::{Tasks, Tools};
use writing::Writing;

/// The editor. `marked` are the vertices of a sequence to be shown in it; without it, those that attain the demand of
/// the interval someone looks at.
#[component]
pub fn Graph(panel: Panel, #[prop(optional)] marked: Option<Signal<Vec<usize>>>) -> impl IntoView {
    let desk = Desk::new(panel, marked);
    let embed = memo(move |_| panel.told.with(|told| told.page.embed));
    // While a vertex is moved the window stays as it is.
    let high = memo(move |before: Option<&Option<f64>>| match (before, desk.moving.with(Option::is_some)) {
        (Some(before), true) => *before,
        _ => {
            let wide = desk.size.with(|size| size.0);
            (wide > 0.0).then(|| desk.picture.with(|picture| Sight::height(picture.bounds, wide)))
        }
    });
    // A task looks the same wherever it is shown, and classes have the same colour in both themes.
    let colour = move || Theme::Light.color(Ink::Class(class(desk.task().get())));
    let label = move || {
        desk.picture.with(|picture| {
            let (vertices, edges) = (picture.shapes.len(), picture.lines.len());
            let name = desk.graph.with(|graph| graph.name.clone());
            format!(
                "Graph of {name}: {} and {}",
                plural(vertices, "vertex", "vertices"),
                counted(edges, "edge")
            )
        })
    };
    view! {
        <Show when=move || desk.any.get()>
            <section class="figure graph-editor" aria-label="Graph of the task" data-testid="task-graph">
                <h3>{live(move || desk.graph.with(|graph| format!("The graph of {}", graph.name)))}</h3>
                <p class="hint" data-testid="graph-read">{live(move || how_to_read(desk))}</p>
                <Show when=move || !embed.get()><Tasks desk/><Tools desk/></Show>
                <div class="graph-plot" tabindex="-1" role="application" aria-roledescription="graph editor" aria-label=label data-keys="own" data-testid="graph-plot"
                    style=live(move || format!("{}--walk: {}", high.get().map_or_else(String::new, |high| format!("--high: {high}px; ")), colour()))
                    class:connecting=live(move || matches!(desk.doing.get(), Doing::Connecting(_)))
                    on:keydown=move |event| keys::down(desk, &event)
                    on:keyup=move |event| keys::up(desk, &event)
                    on:focusout=move |_| desk.put_down()>
                    <Drawing desk/>
                    <Writing desk/>
                    {live(move || desk.picture.with(|picture| picture.shapes.is_empty()).then(|| view! { <p class="empty">"No vertex yet: add one."</p> }))}
                </div>
                {live(move || desk.trouble().map(|why| view! { <p class="wrong" role="status" data-testid="graph-trouble">{why}</p> }))}
                <p class="hint graph-help" id="graph-help" tabindex="-1" data-testid="graph-help">{live(move || help(desk))}</p>
            </section>
        </Show>
    }
}

/// What the picture means.
fn how_to_read(desk: Desk) -> String {
    let mut said =
        "Each vertex needs e within d of its triggering; a number on an edge is how much later the next one is triggered \
         at least."
            .to_owned();
    if desk.picture.with(|picture| picture.shapes.iter().any(|shape| shape.turns.is_some())) {
        said += " Numbered in their order: the jobs of this task in the witness below.";
    }
    said
}

/// What can be done now.
fn help(desk: Desk) -> String {
    let loose = desk.graph.with(|graph| graph.loose);
    let mut said = match desk.doing.get() {
        Doing::Connecting(_) => "Choose where the edge leads: click a vertex, or Tab or arrows and Enter. Esc cancels.",
        Doing::Writing(_) => "Enter takes the numbers, Esc leaves them as they were.",
        Doing::Nothing => {
            "Drag a vertex to move it, the dot on its right to another vertex to join them; double-click to change \
             something, or the ground for a new vertex. Keys: Tab walks, arrows move, N new vertex, C connect, Enter \
             change, Delete remove, Esc leaves. Ctrl and wheel zoom."
        }
    }
    .to_owned();
    if loose > 0 {
        said += &format!(" Not drawn: {}, which do not join two vertices.", counted(loose, "edge"));
    }
    said
}
