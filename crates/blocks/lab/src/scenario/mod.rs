//! The `blocks` part of a scenario.

pub mod blocks;

pub use blocks::{BlocksScenario, MOST_BLOCKS_EVER, Reference as BlocksReference};
