//! The job of a conjecture: cell after cell; what is judged when someone stops it is told.
//! Left out of the page's own wasm, which runs no searches.

use crate::report::{conjecture_report, more_cells};
use base::{Control, StopReason};
use conjecture::{Conjecture, Experiment};
use kit::import::json;
use kit::job::{Job, Progress, Step};
use kit::report::Report;
use kit::scenario::Scenario;

/// Judges the cells of a conjecture.
pub struct ConjectureJob {
    scenario: Scenario,
    experiment: Experiment,
    /// How many cells have been told of; none before anything was.
    told: Option<usize>,
}

impl ConjectureJob {
    /// The job of a conjecture.
    pub fn new(scenario: Scenario, conjecture: Conjecture) -> Self {
        Self { scenario, experiment: Experiment::new(conjecture), told: None }
    }

    /// What is known so far; cells that have not been looked at are open.
    pub fn report(&self) -> Report {
        let report =
            conjecture_report(&self.scenario, self.experiment.conjecture(), self.experiment.outcomes());
        Report::new(report)
    }
}

impl Job for ConjectureJob {
    fn step(&mut self, control: &mut Control) -> Step {
        if !self.experiment.step(control) {
            return Step::Done(self.report());
        }
        let (done, total) = (self.experiment.outcomes().len(), self.experiment.conjecture().cells());
        Step::More(Progress { done: done as u64, total: total as u64, best: None, bracket: None })
    }

    fn news(&mut self) -> Option<String> {
        let known = self.experiment.outcomes().len();
        match self.told.replace(known) {
            None => Some(self.report().line()),
            Some(from) if from < known => {
                Some(json::line(&more_cells(self.experiment.conjecture(), self.experiment.outcomes(), from)))
            }
            Some(_) => None,
        }
    }

    fn stop(&mut self, _reason: StopReason) -> Option<Report> {
        Some(self.report())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_add_up_to_the_same_report_and_what_is_stopped_has_something() {
        let text = r#"{"warpspan":1,"conjecture":{"claim":{"named":"raravi"},"ranges":{"W":[1,3],"rep":[1,2]},
            "limit":{"work":1}}}"#;
        let Ok(scenario) = crate::LINKED.read(text) else { unreachable!("valid") };
        let whole = crate::LINKED.run(&scenario);
        let mut job = crate::LINKED.start(&scenario);
        let mut done = 0;
        let sliced = loop {
            let Some(partial) =
                job.stop(StopReason::Cancelled).and_then(Report::into::<crate::report::ConjectureReport>)
            else {
                unreachable!("always")
            };
            let looked_at = partial.cells.iter().filter(|cell| cell.claimed.is_some()).count();
            assert_eq!((looked_at as u64, partial.cells.len()), (done, 6));
            match job.step(&mut Control::slice(1)) {
                Step::More(progress) => done = progress.done,
                Step::Done(report) => break report,
            }
        };
        assert_eq!(whole, sliced);
    }
}
