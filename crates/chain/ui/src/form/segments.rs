//! The segments of a task in the form: what it does, one after the other.

use leptos::prelude::*;
use serde_json::Value;
use ui_kit::live::{live, memo};

use chain_lab::page::chain::form::{
    Does, KERNELS, MOST, names, of_segment, segments as list_of, with_new_segment,
};
use kit::page::fields::path::{Path, field, get, id, item, items, moved, place, remove, set};
use kit::page::fields::problems_at;
use ui_kit::cells::{Item, buttons, focus_soon, row, told};
use ui_kit::controls::{Bound, Choices, select};
use ui_kit::doc::Doc;
use ui_kit::fields::named;

/// Which way a copy goes.
const DIRECTIONS: [(&str, &str); 2] = [("in", "to the GPU"), ("out", "from the GPU")];

/// The list, and buttons for more.
pub fn segments(doc: Doc, task: usize) -> AnyView {
    let list = StoredValue::new(list_of(task));
    let count = memo(move |_| {
        list.with_value(|list| doc.tree.with(|tree| tree.as_ref().map_or(0, |tree| items(tree, list).len())))
    });
    let edit = move |change: &dyn Fn(&Value, &Path) -> Value| {
        list.with_value(|list| doc.edit_tree(&place(list), |tree| change(tree, list)));
    };
    let go = Callback::new(move |(from, to)| edit(&|tree, list| moved(tree, list, from, to)));
    let away = Callback::new(move |at| edit(&|tree, list| remove(tree, &item(list, at))));
    let name = StoredValue::new(format!("task-{task}-segment"));
    let line = move |place| {
        let at = list.with_value(|list| item(list, place));
        segment(doc, Item { what: "segment", id: name, place, count, go, remove: away }, at)
    };
    let add = move |does: Does| {
        let own = format!("task-{task}-add-{}", does.key());
        let again = own.clone();
        let press = move |_| {
            let at = count.get_untracked();
            doc.edit_tree("segments", |tree| with_new_segment(tree, task, does));
            let first = list.with_value(|list| format!("field-{}-{at}-{}", id(list), does.key()));
            focus_soon(vec![first, again.clone()]);
        };
        view! { <button type="button" aria-label=format!("Add {}: {}", does.label(), does.heading()) data-testid=own on:click=press>{does.label()}</button> }
    };
    let own = list.with_value(|list| [place(list)]);
    view! {
        <p class="heading">"What it does, one after the other"</p>
        <div class="operations">
            <For each=move || 0..count.get().min(MOST) key=|place| *place children=line/>
            {live(move || count.get().checked_sub(MOST + 1).map(|more| view! { <p class="hint">{format!("{} more under JSON.", more + 1)}</p> }))}
        </div>
        {told(doc, format!("notes-segments-{task}"), move |problems| problems_at(problems, &own))}
        <div class="row adds"><span class="hint" aria-hidden="true">"Add"</span>{Does::ALL.map(add).collect_view()}</div>
    }
    .into_any()
}

/// One segment; its fields depend on what it does.
fn segment(doc: Doc, item: Item, own: Path) -> AnyView {
    let own = StoredValue::new(own);
    let does = memo(move |before: Option<&Option<Does>>| {
        let before = before.copied().flatten();
        own.with_value(|own| {
            doc.tree.with(|tree| {
                tree.as_ref()
                    .ok()
                    .and_then(|tree| get(tree, own))
                    .and_then(|segment| Does::of(segment, before))
            })
        })
    });
    let head = move || does.get().map_or("Segment", Does::heading);
    let inside = move || match does.get() {
        Some(does) => own.with_value(|own| fields(doc, own, does)),
        None => view! { <p class="hint">"Edit it under JSON."</p> }.into_any(),
    };
    let (here, notes) = own.with_value(|own| ([place(own)], format!("notes-{}", id(own))));
    view! {
        <div class="item operation" role="group" aria-label=live(move || format!("{} at place {}", head(), item.place + 1))>
            <div class="item-head"><span class="heading">{head}</span>{buttons(item)}</div>
            {inside}
            {told(doc, notes, move |problems| problems_at(problems, &here))}
        </div>
    }
    .into_any()
}

fn fields(doc: Doc, own: &Path, does: Does) -> AnyView {
    let typed = of_segment(own, does);
    match does {
        Does::Cpu | Does::Ticks => row(doc, typed, "two"),
        Does::Copy => view! {
            {picked(doc, "Direction", field(own, "copy"), Signal::derive(|| named(&DIRECTIONS)))}
            {row(doc, typed, "two")}
        }
        .into_any(),
        Does::Launch => launched(doc, own),
    }
}

/// The kernel that is launched.
fn launched(doc: Doc, own: &Path) -> AnyView {
    let known = Signal::derive(move || -> Choices {
        let known = doc.tree.with(|tree| tree.as_ref().map(|tree| names(tree, &KERNELS)).unwrap_or_default());
        known.into_iter().map(|name| (name.clone(), name)).collect()
    });
    picked(doc, "Kernel", field(own, "launch"), known)
}

/// A list to choose from, for a field that is always written.
fn picked(doc: Doc, label: &'static str, path: Path, known: Signal<Choices>) -> AnyView {
    let (control, notes) = (format!("field-{}", id(&path)), format!("notes-{}", id(&path)));
    let here = [place(&path)];
    let path = StoredValue::new(path);
    let value = memo(move |_| {
        let found = path.with_value(|path| {
            doc.tree.with(|tree| get(tree.as_ref().ok()?, path).and_then(Value::as_str).map(str::to_owned))
        });
        found.unwrap_or_default()
    });
    let choices = Signal::derive(move || {
        let (mut known, present) = (known.get(), value.get());
        if known.iter().all(|(own, _)| *own != present) {
            known.push((present.clone(), present));
        }
        known
    });
    let write = Callback::new(move |chosen: String| {
        path.with_value(|path| doc.edit_tree(label, |tree| set(tree, path, chosen.clone().into())));
    });
    view! {
        {select(label.to_owned(), control, choices, Bound { value: value.into(), write })}
        {told(doc, notes, move |problems| problems_at(problems, &here))}
    }
    .into_any()
}
