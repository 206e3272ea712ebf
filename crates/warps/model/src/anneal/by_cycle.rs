//! Incremental list scheduling, cycle by cycle: the state at a cycle is the progress of each warp (B, section VII).
//!
//! All instructions take one cycle, so constructing a schedule entry by entry gives the same result as
//! playing it cycle by cycle, where each cycle serves the waiting instructions that stand first in the
//! order. Both ways an instruction waits in a cycle exactly if instructions before it in the order fill its
//! unit or the issue slots there. The state at the start of a cycle is therefore one number for each warp:
//! how many of its instructions are done. The states of the present order are kept. A changed order is
//! played from the first cycle in which it can differ, and only until its state is the kept one again with
//! every changed entry behind it: from there on both schedules are the same.
//!
//! Nothing is allocated in the loop. Taking a change back is making the opposite change.

use super::evaluator::Evaluator;
use super::ready_queue::{MOST_TAKEN, ReadyQueues};
use crate::{Kernel, Machine};

/// Memory for the kept states of one chain, in bytes. Longer schedules keep every second state, or fewer.
const MOST_MEMORY: usize = 4 << 20;

/// How many instructions of each warp are done, in lanes of `BITS` bits.
type Row<const WORDS: usize> = [u64; WORDS];

/// What there is to know about an entry of the order.
#[derive(Debug, Clone, Copy)]
struct Entry<L> {
    /// Where the warp's next instruction will wait.
    next: L,
    /// The warp.
    warp: u8,
}

/// The part of a warp's instructions that a change moves to other places.
#[derive(Debug, Clone, Copy, Default)]
struct Moved {
    /// The first of them.
    from: u32,
    /// The one after the last of them; `from` where nothing moves.
    to: u32,
}

/// An order, its makespan, and the states its schedule goes through.
#[derive(Debug)]
pub struct CycleEvaluator<Q: ReadyQueues<UNITS>, const WORDS: usize, const BITS: u32, const UNITS: usize> {
    /// The unit of each instruction: its index among the units the kernel uses.
    units: Vec<u8>,
    capacity: [u32; UNITS],
    issue: u32,
    /// Whether the issue limit can bind at all.
    limited: bool,
    warps: usize,
    entries: Vec<Entry<Q::Link>>,
    /// Where in the order each instruction stands, warp after warp.
    places: Vec<u32>,
    /// The state at every cycle that is a multiple of 2 to the power of `sparse`, from cycle 0 on.
    rows: Vec<Row<WORDS>>,
    sparse: u32,
    makespan: u32,
    /// For each warp a row that counts one instruction of it; of narrow rows only.
    ones: Vec<Row<WORDS>>,
    queues: Q,
    /// What one cycle serves, while it is played.
    taken: [u32; MOST_TAKEN],
    /// What the last change moved, for each warp.
    moved: Vec<Moved>,
    /// The last change as played: the states after row `from`, and how it ended.
    tried: Vec<Row<WORDS>>,
    from: usize,
    rejoined: bool,
}

impl<Q: ReadyQueues<UNITS>, const WORDS: usize, const BITS: u32, const UNITS: usize>
    CycleEvaluator<Q, WORDS, BITS, UNITS>
{
    const LANES: usize = (64 / BITS) as usize;
    const MASK: u64 = (1 << BITS) - 1;
    /// Whether every order it holds is so short that all states are kept.
    const IS_SHORT: bool = Q::MOST.saturating_mul(WORDS * 8) <= MOST_MEMORY;

    /// Plays an order for the first time; `None` where there are more warps, instructions or kinds of unit
    /// than it can hold.
    pub fn new(kernel: &Kernel, machine: &Machine, order: &[u8], warps: usize) -> Option<Self> {
        let used = kernel.kinds();
        let fits = order.len() <= Q::MOST
            && warps <= WORDS * Self::LANES
            && kernel.len() <= Self::MASK as usize
            && used.len() <= UNITS;
        if !fits {
            return None;
        }
        let units = kernel.units().iter().map(|unit| used.iter().position(|u| u == unit).unwrap_or(0) as u8);
        let mut capacity = [0; UNITS];
        for (slot, unit) in capacity.iter_mut().zip(&used) {
            *slot = machine.capacity[*unit];
        }
        let issue = machine.issue_limit();
        let mut sparse = 0;
        while (order.len() >> sparse) * WORDS * 8 > MOST_MEMORY {
            sparse += 1;
        }
        let mut new = Self {
            units: units.collect(),
            capacity,
            issue,
            limited: capacity
                .iter()
                .try_fold(0u32, |sum, &c| sum.checked_add(c))
                .is_none_or(|sum| sum > issue),
            warps,
            entries: order.iter().map(|&warp| Entry { next: Q::link(None), warp }).collect(),
            places: vec![0; order.len()],
            rows: vec![[0; WORDS]],
            sparse,
            makespan: 0,
            ones: (0..if WORDS > 2 { 0 } else { warps }).map(Self::one).collect(),
            queues: Q::holding(order.len()),
            taken: [0; MOST_TAKEN],
            moved: vec![Moved::default(); warps],
            tried: Vec::new(),
            from: 0,
            rejoined: false,
        };
        new.relink(0, order.len());
        let makespan = new.play(0, usize::MAX);
        new.accept(makespan);
        Some(new)
    }

    /// Where the instructions of a warp stand.
    fn row_of(&self, warp: usize) -> &[u32] {
        let length = self.units.len();
        &self.places[warp * length..(warp + 1) * length]
    }

    /// Exchanges two entries and mends what stands between them for their two warps.
    fn exchange(&mut self, a: usize, b: usize) {
        let length = self.units.len();
        let (x, y) = (self.warp(a) as usize, self.warp(b) as usize);
        let (entries, units) = (&mut self.entries, &self.units[..]);
        let link = |entries: &mut [Entry<Q::Link>], places: &[u32], i: usize, warp: usize| {
            // The entry of instruction i - 1 leads to instruction i.
            if i > 0 {
                let next = places.get(i).map(|&next| (next, units[i]));
                entries[places[i - 1] as usize] = Entry { next: Q::link(next), warp: warp as u8 };
            }
        };
        // The first warp's instructions between the two places each move up to the place of the next one.
        let row = &mut self.places[x * length..(x + 1) * length];
        let from = row.partition_point(|&p| (p as usize) < a);
        let mut i = from;
        while i + 1 < length && (row[i + 1] as usize) < b {
            row[i] = row[i + 1];
            link(entries, row, i, x);
            i += 1;
        }
        row[i] = b as u32;
        link(entries, row, i, x);
        link(entries, row, i + 1, x);
        self.moved[x] = Moved { from: from as u32, to: i as u32 + 1 };
        // The second warp's each move down to the place of the one before.
        let row = &mut self.places[y * length..(y + 1) * length];
        let to = row.partition_point(|&p| (p as usize) < b) + 1;
        let mut i = to - 1;
        while i > 0 && (row[i - 1] as usize) > a {
            row[i] = row[i - 1];
            link(entries, row, i + 1, y);
            i -= 1;
        }
        row[i] = a as u32;
        link(entries, row, i + 1, y);
        link(entries, row, i, y);
        self.moved[y] = Moved { from: i as u32, to: to as u32 };
    }

    /// Writes warps into the order and mends the rest.
    fn put(&mut self, from: usize, warps: &[u8]) {
        for (entry, &warp) in self.entries[from..].iter_mut().zip(warps) {
            entry.warp = warp;
        }
        self.relink(from, from + warps.len());
    }

    /// Mends places and links after the warps of the entries `from..to` were dealt anew.
    fn relink(&mut self, from: usize, to: usize) {
        let length = self.units.len();
        for warp in 0..self.warps {
            // Places outside the range are as they were, and the range holds as many of each warp.
            let first = if from == 0 { 0 } else { self.before(warp, from) as u32 };
            self.moved[warp] = Moved { from: first, to: first };
        }
        for place in from..to {
            let warp = self.entries[place].warp as usize;
            let instruction = self.moved[warp].to as usize;
            self.moved[warp].to += 1;
            self.places[warp * length + instruction] = place as u32;
        }
        for warp in 0..self.warps {
            let Moved { from, to } = self.moved[warp];
            if from == to {
                continue;
            }
            let row = &self.places[warp * length..(warp + 1) * length];
            for i in (from.max(1) as usize)..=(to as usize) {
                let next = row.get(i).map(|&next| (next, self.units[i]));
                self.entries[row[i - 1] as usize].next = Q::link(next);
            }
        }
    }

    #[inline]
    fn lane(row: &Row<WORDS>, warp: usize) -> u32 {
        ((row[warp / Self::LANES % WORDS] >> (warp % Self::LANES * BITS as usize)) & Self::MASK) as u32
    }

    /// A row that counts one instruction of a warp.
    fn one(warp: usize) -> Row<WORDS> {
        let mut row = [0; WORDS];
        row[warp / Self::LANES % WORDS] = 1 << (warp % Self::LANES * BITS as usize);
        row
    }

    /// The row to start from and the first row from which on the change is behind, after a swap that moved
    /// one warp's entries down and another's up.
    fn window_of_swap(&self, falls: usize, rises: usize) -> (usize, usize) {
        let (down, up) = (self.moved[falls], self.moved[rises]);
        let safe = self
            .rows
            .partition_point(|row| Self::lane(row, falls) < down.to || Self::lane(row, rises) < up.to);
        if self.sparse > 0 {
            let reached =
                |row: &Row<WORDS>| Self::lane(row, falls) < down.from && Self::lane(row, rises) < up.from;
            return (self.rows.partition_point(reached).saturating_sub(1), safe);
        }
        // A warp that falls back matters from the cycle in which it executed its first moved instruction;
        // one that moves up from the first cycle in which a moved instruction of it had to wait.
        let fell = self.rows.partition_point(|row| Self::lane(row, falls) <= down.from) - 1;
        let mut rose = self.rows.partition_point(|row| Self::lane(row, rises) < up.from);
        let mut i = up.from;
        while i < up.to && Self::lane(&self.rows[rose + 1], rises) > i {
            (i, rose) = (i + 1, rose + 1);
        }
        (if i < up.to { fell.min(rose) } else { fell }, safe)
    }

    /// The same after any change.
    fn window(&self) -> (usize, usize) {
        let moved = || self.moved.iter().enumerate().filter(|(_, moved)| moved.from < moved.to);
        let untouched = |row: &Row<WORDS>| moved().all(|(warp, m)| Self::lane(row, warp) < m.from);
        let start = self.rows.partition_point(untouched);
        let safe = self.rows.partition_point(|row| moved().any(|(warp, m)| Self::lane(row, warp) < m.to));
        (if self.sparse > 0 { start.saturating_sub(1) } else { start }, safe)
    }

    /// Plays the order from a kept row until it is over or, from row `safe` on, back in a kept state.
    fn play(&mut self, from: usize, safe: usize) -> u32 {
        if self.limited { self.play_as::<true>(from, safe) } else { self.play_as::<false>(from, safe) }
    }

    fn play_as<const LIMITED: bool>(&mut self, from: usize, safe: usize) -> u32 {
        let length = self.units.len();
        let mut row = self.rows[from];
        let mut left = 0;
        let mut waiting = Q::nothing();
        for warp in 0..self.warps {
            let done = Self::lane(&row, warp) as usize;
            left += length - done;
            if done < length {
                let next = (self.places[warp * length + done], self.units[done]);
                self.queues.add(&mut waiting, Q::link(Some(next)));
            }
        }
        self.from = from;
        self.tried.clear();
        let Self { queues, entries, taken, tried, rows, ones, .. } = self;
        let (capacity, issue) = (self.capacity, self.issue as usize);
        let sparse = if Self::IS_SHORT { 0 } else { self.sparse };
        let mut cycle = from << sparse;
        let between = (1 << sparse) - 1;
        loop {
            let mut count = 0;
            let mut ends = [0; UNITS];
            for unit in 0..UNITS {
                count = queues.take(&mut waiting, unit, capacity[unit], taken, count);
                ends[unit] = count;
            }
            if LIMITED && count > issue {
                count = put_back::<Q, UNITS>(queues, &mut waiting, taken, ends, issue);
            }
            for &place in &taken[..count.min(MOST_TAKEN)] {
                let entry = entries[place as usize];
                let warp = usize::from(entry.warp);
                if WORDS > 2 {
                    row[warp / Self::LANES % WORDS] += 1 << (warp % Self::LANES * BITS as usize);
                } else {
                    // All words, so that the row can stay in registers.
                    let one = &ones[warp];
                    for word in 0..WORDS {
                        row[word] += one[word];
                    }
                }
                queues.add(&mut waiting, entry.next);
            }
            left -= count;
            cycle += 1;
            if cycle & between == 0 {
                tried.push(row);
                let at = cycle >> sparse;
                if at >= safe && rows.get(at) == Some(&row) {
                    queues.clear(waiting);
                    self.rejoined = true;
                    return self.makespan;
                }
            }
            if left == 0 {
                self.rejoined = false;
                return cycle as u32;
            }
        }
    }
}

impl<Q: ReadyQueues<UNITS>, const WORDS: usize, const BITS: u32, const UNITS: usize> Evaluator
    for CycleEvaluator<Q, WORDS, BITS, UNITS>
{
    fn makespan(&self) -> u32 {
        self.makespan
    }

    #[inline]
    fn warp(&self, place: usize) -> u8 {
        self.entries[place].warp
    }

    fn before(&self, warp: usize, place: usize) -> usize {
        self.row_of(warp).partition_point(|&p| (p as usize) < place)
    }

    fn swap(&mut self, a: usize, b: usize) -> Option<u32> {
        let (a, b) = (a.min(b), a.max(b));
        let (falls, rises) = (self.warp(a) as usize, self.warp(b) as usize);
        self.exchange(a, b);
        let (start, safe) = self.window_of_swap(falls, rises);
        Some(self.play(start, safe))
    }

    fn undo_swap(&mut self, a: usize, b: usize) {
        self.exchange(a.min(b), a.max(b));
    }

    fn replace(&mut self, from: usize, warps: &[u8]) -> Option<u32> {
        self.put(from, warps);
        let (start, safe) = self.window();
        Some(self.play(start, safe))
    }

    fn undo_replace(&mut self, from: usize, warps: &[u8]) {
        self.put(from, warps);
    }

    fn accept(&mut self, makespan: u32) {
        let end = self.from + 1 + self.tried.len();
        if !self.rejoined {
            self.rows.resize(end, [0; WORDS]);
            self.makespan = makespan;
        }
        self.rows[self.from + 1..end].copy_from_slice(&self.tried);
    }

    fn strained(&mut self) -> bool {
        false
    }
}

/// Leaves the first `issue` of the places taken, in any order, and has the others wait again. Each unit's
/// places ascend and end before `ends`.
fn put_back<Q: ReadyQueues<UNITS>, const UNITS: usize>(
    queues: &mut Q,
    waiting: &mut Q::Index,
    taken: &mut [u32; MOST_TAKEN],
    ends: [usize; UNITS],
    issue: usize,
) -> usize {
    let mut kept = ends;
    for _ in issue..ends[UNITS - 1] {
        // The last place of all, with its unit and without a branch: which unit it is of cannot be guessed.
        let mut last = 0;
        for unit in 0..UNITS {
            let start = if unit == 0 { 0 } else { ends[unit - 1] };
            let place = u64::from(taken[kept[unit].wrapping_sub(1) % MOST_TAKEN]) + 1;
            last = last.max(if kept[unit] > start { place << 8 | unit as u64 } else { 0 });
        }
        let unit = (last & 0xff) as usize;
        queues.add(waiting, Q::link(Some(((last >> 8) as u32 - 1, unit as u8))));
        for (u, kept) in kept.iter_mut().enumerate() {
            *kept -= usize::from(u == unit);
        }
    }
    // What is at the end fills the holes before it.
    let mut end = ends[UNITS - 1];
    for unit in (0..UNITS).rev() {
        for hole in (kept[unit]..ends[unit]).rev() {
            end -= 1;
            taken[hole % MOST_TAKEN] = taken[end % MOST_TAKEN];
        }
    }
    end
}
