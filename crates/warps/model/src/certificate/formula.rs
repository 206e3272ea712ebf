//! Own and blocked cycles of the warp that ends last, in exact fractions.
//!
//! The warp executes in as many cycles as it has instructions, and is blocked in all others. In a blocked
//! cycle its unit is full, or all issue slots are taken, by instructions of other warps. Let each of these
//! instructions count one part in so many as can execute like it in a cycle: then a blocked cycle holds one
//! whole or more, and there are no more blocked cycles than all others' instructions count together.

use super::Model;
use crate::Unit;

/// The terms of the bound.
pub struct BlockedCycles {
    /// Cycles in which the last warp executes.
    pub own: u64,
    /// The most cycles in which others block it.
    pub blocked: u64,
    /// All instructions of all warps: one executes in each cycle at least.
    pub all: u64,
}

impl BlockedCycles {
    /// The bound.
    pub fn bound(&self) -> u64 {
        (self.own + self.blocked).min(self.all)
    }
}

/// The bound's terms; every unit the kernel needs is there.
pub fn blocked_cycles(model: &Model<'_>) -> BlockedCycles {
    let own = model.kernel.len() as u64;
    // A sum of fractions, numerator over denominator, one instruction of the string after the other.
    let (mut over, mut under) = (0u128, 1u128);
    for unit in Unit::ALL {
        let count = model.kernel.units().iter().filter(|&&other| other == unit).count() as u128;
        let at_once = u128::from(model.machine.serves(unit).max(1));
        over = over * at_once + count * under;
        under *= at_once;
    }
    let others = model.warps as u128 - 1;
    BlockedCycles { own, blocked: (over * others / under) as u64, all: own * model.warps as u64 }
}
