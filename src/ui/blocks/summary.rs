//! What the document is called, how its run stands, and what came of it in a few numbers.

use leptos::prelude::*;

use super::Panel;
use crate::base::people;
use crate::page::blocks::summary::{Tile, reference, references, state, tiles, warnings};
use crate::report::analysis::Published;

/// So many warnings are in sight; the others are folded away.
const IN_SIGHT: usize = 3;

/// Title, notes, run and results.
#[component]
pub fn Summary(panel: Panel) -> impl IntoView {
    let title = move || match panel.told.with(|told| told.title.clone()) {
        title if title.is_empty() => "Untitled scenario".to_owned(),
        title => title,
    };
    let notes = Memo::new(move |_| panel.told.with(|told| told.notes.clone()));
    view! {
        <h2 data-testid="title">{title}</h2>
        {move || (!notes.with(String::is_empty)).then(|| view! { <p class="lead">{notes.get()}</p> })}
        <Running panel/>
        <Tiles panel/>
        <Warnings panel/>
        <References panel/>
    }
}

/// How far it is, and the button for what comes next; one for all, so that the keyboard stays on it.
#[component]
fn Running(panel: Panel) -> impl IntoView {
    let running = Memo::new(move |_| panel.told.with(|told| told.running));
    let said = move || panel.told.with(|told| panel.seen.with(|seen| state(told, seen.as_deref())));
    let share = move || panel.told.with(|told| told.done as f64 / told.total.max(1) as f64);
    let fresh = move || panel.told.with(|told| !told.stale && !told.stopped && told.job > 0);
    let press = move |_| panel.act(if running.get_untracked() { "stop" } else { "run" }, None);
    view! {
        <div class="row run blocks-run">
            <button class:primary=move || !running.get() && !fresh() data-testid="blocks-run" on:click=press
                title=move || if running.get() { "Esc" } else { "" }
                disabled=move || !running.get() && panel.told.with(|told| told.wrong)>
                {move || match (running.get(), fresh()) {
                    (true, _) => "Stop",
                    (false, true) => "Run again",
                    (false, false) => "Run",
                }}
            </button>
            <Show when=move || running.get()>
                <progress max="1" aria-label="Blocks simulated" value=share></progress>
            </Show>
            <span class="told" aria-live=move || if running.get() { "off" } else { "polite" } data-testid="blocks-told">{said}</span>
        </div>
    }
}

#[component]
fn Tiles(panel: Panel) -> impl IntoView {
    let known = Memo::new(move |_| panel.with(tiles).unwrap_or_default());
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
fn Warnings(panel: Panel) -> impl IntoView {
    let known = Memo::new(move |_| panel.with(|seen| warnings(&seen.report)).unwrap_or_default());
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

const HEADS: [&str; 5] = ["Kernel", "Published", "Simulated", "Analysis", "Verdict"];

/// Published completion times beside ours; unfolded where they differ.
#[component]
fn References(panel: Panel) -> impl IntoView {
    let known = Memo::new(move |_| panel.with(|seen| seen.report.references.clone()).unwrap_or_default());
    let row = |(place, published): (usize, &Published)| {
        let verdict = if published.agrees { "agrees" } else { "differs" };
        let [kernel, times @ .., said] = reference(published);
        view! {
            <tr class=verdict data-testid=format!("reference-{place}")>
                <th scope="row">{kernel}</th>
                {times.into_iter().map(|time| view! { <td class="time">{time}</td> }).collect_view()}
                <td class="time">{if published.agrees { "✓ " } else { "✗ " }}{said}</td>
            </tr>
        }
    };
    move || {
        known.with(|known| {
            let differ = known.iter().any(|published| !published.agrees);
            (!known.is_empty()).then(|| view! {
                <details class="more" open=differ>
                    <summary class:wrong=differ data-testid="references-said">{references(known)}</summary>
                    <div class="scroll" role="region" tabindex="0" aria-label="Published completion times beside ours">
                        <table class="numbers" data-testid="references">
                            <thead><tr>{HEADS.map(|head| view! { <th scope="col">{head}</th> })}</tr></thead>
                            <tbody>{known.iter().enumerate().map(row).collect_view()}</tbody>
                        </table>
                    </div>
                </details>
            })
        })
    }
}
