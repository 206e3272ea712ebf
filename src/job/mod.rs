//! Scenarios as work, with all labs linked; and how page and worker talk about it.

#[cfg(all(feature = "page", target_arch = "wasm32"))]
mod held;
#[cfg(all(feature = "page", target_arch = "wasm32"))]
pub mod recorded;
#[cfg(all(feature = "page", target_arch = "wasm32"))]
pub mod searches;
#[cfg(all(feature = "page", target_arch = "wasm32"))]
pub mod traced;
#[cfg(all(feature = "page", target_arch = "wasm32"))]
pub mod worker;

pub use kit::job::*;
pub use warps_lab::job::{anneal, certify, chains, memory_chains, weight};
pub use workers::protocol;

use crate::report::Report;
use crate::scenario::Scenario;

/// The job of a scenario.
pub fn start(scenario: Scenario) -> Box<dyn Job> {
    labs::ALL.start(&scenario)
}

/// The job that writes the certificate of a scenario's result.
pub fn start_certificate(scenario: Scenario) -> Box<dyn Job> {
    labs::code_lab::certificate::start(&scenario)
        .unwrap_or_else(|| warps_lab::job::start_certificate(&labs::WORKED, scenario))
}

/// Runs a scenario to its end, without a clock.
pub fn run(scenario: Scenario) -> Report {
    labs::ALL.run(&scenario)
}
