//! What the papers print, held against what Warpspan computes.
//!
//! The published values are data: one file for each document in `www/reproductions`. Ours are read out of the
//! report of a scenario, which runs through the same job as everything else. Nothing here runs anything: a driver
//! runs [`Item::document`] and hands the line of its report to [`Outcome::of_line`].

mod builtin;
mod outcome;
mod paper;
mod path;
mod read;
mod reading;
mod shown;
#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests;
mod verdict;

pub use builtin::papers;
pub use outcome::{Outcome, Row, Totals, refused};
pub use paper::{Comparison, Item, LeftOut, Paper};
pub use read::read;
pub use reading::Reading;
pub use shown::shown;
pub use verdict::{Claim, Verdict, ratio};
