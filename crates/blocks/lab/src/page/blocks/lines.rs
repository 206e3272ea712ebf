//! All blocks and copies of a run as lines of a table.

use super::{Chosen, Runs, Which};
use crate::draw::blocks::Selected;

/// Lines a table has at the most: browsers draw nothing higher than some millions of pixels.
pub const MOST_LINES: usize = 500_000;

/// In which order they stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sort {
    /// Kernel after kernel, as they were launched.
    #[default]
    Launch,
    /// By when they start.
    Start,
    /// SM after SM.
    Sm,
}

impl Sort {
    /// All of them, with the names that people read.
    pub const ALL: [(Self, &'static str); 3] =
        [(Self::Launch, "by kernel"), (Self::Start, "by start"), (Self::Sm, "by SM")];
}

/// The lines.
#[derive(Debug, Clone, PartialEq)]
pub struct Lines {
    which: Which,
    /// Where each launch's blocks begin.
    firsts: Vec<usize>,
    blocks: usize,
    copies: usize,
    /// Which thing stands in which line, where that is not the order of the trace.
    order: Option<Vec<u32>>,
}

impl Lines {
    /// The lines of a run; none where there is no such run.
    pub fn new(runs: &Runs, which: Which, sort: Sort) -> Self {
        let Some(known) = runs.pictured(which) else {
            return Self { which, firsts: Vec::new(), blocks: 0, copies: 0, order: None };
        };
        let trace = &known.trace;
        let (blocks, copies) = (trace.blocks.len(), trace.copies.len());
        let copy = |i: u32| trace.copies.get(i as usize - blocks);
        let start = |i: u32| match trace.blocks.get(i as usize) {
            Some(block) => block.start,
            None => copy(i).map(|copy| copy.start).unwrap_or_default(),
        };
        // Copies after the SMs.
        let place = |i: u32| match trace.blocks.get(i as usize) {
            Some(block) => (0, block.sm),
            None => (1, copy(i).map_or(0, |copy| copy.engine)),
        };
        let all = || (0..u32::try_from(blocks + copies).unwrap_or(u32::MAX)).collect::<Vec<u32>>();
        let order = match sort {
            Sort::Launch => None,
            Sort::Start => {
                let mut all = all();
                base::sort::sort_by_key(&mut all, |&i| start(i));
                Some(all)
            }
            Sort::Sm => {
                let mut all = all();
                base::sort::sort_by_key(&mut all, |&i| (place(i), start(i)));
                Some(all)
            }
        };
        let firsts = trace.kernels.iter().map(|run| run.blocks.start).collect();
        Self { which, firsts, blocks, copies, order }
    }

    /// How many there are.
    pub fn all(&self) -> usize {
        self.blocks + self.copies
    }

    /// How many are shown.
    pub fn count(&self) -> usize {
        self.all().min(MOST_LINES)
    }

    /// The thing in a line.
    pub fn at(&self, line: usize) -> Option<Chosen> {
        let i = match &self.order {
            Some(order) => *order.get(line)? as usize,
            None => line,
        };
        let what = if i < self.blocks {
            let run = self.firsts.partition_point(|&first| first <= i).checked_sub(1)?;
            Selected::Block { run, block: u32::try_from(i - self.firsts[run]).ok()? }
        } else {
            Selected::Copy(Some(i - self.blocks).filter(|&copy| copy < self.copies)?)
        };
        Some(Chosen { which: self.which, what })
    }

    /// The line of a thing.
    pub fn line_of(&self, chosen: Chosen) -> Option<usize> {
        let i = match chosen.what {
            Selected::Block { run, block } => self.firsts.get(run)?.checked_add(block as usize)?,
            Selected::Launch(run) => *self.firsts.get(run)?,
            Selected::Copy(copy) => self.blocks.checked_add(copy)?,
        };
        let line = match &self.order {
            Some(order) => order.iter().position(|&other| other as usize == i)?,
            None => i,
        };
        (chosen.which == self.which && line < self.count()).then_some(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::blocks::sample;

    #[test]
    fn every_order_holds_every_thing_once() {
        for runs in [sample::runs(), sample::odd(), sample::both()] {
            for run in &runs.runs {
                for (sort, _) in Sort::ALL {
                    let lines = Lines::new(&runs, run.which, sort);
                    assert!(lines.count() > 0);
                    for line in 0..lines.count() {
                        let Some(chosen) = lines.at(line) else { unreachable!("a line") };
                        assert!(runs.has(chosen));
                        assert_eq!(lines.line_of(chosen), Some(line));
                    }
                    assert_eq!(lines.at(lines.count()), None);
                }
            }
        }
    }

    #[test]
    fn lines_stand_as_they_are_asked_to() {
        let runs = sample::odd();
        let first = |sort| {
            let lines = Lines::new(&runs, Which::Simulated, sort);
            let of = |line| lines.at(line).and_then(|chosen| runs.line(chosen)).unwrap_or_default();
            [of(0), of(lines.count() - 1)]
        };
        let [block, copy] = first(Sort::Launch);
        assert_eq!(block, "a & b: c block 0, SM 0, 0 to 10 ns, 32 threads");
        assert_eq!(copy, "copy in, copy engine 0, 40 to 45 ns, to the device");
        assert_eq!(first(Sort::Start)[1], copy);
        assert_eq!(first(Sort::Sm), [block, copy]);
    }
}
