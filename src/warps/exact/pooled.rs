//! Aggregated phases: a bound on the time left for every crowd, tabulated.
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
//! With each phase a pool of its own the table is tight but large; pooling phases makes it smaller.
//!
//! Paths go from one tuple of `n_q` to a lexicographically smaller one, or stay and lower `R`: the table is
//! filled in that order. Choices that differ only in who stays, within a pool, have the same effect and are
//! taken once.

use super::outline::{Crowd, Outline};
use super::select::{Selector, Waiting};

const NONE: i16 = i16::MIN;

/// The table; in the making until `step` says so.
#[derive(Debug, Clone)]
pub struct Pooled {
    /// The pool of each phase.
    pool_of: Vec<usize>,
    pools: usize,
    /// `counts[k][s]`: tuples of `k` numbers with a sum up to `s`.
    counts: Vec<Vec<u64>>,
    /// Where each tuple's cells begin.
    offsets: Vec<u32>,
    cells: Vec<i16>,
    step: i16,
    /// The tuple to be filled next, and its rank.
    tuple: Vec<u32>,
    at: usize,
    selector: Selector,
    moves: Vec<Move>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Move {
    leave: Vec<u32>,
    /// Executed per pool.
    execute: [u32; 4],
}

/// Tuples of warps per phase up to which a table is considered.
const MOST_TUPLES: u64 = 400_000;

impl Pooled {
    /// The tightest table of at most `most_cells` cells of two bytes; `None` if there is none. `step` is what
    /// a cycle adds to a score: 1 to find the longest, -1 to find the shortest.
    pub fn new(outline: &Outline, step: i16, most_cells: u64) -> Option<Self> {
        let phases = outline.phases.len();
        let counts = counts(phases, outline.warps as usize)?;
        if outline.work() > 32_000 || counts[phases][outline.warps as usize] > MOST_TUPLES {
            return None;
        }
        let (pool_of, pools, offsets, cells) = poolings(outline)
            .into_iter()
            .filter_map(|pool_of| {
                let pools = pool_of.iter().max()? + 1;
                let (offsets, cells) = offsets(outline, &pool_of, pools, most_cells)?;
                Some((pool_of, pools, offsets, cells))
            })
            .max_by_key(|&(_, pools, _, cells)| (cells, pools))?;
        Some(Self {
            pool_of,
            pools,
            counts,
            offsets,
            cells: vec![NONE; cells as usize],
            step,
            tuple: vec![0; phases],
            at: 0,
            selector: Selector::default(),
            moves: Vec::new(),
        })
    }

    /// How many cells.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        (self.cells.len() * 2 + self.offsets.len() * 4) as u64
    }

    /// Is each phase a pool of its own?
    pub fn is_finest(&self) -> bool {
        self.pools == self.pool_of.len()
    }

    /// Fills more of the table; whether there is more to fill.
    pub fn step(&mut self, outline: &Outline, mut budget: u64) -> bool {
        while self.at < self.offsets.len() {
            let cost = self.fill(outline);
            self.at += 1;
            next_tuple(&mut self.tuple, outline.warps);
            if cost >= budget {
                return self.at < self.offsets.len();
            }
            budget -= cost;
        }
        false
    }

    /// The best score from a crowd on.
    pub fn bound(&self, outline: &Outline, crowd: &Crowd) -> i32 {
        let mut cell = [0u32; 4];
        let mut size = [1u32; 4];
        let (mut rank, mut room) = (0, outline.warps as usize);
        for (q, group) in crowd.0.iter().enumerate() {
            let pool = self.pool_of.get(q).copied().unwrap_or(0);
            if self.pools <= 4 {
                cell[pool] += group.left - group.warps;
                size[pool] += group.warps * (outline.phases[q].length - 1);
            }
            rank += self.below(q, room, group.warps as usize);
            room -= group.warps as usize;
        }
        let within = (0..self.pools).fold(0, |at, pool| at * size[pool] + cell[pool]);
        i32::from(self.cells[(self.offsets[rank as usize] + within) as usize])
    }

    /// Tuples before those that have `warps` in phase `q`, where `room` warps were left for it.
    fn below(&self, q: usize, room: usize, warps: usize) -> u64 {
        let row = &self.counts[self.pool_of.len() - q];
        row[room] - row[room - warps]
    }

    fn rank(&self, tuple: &[u32], warps: u32) -> usize {
        let (mut rank, mut room) = (0, warps as usize);
        for (q, &n) in tuple.iter().enumerate() {
            rank += self.below(q, room, n as usize);
            room -= n as usize;
        }
        rank as usize
    }

    /// How many values the sum of each pool has, in a tuple.
    fn sizes(&self, outline: &Outline, tuple: &[u32]) -> [u32; 4] {
        sizes(outline, &self.pool_of, tuple)
    }

    /// Fills the cells of the present tuple; what it cost.
    fn fill(&mut self, outline: &Outline) -> u64 {
        let tuple = std::mem::take(&mut self.tuple);
        let start = self.offsets[self.at] as usize;
        if tuple.iter().all(|&n| n == 0) {
            self.cells[start] = 0;
            self.tuple = tuple;
            return 1;
        }
        self.list_moves(outline, &tuple);
        let moves = std::mem::take(&mut self.moves);
        let size = self.sizes(outline, &tuple);
        let stays = moves.iter().take_while(|m| m.leave.iter().all(|&y| y == 0)).count();
        for leave in &moves[stays..] {
            self.copy(outline, &tuple, size, start, leave);
        }
        self.stay(size, start, &moves[..stays]);
        let cells: u64 = size[..self.pools].iter().map(|&s| u64::from(s)).product();
        let cost = cells / 4 * moves.len() as u64 + 40 * moves.len() as u64;
        self.tuple = tuple;
        self.moves = moves;
        cost
    }

    /// What a cycle may do in a tuple, those that nobody leaves first.
    fn list_moves(&mut self, outline: &Outline, tuple: &[u32]) {
        let present: Vec<usize> = (0..tuple.len()).filter(|&q| tuple[q] > 0).collect();
        let waiting: Vec<Waiting> = present
            .iter()
            .map(|&q| Waiting {
                unit: outline.phases[q].unit,
                block: outline.phases[q].block,
                warps: tuple[q],
            })
            .collect();
        let (moves, pool_of) = (&mut self.moves, &self.pool_of);
        moves.clear();
        let mut leave = vec![0; tuple.len()];
        self.selector.each(outline, &waiting, &mut |chosen| {
            let mut execute = [0; 4];
            for (&q, &x) in present.iter().zip(chosen) {
                execute[pool_of[q]] += x;
            }
            each_leave(outline, &present, chosen, 0, &mut leave, &mut |leave| {
                moves.push(Move { leave: leave.to_vec(), execute });
            });
            true
        });
        moves.sort_unstable();
        moves.dedup();
    }

    /// Takes over, for all cells a move is possible in, the score of the cell it leads to.
    fn copy(&mut self, outline: &Outline, tuple: &[u32], size: [u32; 4], start: usize, choice: &Move) {
        let mut next = tuple.to_vec();
        let (mut low, mut high, mut shift) = ([0i64; 4], [0i64; 4], [0i64; 4]);
        for (q, phase) in outline.phases.iter().enumerate() {
            let (pool, y, n) = (self.pool_of[q], choice.leave[q], tuple[q]);
            let entered = if q > 0 { choice.leave[q - 1] } else { 0 };
            next[q] = n - y + entered;
            low[pool] -= i64::from(y);
            high[pool] += i64::from(y) + i64::from(phase.length) * i64::from(n - y) - i64::from(n);
            // In cells, a warp counts one less than it has instructions left.
            shift[pool] += i64::from(entered) * (i64::from(phase.length) - 1) + i64::from(y);
        }
        for pool in 0..self.pools {
            low[pool] += i64::from(choice.execute[pool]);
            shift[pool] -= i64::from(choice.execute[pool]);
        }
        let pools = self.pools;
        if (0..pools).any(|pool| low[pool] > high[pool]) {
            return;
        }
        let next_size = self.sizes(outline, &next);
        let from = self.offsets[self.rank(&next, outline.warps)] as i64;
        let (earlier, here) = self.cells.split_at_mut(start);
        let width = (high[pools - 1] - low[pools - 1] + 1) as usize;
        let mut row = low;
        loop {
            let (mut to, mut source) = (0i64, 0i64);
            for pool in 0..pools {
                to = to * i64::from(size[pool]) + row[pool];
                source = source * i64::from(next_size[pool]) + row[pool] + shift[pool];
            }
            let (to, source) = (to as usize, (from + source) as usize);
            for (cell, &then) in here[to..to + width].iter_mut().zip(&earlier[source..source + width]) {
                *cell = (*cell).max(then + self.step);
            }
            // The next row: the last pool runs within rows.
            let Some(pool) = (0..pools - 1).rev().find(|&pool| row[pool] < high[pool]) else { break };
            row[pool] += 1;
            row[pool + 1..pools - 1].copy_from_slice(&low[pool + 1..pools - 1]);
        }
    }

    /// The moves that nobody leaves, in ascending order of cells.
    fn stay(&mut self, size: [u32; 4], start: usize, moves: &[Move]) {
        let pools = self.pools;
        let shifts: Vec<([u32; 4], usize)> = moves
            .iter()
            .map(|m| (m.execute, (0..pools).fold(0, |at, p| at * size[p] as usize + m.execute[p] as usize)))
            .collect();
        let mut row = [0u32; 4];
        let total: usize = size[..pools].iter().map(|&s| s as usize).product();
        for at in 0..total {
            for &(execute, shift) in &shifts {
                if (0..pools).all(|pool| execute[pool] <= row[pool]) {
                    let then = self.cells[start + at - shift] + self.step;
                    let cell = &mut self.cells[start + at];
                    *cell = (*cell).max(then);
                }
            }
            for pool in (0..pools).rev() {
                row[pool] += 1;
                if row[pool] < size[pool] {
                    break;
                }
                row[pool] = 0;
            }
        }
    }
}

/// Every choice of who leaves among those who execute.
fn each_leave(
    outline: &Outline,
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
    let least = if outline.phases[q].length == 1 { chosen[i] } else { 0 };
    for y in least..=chosen[i] {
        leave[q] = y;
        each_leave(outline, present, chosen, i + 1, leave, visit);
    }
    leave[q] = 0;
}

/// Ways to pool: every phase on its own, all phases of a unit together, and units of either kind mixed.
fn poolings(outline: &Outline) -> Vec<Vec<usize>> {
    let mut units: Vec<usize> = Vec::new();
    for phase in &outline.phases {
        if !units.contains(&phase.unit) {
            units.push(phase.unit);
        }
    }
    let mut poolings = Vec::new();
    for together in 0..1usize << units.len() {
        // Numbered so that the widest pool comes last: rows run along it.
        let mut pools: Vec<(u32, Vec<usize>)> = Vec::new();
        for (i, &unit) in units.iter().enumerate() {
            let members: Vec<usize> =
                (0..outline.phases.len()).filter(|&q| outline.phases[q].unit == unit).collect();
            let longest = |qs: &[usize]| qs.iter().map(|&q| outline.phases[q].length).max().unwrap_or(0);
            if together >> i & 1 == 1 {
                pools.push((longest(&members), members));
            } else {
                pools.extend(members.into_iter().map(|q| (outline.phases[q].length, vec![q])));
            }
        }
        if pools.len() <= 4 {
            pools.sort();
            let mut pool_of = vec![0; outline.phases.len()];
            for (pool, (_, members)) in pools.iter().enumerate() {
                members.iter().for_each(|&q| pool_of[q] = pool);
            }
            poolings.push(pool_of);
        }
    }
    poolings
}

fn sizes(outline: &Outline, pool_of: &[usize], tuple: &[u32]) -> [u32; 4] {
    let mut sizes = [1; 4];
    for (q, &n) in tuple.iter().enumerate() {
        sizes[pool_of[q]] += n * (outline.phases[q].length - 1);
    }
    sizes
}

/// Where each tuple's cells begin, and how many there are; `None` for too many.
fn offsets(outline: &Outline, pool_of: &[usize], pools: usize, most: u64) -> Option<(Vec<u32>, u64)> {
    let mut tuple = vec![0; pool_of.len()];
    let (mut offsets, mut cells) = (Vec::new(), 0u64);
    loop {
        offsets.push(u32::try_from(cells).ok()?);
        cells += sizes(outline, pool_of, &tuple)[..pools].iter().map(|&s| u64::from(s)).product::<u64>();
        if cells > most {
            return None;
        }
        if !next_tuple(&mut tuple, outline.warps) {
            return Some((offsets, cells));
        }
    }
}

/// The next tuple in lexicographic order with a sum up to `most`; `false` after the last.
fn next_tuple(tuple: &mut [u32], most: u32) -> bool {
    let mut sum: u32 = tuple.iter().sum();
    for q in (0..tuple.len()).rev() {
        if sum < most {
            tuple[q] += 1;
            return true;
        }
        sum -= tuple[q];
        tuple[q] = 0;
    }
    false
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
