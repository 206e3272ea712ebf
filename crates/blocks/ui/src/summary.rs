//! What the document is called, how its run stands, and what came of it in a few numbers.

use leptos::prelude::*;
use ui_kit::live::memo;
use ui_kit::show::Show;

use super::Panel;
use blocks_lab::page::blocks::summary::{reference, references, state, tiles, warnings};
use blocks_lab::report::analysis::Published;
use ui_kit::outcome::{Notes, RunRow, Tiles, Title, Warnings};

/// Title, results and run, in a line.
#[component]
pub fn Brief(panel: Panel) -> impl IntoView {
    let said =
        Signal::derive(move || panel.told.with(|told| panel.seen.with(|seen| state(told, seen.as_deref()))));
    let found = memo(move |_| panel.with(tiles).unwrap_or_default());
    let hidden = panel.hidden();
    view! {
        <div class="brief">
            <Title told=panel.told/>
            <Show when=move || !hidden.get()>
                <Tiles known=found brief=true/>
                <RunRow id="blocks" label="Blocks simulated" told=panel.told said page=panel.page/>
            </Show>
        </div>
    }
}

/// Notes, warnings and published times, beneath the picture.
#[component]
pub fn Summary(panel: Panel) -> impl IntoView {
    let hidden = panel.hidden();
    let noted = memo(move |_| panel.with(|seen| warnings(&seen.report)).unwrap_or_default());
    let found = memo(move |_| panel.with(tiles).unwrap_or_default());
    view! {
        <Notes told=panel.told hidden/>
        <Warnings known=noted/>
        <Show when=move || !hidden.get()>
            <Tiles known=found brief=false/>
            <References panel/>
        </Show>
    }
}

const HEADS: [&str; 5] = ["Kernel", "Published", "Simulated", "Analysis", "Verdict"];

/// Published completion times beside ours; unfolded where they differ.
#[component]
fn References(panel: Panel) -> impl IntoView {
    let known = memo(move |_| panel.with(|seen| seen.report.references.clone()).unwrap_or_default());
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
