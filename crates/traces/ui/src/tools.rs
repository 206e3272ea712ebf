//! The toolbar: zoom, search, gaps, as recorded or as changed, files.

use kit::page::terms::Query;
use leptos::prelude::*;
use ui_kit::controls::Zoom;
use ui_kit::find::Seek;
use ui_kit::live::{live, memo};
use ui_kit::show::Show;

use super::exports::Exports;
use super::stage::Stage;
use traces::Cause;
use traces_lab::draw::of_cause;
use traces_lab::page::says;
use traces_lab::page::seek::TERMS;
use ui_kit::swatch::InkSwatch;

#[component]
pub(super) fn Tools(stage: Stage) -> impl IntoView {
    let seek = Callback::new(move |query: std::sync::Arc<Query>| {
        stage.seen().map(|run| run.seek(&query)).unwrap_or_default()
    });
    let at = Signal::derive(move || stage.selected.get().map(|bar| bar.place as u32));
    let go = Callback::new(move |place: u32| {
        let bar = stage.seen_now().and_then(|run| run.at(place));
        stage.select(bar, true);
    });
    let name =
        Callback::new(move |place: u32| stage.seen().and_then(|run| run.listed(place)).unwrap_or_default());
    let changed = memo(move |_| stage.changed.with(Option::is_some));
    let pressed = move |as_changed: bool| if stage.as_changed.get() == as_changed { "true" } else { "false" };
    let look_at = move |as_changed: bool| {
        stage.selected.set(None);
        stage.as_changed.set(as_changed);
    };
    view! {
        <div class="row tools" role="toolbar" aria-label="Picture">
            <Zoom id="traces" sight=stage.sight chosen=Callback::new(move |()| stage.chosen())/>
            <div class="switch" role="group" aria-label="Gaps">
                <button title="The gap before (Shift+G)" aria-label="Previous gap" data-testid="traces-gap-before" on:click=move |_| gap(stage, false)>"‹ Gap"</button>
                <button title="The next gap (G)" aria-label="Next gap" data-testid="traces-gap" on:click=move |_| gap(stage, true)>"Gap ›"</button>
            </div>
            <Seek id="traces-find" placeholder="Find a name" label="Find kernel, copy or call" terms=&TERMS found=stage.found seek at go name/>
            <Show when=move || changed.get()>
                <div class="switch" role="group" aria-label="Which run">
                    <button aria-pressed=live(move || pressed(false)) data-testid="traces-recorded" on:click=move |_| look_at(false)>"As recorded"</button>
                    <button aria-pressed=live(move || pressed(true)) data-testid="traces-changed" on:click=move |_| look_at(true)>"As changed"</button>
                </div>
            </Show>
            <Legend stage/>
            <span class="spacer"></span>
            <Exports stage/>
        </div>
    }
}

/// What the colours of idle time mean, of those that are in the run.
#[component]
fn Legend(stage: Stage) -> impl IntoView {
    let known = memo(move |_| {
        let run = stage.run.get()?;
        let spent = run.spent(0.0, run.end);
        let takes = |cause: &Cause| spent.iter().any(|own| own.causes[*cause as usize] > 0.0);
        Some(Cause::ALL.into_iter().filter(takes).collect::<Vec<_>>())
    });
    let item = |cause: Cause| {
        let (ink, hatch) = of_cause(cause);
        view! { <li title=says::meaning(cause)><InkSwatch ink hatch/>{says::name_of(cause)}</li> }
    };
    move || {
        known.get().map(|known| {
            view! { <ul class="legend traces-legend" aria-label="Why nothing ran">{known.into_iter().map(item).collect_view()}</ul> }
        })
    }
}

/// Goes to the next gap that is worth a look: no shorter than a thousandth of what is in sight.
pub(super) fn gap(stage: Stage, forward: bool) {
    let Some(run) = stage.seen_now() else { return };
    let window = stage.sight.window.get_untracked();
    let least = (window.width() / 1_000.0).max(1.0);
    let from = stage
        .selected
        .get_untracked()
        .map_or(if forward { window.t0 - 1.0 } else { window.t1 }, |bar| bar.start);
    match run.gap(None, least, from, forward) {
        Some(bar) => stage.select(Some(bar), true),
        None => stage.panel.page.notice("No further gap that could be seen at this zoom"),
    }
}
