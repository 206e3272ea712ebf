//! What a stream's program issues, one row each.

use leptos::prelude::*;
use ui_kit::live::{live, memo};

use blocks_lab::page::blocks::form;
use blocks_lab::page::blocks::form::path::Key::At;
use blocks_lab::page::blocks::form::path::{Path, field, get, id, items, moved, place, remove};
use blocks_lab::page::blocks::form::streams::{Kind, operations, with_new_operation};
use blocks_lab::page::blocks::form::units::Unit;
use blocks_lab::page::blocks::form::{Holds, Slot};
use ui_kit::cells::{Item, buttons, choice, focus_soon, row, told};
use ui_kit::doc::Doc;
use ui_kit::fields::named;

/// More than so many stand under JSON.
const MOST: usize = 40;

const DIRECTIONS: [(&str, &str); 4] = [
    ("in", "to the device"),
    ("out", "to the host"),
    ("within", "within the device"),
    ("set", "memory is set"),
];
const WAITS: [(&str, &str); 2] = [("stream", "its stream is empty"), ("device", "the whole device is")];

/// The list, and buttons for more.
#[component]
pub fn Operations(doc: Doc, stream: usize) -> impl IntoView {
    let list = StoredValue::new(operations(stream));
    let count = memo(move |_| {
        list.with_value(|list| doc.tree.with(|tree| tree.as_ref().map_or(0, |tree| items(tree, list).len())))
    });
    let edit = move |change: &dyn Fn(&serde_json::Value, &Path) -> serde_json::Value| {
        list.with_value(|list| doc.edit_tree(&place(list), |tree| change(tree, list)));
    };
    let go = Callback::new(move |(from, to)| edit(&|tree, list| moved(tree, list, from, to)));
    let away = Callback::new(move |at| edit(&|tree, list| remove(tree, &[&list[..], &[At(at)]].concat())));
    let name = StoredValue::new(format!("stream-{stream}-operation"));
    let line = move |place| {
        let at = list.with_value(|list| [&list[..], &[At(place)]].concat());
        let item = Item { what: "operation", id: name, place, count, go, remove: away };
        view! { <Operation doc item at/> }
    };
    let add = move |kind: Kind| {
        let press = move |_| {
            let at = count.get_untracked();
            doc.edit_tree("operations", |tree| with_new_operation(tree, stream, kind));
            let first = list.with_value(|list| format!("field-{}-{at}-{}", id(list), kind.key()));
            focus_soon(vec![first, format!("stream-{stream}-add-{}", kind.key())]);
        };
        view! {
            <button type="button" aria-label=format!("Add: {}", kind.label()) data-testid=format!("stream-{stream}-add-{}", kind.key())
                on:click=press>{kind.label()}</button>
        }
    };
    let own = list.with_value(|list| [place(list)]);
    view! {
        <div class="operations">
            <For each=move || 0..count.get().min(MOST) key=|place| *place children=line/>
            {live(move || count.get().checked_sub(MOST + 1).map(|more| view! {
                <p class="hint">{format!("{} more under JSON.", more + 1)}</p>
            }))}
        </div>
        {told(doc, format!("notes-operations-{stream}"), move |problems| form::problems_at(problems, &own))}
        <div class="row adds"><span class="hint" aria-hidden="true">"Add"</span>{Kind::NEW.map(add).collect_view()}</div>
    }
}

/// One operation; its fields depend on what it is.
#[component]
fn Operation(doc: Doc, item: Item, at: Path) -> impl IntoView {
    let at = StoredValue::new(at);
    let kind = memo(move |_| {
        at.with_value(|at| {
            doc.tree.with(|tree| tree.as_ref().ok().and_then(|tree| get(tree, at)).map(Kind::of))
        })
    });
    let head = move || kind.get().map_or("", Kind::label);
    let timed = move || {
        let of = |kind| matches!(kind, Kind::Kernel | Kind::Copy | Kind::Sleep);
        kind.get().is_some_and(of).then(|| view! { <span class="hint">"times in ms"</span> })
    };
    let inside = move || at.with_value(|at| kind.get().map(|kind| fields(doc, at, kind)));
    let own = at.with_value(|at| [place(at)]);
    let notes = at.with_value(|at| format!("notes-{}", id(at)));
    view! {
        <div class="item operation" role="group" aria-label=live(move || format!("{} at place {}", head(), item.place + 1))>
            <div class="item-head"><span class="heading">{head}</span>{timed}{buttons(item)}</div>
            {inside}
            {told(doc, notes, move |problems| form::problems_at(problems, &own))}
        </div>
    }
}

fn fields(doc: Doc, at: &Path, kind: Kind) -> AnyView {
    let of = |key, label, holds, usual| Slot::of(at, key, label, holds, usual);
    let time = Holds::Time(Unit::Millis);
    match kind {
        Kind::Kernel => view! {
            {row(doc, vec![
                of("kernel", "Name", Holds::Text, ""),
                of("blocks", "Blocks", Holds::Number, "1"),
                of("threads", "Threads", Holds::Number, ""),
                of("duration", "Time", time, ""),
                of("shared_memory", "Shared, B", Holds::Number, "0"),
                of("deadline", "Deadline", time, "none"),
            ], "three")}
        }
        .into_any(),
        Kind::Copy => view! {
            {choice(doc, "Direction", field(at, "copy"), named(&DIRECTIONS))}
            {row(doc, vec![of("bytes", "Bytes", Holds::Number, "0"), of("duration", "Time", time, "by its bytes")], "two")}
        }
        .into_any(),
        Kind::Sleep => row(doc, vec![of("sleep", "The program sleeps for", time, "")], "two"),
        Kind::Wait => choice(doc, "Until", field(at, "wait"), named(&WAITS)),
        Kind::Repeat | Kind::Unknown => view! { <p class="hint">"Edit it under JSON."</p> }.into_any(),
    }
}
