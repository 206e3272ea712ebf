//! How long blocks of a kernel can take at the most that replace each other on a multiprocessor.
//!
//! Assumes: 1. the warps of a block belong to partitions in turn, beginning with any; 2. a block is there until its last
//! instruction has issued, or longer, but no longer than until all of it is over; 3. while a block waits, no place is empty:
//! the cycle after a block leaves another one is there.
//!
//! `n` blocks, `R` at once.
//!
//! 1. *Own cycles.* Let `E` be the bound of a block by itself, as [`super`] has it. Point by point it holds beside other blocks,
//!    too, if the cycles in which these block it are added: each counts as much as others weigh in it, but for one at the most.
//!    As a cycle may be blocked by one of the block and one of another together, what those of the block weigh in a segment
//!    is rounded up. What `overlap.rs` and `beside.rs` leave out stays out: a cycle counts as lost there if anything else
//!    weighs in it, whose ever it may be.
//! 2. *Parts.* The same holds from the start of a block to any cycle, and from any cycle until all of it is over: each cycle that
//!    is left out is one less, and others can have blocked it for no more than that one.
//! 3. *Others.* Let `W` be what a block weighs in all partitions, for whoever it weighs most. Each part of that is in one
//!    cycle. So if one block is looked at in each cycle, others block them for `n W` cycles at the most.
//! 4. *Looked at throughout.* A block that is looked at as long as it is there does not block by what it does meanwhile. If it holds
//!    units for `h` cycles after it has left, it is over `h` cycles after that or later, and those are left out by point 2: they
//!    pay for the cycles in which these holds block another. So its own `W` does not count.
//! 5. *Until the last one starts.* Let that be in cycle `s`. Before, `R` blocks are there in every cycle; one that starts takes
//!    the place of one that left. No more than `n - 1` started before, so no more than `m = floor((n - 1) / R)` on some place.
//!    Look at whoever is on it. All but the last of them are looked at throughout.
//! 6. *From then on* look at the block that is over last. It started in `s` or before. So with `k` blocks on that place before `s`,
//!    `k` from 1 to `m`, all takes no more than `(k + 1) E + (n - k + 1) W`, which is greatest where `k` is 1 or `m`. With one place
//!    all are looked at throughout, or have left and only wait for results: `n E`.
//! 7. *Together*, with `n <= R`, all takes no more than `E + (n - 1) W`, by the block that is over last. That is less: so
//!    point 6 holds for fewer blocks, too, and so for any that the multiprocessor may get.
//! 8. *One block*, whoever replaces whom, is over no later than `E + (n - 1) W` after its start; with one place `E + H`, as
//!    it finds only what is left of holds, which last for `H` cycles at the most.
//! 9. *Several multiprocessors.* Until the last block starts in cycle `t` all are full, so one of them has had no more
//!    blocks than its share of `n - 1`. By point 5, with `m` as its share divided by `R`, there are no more than
//!    `k E + (n - k + 1) W` cycles before, `n` being its share. From then on there are no more than `R` blocks on each, and holds of
//!    those before: it takes `E + (R - 1) W + H` more.

use super::all_paths;
use super::paths::Earlier;
use super::work::{SCALE, Work};
use crate::launch::Launch;

#[cfg(test)]
mod naive;
#[cfg(test)]
mod tests;

/// What a block counts for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Replaced {
    /// Its own cycles.
    own: u64,
    /// What it weighs for others.
    weighs: u64,
    /// For how many cycles it may hold a unit once it has left.
    holds: u64,
}

impl Replaced {
    /// That of a block; none where its warps have different numbers of barriers, or are of several blocks.
    pub fn new(block: &Launch) -> Option<Self> {
        let launch = block.times(1)?;
        let number = launch.warps().first()?.block;
        if launch.warps().iter().any(|warp| warp.block != number) {
            return None;
        }
        let paths = all_paths(&launch);
        let work = Work::new(&launch, &paths);
        let own = super::ends(&launch, &paths, &work, number, (Earlier::Both, true))?.last().copied()?;
        let units = 0..launch.machine().units.len();
        let least = |unit: usize| launch.warps().iter().map(|warp| paths[warp.stream].others[unit]).min();
        let places: Vec<u32> = units.map(|unit| least(unit).unwrap_or(1)).collect();
        Some(Self { own, weighs: work.of_all(&launch, &places), holds: outlasts(&launch) })
    }

    /// No schedule of so many blocks takes longer, or of fewer, if there is room for so many at once.
    pub fn most(&self, blocks: u64, room: u64) -> u64 {
        let room = room.max(1);
        if blocks <= room {
            return self.one(blocks, room);
        }
        if room == 1 {
            return self.sum(blocks, 0);
        }
        let of = |on: u64| self.sum(on + 1, blocks - (on - 1));
        of(1).max(of((blocks - 1) / room))
    }

    /// A block is over no later than so many cycles after its start, where so many are on its multiprocessor in all.
    pub fn one(&self, blocks: u64, room: u64) -> u64 {
        let among = self.sum(1, blocks.saturating_sub(1));
        if room <= 1 { among.min(self.own.saturating_add(self.holds)) } else { among }
    }

    /// A multiprocessor is full for no longer by so many blocks, or by fewer.
    pub fn full(&self, blocks: u64, room: u64) -> u64 {
        match blocks / room.max(1) {
            0 => 0,
            most => [1, most].map(|on| self.sum(on, blocks - (on - 1))).into_iter().fold(0, u64::max),
        }
    }

    /// Once no block starts any more, what is there is over no later than so many cycles after.
    pub fn rest(&self, room: u64) -> u64 {
        self.sum(1, room.saturating_sub(1)).saturating_add(self.holds)
    }

    /// Own cycles of some, and what others weigh.
    fn sum(&self, own: u64, others: u64) -> u64 {
        let weighs = u128::from(others) * u128::from(self.weighs) / u128::from(SCALE);
        let all = (u128::from(own) * u128::from(self.own)).saturating_add(weighs);
        u64::try_from(all).unwrap_or(u64::MAX)
    }
}

/// For how many cycles a block may still hold units once its last instruction has issued.
pub fn outlasts(block: &Launch) -> u64 {
    let of = |warp: usize| {
        let last = block.length(warp) - 1;
        let mut passed = 1;
        let after = (0..=last).rev().map(move |place| {
            let own = block.at(warp, place);
            passed += if place < last { u64::from(own.stall) } else { 0 };
            own.unit.map_or(0, |_| u64::from(own.hold).saturating_sub(passed))
        });
        after.max().unwrap_or(0)
    };
    (0..block.warps().len()).map(of).max().unwrap_or(0)
}
