//! The toolbar: zoom, waits, times at a line, search, legend, files.

use leptos::prelude::*;
use ui_kit::controls::Zoom;
use ui_kit::find::Seek;
use ui_kit::live::{live, memo};

use super::compare::Compare;
use super::exports::Exports;
use super::stage::Stage;
use kit::draw::Hatch;
use kit::page::terms::Query;
use ui_kit::swatch::InkSwatch;
use waves_lab::Cause;
use waves_lab::draw::{hatch_of, of_cause, of_unit};
use waves_lab::page::seek::{Hit, TERMS};
use waves_lab::page::{Kind, UnitKind, says};

#[component]
pub(super) fn Tools(stage: Stage) -> impl IntoView {
    // Before someone has guessed, the code is all there is to be found.
    let hidden = stage.panel.hidden();
    let seek = Callback::new(move |query: std::sync::Arc<Query>| {
        let guessed = query.is_plain() || !hidden.get();
        stage.with(|run| if guessed { run.seek(&query) } else { Vec::new() }).unwrap_or_default()
    });
    let none = memo(move |_| stage.selected.with(Option::is_none));
    view! {
        <div class="row tools" role="toolbar" aria-label="Picture">
            <Zoom id="waves" sight=stage.sight chosen=Callback::new(move |()| stage.chosen())/>
            <div class="switch" role="group" aria-label="Waits">
                <button title="The wait before (Shift+G)" aria-label="Previous wait" data-testid="waves-wait-before" on:click=move |_| stage.wait(None, false)>"‹ Wait"</button>
                <button title="The next wait (G)" aria-label="Next wait" data-testid="waves-wait" on:click=move |_| stage.wait(None, true)>"Wait ›"</button>
            </div>
            <div class="switch" role="group" aria-label="Times at this line">
                <button title="The time before that this wave was at this line (P)" aria-label="Previous loop" disabled=live(move || none.get()) data-testid="waves-before" on:click=move |_| stage.again(false)>"‹ Loop"</button>
                <button title="The next time that this wave is at this line (N)" aria-label="Next loop" disabled=live(move || none.get()) data-testid="waves-again" on:click=move |_| stage.again(true)>"Loop ›"</button>
            </div>
            <div class="switch">
                <button title="Who holds the units of each SIMD, beneath its waves (U)" aria-pressed=live(move || stage.units.get().to_string())
                    data-testid="waves-units" on:click=move |_| stage.units.update(|units| *units = !*units)>"Units"</button>
            </div>
            <Seek id="waves-find" placeholder="Find: s_waitcnt" label="Find instructions" terms=&TERMS found=stage.found seek
                at=Signal::derive(move || stage.at()) go=Callback::new(move |hit: Hit| stage.go_to(hit))
                name=Callback::new(move |hit: Hit| stage.with(|run| run.listed(hit)).flatten().unwrap_or_default())/>
            <span class="spacer"></span>
            <Compare stage/>
            <Exports stage/>
            <Legend stage/>
        </div>
    }
}

/// What the colours mean, of those that are in the capture.
#[component]
fn Legend(stage: Stage) -> impl IntoView {
    let known = memo(move |_| {
        stage.with(|run| {
            let mut cycles = [0.0; waves_lab::page::packed::KINDS];
            for row in 0..run.rows.len() {
                let own = run.spent(row, 0.0, run.end);
                cycles.iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
            }
            let there = |kind: Kind| cycles[usize::from(kind.number())] > 0.0;
            let units: Vec<UnitKind> =
                UnitKind::ALL.into_iter().filter(|unit| there(Kind::Issue(*unit))).collect();
            let told = |cause: &Cause| !matches!(cause, Cause::Issue | Cause::Start | Cause::End);
            let waits: Vec<Cause> =
                Cause::ALL.into_iter().filter(told).filter(|cause| there(Kind::Wait(*cause))).collect();
            (units, waits)
        })
    });
    let unit = |unit: UnitKind| {
        view! { <li title="Instructions that issue"><InkSwatch ink=of_unit(unit) hatch=Hatch::None/>{unit.name()}</li> }
    };
    let wait = |cause: Cause| {
        view! { <li class="waits" title=says::meaning(cause)><InkSwatch ink=of_cause(cause) hatch=hatch_of(cause)/>{says::name_of(cause)}</li> }
    };
    move || {
        known.get().map(|(units, waits)| {
            view! {
                <ul class="legend waves-legend" aria-label="Units that issue, and what waves wait for">
                    {units.into_iter().map(unit).collect_view()}
                    {waits.into_iter().map(wait).collect_view()}
                </ul>
            }
        })
    }
}
