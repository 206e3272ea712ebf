//! The longest schedule that can be found: tastes, then annealing over orders and latencies.
//!
//! First the known policies and a portfolio of tastes are played, with results as late as they may be; the best tastes
//! are changed at random as long as that pays. Then chains of annealing start from the best schedule: the cycles in which its
//! instructions issue are keys (see [`crate::engine`]), of which some are moved, or latencies are changed. Whatever is found is a
//! schedule that keeps the rules, and so a proof from below.

mod chain;
mod taste;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use super::bounds;
use super::engine::Engine;
use super::launch::Launch;
use super::policy::{Policy, Turns};
use super::schedule::{self, Schedule};
use base::{Control, Seeded};
use chain::Chain;
use taste::{Taste, Tastes};

/// How much is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// Tastes that are tried at random.
    pub tastes: u64,
    /// Iterations of annealing.
    pub iterations: u64,
    /// Names the random numbers.
    pub seed: u64,
}

/// The most work that is asked for unasked: instructions played.
const USUAL_WORK: u64 = 40_000_000;

impl Settings {
    /// As much as takes some seconds.
    pub fn usual(launch: &Launch) -> Self {
        let size = launch.instructions().max(1) as u64;
        Self {
            tastes: (USUAL_WORK / 2 / size).clamp(40, 1_000),
            iterations: (USUAL_WORK / 2 / size).min(50_000),
            seed: 1,
        }
    }
}

/// A search for the longest schedule.
#[derive(Debug)]
pub struct Search {
    launch: Arc<Launch>,
    settings: Settings,
    engine: Engine,
    tastes: Tastes,
    rng: Seeded,
    /// How many tastes, and iterations, are done.
    tasted: u64,
    best_taste: Option<(u32, Taste)>,
    chain: Option<Chain>,
    done: u64,
    best: Schedule,
    makespan: u32,
    upper: u64,
    policies: [u32; Policy::ALL.len()],
}

impl Search {
    /// One at its beginning; the known policies are played.
    pub fn new(launch: &Arc<Launch>, settings: Settings) -> Self {
        let mut engine = Engine::new(launch);
        let latencies = schedule::longest(launch);
        let mut best = (0, Vec::new());
        let mut policies = [0; Policy::ALL.len()];
        for (policy, takes) in Policy::ALL.into_iter().zip(&mut policies) {
            let makespan = engine.play(launch, &latencies, &mut Turns::new(launch, policy));
            *takes = makespan;
            if makespan > best.0 {
                best = (makespan, engine.rows());
            }
        }
        let rng = Seeded::new(settings.seed, 0);
        Self {
            launch: Arc::clone(launch),
            settings,
            engine,
            tastes: Tastes::new(launch),
            rng,
            tasted: 0,
            best_taste: None,
            chain: None,
            done: 0,
            best: Schedule { issued: best.1, latencies },
            makespan: best.0,
            upper: bounds::upper(launch),
            policies,
        }
    }

    /// What each of [`Policy::ALL`] takes with the longest latencies.
    pub fn policies(&self) -> [u32; Policy::ALL.len()] {
        self.policies
    }

    /// Goes on until the slice is over; whether there is more to do.
    pub fn step(&mut self, control: &mut Control) -> bool {
        let cost = self.launch.instructions() as u64 * 2;
        loop {
            if u64::from(self.makespan) >= self.upper {
                return false;
            }
            if self.tasted < self.settings.tastes {
                self.taste();
                self.tasted += 1;
            } else if self.done < self.settings.iterations {
                self.anneal();
                self.done += 1;
            } else {
                return false;
            }
            if !control.spend(cost) {
                return true;
            }
        }
    }

    fn taste(&mut self) {
        let taste = match (Tastes::FIXED.get(self.tasted as usize), &self.best_taste) {
            (Some(fixed), _) => self.tastes.named(fixed),
            (None, Some((_, best))) if self.rng.below(3) > 0 => {
                let best = best.clone();
                self.tastes.changed(&best, &mut self.rng)
            }
            _ => self.tastes.drawn(&mut self.rng),
        };
        let latencies = self.tastes.latencies(&taste);
        let makespan = self.engine.play(&self.launch, &latencies, &mut self.tastes.at_work(&taste));
        if self.best_taste.as_ref().is_none_or(|best| makespan >= best.0) {
            self.best_taste = Some((makespan, taste));
        }
        if makespan > self.makespan {
            self.makespan = makespan;
            self.best = Schedule { issued: self.engine.rows(), latencies };
        }
    }

    fn anneal(&mut self) {
        let share = self.done as f64 / self.settings.iterations.max(1) as f64;
        // Three rounds, each from the best schedule there is.
        let restart = self.done.is_multiple_of((self.settings.iterations / 3).max(1));
        if restart || self.chain.is_none() {
            self.chain = Some(Chain::new(&self.launch, &self.best, self.makespan));
        }
        let Some(chain) = &mut self.chain else { return };
        let makespan = chain.iterate(&self.launch, &mut self.engine, &mut self.rng, share);
        if makespan > self.makespan {
            self.makespan = makespan;
            self.best = chain.schedule(&self.engine);
        }
    }

    /// The longest schedule so far.
    pub fn best(&self) -> &Schedule {
        &self.best
    }

    /// Its makespan.
    pub fn makespan(&self) -> u32 {
        self.makespan
    }

    /// What nothing is beyond, by formula.
    pub fn upper(&self) -> u64 {
        self.upper
    }

    /// What is done of what there is to do.
    pub fn progress(&self) -> (u64, u64) {
        (self.tasted + self.done, self.settings.tastes + self.settings.iterations)
    }
}
