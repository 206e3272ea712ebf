//! A chain as files: picture, tables, report.

use leptos::prelude::*;

use super::stage::Stage;
use chain_lab::draw::chain::{Layout, Missing, draw};
use chain_lab::export::chain_csv::{kernels_csv, tasks_csv};
use chain_lab::export::chain_svg::chain_svg;
use chain_lab::report::chain::WholeReport;
use kit::report::Told as _;
use ui_kit::menu::Menu;
use ui_kit::save;

/// Pictures in files have a column for each station.
const LEAST: f64 = 1_000.0;

#[component]
pub(super) fn Exports(stage: Stage) -> impl IntoView {
    let title = move || stage.panel.told.with_untracked(|told| told.title.clone());
    let width = move || stage.room.get_untracked().0.max(LEAST);
    let save = move |extension: &str, kind: &str, text: &dyn Fn(&WholeReport) -> String| {
        if let Some(text) = stage.now(text) {
            save::save(&save::file_name(&title(), extension), kind, &text);
        }
    };
    let png = move |_| {
        if let Some(list) = stage.now(|report| draw(report, &Layout::new(report, width()), Missing::Unknown))
        {
            save::save_png(&list, save::file_name(&title(), "png"));
        }
    };
    let picture = move |_| {
        save("svg", "image/svg+xml", &|report| chain_svg(report, width(), &title(), &save::link()));
    };
    let kernels = move |_| save("kernels.csv", "text/csv", &kernels_csv);
    let tasks = move |_| save("tasks.csv", "text/csv", &tasks_csv);
    let report = move |_| {
        save("report.json", "application/json", &|report| report.line());
    };
    view! {
        <Menu label="Export" id="export">
            <button title="Save the picture as PNG, twice the size" data-testid="chain-png" on:click=png>"Picture as PNG"</button>
            <button title="Save the picture as SVG" data-testid="chain-svg" on:click=picture>"Picture as SVG"</button>
            <button title="Save the kernels as a table" data-testid="chain-kernels-csv" on:click=kernels>"Kernels as CSV"</button>
            <button title="Save the tasks as a table" data-testid="chain-tasks-csv" on:click=tasks>"Tasks as CSV"</button>
            <button title="Save the report as one line of JSON" data-testid="chain-report" on:click=report>"Report as JSON"</button>
        </Menu>
    }
}
