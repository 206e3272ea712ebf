//! Simulated annealing over priority lists with linear cooling (B, sections V to VII): one independent chain, stepped.
//!
//! In each iteration an order near the present one is drawn. If its makespan is not smaller it is taken;
//! otherwise it is taken with probability `min(1, T / (m - m'))`, where the temperature `T` falls in a
//! straight line from `t0` to nothing over a round of iterations. Chains never look at each other: a chain
//! is determined by the kernel, the machine, the fairness, the settings, its start and its number.
//!
//! Where sub-blocks are fair, orders hold all entries of a sub-block before those of the next, and changes
//! stay within one of them: such orders make the fair schedules and no others.

mod adaptive;
mod by_cycle;
mod by_entry;
mod engine;
mod evaluator;
pub mod neighbourhood;
mod ready_queue;
#[cfg(test)]
mod tests;

pub use adaptive::OperatorSelection;
pub use neighbourhood::Neighbourhood;

use super::fairness::Fairness;
use super::kernel::Kernel;
use super::machine::Machine;
use super::order::{Order, Start};
use super::unit::Unit;
use base::Seeded;
use engine::Engine;
use neighbourhood::{Change, Proposal};

/// How a chain cools.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// Iterations of one round of cooling.
    pub iterations: u64,
    /// Rounds; each begins hot again, with the order the one before ended with.
    pub rounds: u32,
    /// The temperature a round begins with.
    pub t0: f64,
    /// What the chains' numbers are drawn from.
    pub seed: u64,
    /// How an order is changed.
    pub neighbourhood: Neighbourhood,
}

impl Settings {
    /// Iterations of all rounds.
    pub fn total(&self) -> u64 {
        self.iterations.saturating_mul(u64::from(self.rounds))
    }

    /// The temperature of an iteration, counted from 0 over all rounds.
    pub(crate) fn temperature(&self, iteration: u64) -> f64 {
        self.t0 * (1.0 - (iteration % self.iterations) as f64 / self.iterations as f64)
    }
}

/// A makespan longer than any the chain had before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Improvement {
    /// The iteration that found it; 0 for the start.
    pub iteration: u64,
    /// The makespan.
    pub makespan: u32,
}

/// Everything a chain needs to go on elsewhere as if nothing had happened.
#[derive(Debug, Clone, PartialEq)]
pub struct Checkpoint {
    /// Iterations done.
    pub iteration: u64,
    /// Random numbers drawn.
    pub drawn: u64,
    /// The longest makespan so far.
    pub best: u32,
    /// The present order, warps from 0.
    pub order: Vec<u8>,
    /// The order of the longest makespan, the first one found.
    pub best_order: Vec<u8>,
    /// What the neighbourhoods have gained.
    pub operators: OperatorSelection,
}

/// One chain of annealing.
#[derive(Debug)]
pub struct AnnealingChain {
    kernel: Kernel,
    warps: usize,
    settings: Settings,
    gang: usize,
    /// The instructions of each sub-block: first, and one past the last.
    segments: Vec<(usize, usize)>,
    engine: Engine,
    rng: Seeded,
    at: Checkpoint,
    improved: Vec<Improvement>,
    /// A buffer for entries that replace others.
    fresh: Vec<u8>,
}

impl AnnealingChain {
    /// Chain number `number` from its start; `None` if kernel, machine and warps do not fit each other or
    /// there are more of them than can be held.
    pub fn new(
        kernel: &Kernel,
        machine: &Machine,
        fairness: &Fairness,
        warps: usize,
        settings: Settings,
        start: StartKind,
        number: u64,
    ) -> Option<Self> {
        let mut rng = Seeded::new(settings.seed, number);
        let mut order: Vec<u8> = start
            .order(kernel, machine, fairness, warps)
            .ids()
            .iter()
            .map(|&warp| u8::try_from(warp).ok())
            .collect::<Option<_>>()?;
        if start == StartKind::Random {
            for (first, end) in fairness.ranges(kernel.len()) {
                rng.shuffle(&mut order[first * warps..end * warps]);
            }
        }
        let at = Checkpoint {
            iteration: 0,
            drawn: rng.drawn(),
            best: 0,
            best_order: order.clone(),
            order,
            operators: OperatorSelection::default(),
        };
        let mut chain = Self::at(kernel, machine, fairness, warps, settings, number, at)?;
        chain.at.best = chain.engine.makespan();
        chain.improved.push(Improvement { iteration: 0, makespan: chain.at.best });
        Some(chain)
    }

    /// A chain that goes on from a checkpoint of itself; `None` if the checkpoint is of another scenario.
    pub fn at(
        kernel: &Kernel,
        machine: &Machine,
        fairness: &Fairness,
        warps: usize,
        settings: Settings,
        number: u64,
        at: Checkpoint,
    ) -> Option<Self> {
        let fits = |order: &[u8]| {
            let ids = order.iter().map(|&warp| u16::from(warp)).collect();
            Order::new(ids, warps, kernel.len())
                .is_ok_and(|order| fairness.arranged(&order, kernel.len()) == order)
        };
        if !machine.has_units_for(kernel.totals()) || !fits(&at.order) || !fits(&at.best_order) {
            return None;
        }
        let width: u32 =
            Unit::ALL.into_iter().fold(0, |sum, unit| sum.saturating_add(machine.capacity[unit]));
        Some(Self {
            kernel: kernel.clone(),
            warps,
            settings,
            gang: width.min(machine.issue_limit()).saturating_add(2) as usize,
            segments: fairness.ranges(kernel.len()),
            engine: Engine::new(kernel, machine, &at.order, warps)?,
            rng: Seeded::resumed(settings.seed, number, at.drawn),
            at,
            improved: Vec::new(),
            fresh: Vec::new(),
        })
    }

    /// Does up to `iterations` more of them; how many it did.
    pub fn advance(&mut self, iterations: u64) -> u64 {
        let until = self.at.iteration.saturating_add(iterations).min(self.settings.total());
        let from = self.at.iteration;
        if self.warps < 2 {
            self.at.iteration = until; // one warp has one order
        }
        while self.at.iteration < until {
            self.iterate();
            self.at.iteration += 1;
        }
        until.saturating_sub(from)
    }

    fn iterate(&mut self) {
        let auto = self.settings.neighbourhood == Neighbourhood::Auto;
        let kind = if auto { self.at.operators.pick(&mut self.rng) } else { 0 };
        let how = if auto { Neighbourhood::MOVES[kind] } else { self.settings.neighbourhood };
        let (first, end) = self.segment();
        let (engine, place) = (&self.engine, first * self.warps);
        let change = Proposal {
            order: &self.at.order[place..end * self.warps],
            warps: self.warps,
            units: &self.kernel.units()[first..end],
            gang: self.gang,
            before: &|warp, at| engine.before(warp, place + at) - first,
            fresh: &mut self.fresh,
        }
        .draw(how, &mut self.rng);
        let before = self.engine.makespan();
        let after = change.map_or(before, |change| self.consider(change.moved(place)));
        if auto {
            self.at.operators.learn(kind, after.saturating_sub(before), after > self.at.best);
        }
        if after > self.at.best {
            self.at.best = after;
            self.at.best_order.copy_from_slice(&self.at.order);
            self.improved.push(Improvement { iteration: self.at.iteration + 1, makespan: after });
        }
    }

    /// The sub-block the next change is in, drawn by its share of the order: its instructions.
    fn segment(&mut self) -> (usize, usize) {
        match self.segments[..] {
            [only] => only,
            _ => {
                let instruction = self.rng.below(u32::try_from(self.kernel.len()).unwrap_or(u32::MAX));
                self.segments[self.segments.partition_point(|&(_, end)| end <= instruction as usize)]
            }
        }
    }

    /// Tries a change and takes it or leaves it; the makespan of the order there is now.
    fn consider(&mut self, change: Change) -> u32 {
        let before = self.engine.makespan();
        match change {
            Change::Swap(a, b) => {
                let after = self.engine.swap(a, b);
                if self.takes(before, after) {
                    self.engine.accept(after);
                    self.at.order.swap(a, b);
                    return after;
                }
                self.engine.undo_swap(a, b);
            }
            Change::Replace(from) => {
                let range = from..from + self.fresh.len();
                let after = self.engine.replace(from, &self.at.order[range.clone()], &self.fresh);
                if self.takes(before, after) {
                    self.engine.accept(after);
                    self.at.order[range].copy_from_slice(&self.fresh);
                    return after;
                }
                self.engine.undo_replace(from, &self.at.order[range]);
            }
        }
        before
    }

    /// B, equation (3).
    fn takes(&mut self, before: u32, after: u32) -> bool {
        after >= before || {
            let loss = f64::from(before - after);
            self.rng.share() * loss < self.settings.temperature(self.at.iteration)
        }
    }

    /// Where it stands: enough to go on from, here or elsewhere.
    pub fn checkpoint(&self) -> Checkpoint {
        Checkpoint { drawn: self.rng.drawn(), ..self.at.clone() }
    }

    /// Improvements since this was last asked, the start included.
    pub fn take_improvements(&mut self) -> Vec<Improvement> {
        std::mem::take(&mut self.improved)
    }

    /// Iterations done.
    pub fn iteration(&self) -> u64 {
        self.at.iteration
    }

    /// The longest makespan so far.
    pub fn best(&self) -> u32 {
        self.at.best
    }

    /// The order of the longest makespan so far, the first one found.
    pub fn best_order(&self) -> &[u8] {
        &self.at.best_order
    }

    /// Whether all iterations are done.
    pub fn is_over(&self) -> bool {
        self.at.iteration >= self.settings.total()
    }
}

/// What a chain starts from: [`Start`] with the chain's own randomness instead of a seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StartKind {
    /// All warps in turn.
    RoundRobin,
    /// Warp after warp.
    FixedPriority,
    /// The warp that has waited longest first.
    MostPending,
    /// Those that issued last first, then the oldest.
    GreedyThenOldest,
    /// The warp after the one that issued last first.
    LooseRoundRobin,
    /// Shuffled by the chain's own numbers.
    Random,
}

impl StartKind {
    /// All of them.
    pub const ALL: [StartKind; 6] = [
        StartKind::RoundRobin,
        StartKind::FixedPriority,
        StartKind::MostPending,
        StartKind::GreedyThenOldest,
        StartKind::LooseRoundRobin,
        StartKind::Random,
    ];

    /// Those of the published experiment.
    pub const PUBLISHED: [StartKind; 4] =
        [StartKind::RoundRobin, StartKind::FixedPriority, StartKind::MostPending, StartKind::Random];

    /// The name scenarios use.
    pub fn name(self) -> &'static str {
        match self {
            StartKind::Random => "random",
            fixed => fixed.fixed().name(),
        }
    }

    /// One of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|start| start.name() == name)
    }

    pub(crate) fn fixed(self) -> Start {
        match self {
            StartKind::RoundRobin | StartKind::Random => Start::RoundRobin,
            StartKind::FixedPriority => Start::FixedPriority,
            StartKind::MostPending => Start::MostPending,
            StartKind::GreedyThenOldest => Start::GreedyThenOldest,
            StartKind::LooseRoundRobin => Start::LooseRoundRobin,
        }
    }

    /// The order it begins with; a random one is yet to be shuffled.
    fn order(self, kernel: &Kernel, machine: &Machine, fairness: &Fairness, warps: usize) -> Order {
        self.fixed().fair_order(kernel, machine, fairness, warps)
    }
}
