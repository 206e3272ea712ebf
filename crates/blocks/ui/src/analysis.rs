//! The response-time analysis beside the simulation: kernels, worst launch orders, steps, closed form, and why it
//! does not apply where it does not.

mod formula;
mod orders;
mod steps;

use std::sync::Arc;

use leptos::prelude::*;
use ui_kit::live::memo;

use super::Panel;
use blocks_lab::page::blocks::Seen;
use blocks_lab::page::blocks::analysis::{failing, kernels, places, utilisation};
use blocks_lab::report::analysis::AnalysisReport;
use formula::Formula;
use orders::Orders;
use steps::Steps;

/// A result with an analysis. Two are the same only if they are one.
#[derive(Clone)]
struct Known(Arc<Seen>);

impl PartialEq for Known {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Known {
    fn analysis(&self) -> Option<&AnalysisReport> {
        self.0.report.analysis.as_ref()
    }
}

/// The analysis, where anything was simulated.
#[component]
pub fn Analysis(panel: Panel) -> impl IntoView {
    let known = memo(move |_| panel.seen.get().map(Known).filter(|known| known.analysis().is_some()));
    move || known.get().map(|known| view! { <Whole panel known/> })
}

#[component]
fn Whole(panel: Panel, known: Known) -> impl IntoView {
    let Some(analysis) = known.analysis() else { return ().into_any() };
    let seen = Arc::clone(&known.0);
    let device = &known.0.report.device;
    let threads = u64::from(device.threads) * u64::from(device.sms);
    let together = analysis.utilisation.as_ref().map(|all| utilisation(all, threads));
    let applies = analysis.order.as_ref().map(places);
    view! {
        <section class="figure analysis" aria-labelledby="analysis-title" data-testid="analysis">
            <h2 id="analysis-title">"Response-time analysis"</h2>
            {match applies {
                Some(places) => view! { <p class="hint">"The analysis applies: it says without simulating when each kernel is complete. "{places}</p> }.into_any(),
                None => view! { <Failing analysis=analysis.clone()/> }.into_any(),
            }}
            {table(&seen, analysis)}
            {together.map(|said| view! { <p class="hint" data-testid="utilisation">{said}</p> })}
            <Orders panel seen=Arc::clone(&seen)/>
            <Steps seen=Arc::clone(&seen)/>
            <Formula seen=Arc::clone(&seen)/>
            <Assumed analysis=analysis.clone()/>
        </section>
    }
    .into_any()
}

/// Why the analysis does not apply.
#[component]
fn Failing(analysis: AnalysisReport) -> impl IntoView {
    let line = |(what, why): (String, String)| view! { <li>{what}" Here: "{why}"."</li> };
    view! {
        <div class="warnings" data-testid="analysis-fails">
            <p>"The analysis does not apply to this scenario; the simulation does. The analysis assumes:"</p>
            <ul>{failing(&analysis).into_iter().map(line).collect_view()}</ul>
        </div>
    }
}

/// The kernels in launch order, analysis and simulation side by side.
fn table(seen: &Seen, analysis: &AnalysisReport) -> AnyView {
    let (columns, rows) = kernels(&seen.report, analysis);
    let head = |(name, meaning): (&'static str, &'static str)| view! { <th scope="col"><abbr title=meaning>{name}</abbr></th> };
    let row = |(place, row): (usize, blocks_lab::page::blocks::analysis::KernelRow)| {
        view! {
            <tr class:differs=row.misses data-testid=format!("kernel-{place}")>
                <th scope="row">{row.label}</th>
                {row.cells.into_iter().map(|cell| view! { <td class="time">{cell}</td> }).collect_view()}
            </tr>
        }
    };
    let caption = if analysis.order.is_some() {
        "The kernels in launch order: C time of a block, g blocks, b threads of a block"
    } else {
        "The kernels: C time of a block, g blocks, b threads of a block; simulated, the longest time from a launch to its completion"
    };
    view! {
        <p class="hint">{caption}"."</p>
        <div class="scroll" role="region" tabindex="0" aria-label="The kernels">
            <table class="numbers" data-testid="kernels">
                <thead><tr><th scope="col">"Kernel"</th>{columns.into_iter().map(|column| head(column.head())).collect_view()}</tr></thead>
                <tbody>{rows.into_iter().enumerate().map(row).collect_view()}</tbody>
            </table>
        </div>
    }
    .into_any()
}

/// Everything the analysis assumes, and whether it holds.
#[component]
fn Assumed(analysis: AnalysisReport) -> impl IntoView {
    let line = |assumption: blocks_lab::report::analysis::AssumptionReport| {
        let sign = if assumption.holds { "✓ " } else { "✗ " };
        let why = assumption.why.map(|why| format!(" Here: {why}."));
        view! { <li class:wrong=!assumption.holds>{sign}{assumption.sentence}{why}</li> }
    };
    view! {
        <details class="more" data-testid="analysis-assumptions">
            <summary>"What the analysis assumes"</summary>
            <ul class="signed">{analysis.assumptions.into_iter().map(line).collect_view()}</ul>
        </details>
    }
}
