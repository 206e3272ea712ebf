//! The interface of a search space: keys, a start, an end, successors.

use super::instance::{Aggregate, Instance};

/// The most successors of one key; beyond, a search fails.
pub const MOST_CHOICES: u32 = 200_000;

/// Keys and what follows them.
pub trait Space {
    /// Words of a key.
    fn stride(&self) -> usize;
    /// The key of the start.
    fn start(&self) -> Vec<u64>;
    /// Lists the successors of a key that `keep` keeps, with the instructions executed on the way; whether
    /// there were no more than [`MOST_CHOICES`].
    fn expand(
        &mut self,
        instance: &Instance,
        key: &[u64],
        keep: &mut dyn FnMut(&Aggregate, u32) -> bool,
        visit: &mut dyn FnMut(&[u64], u32),
    ) -> bool;
}
