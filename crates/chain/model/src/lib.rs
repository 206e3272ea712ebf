//! From instructions to deadlines: warps make the time of a block, blocks that of a kernel, kernels that of a host
//! task.
//!
//! A [`Chain`] is what is asked. Everything here is plain Rust over the three labs: no serde, no clock, no file, no
//! DOM. Cycles, ticks and nanoseconds are types of their own ([`units`]); only a clock turns one into another, and
//! says which way it rounds.

pub mod assumptions;
pub mod blocking;
pub mod busy_window;
pub mod edf;
pub mod gpu_wait;
pub mod grid;
pub mod holistic;
pub mod host;
mod in_order;
pub mod inputs;
pub mod lab;
pub mod machine_code;
pub mod makespan;
pub mod model;
pub mod occupancy;
pub mod orders;
pub mod piles;
pub mod provenance;
pub mod response;
pub mod simulate;
pub mod solve;
pub mod units;
pub mod valued;
pub mod waves;

pub use assumptions::{Assumption, Code, Safe, Touched};
pub use inputs::Inputs;
pub use machine_code::MachineCode;
pub use model::{
    Chain, Core, Grid, Host, Instructions, Kernel, Ranked, Scheduler, Segment, SegmentKind, Sharing, Wait,
    Work,
};
pub use units::{CoreClock, Cycles, GpuClock, Ticks};
pub use valued::{Bracket, Evidence, Valued};
