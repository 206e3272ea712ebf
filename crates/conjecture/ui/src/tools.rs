//! The verdicts as files: map, table, report.

use leptos::prelude::*;

use super::Panel;
use super::map::Legend;
use conjecture_lab::export::csv::conjecture_csv;
use conjecture_lab::page::Judged;
use kit::export::svg::svg;
use kit::import::json;
use ui_kit::menu::Menu;
use ui_kit::save;

#[component]
pub(super) fn Tools(panel: Panel) -> impl IntoView {
    let save = move |extension: &str, kind: &str, text: &dyn Fn(&Judged) -> String| {
        let (title, known) =
            (panel.told.with_untracked(|told| told.title.clone()), panel.judged.get_untracked());
        if let Some(judged) = known {
            save::save(&save::file_name(&format!("{title} verdicts"), extension), kind, &text(&judged));
        }
    };
    let save_png = move |_| {
        let title = panel.told.with_untracked(|told| told.title.clone());
        if let Some(judged) = panel.judged.get_untracked() {
            save::save_png(&judged.picture(), save::file_name(&format!("{title} verdicts"), "png"));
        }
    };
    let save_svg = move |_| {
        save("svg", "image/svg+xml", &|judged| {
            svg(
                &judged.picture(),
                &format!("{}: {}", judged.report.scenario, judged.report.claim.formula),
                &save::link(),
            )
        });
    };
    view! {
        <div class="row tools" role="toolbar" aria-label="Picture">
            <Legend panel/>
            <span class="spacer"></span>
            <Menu label="Export" id="export">
                <button title="Save the map as PNG, twice the size" data-testid="conjecture-png" on:click=save_png>"Map as PNG"</button>
                <button title="Save the map as SVG" data-testid="conjecture-svg" on:click=save_svg>"Map as SVG"</button>
                <button title="Save the verdicts as a table" data-testid="conjecture-csv" on:click=move |_| save("csv", "text/csv", &|judged| conjecture_csv(&judged.report))>"Verdicts as CSV"</button>
                <button title="Save the report as one line of JSON" data-testid="conjecture-report" on:click=move |_| save("json", "application/json", &|judged| json::line(&judged.report) + "\n")>"Report as JSON"</button>
            </Menu>
        </div>
    }
}
