//! What the parts of a set's result share: its demand, the window, and the witness of the interval someone looks at.
//!
//! A link's view is taken over once for each time it was asked for; after that, whatever someone changes goes back
//! into the page's links, a moment after the last change.

use std::sync::Arc;
use std::time::Duration;

use leptos::prelude::*;
use ui_kit::live::{effect, memo};

use super::Panel;
use base::people;
use kit::page::told::Looked;
use kit::page::{Ask, Window};
use tasks_lab::page::tasks::again::{is_own, is_quick, witnesses};
use tasks_lab::page::tasks::seek::Hit;
use tasks_lab::page::tasks::{Demand, Seen, View, Witnessed};
use tasks_lab::report::tasks::{TasksReport, WitnessReport};
use ui_kit::later::Later;
use ui_kit::mounted::put;
use ui_kit::pin;

/// Links wait this long for more changes.
const SETTLE: Duration = Duration::from_millis(250);
/// A witness is computed so long after the first change that asks for another.
const PAUSE: Duration = Duration::from_millis(60);

/// A witness on the screen.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Known {
    /// As reports write it, task by task.
    pub(super) reports: Vec<WitnessReport>,
    /// Ready to be drawn.
    pub(super) shown: Witnessed,
    /// Whether it is of another interval than the one someone looks at, which would take too long.
    pub(super) is_other: bool,
}

impl Known {
    fn new(reports: Vec<WitnessReport>, is_other: bool) -> Self {
        Self { shown: Witnessed::new(&reports), reports, is_other }
    }
}

/// Everything the parts share.
#[derive(Clone, Copy)]
pub(super) struct Stage {
    pub(super) panel: Panel,
    /// The demand; none before there is a result.
    pub(super) demand: Memo<Option<Arc<Demand>>>,
    /// The intervals in sight.
    pub(super) window: RwSignal<Window>,
    /// A range that is selected, to be summed up.
    pub(super) range: RwSignal<Option<(f64, f64)>>,
    /// The interval under the pointer.
    pub(super) pointed: RwSignal<Option<u64>>,
    /// Width and height of the chart's place.
    pub(super) room: RwSignal<(f64, f64)>,
}

impl Stage {
    pub(super) fn new(panel: Panel) -> Self {
        let demand = Memo::new_with_compare(
            move |_| panel.seen.with(|seen| Some(Arc::new(Demand::new(seen.as_deref()?.set()?)))),
            |_, _| true,
        );
        let stage = Self {
            panel,
            demand,
            window: RwSignal::new(Window::whole(0.0)),
            range: RwSignal::new(None),
            pointed: RwSignal::new(None),
            room: RwSignal::new((0.0, 0.0)),
        };
        stage.follow_links();
        stage.tell_links();
        stage.find_witness();
        stage
    }

    /// Something made of the demand; nothing before there is any.
    pub(super) fn with<T>(&self, what: impl FnOnce(&Demand) -> T) -> Option<T> {
        self.demand.with(|demand| demand.as_deref().map(what))
    }

    /// The same, without being told of changes.
    pub(super) fn now<T>(&self, what: impl FnOnce(&Demand) -> T) -> Option<T> {
        self.demand.with_untracked(|demand| demand.as_deref().map(what))
    }

    /// What was pinned, where it is another result and a set.
    pub(super) fn pinned(&self) -> Option<Arc<Seen>> {
        let panel = self.panel;
        let pinned = panel.seen.with(|seen| pin::other(panel.kept, seen.as_ref()));
        pinned.filter(|pinned| pinned.set().is_some())
    }

    /// What was pinned, in words.
    pub(super) fn kept(&self) -> Option<String> {
        self.panel.kept.with(|kept| {
            let report = kept.as_ref()?.seen.set()?;
            Some(format!("Pinned: {} used", people::percent(report.utilisation)))
        })
    }

    /// Pins what is there, or exchanges it with what was pinned.
    pub(super) fn pin(&self, swaps: bool) {
        let (text, seen, panel) =
            (self.panel.text.get_untracked(), self.panel.seen.get_untracked(), self.panel);
        let act = if swaps { pin::swap } else { pin::keep };
        act(panel.kept, &text, seen, panel.page);
    }

    /// Something made of the report; nothing where it is not of a set.
    pub(super) fn report<T>(&self, what: impl FnOnce(&TasksReport) -> T) -> Option<T> {
        self.panel.with(|seen| seen.set().map(what)).flatten()
    }

    /// Changes the window, if that changes anything.
    pub(super) fn change(&self, change: impl FnOnce(&Window) -> Window) {
        let window = self.window.get_untracked();
        put(self.window, change(&window));
    }

    /// Zooms to the range; without one about the selection if it is in sight, else about the middle.
    pub(super) fn zoom(&self, factor: f64) {
        if let Some((from, to)) = self.range.get_untracked().filter(|_| factor < 1.0) {
            return self.change(|window| match window.fitting(from, to) {
                fitting if fitting == *window => window.zoomed_about(factor, Some((from + to) / 2.0)),
                fitting => fitting,
            });
        }
        self.change(|window| window.zoomed_about(factor, self.looked_at()));
    }

    /// The interval that is looked at.
    pub(super) fn looked_at(&self) -> Option<f64> {
        self.panel.at.get_untracked().map(|at| at as f64)
    }

    /// Shows everything.
    pub(super) fn show_all(&self) {
        self.change(|window| Window::whole(window.end));
    }

    /// Fills the chart with the range; without one brings the first violation to the middle; without one, what is selected or has the least room.
    pub(super) fn centre(&self) {
        if let Some((from, to)) = self.range.get_untracked() {
            return self.change(|window| window.fitting(from, to));
        }
        let at = self.panel.at.get_untracked();
        let wanted = self.now(|demand| demand.first.map(|first| first.t).or(at).or(demand.worst())).flatten();
        if let Some(t) = wanted {
            let t = t as f64;
            let near = |window: &Window| if window.is_whole() { window.zoomed(0.25, t) } else { *window };
            self.change(|window| near(window).centred(t));
        }
    }

    /// Selects an interval and brings it into sight.
    pub(super) fn choose(&self, t: u64) {
        self.range.set(None);
        put(self.panel.at, Some(t));
        self.change(|window| window.revealing(t as f64, t as f64));
    }

    /// Selects what was found, and brings it into sight.
    pub(super) fn go(&self, hit: Hit) {
        match hit {
            Hit::Step(t) => {
                put(self.panel.sought, None);
                self.choose(t);
            }
            Hit::Vertex(task, vertex) => {
                put(self.panel.sought, Some((task, vertex)));
                put(self.panel.task, task);
                let graph = document().query_selector("[data-testid=task-graph]").ok().flatten();
                if let Some(graph) = graph {
                    graph.scroll_into_view_with_bool(false);
                }
            }
        }
    }

    /// What of it is selected.
    pub(super) fn at(&self) -> Option<Hit> {
        let vertex = self.panel.sought.get().map(|(task, vertex)| Hit::Vertex(task, vertex));
        vertex.or_else(|| self.panel.at.get().map(Hit::Step))
    }

    /// Selects the neighbouring step.
    pub(super) fn step(&self, onward: bool) {
        let at = self.panel.at.get_untracked();
        let next = self.now(|demand| match at {
            Some(t) => demand.beside(t, onward),
            None => demand.worst().or(demand.beside(0, true)),
        });
        if let Some(t) = next.flatten() {
            self.choose(t);
        }
    }

    /// Selects what the pointer is at, or what is worst.
    pub(super) fn take(&self) {
        let pointed = self.pointed.get_untracked();
        if let Some(t) = self.now(|demand| pointed.or(demand.worst())).flatten() {
            self.choose(t);
        }
    }

    fn view(&self) -> View {
        View { window: self.window.get(), at: self.panel.at.get(), task: self.panel.task.get() }
    }

    /// A new result comes with what a link asks for, or is looked at as the one before was.
    fn follow_links(&self) {
        let (stage, panel) = (*self, self.panel);
        let asked = memo(move |_| panel.told.with(|told| (told.job, told.looked.number)));
        let done = StoredValue::new((0, 0));
        let before = StoredValue::new(None::<Arc<Seen>>);
        effect(move || {
            let Some(seen) = panel.seen.get() else { return };
            let number = asked.get();
            if panel.shown.get() != number.0 {
                return; // another run's, which has told nothing yet
            }
            let is_asked = number.1 > 0 && done.get_value() != number;
            let is_new = before.with_value(|old| old.as_ref().is_none_or(|old| !Arc::ptr_eq(old, &seen)));
            done.set_value(number);
            before.set_value(Some(seen));
            if !is_asked && !is_new {
                return;
            }
            let view = untrack(|| {
                stage.now(|demand| {
                    if is_asked {
                        panel.told.with(|told| View::asked(&told.looked, demand))
                    } else {
                        stage.view().carried(demand)
                    }
                })
            });
            let Some(view) = view else { return };
            put(stage.window, view.window);
            put(panel.at, view.at);
            put(panel.task, view.task);
            put(stage.range, None);
        });
    }

    /// Tells the page how it is looked at, a moment after the last change.
    fn tell_links(&self) {
        let (stage, panel) = (*self, self.panel);
        let later = Later::new();
        effect(move || {
            let view = stage.view();
            if panel.shown.get() != panel.told.with(|told| told.job) || stage.demand.with(Option::is_none) {
                return;
            }
            let pin = panel.kept.with(|kept| kept.as_ref().map(|kept| kept.text.clone()));
            let tell = move || panel.page.ask(Ask::View(Looked { pin, ..view.looked() }));
            later.after(SETTLE, tell);
        });
    }

    /// Looks for the witness of the interval someone looks at: at once where the report has it.
    fn find_witness(&self) {
        let panel = self.panel;
        let later = Later::new();
        let about = StoredValue::new(false);
        effect(move || {
            let at = panel.at.get();
            let Some(seen) = panel.seen.get() else { return put_known(panel, None) };
            let Some(report) = seen.set() else { return put_known(panel, None) };
            let own =
                |is_other| (!report.witness.is_empty()).then(|| Known::new(report.witness.clone(), is_other));
            let is_sought = at.is_some_and(|t| !is_own(report, t) && is_quick(report));
            if is_sought && about.get_value() {
                return; // of where it is by then: so it follows a drag
            }
            about.set_value(is_sought);
            later.never();
            match at {
                Some(_) if is_sought => {
                    let find = move || {
                        about.set_value(false);
                        let at = panel.at.try_get_untracked().flatten();
                        let seen = panel.seen.try_get_untracked().flatten();
                        let Some((t, seen)) = at.zip(seen) else { return };
                        let found = seen.set().and_then(|report| witnesses(report, t));
                        put_known(panel, found.map(|reports| Known::new(reports, false)));
                    };
                    later.after(PAUSE, find);
                }
                Some(t) => put_known(panel, own(!is_own(report, t))),
                None => put_known(panel, own(false)),
            }
        });
    }
}

fn put_known(panel: Panel, known: Option<Known>) {
    // The panel may be gone by then.
    let _ = panel.known.try_set(known.map(Arc::new));
}
