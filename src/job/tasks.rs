//! The job of the tasks lab: the demand of every task, the verdicts, and how much room there is.

use super::{Job, Progress, Step};
use crate::base::{Control, StopReason};
use crate::report::Report;
use crate::report::tasks::tasks_report;
use crate::scenario::Scenario;
use crate::tasks::{Analysis, Task};

/// What one piece of the analysis costs, in units of fuel; most take less than a millisecond.
const PIECE: u64 = 20_000;

/// Decides whether a set of tasks meets its deadlines.
pub struct TasksJob {
    title: String,
    horizon: Option<u64>,
    analysis: Analysis,
}

impl TasksJob {
    /// The job of a set.
    pub fn new(scenario: &Scenario, set: Vec<Task>, horizon: Option<u64>) -> Self {
        Self { title: scenario.title.clone(), horizon, analysis: Analysis::new(set) }
    }

    fn report(&self) -> Report {
        Report::Tasks(Box::new(tasks_report(&self.title, &self.analysis, self.horizon)))
    }
}

impl Job for TasksJob {
    fn step(&mut self, control: &mut Control) -> Step {
        while self.analysis.step() {
            if !control.spend(PIECE) {
                let (done, total) = self.analysis.progress();
                return Step::More(Progress { done, total, best: None, bracket: None });
            }
        }
        Step::Done(self.report())
    }

    fn stop(&mut self, _reason: StopReason) -> Option<Report> {
        self.analysis.is_decided().then(|| self.report())
    }
}
