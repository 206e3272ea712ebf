//! What of the lab of warps is loaded late: the chart of a search, forms of annealings and of loads, traces of schedules.

#![cfg(target_arch = "wasm32")]

mod anneal;
mod convergence;
mod memory;
pub mod schedule_trace;
pub mod starts;

pub use anneal::AnnealForm;
pub use convergence::Chart;
pub use memory::MemoryForm;
