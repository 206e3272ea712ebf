//! The figure's toolbar: what heights stand for, zoom, search, legend, files.

use leptos::prelude::*;
use ui_kit::live::{live, memo};

use super::exports::Exports;
use super::stage::Stage;
use base::people;
use blocks_lab::draw::blocks::{CHANGED, StreamLegend, arrows, caption, legend};
use blocks_lab::page::blocks::Chosen;
use blocks_lab::page::blocks::seek::TERMS;
use blocks_lab::timeline::blocks::Measure;
use kit::page::terms::Query;
use ui_kit::find::Seek;
use ui_kit::pin::Pin;
use ui_kit::swatch::Swatch;

/// Kernels that are named in the legend; of more there is no point in that.
const MOST_NAMED: usize = 24;

#[component]
pub(super) fn Tools(stage: Stage) -> impl IntoView {
    let pressed = move |measure: Measure| if stage.measure.get() == measure { "true" } else { "false" };
    let seek = Callback::new(move |query: std::sync::Arc<Query>| {
        stage.with(|runs| runs.seek(&query)).unwrap_or_default()
    });
    let go = Callback::new(move |chosen: Chosen| stage.reveal(chosen));
    view! {
        <div class="row tools" role="toolbar" aria-label="Picture">
            <div class="switch" role="group" aria-label="What heights stand for">
                <button aria-pressed=live(move || pressed(Measure::Threads)) data-testid="measure-threads"
                    on:click=move |_| stage.measure.set(Measure::Threads)>"Threads"</button>
                <button aria-pressed=live(move || pressed(Measure::SharedMemory)) data-testid="measure-shared"
                    on:click=move |_| stage.measure.set(Measure::SharedMemory)>"Shared memory"</button>
            </div>
            <div class="switch" role="group" aria-label="Zoom">
                <button title="Zoom out (S)" aria-label="Zoom out" data-testid="blocks-out" on:click=move |_| stage.zoom(1.0 / 0.7)>"−"</button>
                <button title="Zoom in (W)" aria-label="Zoom in" data-testid="blocks-in" on:click=move |_| stage.zoom(0.7)>"+"</button>
                <button title="Show everything (0)" data-testid="blocks-all" on:click=move |_| stage.show_all()>"All"</button>
            </div>
            <Seek id="blocks-find" placeholder="Find: K2, sm:0" label="Find blocks and copies" terms=&TERMS found=stage.found seek at=stage.selected.into() go
                name=Callback::new(move |chosen: Chosen| stage.with(|runs| runs.listed(chosen)).flatten().unwrap_or_default())/>
            <Legend stage/>
            <span class="spacer"></span>
            <Pin id="blocks-" kept=Signal::derive(move || stage.kept()) pin=Callback::new(move |()| stage.pin(false))
                swap=Callback::new(move |()| stage.pin(true)) end=Callback::new(move |()| stage.panel.kept.set(None))/>
            <Exports stage/>
        </div>
    }
}

/// Which kernel looks how, stream by stream, and what the height of a band stands for.
#[component]
fn Legend(stage: Stage) -> impl IntoView {
    let known = memo(move |_| {
        stage.with(|runs| {
            let mut all: Vec<StreamLegend> = Vec::new();
            for stream in runs.panels().iter().flat_map(legend) {
                if !all.contains(&stream) {
                    all.push(stream);
                }
            }
            let caption = runs.panels().first().map(caption).unwrap_or_default();
            (all, caption, arrows(&runs.panels()), runs.moved().filter(|&moved| moved > 0))
        })
    });
    let item = |stream: StreamLegend| {
        let kernels = stream.kernels.into_iter().map(|(class, name)| {
            view! { <span class="kernel"><Swatch class/>{name}</span> }
        });
        view! { <li><span class="name">{stream.stream}</span>{kernels.collect_view()}</li> }
    };
    view! {
        {live(move || known.get().map(|(mut streams, caption, arrows, moved)| {
            let mut left = MOST_NAMED;
            let mut hidden = 0;
            for stream in &mut streams {
                let kept = stream.kernels.len().min(left);
                hidden += stream.kernels.len() - kept;
                left -= kept;
                stream.kernels.truncate(kept);
            }
            streams.retain(|stream| !stream.kernels.is_empty());
            let title = caption.clone();
            view! {
                <ul class="legend blocks-legend" aria-label="Kernels by stream" title=title data-testid="blocks-legend">
                    {streams.into_iter().map(item).collect_view()}
                    {moved.map(|moved| view! {
                        <li data-testid="blocks-moved" title=format!("Framed: {CHANGED}")><span class="kernel"><span class="swatch changed" aria-hidden="true"></span>{format!("{} not as pinned", people::grouped(moved as u128))}</span></li>
                    })}
                    {(hidden > 0).then(|| view! { <li class="hint">{format!("and {hidden} more")}</li> })}
                    {(!arrows.is_empty()).then(|| view! { <li class="hint" title=arrows data-testid="blocks-arrows">{signs(arrows)}</li> })}
                    <li class="hidden">{caption}</li>
                </ul>
            }
        }))}
    }
}

/// What arrows stand for as signs: a line of the legend is short.
fn signs(arrows: &str) -> String {
    let all = [("launch", "↑ launch"), ("deadline", "↓ deadline")];
    let there = all.into_iter().filter(|(word, _)| arrows.contains(word)).map(|(_, sign)| sign);
    there.collect::<Vec<_>>().join(" ")
}
