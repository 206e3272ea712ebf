//! Comparing what is shown with what was kept: the buttons for it, a strip beneath the figure, and a table.

use std::sync::Arc;

use leptos::prelude::*;

use super::state::App;
use crate::base::people;
use crate::draw::gantt::Frame;
use crate::draw::strip::{self, Strip};
use crate::export::csv;
use crate::page::{Comparison, Shown};
use ui_kit::canvas::place_of;
use ui_kit::follow::{Drawing, paint_frames};
use ui_kit::grid::{Cells, Grid};

/// The button that stays when all others go.
const KEEP: &str = "keep";

impl App {
    /// Keeps what is shown, to be compared with what is shown later.
    fn keep(&self) {
        let Some(shown) = self.shown.get_untracked() else { return };
        self.notice.set(format!(
            "Pinned: {}. What is shown from now on is compared with it",
            people::counted(shown.report.makespan as usize, "cycle")
        ));
        self.kept.set(Some(shown));
    }

    /// Shows what was kept, with its document, and keeps what was shown.
    fn swap_kept(&self) {
        let (Some(kept), before) = (self.kept.get_untracked(), self.shown.get_untracked()) else { return };
        self.cancel(); // what runs would soon replace it
        self.chosen.set(None);
        self.edit(kept.text.clone(), "kept");
        self.show(kept.as_ref().clone());
        self.kept.set(before);
    }

    fn let_go(&self) {
        self.kept.set(None);
        self.notice.set("Unpinned; nothing is compared".to_owned());
        ui_kit::keys::focus(KEEP);
    }
}

/// A schedule that is drawn beneath the one that is shown, on the same axis.
#[derive(Clone, PartialEq)]
pub(super) struct Beside {
    pub(super) shown: Arc<Shown>,
    /// Whether somebody pinned it; else a search has found it.
    pinned: bool,
}

impl Beside {
    /// What it is called in the picture.
    pub(super) fn label(&self) -> String {
        let report = &self.shown.report;
        let takes = people::counted(report.makespan as usize, "cycle");
        match self.pinned {
            true => format!("Pinned: {takes}"),
            false if report.exact => format!("The worst case, proven: {takes}"),
            false => format!("The longest found: {takes}"),
        }
    }
}

/// What was pinned; else the longest schedule that a search beside the document has found.
pub(super) fn beside(app: App) -> Memo<Option<Beside>> {
    let found = app.found_elsewhere();
    Memo::new(move |_| {
        let here = app.shown.get()?;
        let differs = |there: &Shown| here.order != there.order || here.schedule != there.schedule;
        match app.kept.get() {
            Some(shown) => Some(Beside { shown, pinned: true }),
            None => Some(Beside { shown: found.get()?, pinned: false }),
        }
        .filter(|beside| differs(&beside.shown))
    })
}

/// The buttons; part of the figure's toolbar.
#[component]
pub fn Keep(app: App) -> impl IntoView {
    let kept = move || {
        app.kept.with(|kept| {
            kept.as_ref()
                .map(|kept| format!("Pinned: {}", people::counted(kept.report.makespan as usize, "cycle")))
        })
    };
    view! {
        <div class="row" role="group" aria-label="Compare">
            <button id=KEEP title="Keep this schedule beneath the next one, on the same axis" data-testid="keep"
                on:click=move |_| app.keep()>"Pin to compare"</button>
            <Show when=move || app.kept.with(Option::is_some)>
                <span class="hint" data-testid="kept">{kept}</span>
                <button title="Show the pinned schedule, and pin this one instead" data-testid="swap" on:click=move |_| app.swap_kept()>"Swap"</button>
                <button title="Compare no longer" data-testid="let-go" on:click=move |_| app.let_go()>"Unpin"</button>
            </Show>
        </div>
    }
}

/// What the comparison came to; a sentence where there is nothing to compare.
type Compared = Option<Result<Arc<Comparison>, String>>;

/// The section; nothing while nothing is kept or what is kept is shown.
#[component]
pub fn Compare(app: App, width: Signal<f64>) -> impl IntoView {
    let compared: Memo<Compared> = Memo::new_with_compare(
        move |_| {
            let (here, kept) = app.shown.get().zip(app.kept.get())?;
            let same = here.order == kept.order && here.schedule == kept.schedule && here.text == kept.text;
            (!same).then(|| Comparison::of(&here, &kept).map(Arc::new))
        },
        |_, _| true,
    );
    let told = move || {
        compared.with(|compared| match compared {
            Some(Ok(comparison)) => comparison.told(),
            Some(Err(why)) => why.clone(),
            None => String::new(),
        })
    };
    let found: Memo<Option<Arc<Comparison>>> =
        Memo::new_with_compare(move |_| compared.get()?.ok(), |_, _| true);
    let differs = Memo::new(move |_| found.with(|found| found.as_ref().is_some_and(|c| c.moved() > 0)));
    let any = Memo::new(move |_| compared.with(Option::is_some));
    view! {
        <Show when=move || any.get()>
            <section class="compare" aria-label="Comparison" data-testid="compare">
                <h3>"Compared with the one you pinned"</h3>
                <p data-testid="compare-told">{told}</p>
                <Show when=move || differs.get()>
                    <Differences app found width/>
                </Show>
            </section>
        </Show>
    }
}

#[component]
fn Differences(app: App, found: Memo<Option<Arc<Comparison>>>, width: Signal<f64>) -> impl IntoView {
    let canvas = NodeRef::<leptos::html::Canvas>::new();
    let rows = Memo::new(move |_| found.with(|found| found.as_ref().map_or(0, |c| c.cycles.len())));
    // The chosen row is the range of its cycle, so that the figure and Esc know it as well.
    let place = Memo::new(move |_| {
        let (from, to) = app.range.get()?;
        found.with(|found| found.as_ref()?.cycles.binary_search(&from).ok()).filter(|_| from == to)
    });
    let cells = move |i: usize| found.with(|found| found.as_ref()?.row(i).map(Cells::from));
    let choose = move |i: usize| {
        if let Some(cycle) = found.with_untracked(|found| found.as_ref()?.cycles.get(i).copied()) {
            app.range.set(Some((cycle, cycle)));
            let cycle = f64::from(cycle);
            app.window.update(|window| *window = window.revealing(cycle - 1.0, cycle));
        }
    };
    let frame = move || {
        let window = app.window.get();
        let range = app.range.get().map(|(from, to)| (f64::from(from) - 1.0, f64::from(to)));
        Frame {
            width: width.get(),
            row: 0.0,
            t0: window.t0,
            t1: window.t1,
            selected: None,
            waited: None,
            range,
        }
    };
    let strip = Memo::new_with_compare(
        move |_| found.with(|found| found.as_ref().map(|comparison| Arc::new(strip_of(comparison)))),
        |_, _| true,
    );
    let drawing: Memo<Option<Drawing>> = Memo::new_with_compare(
        move |_| {
            let (strip, frame) = (strip.get()?, frame());
            (frame.width > 0.0).then(|| Arc::new(move || strip::draw(&strip, &frame)) as Drawing)
        },
        |_, _| true,
    );
    paint_frames(canvas, drawing);
    let click = move |event: leptos::ev::MouseEvent| {
        let cycle = untrack(frame).scale().value(place_of(&event).0).max(0.0) as u32 + 1;
        let nearest = found.with_untracked(|found| found.as_ref()?.nearest(cycle));
        nearest.map(choose);
    };
    let idle = move || found.with(|found| found.as_ref().map(|comparison| comparison.idle_told()));
    let renamed = move || found.with(|found| found.as_ref().and_then(|comparison| comparison.names_told()));
    let chosen = move || {
        place.get().and_then(|i| found.with(|found| found.as_ref()?.row_told(i))).unwrap_or_else(|| {
            "Choose a cycle in the table or on the strip to see what runs in it, here and in the figure."
                .to_owned()
        })
    };
    let save = move |_| {
        let title =
            app.shown.with_untracked(|shown| shown.as_ref().map(|s| s.title.clone()).unwrap_or_default());
        if let Some(comparison) = found.get_untracked() {
            let text = csv::differences_csv(comparison.kernel(), &comparison.lines());
            ui_kit::save::save(&ui_kit::save::file_name(&title, "differences.csv"), "text/csv", &text);
        }
    };
    view! {
        <canvas class="strip" node_ref=canvas on:click=click role="img" data-testid="compare-strip"
            aria-label="How many instructions differ in each cycle, and where the scarcest unit has room; the table below holds the differences."></canvas>
        <p class="details" aria-live="polite" data-testid="compare-row">{chosen}</p>
        <Grid id="differences" label="Cycles in which something differs"
            columns=&["Cycle", "Only in the pinned one", "Only in this one"] rows place cells choose/>
        <p class="hint" data-testid="compare-idle">{idle}" "{renamed}</p>
        <div class="row">
            <button title="Save the differences as a table" data-testid="compare-csv" on:click=save>"Differences as CSV"</button>
        </div>
    }
}

fn strip_of(comparison: &Comparison) -> Strip {
    let (here, kept) = (&comparison.here, &comparison.kept);
    let lane = |name, side: &crate::page::compare::Side| (name, side.scarce as u8, side.scarce_idle.clone());
    Strip { counts: comparison.counts(), lanes: vec![lane("idle pinned", kept), lane("idle here", here)] }
}
