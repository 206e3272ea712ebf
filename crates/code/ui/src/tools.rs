//! The toolbar: zoom, what the marks mean, files.

use leptos::prelude::*;
use ui_kit::live::memo;
use ui_kit::show::Show;

use super::stage::Stage;
use base::people;
use code_lab::draw::{Look, draw, ink_of};
use code_lab::export;
use code_lab::page::chained::as_chain;
use code_lab::page::seek::{Hit, TERMS};
use code_lab::page::{Seen, says};
use code_lab::report::Kind;
use kit::draw::{DrawList, Hatch};
use kit::export::svg;
use kit::import::json;
use kit::page::Ask;
use kit::page::terms::Query;
use kit::page::told::ToOpen;
use ui_kit::controls::Zoom;
use ui_kit::find::Seek;
use ui_kit::menu::Menu;
use ui_kit::pin::Pin;
use ui_kit::save;
use ui_kit::swatch::InkSwatch;

/// How wide the picture of a file is.
const FILE: f64 = 1200.0;

#[component]
pub(super) fn Tools(stage: Stage) -> impl IntoView {
    let hidden = stage.hidden();
    // Before someone has guessed, the listing is all there is to be found.
    let seek = Callback::new(move |query: std::sync::Arc<Query>| {
        let guessed = query.is_plain() || !hidden.get();
        stage.with(|seen| if guessed { seen.seek(&query) } else { Vec::new() }).unwrap_or_default()
    });
    let kept = Signal::derive(move || {
        let cycles = |seen: &Seen| people::counted(seen.report.makespan as usize, "cycle");
        stage.kept.with(|kept| kept.as_ref().map(|kept| format!("Pinned: {}", cycles(&kept.seen))))
    });
    view! {
        <div class="row tools" role="toolbar" aria-label="Picture">
            <Zoom id="code" sight=stage.sight chosen=Callback::new(move |()| stage.chosen())/>
            <Seek id="code-find" placeholder="Find: LDG, 0x70" label="Find instructions" terms=&TERMS found=stage.found seek
                at=Signal::derive(move || stage.at()) go=Callback::new(move |hit: Hit| stage.go(hit))
                name=Callback::new(move |hit: Hit| stage.with(|seen| seen.listed(hit)).flatten().unwrap_or_default())/>
            <Show when=move || !hidden.get()>
                <Legend stage/>
                <span class="spacer"></span>
                <Pin id="code-" kept pin=Callback::new(move |()| stage.pin(false))
                    swap=Callback::new(move |()| stage.pin(true)) end=Callback::new(move |()| stage.kept.set(None))/>
                <Exports stage/>
            </Show>
        </div>
    }
}

/// What is waited for, of what there is.
#[component]
fn Legend(stage: Stage) -> impl IntoView {
    let kinds = memo(move |_| {
        stage
            .with(|seen| {
                let all = [Kind::Scoreboard, Kind::Unit, Kind::Slot, Kind::Barrier, Kind::Stall];
                let any = |kind: &Kind| {
                    seen.report.code.iter().any(|line| says::waited(line).iter().any(|(own, _)| own == kind))
                };
                all.into_iter().filter(any).collect::<Vec<_>>()
            })
            .unwrap_or_default()
    });
    let item =
        |kind: Kind| view! { <li><InkSwatch ink=ink_of(kind) hatch=Hatch::None/>{says::called(kind)}</li> };
    move || {
        view! { <ul class="legend code-legend" aria-label="What is waited for">{kinds.get().into_iter().map(item).collect_view()}</ul> }
    }
}

#[component]
fn Exports(stage: Stage) -> impl IntoView {
    let title = move || stage.told.with_untracked(|told| told.title.clone());
    let list = move || -> Option<DrawList> {
        let seen = stage.seen.get_untracked()?;
        let window = stage.sight.window.get_untracked();
        let look = Look { t0: window.t0, t1: window.t1, ..Look::whole(&seen.timeline, FILE) };
        Some(draw(&seen.report, &seen.timeline, &look))
    };
    let png = move |_| {
        if let Some(list) = list() {
            save::save_png(&list, save::file_name(&title(), "png"));
        }
    };
    let picture = move |_| {
        if let Some(list) = list() {
            save::save(
                &save::file_name(&title(), "svg"),
                "image/svg+xml",
                &svg::svg(&list, &title(), &save::link()),
            );
        }
    };
    let text = move |extension: &str, kind: &str, made: fn(&code_lab::page::Seen) -> String| {
        if let Some(seen) = stage.seen.get_untracked() {
            save::save(&save::file_name(&title(), extension), kind, &made(&seen));
        }
    };
    let certify = move |_| {
        stage.page.ask(Ask::Certify { text: stage.text.get_untracked(), title: title() });
    };
    let chain = move |_| {
        let document = json::parse(&stage.text.get_untracked()).ok();
        let seen = stage.seen.get_untracked();
        let made = document.zip(seen).map(|(tree, seen)| as_chain(&tree, &seen.report));
        if let Some(made) = made {
            let what = "The kernel in a chain".to_owned();
            stage.page.ask(Ask::Open(ToOpen { document: json::pretty(&made), what, ..ToOpen::default() }));
        }
    };
    view! {
        <Menu label="Export" id="export">
            <button title="Save the picture as PNG, twice the size" data-testid="code-png" on:click=png>"Picture as PNG"</button>
            <button title="Save the picture as SVG" data-testid="code-svg" on:click=picture>"Picture as SVG"</button>
            <button title="Save the schedule as a table: a row for each instruction of each warp" data-testid="code-csv"
                on:click=move |_| text("csv", "text/csv", export::table)>"Schedule as CSV"</button>
            <button title="Save the report as one line of JSON" data-testid="code-report"
                on:click=move |_| text("report.json", "application/json", |seen| json::line(&seen.report))>"Report as JSON"</button>
            <button title="Save the schedule and the bound with its proof, which anyone can check with: warpspan check FILE" data-testid="code-certificate"
                on:click=certify>"Certificate"</button>
            <button title="Open a task that launches this kernel, to see whether it meets a deadline" data-testid="code-chain"
                on:click=chain>"Open in Chain"</button>
        </Menu>
    }
}
