//! Searches on the page: begin, pause, go on, extend, stop; and which of their schedules is on the screen.

use std::sync::Arc;

use leptos::prelude::*;

use super::state::{App, Run};
use crate::base::{Problem, people};
use crate::page::pool::Heard;
use crate::page::search::{Phase, Stretch};
use crate::page::{Search, Shown};
use crate::scenario::WarpsScenario;
use crate::timeline::convergence::ImprovementId;
use crate::warps::Order;
use ui_kit::player::now;
use workers::runs::Runs;

/// At least this long between two schedules shown while chains run, in milliseconds.
const SHOW_EVERY: f64 = 250.0;

impl App {
    /// Begins the search that the document asks for.
    pub(super) fn begin_search(&self) {
        self.halt(Phase::Stopped);
        let text = self.text.get_untracked();
        let search = self.read.with_untracked(|read| {
            let warps = read.as_ref().ok()?.asked::<WarpsScenario>()?;
            Search::new(&text, warps, Runs::width())
        });
        self.chosen.set(None);
        self.run.set(Run::Idle);
        self.search.set(search);
        self.feed();
    }

    /// Gives the search the document, which asks for it or for more of it.
    pub(super) fn keep_search(&self) {
        let text = self.text.get_untracked();
        self.of_warps(|warps| self.change(|search| warps.is_some_and(|warps| search.extend(&text, warps))));
        self.feed();
        let shown = self.shown.with_untracked(|shown| shown.as_ref().is_some_and(|shown| shown.text == text));
        if !shown || self.asked.with_untracked(Option::is_some) {
            self.show_found(true);
        }
    }

    /// Lets the chains go on that were laid aside.
    pub(super) fn resume_search(&self) {
        self.change(Search::resume);
        self.feed();
    }

    /// Whether the search on the page is the one the document asks for.
    pub fn searches_this(&self) -> bool {
        self.text.with(|text| self.search.with(|search| search.as_ref().is_some_and(|s| s.text() == text)))
    }

    /// The same, for now.
    fn searches_this_now(&self) -> bool {
        untrack(|| self.searches_this())
    }

    /// Keeps every worker busy.
    fn feed(&self) {
        let app = *self;
        while let Some(stretch) = self.search.with_untracked(|search| search.as_ref()?.next()) {
            let job = self.runs.with_value(Runs::next_job);
            self.change(|search| search.began(stretch.chain, job));
            self.runs
                .with_value(|runs| runs.advance(job, stretch, move |job, heard| app.heard_chain(job, heard)));
        }
    }

    fn change<T>(&self, change: impl FnOnce(&mut Search) -> T) -> Option<T> {
        self.search.try_update(|search| search.as_mut().map(change)).flatten()
    }

    fn phase(&self) -> Option<Phase> {
        self.search.with_untracked(|search| search.as_ref().map(Search::phase))
    }

    fn heard_chain(&self, job: u32, heard: Heard) {
        if !self.search.with_untracked(|search| search.as_ref().is_some_and(|s| s.has(job))) {
            return; // of a search that is gone
        }
        match heard {
            Heard::Chain(state, over) => {
                self.change(|search| search.heard(job, state, over));
                // Nothing comes after the last word of chains that were paused or stopped, either.
                self.show_found(self.phase() != Some(Phase::Running));
                if self.phase() == Some(Phase::Over) && self.searches_this_now() {
                    self.say_best("Search over");
                } else if over {
                    self.feed();
                }
            }
            Heard::Crashed(why) => {
                if self.change(|search| search.lost(job)) == Some(true) {
                    self.notice.set("A worker broke off; its chain goes on in a new one".to_owned());
                    self.feed();
                } else {
                    self.stop_search();
                    self.run.set(Run::Crashed(why));
                }
            }
            Heard::Refused(problems) => {
                self.change(|search| search.released(job));
                self.stop_search();
                self.run.set(Run::Crashed(refused(&problems)));
            }
            Heard::Worked(_) => {}
            Heard::Done(..) | Heard::Progress(_) | Heard::News(_) => {
                self.change(|search| search.released(job));
                self.feed();
            }
        }
    }

    /// Pauses or stops the chains.
    pub(super) fn halt(&self, phase: Phase) {
        for job in self.change(|search| search.halt(phase)).unwrap_or_default() {
            self.runs.with_value(|runs| runs.cancel(job));
        }
    }

    /// Pauses the chains, or lets them go on.
    pub fn toggle_search(&self) {
        if self.phase() == Some(Phase::Running) {
            self.halt(Phase::Paused);
            self.say_best("Paused");
        } else {
            self.resume_search();
            self.notice.set("The chains go on".to_owned());
        }
    }

    /// Stops the chains; the best so far stays.
    pub fn stop_search(&self) {
        if matches!(self.phase(), Some(Phase::Running | Phase::Paused)) {
            self.halt(Phase::Stopped);
            self.show_found(true);
            self.say_best("Stopped");
        }
    }

    fn say_best(&self, what: &str) {
        let best = self.search.with_untracked(|search| search.as_ref().and_then(Search::best));
        let best = best.filter(|_| !self.hide.get_untracked());
        let best = best.map_or(String::new(), |best| {
            format!(", longest makespan found: {}", people::counted(best as usize, "cycle"))
        });
        self.notice.set(format!("{what}{best}"));
    }

    /// Shows the schedule of the longest makespan, unless another one was chosen; while chains run not too
    /// often, unless it has to be now. Nothing of chains that the document does not ask for.
    fn show_found(&self, must: bool) {
        if !self.searches_this_now() {
            return;
        }
        if self.chosen.get_untracked().is_some() && !must {
            return;
        }
        let best = self.search.with_untracked(|search| search.as_ref().and_then(Search::best));
        let stale = self.shown.with_untracked(|shown| {
            shown
                .as_ref()
                .is_none_or(|shown| Some(shown.report.lower) != best || shown.report.chains.is_none())
        });
        let now = now();
        if !must && (!stale || now < self.show_next.get_value()) {
            return;
        }
        if self.chosen.get_untracked().is_some() {
            return self.show_chosen();
        }
        if let Some(order) = self.search.with_untracked(|search| search.as_ref()?.best_order()) {
            self.show_order(order);
            let took = ui_kit::player::now() - now;
            self.show_next.set_value(now + SHOW_EVERY.max(took * 10.0));
        }
    }

    fn show_order(&self, order: Order) {
        let shown = self.search.with_untracked(|search| {
            let search = search.as_ref()?;
            Shown::found(search.text(), order, search.reports())
        });
        if let Some(shown) = shown {
            self.show(Arc::new(shown));
        }
    }

    /// Chooses an improvement, by a click, Enter or the table, or again the longest makespan.
    pub fn choose(&self, id: Option<ImprovementId>) {
        self.chosen.set(id);
        self.show_chosen();
    }

    /// Shows the schedule of the improvement that was chosen, or of the longest makespan.
    fn show_chosen(&self) {
        let Some(id) = self.chosen.get_untracked() else { return self.show_found(true) };
        match self.search.with_untracked(|search| search.as_ref()?.order_of(id.0, id.1)) {
            Some(Ok(order)) => self.show_order(order),
            Some(Err(stretch)) => self.find_again(stretch, id),
            None => {}
        }
    }

    /// Has a worker play a chain again, up to an improvement whose order was not kept.
    fn find_again(&self, stretch: Stretch, id: (usize, usize)) {
        let app = *self;
        let job = self.runs.with_value(Runs::next_job);
        let again = stretch.clone();
        let owner = move |_, heard| {
            if app.chosen.try_get_untracked() != Some(Some(id)) {
                return; // another one was chosen meanwhile
            }
            match heard {
                // A worker comes back before the end where that is far away.
                Heard::Chain(state, true) if state.iterations < again.until => {
                    app.find_again(Stretch { from: Some(state), ..again.clone() }, id);
                }
                Heard::Chain(state, true) => {
                    if let Some(order) = state.best_order() {
                        app.show_order(order);
                    }
                }
                Heard::Chain(_, false) | Heard::Progress(_) | Heard::News(_) | Heard::Worked(_) => {}
                Heard::Done(..) | Heard::Refused(_) | Heard::Crashed(_) => {
                    app.notice.set("The schedule of this improvement could not be found again".to_owned());
                }
            }
        };
        self.runs.with_value(|runs| runs.advance(job, stretch, owner));
    }
}

/// What is said when a worker refuses a scenario that the page took for valid.
pub(super) fn refused(problems: &[Problem]) -> String {
    let first = problems.first().map(ToString::to_string).unwrap_or_default();
    format!("The scenario was refused: {first}")
}
