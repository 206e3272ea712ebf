//! The job of the tasks lab.

use super::{Job, Step};
use crate::base::{Control, StopReason};
use crate::report::Report;
use crate::report::tasks::TasksReport;
use crate::scenario::{Scenario, TasksScenario};

/// Decides whether a set of tasks meets its deadlines.
pub struct TasksJob {
    scenario: Scenario,
    asked: TasksScenario,
}

impl TasksJob {
    /// The job of a tasks scenario.
    pub fn new(scenario: Scenario, asked: TasksScenario) -> Self {
        Self { scenario, asked }
    }
}

impl Job for TasksJob {
    fn step(&mut self, _control: &mut Control) -> Step {
        let _ = &self.asked;
        let report = TasksReport {
            scenario: self.scenario.title.clone(),
            lab: "tasks".into(),
            ..TasksReport::default()
        };
        Step::Done(Report::Tasks(Box::new(report)))
    }

    fn stop(&mut self, _reason: StopReason) -> Option<Report> {
        None
    }
}
