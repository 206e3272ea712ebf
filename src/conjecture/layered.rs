//! The longest schedule by looking at all of them, layer by layer: states after 1, 2, 3 cycles.
//!
//! Warps are identical, so a state is the multiset of their positions. From each state every choice that the rules
//! allow is tried; the last layer that holds a state is the worst case. Nothing is pruned, so this is for few warps,
//! and for holding cleverer searches against.

use std::collections::HashSet;

use super::verdict::Bracket;
use crate::warps::{Fairness, Kernel, Machine, PerUnit, Schedule, Unit, bounds};

/// How many warps stand at each position, the end included.
type State = Box<[u8]>;

/// A search that goes on until the worst case is known or memory is used up.
pub struct Search {
    kernel: Kernel,
    machine: Machine,
    blocks: Vec<u32>,
    warps: usize,
    /// States after 0, 1, 2, ... cycles, each with the place of one it comes from in the layer before.
    layers: Vec<Vec<(State, u32)>>,
    next: Vec<(State, u32)>,
    /// Those of `next`; only ever asked, never listed, so its order decides nothing.
    seen: HashSet<State>,
    /// The state of the last layer to look at.
    at: usize,
    used: usize,
    memory: usize,
    over: bool,
}

impl Search {
    /// A search with so many bytes for its states; `None` where the machine cannot run the kernel.
    pub fn new(kernel: &Kernel, machine: &Machine, fairness: &Fairness, warps: usize, memory: usize) -> Option<Self> {
        let totals = kernel.totals();
        let served = Unit::ALL.into_iter().all(|unit| totals[unit] == 0 || machine.capacity[unit] > 0);
        let mut start = vec![0; kernel.len() + 1];
        start[0] = u8::try_from(warps).ok().filter(|&warps| warps > 0)?;
        served.then(|| Self {
            kernel: kernel.clone(),
            machine: *machine,
            blocks: fairness.blocks(kernel.len()),
            warps,
            layers: vec![vec![(start.into(), 0)]],
            next: Vec::new(),
            seen: HashSet::new(),
            at: 0,
            used: 0,
            memory,
            over: false,
        })
    }

    /// Goes on for about so much work; whether there is more to do.
    pub fn step(&mut self, budget: u64) -> bool {
        let mut spent = 0;
        while !self.over && spent < budget {
            spent += self.expand();
            if self.used > self.memory {
                return false;
            }
        }
        !self.over
    }

    /// What is known.
    pub fn bracket(&self) -> Bracket {
        let lower = self.witness().map_or(0, |schedule| schedule.makespan());
        if self.over {
            return Bracket { lower, upper: Some(lower), upper_by: "exhaustive search" };
        }
        let upper = bounds::blocked_cycles(&self.kernel, &self.machine, self.warps);
        Bracket { lower, upper, upper_by: bounds::BLOCKED_CYCLES }
    }

    /// The longest schedule found: that of the first state of the last layer, carried on in any way.
    pub fn witness(&self) -> Option<Schedule> {
        let mut path = Vec::new();
        let mut place = 0;
        for layer in self.layers.iter().rev() {
            let (state, from) = layer.get(place)?;
            path.push(state.clone());
            place = *from as usize;
        }
        path.reverse();
        while let Some(next) = self.successors(path.last()?).into_iter().next() {
            path.push(next);
        }
        self.schedule(&path)
    }

    /// Looks at one state; the work that took.
    fn expand(&mut self) -> u64 {
        let layer = &self.layers[self.layers.len() - 1];
        let Some((state, _)) = layer.get(self.at) else {
            if self.next.is_empty() {
                self.over = true;
            } else {
                self.layers.push(std::mem::take(&mut self.next));
                self.seen.clear();
                self.at = 0;
            }
            return 1;
        };
        let successors = self.successors(state);
        let work = successors.len() as u64 * 8 + 8;
        for state in successors {
            if self.seen.insert(state.clone()) {
                self.used += 2 * state.len() + 48;
                self.next.push((state, u32::try_from(self.at).unwrap_or(u32::MAX)));
            }
        }
        self.at += 1;
        work
    }

    /// All states one cycle later.
    fn successors(&self, state: &State) -> Vec<State> {
        let pending: Vec<usize> = (0..self.kernel.len()).filter(|&p| state[p] > 0).collect();
        let mut found = Vec::new();
        if !pending.is_empty() {
            self.choose(state, &pending, &mut vec![0; pending.len()], 0, &mut found);
        }
        found
    }

    /// Tries every number of warps to execute at the positions from `at` on.
    fn choose(&self, state: &State, pending: &[usize], chosen: &mut [u8], at: usize, found: &mut Vec<State>) {
        if at == pending.len() {
            if self.allows(state, pending, chosen) {
                let mut next = state.clone();
                for (&position, &count) in pending.iter().zip(&*chosen) {
                    next[position] -= count;
                    next[position + 1] += count;
                }
                found.push(next);
            }
            return;
        }
        let unit = self.kernel.units()[pending[at]];
        let most = self.machine.capacity[unit].min(self.machine.issue_limit());
        for count in 0..=state[pending[at]].min(u8::try_from(most).unwrap_or(u8::MAX)) {
            chosen[at] = count;
            self.choose(state, pending, chosen, at + 1, found);
        }
        chosen[at] = 0;
    }

    /// Whether the rules allow these to execute: capacities, issue, work conservation, fairness.
    fn allows(&self, state: &State, pending: &[usize], chosen: &[u8]) -> bool {
        let unit = |i: usize| self.kernel.units()[pending[i]];
        let mut used = PerUnit::<u32>::default();
        for (i, &count) in chosen.iter().enumerate() {
            used[unit(i)] += u32::from(count);
        }
        let total: u32 = used.0.iter().sum();
        let full = |unit: Unit| used[unit] >= self.machine.capacity[unit];
        let fits = Unit::ALL.iter().all(|&unit| used[unit] <= self.machine.capacity[unit]);
        let slots_full = total >= self.machine.issue_limit();
        fits && total <= self.machine.issue_limit()
            && (0..pending.len()).filter(|&i| chosen[i] < state[pending[i]]).all(|waits| {
                // Nobody of a later sub-block executes in its place.
                let place_taken = (0..pending.len()).any(|runs| {
                    chosen[runs] > 0
                        && self.blocks[pending[runs]] > self.blocks[pending[waits]]
                        && (unit(runs) == unit(waits) || !full(unit(waits)))
                });
                (full(unit(waits)) || slots_full) && !place_taken
            })
    }

    /// The schedule that goes through these states: at each position whoever came there first goes on first.
    fn schedule(&self, path: &[State]) -> Option<Schedule> {
        let mut rows: Vec<Vec<u32>> = vec![Vec::new(); self.warps];
        for (cycle, pair) in (1..).zip(path.windows(2)) {
            // What left a position is what was there, what came, and what is not there any more.
            let mut came = 0;
            let mut moving = Vec::new();
            for position in 0..self.kernel.len() {
                let left = (pair[0][position] + came).checked_sub(pair[1][position])?;
                let here = (0..self.warps).filter(|&warp| rows[warp].len() == position);
                moving.extend(here.take(left.into()));
                came = left;
            }
            for warp in moving {
                rows[warp].push(cycle);
            }
        }
        Schedule::new(&rows, self.kernel.len())
    }
}
