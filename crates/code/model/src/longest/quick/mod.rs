//! Quick beams over the warps of one partition: cycle by cycle the states that promise the longest schedule.
//!
//! They go through the states that [`crate::exact::Beam`] goes through, some ten times as fast:
//!
//! 1. A state is a row of numbers (`tables.rs`), and all states of a cycle are one list. Nothing is made for a state but its
//!    row, and nothing at all for one that promises less than so many others that wait for the same cycle.
//! 2. A result that is not settled comes when it is taken, or when it is there at the latest. Who finds it there sooner and
//!    does not issue has lost nothing but the choice to find it later; so this is not looked at. What comes of a state in
//!    a cycle is then: one warp of those that may issue does, or none does if none must.
//! 3. Scoreboards on which several results are under way are clear when the last one is there: one range for all of them.
//!
//! Results on scoreboards of which a number may be left under way take their longest, and are waited for as if all had to
//! be there. What is found there is an order and latencies all the same, as [`crate::engine`] plays them.
//!
//! States are judged by what [`crate::bounds`] says of what is left: the longest way of a warp and what others can still be
//! in its way, more or less of it by [`Taste`].

mod marks;
mod tables;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::launch::Launch;
use crate::schedule::Schedule;
use marks::{Mark, Marks, NONE};
pub use tables::Taste;
use tables::{END, FROM, ISSUED, NAME, PLACE, Tables};

/// So many times as many states as are kept wait for a cycle before it is looked through.
const SLACK: usize = 4;
/// The most numbers in all rows; a beam that needs more gets narrower.
const MOST_NUMBERS: usize = 32 << 20;
/// So many lists are kept to be used again.
const SPARE: usize = 8;

/// A state that waits for a cycle.
#[derive(Debug, Clone, Copy)]
struct Waiting {
    score: u64,
    /// Tells states with the same score from each other.
    hash: u64,
    /// The last cycle in which anything settled is under way: of states that are the same the last one is kept.
    end: u32,
    /// The number of its row.
    row: u32,
    /// The step that led to it; of nobody where nothing has issued since another state whose mark it has.
    mark: Mark,
}

/// States before one cycle, and their rows.
#[derive(Debug, Default)]
struct Layer {
    waiting: Vec<Waiting>,
    rows: Vec<u32>,
    /// So much or less is not kept.
    floor: u64,
}

/// A beam.
#[derive(Debug)]
pub struct Beam {
    tables: Tables,
    width: usize,
    open: BTreeMap<u32, Layer>,
    /// What is left of the cycle at hand, the most promising last.
    cycle: u32,
    kept: Layer,
    /// Layers that may be used again, and a row to work on.
    spare: Vec<Layer>,
    row: Vec<u32>,
    /// How many numbers there are in all layers that wait.
    numbers: usize,
    marks: Marks,
    best: u32,
    last: u32,
}

impl Beam {
    /// One over a launch of one partition without limits of misses, that keeps so many states of each cycle.
    pub fn new(launch: &Arc<Launch>, width: usize, taste: Taste) -> Self {
        let tables = Tables::new(launch, taste);
        let mut beam = Self {
            width,
            open: BTreeMap::new(),
            cycle: 0,
            kept: Layer::default(),
            spare: Vec::new(),
            row: tables.start(),
            numbers: 0,
            marks: Marks::default(),
            best: 0,
            last: NONE,
            tables,
        };
        beam.offer(1, Mark { before: NONE, cycle: 0, warp: NONE });
        beam
    }

    /// Goes on for about so much work: instructions played. Whether there is more to do.
    pub fn step(&mut self, budget: u64) -> bool {
        let mut left = budget;
        while left > 0 {
            if let Some(waiting) = self.kept.waiting.pop() {
                left = left.saturating_sub(self.expand(waiting));
                continue;
            }
            let Some((cycle, mut layer)) = self.open.pop_first() else { return false };
            self.numbers -= layer.rows.len();
            narrow(&mut layer, self.width);
            layer.waiting.reverse();
            self.cycle = cycle;
            let mut over = std::mem::replace(&mut self.kept, layer);
            over.rows.clear();
            over.floor = 0;
            if self.spare.len() < SPARE {
                self.spare.push(over);
            }
            if self.marks.many() {
                self.sweep();
            }
            if self.numbers > MOST_NUMBERS {
                self.shrink();
            }
        }
        true
    }

    /// Looks at what can come of a state; about how much work it was.
    fn expand(&mut self, waiting: Waiting) -> u64 {
        let cycle = self.cycle;
        let before = match waiting.mark {
            Mark { before, warp: NONE, .. } => before,
            mark => self.marks.push(mark),
        };
        let from = waiting.row as usize * self.tables.row;
        let mut work = 1;
        let (mut must, mut may) = (false, 0u64);
        let rows = std::mem::take(&mut self.kept.rows);
        let row = &rows[from..from + self.tables.row];
        for at in 0..self.tables.warps() {
            let (soon, late) = self.tables.ready(row, at);
            must |= late <= cycle;
            // The same comes of one that stands where the one before it stands.
            if soon <= cycle && (at == 0 || !self.tables.same(row, at)) {
                may |= 1 << at;
            }
        }
        for at in crate::wakes::bits(may) {
            self.row.copy_from_slice(row);
            self.issue(at, before);
            work += 1;
        }
        if !must {
            self.row.copy_from_slice(row);
            self.offer(cycle + 1, Mark { before, cycle, warp: NONE });
            work += 1;
        }
        self.kept.rows = rows;
        work * self.tables.warps() as u64
    }

    /// Issues the next instruction of a warp in the row at work.
    fn issue(&mut self, at: usize, before: u32) {
        let Self { tables, row, cycle, .. } = self;
        let cycle = *cycle;
        let own = tables.of(row, at);
        let (warp, block) = (own[NAME], tables.block(own));
        let Some(step) = tables.next(own) else { return };
        if step.barrier {
            // All others have come to it by now.
            for other in (0..tables.warps()).filter(|&other| other != at) {
                let other = tables.of_mut(row, other);
                let next = tables.next(other).filter(|next| next.barrier && next.passed == step.passed);
                if let Some(next) = next.filter(|_| tables.block(other) == block) {
                    next.waits.iter().for_each(|&board| other[board..board + 2].fill(0));
                }
            }
        }
        let mut end = row[END].max(cycle + step.hold - 1);
        let own = tables.of_mut(row, at);
        own[PLACE] += 1;
        own[FROM] = cycle + step.stall;
        step.waits.iter().for_each(|&board| own[board..board + 2].fill(0));
        for &(board, least, most) in &step.sets {
            if board == 0 {
                end = end.max(cycle + most - 1);
            } else {
                own[board] = own[board].max(cycle + least);
                own[board + 1] = own[board + 1].max(cycle + most);
            }
        }
        if tables.next(own).is_none() {
            // It counts at barriers from the next cycle on.
            own[FROM..].fill(0);
            own[FROM] = cycle + 1;
        }
        row[END] = end;
        if step.places > 0 {
            let places = &mut row[step.pool..step.pool + step.places];
            places[0] = cycle + step.hold;
            places.sort_unstable();
        }
        row[ISSUED] += 1;
        let full = row[ISSUED] == tables.launch.machine().issue;
        let mark = Mark { before, cycle, warp };
        if (0..tables.warps()).any(|at| tables.next(tables.of(row, at)).is_some()) {
            self.offer(cycle + u32::from(full), mark);
        } else if end > self.best {
            self.best = end;
            self.last = self.marks.push(mark);
        }
    }

    /// Lets the row at work wait for the first cycle from one on in which anything can happen, if it promises enough.
    fn offer(&mut self, from: u32, mark: Mark) {
        let Self { tables, row, .. } = self;
        let soon = (0..tables.warps()).map(|at| tables.ready(row, at).0).min().unwrap_or(0);
        let cycle = soon.max(from);
        if cycle > self.cycle {
            row[ISSUED] = 0;
        }
        tables.tidy(row, cycle);
        let score = tables.score(row, cycle);
        let spare = &mut self.spare;
        let layer = self.open.entry(cycle).or_insert_with(|| spare.pop().unwrap_or_default());
        if score < layer.floor {
            return;
        }
        tables.sort(row);
        let number = (layer.rows.len() / tables.row) as u32;
        layer.rows.extend_from_slice(row);
        layer.waiting.push(Waiting { score, hash: tables.hash(row), end: row[END], row: number, mark });
        self.numbers += tables.row;
        if layer.waiting.len() > SLACK * self.width {
            narrow(layer, self.width);
            // Rows of those that were let go are too many at some time.
            if layer.rows.len() > 4 * SLACK * self.width * tables.row {
                self.numbers -= pack(layer, tables.row);
            }
        }
    }

    /// Takes less memory, if need be with fewer states of each cycle from now on.
    fn shrink(&mut self) {
        loop {
            for layer in self.open.values_mut() {
                narrow(layer, self.width);
                self.numbers -= pack(layer, self.tables.row);
            }
            if self.numbers <= MOST_NUMBERS / 2 || self.width == 1 {
                return;
            }
            self.width /= 2;
        }
    }

    fn sweep(&mut self) {
        let Self { open, kept, marks, .. } = self;
        let mut layers: Vec<&mut Layer> = open.values_mut().chain([kept]).collect();
        let waiting = layers.iter().flat_map(|layer| &layer.waiting);
        let names = marks.sweep(waiting.map(|own| own.mark.before).chain([self.last]));
        let named = |old: u32| names.get(old as usize).copied().unwrap_or(NONE);
        for own in layers.iter_mut().flat_map(|layer| &mut layer.waiting) {
            own.mark.before = named(own.mark.before);
        }
        self.last = named(self.last);
    }

    /// The longest schedule it found; the cycles of its instructions are keys for [`crate::engine`].
    pub fn found(&self) -> Option<Schedule> {
        (self.last != NONE).then(|| self.marks.schedule(&self.tables.launch, self.last))
    }

    /// How long that takes.
    #[cfg(test)]
    fn best(&self) -> u32 {
        self.best
    }
}

/// Keeps the most promising states, each once.
fn narrow(layer: &mut Layer, width: usize) {
    layer.waiting.sort_unstable_by(|one, two| {
        (two.score, one.hash, two.end, one.row).cmp(&(one.score, two.hash, one.end, two.row))
    });
    layer.waiting.dedup_by_key(|own| (own.score, own.hash));
    layer.waiting.truncate(width);
    if layer.waiting.len() == width {
        layer.floor = layer.waiting.last().map_or(0, |own| own.score);
    }
}

/// Forgets the rows of states that are not kept; how many numbers that were.
fn pack(layer: &mut Layer, length: usize) -> usize {
    let mut rows = Vec::with_capacity(layer.rows.len());
    for own in &mut layer.waiting {
        let from = own.row as usize * length;
        own.row = (rows.len() / length) as u32;
        rows.extend_from_slice(&layer.rows[from..from + length]);
    }
    let before = std::mem::replace(&mut layer.rows, rows).len();
    before - layer.rows.len()
}
