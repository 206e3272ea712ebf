//! The longest and the shortest schedule, exactly: breadth-first branch and bound, cycle by cycle, with every state kept
//! once.
//!
//! A state tells where all warps stand before a cycle. From it everything is tried that may come in that cycle: results
//! that may be there, and every way to issue that leaves nothing out. States that are the same but for names of warps
//! alike, or of partitions alike, are one. A state is left out only if a proven bound says that nothing longer, or nothing
//! shorter, than what was found comes of it.
//!
//! What is known at any time: a schedule on one side, and the bounds of all states that are still open on the other.

mod beam;
mod best;
mod rest;
mod state;
mod step;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::Arc;

use super::bounds;
use super::launch::Launch;
use super::schedule::Schedule;
pub use beam::Beam;
pub use best::{Best, Shortest};
use rest::Rest;
use state::{Key, State};
use step::Steps;

/// Which end of the range of makespans is sought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// The worst case.
    Longest,
    /// The best case.
    Shortest,
}

/// The most warps: the choices of one cycle are subsets of them.
pub const MOST_WARPS: usize = 16;

/// The name of the proof, as reports give it.
pub const ALL_STATES: &str = "all states, cycle by cycle";

/// A search.
#[derive(Debug)]
pub struct Search {
    steps: Steps,
    rest: Rest,
    symmetric: bool,
    nodes: Vec<Node>,
    /// States that are not expanded, by cycle.
    open: BTreeMap<u32, BTreeMap<Key, usize>>,
    /// The makespan to beat, and the state in which it ends, once one was found here.
    best: u64,
    last: Option<usize>,
    bytes: u64,
    memory: u64,
    states: u64,
    gave_up: bool,
}

#[derive(Debug)]
struct Node {
    state: State,
    cycle: u32,
    parent: usize,
}

impl Search {
    /// A search at its beginning that may keep so many bytes, for schedules longer (shorter) than one that is known; none
    /// where there are too many warps.
    pub fn new(launch: &Arc<Launch>, goal: Goal, known: u32, memory: u64) -> Option<Self> {
        if launch.warps().len() > MOST_WARPS {
            return None;
        }
        let mut search = Self {
            steps: Steps::new(launch, goal),
            rest: Rest::new(launch),
            symmetric: launch.symmetric(),
            nodes: Vec::new(),
            open: BTreeMap::new(),
            best: known.into(),
            last: None,
            bytes: 0,
            memory,
            states: 0,
            gave_up: false,
        };
        search.keep(State::start(launch), 1, usize::MAX);
        Some(search)
    }

    /// Goes on for about so many units of work; whether there is more to do.
    pub fn step(&mut self, budget: u64) -> bool {
        let mut left = budget;
        while left > 0 {
            if self.bytes > self.memory {
                self.gave_up = !self.open.is_empty();
                return false;
            }
            let Some(mut layer) = self.open.first_entry() else { return false };
            let Some((_, node)) = layer.get_mut().pop_first() else {
                layer.remove();
                continue;
            };
            left = left.saturating_sub(self.expand(node));
        }
        true
    }

    /// Tries all that can come of a state; about how much work it was.
    fn expand(&mut self, number: usize) -> u64 {
        let launch = Arc::clone(&self.steps.launch);
        let launch = &*launch;
        let (mut state, cycle) = (self.nodes[number].state.clone(), self.nodes[number].cycle);
        // What was settled on the way is kept where it was.
        state.told.clear();
        if !self.promises(&state, cycle) {
            return 10;
        }
        self.states += 1;
        let mut found = Vec::new();
        self.steps.each(&state, cycle, &mut |next| found.push(next));
        let work = 20 * (1 + found.len() as u64);
        for mut next in found {
            if next.over(launch) {
                let end = u64::from(next.end);
                let better = match self.steps.goal {
                    Goal::Longest => end > self.best,
                    Goal::Shortest => end < self.best,
                };
                if better {
                    self.best = end;
                    self.bytes += next.bytes();
                    self.nodes.push(Node { state: next, cycle: cycle + 1, parent: number });
                    self.last = Some(self.nodes.len() - 1);
                }
                continue;
            }
            next.tidy(launch, cycle + 1);
            let to = self.steps.next(&next, cycle + 1);
            if to > cycle + 1 {
                next.tidy(launch, to);
            }
            if self.promises(&next, to) {
                self.keep(next, to, number);
            }
        }
        work
    }

    /// Whether something better than what was found may come of a state.
    fn promises(&self, state: &State, cycle: u32) -> bool {
        let launch = &*self.steps.launch;
        match self.steps.goal {
            Goal::Longest => self.rest.most(launch, state, cycle) > self.best,
            Goal::Shortest => self.rest.least(launch, state, cycle) < self.best,
        }
    }

    fn keep(&mut self, state: State, cycle: u32, parent: usize) {
        let key = state.key(&self.steps.launch, cycle, self.symmetric);
        let layer = self.open.entry(cycle).or_default();
        if let Some(&known) = layer.get(&key) {
            let end = self.nodes[known].state.end;
            let better = match self.steps.goal {
                Goal::Longest => state.end > end,
                Goal::Shortest => state.end < end,
            };
            if better {
                self.nodes[known] = Node { state, cycle, parent };
            }
            return;
        }
        self.bytes += state.bytes() + 4 * key.len() as u64 + 64;
        layer.insert(key, self.nodes.len());
        self.nodes.push(Node { state, cycle, parent });
    }

    /// The makespan of the best schedule known, and what nothing is beyond.
    pub fn bracket(&self) -> (u64, u64) {
        let launch = &*self.steps.launch;
        let open = self.open.values().flat_map(|layer| layer.values());
        let mut beyond = self.best;
        for &node in open {
            let Node { state, cycle, .. } = &self.nodes[node];
            beyond = match self.steps.goal {
                Goal::Longest => beyond.max(self.rest.most(launch, state, *cycle)),
                Goal::Shortest => beyond.min(self.rest.least(launch, state, *cycle)),
            };
        }
        match self.steps.goal {
            Goal::Longest => (self.best, beyond.min(bounds::upper(launch))),
            Goal::Shortest => (self.best, beyond.max(bounds::lower(launch))),
        }
    }

    /// The best schedule, where one was found that is better than what was known.
    pub fn witness(&self) -> Option<Schedule> {
        let launch = &*self.steps.launch;
        let mut issued: Vec<Vec<u32>> =
            (0..launch.warps().len()).map(|warp| vec![0; launch.length(warp)]).collect();
        let mut latencies: Vec<u32> = launch.sets().map(|(_, _, set)| set.most).collect();
        let mut at = self.last?;
        while let Some(parent) = self.nodes.get(self.nodes[at].parent) {
            let state = &self.nodes[at].state;
            for &(latency, cycles) in &state.told {
                latencies[latency] = cycles;
            }
            for (warp, (before, after)) in parent.state.warps.iter().zip(&state.warps).enumerate() {
                if before.place < after.place {
                    issued[warp][before.place] = parent.cycle;
                }
            }
            at = self.nodes[at].parent;
        }
        Some(Schedule { issued, latencies })
    }

    /// States looked at.
    pub fn states(&self) -> u64 {
        self.states
    }

    /// The cycle it is at.
    pub fn cycle(&self) -> u32 {
        self.open.keys().next().copied().unwrap_or(0)
    }

    /// Did it end for want of memory?
    pub fn gave_up(&self) -> bool {
        self.gave_up
    }
}
