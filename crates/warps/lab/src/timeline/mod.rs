//! Schedules as tracks, and the progress of searches as curves.

pub mod convergence;
mod warps;

pub use convergence::Convergence;
pub use warps::{Pictured, Rows, warps_timeline};
