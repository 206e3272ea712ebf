//! Recorded runs of GPUs: why every operation started when it did (docs/traces.md).
//!
//! [`Causes::of`] says what each operation waited for last, [`account()`] where the idle time of a device went,
//! [`Replay::of`] what would follow from a change; [`ASSUMPTIONS`] is what all of this rests on.
//!
//! Nothing here reads a clock, a file or the DOM, and nothing here is serialised.

pub mod assumptions;
pub mod trace;

pub mod events;
pub mod host;
pub mod nulls;
pub mod order;
pub mod waited;
pub mod woven;

pub mod capacity;
pub mod estimate;
pub mod occupancy;
pub mod slices;

pub mod cause;
pub mod constraints;

pub mod causes;
pub mod latency;

pub mod account;
pub mod chain;
pub mod join;

pub mod critical;
pub mod leads;
pub mod queue;
pub mod replay;

pub use account::{Account, Part, Scope, account};
pub use assumptions::ASSUMPTIONS;
pub use cause::{Cause, Witness};
pub use causes::{Causes, Why};
pub use join::join;
pub use replay::{Change, Replay};
pub use trace::Trace;

#[cfg(test)]
mod tests;
