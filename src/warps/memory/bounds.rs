//! How long what is left can take at the most, from any state: a proven upper bound.
//!
//! Take a warp that finishes last. Until it has finished, each cycle is one in which it executes, or waits for its own
//! load, or is blocked: its previous instruction is complete, and its unit has no free place or no issue slot is
//! left.
//!
//! 1. *Its own cycles* are what is left of the load it waits for, one for each instruction left, and `d - 1` more for
//!    each load left.
//! 2. *Blocked cycles.* Give each start of another warp's instruction on unit U the weight `1 / min(cap_U, issue)`, and,
//!    where places are held, each further cycle of its load the weight `1 / cap_L`. In a cycle in which U has no free
//!    place, `cap_U` places are taken by others, for a blocked warp holds none: together they weigh 1 or more. If no
//!    issue slot is left, `issue` others start, each of weight `1 / issue` or more. So there are no more blocked
//!    cycles than all that is left of the others weighs.
//! 3. *What cannot block weighs nothing.* A unit that the warp does not need any more cannot block it, nor can one with
//!    more places than there are other warps; and issue slots run out only if there are that many others. Then a
//!    start weighs `1 / issue`, or nothing, and a held cycle nothing.
//! 4. *Misses.* Of `k` misses, `j` on the warp's own path add `j (miss - hit)` cycles, and the others `(k - j) (miss -
//!    hit) / cap_L` if places are held and nothing otherwise. As `cap_L` is 1 or more, as many as possible on its own
//!    path is the worst.
//! 5. *Besides*, in each cycle something executes or some load is under way, so all that is left, one after the other,
//!    is a bound as well.

use super::{Misses, Mode, Problem};
use crate::warps::{PerUnit, Unit};

/// The name of the bound, as reports give it.
pub const BLOCKED_CYCLES: &str = "own and blocked cycles of the last warp";

/// The finest grid of weights; where denominators have no small common multiple, weights are rounded up to it.
const FINEST: u64 = 1 << 30;

/// A warp in a state: instructions it has started, and cycles until it may start the next.
pub type Place = (usize, u32);

/// Tables for the bound.
#[derive(Debug, Clone)]
pub struct Bounds {
    hit: u32,
    miss: u32,
    held: bool,
    /// What a cycle weighs.
    one: u64,
    /// For each number of instructions started: cycles the others take without misses beyond those that are sure.
    path: Vec<u32>,
    /// Loads that are left.
    loads: Vec<u32>,
    /// Which set of units is still needed: an index into the tables below.
    needs: Vec<usize>,
    /// For each such set, the weight of what is left from each place on.
    weights: Vec<Weights>,
    /// With fewer other warps than this nobody blocks anybody.
    crowd: usize,
    /// From each number of instructions started on, what is left in cycles of its units.
    work: Vec<u64>,
    /// What a cycle of a load under way takes of its unit, and what a miss adds.
    load: (u64, u64),
}

/// Weights as a warp sees them that needs certain units.
#[derive(Debug, Clone)]
struct Weights {
    /// From each number of instructions started on.
    left: Vec<u64>,
    /// Of a cycle of a load under way.
    held: u64,
}

impl Bounds {
    /// The tables of a problem; `None` where the kernel needs a unit that is not there.
    pub fn new(problem: &Problem) -> Option<Self> {
        let units = problem.kernel.units();
        let (machine, memory) = (problem.machine, problem.memory);
        let totals = problem.kernel.totals();
        if Unit::ALL.into_iter().any(|unit| totals[unit] > 0 && machine.capacity[unit] == 0) {
            return None;
        }
        let sure =
            if memory.misses == Misses::All && memory.missing.is_none() { memory.miss } else { memory.hit };
        let (mut path, mut loads) = (vec![0u32; units.len() + 1], vec![0u32; units.len() + 1]);
        let mut sets: Vec<[bool; 4]> = vec![[false; 4]; units.len() + 1];
        for i in (0..units.len()).rev() {
            let load = units[i] == Unit::LoadStore;
            path[i] = path[i + 1] + if load { sure } else { 1 };
            loads[i] = loads[i + 1] + u32::from(load);
            sets[i] = sets[i + 1];
            sets[i][units[i] as usize] = true;
        }
        let mut kinds: Vec<[bool; 4]> = Vec::new();
        let mut needs = Vec::new();
        for set in &sets {
            if !kinds.contains(set) {
                kinds.push(*set);
            }
            needs.extend(kinds.iter().position(|kind| kind == set));
        }
        let others = problem.warps.saturating_sub(1) as u64;
        let serves = machine
            .issue
            .map(u64::from)
            .into_iter()
            .chain(Unit::ALL.into_iter().filter(|&u| totals[u] > 0).map(|u| machine.capacity[u].into()));
        let serves: Vec<u64> = serves.collect();
        let one = serves.iter().try_fold(1u64, |all, &n| {
            let all = all / gcd(all, n) * n;
            (all <= FINEST).then_some(all)
        });
        let one = one.unwrap_or(FINEST);
        let share = |places: u64| if others >= places { one.div_ceil(places) } else { 0 };
        let issue = machine.issue.map_or(0, |n| share(n.into()));
        let held = memory.mode == Mode::Held;
        let weights = kinds.iter().map(|needed| {
            let full = PerUnit::from_fn(|u: Unit| {
                if needed[u as usize] && totals[u] > 0 { share(machine.capacity[u].into()) } else { 0 }
            });
            let on = if held { full[Unit::LoadStore] } else { 0 };
            let mut left = vec![0u64; units.len() + 1];
            for i in (0..units.len()).rev() {
                let further = if units[i] == Unit::LoadStore { u64::from(sure - 1) * on } else { 0 };
                left[i] = left[i + 1] + full[units[i]].max(issue) + further;
            }
            Weights { left, held: on }
        });
        let places = |u: Unit| one.div_ceil(u64::from(machine.capacity[u].min(machine.issue_limit())).max(1));
        let on = if held { places(Unit::LoadStore) } else { one / 4 / (others + 1) };
        let mut work = vec![0u64; units.len() + 1];
        for i in (0..units.len()).rev() {
            let further = if units[i] == Unit::LoadStore { u64::from(sure - 1) * on } else { 0 };
            work[i] = work[i + 1] + places(units[i]) + further;
        }
        Some(Self {
            work,
            load: (on, on * u64::from(memory.miss - memory.hit)),
            hit: memory.hit,
            miss: memory.miss,
            held,
            one,
            path,
            loads,
            weights: weights.collect(),
            needs,
            crowd: serves.iter().copied().min().unwrap_or(1) as usize,
        })
    }

    /// The bound on a whole schedule.
    pub fn whole(&self, problem: &Problem) -> u32 {
        let left = match problem.settled() {
            Some(_) if problem.memory.misses == Misses::All && problem.memory.missing.is_none() => 0,
            Some(missing) => missing.len(),
            None => problem.most_misses(),
        };
        self.rest(std::iter::repeat_n((0, 0), problem.warps), left as u32)
    }

    /// Loads that a warp has not started.
    pub fn loads(&self, started: usize) -> u32 {
        self.loads[started]
    }

    /// What is left of a warp in cycles of its units: no bound, but what looks as if it takes long.
    pub fn work(&self, started: usize) -> u64 {
        self.work[started]
    }

    /// The same of a load under way.
    pub fn waits(&self, wait: u32) -> u64 {
        u64::from(wait) * self.load.0
    }

    /// The same of misses that may still come.
    pub fn late(&self, misses: u32) -> u64 {
        u64::from(misses) * self.load.1
    }

    /// Cycles until the last of these warps can have finished, of whose loads so many may miss.
    pub fn rest(&self, warps: impl Iterator<Item = Place> + Clone, misses: u32) -> u32 {
        let extra = self.miss - self.hit;
        let (mut serial, mut loads, mut active) = (0u64, 0u64, 0usize);
        for (at, wait) in warps.clone() {
            serial += u64::from(wait) + u64::from(self.path[at]);
            loads += u64::from(self.loads[at]);
            active += usize::from(wait > 0 || at + 1 < self.path.len());
        }
        let misses = u64::from(misses).min(loads);
        serial += misses * u64::from(extra);
        let alone = active <= self.crowd;
        let mut longest = 0u64;
        let mut seen: Option<Place> = None;
        // What all weigh is the same for all warps that need the same units.
        let mut all: Option<(usize, u64)> = None;
        for (at, wait) in warps.clone() {
            if seen == Some((at, wait)) {
                continue;
            }
            seen = Some((at, wait));
            let own_misses = misses.min(self.loads[at].into());
            let own = u64::from(wait) + u64::from(self.path[at]) + own_misses * u64::from(extra);
            if alone || at + 1 == self.path.len() {
                longest = longest.max(own);
                continue;
            }
            let need = self.needs[at];
            let weights = &self.weights[need];
            let weigh = |at: usize, wait: u32| weights.left[at] + self.under_way(wait) * weights.held;
            let total = match all {
                Some((of, total)) if of == need => total,
                _ => warps.clone().map(|(at, wait)| weigh(at, wait)).sum(),
            };
            all = Some((need, total));
            let others = total - weigh(at, wait) + (misses - own_misses) * u64::from(extra) * weights.held;
            longest = longest.max(own + others / self.one);
        }
        u32::try_from(longest.min(serial)).unwrap_or(u32::MAX)
    }

    /// Cycles for which a load under way still holds a place.
    fn under_way(&self, wait: u32) -> u64 {
        if self.held { wait.into() } else { 0 }
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
