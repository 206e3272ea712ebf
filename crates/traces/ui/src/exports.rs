//! The run as files: picture and report.

use leptos::prelude::*;

use super::stage::Stage;
use kit::export::svg;
use kit::import::json;
use traces_lab::draw::draw;
use ui_kit::menu::Menu;
use ui_kit::save;

#[component]
pub(super) fn Exports(stage: Stage) -> impl IntoView {
    let list = move || {
        let look = untrack(|| stage.look());
        Some(draw(&*stage.seen_now()?, &look))
    };
    let name = move |extension: &str| {
        save::file_name(&stage.panel.told.with_untracked(|told| told.title.clone()), extension)
    };
    let png = move |_| {
        if let Some(list) = list() {
            save::save_png(&list, name("png"));
        }
    };
    let svg = move |_| {
        if let Some(list) = list() {
            let title = stage.panel.told.with_untracked(|told| told.title.clone());
            save::save(&name("svg"), "image/svg+xml", &svg::svg(&list, &title, &save::link()));
        }
    };
    let report = move |_| {
        let line = stage.report.with_untracked(|report| report.as_ref().map(|report| json::line(&report.0)));
        if let Some(line) = line {
            save::save(&name("report.json"), "application/json", &line);
        }
    };
    view! {
        <Menu label="Export" id="export">
            <button title="Save the picture as PNG, twice the size" data-testid="traces-png" on:click=png>"Picture as PNG"</button>
            <button title="Save the picture as SVG" data-testid="traces-svg" on:click=svg>"Picture as SVG"</button>
            <button title="Save the report as one line of JSON" data-testid="traces-report" on:click=report>"Report as JSON"</button>
        </Menu>
    }
}
