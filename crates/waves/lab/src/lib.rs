//! The lab of thread traces: reports, comparisons, exports.
//!
//! Nothing here reads a clock or opens a file.

pub mod diff;
pub mod export;
pub mod report;

pub use report::{Detail, Report, report};
pub use waves::{Account, Capture, Cause};
