//! Pairs of lines that follow each other: where the same pair has the same gap, or the same stall, nearly each time, it
//! is a property of the pair.

use std::collections::HashMap;

use crate::capture::{Capture, NO_LINE};

/// What is counted of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum What {
    Gap,
    Stall,
}

/// Times of pairs by how often they were seen.
#[derive(Default)]
pub(super) struct Pairs {
    values: HashMap<(What, u32, u32, i64), u32>,
    totals: HashMap<(u32, u32), u32>,
}

impl Pairs {
    /// Counts them.
    pub fn of(capture: &Capture) -> Self {
        let mut found = Self::default();
        for wave in &capture.waves {
            for pair in wave.instrs.windows(2) {
                let [before, own] = pair else { continue };
                if before.line == NO_LINE || own.line == NO_LINE {
                    continue;
                }
                let (a, b) = (before.line, own.line);
                let gap = own.clock.saturating_sub(before.end()).max(0);
                *found.values.entry((What::Gap, a, b, gap)).or_default() += 1;
                *found.values.entry((What::Stall, a, b, i64::from(own.stall))).or_default() += 1;
                *found.totals.entry((a, b)).or_default() += 1;
            }
        }
        found
    }

    /// Whether a pair has just this nearly each time: four times in five, and four times at least.
    pub fn same(&self, what: What, before: u32, own: u32, value: i64) -> bool {
        let total = self.totals.get(&(before, own)).copied().unwrap_or_default();
        let just = self.values.get(&(what, before, own, value)).copied().unwrap_or_default();
        total >= 4 && u64::from(just) * 5 >= u64::from(total) * 4
    }
}
