//! Runs of blocks as tracks.

pub mod blocks;
