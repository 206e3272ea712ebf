//! Results as others read them: one line of JSON per scenario, with public fields.
//!
//! Warps count from 1 here, as everywhere a person reads them.

#[cfg(feature = "search")]
pub mod certificate;
mod conjecture;
mod ptx;
mod search;
mod warps;

pub use conjecture::{Cell, ClaimReport, ConjectureReport, Parameter, Totals, conjecture_report};
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
    /// A result of a conjecture.
    Conjecture(Box<ConjectureReport>),
}

impl Report {
    /// The report as one line of JSON.
    pub fn line(&self) -> String {
        json::line(self)
    }

    /// Adds to what the reader should know, before everything else.
    pub fn note(&mut self, text: String) {
        match self {
            Report::Warps(report) => report.notes.insert(0, text),
            Report::Conjecture(report) => report.notes.insert(0, text),
        }
    }

    /// Notes how long the work took.
    pub fn took(&mut self, seconds: f64) {
        match self {
            Report::Warps(report) => report.seconds = micro(seconds),
            Report::Conjecture(report) => report.took(seconds),
        }
    }
}
