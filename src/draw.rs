//! Drawing as data, of the kit and of every lab.

pub use blocks_lab::draw::blocks;
pub use chain_lab::draw::chain;
pub use kit::draw::*;
pub use tasks_lab::draw::tasks;
pub use warps_lab::draw::{chart, gantt, strip};
