//! The relaxation with Lagrangian multipliers beside a warp whose position is known: the one that ends last, the victim.
//!
//! Claim. Take a schedule and a warp that ends last in it. While it is at position `p`, the others, the crowd, are in a
//! cell of module `aggregates`. For a state let `phi = V_p(cell) + sum over the crowd of g(position)`, with `g` what the
//! rest of the string costs at prices for instructions of each class and for exits of each kind. If `phi >= 1 + phi'`
//! for every step after which the victim can still end last, and `phi >= 0` at the end, then `phi` bounds the cycles
//! left.
//!
//! Proof that it holds. A cycle executes a largest set of all pending warps that fits. Which sets these are depends on
//! how many warps wait for each kind of unit, so module `select` lists them for the classes of the crowd and one more
//! warp, the victim, that waits for the unit of `p`: some with the victim, which goes to `p + 1`, some without. What the
//! crowd does is a step of cells, and lowers the sum of `g` by exactly the prices of what it executes and exits, the last
//! exit of a warp that ends included. So `V_p(cell) >= 1 - prices + V_p'(cell')` for every listed step is enough. When the
//! victim ends, no other warp is left: `V_n` is 0 for the empty crowd, and nothing need hold of other cells there, as no
//! step of the schedule leads to one. Module `layers` computes the least such values from the end of the string back.
//! They exist for any prices unless a circle of steps, with the victim waiting, gains more than it pays. With the price
//! `1 / min(cap_U, issue)` for instructions on U and none for exits none does, for a victim that waits has `cap_U`
//! instructions or all issue slots beside it: the search for prices begins there, with what blocked cycles prove at most,
//! and goes down from there (module `bundle`). For a state in which it is not known who ends last, the
//! bound is the largest over all who may.
//!
//! Why it is better than cells alone: among cells, one warp can end while all others together have executed no more than
//! one string, so each seems to have its whole string left when the last one is alone. The victim keeps its place.
//!
//! Prices hardly depend on how many warps there are. So they are sought with a few first, where it takes no time.

mod beside;
mod bundle;
mod layers;
#[cfg(test)]
mod tests;

use super::super::instance::{Aggregate, Instance, Place};
use super::DEAREST;
use super::aggregates::{CLASSES, ClassAggregates, NONE, Partition, count};
use super::evaluate::{NEVER, PARTS};
use super::multipliers::{candidates, rest};
use beside::Beside;
use bundle::Bundle;
use layers::{Outcome, Trial};

/// Instructions of all warps: with prices of this and less, each and its exit cost more than what stands for no value.
pub const MOST_INSTRUCTIONS: u32 = 131_072;
const LEAST_DEAR: f64 = 2.0;
const _: () = assert!(MOST_INSTRUCTIONS as i64 * 2 * LEAST_DEAR as i64 * PARTS as i64 <= -(NEVER as i64) / 2);
/// The most values: one for each position and cell.
const MOST_VALUES: u64 = 16_000_000;
/// Bytes that a value takes while prices are tried.
const VALUE: u64 = 12;
/// Bytes that a cell takes beside, at least.
const CELL: u64 = 400;
/// Prices tried at least; where each takes long, a few less.
const LEAST: (u32, u32) = (4, 2);
/// Prices tried at most: with all warps, with fewer.
const MOST: (u32, u32) = (120, 240);
/// Work after which no more are tried: with all warps, with fewer.
const WORK: (u64, u64) = (1_600_000_000, 300_000_000);
/// The most that trying prices with all warps may cost, as far as fewer warps tell: usually, and where it is worth
/// more.
const MOST_WORK: (u64, u64) = (4_000_000_000, 8_000_000_000);
/// Cycles that are not worth another try: at first, and where the last tenth of a cycle counts.
const LITTLE: (f64, f64) = (0.05, 0.005);

/// Prices, and what they prove.
#[derive(Debug)]
struct Proven {
    price: Vec<i32>,
    values: Vec<i32>,
    /// What the rest of the string costs, at each position.
    rest: Vec<i64>,
    bound: i64,
    prices: Vec<f64>,
}

/// The bound; in the making until `step` says so.
#[derive(Debug)]
pub struct VictimBound {
    /// What may be tracked, the most last.
    partitions: Vec<Partition>,
    crowd: usize,
    memory: u64,
    /// Sizes of the crowd still to come, the next one last.
    sizes: Vec<usize>,
    beside: Option<Box<Beside>>,
    /// In the end: what finding cells needs, and how many there are.
    cells: Option<(ClassAggregates, usize)>,
    trial: Option<Box<Trial>>,
    prices: Vec<f64>,
    best: Option<Box<Proven>>,
    /// Prices to be tried at most: with all warps, with fewer.
    most: (u32, u32),
    tries: u32,
    work: u64,
    bundle: Option<Bundle>,
    /// Cycles that are not worth another try with all warps.
    little: f64,
    /// What trying prices with all warps may cost.
    most_work: u64,
    /// The price of anything at the most.
    dearest: f64,
    /// Cycles that a schedule is known to take, as a share of what blocked cycles allow.
    share: f64,
}

impl VictimBound {
    /// To be made for a problem in about `memory` bytes; `None` if it is too large. `found` cycles are known to be
    /// possible.
    pub fn new(instance: &Instance, found: u32, memory: u64) -> Option<Self> {
        let crowd = (instance.warps as usize).checked_sub(1).filter(|&crowd| crowd > 0 && crowd < 128)?;
        if instance.work() > MOST_INSTRUCTIONS {
            return None;
        }
        let most = Self::most_cells(instance, memory);
        let mut partitions: Vec<(u64, Partition)> = partitions(instance)
            .into_iter()
            .map(|partition| (count(instance, &partition, crowd), partition))
            .filter(|(cells, _)| *cells <= most)
            .collect();
        base::sort::sort_by_key(&mut partitions, |(cells, _)| *cells);
        if partitions.is_empty() {
            return None;
        }
        let partitions = partitions.into_iter().map(|(_, partition)| partition).collect();
        Some(Self::of(instance, found, memory, partitions, crowd))
    }

    /// The same for a crowd of so many, which may be fewer than there are, and these partitions, the one tried first last.
    pub fn of(
        instance: &Instance,
        found: u32,
        memory: u64,
        partitions: Vec<Partition>,
        crowd: usize,
    ) -> Self {
        let blocked = instance.longest(&Aggregate::start(instance));
        Self {
            partitions,
            crowd,
            memory,
            sizes: sizes(crowd),
            beside: None,
            cells: None,
            trial: None,
            prices: Vec::new(),
            best: None,
            most: MOST,
            tries: 0,
            work: 0,
            bundle: None,
            little: LITTLE.0,
            most_work: MOST_WORK.0,
            dearest: dearest(instance),
            share: f64::from(found) / f64::from(blocked.max(1)),
        }
    }

    /// The same without fewer warps on the way, and with so few prices tried.
    pub fn at_once(mut self, tries: u32) -> Self {
        (self.sizes, self.most) = (vec![self.crowd], (tries, tries));
        self
    }

    /// The same, not content before hardly anything is to be gained.
    pub fn closely(mut self) -> Self {
        self.little = LITTLE.1;
        self
    }

    /// The same where trying prices with all warps may take long.
    pub fn patiently(mut self) -> Self {
        self.most_work = MOST_WORK.1;
        self
    }

    /// The most cells that there may be in so many bytes.
    pub fn most_cells(instance: &Instance, memory: u64) -> u64 {
        let positions = u64::from(instance.length) + 1;
        (MOST_VALUES / positions).min(memory / (VALUE * positions + CELL))
    }

    /// What it proves from the start on, in parts of a cycle.
    pub fn parts(&self) -> Option<i64> {
        self.best.as_ref().map(|best| best.bound)
    }

    /// Goes on; whether there is more to do.
    pub fn step(&mut self, instance: &Instance, budget: u64) -> bool {
        let mut spent = 0;
        while spent < budget {
            let (Some(&size), Some(partition)) = (self.sizes.last(), self.partitions.last()) else {
                return false;
            };
            let Some(beside) = &self.beside else {
                let beside = Beside::new(instance, partition.clone(), size);
                let Some(beside) = beside.filter(|beside| {
                    let cells = beside.cells.content.len().max(1) as u64;
                    let values = cells * (u64::from(instance.length) + 1) * VALUE;
                    beside.work(instance) / cells * count(instance, partition, self.crowd) <= self.most_work
                        && beside.bytes() + values <= self.memory
                }) else {
                    spent += MOST_WORK.0 / 100;
                    self.partitions.pop();
                    (self.sizes, self.prices, self.best) = (sizes(self.crowd), Vec::new(), None);
                    continue;
                };
                let lists = beside.moves.iter().chain(&beside.waits).map(|list| list.choices.len());
                spent += 20 * lists.sum::<usize>() as u64;
                if self.prices.is_empty() {
                    let each = |&unit: &usize| 1.0 / f64::from(instance.capacity[unit]) + 0.001;
                    self.prices = beside.cells.unit.iter().map(each).collect();
                    self.prices.resize(beside.cells.unit.len() + beside.cells.exits.len(), 0.0);
                }
                (self.tries, self.work, self.bundle, self.best) = (0, 0, None, None);
                self.beside = Some(Box::new(beside));
                continue;
            };
            let trial = self.trial.get_or_insert_with(|| {
                let parts = |&price: &f64| (price * f64::from(PARTS)).round() as i32;
                let mut prices: Vec<i32> = self.prices.iter().map(parts).collect();
                // What is not paid for has no price.
                beside.certain().for_each(|at| prices[at] = 0);
                Box::new(Trial::new(instance, beside, prices))
            });
            let (outcome, cost) = trial.step(instance, beside);
            spent += cost;
            self.work += cost;
            if let Some(outcome) = outcome {
                self.judge(instance, outcome);
            }
        }
        true
    }

    /// The bound from an aggregate on: the largest over all warps that may end last.
    pub fn bound(&self, instance: &Instance, aggregate: &Aggregate) -> Option<u32> {
        let ((cells, all), best) = (self.cells.as_ref()?, self.best.as_ref()?);
        let classes = cells.unit.len();
        let (mut content, mut sum, mut warps) = ([0u16; 2 * CLASSES], 0, 0);
        for (q, group) in aggregate.0.iter().enumerate().filter(|(_, group)| group.warps > 0) {
            let class = cells.partition.class_of[q];
            content[class] += group.warps as u16;
            let tracked = cells.partition.tracked[class];
            content[CLASSES + class] += if tracked { group.left as u16 } else { group.warps as u16 };
            let end = i64::from(best.price[classes + cells.exit_of[q]]) + best.rest[instance.end(q) as usize];
            sum += i64::from(group.left) * i64::from(best.price[class]) + i64::from(group.warps) * end;
            warps += group.warps as usize;
        }
        if warps >= cells.levels.len() {
            return None;
        }
        let mut most = None;
        for (q, group) in aggregate.0.iter().enumerate().filter(|(_, group)| group.warps > 0) {
            let (class, others) = (cells.partition.class_of[q], group.warps - 1);
            for own in 1..=group.most.min(group.left - others) {
                if group.left - own > others * group.most {
                    continue;
                }
                let mut crowd = content;
                crowd[class] -= 1;
                crowd[CLASSES + class] -= if cells.partition.tracked[class] { own as u16 } else { 1 };
                let (cell, p) = (cells.find(&crowd), (instance.end(q) - own) as usize);
                if cell != NONE {
                    let value = best.values[p * all + cell as usize];
                    let phi = i64::from(value) + sum - best.rest[p];
                    most = most.max((value > NEVER / 2).then_some(phi));
                }
            }
        }
        most.map(|phi| (phi.max(0) / i64::from(PARTS)) as u32)
    }

    /// The bound in parts of a cycle from warps at these positions on, where each position is a phase: the largest over
    /// all warps that may end last. Below 0 where none can, `None` where nothing is known.
    pub fn parts_from(&self, places: &[Place]) -> Option<i64> {
        let all = self.all_at(places)?;
        places
            .iter()
            .map(|place| self.parts_of(&all, place.at))
            .try_fold(-1, |most, parts| Some(parts?.max(most)))
    }

    /// The same where the one at position `last` ends last.
    pub fn parts_beside(&self, places: &[Place], last: u32) -> Option<i64> {
        self.parts_of(&self.all_at(places)?, last)
    }

    /// The cell of all warps, the last one included, and what the rest of their strings costs.
    fn all_at(&self, places: &[Place]) -> Option<([u16; 2 * CLASSES], i64)> {
        let ((cells, _), best) = (self.cells.as_ref()?, self.best.as_ref()?);
        let (mut content, mut sum) = ([0u16; 2 * CLASSES], 0);
        for place in places {
            let class = cells.partition.class_of[place.at as usize];
            content[class] += place.warps as u16;
            content[CLASSES + class] += place.warps as u16;
            sum += i64::from(place.warps) * best.rest[place.at as usize];
        }
        Some((content, sum))
    }

    fn parts_of(&self, &(mut content, sum): &([u16; 2 * CLASSES], i64), last: u32) -> Option<i64> {
        let ((cells, all), best) = (self.cells.as_ref()?, self.best.as_ref()?);
        let class = cells.partition.class_of[last as usize];
        content[class] -= 1;
        content[CLASSES + class] -= 1;
        let cell = Some(cells.find(&content)).filter(|&cell| cell != NONE)?;
        let value = best.values[last as usize * all + cell as usize];
        let parts = i64::from(value) + sum - best.rest[last as usize];
        Some(if value > NEVER / 2 { parts } else { -1 })
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        self.beside.as_ref().map_or(0, |beside| beside.bytes())
            + self.cells.as_ref().map_or(0, |(cells, _)| cells.bytes())
            + self.best.as_ref().map_or(0, |best| best.values.len() as u64 * 4)
    }

    /// Cells of all positions.
    pub fn cells(&self) -> u64 {
        self.best.as_ref().map_or(0, |best| best.values.len() as u64)
    }

    /// Learns from a trial, and goes on to more warps when enough were made.
    fn judge(&mut self, instance: &Instance, outcome: Outcome) {
        let (Some(trial), Some(beside)) = (self.trial.take(), &self.beside) else { return };
        let (crowd, classes) =
            (self.sizes.last().map_or(0, |&size| size.cast_signed() as i64), beside.cells.unit.len());
        self.tries += 1;
        match outcome {
            Outcome::Settled { paid } => {
                let mut slope: Vec<f64> = paid.iter().map(|&n| -(n as f64)).collect();
                for (q, phase) in instance.phases.iter().enumerate() {
                    slope[beside.cells.partition.class_of[q]] += crowd as f64 * f64::from(phase.length);
                    slope[classes + beside.cells.exit_of[q]] += crowd as f64;
                }
                beside.certain().for_each(|at| slope[at] = 0.0);
                let Trial { price, values, .. } = *trial;
                let rest = rest(instance, &beside.cells, &price);
                let bound = i64::from(values[beside.start]) + crowd * rest[0];
                let (prices, value) = (self.prices.clone(), bound as f64 / f64::from(PARTS));
                match &mut self.bundle {
                    Some(bundle) => bundle.tried(&prices, value, slope),
                    None => {
                        // What blocked cycles allow to so many.
                        let blocked = f64::from(instance.longest(&Aggregate::start(instance)));
                        let hoped = self.share * blocked * (crowd + 1) as f64 / f64::from(instance.warps);
                        self.bundle = Some(Bundle::new(prices.clone(), value, slope, hoped));
                    }
                }
                if self.best.as_ref().is_none_or(|best| bound < best.bound) {
                    self.best = Some(Box::new(Proven { price, values, rest, bound, prices }));
                }
            }
            Outcome::Circle { gain, paid } => {
                let gain = gain as f64 / f64::from(PARTS);
                match &mut self.bundle {
                    Some(bundle) => bundle.circled(&self.prices, gain, &paid),
                    None => shift(&mut self.prices, 1.1 * (gain + 0.003), &paid, self.dearest),
                }
            }
            Outcome::Slow => match &mut self.bundle {
                Some(bundle) => bundle.shorten(),
                None => {
                    let dearest = self.dearest;
                    self.prices
                        .iter_mut()
                        .take(classes)
                        .for_each(|price| *price = (*price + 0.01).min(dearest));
                }
            },
        }
        if let Some(bundle) = &mut self.bundle {
            self.prices = bundle.next();
            if bundle.expected < LITTLE.0 {
                bundle.lengthen();
            }
            self.prices.iter_mut().for_each(|price| *price = price.clamp(-self.dearest, self.dearest));
        }
        let (most, work) = if self.sizes.len() > 1 { (self.most.1, WORK.1) } else { (self.most.0, WORK.0) };
        let least = if self.sizes.len() > 1 { LITTLE.0 } else { self.little };
        let little = self.bundle.as_ref().is_some_and(|bundle| bundle.expected < least);
        let tries = if self.work >= 4 * work { LEAST.1 } else { LEAST.0 };
        let enough = self.work >= work && self.tries >= tries || little;
        match &self.best {
            Some(best) if enough || self.tries >= most => {
                self.prices.clone_from(&best.prices);
                if self.sizes.len() == 1 {
                    self.cells = Some((beside.cells.slim(), beside.cells.content.len()));
                }
                self.sizes.pop();
                self.beside = None;
            }
            None if self.tries >= most => self.sizes.clear(),
            _ => {}
        }
    }
}

/// The price of anything at the most, so that what stands for no value is less than all instructions and exits cost.
fn dearest(instance: &Instance) -> f64 {
    let all = f64::from(instance.work().max(1)) * 2.0 * f64::from(PARTS);
    (f64::from(-(NEVER / 2)) / all).min(DEAREST)
}

/// Moves prices along a direction so that what it counts changes by so much, each up to the dearest.
fn shift(prices: &mut [f64], by: f64, direction: &[i64], dearest: f64) {
    let square: f64 = direction.iter().map(|&n| (n * n) as f64).sum();
    for (price, &n) in prices.iter_mut().zip(direction) {
        *price = (*price + by * n as f64 / square.max(1.0)).clamp(-dearest, dearest);
    }
}

/// Sizes of the crowd on the way to this one, which comes first.
fn sizes(crowd: usize) -> Vec<usize> {
    let mut sizes = vec![crowd];
    while let Some(&size) = sizes.last().filter(|&&size| size > 2) {
        sizes.push(size.div_ceil(2));
    }
    sizes
}

/// Partitions by unit, with the instructions left of any of the units that have longer phases.
fn partitions(instance: &Instance) -> Vec<Partition> {
    let [all, ..] = candidates(instance);
    let long: Vec<usize> = (0..all.tracked.len()).filter(|&class| all.tracked[class]).collect();
    let some = |set: usize| {
        let mut partition = all.clone();
        long.iter().enumerate().for_each(|(bit, &class)| partition.tracked[class] = set >> bit & 1 == 1);
        partition
    };
    (0..1 << long.len()).map(some).collect()
}
