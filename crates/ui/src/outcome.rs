//! How a run stands and what came of it: the same in every lab.

use leptos::prelude::*;

use crate::mounted::Page;
use base::people;
use kit::page::Ask;
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
    let running = Memo::new(move |_| told.with(|told| told.running));
    let share = move || told.with(|told| told.done as f64 / told.total.max(1) as f64);
    let fresh = move || told.with(|told| !told.stale && !told.stopped && told.job > 0);
    let press = move |_| page.ask(if running.get_untracked() { Ask::Stop } else { Ask::Run });
    view! {
        <div class="row run lab-run">
            <button class:primary=move || !running.get() && !fresh() data-testid=format!("{id}-run") on:click=press
                title=move || if running.get() { "Esc" } else { "" }
                disabled=move || !running.get() && told.with(|told| told.wrong)>
                {move || match (running.get(), fresh()) {
                    (true, _) => "Stop",
                    (false, true) => "Run again",
                    (false, false) => "Run",
                }}
            </button>
            <Show when=move || running.get()>
                <progress max="1" aria-label=label value=share></progress>
            </Show>
            <span class="told" aria-live=move || if running.get() { "off" } else { "polite" } data-testid=format!("{id}-told")>{move || said.get()}</span>
        </div>
    }
}

/// Numbers side by side.
#[component]
pub fn Tiles(
    /// What is known.
    known: Memo<Vec<Tile>>,
) -> impl IntoView {
    let tile = |tile: Tile| {
        view! {
            <div class=format!("tile {}", tile.tone.name())>
                <p class="label">{tile.label}</p>
                <p class="value" data-testid=format!("tile-{}", tile.id)>{tile.value}</p>
                <p class="hint">{tile.hint}</p>
            </div>
        }
    };
    move || {
        let known = known.get();
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
