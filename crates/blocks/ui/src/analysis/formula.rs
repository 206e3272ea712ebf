//! The closed form for kernels of equal time, as printed beside as corrected, with what is wrong where it bites.

use std::sync::Arc;

use leptos::prelude::*;

use blocks_lab::page::blocks::Seen;
use blocks_lab::page::blocks::analysis::{erratum, formula};
use blocks_lab::report::analysis::FormulaReport;

/// Kernels in the table at the most.
const MOST: usize = 100;

/// The table, where all kernels take equally long.
#[component]
pub fn Formula(seen: Arc<Seen>) -> impl IntoView {
    let Some(analysis) = &seen.report.analysis else { return ().into_any() };
    let lines = analysis.order.as_ref().map_or(&[][..], |order| &order.closed_form);
    if lines.is_empty() {
        return ().into_any();
    }
    let wrong = lines.iter().any(|line| line.erratum.is_some());
    let said = if wrong {
        "All kernels take equally long, so a formula gives their completion times. As printed it is wrong here:"
    } else {
        "All kernels take equally long, so a formula gives their completion times. Here it is right as printed."
    };
    let row = |(place, line): (usize, &FormulaReport)| {
        let [kernel, at, free, done, sound_at, sound_free, sound_done] = formula(analysis, line);
        let note = erratum(line);
        view! {
            <tr class:bites=note.is_some() data-testid=format!("formula-{place}")>
                <th scope="row">{kernel}</th>
                <td class="time">{at}</td><td>{free}</td><td class="time" class:struck=!line.agrees>{done}</td>
                <td class="time">{sound_at}</td><td>{sound_free}</td><td class="time">{sound_done}</td>
                <td>{note.unwrap_or("as corrected")}</td>
            </tr>
        }
    };
    let heads = || {
        view! {
            <th scope="col">"t"<sub>"a"</sub>"′"</th><th scope="col">"g"<sub>"f"</sub>"′"</th><th scope="col">"f"</th>
        }
    };
    view! {
        <details class="more" data-testid="formula" open=wrong>
            <summary>"The closed form for equal times, as printed and as corrected"</summary>
            <p class="hint">{said}</p>
            <div class="scroll" role="region" tabindex="0" aria-label="The closed form as printed and as corrected">
                <table class="numbers">
                    <thead>
                        <tr><td></td><th scope="colgroup" colspan="3">"As printed"</th><th scope="colgroup" colspan="3">"As corrected"</th><td></td></tr>
                        <tr><th scope="col">"Kernel"</th>{heads()}{heads()}<th scope="col">"The printed form is"</th></tr>
                    </thead>
                    <tbody>{lines.iter().take(MOST).enumerate().map(row).collect_view()}</tbody>
                </table>
            </div>
        </details>
    }
    .into_any()
}
