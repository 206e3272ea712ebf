//! The streams in the form: a list that folds, each with what its program issues.

use leptos::prelude::*;
use ui_kit::live::{live, memo};

use super::operations::Operations;
use blocks_lab::page::blocks::form;
use blocks_lab::page::blocks::form::path::Key::At;
use blocks_lab::page::blocks::form::path::{Path, field, items, moved, place, remove};
use blocks_lab::page::blocks::form::streams::{STREAMS, about, with_new_stream};
use blocks_lab::page::blocks::form::units::Unit;
use blocks_lab::page::blocks::form::{Holds, Slot};
use ui_kit::cells::{Item, buttons, choice, focus_soon, row, told};
use ui_kit::doc::Doc;
use ui_kit::fields::named;

/// More than so many stand under JSON.
const MOST: usize = 64;

const KINDS: [(&str, &str); 3] =
    [("blocking", "blocking"), ("non-blocking", "non-blocking"), ("null", "null stream")];

/// The list.
#[component]
pub fn Streams(doc: Doc) -> impl IntoView {
    let count =
        memo(move |_| doc.tree.with(|tree| tree.as_ref().map_or(0, |tree| items(tree, &STREAMS).len())));
    let opened = RwSignal::new(vec![true]);
    let shown = move || 0..count.get().min(MOST);
    let go = Callback::new(move |(from, to): (usize, usize)| {
        doc.edit_tree("streams", |tree| moved(tree, &STREAMS, from, to));
        opened.update(|opened| {
            opened.resize(opened.len().max(from.max(to) + 1), false);
            opened.swap(from, to);
        });
    });
    let away = Callback::new(move |place: usize| {
        doc.edit_tree("streams", |tree| remove(tree, &stream(place)));
        opened.update(|opened| {
            if place < opened.len() {
                opened.remove(place);
            }
        });
    });
    let id = StoredValue::new("stream".to_owned());
    let line = move |place| {
        let item = Item { what: "stream", id, place, count, go, remove: away };
        view! { <Stream doc item opened/> }
    };
    let add = move |_| {
        let place = count.get_untracked();
        doc.edit_tree("streams", with_new_stream);
        opened.update(|opened| {
            opened.resize(place + 1, false);
            opened[place] = true;
        });
        focus_soon(vec![format!("field-blocks-streams-{place}-label"), "stream-add".to_owned()]);
    };
    let own = ["blocks".to_owned(), place(&STREAMS)];
    view! {
        <fieldset>
            <legend>"Streams in launch order"</legend>
            <For each=shown key=|place| *place children=line/>
            {live(move || count.get().checked_sub(MOST + 1).map(|more| view! {
                <p class="hint">{format!("{} more under JSON.", more + 1)}</p>
            }))}
            {told(doc, "notes-streams".to_owned(), move |problems| form::problems_at(problems, &own))}
            <div class="row"><button type="button" data-testid="stream-add" on:click=add>"New stream"</button></div>
        </fieldset>
    }
}

fn stream(place: usize) -> Path {
    [&STREAMS[..], &[At(place)]].concat()
}

/// One stream: its head with the buttons, and what is in it once it is opened.
#[component]
fn Stream(doc: Doc, item: Item, opened: RwSignal<Vec<bool>>) -> impl IntoView {
    let place = item.place;
    let at = stream(place);
    let open = memo(move |_| opened.with(|opened| opened.get(place) == Some(&true)));
    let toggle = move |_| {
        opened.update(|opened| {
            opened.resize(opened.len().max(place + 1), false);
            opened[place] = !opened[place];
        });
    };
    let head =
        memo(move |_| doc.tree.with(|tree| tree.as_ref().map(|tree| about(tree, place)).unwrap_or_default()));
    let wrong = {
        let at = blocks_lab::page::blocks::form::path::place(&at);
        memo(move |_| {
            doc.problems.with(|problems| problems.iter().any(|problem| problem.place.starts_with(&at)))
        })
    };
    let body = format!("stream-{place}-body");
    let controls = body.clone();
    let inside = move || {
        let of = |key, label, holds, usual| Slot::of(&at, key, label, holds, usual);
        let time = Holds::Time(Unit::Millis);
        view! {
            <div class="item-body" id=body.clone()>
                {row(doc, vec![of("label", "Label", Holds::Name, ""), of("release", "Release, ms", time, "0"), of("rounds", "Rounds", Holds::Number, "1")], "three")}
                <div class="cells kinds">
                    {choice(doc, "Kind", field(&at, "kind"), named(&KINDS))}
                    {number(doc, of("priority", "Priority", Holds::Number, "0"))}
                    {number(doc, of("process", "Process", Holds::Number, "0"))}
                </div>
                <Operations doc stream=place/>
            </div>
        }
    };
    view! {
        <div class="item" role="group" aria-label=format!("Stream {}", place + 1)>
            <div class="item-head">
                <button type="button" class="quiet fold" aria-expanded=live(move || if open.get() { "true" } else { "false" })
                    aria-controls=controls data-testid=format!("stream-{place}") on:click=toggle>
                    <span class="sign-fold" aria-hidden="true">{live(move || if open.get() { "▾" } else { "▸" })}</span>
                    <span class="fold-name">{live(move || head.get().0)}</span>
                    <span class="fold-about">{live(move || head.get().1)}</span>
                    {live(move || wrong.get().then(|| view! { <span class="wrong">"!"<span class="hidden">" has mistakes in it"</span></span> }))}
                </button>
                {buttons(item)}
            </div>
            {live(move || open.get().then(&inside))}
        </div>
    }
}

/// A field beside a list to choose from, with what is wrong beneath it.
fn number(doc: Doc, slot: Slot) -> AnyView {
    view! { <div class="cell">{row(doc, vec![slot], "one")}</div> }.into_any()
}
