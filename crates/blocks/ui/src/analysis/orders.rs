//! The worst launch order of each kernel, one click from the document in that order.

use std::sync::Arc;

use leptos::prelude::*;

use crate::Panel;
use blocks_lab::page::blocks::Seen;
use blocks_lab::page::blocks::analysis::{Open, OrderRow, worst_orders};
use kit::page::Ask;

/// The table, where orders were searched.
#[component]
pub fn Orders(panel: Panel, seen: Arc<Seen>) -> impl IntoView {
    let title = panel.told.with_untracked(|told| told.title.clone());
    let rows = worst_orders(&seen, &title);
    let Some(worst) = seen.report.worst_order.as_ref().filter(|_| !rows.is_empty()) else {
        return ().into_any();
    };
    let said = if worst.exact {
        "Whatever the launch order, no kernel is complete later than this: proven."
    } else {
        "Not every worst case is proven: where it says so, some order may be worse than the one that was found."
    };
    let verdicts = rows.iter().any(|row| !row.verdict.is_empty());
    let row = move |(place, row): (usize, OrderRow)| {
        let open = match row.open {
            Open::Here => view! { <span class="hint">"the present one"</span> }.into_any(),
            Open::Cannot => ().into_any(),
            Open::With(asked) => view! {
                <button data-testid=format!("worst-{place}-open") aria-label=format!("Open this order, in which {} is latest", row.label)
                    on:click=move |_| panel.page.ask(Ask::Reorder(asked.clone()))>"Open this order"</button>
            }
            .into_any(),
        };
        view! {
            <tr class:differs=row.verdict == "missed" data-testid=format!("worst-{place}")>
                <th scope="row">{row.label}</th>
                <td class="time">{row.completion}</td>
                <td class="order-names"><span>{row.order}</span>{open}</td>
                <td>{row.proof}</td>
                {verdicts.then(|| view! { <td>{row.verdict}</td> })}
            </tr>
        }
    };
    view! {
        <h3>"If the launch order is not known"</h3>
        <p class="hint" data-testid="worst-said">{said}</p>
        <div class="scroll" role="region" tabindex="0" aria-label="The worst launch order of each kernel">
            <table class="numbers worst" data-testid="worst">
                <thead><tr>
                    {["Kernel", "Latest", "In the order", "What proves it"].map(|head| view! { <th scope="col">{head}</th> })}
                    {verdicts.then(|| view! { <th scope="col">"Deadline"</th> })}
                </tr></thead>
                <tbody>{rows.into_iter().enumerate().map(row).collect_view()}</tbody>
            </table>
        </div>
    }
    .into_any()
}
