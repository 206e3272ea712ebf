//! Incremental list scheduling, entry by entry: from the snapshot before the first changed entry to where both
//! schedules agree again.
//!
//! Reading an order from left to right, each entry goes to the first cycle with room, from the first one its
//! warp is ready in. All that matters before an entry is therefore from when on each warp is ready, and how
//! much room the cycles have. That is kept before every [`BLOCK`]th entry of the present order. A changed
//! order is placed from the kept state before its first changed entry on, until behind the last changed one
//! the state is the kept one again: from there on both schedules are the same.
//!
//! Cycles are bits. What is done for an entry takes some thirty operations of the processor without a branch,
//! and the entry after it waits for six of them, because only the first 63 cycles that still matter are held
//! in registers. Entries that go beyond are rare where warps advance about equally, and what they need is
//! apart. An order that would need more than 127 cycles at once is given up.

mod free_slots;
mod order;
mod state;

use super::evaluator::Evaluator;
use crate::{Kernel, Machine};
use free_slots::FreeSlots;
use order::{Entries, MOST_PLACES};
use state::{Cycles, Slots, Snapshot, State, WARPS, lowest};

/// States are kept before every entry whose place is a multiple of this.
const BLOCK: usize = 32;

/// An order of up to 16 warps on up to two kinds of unit, and the states its schedule is built through.
///
/// `A` and `B` are the binary digits that count what a cycle of either kind holds. Where the issue limit is all
/// that limits the second kind, its room is that of the issue slots, and `SHARED` by both.
#[derive(Debug)]
pub struct EntryEvaluator<const A: usize, const B: usize, const SHARED: bool> {
    entries: Entries,
    empty: Slots<A, B>,
    snapshots: Vec<Snapshot<A, B>>,
    makespan: u32,
    /// The last change as placed: the blocks before which states were found, and how it ended.
    tried: std::ops::Range<usize>,
    rejoined: bool,
    /// Blocks placed and entries that went beyond the near cycles since this was last asked.
    blocks: u32,
    beyond: u32,
}

impl<const A: usize, const B: usize, const SHARED: bool> EntryEvaluator<A, B, SHARED> {
    /// Places an order for the first time; `None` where kernel, machine or order do not suit.
    pub fn new(kernel: &Kernel, machine: &Machine, order: &[u8], warps: usize) -> Option<Self> {
        let mut used = kernel.kinds();
        base::sort::sort_by_key(&mut used, |&unit| machine.capacity[unit]);
        // No more than all warps ever want to execute at once.
        let most = u32::try_from(warps).ok()?;
        let slots = machine.issue_limit().min(most);
        let capacity = |i: usize| used.get(i).map_or(1, |&unit| machine.capacity[unit].min(slots));
        // Where the issue limit matters, it must be all that limits the second kind, which is the larger.
        let limited = used.len() == 2 && slots < most.min(capacity(0) + capacity(1));
        let suits = used.len() <= 2
            && (1..=WARPS).contains(&warps)
            && order.len() <= MOST_PLACES
            && capacity(0) <= FreeSlots::<A>::MOST
            && capacity(1) <= FreeSlots::<B>::MOST
            && limited == SHARED
            && (!limited || slots == capacity(1));
        if !suits {
            return None;
        }
        let empty = Slots { first: FreeSlots::empty(capacity(0)), second: FreeSlots::empty(capacity(1)) };
        let start = State::first(warps, empty);
        let mut new = Self {
            entries: Entries::new(kernel, used.get(1), order, warps),
            empty,
            snapshots: vec![Snapshot { states: [start; 2], present: 0 }; order.len().div_ceil(BLOCK) + 1],
            makespan: 0,
            tried: 0..0,
            rejoined: false,
            blocks: 0,
            beyond: 0,
        };
        let makespan = new.place(0, usize::MAX)?;
        new.accept(makespan);
        Some(new)
    }

    /// Places the order from a changed entry on until it is over or, from entry `safe` on, back in a kept
    /// state.
    fn place(&mut self, from: usize, safe: usize) -> Option<u32> {
        let mut block = from / BLOCK;
        let State { ready, cycles } = self.snapshots[block].present();
        let Cycles { mut base, mut near, mut far } = *cycles;
        // As many as an index of a byte can reach, so that none needs a check.
        let mut ahead = [0u64; 256];
        ahead[..WARPS].copy_from_slice(&ready.ahead);
        let mut late = ready.late;
        let first = block + 1;
        loop {
            macro_rules! place {
                ($entry:expr) => {{
                    let entry = $entry;
                    let warp = usize::from(entry.warp as u8);
                    let (cycle, in_first, in_second);
                    if SHARED {
                        let free = near.second.free & (near.first.free | entry.second);
                        cycle = lowest(free & ahead[warp]);
                        (in_first, in_second) = (cycle & !entry.second, cycle);
                    } else {
                        let to_second = ahead[warp] & entry.second;
                        let to_first = ahead[warp] ^ to_second;
                        in_first = lowest(near.first.free & to_first);
                        in_second = lowest(near.second.free & to_second);
                        cycle = in_first | in_second;
                    }
                    if cycle != 0 {
                        near.first.take(in_first);
                        near.second.take(in_second);
                        ahead[warp] = (cycle << 1).wrapping_neg() & entry.goes_on;
                    } else {
                        let mut cycles = Cycles { base, near, far };
                        let ahead = ahead.first_chunk_mut()?;
                        cycles.place_beyond::<SHARED>(&self.empty, ahead, &mut late, entry)?;
                        Cycles { base, near, far } = cycles;
                        self.beyond += 1;
                    }
                }};
            }
            let (blocks, rest) = self.entries.all.as_chunks::<BLOCK>();
            self.blocks += 1;
            let Some(entries) = blocks.get(block) else {
                for entry in rest {
                    place!(entry);
                }
                break;
            };
            for [first, second, third, fourth] in entries.as_chunks::<4>().0 {
                place!(first);
                place!(second);
                place!(third);
                place!(fourth);
            }
            block += 1;
            let (present, tried) = self.snapshots[block].both();
            tried.ready.ahead.copy_from_slice(&ahead[..WARPS]);
            tried.ready.late = late;
            tried.cycles = Cycles { base, near, far };
            if block * BLOCK >= safe && tried.leads_on_as(present, &self.empty) {
                self.tried = first..block;
                self.rejoined = true;
                return Some(self.makespan);
            }
        }
        self.tried = first..block + 1;
        self.rejoined = false;
        Some(Cycles { base, near, far }.end(&self.empty))
    }
}

impl<const A: usize, const B: usize, const SHARED: bool> Evaluator for EntryEvaluator<A, B, SHARED> {
    fn makespan(&self) -> u32 {
        self.makespan
    }

    fn warp(&self, place: usize) -> u8 {
        self.entries.all[place].warp as u8
    }

    fn before(&self, warp: usize, place: usize) -> usize {
        self.entries.before(warp, place)
    }

    fn swap(&mut self, a: usize, b: usize) -> Option<u32> {
        let (a, b) = (a.min(b), a.max(b));
        self.entries.exchange(a, b);
        self.place(a, b + 1)
    }

    fn undo_swap(&mut self, a: usize, b: usize) {
        self.entries.exchange(a.min(b), a.max(b));
    }

    fn replace(&mut self, from: usize, warps: &[u8]) -> Option<u32> {
        self.entries.deal(from, warps);
        self.place(from, from + warps.len())
    }

    fn undo_replace(&mut self, from: usize, warps: &[u8]) {
        self.entries.deal(from, warps);
    }

    fn accept(&mut self, makespan: u32) {
        for snapshot in &mut self.snapshots[self.tried.clone()] {
            snapshot.present ^= 1;
        }
        if !self.rejoined {
            self.makespan = makespan;
        }
    }

    fn strained(&mut self) -> bool {
        let (blocks, beyond) = (std::mem::take(&mut self.blocks), std::mem::take(&mut self.beyond));
        beyond as usize > blocks as usize * BLOCK / 8
    }
}
