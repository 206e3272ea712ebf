//! The job of the tasks lab: the demand of every task, the verdicts, and how much room there is.

use crate::report::tasks::tasks_report;
use base::{Control, StopReason};
use kit::job::{Job, Progress, Step};
use kit::report::Report;
use kit::scenario::Scenario;
use tasks::{Analysis, Task};

/// What one piece of the analysis costs, in units of fuel.
const PIECE: u64 = 1_000;

/// Decides whether a set of tasks meets its deadlines.
pub struct TasksJob {
    title: String,
    horizon: Option<u64>,
    analysis: Analysis,
    /// How long it took until the verdicts were known.
    decided: f64,
    /// Whether the verdicts were known when the last step began.
    known: bool,
    told: bool,
}

impl TasksJob {
    /// The job of a set.
    pub fn new(scenario: &Scenario, set: Vec<Task>, horizon: Option<u64>) -> Self {
        Self {
            title: scenario.title.clone(),
            horizon,
            analysis: Analysis::new(set),
            decided: 0.0,
            known: false,
            told: false,
        }
    }

    fn report(&self) -> Report {
        let mut report = tasks_report(&self.title, &self.analysis, self.horizon);
        report.decided_in(self.decided);
        Report::new(report)
    }
}

impl Job for TasksJob {
    fn step(&mut self, control: &mut Control) -> Step {
        self.known = self.analysis.is_decided();
        while self.analysis.step() {
            // A step ends with the verdicts, so that they can be told before the room of single vertices is known.
            if !control.spend(PIECE) || self.analysis.is_decided() != self.known {
                let (done, total) = self.analysis.progress();
                return Step::More(Progress { done, total, best: None, bracket: None });
            }
        }
        Step::Done(self.report())
    }

    fn took(&mut self, seconds: f64) {
        if !self.known {
            self.decided += seconds;
        }
    }

    fn news(&mut self) -> Option<String> {
        let known =
            self.analysis.is_decided() && !std::mem::replace(&mut self.told, self.analysis.is_decided());
        known.then(|| self.report().line())
    }

    fn stop(&mut self, _reason: StopReason) -> Option<Report> {
        Some(self.report())
    }
}
