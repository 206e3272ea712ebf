//! State-space relaxation: warps are counted by phase, and the longest path between such aggregates, by dynamic
//! programming, bounds every schedule from every state on.
//!
//! Of a state only `n_q` is kept, the warps in each phase `q`, and for each *pool* of phases of one unit the
//! instructions `R` its warps still execute in the phases they are in. What a cycle may execute depends on the
//! `n_q` alone (module `select`): `x_q` warps of phase `q`, of which `y_q <= x_q` leave it. A warp that leaves
//! had one instruction left in the phase, one that executes and stays at least two, one that waits at least
//! one; and none more than the phase's length. Summed over a pool:
//! `sum of n_q + x_q - y_q <= R <= sum of y_q + length_q * (n_q - y_q)`, with `x_q = y_q` in phases of length 1.
//! Afterwards `n_q` is `n_q - y_q + y_(q-1)`, and `R` has lost the `x_q` and gained `length_q` for each warp
//! that entered.
//!
//! Every path of states maps to a path of such aggregates, cycle by cycle. So the longest path of aggregates
//! is no shorter than the longest schedule, from each state on, and the shortest no longer than the shortest.
//! With each phase a pool of its own the table is tight but large; pooling phases makes it smaller. Tuples
//! with few cells have both: fine cells, which lead to fine ones where there are any and else to the coarse
//! one they belong to, and coarse cells, each the best of its fine ones. Either way a cell stands for states
//! whose successors stand behind the cells its score was taken from.
//!
//! Paths go from one tuple of `n_q` to a lexicographically smaller one, or stay and lower `R`: the table is
//! filled in that order. Choices that differ only in who stays, within a pool, have the same effect and are
//! taken once.

use super::super::instance::{Aggregate, Instance};
use super::super::select::{Selector, Waiting};
use super::cells::{ABSENT, CellTable, DIMENSIONS, Transition, advance, next_tuple};

/// Tuples of warps per phase up to which a table is considered.
const MOST_TUPLES: u64 = 400_000;

/// Cells that take little time, whatever memory there is.
const FINE: u64 = 3_500_000;

/// The most cells of each kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CellLimits {
    /// For all tuples.
    pub coarse: u64,
    /// For those with few.
    pub fine: u64,
}

impl CellLimits {
    /// For a search that holds so many bytes: three quarters of them, and a sixteenth.
    pub fn of(memory: u64) -> Self {
        Self { coarse: memory / 4 * 3 / CellTable::CELL, fine: memory / 16 / CellTable::CELL }
    }

    /// The bytes of a search in which so many coarse cells have their place.
    pub fn memory(coarse: u64) -> u64 {
        (coarse + 2) * CellTable::CELL / 3 * 4 + 4
    }
}

/// Why there is no table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoTable {
    /// It would be too large for any memory, or its scores for their cells.
    Hopeless,
    /// With so many coarse cells there would be one.
    Needs(u64),
}

/// The table; in the making until `step` says so.
#[derive(Debug, Clone)]
pub struct AggregateBound {
    /// `counts[k][s]`: tuples of `k` numbers with a sum up to `s`.
    counts: Vec<Vec<u64>>,
    coarse: CellTable,
    fine: CellTable,
    step: i16,
    /// The tuple to be filled next, and its rank.
    tuple: Vec<u32>,
    at: usize,
    selector: Selector,
}

impl AggregateBound {
    /// A table of at most so many coarse and fine cells. `step` is what a cycle adds to a score: 1 to find the longest,
    /// -1 to find the shortest.
    pub fn new(instance: &Instance, step: i16, most: CellLimits) -> Result<Self, NoTable> {
        let phases = instance.phases.len();
        let counts = counts(phases, instance.warps as usize).ok_or(NoTable::Hopeless)?;
        if instance.work() > 32_000 || counts[phases][instance.warps as usize] > MOST_TUPLES {
            return Err(NoTable::Hopeless);
        }
        let all = (0..phases).collect();
        let Some(coarse) = CellTable::whole(instance, widest_last(instance, all), most.coarse.min(FINE))
            .or_else(|| CellTable::whole(instance, by_unit(instance), most.coarse))
        else {
            let cells = CellTable::cells(instance, by_unit(instance));
            return Err(cells.map_or(NoTable::Hopeless, NoTable::Needs));
        };
        let room = FINE.max(coarse.cells.len() as u64 / 4).min(most.fine);
        let fine = CellTable::partial(instance, &coarse, room);
        let (tuple, selector) = (vec![0; phases], Selector::default());
        Ok(Self { counts, coarse, fine, step, tuple, at: 0, selector })
    }

    /// How many cells there are.
    pub fn cells(&self) -> u64 {
        (self.coarse.cells.len() + self.fine.cells.len()) as u64
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        self.coarse.bytes() + self.fine.bytes()
    }

    /// Fills more of the table; whether there is more to fill.
    pub fn step(&mut self, instance: &Instance, mut budget: u64) -> bool {
        while self.at < self.coarse.offsets.len() {
            let tuple = std::mem::take(&mut self.tuple);
            let cost = self.fill(instance, &tuple);
            self.tuple = tuple;
            self.at += 1;
            next_tuple(&mut self.tuple, instance.warps);
            if cost >= budget {
                break;
            }
            budget -= cost;
        }
        self.at < self.coarse.offsets.len()
    }

    /// The best score from an aggregate on.
    pub fn bound(&self, instance: &Instance, aggregate: &Aggregate) -> i32 {
        let (mut rank, mut room) = (0, instance.warps as usize);
        for (q, group) in aggregate.0.iter().enumerate() {
            rank += self.below(q, room, group.warps as usize);
            room -= group.warps as usize;
        }
        let rank = rank as usize;
        let table = if self.fine.offsets[rank] == ABSENT { &self.coarse } else { &self.fine };
        i32::from(table.value(instance, rank, aggregate))
    }

    /// Tuples before those that have `warps` in phase `q`, where `room` warps were left for it.
    fn below(&self, q: usize, room: usize, warps: usize) -> u64 {
        let row = &self.counts[self.tuple.len() - q];
        row[room] - row[room - warps]
    }

    fn rank(&self, tuple: &[u32], warps: u32) -> usize {
        let (mut rank, mut room) = (0, warps as usize);
        let phases = tuple.len();
        for (q, &n) in tuple.iter().enumerate() {
            let row = &self.counts[phases - q];
            rank += row[room] - row[room - n as usize];
            room -= n as usize;
        }
        rank as usize
    }

    /// Fills the cells of a tuple; what it cost.
    fn fill(&mut self, instance: &Instance, tuple: &[u32]) -> u64 {
        let fine = self.fine.offsets[self.at] != ABSENT;
        if tuple.iter().all(|&n| n == 0) {
            for table in [&mut self.coarse, &mut self.fine] {
                if table.offsets[self.at] != ABSENT {
                    let start = table.offsets[self.at] as usize;
                    table.cells[start] = 0;
                }
            }
            return 1;
        }
        let transitions = self.list_transitions(instance, tuple, fine);
        let stays = transitions.iter().take_while(|m| m.leave.iter().all(|&y| y == 0)).count();
        for leave in &transitions[stays..] {
            self.leave(instance, tuple, fine, leave);
        }
        let table = if fine { &mut self.fine } else { &mut self.coarse };
        table.stay(instance, tuple, self.at, self.step, &transitions[..stays]);
        if fine {
            self.project(instance, tuple);
        }
        let table = if fine { &self.fine } else { &self.coarse };
        let cells: u64 = table.sizes(instance, tuple).iter().map(|&s| u64::from(s)).product();
        cells / 4 * transitions.len() as u64 + 40 * transitions.len() as u64
    }

    /// What a cycle may do in a tuple, those that nobody leaves first.
    fn list_transitions(&mut self, instance: &Instance, tuple: &[u32], fine: bool) -> Vec<Transition> {
        let pool_of = if fine { &self.fine.pool_of } else { &self.coarse.pool_of };
        let present: Vec<usize> = (0..tuple.len()).filter(|&q| tuple[q] > 0).collect();
        let wait = |&q: &usize| {
            let phase = instance.phases[q];
            Waiting { unit: phase.unit, block: phase.block, warps: tuple[q] }
        };
        let waiting: Vec<Waiting> = present.iter().map(wait).collect();
        let (mut transitions, mut leave) = (Vec::new(), vec![0; tuple.len()]);
        self.selector.each(instance, &waiting, &mut |chosen| {
            let mut execute = [0; DIMENSIONS];
            for (&q, &x) in present.iter().zip(chosen) {
                execute[pool_of[q]] += x;
            }
            each_leave(instance, &present, chosen, 0, &mut leave, &mut |leave| {
                transitions.push(Transition { leave: leave.to_vec(), execute });
            });
            true
        });
        transitions.sort_unstable();
        transitions.dedup();
        transitions
    }

    /// Takes over, for all cells a transition is possible in, the score of the cell it leads to.
    fn leave(&mut self, instance: &Instance, tuple: &[u32], fine: bool, choice: &Transition) {
        let mut next = tuple.to_vec();
        for (q, &y) in choice.leave.iter().enumerate() {
            next[q] -= y;
            if q + 1 < next.len() {
                next[q + 1] += y;
            }
        }
        let rank = self.rank(&next, instance.warps);
        let table = if fine { &self.fine } else { &self.coarse };
        let Some(part) = table.part(instance, tuple, choice) else { return };
        let start = table.offsets[self.at] as usize;
        let from_fine = fine && self.fine.offsets[rank] != ABSENT;
        let origin = if from_fine { &self.fine } else { &self.coarse };
        let from = i64::from(origin.offsets[rank]);
        let strides = origin.strides(instance, &next);
        // Each pool of this table lies within one of the other.
        let mut stride = [0; DIMENSIONS];
        for q in 0..tuple.len() {
            stride[table.pool_of[q]] = strides[origin.pool_of[q]];
        }
        let (pools, size) = (table.pools, table.sizes(instance, tuple));
        let (earlier, here) = match (fine, from_fine) {
            (true, false) => (&self.coarse.cells[..], &mut self.fine.cells[start..]),
            (true, true) => {
                let (earlier, here) = self.fine.cells.split_at_mut(start);
                (&*earlier, here)
            }
            (false, _) => {
                let (earlier, here) = self.coarse.cells.split_at_mut(start);
                (&*earlier, here)
            }
        };
        part.copy(pools, size, stride, &earlier[from as usize..], here, self.step);
    }

    /// The best of the fine cells behind each coarse one.
    fn project(&mut self, instance: &Instance, tuple: &[u32]) {
        let size = self.fine.sizes(instance, tuple);
        let strides = self.coarse.strides(instance, tuple);
        let mut stride = [0; DIMENSIONS];
        for q in 0..tuple.len() {
            stride[self.fine.pool_of[q]] = strides[self.coarse.pool_of[q]];
        }
        let pools = self.fine.pools;
        let from = self.fine.offsets[self.at] as usize;
        let to = &mut self.coarse.cells[self.coarse.offsets[self.at] as usize..];
        let width = size[pools - 1] as usize;
        let rows = size[..pools - 1].iter().map(|&s| s as usize).product();
        let mut row = [0u32; DIMENSIONS];
        for i in 0..rows {
            let at: i64 = (0..pools - 1).map(|pool| i64::from(row[pool]) * stride[pool]).sum();
            let fine = &self.fine.cells[from + i * width..from + (i + 1) * width];
            for (cell, &value) in to[at as usize..at as usize + width].iter_mut().zip(fine) {
                *cell = (*cell).max(value);
            }
            advance(&mut row, &size, pools - 1);
        }
    }
}

/// Every choice of who leaves among those who execute.
fn each_leave(
    instance: &Instance,
    present: &[usize],
    chosen: &[u32],
    i: usize,
    leave: &mut Vec<u32>,
    visit: &mut dyn FnMut(&[u32]),
) {
    let Some(&q) = present.get(i) else {
        visit(leave);
        return;
    };
    let least = if instance.phases[q].length == 1 { chosen[i] } else { 0 };
    for y in least..=chosen[i] {
        leave[q] = y;
        each_leave(instance, present, chosen, i + 1, leave, visit);
    }
    leave[q] = 0;
}

/// All phases of a unit in one pool.
fn by_unit(instance: &Instance) -> Vec<usize> {
    let pools = instance.phases.iter().map(|phase| phase.unit).collect();
    widest_last(instance, pools)
}

/// Pools numbered so that the one with the longest phase comes last: rows run along it.
fn widest_last(instance: &Instance, pools: Vec<usize>) -> Vec<usize> {
    let longest = |pool: usize| {
        let lengths = instance.phases.iter().zip(&pools).filter(|&(_, &p)| p == pool);
        lengths.map(|(phase, _)| phase.length).max().unwrap_or(0)
    };
    let mut order = pools.clone();
    base::sort::sort(&mut order);
    order.dedup();
    base::sort::sort_by_key(&mut order, |&pool| (longest(pool), pool));
    pools.iter().map(|pool| order.iter().position(|p| p == pool).unwrap_or(0)).collect()
}

/// `counts[k][s]`: tuples of `k` numbers with a sum up to `s`; `None` if they run over.
fn counts(phases: usize, warps: usize) -> Option<Vec<Vec<u64>>> {
    let mut counts = vec![vec![1u64; warps + 1]];
    for k in 0..phases {
        let mut row: Vec<u64> = Vec::with_capacity(warps + 1);
        for s in 0..=warps {
            let before = if s > 0 { row[s - 1] } else { 0 };
            row.push(counts[k][s].checked_add(before)?);
        }
        counts.push(row);
    }
    Some(counts)
}
