//! Thread traces of AMD GPUs: what every cycle of every wave went to (docs/waves.md).
//!
//! [`Account::of`] gives every cycle a cause with a witness, [`critical`](critical::critical) follows them from the last
//! cycle back to the first; [`ASSUMPTIONS`] is what that rests on.
//!
//! Nothing here reads a clock, a file or the DOM, and nothing here is serialised.

pub mod capture;
pub mod isa;

pub mod cause;
pub mod required;

pub mod barriers;
pub mod latency;
pub mod residents;
pub mod units;

pub mod account;
pub mod assumptions;
pub mod critical;

pub mod bracket;
pub mod replay;
pub mod what_if;

pub use account::Account;
pub use assumptions::ASSUMPTIONS;
pub use capture::{Capture, Instr, Kind, Line, Presence, Wave};
pub use cause::{Cause, Part, Sums, Witness};
pub use isa::{Generation, Op};

#[cfg(test)]
mod tests;
