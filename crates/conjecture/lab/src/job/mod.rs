//! Judging a conjecture, cell by cell.

pub mod conjecture;

use crate::scenario::ConjectureScenario;
use kit::job::Job;
use kit::scenario::Scenario;

/// The job of a scenario of this lab.
pub fn start(scenario: &Scenario) -> Option<Box<dyn Job>> {
    let asked = scenario.asked::<ConjectureScenario>()?;
    Some(Box::new(conjecture::ConjectureJob::new(scenario.clone(), asked.clone())))
}
