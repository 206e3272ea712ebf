//! Results of the lab as others read them.

pub mod analysis;
pub mod blocks;
mod check;

pub use blocks::{BlocksReport, blocks_report};
pub use check::{CheckReport, ViolationReport, check_report};
