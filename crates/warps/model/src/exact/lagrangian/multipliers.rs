//! What multipliers, the prices of classes and exits, amount to: for positions, for states, and from one stage to the
//! next.

use std::sync::Arc;

use super::super::instance::{Aggregate, Instance};
use super::aggregates::{CLASSES, ClassAggregates, NONE, Partition};
use super::evaluate::{NEVER, PARTS};

/// Prices that hold for some numbers of warps, and what they prove.
#[derive(Debug, Clone)]
pub struct Multipliers {
    /// What a state is taken for.
    pub cells: Arc<ClassAggregates>,
    /// The most warps they hold for.
    pub high: usize,
    /// For each class the price of an instruction, then for each exit its price.
    pub price: Vec<i32>,
    /// For each cell its value.
    pub value: Vec<i32>,
    /// What the rest of the string costs, at each position.
    pub rest: Vec<i64>,
}

impl Multipliers {
    /// The bound from an aggregate of no more than `high` warps on.
    pub fn bound(&self, instance: &Instance, aggregate: &Aggregate) -> Option<u32> {
        let (mut content, mut sum) = ([0u16; 2 * CLASSES], 0);
        for (q, group) in aggregate.0.iter().enumerate().filter(|(_, group)| group.warps > 0) {
            let class = self.cells.partition.class_of[q];
            content[class] += group.warps as u16;
            content[CLASSES + class] += group.left as u16;
            let exit = self.price[self.cells.unit.len() + self.cells.exit_of[q]];
            let end = i64::from(exit) + self.rest[instance.end(q) as usize];
            sum += i64::from(group.left) * i64::from(self.price[class]) + i64::from(group.warps) * end;
        }
        let cell = self.cells.find(&content);
        let value = if cell == NONE { NEVER } else { self.value[cell as usize] };
        (value > NEVER / 2).then(|| ((i64::from(value) + sum).max(0) / i64::from(PARTS)) as u32)
    }
}

/// What the rest of the string costs, at each position.
pub fn rest(instance: &Instance, cells: &ClassAggregates, price: &[i32]) -> Vec<i64> {
    let mut rest = vec![0i64; instance.length as usize + 1];
    for p in (0..instance.length as usize).rev() {
        let q = instance.phase_of[p] as usize;
        let last = p as u32 + 1 == instance.end(q);
        let exit = if last { price[cells.unit.len() + cells.exit_of[q]] } else { 0 };
        rest[p] = rest[p + 1] + i64::from(price[cells.partition.class_of[q]]) + i64::from(exit);
    }
    rest
}

/// For each class of a stage how much dearer the rest is there than at other prices, at most, and where.
pub fn dearer(instance: &Instance, stage: &Multipliers, rest: &[i64]) -> Vec<(i64, usize)> {
    let mut most = vec![(i64::MIN, 0); stage.cells.unit.len()];
    for (p, &cost) in rest[..instance.length as usize].iter().enumerate() {
        let class = stage.cells.partition.class_of[instance.phase_of[p] as usize];
        most[class] = most[class].max((stage.rest[p] - cost, p));
    }
    most
}

/// What is in a cell of other classes, each of which lies within one of `to`.
pub fn project(
    instance: &Instance,
    from: &ClassAggregates,
    to: &ClassAggregates,
    content: &[u16; 2 * CLASSES],
) -> [u16; 2 * CLASSES] {
    let (mut next, mut done) = ([0; 2 * CLASSES], [false; CLASSES]);
    for q in 0..instance.phases.len() {
        let (old, new) = (from.partition.class_of[q], to.partition.class_of[q]);
        if !std::mem::replace(&mut done[old], true) {
            next[new] += content[old];
            next[CLASSES + new] += content[CLASSES + old];
        }
    }
    next
}

/// What warps at some positions amount to.
pub fn content(instance: &Instance, cells: &ClassAggregates, at: &[usize]) -> [u16; 2 * CLASSES] {
    let mut content = [0; 2 * CLASSES];
    for &p in at.iter().filter(|&&p| p < instance.length as usize) {
        let q = instance.phase_of[p] as usize;
        let class = cells.partition.class_of[q];
        content[class] += 1;
        content[CLASSES + class] += (instance.end(q) - p as u32) as u16;
    }
    content
}

/// Partitions by unit, from fine to coarse: what one tracks, the one before it tracks as well.
pub fn candidates(instance: &Instance) -> [Partition; 3] {
    let (mut units, mut class_of) = (Vec::new(), Vec::new());
    for phase in &instance.phases {
        let class = units.iter().position(|&unit| unit == phase.unit).unwrap_or(units.len());
        class_of.push(class);
        if class == units.len() {
            units.push(phase.unit);
        }
    }
    let long = |unit: usize| instance.phases.iter().any(|phase| phase.unit == unit && phase.length > 1);
    let wide = |unit: usize| instance.capacity[unit] > 1;
    let track = |tracked: &dyn Fn(usize) -> bool| Partition {
        class_of: class_of.clone(),
        tracked: units.iter().map(|&unit| long(unit) && tracked(unit)).collect(),
        at_once: false,
    };
    [track(&|_| true), track(&wide), track(&|_| false)]
}
