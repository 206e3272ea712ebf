//! The ground everything stands on. Nothing here knows a lab, reads a clock, a file or the DOM.

pub mod control;
pub mod people;
pub mod problem;
pub mod seeded;

pub use control::{Control, StopReason};
pub use problem::Problem;
pub use seeded::Seeded;

/// Identifies this build: page and worker must agree on it before they talk.
pub const BUILD: &str = env!("WARPSPAN_BUILD");
