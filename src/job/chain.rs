//! The job of a chain: makespans first, then what follows from them.

use super::{Job, Step};
use crate::base::{Control, StopReason};
use crate::report::Report;
use crate::report::chain::WholeReport;
use crate::scenario::{ChainScenario, Scenario};

/// Computes a chain from its instructions to its deadlines.
pub struct ChainJob {
    report: WholeReport,
}

impl ChainJob {
    /// The job of a chain.
    pub fn new(scenario: &Scenario, _asked: &ChainScenario) -> Self {
        let report = WholeReport {
            scenario: scenario.title.clone(),
            lab: "chain".to_owned(),
            ..WholeReport::default()
        };
        Self { report }
    }
}

impl Job for ChainJob {
    fn step(&mut self, _control: &mut Control) -> Step {
        Step::Done(Report::Chain(Box::new(self.report.clone())))
    }

    fn stop(&mut self, _reason: StopReason) -> Option<Report> {
        Some(Report::Chain(Box::new(self.report.clone())))
    }
}
