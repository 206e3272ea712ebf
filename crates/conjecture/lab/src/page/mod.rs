//! What the page shows of conjectures, as plain values.

pub mod bench;
pub mod claims;

pub use bench::Judged;
