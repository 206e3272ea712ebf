//! What of the lab of warps is loaded late: its form, sources, tables and comparisons, the chart of a
//! search, traces of schedules.

#![cfg(target_arch = "wasm32")]

mod compare;
mod convergence;
mod form;
pub mod schedule_trace;
mod source;
pub mod starts;
mod sums;
mod table;

pub use compare::Compare;
pub use convergence::Chart;
pub use form::WarpsForm;
pub use source::SourcePanel;
pub use sums::Sums;
pub use table::Table;
