//! An order, as what its entries are and where each warp's instructions stand.

use super::state::WARPS;
use crate::{Kernel, Unit};

/// The most places of an order.
pub const MOST_PLACES: usize = 4_096;

/// An entry of the order, as masks; half a line of the cache each.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[repr(align(32))]
pub struct Entry {
    /// All bits where its instruction is for the second kind of unit.
    pub second: u64,
    /// All bits but for a warp's last instruction.
    pub goes_on: u64,
    /// Whose it is.
    pub warp: u64,
}

/// The entries of an order.
#[derive(Debug)]
pub struct Entries {
    /// What they are, one after the other.
    pub all: Vec<Entry>,
    warps: usize,
    length: usize,
    /// What the entries of a warp's instructions are but for the warp.
    table: Vec<Entry>,
    /// The instructions that are not as the one after them.
    turns: Vec<usize>,
    /// Where in the order each instruction stands, warp after warp, with a place before all and one after all.
    places: Vec<i16>,
    /// A row of places that is being made.
    row: Vec<i16>,
    /// How far the next instruction of a warp stands, for changes of many entries.
    dealt: [usize; WARPS],
}

impl Entries {
    /// An order of a kernel's instructions, at most [`MOST_PLACES`]; `second` is what the second kind of unit
    /// is.
    pub fn new(kernel: &Kernel, second: Option<&Unit>, order: &[u8], warps: usize) -> Self {
        let length = kernel.len();
        let mut table: Vec<Entry> = kernel
            .units()
            .iter()
            .map(|unit| Entry { second: if second == Some(unit) { !0 } else { 0 }, goes_on: !0, warp: 0 })
            .collect();
        if let Some(last) = table.last_mut() {
            last.goes_on = 0;
        }
        let turns = (1..length).filter(|&i| table[i] != table[i - 1]).map(|i| i - 1).collect();
        let mut row = vec![i16::MAX; length + 2];
        row[0] = -1;
        let mut new = Self {
            all: vec![Entry::default(); order.len()],
            warps,
            length,
            table,
            turns,
            places: row.repeat(warps),
            row,
            dealt: [0; WARPS],
        };
        new.deal(0, order);
        new
    }

    /// How many instructions of a warp stand before a place.
    pub fn before(&self, warp: usize, place: usize) -> usize {
        let place = held(place);
        self.places[self.row_of(warp)].partition_point(|&p| p < place)
    }

    /// The part of all places that is a warp's.
    fn row_of(&self, warp: usize) -> std::ops::Range<usize> {
        let from = warp * (self.length + 2) + 1;
        from..from + self.length
    }

    /// Exchanges two entries.
    pub fn exchange(&mut self, a: usize, b: usize) {
        let (x, y) = (self.all[a].warp, self.all[b].warp);
        // The first warp's instructions between the two places each move up to the place of the next one.
        let at = self.row_of(x as usize);
        let (row, next) = (&self.places[at.clone()], &self.places[at.start + 1..=at.end]);
        let (from, to) = (held(a), held(b));
        let mut before = 0;
        for ((new, &old), &next) in self.row.iter_mut().zip(row).zip(next) {
            let moved = next.min(to);
            *new = if (old >= from) & (old < to) { moved } else { old };
            before += i16::from(*new < to);
        }
        self.all[b] = Entry { warp: x, ..self.table[before as usize] };
        for &turn in &self.turns {
            self.all[self.row[turn] as usize].becomes(&self.table[turn]);
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
        self.all[a] = Entry { warp: y, ..self.table[before as usize] };
        for &turn in &self.turns {
            self.all[self.row[turn + 1] as usize].becomes(&self.table[turn + 1]);
        }
        self.places[at].copy_from_slice(&self.row[..self.length]);
    }

    /// Gives the entries from a place on to these warps, as many of each as before.
    pub fn deal(&mut self, from: usize, warps: &[u8]) {
        for warp in 0..self.warps {
            self.dealt[warp] = if from == 0 { 0 } else { self.before(warp, from) };
        }
        for (place, &warp) in (from..).zip(warps) {
            let instruction = self.dealt[usize::from(warp)];
            self.dealt[usize::from(warp)] += 1;
            self.all[place] = Entry { warp: warp.into(), ..self.table[instruction] };
            let at = self.row_of(warp.into()).start + instruction;
            self.places[at] = held(place);
        }
    }
}

/// A place as it is held.
fn held(place: usize) -> i16 {
    i16::try_from(place).unwrap_or(i16::MAX) // orders are shorter than that
}

impl Entry {
    /// Becomes another instruction of its warp.
    fn becomes(&mut self, instruction: &Self) {
        (self.second, self.goes_on) = (instruction.second, instruction.goes_on);
    }
}
