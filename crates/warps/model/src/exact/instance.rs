//! The problem as the searches need it: phases, capacities, and how much a state still asks for.
//!
//! A phase is a maximal run of one kind of unit within one sub-block. Warps of one phase wait for the same
//! unit with the same urgency, so how many warps may execute where depends on the numbers per phase alone.

use super::Problem;
use crate::Unit;

/// A run of one kind of unit within one sub-block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Phase {
    /// The kind of unit, as an index.
    pub unit: usize,
    /// The sub-block, ascending from phase to phase.
    pub block: u32,
    /// The position of its first instruction.
    pub start: u32,
    /// How many instructions it has.
    pub length: u32,
}

/// A problem, prepared.
#[derive(Debug, Clone)]
pub struct Instance {
    /// How many warps.
    pub warps: u32,
    /// Instructions per warp.
    pub length: u32,
    /// The phases in the order of the string.
    pub phases: Vec<Phase>,
    /// The phase each position belongs to.
    pub phase_of: Vec<u32>,
    /// Capacity of each kind of unit, never over the issue limit.
    pub capacity: [u32; 4],
    /// Warps per cycle altogether.
    pub issue: u32,
    /// For each position, up to and with the end, the instructions of each kind from there on.
    pub ahead: Vec<[u32; 4]>,
    /// For each position the weight of the instructions from there on; see [`Instance::longest`].
    weight: Vec<u64>,
    /// What an instruction of each kind weighs.
    unit_weight: [u64; 4],
    /// The weight of one cycle.
    cycle: u64,
    /// Instructions after the last of each kind.
    tail: [u32; 4],
}

impl Instance {
    /// Prepares a problem; `None` where the kernel needs a unit that is not there.
    pub fn new(problem: &Problem) -> Option<Self> {
        let units = problem.kernel.units();
        let totals = problem.kernel.totals();
        let issue = problem.machine.issue_limit().min(problem.warps as u32);
        let capacity = Unit::ALL.map(|unit| problem.machine.serves(unit).min(issue));
        if problem.warps == 0 || !problem.machine.has_units_for(totals) {
            return None;
        }
        let blocks = problem.fairness.blocks(units.len());
        let mut phases: Vec<Phase> = Vec::new();
        let mut phase_of = Vec::with_capacity(units.len());
        for (at, (&unit, &block)) in (0..).zip(units.iter().zip(&blocks)) {
            match phases.last_mut() {
                Some(phase) if phase.unit == unit as usize && phase.block == block => phase.length += 1,
                _ => phases.push(Phase { unit: unit as usize, block, start: at, length: 1 }),
            }
            phase_of.push(phases.len() as u32 - 1);
        }
        let used: Vec<u64> = (0..4).filter(|&u| totals.0[u] > 0).map(|u| u64::from(capacity[u])).collect();
        let cycle: u64 = used.iter().product();
        let unit_weight = [0, 1, 2, 3].map(|u| cycle / u64::from(capacity[u].max(1)));
        let mut ahead = vec![[0; 4]; units.len() + 1];
        let mut weight = vec![0; units.len() + 1];
        for (at, &unit) in units.iter().enumerate().rev() {
            ahead[at] = ahead[at + 1];
            ahead[at][unit as usize] += 1;
            weight[at] = weight[at + 1] + unit_weight[unit as usize];
        }
        let tail = Unit::ALL.map(|unit| units.iter().rev().take_while(|&&u| u != unit).count() as u32);
        let (warps, length) = (problem.warps as u32, units.len() as u32);
        Some(Self {
            warps,
            length,
            phases,
            phase_of,
            capacity,
            issue,
            ahead,
            weight,
            unit_weight,
            cycle,
            tail,
        })
    }

    /// All instructions of all warps.
    pub fn work(&self) -> u32 {
        self.warps * self.length
    }

    /// The position after a phase.
    pub fn end(&self, phase: usize) -> u32 {
        self.phases[phase].start + self.phases[phase].length
    }

    /// The most cycles from a state of phases on.
    ///
    /// The argument of [`crate::bounds::blocked_cycles`], begun in the middle. The warp that finishes
    /// last executes or is blocked, and each blocked cycle holds instructions of others that weigh a cycle or
    /// more. So the weight of all instructions left, plus what the last warp's own weigh less than a cycle
    /// each, bounds the time; the latter is largest for the warp that is furthest behind.
    pub fn longest(&self, aggregate: &Aggregate) -> u32 {
        let (mut weight, mut instructions) = (0, 0);
        for (q, group) in aggregate.0.iter().enumerate().filter(|(_, group)| group.warps > 0) {
            let end = self.end(q) as usize;
            let (n, r) = (u64::from(group.warps), u64::from(group.left));
            weight += r * self.unit_weight[self.phases[q].unit] + n * self.weight[end];
            instructions += r + n * (self.length as u64 - end as u64);
        }
        let Some(behind) = self.furthest_behind(aggregate) else { return 0 };
        let own = u64::from(self.length - behind) * self.cycle - self.weight[behind as usize];
        ((weight + own) / self.cycle).min(instructions) as u32
    }

    /// The fewest cycles from a state of phases on: no unit does more than its capacity in a cycle, nor all
    /// together more than may issue, and no warp more than one instruction. The last instruction on a kind of
    /// unit is the last of its kind for its warp, which still has the rest of the string before it.
    pub fn shortest(&self, aggregate: &Aggregate) -> u32 {
        let mut left = [0; 4];
        for (q, group) in aggregate.0.iter().enumerate().filter(|(_, group)| group.warps > 0) {
            left[self.phases[q].unit] += group.left;
            for (sum, ahead) in left.iter_mut().zip(self.ahead[self.end(q) as usize]) {
                *sum += group.warps * ahead;
            }
        }
        let units =
            (0..4).filter(|&u| left[u] > 0).map(|u| left[u].div_ceil(self.capacity[u]) + self.tail[u]).max();
        units.unwrap_or(0).max(left.iter().sum::<u32>().div_ceil(self.issue)).max(self.path(aggregate))
    }

    /// Instructions left in a state of phases, each kind of unit with a weight.
    pub fn weigh(&self, aggregate: &Aggregate, weights: [u64; 4]) -> u64 {
        let mut sum = 0;
        for (q, group) in aggregate.0.iter().enumerate().filter(|(_, group)| group.warps > 0) {
            sum += u64::from(group.left) * weights[self.phases[q].unit];
            let ahead = self.ahead[self.end(q) as usize];
            let later: u64 = (0..4).map(|u| u64::from(ahead[u]) * weights[u]).sum();
            sum += u64::from(group.warps) * later;
        }
        sum
    }

    /// Weights of the kinds of unit by which a beam ranks work: what the widest serves beyond a kind, and 1.
    pub fn scarcity(&self) -> [u64; 4] {
        let widest = self.phases.iter().map(|phase| self.capacity[phase.unit]).max().unwrap_or(1);
        self.capacity.map(|capacity| u64::from((widest - capacity.min(widest)).max(1)))
    }

    /// The instructions left for the warp that is furthest behind.
    pub fn path(&self, aggregate: &Aggregate) -> u32 {
        self.furthest_behind(aggregate).map_or(0, |behind| self.length - behind)
    }

    /// The position no warp is behind, as far as the state of phases tells.
    fn furthest_behind(&self, aggregate: &Aggregate) -> Option<u32> {
        let (q, group) = aggregate.0.iter().enumerate().find(|(_, group)| group.warps > 0)?;
        Some(self.end(q) - group.most)
    }
}

/// The warps of one phase, taken together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Group {
    /// How many.
    pub warps: u32,
    /// Instructions they still execute in the phase, in sum.
    pub left: u32,
    /// The most one of them still executes in it.
    pub most: u32,
}

/// A state with the warps of each phase taken together.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Aggregate(pub Vec<Group>);

impl Aggregate {
    /// All warps at the start.
    pub fn start(instance: &Instance) -> Self {
        let mut groups = vec![Group::default(); instance.phases.len()];
        let length = instance.phases[0].length;
        groups[0] = Group { warps: instance.warps, left: instance.warps * length, most: length };
        Self(groups)
    }

    /// What groups of `(position, warps)` amount to.
    pub fn gather(&mut self, instance: &Instance, places: &[Place]) {
        self.0.clear();
        self.0.resize(instance.phases.len(), Group::default());
        for place in places.iter().filter(|place| place.at < instance.length) {
            let q = instance.phase_of[place.at as usize] as usize;
            let left = instance.end(q) - place.at;
            let group = &mut self.0[q];
            group.warps += place.warps;
            group.left += place.warps * left;
            group.most = group.most.max(left);
        }
    }
}

/// Warps at one position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Place {
    /// The position: instructions they have executed.
    pub at: u32,
    /// How many warps.
    pub warps: u32,
}
