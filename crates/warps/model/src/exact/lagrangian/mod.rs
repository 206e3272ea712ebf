//! State-space relaxation with Lagrangian multipliers on instructions and exits, improved by subgradient steps: a bound
//! for kernels of many short runs. The multipliers are called prices here.
//!
//! Claim. For a state with `a` warps under way let `phi = V_a(cell) + sum over its warps of g_a(position)`. The
//! cell says how many warps are in which class of phases and, for some classes, the instructions they have left
//! there (module `aggregates`); `g_a` is what the rest of the string costs at the prices of `a`: one for an
//! instruction of each class, one for each kind of exit from a phase. If `phi >= 1 + phi'` for every step from a
//! state to a next, and `phi >= 0` at the end, no schedule takes longer than `phi`.
//!
//! Proof that it holds. A step of states is a step of cells (module `aggregates`), and lowers the sum of `g_a` by
//! exactly the prices of what executes and exits, as long as no warp ends. So `V_a(cell) >= 1 - prices +
//! V_a(cell')` for every step of cells is enough; the price of the last exit is counted when a warp ends, and
//! then `g_a` of the warp is used up. Where the step leads to so few warps that others prices hold, `V_a(cell')`
//! stands for a value that makes `phi` at the new prices at least `phi` at the old: `V'(cell') + sum over
//! classes of m_c * max over positions of the class of (g'(p) - g(p))`. Where it leads to no more than a few
//! warps, it is the longest schedule from each of their positions (module `small`) less their `g`, the largest of
//! all that are in the cell. All inequalities are met by the least values there are (module `evaluate`), for any
//! prices, unless a circle of steps gains more than it pays. Prices are thus free to be chosen, and are, by
//! steps along subgradients: down the best path's, and up those of a circle that gains.
//!
//! Why it is better than counting blocked cycles: a unit is idle only if no warp waits for it, so all have to
//! be elsewhere, and cells know how fast they get there. The few warps at the end, for whom that is easy, are
//! known exactly.

mod aggregates;
pub mod coloured;
mod evaluate;
mod multipliers;
mod small;
#[cfg(test)]
mod tests;
pub mod victim;

use std::sync::Arc;

use super::instance::{Aggregate, Instance};
use aggregates::{CLASSES, ClassAggregates, NONE, Partition, count};
pub use evaluate::PARTS;
use evaluate::{Evaluation, NEVER, Outcome};
use multipliers::{Multipliers, candidates, content, dearer, project, rest};
use small::SmallTable;

/// The most cells where all classes are tracked, where those of wide units are, and where none is.
const MOST_CELLS: [u64; 3] = [8_000, 100_000, 300_000];
/// The most values of hands.
const MOST_VALUES: usize = 12_000_000;
/// Prices tried per stage: at least, at most, and until that much work is done.
const TRIES: (u32, u32, u64) = (24, 400, 150_000_000);
/// Bytes a cell takes, about, while prices are tried.
const CELL: u64 = 400;
/// Work after which a stage without any good prices is given up.
const MOST_WORK: u64 = 4_000_000_000;
/// Price of anything.
const DEAREST: f64 = 8.0;

/// The bound; in the making until `step` says so.
#[derive(Debug)]
pub struct LagrangianBound {
    small: SmallTable,
    /// Partitions still to be used, the next one last, and up to how many warps.
    partitions: Vec<(Partition, usize)>,
    stages: Vec<Multipliers>,
    current: Option<(Arc<ClassAggregates>, usize)>,
    /// For each state of few warps its cell.
    small_cells: Vec<u32>,
    low: usize,
    high: usize,
    evaluation: Option<Evaluation>,
    /// Where the search for prices stands, and its best: what it proves, in parts, and the stage.
    prices: Vec<f64>,
    best: Option<(i64, Vec<f64>, Multipliers)>,
    origin: Vec<usize>,
    tries: u32,
    /// What the evaluations of this stage cost.
    work: u64,
    /// What the last stage proved, in cycles.
    settled: f64,
    stale: u32,
    stride: f64,
    /// The cycles per warp hoped for.
    pace: f64,
    failed: bool,
}

impl LagrangianBound {
    /// To be made for a problem, in about `memory` bytes; `None` if it is too large. `found` cycles are known
    /// to be possible.
    pub fn new(instance: &Instance, found: u32, memory: u64) -> Option<Self> {
        Self::with(instance, found, memory, SmallTable::new(instance))
    }

    /// The same above a table of few warps.
    fn with(instance: &Instance, found: u32, memory: u64, small: SmallTable) -> Option<Self> {
        let warps = instance.warps as usize;
        if instance.work() > 32_000 || small.warps() == 0 || warps <= small.warps() || warps > 128 {
            return None;
        }
        let top = |partition: &Partition, most: u64| {
            (1..=warps).rev().find(|&warps| count(instance, partition, warps) <= most).unwrap_or(0)
        };
        let mut partitions: Vec<(Partition, usize)> = Vec::new();
        for (partition, most) in candidates(instance).into_iter().zip(MOST_CELLS) {
            let top = top(&partition, most.min(memory / CELL));
            if top > partitions.last().map_or(small.warps(), |last| last.1) {
                partitions.push((partition, top));
            }
        }
        partitions.reverse();
        let low = small.warps();
        Some(Self {
            small,
            partitions,
            stages: Vec::new(),
            current: None,
            small_cells: Vec::new(),
            low,
            high: low,
            evaluation: None,
            prices: Vec::new(),
            best: None,
            origin: Vec::new(),
            tries: 0,
            work: 0,
            settled: f64::from(found) / warps as f64 * low as f64,
            stale: 0,
            stride: 1.0,
            pace: f64::from(found) / warps as f64,
            failed: false,
        })
    }

    /// Goes on; whether there is more to do.
    pub fn step(&mut self, instance: &Instance, budget: u64) -> bool {
        if self.small.step(instance, budget) {
            return true;
        }
        let mut spent = 0;
        while spent < budget && !self.failed {
            let Some((cells, _)) = self.current.clone() else {
                if !self.next_stage(instance) {
                    self.finish();
                    return false;
                }
                continue;
            };
            let Some(evaluation) = &mut self.evaluation else {
                spent += self.begin(instance, &cells);
                continue;
            };
            let (outcome, cost) = evaluation.step(&cells);
            spent += cost;
            self.work += cost;
            let over = evaluation.settled();
            if over || outcome.is_some() {
                self.judge(instance, &cells, outcome);
            }
        }
        !self.failed
    }

    /// The bound from an aggregate on.
    pub fn bound(&self, instance: &Instance, aggregate: &Aggregate) -> Option<u32> {
        let warps: u32 = aggregate.0.iter().map(|group| group.warps).sum();
        self.stages.iter().find(|stage| warps as usize <= stage.high)?.bound(instance, aggregate)
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        let shared = |i: usize| i > 0 && Arc::ptr_eq(&self.stages[i].cells, &self.stages[i - 1].cells);
        let cells = (0..self.stages.len()).filter(|&i| !shared(i)).map(|i| self.stages[i].cells.bytes());
        let values = self.stages.iter().map(|stage| (stage.value.len() * 4) as u64);
        self.small.bytes() + (self.small_cells.len() * 4) as u64 + cells.sum::<u64>() + values.sum::<u64>()
    }

    /// Cells of all stages.
    pub fn cells(&self) -> u64 {
        self.stages.iter().map(|stage| stage.value.len() as u64).sum()
    }

    /// Frees what only the search for prices needs.
    fn finish(&mut self) {
        (self.small_cells, self.origin) = (Vec::new(), Vec::new());
        let mut last: Option<(Arc<ClassAggregates>, Arc<ClassAggregates>)> = None;
        for stage in &mut self.stages {
            let slim = match &last {
                Some((whole, slim)) if Arc::ptr_eq(whole, &stage.cells) => slim.clone(),
                _ => Arc::new(stage.cells.slim()),
            };
            last = Some((std::mem::replace(&mut stage.cells, slim.clone()), slim));
        }
    }

    /// Goes to the next numbers of warps; whether there are any.
    fn next_stage(&mut self, instance: &Instance) -> bool {
        let warps = instance.warps as usize;
        while self.low < warps {
            let usable = self.stages.last().filter(|stage| stage.cells.levels.len() - 2 > self.low);
            let cells = match usable {
                Some(stage) => stage.cells.clone(),
                None => {
                    let Some((partition, top)) = self.partitions.pop() else { return false };
                    let cells =
                        if top > self.low { ClassAggregates::new(instance, partition, top) } else { None };
                    match cells {
                        Some(cells) if cells.hands.len() * cells.content.len() <= MOST_VALUES => {
                            Arc::new(cells)
                        }
                        _ => continue,
                    }
                }
            };
            let top = cells.levels.len() - 2;
            self.high = (self.low + 1).max(self.low * 5 / 4).min(top);
            if self.stages.is_empty() {
                let mut list = Vec::new();
                self.small.each(&mut |at, _| list.push(cells.find(&content(instance, &cells, at))));
                self.small_cells = list;
                self.settled = f64::from(self.small.all());
            }
            self.prices = self.first_prices(instance, &cells);
            (self.tries, self.work, self.stale, self.stride, self.best) = (0, 0, 0, 1.0, None);
            self.current = Some((cells, self.high));
            return true;
        }
        false
    }

    /// The last stage's prices, or a share of what a cycle can do.
    fn first_prices(&self, instance: &Instance, cells: &ClassAggregates) -> Vec<f64> {
        let classes = cells.unit.len();
        let mut sums = vec![(0.0, 0.0); classes + cells.exits.len()];
        for q in 0..instance.phases.len() {
            let (class, exit) = (cells.partition.class_of[q], classes + cells.exit_of[q]);
            let (each, leave) = match self.stages.last() {
                Some(stage) => {
                    let old = stage.cells.partition.class_of[q];
                    let leave = stage.price[stage.cells.unit.len() + stage.cells.exit_of[q]];
                    (f64::from(stage.price[old]) / f64::from(PARTS), f64::from(leave) / f64::from(PARTS))
                }
                None => (1.0 / f64::from(instance.capacity[instance.phases[q].unit]), 0.0),
            };
            sums[class] = (sums[class].0 + each, sums[class].1 + 1.0);
            sums[exit] = (sums[exit].0 + leave, sums[exit].1 + 1.0);
        }
        sums.iter().map(|&(sum, count)| sum / f64::max(count, 1.0)).collect()
    }

    /// Begins an evaluation; what it cost.
    fn begin(&mut self, instance: &Instance, cells: &ClassAggregates) -> u64 {
        let price: Vec<i32> = self.prices.iter().map(|&p| (p * f64::from(PARTS)).round() as i32).collect();
        let rest = rest(instance, cells, &price);
        let mut value = vec![NEVER; cells.levels[self.low + 1]];
        self.origin.clear();
        self.origin.resize(value.len(), usize::MAX);
        let mut offer = |cell: usize, best: i64, from: usize| {
            if best > i64::from(value[cell]) {
                (value[cell], self.origin[cell]) = (best as i32, from);
            }
        };
        match self.stages.last() {
            None => {
                let mut at = 0;
                self.small.each(&mut |positions, longest| {
                    let cost: i64 = positions.iter().map(|&p| rest[p]).sum();
                    offer(self.small_cells[at] as usize, i64::from(longest) * i64::from(PARTS) - cost, at);
                    at += 1;
                });
            }
            Some(stage) => {
                let dearer = dearer(instance, stage, &rest);
                for (at, content) in
                    stage.cells.content[..stage.cells.levels[self.low + 1]].iter().enumerate()
                {
                    if stage.value[at] > NEVER / 2 {
                        let more = dearer.iter().enumerate().map(|(c, &(d, _))| i64::from(content[c]) * d);
                        let cell = cells.find(&project(instance, &stage.cells, cells, content)) as usize;
                        offer(cell, i64::from(stage.value[at]) + more.sum::<i64>(), at);
                    }
                }
            }
        }
        let evaluation = Evaluation::new(cells, price, value, self.low, self.high);
        let cost = (evaluation.value.len() * 4 + self.small_cells.len()) as u64;
        self.evaluation = Some(evaluation);
        cost
    }

    /// Learns from an evaluation, and ends the stage when enough were made.
    fn judge(&mut self, instance: &Instance, cells: &Arc<ClassAggregates>, outcome: Option<Outcome>) {
        let Some(evaluation) = self.evaluation.take() else { return };
        let mut all = vec![0; 2 * CLASSES];
        let first = cells.partition.class_of[0];
        (all[first], all[CLASSES + first]) =
            (self.high as u16, (self.high as u32 * instance.phases[0].length) as u16);
        let start = all.try_into().map_or(NONE, |content| cells.find(&content)) as usize;
        let outcome = outcome.unwrap_or_else(|| evaluation.path(cells, start));
        self.tries += 1;
        match outcome {
            Outcome::Settled { cell, paid } => {
                let rest = rest(instance, cells, &evaluation.price);
                let bound = i64::from(evaluation.value[start]) + i64::from(self.high as u32) * rest[0];
                let slope = self.slope(instance, cells, cell, &paid, &rest);
                self.descend(cells, evaluation, rest, bound, &slope);
            }
            Outcome::Circle { gain, paid } => {
                let gain = gain as f64 / f64::from(PARTS);
                self.shift(1.1 * (gain + 0.003), &paid);
            }
            Outcome::Slow => self.prices.iter_mut().take(cells.unit.len()).for_each(|p| *p += 0.01),
        }
        let (least, most, work) = TRIES;
        let enough = match self.best {
            Some(_) => self.tries >= most || self.tries >= least && self.work >= work,
            None => self.tries >= 4 * most || self.work >= MOST_WORK,
        };
        if enough {
            match self.best.take() {
                Some((bound, _, stage)) => {
                    self.settled = bound as f64 / f64::from(PARTS);
                    self.low = stage.high;
                    self.stages.push(stage);
                    self.current = None;
                }
                None => self.failed = true,
            }
        }
    }

    /// How the bound changes with each price: what is paid for in the whole string, less on the best path.
    fn slope(
        &self,
        instance: &Instance,
        cells: &ClassAggregates,
        cell: usize,
        paid: &[i64],
        rest: &[i64],
    ) -> Vec<i64> {
        let mut slope: Vec<i64> = paid.iter().map(|&n| -n).collect();
        let mut add = |from: usize, times: i64| {
            for p in from..instance.length as usize {
                let q = instance.phase_of[p] as usize;
                slope[cells.partition.class_of[q]] += times;
                if p as u32 + 1 == instance.end(q) {
                    slope[cells.unit.len() + cells.exit_of[q]] += times;
                }
            }
        };
        add(0, i64::from(self.high as u32));
        match self.stages.last() {
            None => self.small.at(self.origin[cell]).iter().for_each(|&p| add(p, -1)),
            Some(stage) => {
                let content = stage.cells.content[self.origin[cell]];
                for (class, &(_, p)) in dearer(instance, stage, rest).iter().enumerate() {
                    add(p, -i64::from(content[class]));
                }
            }
        }
        slope
    }

    fn descend(
        &mut self,
        cells: &Arc<ClassAggregates>,
        evaluation: Evaluation,
        rest: Vec<i64>,
        bound: i64,
        slope: &[i64],
    ) {
        if self.best.as_ref().is_none_or(|best| bound < best.0) {
            let high = self.high;
            let Evaluation { price, mut value, .. } = evaluation;
            value.truncate(cells.levels[high + 1]);
            let stage = Multipliers { cells: cells.clone(), high, price, value, rest };
            self.best = Some((bound, self.prices.clone(), stage));
            self.stale = 0;
        } else {
            self.stale += 1;
        }
        if let (7.., Some(best)) = (self.stale, &self.best) {
            self.prices.clone_from(&best.1);
            self.stride *= 0.6;
            self.stale = 0;
            return;
        }
        let hoped = self.settled + self.pace * (self.high - self.low) as f64;
        let over = bound as f64 / f64::from(PARTS) - hoped;
        self.shift(-self.stride * over.max(1.0), slope);
    }

    /// Moves the prices along a direction so that what it counts changes by so much.
    fn shift(&mut self, by: f64, direction: &[i64]) {
        let square: f64 = direction.iter().map(|&n| (n * n) as f64).sum();
        for (price, &n) in self.prices.iter_mut().zip(direction) {
            *price = (*price + by * n as f64 / square.max(1.0)).clamp(-DEAREST, DEAREST);
        }
    }
}
