//! Machine code on one multiprocessor: when every instruction of every warp may issue, and how long all can take.
//!
//! A multiprocessor has partitions. A warp belongs to one of them, which issues a number of instructions in a cycle. An
//! instruction takes a place of a unit for as many cycles as it holds it; the next one of its warp issues once its stall
//! is over. It may set scoreboards, which clear after a latency out of a range, and may wait for scoreboards and for the
//! other warps of its block. Schedules are work-conserving: a partition that could issue, issues.
//!
//! Warps, instructions and scoreboards count from 0 in here; cycles count from 1. Nothing here reads a clock, a file or
//! the DOM, and nothing here is serialised.

pub mod bounds;
pub mod certificate;
pub mod check;
pub mod critical;
pub mod engine;
pub mod exact;
pub mod launch;
pub mod longest;
pub mod machine;
pub mod policy;
pub mod reasons;
pub mod schedule;
mod wakes;

#[cfg(test)]
mod tests;

pub use launch::{Instruction, Launch, Set, Wait, Warp};
pub use machine::{Machine, Scope, Unit};
pub use policy::Policy;
pub use schedule::Schedule;
