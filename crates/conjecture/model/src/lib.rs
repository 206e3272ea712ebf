//! Conjectures about worst cases, held against exhaustive search: a claim, ranges of parameters, and for every
//! choice of them a verdict.
//!
//! A claim says that the worst case is at most, or exactly, what a formula comes to. A refutation comes with the
//! schedule that proves it. Nothing here reads a clock, a file or the DOM, and nothing here is serialised.
pub mod claims;
pub mod experiment;
pub mod formula;
pub mod grid;
pub mod template;
#[cfg(test)]
mod tests;
pub mod verdict;
pub use base::formula::FormulaError;
pub use base::rational;
pub use claims::{Claim, PUBLISHED, Published, Says};
pub use experiment::Experiment;
pub use formula::Formula;
pub use grid::{Conjecture, Limit, Range, Setting, SubBlocks, Unfit};
pub use template::Template;
pub use verdict::{Bracket, Outcome, Verdict};

/// The most cells of an experiment.
pub const MOST_CELLS: usize = 1_000;

/// The most instructions per warp in an experiment: what exhaustive search might get through.
pub const MOST_STRING: usize = 1_000;
