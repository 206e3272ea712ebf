//! Cells of the table of aggregates, and the transitions between them; see module `table`.

use super::super::instance::{Aggregate, Instance};

/// No score yet.
pub const NONE: i16 = i16::MIN;

/// The most dimensions of a table.
pub const DIMENSIONS: usize = 12;

/// A tuple without cells.
pub const ABSENT: u32 = u32::MAX;

/// Cells for tuples: one dimension for each pool, holding the instructions left beyond one per warp.
#[derive(Debug, Clone)]
pub struct CellTable {
    /// The pool of each phase.
    pub pool_of: Vec<usize>,
    /// How many pools.
    pub pools: usize,
    /// Where each tuple's cells begin.
    pub offsets: Vec<u32>,
    /// The scores.
    pub cells: Vec<i16>,
}

/// What a cycle does: who leaves, and how many execute.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Transition {
    /// Warps that leave each phase.
    pub leave: Vec<u32>,
    /// Executed per pool.
    pub execute: [u32; DIMENSIONS],
}

/// The cells of a tuple a transition is possible in, and by how much it shifts them.
pub struct Part {
    /// The least coordinates.
    low: [i64; DIMENSIONS],
    /// The largest.
    high: [i64; DIMENSIONS],
    /// To be added to reach the cell the transition leads to.
    shift: [i64; DIMENSIONS],
}

impl Part {
    /// Raises the cells to what the transition brings them: the score it leads to and a step.
    pub fn copy(
        &self,
        pools: usize,
        size: [u32; DIMENSIONS],
        stride: [i64; DIMENSIONS],
        from: &[i16],
        here: &mut [i16],
        step: i16,
    ) {
        let Self { low, high, shift } = self;
        let last = pools - 1;
        let width = (high[last] - low[last] + 1) as usize;
        let mut row = *low;
        loop {
            let (mut to, mut source) = (0i64, 0i64);
            for pool in 0..pools {
                to = to * i64::from(size[pool]) + row[pool];
                source += (row[pool] + shift[pool]) * stride[pool];
            }
            let (to, source) = (to as usize, source as usize);
            for (cell, &then) in here[to..to + width].iter_mut().zip(&from[source..source + width]) {
                *cell = (*cell).max(then + step);
            }
            let Some(pool) = (0..last).rev().find(|&pool| row[pool] < high[pool]) else { break };
            row[pool] += 1;
            row[pool + 1..last].copy_from_slice(&low[pool + 1..last]);
        }
    }
}

impl CellTable {
    /// Bytes of a cell.
    pub const CELL: u64 = size_of::<i16>() as u64;

    /// Cells for all tuples; `None` for more than `most`.
    pub fn whole(instance: &Instance, pool_of: Vec<usize>, most: u64) -> Option<Self> {
        let mut table = Self::empty(pool_of);
        if table.pools > DIMENSIONS {
            return None;
        }
        let cells = table.place(instance, u64::MAX, most)?;
        table.cells = vec![NONE; cells as usize];
        Some(table)
    }

    /// A finer table, each phase a pool of its own, for as many of the smaller tuples as there is room.
    pub fn partial(instance: &Instance, coarse: &Self, most: u64) -> Self {
        let phases = instance.phases.len();
        let mut order: Vec<usize> = (0..phases).collect();
        // Rows of one table lie along rows of the other.
        base::sort::sort_by_key(&mut order, |&q| (coarse.pool_of[q], instance.phases[q].length, q));
        let mut pool_of = vec![0; phases];
        order.iter().enumerate().for_each(|(pool, &q)| pool_of[q] = pool);
        let mut table = Self::empty(pool_of);
        table.offsets = vec![ABSENT; coarse.offsets.len()];
        if coarse.pools < phases && phases <= DIMENSIONS {
            let mut tuple = vec![0; phases];
            let mut sizes = vec![table.cells_of(instance, &tuple)];
            while next_tuple(&mut tuple, instance.warps) {
                sizes.push(table.cells_of(instance, &tuple));
            }
            base::sort::sort(&mut sizes);
            let mut room = most;
            let fits = |size: &&u64| room.checked_sub(**size).map(|left| room = left).is_some();
            let first_out = sizes.iter().take_while(fits).count();
            // All tuples of a size, or none.
            let largest = sizes.get(first_out).map_or(u64::MAX, |size| size - 1);
            let cells = table.place(instance, largest, most).unwrap_or(0);
            table.cells = vec![NONE; cells as usize];
        }
        table
    }

    /// How many cells there would be for all tuples; `None` for more than can be counted, or too many pools.
    pub fn cells(instance: &Instance, pool_of: Vec<usize>) -> Option<u64> {
        let mut table = Self::empty(pool_of);
        if table.pools > DIMENSIONS { None } else { table.place(instance, u64::MAX, u64::from(u32::MAX)) }
    }

    fn empty(pool_of: Vec<usize>) -> Self {
        let pools = pool_of.iter().max().map_or(0, |&pool| pool + 1);
        Self { pool_of, pools, offsets: Vec::new(), cells: Vec::new() }
    }

    /// Where the cells of each tuple of up to `largest` cells begin; how many there are, `None` for too many.
    fn place(&mut self, instance: &Instance, largest: u64, most: u64) -> Option<u64> {
        let (mut tuple, mut cells) = (vec![0; self.pool_of.len()], 0u64);
        self.offsets.clear();
        loop {
            let size = self.cells_of(instance, &tuple);
            let present = size <= largest;
            self.offsets.push(if present { u32::try_from(cells).ok()? } else { ABSENT });
            cells += if present { size } else { 0 };
            if cells > most {
                return None;
            }
            if !next_tuple(&mut tuple, instance.warps) {
                return Some(cells);
            }
        }
    }

    /// How many cells a tuple has.
    pub fn cells_of(&self, instance: &Instance, tuple: &[u32]) -> u64 {
        self.sizes(instance, tuple).iter().map(|&size| u64::from(size)).product()
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        (self.cells.len() * 2 + self.offsets.len() * 4) as u64
    }

    /// The score of an aggregate whose tuple has that rank.
    pub fn value(&self, instance: &Instance, rank: usize, aggregate: &Aggregate) -> i16 {
        let (mut cell, mut size) = ([0; DIMENSIONS], [1; DIMENSIONS]);
        for (q, group) in aggregate.0.iter().enumerate() {
            let pool = self.pool_of[q];
            cell[pool] += group.left - group.warps;
            size[pool] += group.warps * (instance.phases[q].length - 1);
        }
        let within = (0..self.pools).fold(0, |at, pool| at * size[pool] + cell[pool]);
        self.cells[(self.offsets[rank] + within) as usize]
    }

    /// How many values each pool has in a tuple.
    pub fn sizes(&self, instance: &Instance, tuple: &[u32]) -> [u32; DIMENSIONS] {
        let mut sizes = [1; DIMENSIONS];
        for (q, &n) in tuple.iter().enumerate() {
            sizes[self.pool_of[q]] += n * (instance.phases[q].length - 1);
        }
        sizes
    }

    /// How far apart the neighbours of each pool are.
    pub fn strides(&self, instance: &Instance, tuple: &[u32]) -> [i64; DIMENSIONS] {
        let sizes = self.sizes(instance, tuple);
        let mut strides = [1; DIMENSIONS];
        for pool in (0..self.pools - 1).rev() {
            strides[pool] = strides[pool + 1] * i64::from(sizes[pool + 1]);
        }
        strides
    }

    /// Where a transition is possible.
    pub fn part(&self, instance: &Instance, tuple: &[u32], choice: &Transition) -> Option<Part> {
        let zero = [0i64; DIMENSIONS];
        let Part { mut low, mut high, mut shift } = Part { low: zero, high: zero, shift: zero };
        for (q, phase) in instance.phases.iter().enumerate() {
            let (pool, y, n) = (self.pool_of[q], choice.leave[q], tuple[q]);
            let entered = if q > 0 { choice.leave[q - 1] } else { 0 };
            let length = i64::from(phase.length);
            low[pool] -= i64::from(y);
            high[pool] += i64::from(y) + length * i64::from(n - y) - i64::from(n);
            // A warp counts one less than it has instructions left.
            shift[pool] += i64::from(entered) * (length - 1) + i64::from(y);
        }
        for pool in 0..self.pools {
            low[pool] += i64::from(choice.execute[pool]);
            shift[pool] -= i64::from(choice.execute[pool]);
        }
        (0..self.pools).all(|pool| low[pool] <= high[pool]).then_some(Part { low, high, shift })
    }

    /// The transitions that nobody leaves, in ascending order of cells.
    pub fn stay(
        &mut self,
        instance: &Instance,
        tuple: &[u32],
        rank: usize,
        step: i16,
        transitions: &[Transition],
    ) {
        let (pools, size) = (self.pools, self.sizes(instance, tuple));
        let strides = self.strides(instance, tuple);
        let shift = |m: &Transition| (0..pools).map(|p| strides[p] as usize * m.execute[p] as usize).sum();
        let shifts: Vec<([u32; DIMENSIONS], usize)> =
            transitions.iter().map(|m| (m.execute, shift(m))).collect();
        let mut row = [0u32; DIMENSIONS];
        let total: usize = size.iter().map(|&s| s as usize).product();
        let start = self.offsets[rank] as usize;
        for at in start..start + total {
            for &(execute, shift) in &shifts {
                if (0..pools).all(|pool| execute[pool] <= row[pool]) {
                    self.cells[at] = self.cells[at].max(self.cells[at - shift] + step);
                }
            }
            advance(&mut row, &size, pools);
        }
    }
}

/// The next of the index tuples of a box, the last of its dimensions first.
pub fn advance(row: &mut [u32; DIMENSIONS], size: &[u32; DIMENSIONS], dimensions: usize) {
    for i in (0..dimensions).rev() {
        row[i] += 1;
        if row[i] < size[i] {
            return;
        }
        row[i] = 0;
    }
}

/// The next tuple in lexicographic order with a sum up to `most`; `false` after the last.
pub fn next_tuple(tuple: &mut [u32], most: u32) -> bool {
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
