//! The figure's toolbar: rows, zoom, search, legend, and the figure as a file.

use crate::ui::keys;
use leptos::prelude::*;
use ui_kit::live::live;

use super::compare::Keep;
use super::find::Find;
use super::schedule::{Stage, frame};
use super::{perfetto, route};
use crate::draw::gantt;
use crate::draw::{Ink, Theme};
use crate::export::{csv, svg};
use crate::page::Window;
use crate::timeline::Rows;
use kit::report::Told as _;
use kit::timeline::WaitKind;
use ui_kit::menu::Menu;

/// What marks of a wait look like, in the style sheet.
fn shape(kind: WaitKind) -> &'static str {
    match kind {
        WaitKind::Data => "data",
        WaitKind::Unit => "unit",
        WaitKind::Slot => "slot",
        WaitKind::Free => "free",
        WaitKind::Done => "done",
    }
}

/// The toolbar.
#[component]
pub fn Tools(stage: Stage) -> impl IntoView {
    let Stage { app, picture, .. } = stage;
    let theme = expect_context::<Memo<Theme>>();
    let pressed = move |rows: Rows| if app.rows.get() == rows { "true" } else { "false" };
    let list = move || {
        picture.get_untracked().map(|picture| gantt::draw(&picture.0, &untrack(|| frame(stage, &picture))))
    };
    let name = move |extension| {
        let title = app
            .shown
            .with_untracked(|shown| shown.as_ref().map(|shown| shown.title.clone()).unwrap_or_default());
        ui_kit::save::file_name(&title, extension)
    };
    let save_svg = move |_| {
        if let (Some(list), Some(shown)) = (list(), app.shown.get_untracked()) {
            let link = route::address(app).unwrap_or_default();
            ui_kit::save::save(&name("svg"), "image/svg+xml", &svg::svg(&list, &shown.title, &link));
        }
    };
    let save_png = move |_| {
        if let Some(list) = list() {
            ui_kit::save::save_png(&list, name("png"));
        }
    };
    let save_csv = move |_| {
        if let Some(shown) = app.shown.get_untracked() {
            ui_kit::save::save(
                &name("csv"),
                "text/csv",
                &csv::schedule_csv(&shown.warps.kernel, &shown.order, &shown.schedule),
            );
        }
    };
    let report = move || {
        let shown = app.shown.get_untracked()?;
        Some(shown.report.line())
    };
    let save_report = move |_| {
        if let Some(line) = report() {
            ui_kit::save::save(&name("report.json"), "application/json", &line);
        }
    };
    view! {
        <div class="row tools" role="toolbar" aria-label="Picture">
            <div class="switch" role="group" aria-label="Rows">
                <button aria-pressed=live(move || pressed(Rows::Warps)) data-testid="rows-warps" on:click=move |_| app.rows.set(Rows::Warps)>"Warps"</button>
                <button aria-pressed=live(move || pressed(Rows::Units)) data-testid="rows-units" on:click=move |_| app.rows.set(Rows::Units)>"Units"</button>
            </div>
            <div class="switch" role="group" aria-label="Zoom">
                <button title="Zoom out (S)" aria-label="Zoom out" data-testid="zoom-out" on:click=move |_| keys::zoom(app, 1.0 / 0.7)>"−"</button>
                <button title="Zoom in (W)" aria-label="Zoom in" data-testid="zoom-in" on:click=move |_| keys::zoom(app, 0.7)>"+"</button>
                <button title="Show everything (0)" data-testid="zoom-all" on:click=move |_| app.window.update(|w| *w = Window::whole(w.end))>"All"</button>
            </div>
            <Find app/>
            <ul class="legend" aria-label="Legend">
                {live(move || picture.get().map(|picture| {
                    let unit = |(class, name): &(u8, String)| view! {
                        <li><span class=format!("swatch class{class}") aria-hidden="true"></span>{name.clone()}</li>
                    };
                    let wait = |(kind, name): &(WaitKind, String)| {
                        let colour = theme.get().color(Ink::Wait(*kind));
                        view! { <li><span class=format!("wait {}", shape(*kind)) style=format!("color: {colour}") aria-hidden="true"></span>{name.clone()}</li> }
                    };
                    let differs = stage.differs() != gantt::Differs::default();
                    let differs = differs.then(|| view! { <li data-testid="differs"><span class="swatch differs" aria-hidden="true"></span>"moved"</li> });
                    let alone = stage.differs().alone.iter().any(|warps| !warps.is_empty());
                    let alone = alone.then(|| view! { <li data-testid="alone"><span class="swatch alone" aria-hidden="true"></span>"only in one"</li> });
                    // Lessons ask for this.
                    let told = app.lesson.with(Option::is_none);
                    let none = app.shown.with(|shown| shown.as_ref().filter(|_| told)?.without_eligible());
                    let none = none.map(|none| view! { <li data-testid="no-eligible" title="No warp can start anything: each waits for data or has nothing left. To find them: idle for:eligible">{none}</li> });
                    (differs, alone, picture.0.legend.iter().map(unit).collect_view(), picture.0.wait_legend.iter().map(wait).collect_view(), none)
                }))}
            </ul>
            <span class="spacer"></span>
            <Keep app/>
            <Menu label="Export" id="export">
                <button title="Save the picture as PNG, twice the size" data-testid="png" on:click=save_png>"Picture as PNG"</button>
                <button title="Save the picture as SVG" data-testid="svg" on:click=save_svg>"Picture as SVG"</button>
                <button title="Save the schedule as a table" data-testid="csv" on:click=save_csv>"Schedule as CSV"</button>
                <button title="Save the report as one line of JSON" data-testid="report" on:click=save_report>"Report as JSON"</button>
                <button title="Save trace events as JSON, for Perfetto and speedscope: 1 cycle = 1 µs" data-testid="trace" on:click=move |_| perfetto::save(app, report())>"Trace events as JSON"</button>
                <button title="Show the schedule at ui.perfetto.dev, in a new tab of this browser; nothing is uploaded" data-testid="perfetto"
                    on:click=move |_| perfetto::open(app, report())>"Open in Perfetto"</button>
            </Menu>
        </div>
    }
}
