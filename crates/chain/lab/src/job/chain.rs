//! The job of a chain: makespan after makespan, then what follows from them, then what would be if.
//!
//! Nothing takes long in one step: makespans and launch orders are sought in slices, and what is not known yet is told as
//! not known. What is known at any time holds: a report is there from the start, and every makespan found makes it narrower.

use crate::report::chain::whole_report;
use crate::scenario::{ChainScenario, Changed};
use base::{Control, StopReason};
use blocks::analysis::orders::Search;
use chain::makespan::{Makespans, Need, SearchRequest, makespan};
use chain::orders::Set;
use chain::solve::{Solved, needs, solve};
use kit::job::{Job, Progress, Step};
use kit::report::Report;
use kit::scenario::Scenario;

/// What putting a chain together costs, in units of fuel.
const PIECE: u64 = 200_000;

/// Computes a chain from its instructions to its deadlines.
pub struct ChainJob {
    title: String,
    asked: ChainScenario,
    makespans: Makespans,
    /// Makespans not sought yet, the next one last.
    needs: Vec<Need>,
    seeking: Option<SearchRequest>,
    /// The launch orders that are sought.
    ordering: Option<(Set, Search)>,
    solved: Solved,
    /// Changes not looked at yet, the next one last; none as long as the chain itself is not known.
    changes: Option<Vec<Changed>>,
    /// The change that waits for its makespans.
    changing: Option<Changed>,
    changed: Vec<(Changed, Solved)>,
    pieces: (u64, u64),
    fresh: bool,
}

impl ChainJob {
    /// The job of a chain.
    pub fn new(scenario: &Scenario, asked: &ChainScenario) -> Self {
        let makespans = Makespans::new(asked.chain.multiprocessor()).in_slices();
        let mut needs = needs(&asked.chain);
        needs.reverse();
        Self {
            title: scenario.title.clone(),
            solved: solve(&asked.chain, &makespans),
            pieces: (0, needs.len() as u64 + 1),
            asked: asked.clone(),
            makespans,
            needs,
            seeking: None,
            ordering: None,
            changes: None,
            changing: None,
            changed: Vec::new(),
            fresh: false,
        }
    }

    /// Seeks the next makespan; whether there is one.
    fn seek(&mut self, control: &mut Control) -> bool {
        if self.seeking.is_none() {
            let Some(need) = self.needs.pop() else { return self.order(control) };
            if self.makespans.has(&need) {
                return true;
            }
            let seeking = makespan(need, self.makespans.sm(), self.asked.chain.effort);
            self.seeking = Some(seeking);
        }
        if let Some(seeking) = &mut self.seeking
            && !seeking.step(control)
        {
            seeking.note(&mut self.makespans);
            self.seeking = None;
            if self.changes.is_none() {
                self.pieces.0 += 1;
                self.solved = solve(&self.asked.chain, &self.makespans);
                self.fresh = true;
            }
        }
        true
    }

    /// Seeks the next launch orders; whether some are missing.
    fn order(&mut self, control: &mut Control) -> bool {
        if self.ordering.is_none() {
            let Some(set) = self.makespans.orders().missing() else { return false };
            match set.search() {
                Some(search) => self.ordering = Some((set, search)),
                None => self.makespans.orders().note(&set, None),
            }
        }
        if let Some((set, search)) = &mut self.ordering {
            if self.makespans.orders().seek(set, search, control) {
                return true;
            }
            self.ordering = None;
        }
        if self.changes.is_none() && self.makespans.orders().missing().is_none() {
            self.solved = solve(&self.asked.chain, &self.makespans);
            self.fresh = true;
        }
        true
    }

    /// Looks at the next change; whether there is one.
    fn change(&mut self) -> bool {
        if let Some(changed) = self.changing.take() {
            let solved = solve(&changed.asked.chain, &self.makespans);
            if self.makespans.orders().missing().is_some() {
                self.changing = Some(changed);
                return true;
            }
            self.changed.push((changed, solved));
            self.pieces.0 += 1;
            self.fresh = true;
            return true;
        }
        let changes = self.changes.get_or_insert_with(|| {
            let mut changes = self.asked.changes();
            changes.reverse();
            // Another machine would have makespans of its own; no change makes one.
            changes
                .retain(|changed| changed.asked.chain.multiprocessor() == self.asked.chain.multiprocessor());
            self.pieces = (self.pieces.0 + 1, self.pieces.1 + changes.len() as u64);
            changes
        });
        let Some(next) = changes.pop() else { return false };
        self.needs = needs(&next.asked.chain);
        self.changing = Some(next);
        true
    }

    fn report(&self) -> Report {
        Report::new(whole_report(&self.title, &self.asked, &self.solved, &self.changed))
    }

    fn progress(&self) -> Progress {
        Progress { done: self.pieces.0, total: self.pieces.1, best: None, bracket: None }
    }
}

impl Job for ChainJob {
    fn step(&mut self, control: &mut Control) -> Step {
        loop {
            if self.seek(control) {
                if self.seeking.is_some() || self.ordering.is_some() || !control.spend(1) {
                    return Step::More(self.progress());
                }
                continue;
            }
            if !self.change() {
                return Step::Done(self.report());
            }
            // A step ends with each answer, so that it can be told.
            if !control.spend(PIECE) || self.fresh {
                return Step::More(self.progress());
            }
        }
    }

    fn news(&mut self) -> Option<String> {
        std::mem::replace(&mut self.fresh, false).then(|| self.report().line())
    }

    fn stop(&mut self, _reason: StopReason) -> Option<Report> {
        Some(self.report())
    }
}
