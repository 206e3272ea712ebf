//! A beam: cycle by cycle, only the states that look as if they would take longest are kept.
//!
//! States are judged by the work that remains, weighted by how scarce its unit is; ties by position. What
//! comes out is a lower bound on the worst case, with a schedule that proves it.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::exact::{Problem, State, played, successors};
use super::fairness::Fairness;
use super::kernel::Kernel;
use super::machine::Machine;
use super::schedule::Schedule;
use super::unit::Unit;

/// A beam search.
#[derive(Debug, Clone)]
pub struct Beam {
    kernel: Kernel,
    machine: Machine,
    fairness: Fairness,
    width: usize,
    /// What remains after each position.
    weight: Vec<u64>,
    /// The kept states of each cycle, each with one it came from.
    layers: Vec<HashMap<State, State>>,
    made: HashMap<State, State>,
    open: Vec<State>,
    best: u32,
    witness: Option<Schedule>,
}

impl Beam {
    /// A beam of so many states; `None` where the kernel needs a unit that is not there.
    pub fn new(problem: &Problem<'_>, width: usize, _guided: bool) -> Option<Self> {
        let Problem { kernel, machine, warps, fairness } = *problem;
        let serves = |unit: Unit| machine.capacity[unit].min(machine.issue_limit());
        if kernel.units().iter().any(|&unit| serves(unit) == 0) {
            return None;
        }
        let mut weight = vec![0u64; kernel.len() + 1];
        for (i, &unit) in kernel.units().iter().enumerate().rev() {
            weight[i] = weight[i + 1] + 10_000 / u64::from(serves(unit));
        }
        let start = vec![0u16; warps];
        Some(Self {
            kernel: kernel.clone(),
            machine: *machine,
            fairness: fairness.clone(),
            width: width.max(1),
            weight,
            layers: vec![HashMap::from([(start.clone(), Vec::new())])],
            made: HashMap::new(),
            open: vec![start],
            best: 0,
            witness: None,
        })
    }

    /// Works on; whether there is more to do.
    pub fn step(&mut self, budget: u64) -> bool {
        for _ in 0..budget.div_ceil(100) {
            if self.witness.is_some() {
                return false;
            }
            match self.open.pop() {
                None => self.next_layer(),
                Some(state) => {
                    for next in successors(&self.kernel, &self.machine, &self.fairness, &state) {
                        if let Entry::Vacant(place) = self.made.entry(next) {
                            place.insert(state.clone());
                        }
                    }
                }
            }
        }
        self.witness.is_none()
    }

    fn next_layer(&mut self) {
        let warps = self.layers[0].keys().next().map_or(0, Vec::len);
        let end = vec![self.kernel.len() as u16; warps];
        let mut made = std::mem::take(&mut self.made);
        if made.len() > 1 {
            made.remove(&end);
        }
        let score = |state: &State| -> u64 { state.iter().map(|&p| self.weight[usize::from(p)]).sum() };
        let mut kept: Vec<(u64, State)> = made.keys().map(|state| (score(state), state.clone())).collect();
        kept.sort_unstable_by(|a, b| b.cmp(a));
        kept.truncate(self.width);
        self.open = kept.into_iter().map(|(_, state)| state).collect();
        self.open.reverse();
        made.retain(|state, _| self.open.contains(state));
        let over = made.contains_key(&end);
        self.layers.push(made);
        if over {
            self.best = self.layers.len() as u32 - 1;
            let mut states = vec![end];
            for layer in self.layers.iter().skip(1).rev() {
                let Some(before) = states.last().and_then(|state| layer.get(state)) else { break };
                states.push(before.clone());
            }
            states.reverse();
            self.witness = played(&states, self.kernel.len());
        }
    }

    /// The longest makespan found; 0 before the beam has reached an end.
    pub fn best(&self) -> u32 {
        self.best
    }

    /// The cycle it is at.
    pub fn layer(&self) -> u32 {
        self.layers.len() as u32 - 1
    }

    /// The schedule found.
    pub fn witness(&self) -> Option<Schedule> {
        self.witness.clone()
    }
}
