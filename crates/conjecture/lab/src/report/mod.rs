//! Verdicts as others read them.

mod conjecture;
mod judge;

pub use conjecture::{Cell, ClaimReport, ConjectureReport, MoreCells, Parameter, Totals};
pub use judge::{conjecture_report, more_cells};
