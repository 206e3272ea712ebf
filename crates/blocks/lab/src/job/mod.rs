//! Simulating and analysing, in slices.

mod blocks;

use crate::scenario::BlocksScenario;
use kit::job::Job;
use kit::scenario::Scenario;

/// The job of a scenario of this lab.
pub fn start(scenario: &Scenario) -> Option<Box<dyn Job>> {
    let asked = scenario.asked::<BlocksScenario>()?;
    Some(Box::new(blocks::BlocksJob::new(scenario.clone(), asked.clone())))
}
