//! The benchmarks of an examiner's configuration in the form, as far as they are simple.

use leptos::prelude::*;
use ui_kit::live::{live, memo};

use base::people::listed;
use blocks_lab::page::blocks::form;
use blocks_lab::page::blocks::form::path::Key::{At, Of};
use blocks_lab::page::blocks::form::path::{Path, get, items, moved, place, remove};
use blocks_lab::page::blocks::form::{Holds, Slot, examiner};
use ui_kit::cells::{Item, buttons, row, told};
use ui_kit::doc::Doc;

/// More than so many stand under JSON.
const MOST: usize = 64;

/// The list.
#[component]
pub fn Benchmarks(doc: Doc) -> impl IntoView {
    let list = &examiner::BENCHMARKS;
    let count = memo(move |_| doc.tree.with(|tree| tree.as_ref().map_or(0, |tree| items(tree, list).len())));
    let opened = RwSignal::new(None::<usize>);
    let go = Callback::new(move |(from, to)| {
        doc.edit_tree("benchmarks", |tree| moved(tree, list, from, to));
        opened.update(|opened| *opened = opened.map(|at| if at == from { to } else { at }));
    });
    let away = Callback::new(move |at| doc.edit_tree("benchmarks", |tree| remove(tree, &benchmark(at))));
    let id = StoredValue::new("benchmark".to_owned());
    let line = move |place| {
        let item = Item { what: "benchmark", id, place, count, go, remove: away };
        view! { <Benchmark doc item opened/> }
    };
    let whole = [Of("blocks"), Of("examiner")];
    let own = [place(&whole), place(list), "blocks".to_owned()];
    view! {
        <fieldset>
            <legend>"An examiner's configuration"</legend>
            {row(doc, vec![
                Slot::of(&whole, "max_iterations", "Rounds", Holds::Number, "no limit"),
                Slot::of(&whole, "max_time", "Time, s", Holds::Number, "no limit"),
            ], "two")}
            <For each=move || 0..count.get().min(MOST) key=|place| *place children=line/>
            {live(move || count.get().checked_sub(MOST + 1).map(|more| view! {
                <p class="hint">{format!("{} more under JSON.", more + 1)}</p>
            }))}
            {told(doc, "notes-benchmarks".to_owned(), move |problems| form::problems_at(problems, &own))}
        </fieldset>
    }
}

fn benchmark(place: usize) -> Path {
    [&examiner::BENCHMARKS[..], &[At(place)]].concat()
}

/// One benchmark: its head with the buttons, and its fields once it is opened.
#[component]
fn Benchmark(doc: Doc, item: Item, opened: RwSignal<Option<usize>>) -> impl IntoView {
    let place = item.place;
    let open = memo(move |_| opened.get() == Some(place));
    let toggle = move |_| opened.update(|opened| *opened = (*opened != Some(place)).then_some(place));
    let head = memo(move |_| {
        doc.tree.with(|tree| {
            let benchmark = tree.as_ref().ok().and_then(|tree| get(tree, &benchmark(place)));
            benchmark.map(|of| (examiner::label(of, place), examiner::kind(of))).unwrap_or_default()
        })
    });
    // Which fields there are, not what they hold: typing must not draw them anew.
    let slots = memo(move |_| {
        doc.tree.with(|tree| tree.as_ref().map(|tree| examiner::slots(tree, place)).unwrap_or_default())
    });
    let own = [form::path::place(&benchmark(place))];
    let inside = move || {
        let own = own.clone();
        slots.with(|(slots, elsewhere)| view! {
            <div class="item-body" id=format!("benchmark-{place}-body")>
                {row(doc, slots.clone(), "three")}
                {(!elsewhere.is_empty()).then(|| view! { <p class="hint">{format!("Under JSON: {}.", listed(elsewhere))}</p> })}
                {told(doc, format!("notes-benchmark-{place}"), move |problems| form::problems_at(problems, &own))}
            </div>
        })
    };
    view! {
        <div class="item" role="group" aria-label=format!("Benchmark {}", place + 1)>
            <div class="item-head">
                <button type="button" class="quiet fold" aria-expanded=live(move || if open.get() { "true" } else { "false" })
                    aria-controls=format!("benchmark-{place}-body") data-testid=format!("benchmark-{place}") on:click=toggle>
                    <span class="sign-fold" aria-hidden="true">{live(move || if open.get() { "▾" } else { "▸" })}</span>
                    <span class="fold-name">{live(move || head.get().0)}</span>
                    <span class="fold-about">{live(move || head.get().1)}</span>
                </button>
                {buttons(item)}
            </div>
            {live(move || open.get().then(&inside))}
        </div>
    }
}
