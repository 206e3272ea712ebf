//! The way that led to each state of a beam: who issued in which cycle.

use std::collections::BTreeMap;

use super::tables::NEVER;
use crate::launch::Launch;
use crate::schedule::Schedule;

/// The number of no mark.
pub const NONE: u32 = u32::MAX;
/// Marks beyond those in use, at the most.
const SPARE: usize = 1 << 16;

/// A step of a schedule: who issued in which cycle, and the number of the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    pub before: u32,
    pub cycle: u32,
    pub warp: u32,
}

/// All steps.
#[derive(Debug, Default)]
pub struct Marks {
    all: Vec<Mark>,
    /// How many were in use when that was last looked at.
    used: usize,
}

impl Marks {
    /// Adds one; its number.
    pub fn push(&mut self, mark: Mark) -> u32 {
        self.all.push(mark);
        self.all.len() as u32 - 1
    }

    /// Whether many may not be in use any more.
    pub fn many(&self) -> bool {
        self.all.len() > 2 * self.used + SPARE
    }

    /// Forgets those that nothing leads back to from roots, and numbers the others anew: what each is called now. Those
    /// before a mark have smaller numbers.
    pub fn sweep(&mut self, roots: impl Iterator<Item = u32>) -> Vec<u32> {
        let mut names = vec![NONE; self.all.len()];
        roots.filter(|&root| root != NONE).for_each(|root| names[root as usize] = 0);
        for at in (0..names.len()).rev().filter(|&at| self.all[at].before != NONE) {
            if names[at] != NONE {
                names[self.all[at].before as usize] = 0;
            }
        }
        let mut count = 0;
        for at in 0..names.len() {
            if names[at] != NONE {
                let mark = self.all[at];
                let before = names.get(mark.before as usize).copied().unwrap_or(NONE);
                self.all[count] = Mark { before, ..mark };
                names[at] = count as u32;
                count += 1;
            }
        }
        self.all.truncate(count);
        self.used = count;
        names
    }

    /// The schedule that ends with a mark. A result is there when it is taken, but no later than it can be.
    pub fn schedule(&self, launch: &Launch, last: u32) -> Schedule {
        let mut issued: Vec<Vec<u32>> = vec![Vec::new(); launch.warps().len()];
        let mut at = last;
        while let Some(mark) = self.all.get(at as usize) {
            issued[mark.warp as usize].push(mark.cycle);
            at = mark.before;
        }
        issued.iter_mut().for_each(|row| row.reverse());
        // When the first warp of a block passed each of its barriers, by when all had come to it.
        let barrier = |warp: usize, place: usize| {
            let own = (launch.warps()[warp].block, launch.stream(warp).barriers[place]);
            launch.at(warp, place).barrier.then_some(own)
        };
        let mut passed: BTreeMap<(usize, u32), u32> = BTreeMap::new();
        for (warp, row) in issued.iter().enumerate() {
            for (place, &cycle) in row.iter().enumerate() {
                if let Some(own) = barrier(warp, place) {
                    let first = passed.entry(own).or_insert(NEVER);
                    *first = cycle.min(*first);
                }
            }
        }
        let mut latencies = crate::schedule::longest(launch);
        for (warp, row) in issued.iter().enumerate() {
            let waits = launch.stream(warp).path.iter().flat_map(|&at| &launch.code()[at as usize].waits);
            let counted = waits.filter(|wait| wait.left > 0).fold(0u32, |bits, wait| bits | 1 << wait.board);
            let mut pending: Vec<(u8, usize, u32, u32)> = Vec::new();
            for (place, &cycle) in row.iter().enumerate() {
                let own = launch.at(warp, place);
                let there =
                    barrier(warp, place).and_then(|own| passed.get(&own)).map_or(cycle, |&by| by.min(cycle));
                pending.retain(|&(board, number, since, least)| {
                    let takes = own.waits.iter().any(|wait| wait.board == board);
                    if takes {
                        latencies[number] = latencies[number].min(there.saturating_sub(since).max(least));
                    }
                    !takes
                });
                for (i, set) in own.sets.iter().enumerate().filter(|(_, set)| counted >> set.board & 1 == 0) {
                    pending.push((set.board, launch.latency(warp, place, i), cycle, set.least));
                }
            }
        }
        Schedule { issued, latencies }
    }
}
