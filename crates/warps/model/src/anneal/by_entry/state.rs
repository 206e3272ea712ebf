//! What matters before an entry is placed: from when on warps are ready, and how much room cycles have.

use super::free_slots::{FreeSlots, NEAR};
use super::order::Entry;

/// The most warps: one word each.
pub const WARPS: usize = 16;

/// Cycles that are held in all.
const REACH: u32 = NEAR + 64;

/// The free slots of both kinds of unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slots<const A: usize, const B: usize> {
    pub first: FreeSlots<A>,
    pub second: FreeSlots<B>,
}

/// Near cycles and those behind them.
#[derive(Debug, Clone, Copy)]
pub struct Cycles<const A: usize, const B: usize> {
    /// The first near cycle.
    pub base: u32,
    pub near: Slots<A, B>,
    pub far: Slots<A, B>,
}

/// From when on warps are ready.
#[derive(Debug, Clone, Copy)]
pub struct Ready {
    /// The near cycles from there on, and the bit behind them; nothing for warps that are late or over.
    pub ahead: [u64; WARPS],
    pub late: Late,
}

/// Warps that are ready after the near cycles.
#[derive(Debug, Clone, Copy)]
pub struct Late {
    /// A bit for each of them.
    warps: u16,
    /// After how many cycles from the first near one they are ready.
    after: [u8; WARPS],
}

/// What matters before an entry.
#[derive(Debug, Clone, Copy)]
pub struct State<const A: usize, const B: usize> {
    pub ready: Ready,
    pub cycles: Cycles<A, B>,
}

/// The state before a block of entries.
#[derive(Debug, Clone, Copy)]
pub struct Snapshot<const A: usize, const B: usize> {
    /// That of the present order, and one of an order being tried.
    pub states: [State<A, B>; 2],
    /// Which of them is which.
    pub present: usize,
}

/// The lowest bit of a word, alone.
#[inline(always)]
pub fn lowest(word: u64) -> u64 {
    word & word.wrapping_neg()
}

impl<const A: usize, const B: usize> Slots<A, B> {
    /// As many as there are near cycles.
    pub fn near(self) -> Self {
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
    fn advance(&mut self, by: u32, empty: &Slots<A, B>) {
        self.near.advance(&mut self.far, empty, by);
        self.base += by;
    }

    /// Places an entry for which no near cycle has room; `None` if there is none behind them either.
    #[cold]
    #[inline(never)]
    pub fn place_beyond<const SHARED: bool>(
        &mut self,
        empty: &Slots<A, B>,
        ahead: &mut [u64; WARPS],
        late: &mut Late,
        entry: &Entry,
    ) -> Option<()> {
        // Cycles before the first in which a warp that is not over is ready do not matter any more.
        // Where all of those are late, these are all near cycles.
        let past = ahead.iter().fold(0, |all, ahead| all | ahead).trailing_zeros().min(NEAR);
        if past > 0 {
            for ahead in ahead.iter_mut() {
                *ahead = (ahead.cast_signed() >> past).cast_unsigned();
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
        let open = |slots: &Slots<A, B>| match entry.second {
            0 if SHARED => slots.first.free & slots.second.free,
            0 => slots.first.free,
            _ => slots.second.free,
        };
        let close = lowest(open(&self.near) & ahead[warp]);
        let (slots, cycle, before) = if close != 0 {
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
            slots.first.take(cycle);
        }
        if SHARED || entry.second != 0 {
            slots.second.take(cycle);
        }
        let ready = before + cycle.trailing_zeros() + 1;
        ahead[warp] = if ready <= NEAR { !0 << ready & entry.goes_on } else { 0 };
        let is_late = ready > NEAR && entry.goes_on != 0;
        late.warps = late.warps & !(1 << warp) | u16::from(is_late) << warp;
        late.after[warp] = ready as u8; // at most REACH
        Some(())
    }

    /// The cycle after the last that holds anything.
    pub fn end(&self, empty: &Slots<A, B>) -> u32 {
        let (near, far) = (self.near.used(&empty.near()), self.far.used(empty));
        self.base + if far != 0 { REACH - far.leading_zeros() } else { 64 - near.leading_zeros() }
    }
}

impl<const A: usize, const B: usize> Snapshot<A, B> {
    /// The state of the present order.
    pub fn present(&self) -> &State<A, B> {
        let [one, other] = &self.states;
        if self.present == 0 { one } else { other }
    }

    /// The state of the present order, and the other.
    #[inline(always)]
    pub fn both(&mut self) -> (&State<A, B>, &mut State<A, B>) {
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
    /// What there is before the first entry.
    pub fn first(warps: usize, empty: Slots<A, B>) -> Self {
        let ahead = std::array::from_fn(|warp| if warp < warps { !0 } else { 0 });
        let late = Late { warps: 0, after: [0; WARPS] };
        let cycles = Cycles { base: 0, near: empty.near(), far: empty };
        Self { ready: Ready { ahead, late }, cycles }
    }

    /// Whether what follows is the same after both.
    #[inline(always)]
    pub fn leads_on_as(&self, other: &Self, empty: &Slots<A, B>) -> bool {
        let (base, others) = (self.cycles.base, other.cycles.base);
        if base.abs_diff(others) > NEAR {
            return false;
        }
        // Where no warp is late this finds all that differs, and nearly all where one is.
        let (by, others_by) = (base.saturating_sub(others), others.saturating_sub(base));
        let aheads = self.ready.ahead.iter().zip(&other.ready.ahead);
        let differ = aheads.fold(0, |differ, (a, b)| differ | ((a << by) ^ (b << others_by)));
        differ == 0 && self.is_exactly(other, empty)
    }

    #[cold]
    #[inline(never)]
    fn is_exactly(&self, other: &Self, empty: &Slots<A, B>) -> bool {
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
