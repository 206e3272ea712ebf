//! Results of the lab as others read them.
//!
//! Warps count from 1 here, as everywhere a person reads them.

pub mod certificate;
mod memory;
mod ptx;
mod search;
mod warps;

pub use memory::{MemoryReport, MissesReport};
pub use ptx::{PtxCounts, PtxReport, UnknownOpcode};
pub use search::{Found, ShortestReport};
pub use warps::{Capacities, ChainReport, Orders, Utilisation, WarpsReport, warps_report};
