//! Tracks and spans, of the kit and of every lab.

pub use blocks_lab::timeline::blocks;
pub use chain_lab::timeline::chain;
pub use kit::timeline::*;
pub use tasks_lab::timeline::tasks;
pub use warps_lab::timeline::*;
