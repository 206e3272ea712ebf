//! The longest schedule that can be found: tastes, then annealing over orders and latencies.
//!
//! First the known policies and a portfolio of tastes are played, with results as late as they may be; the best tastes
//! are changed at random as long as that pays. By turns with them a victim is held up by all others, whose results come
//! when that stands most in its way (`victim.rs`). Beside both, beams look for the longest schedule of a partition by itself, for
//! all of them (`part.rs`). Then chains of annealing start from the best schedule: the cycles in which its
//! instructions issue are keys (see [`crate::engine`]), of which some are moved, or latencies are changed. Whatever is found is a
//! schedule that keeps the rules, and so a proof from below.

mod chain;
mod part;
mod quick;
mod taste;
#[cfg(test)]
mod tests;
mod victim;

use std::cmp::Ordering;
use std::sync::Arc;

use super::bounds::{self, BLOCKED_CYCLES, STRETCHES, Stretches};
use super::check::check;
use super::engine::{Chooser, Engine};
use super::launch::Launch;
use super::policy::{Policy, Turns};
use super::schedule::{self, Schedule};
use base::{Control, Seeded};
use chain::Chain;
use part::Part;
use taste::{Taste, Tastes};
use victim::{Plan, Play};

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

/// So many tastes and plans come before beams, which are of use only later where there are many instructions.
const BEFORE_BEAMS: u64 = 128;

/// Steps of the proof that are taken at the beginning, beside each schedule that is tried, and in all.
const AT_ONCE: u64 = 200_000;
const PROVEN: u64 = 100_000;
const MOST_PROVEN: u64 = 20_000_000;

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

/// Cycles as keys.
struct Cycles<'a>(&'a [Vec<u32>]);

impl Chooser for Cycles<'_> {
    fn key(&mut self, _: u32, warp: usize, place: usize, _: u32) -> u64 {
        self.0[warp].get(place).map_or(u64::MAX, |&cycle| cycle.into())
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
    /// How many plans with a victim are done, and the best.
    planned: usize,
    best_plan: Option<(u32, Plan)>,
    /// Beams, as long as they promise something, and how long a schedule they found.
    part: Option<Part>,
    best_part: u32,
    chain: Option<Chain>,
    done: u64,
    /// The longest latencies there may be.
    longest: Vec<u32>,
    best: Schedule,
    makespan: u32,
    /// The longest schedule that has been held against all rules, and how long it takes.
    held: (u32, Schedule),
    upper: u64,
    /// What is proven of it beyond the formula, until that is over; and whether it was less.
    stretches: Option<Stretches>,
    by_stretches: bool,
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
        let mut search = Self {
            launch: Arc::clone(launch),
            settings,
            engine,
            tastes: Tastes::new(launch),
            rng,
            tasted: 0,
            best_taste: None,
            planned: 0,
            best_plan: None,
            part: Part::new(launch),
            best_part: 0,
            chain: None,
            done: 0,
            longest: latencies.clone(),
            held: (0, Schedule { issued: Vec::new(), latencies: Vec::new() }),
            best: Schedule { issued: best.1, latencies },
            makespan: best.0,
            upper: bounds::upper(launch),
            stretches: Stretches::new(launch),
            by_stretches: false,
            policies,
        };
        search.hold();
        if search.stretches.as_ref().is_some_and(|stretches| stretches.costs() < AT_ONCE) {
            search.prove(AT_ONCE);
        }
        search
    }

    /// Holds the best schedule against all rules, if that is not done. One that breaks them would be a mistake in whatever
    /// made it; the one before it counts then. Whether that is so.
    fn hold(&mut self) -> bool {
        let (makespan, held) = &mut self.held;
        if *makespan == self.makespan {
            return false;
        }
        let sound = check(&self.launch, &self.best).is_empty();
        if sound {
            (*makespan, *held) = (self.makespan, self.best.clone());
        } else if *makespan > 0 {
            (self.makespan, self.best) = (*makespan, held.clone());
        }
        !sound && *makespan > 0
    }

    /// Goes on with what is proven; how many steps that took.
    fn prove(&mut self, steps: u64) -> u64 {
        let Some(stretches) = &mut self.stretches else { return 0 };
        let before = stretches.spent();
        let more = stretches.step(steps) && stretches.spent() < MOST_PROVEN;
        let spent = stretches.spent() - before;
        if let Some(bound) = stretches.bound().filter(|&bound| bound < self.upper) {
            (self.upper, self.by_stretches) = (bound, true);
        }
        if !more {
            self.stretches = None;
        }
        spent
    }

    /// What each of [`Policy::ALL`] takes with the longest latencies.
    pub fn policies(&self) -> [u32; Policy::ALL.len()] {
        self.policies
    }

    /// Goes on until the slice is over; whether there is more to do.
    pub fn step(&mut self, control: &mut Control) -> bool {
        let more = self.go_on(control);
        self.hold() || more
    }

    fn go_on(&mut self, control: &mut Control) -> bool {
        let cost = self.launch.instructions() as u64 * 2;
        loop {
            if u64::from(self.makespan) >= self.upper {
                return false;
            }
            let proven = self.prove(PROVEN);
            if proven > 0 && u64::from(self.makespan) >= self.upper {
                return false;
            }
            if self.tasted < self.settings.tastes {
                match self.plans() {
                    true => self.plan(),
                    false => self.taste(),
                }
                self.tasted += 1;
            } else if self.done < self.settings.iterations {
                self.anneal();
                self.done += 1;
            } else if self.stretches.is_none() {
                return false;
            }
            let beams = self.beams();
            if !control.spend(cost + proven + beams) {
                return true;
            }
        }
    }

    fn taste(&mut self) {
        let taste = match (Tastes::FIXED.get(self.tasted as usize - self.planned), &self.best_taste) {
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
        self.improve(makespan, latencies);
    }

    /// Keeps what the engine has played, if it is the longest.
    fn improve(&mut self, makespan: u32, latencies: Vec<u32>) {
        if makespan > self.makespan {
            self.makespan = makespan;
            self.best = Schedule { issued: self.engine.rows(), latencies };
        }
    }

    /// Whether a plan with a victim is next: by turns, and mostly what has found more once all fixed ones are done.
    fn plans(&self) -> bool {
        if self.launch.warps().len() < 2 {
            return false;
        }
        let (plans, tastes) = (self.planned as u64, self.tasted - self.planned as u64);
        let done = self.planned >= Plan::COUNT && tastes >= Tastes::FIXED.len() as u64;
        let best = |makespan: Option<u32>| makespan.unwrap_or(0);
        let better = best(self.best_plan.as_ref().map(|best| best.0))
            .cmp(&best(self.best_taste.as_ref().map(|best| best.0)));
        match better {
            Ordering::Greater if done => !self.tasted.is_multiple_of(8),
            Ordering::Less if done => self.tasted.is_multiple_of(4),
            _ => plans < tastes,
        }
    }

    fn plan(&mut self) {
        let plan = match (Plan::fixed(&self.launch, self.planned), &self.best_plan) {
            (None, Some((_, best))) => {
                let best = best.clone();
                let mut plan = best.changed(&self.launch, &mut self.rng);
                for _ in 0..self.rng.below(3) {
                    plan = plan.changed(&self.launch, &mut self.rng);
                }
                plan
            }
            (fixed, _) => match fixed.or_else(|| Plan::fixed(&self.launch, 0)) {
                Some(plan) => plan,
                None => return,
            },
        };
        self.planned += 1;
        let Play { issued, latencies, .. } = Play::new(&self.launch, &plan, &self.longest);
        let played = Schedule { issued, latencies };
        let mut makespan = played.makespan(&self.launch);
        if makespan > self.makespan {
            makespan = self.engine.play(&self.launch, &played.latencies, &mut Cycles(&played.issued));
            self.improve(makespan, played.latencies);
        }
        if self.best_plan.as_ref().is_none_or(|best| makespan >= best.0) {
            self.best_plan = Some((makespan, plan));
        }
    }

    /// Goes on with beams, for longer where they find the most, or nearly; about how much work it was.
    fn beams(&mut self) -> u64 {
        if self.tasted < BEFORE_BEAMS.min(self.settings.tastes) {
            return 0;
        }
        let Some(part) = self.part.as_mut().filter(|part| part.promises(self.makespan)) else {
            self.part = None;
            return 0;
        };
        let leads = self.best_part >= self.makespan - self.makespan / 32;
        let work = self.launch.instructions() as u64 * if leads { 12 } else { 1 };
        if let Some(found) = part.step(work) {
            let makespan = self.engine.play(&self.launch, &found.latencies, &mut Cycles(&found.issued));
            part.took(makespan);
            self.best_part = self.best_part.max(makespan);
            self.improve(makespan, found.latencies);
        }
        work
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

    /// What nothing is beyond, so far as it is proven.
    pub fn upper(&self) -> u64 {
        self.upper
    }

    /// The name of its proof.
    pub fn upper_by(&self) -> &'static str {
        if self.by_stretches { STRETCHES } else { BLOCKED_CYCLES }
    }

    /// What is done of what there is to do.
    pub fn progress(&self) -> (u64, u64) {
        (self.tasted + self.done, self.settings.tastes + self.settings.iterations)
    }
}
