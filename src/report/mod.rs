//! Results as others read them: one line of JSON per scenario, with public fields.
//!
//! Warps count from 1 here, as everywhere a person reads them.

#[cfg(feature = "blocks")]
pub mod analysis;
#[cfg(feature = "blocks")]
pub mod blocks;
#[cfg(feature = "search")]
pub mod certificate;
#[cfg(feature = "chain")]
pub mod chain;
#[cfg(feature = "blocks")]
mod check;
mod conjecture;
#[cfg(feature = "bench")]
mod judge;
mod memory;
mod ptx;
mod search;
#[cfg(feature = "tasks")]
pub mod tasks;
mod warps;

#[cfg(feature = "blocks")]
pub use blocks::{BlocksReport, blocks_report};
#[cfg(feature = "blocks")]
pub use check::{CheckReport, ViolationReport, check_report};
pub use conjecture::{Cell, ClaimReport, ConjectureReport, MoreCells, Parameter, Totals};
#[cfg(feature = "bench")]
pub use judge::{conjecture_report, more_cells};
pub use memory::{MemoryReport, MissesReport};
pub use ptx::{PtxCounts, PtxReport, UnknownOpcode};
pub use search::{Found, ShortestReport};
pub(crate) use warps::micro;
pub use warps::{Capacities, ChainReport, Orders, Utilisation, WarpsReport, warps_report};

use crate::import::json;
use serde::Serialize;

/// The result of a scenario.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Report {
    /// A result of the warps lab.
    Warps(Box<WarpsReport>),
    /// The certificate of a result, as it is written to a file.
    #[cfg(feature = "search")]
    Certificate(String),
    /// A result of a conjecture.
    #[cfg(feature = "bench")]
    Conjecture(Box<ConjectureReport>),
    /// A result of the blocks lab.
    #[cfg(feature = "blocks")]
    Blocks(Box<BlocksReport>),
    /// A result of the tasks lab.
    #[cfg(feature = "tasks")]
    Tasks(Box<tasks::TasksReport>),
    /// What an experiment of that lab measured.
    #[cfg(feature = "tasks")]
    Experiment(Box<tasks::ExperimentReport>),
    /// A result about a whole chain.
    #[cfg(feature = "chain")]
    Chain(Box<chain::WholeReport>),
}

impl Report {
    /// The report as one line of JSON; a certificate as it is.
    pub fn line(&self) -> String {
        match self {
            #[cfg(feature = "search")]
            Report::Certificate(text) => text.clone(),
            report => json::line(report),
        }
    }

    /// Adds to what the reader should know, before everything else.
    pub fn note(&mut self, text: String) {
        match self {
            Report::Warps(report) => report.notes.insert(0, text),
            #[cfg(feature = "search")]
            Report::Certificate(_) => {}
            #[cfg(feature = "bench")]
            Report::Conjecture(report) => report.notes.insert(0, text),
            #[cfg(feature = "blocks")]
            Report::Blocks(report) => report.warnings.insert(0, text),
            #[cfg(feature = "tasks")]
            Report::Tasks(report) => report.warnings.insert(0, text),
            #[cfg(feature = "tasks")]
            Report::Experiment(report) => report.warnings.insert(0, text),
            #[cfg(feature = "chain")]
            Report::Chain(report) => report.warnings.insert(0, text),
        }
    }

    /// Notes how long the work took.
    pub fn took(&mut self, seconds: f64) {
        match self {
            Report::Warps(report) => report.seconds = micro(seconds),
            #[cfg(feature = "search")]
            Report::Certificate(_) => {}
            #[cfg(feature = "bench")]
            Report::Conjecture(report) => report.took(seconds),
            #[cfg(feature = "blocks")]
            Report::Blocks(report) => report.seconds = micro(seconds),
            #[cfg(feature = "tasks")]
            Report::Tasks(report) => report.took(seconds),
            #[cfg(feature = "tasks")]
            Report::Experiment(report) => report.took(seconds),
            #[cfg(feature = "chain")]
            Report::Chain(report) => report.seconds = micro(seconds),
        }
    }
}
