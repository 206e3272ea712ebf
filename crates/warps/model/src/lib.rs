//! Warps on one streaming multiprocessor (B: Berezovskyi, Bletsas and Petters 2013, sections III to VI).
//!
//! All warps run the same string of one-cycle instructions, each on one kind of unit. Warps, instructions
//! and positions count from 0 in here and from 1 wherever a person reads them; cycles count from 1
//! everywhere. Nothing here reads a clock, a file or the DOM, and nothing here is serialised.

pub mod anneal;
pub mod beam;
pub mod bounds;
pub mod certificate;
pub mod check;
pub mod construct;
pub mod dispatch;
pub mod exact;
pub mod explain;
pub mod fairness;
pub mod idle;
pub mod kernel;
pub mod machine;
pub mod memory;
pub mod order;
pub mod presets;
pub mod schedule;
pub mod unit;

pub use check::{Violation, check, check_fair};
pub use construct::{Construction, construct};
pub use fairness::Fairness;
pub use kernel::Kernel;
pub use machine::{Machine, Normalised, Note, Units};
pub use memory::{Memory, Misses, Mode};
pub use order::{Order, Start};
pub use schedule::Schedule;
pub use unit::{PerUnit, Unit};

/// The most warps one scenario may have: what one multiprocessor keeps resident at the most.
pub const MOST_WARPS: usize = 64;

/// The longest kernel string after normalisation.
pub const MOST_INSTRUCTIONS: usize = 10_000;

/// What every result of this lab takes for granted; reports and the page show these.
pub const ASSUMPTIONS: [&str; 5] = [
    "All warps run the same instruction string and are ready at cycle 1.",
    "Every instruction takes one cycle after normalisation and is never interrupted.",
    "Every load and store hits the cache.",
    "A warp issues at most one instruction per cycle.",
    "The schedule is work-conserving: no warp waits while its unit and an issue slot are free.",
];

/// What results take for granted besides where sub-blocks are fair.
pub const FAIR_SUB_BLOCKS: &str =
    "Sub-blocks are fair: no instruction executes in place of a waiting one of an earlier sub-block.";
