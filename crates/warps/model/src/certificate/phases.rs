//! States in which warps are told apart by phase or by position, and the steps between them.
//!
//! A phase is a maximal run of one kind of unit within one sub-block. Which choices a cycle allows depends
//! only on how many warps are in each phase, so every step of positions is a step of phases as well.

use super::Model;
use super::choices::{Offer, Wanting};
use super::work::Work;
use crate::Unit;

/// The warps in one phase: how many, their instructions left in it, and what none of them has more of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Group {
    /// How many warps.
    pub warps: u32,
    /// Instructions they have left in the phase, in sum.
    pub left: u32,
    /// The most that one of them has left, or more.
    pub most: u32,
}

/// A run of one kind of unit.
#[derive(Debug, Clone, Copy)]
struct Phase {
    unit: usize,
    block: u32,
    first: usize,
    length: u32,
}

/// The phases of a model.
pub struct Phases {
    offer: Offer,
    warps: u32,
    phases: Vec<Phase>,
    /// For each position the phase it is in.
    phase_of: Vec<usize>,
    /// What an instruction of each phase counts, and what a cycle does.
    shares: Vec<u64>,
    whole: u64,
}

/// How many of a phase's warps may leave it when so many execute.
///
/// Who leaves has one instruction left, who executes and stays two or more, who waits one or more, nobody
/// more than the most: `y + 2 (x - y) + (n - x) <= r <= y + m (n - y)`.
pub fn leaving(group: Group, executes: u32) -> std::ops::RangeInclusive<u32> {
    let Group { warps, left, most } = group;
    let least = (warps + executes).saturating_sub(left);
    let spare = most * warps - left;
    let greatest = if most > 1 { spare / (most - 1) } else { executes };
    least..=greatest.min(executes)
}

impl Phases {
    /// Those of a model; `None` where the machine lacks a unit.
    pub fn new(model: &Model<'_>) -> Option<Self> {
        let units = model.kernel.units();
        let at_once = |unit: Unit| u64::from(model.machine.serves(unit));
        if units.iter().any(|&unit| at_once(unit) == 0) {
            return None;
        }
        let blocks = model.fairness.blocks(units.len());
        let mut phases: Vec<Phase> = Vec::new();
        let mut phase_of = Vec::with_capacity(units.len());
        for (first, (&unit, &block)) in units.iter().zip(&blocks).enumerate() {
            match phases.last_mut() {
                Some(last) if last.unit == unit as usize && last.block == block => last.length += 1,
                _ => phases.push(Phase { unit: unit as usize, block, first, length: 1 }),
            }
            phase_of.push(phases.len() - 1);
        }
        let used = Unit::ALL.into_iter().filter(|unit| units.contains(unit));
        let whole: u64 = used.map(at_once).product();
        let shares = phases.iter().map(|phase| whole / at_once(Unit::ALL[phase.unit])).collect();
        let warps = model.warps as u32;
        Some(Self { offer: Offer::of(model), warps, phases, phase_of, shares, whole })
    }

    /// How many phases there are.
    pub fn count(&self) -> usize {
        self.phases.len()
    }

    /// The instructions of a phase.
    pub fn length(&self, phase: usize) -> u32 {
        self.phases[phase].length
    }

    /// How many warps there are.
    pub fn warps(&self) -> u32 {
        self.warps
    }

    /// All warps at the start.
    pub fn start(&self) -> Vec<Group> {
        let length = self.phases[0].length;
        let mut state = vec![Group::default(); self.phases.len()];
        state[0] = Group { warps: self.warps, left: self.warps * length, most: length };
        state
    }

    /// What positions amount to, by phase.
    pub fn of_positions(&self, positions: &[u16]) -> Vec<Group> {
        let mut state = vec![Group::default(); self.phases.len()];
        for &position in positions {
            let Some(&phase) = self.phase_of.get(usize::from(position)) else { continue };
            let done = usize::from(position) - self.phases[phase].first;
            let left = self.phases[phase].length - done as u32;
            let group = &mut state[phase];
            *group = Group { warps: group.warps + 1, left: group.left + left, most: group.most.max(left) };
        }
        state
    }

    /// How many warps of each phase may execute in a cycle.
    pub fn choices(&self, state: &[Group], work: &Work) -> Vec<Vec<u32>> {
        let filled: Vec<usize> = (0..state.len()).filter(|&phase| state[phase].warps > 0).collect();
        let wanting = filled.iter().map(|&at| {
            let phase = &self.phases[at];
            Wanting { unit: phase.unit, block: phase.block, warps: state[at].warps }
        });
        let choices = self.offer.choices(&wanting.collect::<Vec<_>>(), work);
        let spread = |chosen: Vec<u32>| {
            let mut executing = vec![0; state.len()];
            for (&at, warps) in filled.iter().zip(chosen) {
                executing[at] = warps;
            }
            executing
        };
        choices.into_iter().map(spread).collect()
    }

    /// Every state of phases that may follow when these numbers of warps execute; where the work is over, not all
    /// of them.
    pub fn each_successor(
        &self,
        state: &[Group],
        executing: &[u32],
        work: &Work,
        visit: &mut dyn FnMut(&[Group]),
    ) {
        let mut next = state.to_vec();
        let mut counted = |state: &[Group]| {
            if work.spend(8 * state.len() as u64) {
                visit(state);
            }
        };
        self.leave((0, 0), state, executing, work, &mut next, &mut counted);
    }

    fn leave(
        &self,
        (phase, entering): (usize, u32),
        state: &[Group],
        executing: &[u32],
        work: &Work,
        next: &mut [Group],
        visit: &mut dyn FnMut(&[Group]),
    ) {
        let Some(&Group { warps, left, most }) = state.get(phase) else {
            visit(next);
            return;
        };
        let (executes, length) = (executing[phase], self.phases[phase].length);
        for leaving in leaving(state[phase], executes) {
            let (stay, rest) = (warps - leaving, left - executes);
            let most_staying = match stay {
                0 => 0,
                _ => (if executes == warps { most - 1 } else { most }).min(rest + 1 - stay),
            };
            next[phase] = Group {
                warps: stay + entering,
                left: rest + entering * length,
                most: if entering > 0 { length } else { most_staying },
            };
            if work.is_over() {
                return;
            }
            self.leave((phase + 1, leaving), state, executing, work, next, visit);
        }
    }

    /// Every state of positions, ascending, that may follow in a cycle; where the work is over, not all of them.
    pub fn each_step(&self, positions: &[u16], work: &Work, visit: &mut dyn FnMut(&[u16])) {
        let waiting: Vec<&[u16]> = positions
            .chunk_by(|a, b| a == b)
            .filter(|same| usize::from(same[0]) < self.phase_of.len())
            .collect();
        let wanting: Vec<Wanting> = waiting
            .iter()
            .map(|same| {
                let phase = self.phases[self.phase_of[usize::from(same[0])]];
                Wanting { unit: phase.unit, block: phase.block, warps: same.len() as u32 }
            })
            .collect();
        if wanting.is_empty() {
            return;
        }
        for chosen in self.offer.choices(&wanting, work) {
            if !work.spend(4 * positions.len() as u64) {
                return;
            }
            let mut next = positions.to_vec();
            for (same, &warps) in waiting.iter().zip(&chosen) {
                let first = positions.partition_point(|&position| position < same[0]);
                next[first..first + warps as usize].fill(same[0] + 1);
            }
            next.sort_unstable();
            visit(&next);
        }
    }

    /// The most cycles a state can still take, by the argument of the formula begun in the middle: what all
    /// warps have left counts by its shares, and the furthest behind of them may be the last.
    pub fn longest(&self, state: &[Group]) -> u32 {
        let Some(behind) = state.iter().position(|group| group.warps > 0) else { return 0 };
        let (mut instructions, mut shares) = (0u64, 0u64);
        let mut inside = 0u64; // warps that come through a phase, or are in it
        for (phase, group) in state.iter().enumerate() {
            let here = u64::from(group.left) + inside * u64::from(self.phases[phase].length);
            inside += u64::from(group.warps);
            instructions += here;
            shares += here * self.shares[phase];
        }
        let own = |phase: usize, count: u32| u64::from(count) * (self.whole - self.shares[phase]);
        let later = (behind + 1..self.phases.len()).map(|phase| own(phase, self.phases[phase].length));
        let slack = own(behind, state[behind].most) + later.sum::<u64>();
        ((shares + slack) / self.whole).min(instructions) as u32
    }
}
