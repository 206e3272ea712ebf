//! What the parts of the panel share: the study that is planned, its run as far as it has come, the drawing on the
//! screen and what stands out in it.

use std::sync::Arc;

use leptos::prelude::*;
use ui_kit::live::memo;

use super::runner;
use kit::import::json;
use kit::page::Ask;
use kit::page::told::{ToOpen, ToldOfTrial};
use study_lab::draw::{Layout, Look, Spot};
use study_lab::page::{Chart, Known, Plan, Run, State, says};
use study_lab::scenario::Drawing;
use ui_kit::mounted::{Page, put};

/// A study as a worker has read it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Planned {
    /// What it asks, whatever it is called.
    pub(super) key: String,
    /// Its document.
    pub(super) text: String,
    /// What there is to compute.
    pub(super) plan: Plan,
}

/// What is shared.
#[derive(Clone, Copy)]
pub(super) struct Stage {
    pub(super) page: Page,
    /// The plan that was told last, and of which job.
    told: StoredValue<Option<(u32, Plan)>>,
    /// The study on the screen.
    pub(super) planned: RwSignal<Option<Arc<Planned>>>,
    /// Grows with what is known.
    pub(super) seen: RwSignal<u32>,
    /// What someone chose to be drawn instead of what the document says first.
    pub(super) drawing: RwSignal<Option<Drawing>>,
    /// How large the picture is.
    pub(super) room: RwSignal<(f64, f64)>,
    /// The dot under the pointer, and where that is.
    pub(super) pointed: RwSignal<Option<((f64, f64), Spot)>>,
    /// The dot that is selected.
    pub(super) selected: RwSignal<Option<Spot>>,
    /// What is drawn.
    pub(super) chart: Memo<Option<Arc<Chart>>>,
    /// How the study stands.
    pub(super) state: Memo<State>,
}

impl Stage {
    pub(super) fn new(page: Page) -> Self {
        let planned = RwSignal::new(None::<Arc<Planned>>);
        let (seen, drawing) = (RwSignal::new(0), RwSignal::new(None::<Drawing>));
        runner::watch(seen);
        let chart = memo(move |_| {
            seen.track();
            let planned = planned.get()?;
            let chosen = drawing.get().or_else(|| planned.plan.drawings().into_iter().next())?;
            // A plan that the page does not hold still shows its axes.
            let drawn = runner::with(&planned.key, |run| Chart::new(&run.known, &chosen));
            drawn.map(Arc::new)
        });
        let state = memo(move |_| {
            seen.track();
            let key = planned.with(|planned| planned.as_ref().map(|planned| planned.key.clone()));
            key.and_then(|key| runner::with(&key, |run| run.state.clone())).unwrap_or(State::Ready)
        });
        Self {
            page,
            told: StoredValue::new(None),
            planned,
            seen,
            drawing,
            room: RwSignal::new((0.0, 0.0)),
            pointed: RwSignal::new(None),
            selected: RwSignal::new(None),
            chart,
            state,
        }
    }

    /// A worker says what there is to compute.
    pub(super) fn planned(self, job: u32, line: &str) {
        if let Some(plan) = Plan::new(line) {
            self.told.set_value(Some((job, plan)));
        }
    }

    /// Takes the plan with the document that it is of, if that is the one on the page.
    pub(super) fn follow(self, told: &ToldOfTrial) {
        if told.stale || told.wrong {
            return;
        }
        let plan = self.told.with_value(|known| {
            known.as_ref().filter(|(job, _)| *job == told.job).map(|(_, plan)| plan.clone())
        });
        let (Some(plan), Some(text)) = (plan, told.document.as_ref()) else { return };
        let Ok(tree) = json::parse(text) else { return };
        let Some(key) = tree.get("study").map(json::line) else { return };
        let before = self.planned.get_untracked();
        if before.as_ref().is_none_or(|before| before.key != key) {
            // Another study has other points, and its own drawings.
            put(self.drawing, None);
            put(self.selected, None);
            put(self.pointed, None);
        }
        if before.as_ref().is_none_or(|before| before.key != key || before.text != *text) {
            runner::open(&key, text, &plan);
        }
        if plan.is_quick() && runner::with(&key, |run| run.state == State::Ready) == Some(true) {
            runner::start(&key);
        }
        put(self.planned, Some(Arc::new(Planned { key, text: text.clone(), plan })));
    }

    /// Something of the run, and again with every row that comes.
    pub(super) fn with<T>(self, what: impl FnOnce(&Run) -> T) -> Option<T> {
        self.seen.track();
        let key = self.planned.with(|planned| planned.as_ref().map(|planned| planned.key.clone()))?;
        runner::with(&key, what)
    }

    /// Something made of the rows as they are now.
    pub(super) fn now<T>(self, what: impl FnOnce(&Known) -> T) -> Option<T> {
        runner::with(&self.key()?, |run| what(&run.known))
    }

    /// Names the study on the screen.
    pub(super) fn key(self) -> Option<String> {
        self.planned.with_untracked(|planned| planned.as_ref().map(|planned| planned.key.clone()))
    }

    /// What is drawn now: the drawing that was chosen, else the first of the document.
    pub(super) fn drawn(self) -> Option<Drawing> {
        let first = || self.planned.with(|planned| planned.as_ref()?.plan.drawings().into_iter().next());
        self.drawing.get().or_else(first)
    }

    /// How it is looked at.
    pub(super) fn look(self) -> Look {
        let (width, height) = self.room.get();
        Look {
            width,
            height,
            titled: false,
            pointed: self.pointed.get().map(|(_, spot)| spot),
            selected: self.selected.get(),
        }
    }

    /// Where everything stands; none before there is anything.
    pub(super) fn layout(self) -> Option<(Arc<Chart>, Layout)> {
        let chart = self.chart.get_untracked()?;
        let layout = Layout::new(&chart, &untrack(|| self.look()));
        Some((chart, layout))
    }

    /// What there is to say of a dot, and which scenario it opens.
    pub(super) fn says(self, spot: Spot) -> Option<String> {
        let planned = self.planned.get()?;
        self.chart.with(|chart| {
            let chart = chart.as_ref()?;
            let dot = chart.series.get(spot.series)?.dots.get(spot.dot)?;
            Some(says::dot(&planned.plan, chart.kind, dot))
        })
    }

    /// Opens the scenario of a dot: of several cells the worst.
    pub(super) fn open(self, spot: Spot) {
        let cell = self.chart.with_untracked(|chart| {
            let dot = chart.as_ref()?.series.get(spot.series)?.dots.get(spot.dot)?;
            Some(dot.worst)
        });
        if let Some(cell) = cell {
            self.open_cell(cell);
        }
    }

    /// Opens the scenario of a cell, in its lab.
    pub(super) fn open_cell(self, cell: u64) {
        let Some(text) =
            self.planned.with_untracked(|planned| planned.as_ref().map(|planned| planned.text.clone()))
        else {
            return;
        };
        let page = self.page;
        runner::document(&text, cell, move |written| match written {
            Ok(document) => {
                let what = "A scenario of the study; Undo brings the study back".to_owned();
                page.ask(Ask::Open(ToOpen { document, what, ..ToOpen::default() }));
            }
            Err(why) => page.notice(&format!("This cell has no scenario. {why}")),
        });
    }

    /// Moves the selection: to the next dot of a series, or to the same place in another one.
    pub(super) fn step(self, along: isize, across: isize) {
        let Some(chart) = self.chart.get_untracked() else { return };
        let here = self.selected.get_untracked().unwrap_or(Spot { series: 0, dot: 0 });
        let series = here.series.saturating_add_signed(across).min(chart.series.len().saturating_sub(1));
        let Some(dots) = chart.series.get(series).map(|series| series.dots.len()).filter(|count| *count > 0)
        else {
            return;
        };
        let first = self.selected.get_untracked().is_none();
        let dot = if first { here.dot } else { here.dot.saturating_add_signed(along) };
        self.selected.set(Some(Spot { series, dot: dot.min(dots - 1) }));
    }
}
