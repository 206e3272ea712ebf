//! Pictures and tables as files, of the kit and of every lab.

pub use blocks_lab::export::{blocks_csv, blocks_svg, examiner_log};
pub use chain_lab::export::{chain_csv, chain_svg};
pub use kit::export::{svg, zip};
pub use tasks_lab::export::{experiment_csv, tasks_csv, tasks_svg};
pub use warps_lab::export::{chart, code};

/// Tables as CSV.
pub mod csv {
    pub use conjecture_lab::export::csv::conjecture_csv;
    pub use warps_lab::export::csv::*;
}

/// Runs as trace events.
pub mod perfetto {
    pub use blocks_lab::export::perfetto::perfetto;
    pub use tasks_lab::export::perfetto::witness_perfetto;
    pub use warps_lab::export::perfetto::schedule_perfetto;
}
