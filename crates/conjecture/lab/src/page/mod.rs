//! What the page shows of conjectures, as plain values.

pub mod claims;
pub mod experiment;

pub use experiment::Judged;
