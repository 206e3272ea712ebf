//! Recurring real-time tasks (N: Nunna et al., schedulability analysis with the on-chip memory of GPUs).
//!
//! A [`Task`] is a graph whose triggerings recur; its demand within an interval decides whether
//! earliest-deadline-first scheduling meets all deadlines. All numbers are whole and in one unit of time, whichever it
//! is. Nothing here reads a clock, a file or the DOM, and nothing here is serialised.

pub mod analysis;
mod demand;
pub mod dense;
pub mod edf;
pub mod edf_simulation;
mod exact_demand;
pub mod flaw;
mod graph;
mod joined;
mod long_run;
pub mod pareto;
pub mod random;
pub mod scaling;
pub mod sensitivity;
mod steps;
pub mod sum;
pub mod tiles;
pub mod utilisation;
pub mod witness;

#[cfg(test)]
pub(crate) mod naive;
pub mod small;

pub use analysis::Analysis;
pub use demand::{Demand, Exactness};
pub use exact_demand::{ExactDemand, Keep, MOST_PAIRS, Recurs};
pub use flaw::Flaw;
pub use graph::{Edge, Task, Traits, Vertex};
pub use joined::Joined;
pub use long_run::LongRun;
pub use steps::StepFunction;
pub use sum::{Point, Sum};
pub use utilisation::Utilisation;
