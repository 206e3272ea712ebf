//! Demand and experiments, in slices.

mod experiment;
mod tasks;

use crate::scenario::{TasksAsked, TasksScenario};
use kit::job::Job;
use kit::scenario::Scenario;

/// The job of a scenario of this lab.
pub fn start(scenario: &Scenario) -> Option<Box<dyn Job>> {
    let asked = scenario.asked::<TasksScenario>()?;
    Some(match asked.asked.clone() {
        TasksAsked::Set { set, horizon } => Box::new(tasks::TasksJob::new(scenario, set, horizon)),
        TasksAsked::Experiment(asked) => Box::new(experiment::ExperimentJob::new(scenario, asked)),
    })
}
