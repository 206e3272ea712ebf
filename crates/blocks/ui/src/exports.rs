//! The timeline as files: picture, table, report, trace events, logs.

use leptos::prelude::*;

use super::figure::look;
use super::stage::Stage;
use blocks_lab::draw::blocks::{Key, Look, draw};
use blocks_lab::export::blocks_csv::blocks_csv;
use blocks_lab::export::blocks_svg::blocks_svg;
use blocks_lab::export::examiner_log::{Origin, examiner_logs};
use blocks_lab::export::perfetto::perfetto;
use blocks_lab::page::blocks::{Runs, Which};
use blocks_lab::report::blocks::Pictured;
use kit::export::zip::zip;
use kit::report::Told as _;
use ui_kit::handover;
use ui_kit::menu::Menu;
use ui_kit::save;

#[component]
pub(super) fn Exports(stage: Stage) -> impl IntoView {
    let csv = move |_| {
        with_run(stage, |known| {
            save::save(&name(stage, "csv"), "text/csv", &blocks_csv(&known.setup, &known.trace));
        });
    };
    let report = move |_| {
        let line = stage.now(|runs| runs.seen().report.line());
        if let Some(line) = line {
            save::save(&name(stage, "report.json"), "application/json", &line);
        }
    };
    let trace = move |_| {
        with_run(stage, |known| {
            let text = perfetto(&known.setup, &known.trace);
            save::save(&name(stage, "trace.json"), "application/json", &text);
        });
    };
    let open = move |_| {
        with_run(stage, |known| {
            let say = move |said: &str| stage.panel.page.notice(said);
            handover::open(perfetto(&known.setup, &known.trace), title(stage), say);
        });
    };
    view! {
        <Menu label="Export" id="export">
            <button title="Save the picture as PNG, twice the size" data-testid="blocks-png" on:click=move |_| save_png(stage)>"Picture as PNG"</button>
            <button title="Save the picture as SVG" data-testid="blocks-svg" on:click=move |_| save_svg(stage)>"Picture as SVG"</button>
            <button title="Save all blocks as a table" data-testid="blocks-csv" on:click=csv>"Blocks as CSV"</button>
            <button title="Save the report as one line of JSON" data-testid="blocks-report" on:click=report>"Report as JSON"</button>
            <button title="Save trace events as JSON, for Perfetto and speedscope" data-testid="blocks-trace" on:click=trace>"Trace events as JSON"</button>
            <button title="Save logs as the CUDA scheduling examiner writes them, one for each stream" data-testid="blocks-logs" on:click=move |_| save_logs(stage)>"Logs of the examiner"</button>
            <button title="Show the run at ui.perfetto.dev, in a new tab of this browser; nothing is uploaded" data-testid="blocks-perfetto"
                on:click=open>"Open in Perfetto"</button>
        </Menu>
    }
}

/// Does something with the run that is played.
fn with_run(stage: Stage, what: impl FnOnce(&Pictured)) {
    let which = stage.played.get_untracked();
    stage.now(|runs| runs.pictured(which).map(what));
}

fn title(stage: Stage) -> String {
    let title = stage.panel.told.with_untracked(|told| told.title.clone());
    let is_second = stage.now(|runs| runs.first() != stage.played.get_untracked());
    match is_second {
        Some(true) => format!("{title}, {}", Which::Measured.name()),
        _ => title,
    }
}

fn name(stage: Stage, extension: &str) -> String {
    save::file_name(&title(stage), extension)
}

/// The part in sight as files show it: with its legend, without the player.
fn look_of_file(stage: Stage, runs: &Runs) -> Look {
    Look { key: Key::Drawn, cursor: None, ..untrack(|| look(stage, runs)) }
}

fn save_svg(stage: Stage) {
    let title = stage.panel.told.with_untracked(|told| told.title.clone());
    let text =
        stage.now(|runs| blocks_svg(&runs.panels(), &look_of_file(stage, runs), &title, &save::link()));
    if let Some(text) = text {
        save::save(&save::file_name(&title, "svg"), "image/svg+xml", &text);
    }
}

fn save_png(stage: Stage) {
    let title = stage.panel.told.with_untracked(|told| told.title.clone());
    if let Some(list) = stage.now(|runs| draw(&runs.panels(), &look_of_file(stage, runs))) {
        save::save_png(&list, save::file_name(&title, "png"));
    }
}

/// One log as it is, several as an archive.
fn save_logs(stage: Stage) {
    let title = title(stage);
    with_run(stage, |known| {
        let measured = stage.played.get_untracked() == Which::Measured;
        let origin = if measured { Origin::Measured } else { Origin::Simulated };
        let logs = examiner_logs(&known.setup, &known.trace, &title, origin).files;
        match logs.as_slice() {
            [log] => save::save(&log.name, "application/json", &log.text),
            _ => {
                let logs: Vec<(String, String)> = logs.into_iter().map(|log| (log.name, log.text)).collect();
                save::save_bytes(
                    &save::file_name(&format!("{title} logs"), "zip"),
                    "application/zip",
                    &zip(&logs),
                );
            }
        }
    });
}
