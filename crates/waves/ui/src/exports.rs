//! The capture as files: picture, trace events, table, report.

use leptos::prelude::*;

use super::stage::Stage;
use kit::export::svg;
use ui_kit::menu::Menu;
use ui_kit::save;
use waves_lab::draw::draw;
use waves_lab::page::seam::{Form, ToHolder};

#[component]
pub(super) fn Exports(stage: Stage) -> impl IntoView {
    let list = move || {
        let look = untrack(|| stage.look());
        Some(draw(&*stage.now()?, &look))
    };
    let title = move || stage.panel.told.with_untracked(|told| told.title.clone());
    let png = move |_| {
        if let Some(list) = list() {
            save::save_png(&list, save::file_name(&title(), "png"));
        }
    };
    let svg = move |_| {
        if let Some(list) = list() {
            let name = save::file_name(&title(), "svg");
            save::save(&name, "image/svg+xml", &svg::svg(&list, &title(), &save::link()));
        }
    };
    let write = move |form: Form| stage.ask(&ToHolder::Write(form));
    view! {
        <Menu label="Export" id="export">
            <button title="Save the picture as PNG, twice the size" data-testid="waves-png" on:click=png>"Picture as PNG"</button>
            <button title="Save the picture as SVG" data-testid="waves-svg" on:click=svg>"Picture as SVG"</button>
            <button title="Save every stretch with its cause and witness, for Perfetto and speedscope: 1 cycle = 1 ns" data-testid="waves-perfetto" on:click=move |_| write(Form::Perfetto)>"Trace events as JSON"</button>
            <button title="Save a row for every stretch of every wave" data-testid="waves-csv" on:click=move |_| write(Form::Csv)>"Stretches as CSV"</button>
            <button title="Save the report with every stretch, as one line of JSON" data-testid="waves-report" on:click=move |_| write(Form::Report)>"Report as JSON"</button>
        </Menu>
    }
}
