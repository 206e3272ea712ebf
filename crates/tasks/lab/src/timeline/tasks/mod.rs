//! A set of recurring tasks on the axis of intervals: its demand as steps, and a witness as jobs.
//!
//! Steps are pairs of interval and demand and ascend in both; before the first one the demand is 0, and after each
//! it stays until the next. Nothing is known beyond the horizon.

mod demand;
#[cfg(test)]
pub(crate) mod sample;
mod witness;

pub use demand::{Demand, Room, Share, Steps, value};
pub use witness::{Job, Row, Witnessed};

use kit::timeline::Class;

/// Colours and hatches before they repeat: six of the one, four of the other.
const CLASSES: usize = 12;

/// How a task looks, by its place in the set.
pub fn class(task: usize) -> Class {
    (task % CLASSES) as Class
}
