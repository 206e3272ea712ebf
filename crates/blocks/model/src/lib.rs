//! Blocks on the whole GPU (A: the rules Amert et al. published in 2017; P: Paredes 2019, chapters 2 and 3).
//!
//! A [`Workload`] is what host programs ask of a [`Device`]; a [`Trace`] is what came of it, simulated or measured,
//! in one shape. All times are whole nanoseconds; streams, kernels, multiprocessors and blocks count from 0 in
//! here. Nothing here reads a clock, a file or the DOM, and nothing here is serialised.

pub mod analysis;
pub mod check;
pub mod device;
pub mod explain;
pub mod fits;
#[cfg(test)]
mod naive;
pub mod names;
pub mod presets;
pub mod random;
pub mod replay;
pub mod resources;
pub mod rule;
pub mod sim;
pub mod trace;
pub mod workload;

#[cfg(test)]
mod damage;
#[cfg(test)]
mod small;

pub use device::{Device, Mask};
pub use fits::{Misfit, misfit};
pub use rule::Rule;
pub use sim::{Simulation, simulate};
pub use trace::{
    BlockRun, CopyRun, Decision, Hold, KernelRun, OpId, Run, Slice, Stop, Subject, Trace, Verdict,
};
pub use workload::{
    Action, Copy, Direction, Durations, Kernel, Placement, Program, Repeat, Setup, Slicing, Stream,
    StreamKind, Switch, Workload,
};
