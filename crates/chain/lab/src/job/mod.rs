//! Solving a chain, in slices.

mod chain;

use crate::scenario::ChainScenario;
use kit::job::Job;
use kit::scenario::Scenario;

/// The job of a scenario of this lab.
pub fn start(scenario: &Scenario) -> Option<Box<dyn Job>> {
    let asked = scenario.asked::<ChainScenario>()?;
    Some(Box::new(chain::ChainJob::new(scenario, asked)))
}
