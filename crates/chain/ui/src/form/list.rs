//! A list of the chain in its form: items that fold, move and go, and a button for one more.

use leptos::prelude::*;
use serde_json::Value;
use ui_kit::live::{live, memo};

use chain_lab::page::chain::form::{MOST, names, renamed};
use kit::page::fields::path::{Key, Path, id, item, items, moved, place, remove};
use kit::page::fields::{Holds, Slot, problems_at, problems_of};
use ui_kit::cells::{Item, buttons, focus_soon, told};
use ui_kit::doc::Doc;

/// What a list is of.
#[derive(Clone, Copy)]
pub struct List {
    /// The document.
    pub doc: Doc,
    /// Where it stands.
    pub at: &'static [Key],
    /// Its legend.
    pub legend: &'static str,
    /// What people call an item: `kernel`.
    pub what: &'static str,
    /// What an item's head says beside its name.
    pub about: fn(&Value, usize) -> String,
    /// The document with one more.
    pub more: fn(&Value) -> Value,
    /// What is in an item.
    pub inside: fn(Doc, usize) -> AnyView,
}

/// The list.
pub fn list(of: List) -> AnyView {
    let List { doc, at, what, .. } = of;
    let count = memo(move |_| doc.tree.with(|tree| tree.as_ref().map_or(0, |tree| items(tree, at).len())));
    let opened = RwSignal::new(vec![true]);
    let go = Callback::new(move |(from, to): (usize, usize)| {
        doc.edit_tree(what, |tree| moved(tree, at, from, to));
        opened.update(|opened| {
            opened.resize(opened.len().max(from.max(to) + 1), false);
            opened.swap(from, to);
        });
    });
    let away = Callback::new(move |place: usize| {
        doc.edit_tree(what, |tree| remove(tree, &item(at, place)));
        opened.update(|opened| {
            if place < opened.len() {
                opened.remove(place);
            }
        });
    });
    let known = StoredValue::new(format!("chain-{what}"));
    let line = move |place| one(of, Item { what, id: known, place, count, go, remove: away }, opened);
    let add = move |_| {
        let new = count.get_untracked();
        doc.edit_tree(what, of.more);
        opened.update(|opened| {
            opened.resize(new.max(opened.len()) + 1, false);
            opened[new] = true;
        });
        let new =
            doc.tree.with_untracked(|tree| tree.as_ref().map_or(0, |tree| items(tree, at).len())).max(1) - 1;
        focus_soon(vec![format!("field-{}-{new}-name", id(at)), format!("chain-{what}-add")]);
    };
    let own = [place(at)];
    view! {
        <fieldset>
            <legend>{of.legend}</legend>
            <For each=move || 0..count.get().min(MOST) key=|place| *place children=line/>
            {live(move || count.get().checked_sub(MOST + 1).map(|more| view! { <p class="hint">{format!("{} more under JSON.", more + 1)}</p> }))}
            {told(doc, format!("notes-{}", id(at)), move |problems| problems_at(problems, &own))}
            <div class="row"><button type="button" data-testid=format!("chain-{what}-add") on:click=add>{format!("New {what}")}</button></div>
        </fieldset>
    }
    .into_any()
}

/// One item: its head with the buttons, and what is in it once it is opened.
fn one(of: List, item: Item, opened: RwSignal<Vec<bool>>) -> AnyView {
    let (doc, number, what) = (of.doc, item.place, of.what);
    let own: Path = kit::page::fields::path::item(of.at, number);
    let open = memo(move |_| opened.with(|opened| opened.get(number) == Some(&true)));
    let toggle = move |_| {
        opened.update(|opened| {
            opened.resize(opened.len().max(number + 1), false);
            opened[number] = !opened[number];
        });
    };
    let head = memo(move |_| {
        doc.tree.with(|tree| {
            let tree = tree.as_ref().ok()?;
            let name = names(tree, of.at).get(number)?.clone();
            Some((
                if name.is_empty() { format!("{what} {}", number + 1) } else { name },
                (of.about)(tree, number),
            ))
        })
    });
    let inside_of = place(&own) + ".";
    let wrong = memo(move |_| {
        doc.problems.with(|problems| problems.iter().any(|problem| problem.place.starts_with(&inside_of)))
    });
    let body = format!("chain-{what}-{number}-body");
    let controls = body.clone();
    let here = [place(&own)];
    let notes = format!("notes-{}", id(&own));
    let inside = move || {
        let here = here.clone();
        view! {
            <div class="item-body" id=body.clone()>
                {(of.inside)(doc, number)}
                {told(doc, notes.clone(), move |problems| problems_at(problems, &here))}
            </div>
        }
    };
    view! {
        <div class="item" role="group" aria-label=format!("{what} {}", number + 1)>
            <div class="item-head">
                <button type="button" class="quiet fold" aria-expanded=live(move || if open.get() { "true" } else { "false" })
                    aria-controls=controls data-testid=format!("chain-{what}-{number}") on:click=toggle>
                    <span class="sign-fold" aria-hidden="true">{live(move || if open.get() { "▾" } else { "▸" })}</span>
                    <span class="fold-name">{live(move || head.get().unwrap_or_default().0)}</span>
                    <span class="fold-about">{live(move || head.get().unwrap_or_default().1)}</span>
                    {live(move || wrong.get().then(|| view! { <span class="wrong">"!"<span class="hidden">" has mistakes in it"</span></span> }))}
                </button>
                {buttons(item)}
            </div>
            {live(move || open.get().then(&inside))}
        </div>
    }
    .into_any()
}

/// The name of an item, taken once it is typed: what refers to it follows.
pub fn name(doc: Doc, at: &'static [Key], number: usize) -> AnyView {
    let slot = Slot::of(&item(at, number), "name", "Name", Holds::Text, "");
    let field = format!("field-{}", id(&slot.path));
    let notes = format!("notes-{}", id(&slot.path));
    let value = memo(move |_| {
        doc.tree.with(|tree| {
            tree.as_ref().ok().and_then(|tree| names(tree, at).get(number).cloned()).unwrap_or_default()
        })
    });
    let slot = StoredValue::new(slot);
    let wrong = move |problems: &[base::Problem]| slot.with_value(|slot| problems_of(problems, slot));
    let invalid =
        move || if doc.problems.with(|problems| wrong(problems).is_empty()) { "false" } else { "true" };
    let write = move |text: String| doc.edit_tree("name", |tree| renamed(tree, at, number, &text));
    view! {
        <label class="cell">
            <span>"Name"</span>
            <input type="text" autocomplete="off" spellcheck="false" data-testid=field aria-invalid=invalid aria-describedby=notes.clone()
                prop:value=live(move || value.get()) on:change=move |event| write(event_target_value(&event))/>
        </label>
        {told(doc, notes, wrong)}
    }
    .into_any()
}
