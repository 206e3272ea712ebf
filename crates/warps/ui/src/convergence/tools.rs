//! The chart's toolbar: axes, zoom, legend, and the chart as a file.

use std::sync::Arc;

use leptos::prelude::*;
use ui_kit::live::{live, memo};
use ui_kit::show::Show;
use wasm_bindgen::JsCast;
use web_sys::HtmlCanvasElement;

use super::{Chart, paint};
use ui_kit::save;
use warps_lab::draw::chart::{DOT, Frame, Spread, corners, ink};
use warps_lab::export::chart::chart_svg;
use warps_lab::export::csv;
use warps_lab::timeline::Convergence;
use warps_lab::timeline::convergence::{Axis, StartKind};

/// The chart's files have this many pixels per pixel.
const RATIO_OF_FILES: f64 = 2.0;

#[component]
pub(super) fn Tools(chart: Chart) -> impl IntoView {
    let view = chart.view;
    let has_chains = has_chains(chart);
    let axis = move |axis: Axis| if view.with(|view| view.axis == axis) { "true" } else { "false" };
    let spread = move |spread: Spread| if view.with(|view| view.spread == spread) { "true" } else { "false" };
    view! {
        <div class="row tools" role="toolbar" aria-label="Chart">
            <Show when=move || has_chains.get()><div class="switch" role="group" aria-label="Horizontal axis">
                <button aria-pressed=live(move || axis(Axis::Seconds)) data-testid="chart-seconds" on:click=move |_| view.update(|view| view.count(Axis::Seconds))>"Seconds"</button>
                <button aria-pressed=live(move || axis(Axis::Iterations)) data-testid="chart-iterations" on:click=move |_| view.update(|view| view.count(Axis::Iterations))>"Iterations"</button>
            </div></Show>
            <div class="switch" role="group" aria-label="Spread of the horizontal axis">
                <button aria-pressed=live(move || spread(Spread::Linear)) data-testid="chart-linear" on:click=move |_| view.update(|view| view.spread(Spread::Linear))>"Linear"</button>
                <button title="Logarithmic, with 0 at the left end" aria-pressed=live(move || spread(Spread::Log)) data-testid="chart-log" on:click=move |_| view.update(|view| view.spread(Spread::Log))>"Log"</button>
            </div>
            <div class="switch" role="group" aria-label="Zoom of the chart">
                <button title="Zoom out (S)" aria-label="Zoom out" data-testid="chart-out" on:click=move |_| chart.zoom_here(1.0 / 0.7)>"−"</button>
                <button title="Zoom in (W)" aria-label="Zoom in" data-testid="chart-in" on:click=move |_| chart.zoom_here(0.7)>"+"</button>
                <button title="Show all of the axis (0)" data-testid="chart-whole" on:click=move |_| view.update(|view| view.zoom = None)>"Whole"</button>
            </div>
            <span class="spacer"></span>
            <div class="switch" role="group" aria-label="Save the picture">
                <button title="Save the chart as PNG, twice the size" data-testid="chart-png" on:click=move |_| save_png(chart)>"PNG"</button>
                <button title="Save the chart as SVG" data-testid="chart-svg" on:click=move |_| save_svg(chart)>"SVG"</button>
            </div>
            <div class="switch" role="group" aria-label="Save the chains">
                <button title="Save all improvements as a table" data-testid="chart-csv" on:click=move |_| save_csv(chart)>"CSV"</button>
            </div>
        </div>
        <Legend chart/>
    }
}

fn name(chart: Chart, extension: &str) -> String {
    chart.told.with_untracked(|told| save::file_name(&format!("{} convergence", told.title), extension))
}

fn save_csv(chart: Chart) {
    if let Some(data) = chart.data.get_untracked() {
        save::save(&name(chart, "csv"), "text/csv", &csv::convergence_csv(&data));
    }
}

/// The data and the frame of a file.
fn picture(chart: Chart) -> Option<(Arc<Convergence>, Frame)> {
    let (title, width) = (chart.told.with_untracked(|told| told.title.clone()), chart.width.get_untracked());
    let frame = chart.view.with_untracked(|view| view.frame_of_file(width, &title));
    Some((chart.data.get_untracked()?, frame))
}

fn save_svg(chart: Chart) {
    if let Some((data, frame)) = picture(chart) {
        let title = frame.heading.clone().unwrap_or_default();
        save::save(&name(chart, "svg"), "image/svg+xml", &chart_svg(&data, &frame, &title, &save::link()));
    }
}

fn save_png(chart: Chart) {
    let canvas: Option<HtmlCanvasElement> =
        document().create_element("canvas").ok().and_then(|canvas| canvas.dyn_into().ok());
    if let (Some((data, frame)), Some(canvas)) = (picture(chart), canvas) {
        paint(&canvas, &data, &frame, RATIO_OF_FILES);
        save::save_canvas(name(chart, "png"), &canvas);
    }
}

/// The kinds of chains there are, each with a button that hides it.
#[component]
fn Legend(chart: Chart) -> impl IntoView {
    let kinds = memo(move |_| {
        let count = |kind| {
            chart.data.with(|data| {
                data.as_ref().map_or(0, |data| data.chains.iter().filter(|chain| chain.kind == kind).count())
            })
        };
        StartKind::ALL.into_iter().map(|kind| (kind, count(kind))).filter(|&(_, n)| n > 0).collect::<Vec<_>>()
    });
    let has_chains = has_chains(chart);
    let bracket =
        memo(move |_| chart.data.with(|data| data.as_ref().is_some_and(|data| data.bracket.is_some())));
    let button = move |(kind, count): (StartKind, usize)| {
        let shown =
            move || if chart.view.with(|view| view.hidden.contains(&kind)) { "false" } else { "true" };
        let colour = move || format!("color: {}", chart.theme().color(ink(kind)));
        let points: String =
            corners(kind).iter().map(|(x, y)| format!("{},{} ", x + 12.0, y + 6.0)).collect();
        let round = corners(kind).is_empty().then(|| view! { <circle cx="12" cy="6" r=DOT/> });
        view! {
            <button class="series" aria-pressed=shown title=format!("Show or hide chains that start {}", kind.label())
                on:click=move |_| chart.view.update(|view| view.toggle(kind))>
                <svg viewBox="0 0 24 12" width="24" height="12" style=colour aria-hidden="true">
                    <path d="M0 6H24"/><polygon points=points/>{round}
                </svg>
                {kind.label()} " (" {count} ")"
            </button>
        }
    };
    view! {
        <div class="row legend" role="group" aria-label="Chains by start" data-testid="chart-legend">
            {live(move || kinds.get().into_iter().map(button).collect_view())}
            {live(move || bracket.get().then(|| view! {
                <span class="series bracket" title="Between the longest schedule a search found and what it has proven no schedule exceeds" data-testid="chart-bracket">
                    <svg viewBox="0 0 24 12" width="24" height="12" aria-hidden="true"><rect x="0" y="2" width="24" height="8" fill-opacity="0.14" stroke="none"/><path d="M0 2H24M0 10H24"/></svg>"proven bracket"
                </span>
            }))}
            {live(move || has_chains.get().then(|| view! {
                <span class="series envelope" title="The largest makespan of all chains at any time"><svg viewBox="0 0 24 12" width="24" height="12" aria-hidden="true"><path d="M0 6H24"/></svg>"largest of all"</span>
            }))}
        </div>
    }
}

/// Whether there are chains, and not only what is proven.
fn has_chains(chart: Chart) -> Memo<bool> {
    memo(move |_| chart.data.with(|data| data.as_ref().is_some_and(|data| !data.chains.is_empty())))
}
