//! Recurring real-time tasks (N: Nunna et al., schedulability analysis with the on-chip memory of GPUs).
//!
//! A [`Task`] is a graph whose triggerings recur; its demand within an interval decides whether
//! earliest-deadline-first scheduling meets all deadlines. All numbers are whole and in one unit of time, whichever it
//! is. Nothing here reads a clock, a file or the DOM, and nothing here is serialised.

mod demand;
pub mod dense;
pub mod flaw;
pub mod front;
mod graph;
mod joined;
mod onward;
pub mod random;
mod steps;
pub mod tiles;
pub mod witness;

#[cfg(test)]
pub(crate) mod naive;
#[cfg(test)]
pub(crate) mod small;

pub use demand::{Demand, Exactness};
pub use flaw::Flaw;
pub use graph::{Edge, Task, Traits, Vertex};
pub use joined::Joined;
pub use onward::{Keep, Onward, Recurs};
pub use steps::Steps;
