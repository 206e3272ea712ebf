//! The exact worst case by layered search over multisets of positions (B, section IV), forward from the start.
//!
//! Warps are identical, so what can follow depends only on how many of them stand where. A layer holds every
//! state that some valid schedule reaches after so many cycles; the last layer there is, is the worst case,
//! the first in which all warps are done, the best.

mod moves;

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::bounds;
use super::fairness::Fairness;
use super::kernel::Kernel;
use super::machine::Machine;
use super::order::Start;
use super::schedule::Schedule;
use super::{Unit, construct};
pub use moves::successors;

/// Which end is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// The worst case.
    Longest,
    /// The best case.
    Shortest,
}

/// What is asked: the model without a method.
#[derive(Debug, Clone, Copy)]
pub struct Problem<'a> {
    /// What every warp executes.
    pub kernel: &'a Kernel,
    /// The machine.
    pub machine: &'a Machine,
    /// How many warps.
    pub warps: usize,
    /// Who may go before whom.
    pub fairness: &'a Fairness,
}

/// What a search may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of states.
    pub memory: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { memory: 256 << 20 }
    }
}

/// What is proven so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bracket {
    /// A schedule of so many cycles exists; of the best case, none is shorter.
    pub lower: u32,
    /// No schedule is longer; of the best case, one of so many cycles exists.
    pub upper: u32,
    /// What proves the upper bound.
    pub upper_by: &'static str,
}

/// The name of the proof by having seen all states.
pub const EXHAUSTED: &str = "exhaustive search";

/// Positions of all warps, ascending.
pub type State = Vec<u16>;

/// The worst case.
#[derive(Debug, Clone)]
pub struct Search(Layers);

/// The best case.
#[derive(Debug, Clone)]
pub struct Shortest(Layers);

#[derive(Debug, Clone)]
struct Layers {
    kernel: Kernel,
    machine: Machine,
    fairness: Fairness,
    warps: usize,
    goal: Goal,
    memory: u64,
    /// For each finished layer its states, each with one it came from.
    layers: Vec<HashMap<State, State>>,
    /// The layer in the making.
    made: HashMap<State, State>,
    /// States of the last finished layer that are yet to be expanded.
    open: Vec<State>,
    states: u64,
    bracket: Bracket,
    witness: Option<Schedule>,
    over: bool,
    gave_up: bool,
}

macro_rules! search {
    ($name:ident, $goal:expr) => {
        impl $name {
            /// A search; `None` where the kernel needs a unit that is not there.
            pub fn new(problem: &Problem<'_>, limits: Limits) -> Option<Self> {
                Layers::new(problem, limits, $goal).map(Self)
            }

            /// Works on; whether there is more to do.
            pub fn step(&mut self, budget: u64) -> bool {
                self.0.step(budget)
            }

            /// What is proven so far.
            pub fn bracket(&self) -> Bracket {
                self.0.bracket
            }

            /// What it is doing, for people.
            pub fn phase(&self) -> &'static str {
                "all states, cycle by cycle"
            }

            /// The cycle it is at.
            pub fn layer(&self) -> u32 {
                self.0.layers.len() as u32 - 1
            }

            /// States seen.
            pub fn states(&self) -> u64 {
                self.0.states
            }

            /// The best schedule so far.
            pub fn witness(&self) -> Option<Schedule> {
                self.0.witness.clone()
            }

            /// Whether the memory allowed did not suffice.
            pub fn gave_up(&self) -> bool {
                self.0.gave_up
            }
        }
    };
}

search!(Search, Goal::Longest);
search!(Shortest, Goal::Shortest);

impl Layers {
    fn new(problem: &Problem<'_>, limits: Limits, goal: Goal) -> Option<Self> {
        let Problem { kernel, machine, warps, fairness } = *problem;
        let upper = bounds::blocked_cycles(kernel, machine, warps)?;
        let totals = kernel.totals();
        let needed = Unit::ALL.into_iter().filter(|&unit| totals[unit] > 0).map(|unit| {
            (totals[unit] * warps as u32).div_ceil(machine.capacity[unit].min(machine.issue_limit()))
        });
        let starts = [Start::RoundRobin, Start::FixedPriority, Start::MostPending].map(|start| {
            construct(kernel, machine, &start.fair_order(kernel, machine, fairness, warps), warps)
        });
        let starts = starts.into_iter().flatten();
        let bracket = match goal {
            Goal::Longest => {
                let lower = starts.clone().map(|schedule| schedule.makespan()).max()?;
                Bracket { lower, upper, upper_by: bounds::BLOCKED_CYCLES }
            }
            Goal::Shortest => {
                let upper = starts.clone().map(|schedule| schedule.makespan()).min()?;
                let lower = needed.max().unwrap_or(0).max(kernel.len() as u32);
                Bracket { lower, upper, upper_by: "a schedule" }
            }
        };
        let reached = if goal == Goal::Longest { bracket.lower } else { bracket.upper };
        let start = vec![0u16; warps];
        Some(Self {
            kernel: kernel.clone(),
            machine: *machine,
            fairness: fairness.clone(),
            warps,
            goal,
            memory: limits.memory,
            layers: vec![HashMap::from([(start.clone(), Vec::new())])],
            made: HashMap::new(),
            open: vec![start],
            states: 1,
            witness: starts.clone().find(|schedule| schedule.makespan() == reached),
            over: bracket.lower == bracket.upper,
            bracket,
            gave_up: false,
        })
    }

    fn step(&mut self, budget: u64) -> bool {
        for _ in 0..budget.div_ceil(100) {
            if self.over {
                return false;
            }
            let Some(state) = self.open.pop() else {
                self.next_layer();
                continue;
            };
            if self.states * (self.warps as u64 * 8 + 100) > self.memory {
                (self.gave_up, self.over) = (true, true);
                return false;
            }
            for next in successors(&self.kernel, &self.machine, &self.fairness, &state) {
                if let Entry::Vacant(place) = self.made.entry(next) {
                    place.insert(state.clone());
                    self.states += 1;
                }
            }
        }
        !self.over
    }

    /// All states of a layer are expanded: the next one is whole.
    fn next_layer(&mut self) {
        let end = vec![self.kernel.len() as u16; self.warps];
        let depth = self.layers.len() as u32;
        let mut made = std::mem::take(&mut self.made);
        let ended = made.contains_key(&end);
        match self.goal {
            Goal::Shortest if ended => self.found(made, end, depth),
            Goal::Longest if made.len() == usize::from(ended) => self.found(made, end, depth),
            _ => {
                made.remove(&end);
                // In order, so that the same schedule is found everywhere.
                self.open = made.keys().cloned().collect();
                self.open.sort_unstable();
                self.layers.push(made);
            }
        }
    }

    fn found(&mut self, made: HashMap<State, State>, end: State, depth: u32) {
        self.layers.push(made);
        self.bracket = Bracket { lower: depth, upper: depth, upper_by: EXHAUSTED };
        let mut states = vec![end];
        for layer in self.layers.iter().skip(1).rev() {
            let Some(before) = states.last().and_then(|state| layer.get(state)) else { break };
            states.push(before.clone());
        }
        states.reverse();
        self.witness = played(&states, self.kernel.len());
        self.over = true;
    }
}

/// A schedule that goes through these multisets of positions, cycle by cycle.
pub fn played(states: &[State], length: usize) -> Option<Schedule> {
    let warps = states.first()?.len();
    let mut rows: Vec<Vec<u32>> = vec![Vec::with_capacity(length); warps];
    let mut at = vec![0u16; warps];
    for (cycle, pair) in (1..).zip(states.windows(2)) {
        // How many warps leave each position: from the back, those that are not there any more.
        let mut count = vec![0i64; length + 1];
        for (&before, &after) in pair[0].iter().zip(&pair[1]) {
            count[usize::from(before)] += 1;
            count[usize::from(after)] -= 1;
        }
        let mut arrived = 0;
        for (position, &net) in count[..length].iter().enumerate() {
            let mut leaving = net + arrived;
            arrived = leaving;
            for (warp, row) in rows.iter_mut().enumerate() {
                if leaving > 0 && usize::from(at[warp]) == position {
                    row.push(cycle);
                    leaving -= 1;
                }
            }
        }
        for (warp, row) in rows.iter().enumerate() {
            at[warp] = row.len() as u16;
        }
    }
    Schedule::new(&rows, length)
}
