//! The lab of recorded runs: what is reported of them.

pub mod report;

pub use report::{Report, report};
