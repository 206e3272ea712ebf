//! The makespan of an order after a change, by placing its entries again until nothing differs any more.
//!
//! Reading an order from left to right, each entry goes to the first cycle with room, from the first one its
//! warp is ready in. All that matters before an entry is therefore from when on each warp is ready, and how
//! much room the cycles have. That is kept before every [`BLOCK`]th entry of the present order. A changed
//! order is placed from the kept state before its first changed entry on, until behind the last changed one
//! the state is the kept one again: from there on both schedules are the same.
//!
//! Cycles are bits. What is done for an entry takes some thirty operations of the processor without a branch,
//! and the entry after it waits for six of them, because only the [`NEAR`] cycles from the first one on that
//! still matters are held in registers. Entries that go beyond are rare where warps advance about equally,
//! and what they need is apart. An order that would need more than [`REACH`] cycles at once is given up.

use super::evaluator::Evaluator;
use super::room::{NEAR, Room};
use crate::warps::{Kernel, Machine, Unit};

/// The most warps: one word each.
const WARPS: usize = 16;

/// The most places of an order.
const MOST_PLACES: usize = 4_096;

/// States are kept before every entry whose place is a multiple of this.
const BLOCK: usize = 32;

/// Cycles that are held in all.
const REACH: u32 = NEAR + 64;

/// What there is around the places of a warp, so that each has one before and one after it.
const MARGIN: usize = 8;

/// An entry of the order, as masks; half a line of the cache each.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[repr(align(32))]
struct Entry {
    /// All bits where its instruction is for the second kind of unit.
    second: u64,
    /// All bits but for a warp's last instruction.
    goes_on: u64,
    warp: u64,
}

/// The room of both kinds of unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Rooms<const A: usize, const B: usize> {
    first: Room<A>,
    second: Room<B>,
}

/// Near cycles and those behind them.
#[derive(Debug, Clone, Copy)]
struct Cycles<const A: usize, const B: usize> {
    /// The first near cycle.
    base: u32,
    near: Rooms<A, B>,
    far: Rooms<A, B>,
}

/// From when on warps are ready.
#[derive(Debug, Clone, Copy)]
struct Ready {
    /// The near cycles from there on, and the bit behind them; nothing for warps that are late or over.
    ahead: [u64; WARPS],
    late: Late,
}

/// Warps that are ready after the near cycles.
#[derive(Debug, Clone, Copy)]
struct Late {
    /// A bit for each of them.
    warps: u16,
    /// After how many cycles from the first near one they are ready.
    after: [u8; WARPS],
}

/// What matters before an entry.
#[derive(Debug, Clone, Copy)]
struct State<const A: usize, const B: usize> {
    ready: Ready,
    cycles: Cycles<A, B>,
}

/// The state before a block of entries.
#[derive(Debug, Clone, Copy)]
struct Kept<const A: usize, const B: usize> {
    /// That of the present order, and one of an order being tried.
    states: [State<A, B>; 2],
    /// Which of them is which.
    present: usize,
}

/// An order of up to 16 warps on up to two kinds of unit, and the states its schedule is built through.
///
/// `A` and `B` are the binary digits that count what a cycle of either kind holds. Where the issue limit is all
/// that limits the second kind, its room is that of the issue slots, and `SHARED` by both.
#[derive(Debug)]
pub struct Placing<const A: usize, const B: usize, const SHARED: bool> {
    warps: usize,
    length: usize,
    entries: Vec<Entry>,
    /// What the entries of a warp's instructions are but for the warp.
    table: Vec<Entry>,
    /// The instructions that are not as the one after them.
    turns: Vec<usize>,
    /// Where in the order each instruction stands, warp after warp, with margins.
    places: Vec<i16>,
    /// A row of places that is being made.
    row: Vec<i16>,
    /// How far the next instruction of a warp stands, for changes of many entries.
    dealt: [usize; WARPS],
    empty: Rooms<A, B>,
    kept: Vec<Kept<A, B>>,
    makespan: u32,
    /// The last change as placed: the blocks before which states were found, and how it ended.
    tried: std::ops::Range<usize>,
    rejoined: bool,
    /// Blocks placed and entries that went beyond the near cycles since this was last asked.
    blocks: u32,
    beyond: u32,
}

impl<const A: usize, const B: usize, const SHARED: bool> Placing<A, B, SHARED> {
    /// Places an order for the first time; `None` where kernel, machine or order do not suit.
    pub fn new(kernel: &Kernel, machine: &Machine, order: &[u8], warps: usize) -> Option<Self> {
        let mut used: Vec<Unit> = Unit::ALL.into_iter().filter(|&unit| kernel.totals()[unit] > 0).collect();
        used.sort_by_key(|&unit| machine.capacity[unit]);
        // No more than all warps ever want to execute at once.
        let most = u32::try_from(warps).ok()?;
        let slots = machine.issue_limit().min(most);
        let capacity = |i: usize| used.get(i).map_or(1, |&unit| machine.capacity[unit].min(slots));
        // Where the issue limit matters, it must be all that limits the second kind, which is the larger.
        let limited = used.len() == 2 && slots < most.min(capacity(0) + capacity(1));
        let suits = used.len() <= 2
            && (1..=WARPS).contains(&warps)
            && order.len() <= MOST_PLACES
            && capacity(0) <= Room::<A>::MOST
            && capacity(1) <= Room::<B>::MOST
            && limited == SHARED
            && (!limited || slots == capacity(1));
        if !suits {
            return None;
        }
        let length = kernel.len();
        let empty = Rooms { first: Room::empty(capacity(0)), second: Room::empty(capacity(1)) };
        let mut ready = Ready { ahead: [0; WARPS], late: Late { warps: 0, after: [0; WARPS] } };
        ready.ahead[..warps].fill(!0);
        let start = State { ready, cycles: Cycles { base: 0, near: empty.near(), far: empty } };
        let mut table: Vec<Entry> = kernel
            .units()
            .iter()
            .map(|unit| Entry { second: mask(used.get(1) == Some(unit)), goes_on: !0, warp: 0 })
            .collect();
        if let Some(last) = table.last_mut() {
            last.goes_on = 0;
        }
        let turns = (1..length).filter(|&i| table[i] != table[i - 1]).map(|i| i - 1).collect();
        let mut row = vec![i16::MAX; length + 2 * MARGIN];
        row[..MARGIN].fill(-1);
        let mut new = Self {
            warps,
            length,
            entries: order.iter().map(|&warp| Entry { warp: warp.into(), ..Entry::default() }).collect(),
            table,
            turns,
            places: row.repeat(warps),
            row,
            dealt: [0; WARPS],
            empty,
            kept: vec![Kept { states: [start; 2], present: 0 }; order.len().div_ceil(BLOCK) + 1],
            makespan: 0,
            tried: 0..0,
            rejoined: false,
            blocks: 0,
            beyond: 0,
        };
        new.deal(0, order);
        let makespan = new.place(0, usize::MAX)?;
        new.accept(makespan);
        Some(new)
    }

    /// Where the instructions of a warp stand.
    fn places_of(&self, warp: usize) -> &[i16] {
        &self.places[self.row_of(warp)]
    }

    /// The part of all places that is a warp's, without margins.
    fn row_of(&self, warp: usize) -> std::ops::Range<usize> {
        let from = warp * (self.length + 2 * MARGIN) + MARGIN;
        from..from + self.length
    }

    /// Exchanges two entries.
    fn exchange(&mut self, a: usize, b: usize) {
        let (x, y) = (self.entries[a].warp, self.entries[b].warp);
        // The first warp's instructions between the two places each move up to the place of the next one.
        let at = self.row_of(x as usize);
        let (row, next) = (&self.places[at.clone()], &self.places[at.start + 1..=at.end]);
        let (from, to) = (a as i16, b as i16); // orders are shorter than that
        let mut before = 0;
        for ((new, &old), &next) in self.row.iter_mut().zip(row).zip(next) {
            let moved = next.min(to);
            *new = if (old >= from) & (old < to) { moved } else { old };
            before += i16::from(*new < to);
        }
        self.entries[b] = Entry { warp: x, ..self.table[before as usize] };
        for &turn in &self.turns {
            self.entries[self.row[turn] as usize].becomes(&self.table[turn]);
        }
        self.places[at].copy_from_slice(&self.row[..self.length]);
        // The second warp's each move down to the place of the one before.
        let at = self.row_of(y as usize);
        let (row, previous) = (&self.places[at.clone()], &self.places[at.start - 1..at.end - 1]);
        let mut before = 0;
        for ((new, &old), &previous) in self.row.iter_mut().zip(row).zip(previous) {
            let moved = previous.max(from);
            *new = if (old > from) & (old <= to) { moved } else { old };
            before += i16::from(*new < from);
        }
        self.entries[a] = Entry { warp: y, ..self.table[before as usize] };
        for &turn in &self.turns {
            self.entries[self.row[turn + 1] as usize].becomes(&self.table[turn + 1]);
        }
        self.places[at].copy_from_slice(&self.row[..self.length]);
    }

    /// Gives the entries from a place on to these warps, as many of each as before.
    fn deal(&mut self, from: usize, warps: &[u8]) {
        for warp in 0..self.warps {
            self.dealt[warp] = if from == 0 { 0 } else { self.before(warp, from) };
        }
        for (place, &warp) in (from..).zip(warps) {
            let instruction = self.dealt[usize::from(warp)];
            self.dealt[usize::from(warp)] += 1;
            self.entries[place] = Entry { warp: warp.into(), ..self.table[instruction] };
            let at = self.row_of(warp.into()).start + instruction;
            self.places[at] = place as i16;
        }
    }

    /// Places the order from a changed entry on until it is over or, from entry `safe` on, back in a kept
    /// state.
    fn place(&mut self, from: usize, safe: usize) -> Option<u32> {
        let mut block = from / BLOCK;
        let State { ready, cycles } = self.kept[block].present();
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
            let (blocks, rest) = self.entries.as_chunks::<BLOCK>();
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
            let (present, tried) = self.kept[block].both();
            tried.ready.ahead.copy_from_slice(&ahead[..WARPS]);
            tried.ready.late = late;
            tried.cycles = Cycles { base, near, far };
            if block * BLOCK >= safe && tried.leads_where(present, &self.empty) {
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

impl<const A: usize, const B: usize, const SHARED: bool> Evaluator for Placing<A, B, SHARED> {
    fn makespan(&self) -> u32 {
        self.makespan
    }

    fn warp(&self, place: usize) -> u8 {
        self.entries[place].warp as u8
    }

    fn before(&self, warp: usize, place: usize) -> usize {
        self.places_of(warp).partition_point(|&p| (p as usize) < place)
    }

    fn swap(&mut self, a: usize, b: usize) -> Option<u32> {
        let (a, b) = (a.min(b), a.max(b));
        self.exchange(a, b);
        self.place(a, b + 1)
    }

    fn undo_swap(&mut self, a: usize, b: usize) {
        self.exchange(a.min(b), a.max(b));
    }

    fn replace(&mut self, from: usize, warps: &[u8]) -> Option<u32> {
        self.deal(from, warps);
        self.place(from, from + warps.len())
    }

    fn undo_replace(&mut self, from: usize, warps: &[u8]) {
        self.deal(from, warps);
    }

    fn accept(&mut self, makespan: u32) {
        for kept in &mut self.kept[self.tried.clone()] {
            kept.present ^= 1;
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

/// All bits or none.
fn mask(all: bool) -> u64 {
    if all { !0 } else { 0 }
}

/// The lowest bit of a word, alone.
#[inline(always)]
fn lowest(word: u64) -> u64 {
    word & word.wrapping_neg()
}

impl Entry {
    /// Becomes another instruction of its warp.
    fn becomes(&mut self, instruction: &Self) {
        (self.second, self.goes_on) = (instruction.second, instruction.goes_on);
    }
}

impl<const A: usize, const B: usize> Rooms<A, B> {
    /// As many as there are near cycles.
    fn near(self) -> Self {
        Self { first: self.first.near(), second: self.second.near() }
    }

    /// What is left of the near cycles, of these, after leaving the first `by` behind.
    #[inline(always)]
    fn advance(&mut self, far: &mut Self, empty: &Self, by: u32) {
        self.first.advance(&mut far.first, &empty.first, by);
        self.second.advance(&mut far.second, &empty.second, by);
    }

    /// The cycles that hold anything.
    fn used(&self, empty: &Self) -> u64 {
        self.first.used(&empty.first) | self.second.used(&empty.second)
    }
}

impl<const A: usize, const B: usize> Cycles<A, B> {
    /// Leaves the first `by` cycles behind, from 1 to [`NEAR`].
    #[inline(always)]
    fn advance(&mut self, by: u32, empty: &Rooms<A, B>) {
        self.near.advance(&mut self.far, empty, by);
        self.base += by;
    }

    /// Places an entry for which no near cycle has room; `None` if there is none behind them either.
    #[cold]
    #[inline(never)]
    fn place_beyond<const SHARED: bool>(
        &mut self,
        empty: &Rooms<A, B>,
        ahead: &mut [u64; WARPS],
        late: &mut Late,
        entry: &Entry,
    ) -> Option<()> {
        // Cycles before the first in which a warp that is not over is ready do not matter any more.
        let past = ahead.iter().fold(0, |all, ahead| all | ahead).trailing_zeros();
        if (1..=NEAR).contains(&past) {
            for ahead in ahead.iter_mut() {
                *ahead = (*ahead as i64 >> past) as u64;
            }
            let mut warps = late.warps;
            while warps != 0 {
                let warp = warps.trailing_zeros() as usize % WARPS;
                warps &= warps - 1;
                late.after[warp] -= past as u8;
                if u32::from(late.after[warp]) <= NEAR {
                    ahead[warp] = !0 << late.after[warp];
                    late.warps ^= 1 << warp;
                }
            }
            self.advance(past, empty);
        }
        let warp = usize::from(entry.warp as u8) % WARPS;
        let open = |rooms: &Rooms<A, B>| match entry.second {
            0 if SHARED => rooms.first.free & rooms.second.free,
            0 => rooms.first.free,
            _ => rooms.second.free,
        };
        let close = lowest(open(&self.near) & ahead[warp]);
        let (rooms, cycle, before) = if close != 0 {
            (&mut self.near, close, 0)
        } else {
            let after = if late.warps >> warp & 1 == 1 { late.after[warp].into() } else { NEAR };
            let from = after - NEAR;
            let behind = lowest(open(&self.far) & (!0u64).checked_shl(from)?);
            (&mut self.far, behind, NEAR)
        };
        if cycle == 0 {
            return None;
        }
        if entry.second == 0 {
            rooms.first.take(cycle);
        }
        if SHARED || entry.second != 0 {
            rooms.second.take(cycle);
        }
        let ready = before + cycle.trailing_zeros() + 1;
        ahead[warp] = if ready <= NEAR { !0 << ready & entry.goes_on } else { 0 };
        let is_late = ready > NEAR && entry.goes_on != 0;
        late.warps = late.warps & !(1 << warp) | u16::from(is_late) << warp;
        late.after[warp] = ready as u8; // at most REACH
        Some(())
    }

    /// The cycle after the last that holds anything.
    fn end(&self, empty: &Rooms<A, B>) -> u32 {
        let (near, far) = (self.near.used(&empty.near()), self.far.used(empty));
        self.base + if far != 0 { REACH - far.leading_zeros() } else { 64 - near.leading_zeros() }
    }
}

impl<const A: usize, const B: usize> Kept<A, B> {
    /// The state of the present order.
    fn present(&self) -> &State<A, B> {
        let [one, other] = &self.states;
        if self.present == 0 { one } else { other }
    }

    /// The state of the present order, and the other.
    #[inline(always)]
    fn both(&mut self) -> (&State<A, B>, &mut State<A, B>) {
        let [one, other] = &mut self.states;
        if self.present == 0 { (one, other) } else { (other, one) }
    }
}

impl Ready {
    /// In which cycle each warp is ready, `base` being the first near one; nothing for those that are over.
    fn cycles(&self, base: u32) -> [u32; WARPS] {
        std::array::from_fn(|warp| match self.ahead[warp] {
            0 if self.late.warps >> warp & 1 == 1 => base + u32::from(self.late.after[warp]),
            0 => u32::MAX,
            ahead => base + ahead.trailing_zeros(),
        })
    }
}

impl<const A: usize, const B: usize> State<A, B> {
    /// Whether what follows is the same after both.
    #[inline(always)]
    fn leads_where(&self, other: &Self, empty: &Rooms<A, B>) -> bool {
        let (base, others) = (self.cycles.base, other.cycles.base);
        if base.abs_diff(others) > NEAR {
            return false;
        }
        // Where no warp is late this finds all that differs, and nearly all where one is.
        let (by, others_by) = (base.saturating_sub(others), others.saturating_sub(base));
        let aheads = self.ready.ahead.iter().zip(&other.ready.ahead);
        let differ = aheads.fold(0, |differ, (a, b)| differ | ((a << by) ^ (b << others_by)));
        differ == 0 && self.is(other, empty)
    }

    #[cold]
    #[inline(never)]
    fn is(&self, other: &Self, empty: &Rooms<A, B>) -> bool {
        let (mut cycles, mut others) = (self.cycles, other.cycles);
        let is_late = self.ready.late.warps | other.ready.late.warps != 0;
        if is_late && self.ready.cycles(cycles.base) != other.ready.cycles(others.base) {
            return false;
        }
        // Every warp is ready at the later base or after it, so what is before does not matter.
        if cycles.base < others.base {
            cycles.advance(others.base - cycles.base, empty);
        } else if others.base < cycles.base {
            others.advance(cycles.base - others.base, empty);
        }
        cycles.near == others.near && cycles.far == others.far
    }
}
