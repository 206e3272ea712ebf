//! How a run stands and what came of it: the same in every lab.

use crate::live::{live, memo};
use crate::show::Show;
use leptos::prelude::*;

use crate::mounted::Page;
use base::people;
use kit::page::Ask;
use kit::page::guess::UNTOLD;
use kit::page::tile::Tile;
use kit::page::told::ToldOfTrial;

/// So many warnings are in sight; the others are folded away.
const IN_SIGHT: usize = 3;

/// How far a run is, and the button for what comes next; one for all, so that the keyboard stays on it. Its parts are
/// called `id-run` and `id-told`.
#[component]
pub fn RunRow(
    /// The lab, in the names of the parts.
    id: &'static str,
    /// What the bar measures.
    label: &'static str,
    /// How the document and its run stand.
    told: RwSignal<ToldOfTrial>,
    /// How it stands, in a sentence.
    said: Signal<String>,
    /// The page around it.
    page: Page,
) -> impl IntoView {
    let running = memo(move |_| told.with(|told| told.running));
    let share = move || told.with(|told| told.done as f64 / told.total.max(1) as f64);
    let fresh = move || told.with(|told| !told.stale && !told.stopped && told.job > 0);
    let press = move |_| page.ask(if running.get_untracked() { Ask::Stop } else { Ask::Run });
    view! {
        <div class="row lab-run" class:busy=running class:fresh=live(move || fresh() && !running.get())>
            <span class="told" aria-live=live(move || if running.get() { "off" } else { "polite" }) data-testid=format!("{id}-told")>{live(move || said.get())}</span>
            <Show when=move || running.get()>
                <progress max="1" aria-label=label value=share></progress>
            </Show>
            <button class:primary=live(move || !running.get() && !fresh()) data-testid=format!("{id}-run") on:click=press
                title=live(move || if running.get() { "Esc" } else { "" })
                disabled=live(move || !running.get() && told.with(|told| told.wrong))>
                {live(move || match (running.get(), fresh()) {
                    (true, _) => "Stop",
                    (false, true) => "Run again",
                    (false, false) => "Run",
                })}
            </button>
        </div>
    }
}

/// So many numbers have room in the line above a picture; the others stand beneath it.
pub const IN_BRIEF: usize = 3;

/// Numbers side by side.
#[component]
pub fn Tiles(
    /// What is known.
    known: Memo<Vec<Tile>>,
    /// Whether these are the first of them, or the others.
    brief: bool,
    /// How many those first are.
    #[prop(default = IN_BRIEF)]
    most: usize,
) -> impl IntoView {
    let tile = |tile: Tile| {
        let title = tile.hint.clone();
        view! {
            <div class=format!("tile {}", tile.tone.name()) title=title>
                <p class="label">{tile.label}</p>
                <p class="value" data-testid=format!("tile-{}", tile.id)>{tile.value}</p>
                <p class="hint">{tile.hint}</p>
            </div>
        }
    };
    move || {
        let mut known = known.get();
        let others = known.split_off(known.len().min(most));
        let known = if brief { known } else { others };
        (!known.is_empty())
            .then(|| view! { <div class="tiles outcome">{known.into_iter().map(tile).collect_view()}</div> })
    }
}

/// How the document was understood, where its author should know.
#[component]
pub fn Warnings(
    /// What is to be said.
    known: Memo<Vec<String>>,
) -> impl IntoView {
    let list = |items: &[String]| items.iter().map(|text| view! { <li>{text.clone()}</li> }).collect_view();
    move || {
        known.with(|known| {
            let (first, rest) = known.split_at(known.len().min(IN_SIGHT));
            (!first.is_empty()).then(|| {
                view! {
                    <div class="warnings" data-testid="warnings">
                        <p class="heading">"How the document was understood"</p>
                        <ul>{list(first)}</ul>
                        {(!rest.is_empty()).then(|| view! {
                            <details class="more">
                                <summary>{format!("{} more", people::grouped(rest.len() as u128))}</summary>
                                <ul>{list(rest)}</ul>
                            </details>
                        })}
                    </div>
                }
            })
        })
    }
}

/// The notes of a document; nothing while an answer is to be guessed.
#[component]
pub fn Notes(
    /// How the document stands.
    told: RwSignal<ToldOfTrial>,
    /// Whether the answer is hidden.
    hidden: Signal<bool>,
) -> impl IntoView {
    let notes = memo(move |_| told.with(|told| told.notes.clone()));
    move || {
        (!hidden.get() && !notes.with(String::is_empty))
            .then(|| view! { <p class="lead about">{notes.get()}</p> })
    }
}

/// What a document is called, in the line above its picture; not while an answer is to be guessed.
#[component]
pub fn Title(
    /// How the document stands.
    told: RwSignal<ToldOfTrial>,
    /// What it is called where it has no title.
    #[prop(default = "Untitled scenario")]
    untitled: &'static str,
) -> impl IntoView {
    let title = move || match told.with(|told| told.title.clone()) {
        _ if told.with(|told| told.page.hide) => UNTOLD.to_owned(),
        title if title.is_empty() => untitled.to_owned(),
        title => title,
    };
    view! { <h2 title=title data-testid="title">{title}</h2> }
}
