//! The witness of an interval: which triggerings need so much, and how one processor executes them.

use std::sync::Arc;

use leptos::ev::{PointerEvent, WheelEvent};
use leptos::prelude::*;

use super::stage::{Known, Stage};
use super::witness_exports::WitnessExports;
use base::people;
use kit::page::Window;
use kit::page::drag::{Drag, Gesture, Means};
use tasks_lab::draw::tasks::{Look, WitnessLayout, draw_witness};
use tasks_lab::page::tasks::{how_to_read, jobs_in_words, said_of};
use ui_kit::canvas::place_of;
use ui_kit::follow::{Drawing, follow_width, paint_frames};
use ui_kit::rows::{Grid, Rows};

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
            format!(
                "Worst-case example: the jobs that fill an interval of {}",
                people::grouped(known.shown.t.into())
            )
        })
    };
    let said = move || of(stage, |known| jobs_in_words(&known.shown));
    let other = move || of(stage, |known| known.is_other).unwrap_or(false);
    let (chosen, window) = (RwSignal::new(None), RwSignal::new(Window::whole(1.0)));
    let shown = Shown { stage, chosen, window, width: RwSignal::new(0.0) };
    Effect::new(move |_| {
        let end = panel.known.with(|known| known.as_deref().map_or(1, |known| known.shown.end));
        shown.chosen.set(None); // its number means another job now
        shown.window.set(Window::whole(end as f64));
    });
    let middle = |window: &Window| (window.t0 + window.t1) / 2.0;
    let zoom = move |factor: f64| shown.window.update(|w| *w = w.zoomed(factor, middle(w)));
    view! {
        <Show when=move || any.get()>
            <section class="figure tasks-witness" aria-label="Witness" data-testid="tasks-witness">
                <h3>{heading}</h3>
                <p class="told" aria-live="polite" data-testid="tasks-witness-told">{said}</p>
                <p class="hint" data-testid="tasks-witness-read">{move || of(stage, |known| how_to_read(&known.shown))}</p>
                <Show when=other><p class="hint" data-testid="tasks-witness-other">{OTHER}</p></Show>
                <div class="row tools">
                    <div class="switch" role="group" aria-label="Zoom of the jobs">
                        <button aria-label="Zoom out of the jobs" data-testid="tasks-witness-out" on:click=move |_| zoom(1.0 / 0.7)>"−"</button>
                        <button aria-label="Zoom into the jobs" data-testid="tasks-witness-in" on:click=move |_| zoom(0.7)>"+"</button>
                        <button aria-label="All jobs" data-testid="tasks-witness-all" on:click=move |_| shown.window.update(|w| *w = Window::whole(w.end))>"All"</button>
                    </div>
                    <span class="spacer"></span>
                    <WitnessExports shown/>
                </div>
                <Plot shown/>
                <Jobs shown/>
            </section>
        </Show>
    }
}

/// What picture, list and files share.
#[derive(Clone, Copy)]
pub(super) struct Shown {
    pub(super) stage: Stage,
    /// The job that stands out, by its place.
    chosen: RwSignal<Option<usize>>,
    /// The stretch of time in sight.
    window: RwSignal<Window>,
    /// Width of the picture.
    width: RwSignal<f64>,
}

impl Shown {
    /// Lets a job stand out, chooses its task, and brings it into sight.
    fn choose(self, job: usize) {
        let place = |known: &Known| {
            let job = known.shown.jobs.get(job)?;
            Some((job.load.task, job.load.time as f64, job.end() as f64))
        };
        let Some((task, from, to)) = untrack(|| of(self.stage, place)).flatten() else { return };
        self.chosen.set(Some(job));
        self.stage.panel.task.set(task);
        self.window.update(|window| *window = window.revealing(from, to.min(from + window.width())));
    }
}

/// Something made of the witness.
fn of<T>(stage: Stage, what: impl FnOnce(&Known) -> T) -> Option<T> {
    stage.panel.known.with(|known| known.as_deref().map(what))
}

/// What the picture shows, and how large.
pub(super) fn look(shown: Shown) -> Look {
    let (window, width) = (shown.window.get(), shown.width.get());
    Look { at: shown.chosen.get().map(|job| job as u64), ..Look::new(width, 0.0, window.t0, window.t1) }
}

#[component]
fn Plot(shown: Shown) -> impl IntoView {
    let (stage, width) = (shown.stage, shown.width);
    let canvas = NodeRef::<leptos::html::Canvas>::new();
    follow_width(canvas, width);
    let drawing: Memo<Option<Drawing>> = Memo::new_with_compare(
        move |_| {
            let known = stage.panel.known.get().filter(|_| width.get() > 0.0)?;
            let look = look(shown);
            Some(Arc::new(move || draw_witness(&known.shown, &look)) as Drawing)
        },
        |_, _| true,
    );
    paint_frames(canvas, drawing);
    let plan = move || {
        let known = stage.panel.known.get_untracked()?;
        let plan = WitnessLayout::new(&known.shown, &untrack(|| look(shown)));
        Some((known, plan))
    };
    let at = |event: &PointerEvent| place_of(event);
    let found = move |(x, y): (f64, f64)| plan().and_then(|(known, plan)| plan.hit(&known.shown, x, y));
    let pointed = RwSignal::new(None::<(f64, f64, usize)>);
    let drag = StoredValue::new(Drag::default());
    let down = move |event: PointerEvent| {
        if event.button() == 0 {
            drag.update_value(|drag| drag.press(event.pointer_id(), at(&event).0, Means::Pan));
            if let Some(canvas) = canvas.get_untracked() {
                // Without capture a drag ends at the edge of the canvas.
                let _ = canvas.set_pointer_capture(event.pointer_id());
            }
        }
    };
    let moved = move |event: PointerEvent| {
        let Some((_, plan)) = plan() else { return };
        let (x, y) = at(&event);
        let job = match drag.try_update_value(|drag| drag.drag(event.pointer_id(), x)).flatten() {
            Some(Gesture::Pan(pixels)) => {
                shown.window.update(|w| *w = w.panned(-pixels / plan.x.per_unit()));
                None
            }
            Some(Gesture::Pinch(factor, x)) => {
                shown.window.update(|w| *w = w.zoomed(factor, plan.x.value(x)));
                None
            }
            Some(Gesture::Range(..)) => None,
            None => found((x, y)),
        };
        if job.is_some() || pointed.with_untracked(Option::is_some) {
            pointed.set(job.map(|job| (x, y, job)));
        }
    };
    let up = move |event: PointerEvent| {
        if drag.try_update_value(|drag| drag.release(event.pointer_id())).unwrap_or(false) {
            match found(at(&event)) {
                Some(job) => shown.choose(job),
                None => shown.chosen.set(None),
            }
        }
    };
    let lost = move |event: PointerEvent| {
        drag.update_value(|drag| {
            drag.release(event.pointer_id());
        });
        pointed.set(None);
    };
    let wheel = move |event: WheelEvent| {
        let Some((_, plan)) = plan() else { return };
        if event.ctrl_key() {
            event.prevent_default();
            let at = plan.x.value(place_of(&event).0);
            shown.window.update(|w| *w = w.zoomed((event.delta_y() / 400.0).exp(), at));
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
            <canvas aria-hidden="true" node_ref=canvas on:pointerdown=down on:pointermove=moved on:pointerup=up
                on:pointercancel=lost on:pointerleave=move |_| pointed.set(None) on:wheel=wheel></canvas>
            {tip}
        </div>
    }
}

/// The jobs in words, line by line.
#[component]
fn Jobs(shown: Shown) -> impl IntoView {
    let (stage, chosen) = (shown.stage, shown.chosen);
    let count = Memo::new(move |_| of(stage, |known| known.shown.jobs.len()).unwrap_or(0));
    let choose = Callback::new(move |job: usize| shown.choose(job));
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
