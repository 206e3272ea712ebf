//! How much a proof may do, counted in steps and never in time, so that a check comes to the same everywhere.
//!
//! A state that is looked up counts once, a state of phases that is made eight times its phases, and one of positions
//! four times its warps: about as much as each takes.

use std::cell::Cell;

/// Work that is left.
#[derive(Debug)]
pub struct Work {
    left: Cell<u64>,
    over: Cell<bool>,
}

impl Work {
    /// So many units.
    pub fn new(units: u64) -> Self {
        Self { left: Cell::new(units), over: Cell::new(false) }
    }

    /// Takes some; whether they were there.
    pub fn spend(&self, units: u64) -> bool {
        match self.left.get().checked_sub(units) {
            Some(left) => self.left.set(left),
            None => self.over.set(true),
        }
        !self.over.get()
    }

    /// Whether more was asked for than there was.
    pub fn is_over(&self) -> bool {
        self.over.get()
    }
}
