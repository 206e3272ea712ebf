//! For how long a warp holds some units, from a place on and within some cycles.

use super::rules::{LONGEST, Rules};

/// What a warp holds of some units.
pub struct Held {
    /// Bits of the units.
    pub units: u64,
    /// About how many numbers are kept.
    pub words: usize,
    /// For how long the places before each one hold them.
    before: Vec<u64>,
    /// By cycles within which the last one issues: a tree of the most, see [`tree`]; built when asked for.
    within: Vec<Option<Vec<u64>>>,
}

/// The bit of a unit.
pub fn bit(unit: Option<u16>) -> u64 {
    unit.map_or(0, |unit| 1 << unit)
}

impl Held {
    pub fn new(rules: &Rules, units: u64) -> Self {
        let mut before = vec![0];
        for place in 0..rules.places() {
            let own = if bit(rules.shared[place]) & units == 0 { 0 } else { rules.hold[place] };
            before.push(before[place] + own);
        }
        let within = vec![None; LONGEST as usize + 1];
        Self { units, words: before.len() + 3 * within.len(), before, within }
    }

    /// For how long places from one to before another hold them.
    pub fn between(&self, from: usize, to: usize) -> u64 {
        self.before[to] - self.before[from]
    }

    /// The most of any place from `from` on and before `end`: for how long it and those after it hold the units, before
    /// `end` and no more than `cycles` cycles after it.
    pub fn most(&mut self, rules: &Rules, (from, end): (usize, usize), cycles: u64, work: &mut u64) -> u64 {
        if from >= end {
            return 0;
        }
        let places = rules.places();
        let tree = self.within[cycles as usize].get_or_insert_with(|| {
            *work += 4 * places as u64;
            self.words += 2 * places;
            let of = |place| self.before[rules.beyond(place, cycles)] - self.before[place];
            tree((0..places).map(of).collect())
        });
        // From which place on the end cuts it short: the later, the sooner it is there.
        let cut = first(from.max(end.saturating_sub(1 + cycles as usize)), end, |place| {
            rules.near(place, end - 1, cycles)
        });
        *work += 8;
        highest(tree, from, cut).max(self.before[end] - self.before[cut])
    }
}

/// The first of some numbers for which something is true, if it is for all after it, too; the end if it is for none.
pub fn first(mut from: usize, mut end: usize, holds: impl Fn(usize) -> bool) -> usize {
    while from < end {
        let middle = usize::midpoint(from, end);
        if holds(middle) {
            end = middle;
        } else {
            from = middle + 1;
        }
    }
    from
}

/// A tree of maxima over a row: the row is its second half, and each before that is the highest of two.
fn tree(row: Vec<u64>) -> Vec<u64> {
    let count = row.len();
    let mut all = vec![0; count];
    all.extend(row);
    for at in (1..count).rev() {
        all[at] = all[2 * at].max(all[2 * at + 1]);
    }
    all
}

/// The highest of a part of the row.
fn highest(tree: &[u64], from: usize, to: usize) -> u64 {
    let count = tree.len() / 2;
    let (mut from, mut to, mut most) = (from + count, to + count, 0);
    while from < to {
        if from % 2 == 1 {
            most = most.max(tree[from]);
            from += 1;
        }
        if to % 2 == 1 {
            to -= 1;
            most = most.max(tree[to]);
        }
        from /= 2;
        to /= 2;
    }
    most
}
