//! The small form at a vertex or an edge in which its name and numbers are written.

use leptos::ev::{FocusEvent, KeyboardEvent, SubmitEvent};
use leptos::html;
use leptos::prelude::*;
use ui_kit::live::{live, memo};
use wasm_bindgen::JsCast;
use web_sys::Node;

use super::desk::{Desk, drawn_id};
use tasks_lab::page::tasks::graph::{Doing, Item};
use ui_kit::cells::focus_soon;

/// The form, while something is written.
#[component]
pub fn Writing(desk: Desk) -> impl IntoView {
    let item = memo(move |_| match desk.doing.get() {
        Doing::Writing(item) => Some(item),
        _ => None,
    });
    move || item.get().map(|item| view! { <Fields desk item/> })
}

/// A name, what is written first, and how tests find it.
type Field = (&'static str, String, &'static str);

fn fields(desk: Desk, item: Item) -> Vec<Field> {
    desk.graph.with_untracked(|graph| match item {
        Item::Vertex(vertex) => {
            let own = graph.vertices.get(vertex).cloned().unwrap_or_default();
            vec![
                ("Name", own.name, "graph-write-name"),
                ("Needs, e", own.e, "graph-write-e"),
                ("Within, d", own.d, "graph-write-d"),
            ]
        }
        Item::Edge(edge) => {
            let p = graph.edge(edge).map(|edge| edge.p.clone()).unwrap_or_default();
            vec![("Later by at least, p", p, "graph-write-p")]
        }
    })
}

#[component]
fn Fields(desk: Desk, item: Item) -> impl IntoView {
    let form = NodeRef::<html::Form>::new();
    let known = fields(desk, item);
    let texts = RwSignal::new(known.iter().map(|(_, text, _)| text.clone()).collect::<Vec<_>>());
    let first = known.get(1).or(known.first()).map(|field| field.2.to_owned());
    let taken = RwSignal::new(false);
    focus_soon(first.into_iter().collect());
    let close = move || {
        desk.doing.set(Doing::Nothing);
        focus_soon(vec![drawn_id(item)]);
    };
    let write = move || {
        let done = texts.with_untracked(|texts| desk.written(item, texts));
        taken.set(!done);
        done
    };
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        if write() {
            close();
        }
    };
    let key = move |event: KeyboardEvent| {
        if event.key() == "Escape" {
            event.prevent_default();
            close();
        }
    };
    // Whoever goes elsewhere means what was written.
    let left = move |event: FocusEvent| {
        if desk.doing.get_untracked() != Doing::Writing(item) {
            return; // it is done already, and on its way out
        }
        let to = event.related_target().and_then(|to| to.dyn_into::<Node>().ok());
        let inside = form.get_untracked().is_some_and(|form| form.contains(to.as_ref()));
        if !inside && to.is_some() {
            write();
            desk.doing.set(Doing::Nothing);
        }
    };
    let place = move || {
        let at = desk.picture.with(|picture| picture.place(item)).unwrap_or_default();
        let (x, y) = desk.sight.get().screen(at);
        format!("--x: {x:?}px; --y: {y:?}px")
    };
    let field = move |(number, (label, text, id)): (usize, Field)| {
        let typed = move |event| {
            texts.update(|texts| {
                if let Some(text) = texts.get_mut(number) {
                    *text = event_target_value(&event);
                }
            });
        };
        view! {
            <label class="cell">
                <span>{label}</span>
                <input type="text" autocomplete="off" spellcheck="false" class:code={number != 0} inputmode=if label == "Name" { "text" } else { "numeric" }
                    data-testid=id prop:value=text on:input=typed on:focus=move |event| select_all(&event)/>
            </label>
        }
    };
    view! {
        <form class="graph-writing" class:one=matches!(item, Item::Edge(_)) node_ref=form style=place autocomplete="off"
            aria-label=format!("Change {}", desk.name(item)) data-testid="graph-writing"
            on:submit=submit on:keydown=key on:focusout=left>
            {known.into_iter().enumerate().map(field).collect_view()}
            <span class="row">
                <button type="submit" class="primary" data-testid="graph-write-done">"OK"</button>
                <button type="button" class="quiet" data-testid="graph-write-cancel" on:click=move |_| close()>"Cancel"</button>
            </span>
            {live(move || taken.get().then(|| view! { <p class="wrong" role="alert">"A vertex needs a name of its own."</p> }))}
        </form>
    }
}

fn select_all(event: &FocusEvent) {
    let input = event.target().and_then(|target| target.dyn_into::<web_sys::HtmlInputElement>().ok());
    if let Some(input) = input {
        input.select();
    }
}
