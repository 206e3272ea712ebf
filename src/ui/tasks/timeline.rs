//! The witness of an interval: which triggerings need so much, and how one processor executes them.

use std::sync::Arc;

use leptos::ev::PointerEvent;
use leptos::prelude::*;

use super::stage::{Known, Stage};
use crate::base::people;
use crate::draw::tasks::{Look, WitnessPlan, draw_witness};
use crate::page::tasks::{Witnessed, jobs_in_words, said_of};
use crate::ui::rows::{Grid, Rows};
use crate::ui::schedule::{Drawing, follow_width, paint_frames};

/// Lines in sight.
const SEEN: usize = 6;
/// Why the witness is of another interval.
const OTHER: &str = "Witnesses of other intervals are computed at once only for smaller sets; this one is of the interval that the report is about.";

/// The witness as a picture and in words; nothing before one is known.
#[component]
pub(super) fn Timeline(stage: Stage) -> impl IntoView {
    let panel = stage.panel;
    let any = Memo::new(move |_| panel.known.with(Option::is_some));
    let heading = move || {
        of(stage, |known| {
            format!("Triggerings that need it: interval of {}", people::grouped(known.shown.t.into()))
        })
    };
    let said = move || of(stage, |known| jobs_in_words(&known.shown));
    let other = move || of(stage, |known| known.is_other).unwrap_or(false);
    let chosen = RwSignal::new(None::<usize>);
    Effect::new(move |_| {
        panel.known.track();
        chosen.set(None); // its number means another job now
    });
    view! {
        <Show when=move || any.get()>
            <section class="figure tasks-witness" aria-label="Witness" data-testid="tasks-witness">
                <h3>{heading}</h3>
                <p class="told" aria-live="polite" data-testid="tasks-witness-told">{said}</p>
                <Show when=other><p class="hint" data-testid="tasks-witness-other">{OTHER}</p></Show>
                <Plot stage chosen/>
                <Jobs stage chosen/>
            </section>
        </Show>
    }
}

/// Something made of the witness.
fn of<T>(stage: Stage, what: impl FnOnce(&Known) -> T) -> Option<T> {
    stage.panel.known.with(|known| known.as_deref().map(what))
}

fn look(shown: &Witnessed, width: f64, chosen: Option<usize>) -> Look {
    Look { at: chosen.map(|job| job as u64), ..Look::new(width, 0.0, 0.0, shown.end as f64) }
}

#[component]
fn Plot(stage: Stage, chosen: RwSignal<Option<usize>>) -> impl IntoView {
    let canvas = NodeRef::<leptos::html::Canvas>::new();
    let width = RwSignal::new(0.0);
    follow_width(canvas, width);
    let drawing: Memo<Option<Drawing>> = Memo::new_with_compare(
        move |_| {
            let known = stage.panel.known.get().filter(|_| width.get() > 0.0)?;
            let look = look(&known.shown, width.get(), chosen.get());
            Some(Arc::new(move || draw_witness(&known.shown, &look)) as Drawing)
        },
        |_, _| true,
    );
    paint_frames(canvas, drawing);
    let found = move |event: &PointerEvent| {
        let (x, y) = (f64::from(event.offset_x()), f64::from(event.offset_y()));
        let known = stage.panel.known.get_untracked()?;
        let look = look(&known.shown, width.get_untracked(), None);
        WitnessPlan::new(&known.shown, &look).hit(&known.shown, x, y)
    };
    let pointed = RwSignal::new(None::<(f64, f64, usize)>);
    let moved = move |event: PointerEvent| {
        let (x, y) = (f64::from(event.offset_x()), f64::from(event.offset_y()));
        let job = found(&event);
        if job.is_some() || pointed.with_untracked(Option::is_some) {
            pointed.set(job.map(|job| (x, y, job)));
        }
    };
    let tip = move || {
        let (x, y, job) = pointed.get()?;
        let said = of(stage, |known| said_of(&known.shown, job)).flatten()?;
        let wide = width.get();
        let across = if x > wide / 2.0 { "calc(-100% - 12px)" } else { "12px" };
        let most = if x > wide / 2.0 { x } else { wide - x } - 20.0;
        let style =
            format!("left: {x}px; top: {y}px; max-width: {most}px; transform: translate({across}, 14px)");
        Some(view! { <div class="lab-tip" aria-hidden="true" style=style>{said}</div> })
    };
    view! {
        <div class="figure-plot" data-testid="tasks-witness-plot">
            <canvas aria-hidden="true" node_ref=canvas on:pointermove=moved on:pointerleave=move |_| pointed.set(None)
                on:pointerup=move |event| chosen.set(found(&event))></canvas>
            {tip}
        </div>
    }
}

/// The jobs in words, line by line.
#[component]
fn Jobs(stage: Stage, chosen: RwSignal<Option<usize>>) -> impl IntoView {
    let count = Memo::new(move |_| of(stage, |known| known.shown.jobs.len()).unwrap_or(0));
    let choose = Callback::new(move |job: usize| {
        chosen.set(Some(job));
        let task = of(stage, |known| known.shown.jobs.get(job).map(|job| job.load.task)).flatten();
        if let Some(task) = task {
            stage.panel.task.set(task);
        }
    });
    let line = Callback::new(move |job: usize| {
        let said = of(stage, |known| said_of(&known.shown, job)).flatten();
        said.map(|said| view! { <span role="gridcell">{said}</span> }).into_any()
    });
    let rows = Rows {
        label: "Jobs of the witness",
        id: "tasks-jobs",
        heads: &["Job"],
        seen: SEEN,
        count: count.into(),
        place: chosen.into(),
        selected: chosen.into(),
        over: RwSignal::new(None),
        go: choose,
        open: choose,
        cells: line,
    };
    let any = move || count.get() > 0;
    view! { <Show when=any><div class="tasks-jobs"><Grid rows/></div></Show> }
}
