//! Dynamic programming over aggregates: the longest path from every state of phases, where the largest remainders are
//! left out of account.
//!
//! States are counted in lexicographic order: phase by phase, first the number of warps, then the
//! instructions they have left. A step lowers the first of these numbers that it changes, so it leads to a
//! state that was counted, and computed, before.

use super::phases::{Group, Phases, leaving};
use super::work::Work;

/// A length for every state.
pub struct Table {
    longest: Vec<u16>,
    lengths: Vec<u32>,
    warps: usize,
    cells: Numbering,
}

impl Table {
    /// Computes it; `None` where it would have more cells than that, or longer paths than a cell holds, or take more
    /// work than there is.
    pub fn new(phases: &Phases, most: u64, work: &Work) -> Option<Self> {
        let lengths: Vec<u32> = (0..phases.count()).map(|phase| phases.length(phase)).collect();
        let warps = phases.warps() as usize;
        let cells = Numbering::new(&lengths, warps)?;
        let longest = lengths.iter().sum::<u32>().checked_mul(phases.warps())?;
        if cells.all() > most || longest > u32::from(u16::MAX) {
            return None;
        }
        let counts = Numbering::new(&vec![1; lengths.len()], warps)?;
        let longest = Vec::with_capacity(usize::try_from(cells.all()).ok()?);
        let mut table = Self { longest, lengths, warps, cells };
        let known = vec![None; usize::try_from(counts.all()).ok()?];
        let mut filling =
            Filling { phases, work, counts, known, state: vec![Group::default(); phases.count()] };
        table.fill(&mut filling, 0, warps, 0);
        (!work.is_over()).then_some(table)
    }

    fn fill(&mut self, at: &mut Filling<'_>, phase: usize, warps: usize, count: u64) {
        let Some(&length) = self.lengths.get(phase) else {
            let choices =
                at.known[count as usize].get_or_insert_with(|| at.phases.choices(&at.state, at.work));
            let moving = choices.iter().filter(|executing| executing.iter().any(|&n| n > 0));
            let mut seen = 0;
            let longest = moving
                .map(|executing| 1 + self.after((&at.state, executing), 0, 0, (self.warps, 0), &mut seen));
            self.longest.push(longest.max().unwrap_or(0));
            at.work.spend(1 + seen);
            return;
        };
        for n in 0..=warps {
            for left in n as u32..=n as u32 * length {
                if at.work.is_over() {
                    return;
                }
                at.state[phase] = Group { warps: n as u32, left, most: length };
                let count = count + at.counts.before(phase, warps, n);
                self.fill(at, phase + 1, warps - n, count);
            }
        }
    }

    /// The longest path from the states that follow when these warps execute: the cells of all of them are
    /// found phase by phase.
    fn after(
        &self,
        (state, executing): (&[Group], &[u32]),
        phase: usize,
        entering: u32,
        (warps, cell): (usize, u64),
        seen: &mut u64,
    ) -> u16 {
        let Some(&group) = state.get(phase) else {
            *seen += 1;
            return self.longest[cell as usize];
        };
        let executes = executing[phase];
        let mut longest = 0;
        for leaving in leaving(group, executes) {
            let n = group.warps - leaving + entering;
            let left = group.left - executes + entering * self.lengths[phase];
            let cell = cell + self.cells.offset(phase, warps, n, left);
            let rest = warps - n as usize;
            longest = longest.max(self.after((state, executing), phase + 1, leaving, (rest, cell), seen));
        }
        longest
    }

    /// How many cells there are.
    pub fn cells(&self) -> u64 {
        self.longest.len() as u64
    }

    /// The most cycles a state can still take.
    pub fn longest(&self, state: &[Group]) -> u32 {
        let (mut cell, mut warps) = (0, self.warps);
        for (phase, group) in state.iter().enumerate() {
            cell += self.cells.offset(phase, warps, group.warps, group.left);
            warps -= group.warps as usize;
        }
        self.longest.get(cell as usize).copied().unwrap_or(u16::MAX).into()
    }
}

/// What filling a table needs besides it.
struct Filling<'a> {
    phases: &'a Phases,
    work: &'a Work,
    counts: Numbering,
    /// The choices for each number of warps in each phase.
    known: Vec<Option<Vec<Vec<u32>>>>,
    state: Vec<Group>,
}

/// Numbers states from 0, in lexicographic order.
struct Numbering {
    /// One more than the number of warps: the length of a row below.
    row: usize,
    /// For each phase and number of warps not in earlier ones: how many states that phase and the later have.
    sizes: Vec<u64>,
    /// For each phase, number of warps not in earlier ones, and number in it: how many states stand before
    /// the first of that number.
    before: Vec<u64>,
}

impl Numbering {
    /// Of phases of these lengths; `None` where there are more states than can be counted.
    fn new(lengths: &[u32], warps: usize) -> Option<Self> {
        let row = warps + 1;
        let mut sizes = vec![1u64; (lengths.len() + 1) * row];
        let mut before = vec![0u64; lengths.len() * row * row];
        for (phase, &length) in lengths.iter().enumerate().rev() {
            for all in 0..row {
                let mut sum = 0u64;
                for n in 0..=all {
                    before[(phase * row + all) * row + n] = sum;
                    let here = n as u64 * u64::from(length - 1) + 1;
                    sum = sum.checked_add(here.checked_mul(sizes[(phase + 1) * row + all - n])?)?;
                }
                sizes[phase * row + all] = sum;
            }
        }
        Some(Self { row, sizes, before })
    }

    fn all(&self) -> u64 {
        self.sizes[self.row - 1]
    }

    /// How many states stand before the first with so many warps in a phase.
    fn before(&self, phase: usize, warps: usize, n: usize) -> u64 {
        self.before[(phase * self.row + warps) * self.row + n]
    }

    /// How much a phase adds to a state's number.
    fn offset(&self, phase: usize, warps: usize, n: u32, left: u32) -> u64 {
        let more = u64::from(left - n) * self.sizes[(phase + 1) * self.row + warps - n as usize];
        self.before(phase, warps, n as usize) + more
    }
}
