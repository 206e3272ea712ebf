//! Recurring real-time tasks (N: Nunna et al., schedulability analysis with the on-chip memory of GPUs).
//!
//! A [`Task`] is a graph whose triggerings recur; its demand within an interval decides whether
//! earliest-deadline-first scheduling meets all deadlines. All numbers are whole and in one unit of time, whichever it
//! is. Nothing here reads a clock, a file or the DOM, and nothing here is serialised.

pub mod dense;
pub mod flaw;
mod graph;
mod joined;
pub mod processor;
pub mod witness;

#[cfg(test)]
pub(crate) mod small;

pub use flaw::Flaw;
pub use graph::{Edge, Task, Traits, Vertex};
pub use joined::Joined;
