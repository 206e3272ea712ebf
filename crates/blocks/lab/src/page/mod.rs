//! What the page shows of blocks, as plain values.

pub mod blocks;
