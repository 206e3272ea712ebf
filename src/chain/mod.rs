//! From instructions to deadlines: warps make the time of a block, blocks that of a kernel, kernels that of a host
//! task.
//!
//! A [`Chain`] is what is asked. Everything here is plain Rust over the three labs: no serde, no clock, no file, no
//! DOM. Cycles, ticks and nanoseconds are types of their own ([`units`]); only a clock turns one into another, and
//! says which way it rounds.

pub mod assumed;
#[cfg(feature = "search")]
pub mod blocking;
#[cfg(feature = "search")]
pub mod edf;
#[cfg(feature = "search")]
pub mod figure;
#[cfg(feature = "search")]
pub mod gpu;
#[cfg(feature = "search")]
pub mod grid;
#[cfg(feature = "search")]
pub mod host;
#[cfg(feature = "search")]
pub mod inputs;
#[cfg(feature = "search")]
pub mod lab;
#[cfg(feature = "search")]
pub mod links;
#[cfg(feature = "search")]
pub mod makespan;
pub mod model;
pub mod occupancy;
#[cfg(feature = "search")]
pub mod orders;
#[cfg(feature = "search")]
pub mod response;
#[cfg(feature = "search")]
pub mod rests;
#[cfg(feature = "search")]
pub mod run;
#[cfg(feature = "search")]
pub mod solve;
pub mod units;
#[cfg(feature = "search")]
pub mod waves;
#[cfg(feature = "search")]
pub mod window;

pub use assumed::{Assumption, Code, Safe, Touched};
#[cfg(feature = "search")]
pub use figure::{Bracket, Figure, Kind};
#[cfg(feature = "search")]
pub use inputs::Inputs;
pub use model::{
    Chain, Core, Grid, Host, Instructions, Kernel, Ranked, Scheduler, Segment, SegmentKind, Sharing, Wait,
    Work,
};
pub use units::{CoreClock, Cycles, GpuClock, Ticks};
