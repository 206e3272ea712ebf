//! Results as others read them, of every lab.

pub use blocks_lab::report::{
    BlocksReport, CheckReport, ViolationReport, analysis, blocks, blocks_report, check_report,
};
pub use chain_lab::report::chain;
pub use conjecture_lab::report::*;
pub use kit::report::{Report, Told};
pub use tasks_lab::report::tasks;
pub use warps_lab::report::*;
