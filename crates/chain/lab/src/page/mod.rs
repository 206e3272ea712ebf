//! What the page shows of chains, as plain values.

pub mod chain;
