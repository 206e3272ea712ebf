//! The next entry of a small schedule's order: the cell in which it comes to stand is predicted, one after the other.

use leptos::prelude::*;
use ui_kit::live::live;

use kit::page::guess::beyond;
use kit::page::rooms::Entry;
use ui_kit::styles::{Sheet, wear};

/// Its own style, which the page need not load before.
const PREDICT: Sheet = Sheet { name: "predict", text: include_str!("../../../../www/predict.css") };

/// What the keyboard is taken to when a cell is no button any more.
const ASKS: &str = "predict-asks";

/// The grid, with what is placed so far.
#[component]
pub fn Predict(entries: Memo<Vec<Entry>>) -> impl IntoView {
    wear(&[PREDICT]);
    // The cycles that were predicted, entry by entry.
    let predicted = RwSignal::new(Vec::<u32>::new());
    Effect::new(move |before: Option<Vec<Entry>>| {
        let present = entries.get();
        if before.is_some_and(|before| before != present) {
            predicted.set(Vec::new());
        }
        present
    });
    view! {
        <section class="predict" aria-labelledby="predict-title" data-testid="predict">
            <h3 id="predict-title">"Or place it yourself, entry by entry"</h3>
            <p role="status" data-testid="predict-told">{live(move || entries.with(|entries| predicted.with(|predicted| told(entries, predicted))))}</p>
            <p id=ASKS class="asks" tabindex="-1" data-testid="predict-asks">{live(move || entries.with(|entries| asked(entries, predicted.with(Vec::len))))}</p>
            <div class="scroll" role="region" tabindex="0" aria-label="The schedule so far">
                {live(move || view! { <Grid entries=entries.get() predicted/> })}
            </div>
        </section>
    }
}

/// What came of the last prediction, or of all of them.
fn told(entries: &[Entry], predicted: &[u32]) -> String {
    let right = entries.iter().zip(predicted).filter(|(entry, cycle)| entry.cycle == **cycle).count();
    let (Some(entry), Some(cycle)) =
        (predicted.len().checked_sub(1).and_then(|at| entries.get(at)), predicted.last())
    else {
        return "Each entry of the order puts its warp's next instruction into the earliest cycle that has room.".to_owned();
    };
    let last = match entry.cycle == *cycle {
        true => format!("Right: cycle {cycle}."),
        false => format!("Not so: cycle {}; you said {cycle}.", entry.cycle),
    };
    format!("{last} {right} of {} right.", predicted.len())
}

/// What is asked next.
fn asked(entries: &[Entry], at: usize) -> String {
    match entries.get(at) {
        Some(entry) => format!(
            "Entry {} of {}: the next instruction of warp {} is {}. In which cycle does it run?",
            at + 1,
            entries.len(),
            entry.warp + 1,
            entry.letter
        ),
        None => "All entries are placed: how many cycles does the schedule take?".to_owned(),
    }
}

/// Rows of warps and columns of cycles; the cells of the warp that is asked about are buttons.
#[component]
fn Grid(entries: Vec<Entry>, predicted: RwSignal<Vec<u32>>) -> impl IntoView {
    let warps = entries.iter().map(|entry| entry.warp + 1).max().unwrap_or(0);
    let end = entries.iter().map(|entry| entry.cycle).max().unwrap_or(0);
    // Beyond the end, so that the grid does not tell it.
    let columns = beyond(f64::from(end)) as u32;
    let entries = StoredValue::new(entries);
    let cell = move |warp: u32, cycle: u32| {
        view! {
            <td>{live(move || {
                let at = predicted.with(Vec::len);
                entries.with_value(|entries| {
                    let placed = entries.iter().take(at).position(|entry| (entry.warp, entry.cycle) == (warp, cycle));
                    let asks = entries.get(at).is_some_and(|entry| entry.warp == warp);
                    match placed.and_then(|place| entries.get(place).map(|entry| (place, entry.letter))) {
                        Some((place, letter)) => {
                            let wrong = predicted.with(|predicted| predicted.get(place) != Some(&cycle));
                            view! { <span class=format!("letter {letter}") class:missed=wrong>{letter}</span> }.into_any()
                        }
                        None if asks => view! {
                            <button data-testid=format!("predict-{}-{cycle}", warp + 1) aria-label=format!("Warp {}, cycle {cycle}", warp + 1)
                                on:click=move |_| {
                                    predicted.update(|predicted| predicted.push(cycle));
                                    ui_kit::keys::focus(ASKS);
                                }></button>
                        }
                        .into_any(),
                        None => ().into_any(),
                    }
                })
            })}</td>
        }
    };
    view! {
        <table>
            <thead><tr><th scope="col">"Cycle"</th>{(1..=columns).map(|cycle| view! { <th scope="col">{cycle}</th> }).collect_view()}</tr></thead>
            <tbody>
                {(0..warps).map(|warp| view! {
                    <tr><th scope="row">{format!("Warp {}", warp + 1)}</th>{(1..=columns).map(|cycle| cell(warp, cycle)).collect_view()}</tr>
                }).collect_view()}
            </tbody>
        </table>
    }
}
