//! The demand as files: picture, table, report.

use leptos::prelude::*;

use super::chart::look;
use super::stage::Stage;
use kit::report::Told as _;
use tasks_lab::draw::tasks::{Look, draw};
use tasks_lab::export::tasks_csv::demand_csv;
use tasks_lab::export::tasks_svg::tasks_svg;
use ui_kit::menu::Menu;
use ui_kit::save;

#[component]
pub(super) fn Exports(stage: Stage) -> impl IntoView {
    let csv = move |_| {
        if let Some(text) = stage.now(demand_csv) {
            save::save(&name(stage, "csv"), "text/csv", &text);
        }
    };
    let report = move |_| {
        let line = untrack(|| stage.report(|report| report.line()));
        if let Some(line) = line {
            save::save(&name(stage, "report.json"), "application/json", &line);
        }
    };
    view! {
        <Menu label="Export" id="export">
            <button title="Save the chart as PNG, twice the size" data-testid="tasks-png" on:click=move |_| save_png(stage)>"Chart as PNG"</button>
            <button title="Save the chart as SVG" data-testid="tasks-svg" on:click=move |_| save_svg(stage)>"Chart as SVG"</button>
            <button title="Save all steps of the demand as a table" data-testid="tasks-csv" on:click=csv>"Demand as CSV"</button>
            <button title="Save the report as one line of JSON" data-testid="tasks-report" on:click=report>"Report as JSON"</button>
        </Menu>
    }
}

fn title(stage: Stage) -> String {
    stage.panel.told.with_untracked(|told| told.title.clone())
}

fn name(stage: Stage, extension: &str) -> String {
    save::file_name(&title(stage), extension)
}

/// The part in sight as files show it: without what is under a pointer.
fn look_of_file(stage: Stage) -> Look {
    Look { pointed: None, range: None, pinned: false, ..untrack(|| look(stage)) }
}

fn save_svg(stage: Stage) {
    let text = stage.now(|demand| tasks_svg(demand, &look_of_file(stage), &title(stage), &save::link()));
    if let Some(text) = text {
        save::save(&name(stage, "svg"), "image/svg+xml", &text);
    }
}

fn save_png(stage: Stage) {
    if let Some(list) = stage.now(|demand| draw(demand, &look_of_file(stage))) {
        save::save_png(&list, name(stage, "png"));
    }
}
