//! The witness of an interval: which triggerings need so much, and how one processor executes them.

use std::sync::Arc;

use leptos::prelude::*;
use ui_kit::live::{effect, live, memo};
use ui_kit::show::Show;

use super::stage::{Known, Stage};
use super::witness_exports::WitnessExports;
use base::people;
use kit::draw::{DrawList, Scale};
use kit::page::Window;
use tasks_lab::draw::tasks::{Look, WitnessLayout, draw_witness, small};
use tasks_lab::page::tasks::{how_to_read, jobs_in_words, said_of};
use ui_kit::fold::Fold;
use ui_kit::follow::{Drawing, follow_width, paint_frames};
use ui_kit::overview::{Overview, OverviewOfPart};
use ui_kit::rows::{Grid, Rows};
use ui_kit::tip::Tip;
use ui_kit::touch::{Place, Touched, TouchedCanvas};

/// Lines in sight.
const SEEN: usize = 6;
/// Why the witness is of another interval.
const OTHER: &str = "Witnesses of other intervals are computed at once only for smaller sets; this one is of the interval that the report is about.";

/// The witness as a picture and in words; nothing before one is known.
#[component]
pub(super) fn Timeline(stage: Stage) -> impl IntoView {
    let fold = Fold::new();
    let panel = stage.panel;
    let any = memo(move |_| panel.known.with(Option::is_some));
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
    effect(move || {
        let end = panel.known.with(|known| known.as_deref().map_or(1, |known| known.shown.end));
        shown.chosen.set(None); // its number means another job now
        shown.window.set(Window::whole(end as f64));
    });
    let zoom = move |factor: f64| shown.window.update(|w| *w = w.zoomed_about(factor, None));
    view! {
        <Show when=move || any.get()>
            <details class="section" open=live(move || fold.open()) on:toggle=move |event| fold.toggled(&event) data-testid="tasks-witness-fold">
            <summary>{heading}</summary>
            <section class="figure tasks-witness" aria-label="Witness" data-testid="tasks-witness">
                <p class="told" aria-live="polite" data-testid="tasks-witness-told">{said}</p>
                <p class="hint" data-testid="tasks-witness-read">{live(move || of(stage, |known| how_to_read(&known.shown)))}</p>
                <Show when=other><p class="hint" data-testid="tasks-witness-other">{OTHER}</p></Show>
                <div class="row tools" role="toolbar" aria-label="Jobs">
                    <div class="switch" role="group" aria-label="Zoom of the jobs">
                        <button aria-label="Zoom out of the jobs" data-testid="tasks-witness-out" on:click=move |_| zoom(1.0 / 0.7)>"−"</button>
                        <button aria-label="Zoom into the jobs" data-testid="tasks-witness-in" on:click=move |_| zoom(0.7)>"+"</button>
                        <button aria-label="All jobs" data-testid="tasks-witness-all" on:click=move |_| shown.window.update(|w| *w = Window::whole(w.end))>"All"</button>
                    </div>
                    <span class="spacer"></span>
                    <WitnessExports shown/>
                </div>
                <Plot shown/>
                <OverviewOfPart of=Whole(shown) id="tasks-witness-overview"/>
                <Jobs shown/>
            </section>
            </details>
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

/// The canvas as the pointers meet it.
#[derive(Clone, Copy)]
struct Picture {
    shown: Shown,
    pointed: RwSignal<Option<(Place, usize)>>,
}

impl Picture {
    fn plan(self) -> Option<(Arc<Known>, WitnessLayout)> {
        let known = self.shown.stage.panel.known.get_untracked()?;
        let plan = WitnessLayout::new(&known.shown, &untrack(|| look(self.shown)));
        Some((known, plan))
    }

    fn found(self, (x, y): Place) -> Option<usize> {
        let (known, plan) = self.plan()?;
        plan.hit(&known.shown, x, y)
    }
}

impl Touched for Picture {
    fn axis(self) -> Option<Scale> {
        self.plan().map(|(_, plan)| plan.x)
    }

    fn selects(self) -> bool {
        false
    }

    fn pan(self, by: f64) {
        self.shown.window.update(|window| *window = window.panned(by));
    }

    fn zoom(self, factor: f64, about: f64) {
        self.shown.window.update(|window| *window = window.zoomed(factor, about));
    }

    fn click(self, at: Place) {
        match self.found(at) {
            Some(job) => self.shown.choose(job),
            None => self.shown.chosen.set(None),
        }
    }

    fn point(self, at: Option<Place>) {
        let job = at.and_then(|at| Some((at, self.found(at)?)));
        if job.is_some() || self.pointed.with_untracked(Option::is_some) {
            self.pointed.set(job);
        }
    }
}

/// All of the witness, to be drawn small.
#[derive(Clone, Copy)]
struct Whole(Shown);

impl Overview for Whole {
    fn window(self) -> RwSignal<Window> {
        self.0.window
    }

    fn axis(self, width: f64) -> Option<Scale> {
        let end = self.0.window.with(|window| window.end);
        of(self.0.stage, |known| WitnessLayout::new(&known.shown, &Look::new(width, 0.0, 0.0, end)).x)
    }

    fn drawn(self, width: f64) -> Option<DrawList> {
        let axis = untrack(|| self.axis(width))?;
        of(self.0.stage, |known| small::of_witness(&known.shown, width, &axis))
    }

    fn said(self, window: &Window) -> String {
        let whole = |t: f64| people::grouped(t.round() as u128);
        format!("{} to {} of {}", whole(window.t0), whole(window.t1), whole(window.end))
    }
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
    let picture = Picture { shown, pointed: RwSignal::new(None) };
    let tip = move || {
        let ((x, y), job) = picture.pointed.get()?;
        let said = of(stage, |known| said_of(&known.shown, job)).flatten()?;
        Some(view! { <Tip x y room=width.get() said id="tasks-witness-tip"/> })
    };
    view! {
        <div class="figure-plot" data-testid="tasks-witness-plot">
            <TouchedCanvas picture canvas/>
            {tip}
        </div>
    }
}

/// The jobs in words, line by line.
#[component]
fn Jobs(shown: Shown) -> impl IntoView {
    let (stage, chosen) = (shown.stage, shown.chosen);
    let count = memo(move |_| of(stage, |known| known.shown.jobs.len()).unwrap_or(0));
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
