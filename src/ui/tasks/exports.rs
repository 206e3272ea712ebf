//! The demand and a witness as files: picture, tables, report.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlCanvasElement;

use super::chart::look;
use super::stage::Stage;
use crate::draw::Theme;
use crate::draw::tasks::{Look, draw};
use crate::export::tasks_csv::{demand_csv, witness_csv};
use crate::export::tasks_svg::tasks_svg;
use crate::report::Report;
use crate::ui::canvas::Painter;
use crate::ui::files;

/// The picture's files have this many pixels per pixel.
const RATIO: f64 = 2.0;

#[component]
pub(super) fn Exports(stage: Stage) -> impl IntoView {
    let csv = move |_| {
        if let Some(text) = stage.now(demand_csv) {
            files::save(&name(stage, "", "csv"), "text/csv", &text);
        }
    };
    let witness = move |_| {
        let text =
            stage.panel.known.with_untracked(|known| known.as_deref().map(|known| witness_csv(&known.shown)));
        if let Some(text) = text {
            files::save(&name(stage, " witness", "csv"), "text/csv", &text);
        }
    };
    let report = move |_| {
        let line = untrack(|| stage.report(|report| Report::Tasks(Box::new(report.clone())).line()));
        if let Some(line) = line {
            files::save(&name(stage, "", "report.json"), "application/json", &line);
        }
    };
    let none = move || stage.panel.known.with(Option::is_none);
    view! {
        <div class="row end" data-testid="tasks-exports">
            <div class="switch" role="group" aria-label="Save the chart">
                <button title="Save the chart as PNG, twice the size" data-testid="tasks-png" on:click=move |_| save_png(stage)>"PNG"</button>
                <button title="Save the chart as SVG" data-testid="tasks-svg" on:click=move |_| save_svg(stage)>"SVG"</button>
            </div>
            <div class="switch" role="group" aria-label="Save the result">
                <button title="Save all steps of the demand as a table" data-testid="tasks-csv" on:click=csv>"CSV"</button>
                <button title="Save the jobs of the witness as a table" data-testid="tasks-witness-csv" disabled=none on:click=witness>"Witness CSV"</button>
                <button title="Save the report as one line of JSON" data-testid="tasks-report" on:click=report>"Report"</button>
            </div>
        </div>
    }
}

fn title(stage: Stage) -> String {
    stage.panel.told.with_untracked(|told| told.title.clone())
}

fn name(stage: Stage, of: &str, extension: &str) -> String {
    files::file_name(&format!("{}{of}", title(stage)), extension)
}

/// The part in sight as files show it: without what is under a pointer.
fn look_of_file(stage: Stage) -> Look {
    Look { pointed: None, range: None, ..untrack(|| look(stage)) }
}

fn save_svg(stage: Stage) {
    // The page keeps what it shows in its address.
    let link = window().location().href().unwrap_or_default();
    let text = stage.now(|demand| tasks_svg(demand, &look_of_file(stage), &title(stage), &link));
    if let Some(text) = text {
        files::save(&name(stage, "", "svg"), "image/svg+xml", &text);
    }
}

fn save_png(stage: Stage) {
    let list = stage.now(|demand| draw(demand, &look_of_file(stage)));
    let canvas =
        document().create_element("canvas").ok().and_then(|c| c.dyn_into::<HtmlCanvasElement>().ok());
    let (Some(list), Some(canvas)) = (list, canvas) else { return };
    if let Some(mut painter) = Painter::new(canvas.clone()) {
        painter.paint(&list, Theme::Light, RATIO);
        files::save_canvas(name(stage, "", "png"), &canvas);
    }
}
