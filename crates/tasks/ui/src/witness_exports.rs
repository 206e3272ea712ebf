//! A witness as files: picture, table, trace events; and handed to Perfetto in another tab.

use leptos::prelude::*;

use super::stage::Known;
use super::timeline::{Shown, look};
use kit::export::svg::svg;
use tasks_lab::draw::tasks::draw_witness;
use tasks_lab::export::perfetto::witness_perfetto;
use tasks_lab::export::tasks_csv::witness_csv;
use tasks_lab::timeline::tasks::Witnessed;
use ui_kit::handover;
use ui_kit::save;

#[component]
pub(super) fn WitnessExports(shown: Shown) -> impl IntoView {
    let panel = shown.stage.panel;
    let scenario = move || panel.told.with_untracked(|told| told.title.clone());
    let title = move || format!("{} witness", scenario());
    let with = move |what: &dyn Fn(&Witnessed)| {
        panel.known.with_untracked(|known| known.as_deref().map(|known: &Known| what(&known.shown)));
    };
    let save = move |extension: &str, kind: &str, text: &dyn Fn(&Witnessed) -> String| {
        with(&|known| save::save(&save::file_name(&title(), extension), kind, &text(known)));
    };
    let list = move |known: &Witnessed| draw_witness(known, &untrack(|| look(shown)));
    let png = move |_| with(&|known| save::save_png(&list(known), save::file_name(&title(), "png")));
    let picture = move |_| {
        save("svg", "image/svg+xml", &|known| svg(&list(known), &title(), &save::link()));
    };
    let csv = move |_| save("csv", "text/csv", &witness_csv);
    let trace =
        move |_| save("trace.json", "application/json", &|known| witness_perfetto(known, &scenario()));
    let open = move |_| {
        with(&|known| {
            let say = move |said: &str| panel.page.notice(said);
            handover::open(witness_perfetto(known, &scenario()), title(), say);
        });
    };
    view! {
        <div class="row end" data-testid="tasks-witness-exports">
            <div class="switch" role="group" aria-label="Save the picture of the witness">
                <button title="Save the picture as PNG, twice the size" data-testid="tasks-witness-png" on:click=png>"PNG"</button>
                <button title="Save the picture as SVG" data-testid="tasks-witness-svg" on:click=picture>"SVG"</button>
            </div>
            <div class="switch" role="group" aria-label="Save the witness">
                <button title="Save the jobs of the witness as a table" data-testid="tasks-witness-csv" on:click=csv>"CSV"</button>
                <button title="Save trace events as JSON, for Perfetto and speedscope: 1 unit of time = 1 µs" data-testid="tasks-witness-trace" on:click=trace>"Trace"</button>
            </div>
            <button title="Show the jobs at ui.perfetto.dev, in a new tab of this browser; nothing is uploaded" data-testid="tasks-witness-perfetto"
                on:click=open>"Open in Perfetto"</button>
        </div>
    }
}
