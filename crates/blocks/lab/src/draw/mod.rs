//! Runs of blocks as marks.

pub mod blocks;
