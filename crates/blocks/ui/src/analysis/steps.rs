//! Algorithm 2 step by step, as the worked example shows it.

use std::sync::Arc;

use leptos::prelude::*;
use ui_kit::live::live;

use base::people;
use blocks_lab::page::blocks::Seen;
use blocks_lab::page::blocks::analysis::step;

/// Rows that are drawn before someone asks for more.
const FIRST: usize = 100;

/// The table, folded away until someone wants it.
#[component]
pub fn Steps(seen: Arc<Seen>) -> impl IntoView {
    let count = seen.report.analysis.as_ref().and_then(|of| of.order.as_ref()).map(|order| order.steps.len());
    let Some(count) = count.filter(|count| *count > 0) else { return ().into_any() };
    let open = RwSignal::new(false);
    let all = RwSignal::new(count <= FIRST);
    let toggle = move |event: leptos::ev::Event| {
        use wasm_bindgen::JsCast;
        let details = event.target().and_then(|target| target.dyn_into::<web_sys::Element>().ok());
        open.set(details.is_some_and(|details| details.has_attribute("open")));
    };
    let inside = move || {
        let analysis = seen.report.analysis.as_ref()?;
        let order = analysis.order.as_ref()?;
        let shown = if all.get() { count } else { FIRST };
        let rows = order.steps.iter().take(shown).enumerate().map(|(place, of)| {
            let [kernel, question, placed, completion, at, free, later] = step(analysis, of);
            view! {
                <tr class:done=of.completion.is_some() data-testid=format!("step-{place}")>
                    <td>{place + 1}</td><th scope="row">{kernel}</th>
                    <td class="time">{question}</td><td>{placed}</td><td class="time">{completion}</td>
                    <td class="time">{at}</td><td>{free}</td><td class="pairs">{later}</td>
                </tr>
            }
        });
        Some(view! {
            <p class="hint">
                "t"<sub>"a"</sub>" is the earliest time at which the next block can start, g"<sub>"f"</sub>" how many blocks can start then, and h the later times with the blocks that become free at each. A kernel is complete at f."
            </p>
            <div class="scroll" role="region" tabindex="0" aria-label="The analysis step by step">
                <table class="numbers steps" data-testid="steps-table">
                    <thead><tr>
                        <th scope="col">"Step"</th><th scope="col">"Kernel"</th>
                        <th scope="col">"g"<sub>"f"</sub>" ≥ g"<sub>"i"</sub>"?"</th><th scope="col">"Blocks"</th>
                        <th scope="col">"f"</th><th scope="col">"t"<sub>"a"</sub></th>
                        <th scope="col">"g"<sub>"f"</sub></th><th scope="col">"h"</th>
                    </tr></thead>
                    <tbody>{rows.collect_view()}</tbody>
                </table>
            </div>
            {(!all.get()).then(|| view! {
                <button on:click=move |_| all.set(true)>{format!("Show all {}", people::counted(count, "step"))}</button>
            })}
            {order.steps_cut.then(|| view! { <p class="hint">"Further steps are left out; the completion times are those of the whole analysis."</p> })}
        })
    };
    view! {
        <details class="more" data-testid="steps" on:toggle=toggle>
            <summary data-testid="steps-open">{format!("The analysis step by step, {}", people::counted(count, "step"))}</summary>
            {live(move || open.get().then(&inside))}
        </details>
    }
    .into_any()
}
