//! Chains at work: one that can stop, move to another worker and go on; and all chains of a scenario as one
//! job. Left out of the page's own wasm, which never runs one.

use serde_bytes::ByteBuf;

use super::anneal::{ChainState, assemble};
use super::checkpoint;
use crate::scenario::{Anneal, Method, WarpsScenario};
use base::{Control, StopReason};
use kit::job::{Job, Progress, Step};
use kit::report::Report;
use kit::scenario::Scenario;
use warps::anneal::AnnealingChain;

/// The most iterations between two looks at the budget.
const BATCH: u64 = 64;

/// A chain that is being advanced.
pub struct ChainRun {
    chain: AnnealingChain,
    seconds: f64,
    improvements: Vec<(u64, f64, u32)>,
    /// Fuel one iteration takes.
    cost: u64,
    /// Iterations between two looks at the budget.
    batch: u64,
    /// Iterations at the last reading of the clock.
    noted: u64,
}

impl ChainRun {
    /// Chain `number` of a scenario, from its start or from where it was; `None` if there is no such chain
    /// or the state is not one of it.
    pub fn new(warps: &WarpsScenario, number: usize, from: Option<&ChainState>) -> Option<Self> {
        let Method::Anneal(Anneal { settings, starts }) = &warps.method else { return None };
        let (kernel, machine, fairness) = (&warps.kernel, &warps.normalised.machine, &warps.fairness);
        let id = number as u64;
        let start = *starts.get(number)?;
        let chain = match from {
            None => AnnealingChain::new(kernel, machine, fairness, warps.count, *settings, start, id),
            Some(state) => {
                let at = checkpoint::decode(&state.checkpoint)?;
                AnnealingChain::at(kernel, machine, fairness, warps.count, *settings, id, at)
            }
        }?;
        let cost = (warps.count * kernel.len()) as u64 / 12 + 32;
        let mut run = Self {
            noted: chain.iteration(),
            chain,
            seconds: from.map_or(0.0, |state| state.seconds),
            improvements: from.map_or_else(Vec::new, |state| state.improvements.clone()),
            cost,
            // The iterations of a lone warp are no work: it has one order.
            batch: if warps.count == 1 { u64::MAX } else { BATCH.min(1 + 10_000 / cost) },
        };
        run.took(0.0);
        Some(run)
    }

    /// Advances until the slice or the chain is over, or iteration `until` is done; whether to go on.
    pub fn step(&mut self, control: &mut Control, until: u64) -> bool {
        loop {
            let left = until.saturating_sub(self.chain.iteration());
            let done = self.chain.advance(left.min(self.batch));
            if done == 0 {
                return false;
            }
            if !control.spend(done.saturating_mul(self.cost)) {
                return !self.chain.is_over() && self.chain.iteration() < until;
            }
        }
    }

    /// Notes that the last slice took so long; what was found in it is dated by its share of the slice.
    pub fn took(&mut self, seconds: f64) {
        let iterations = (self.chain.iteration() - self.noted).max(1) as f64;
        for improvement in self.chain.take_improvements() {
            let share = (improvement.iteration.saturating_sub(self.noted)) as f64 / iterations;
            self.improvements.push((
                improvement.iteration,
                self.seconds + share * seconds,
                improvement.makespan,
            ));
        }
        self.seconds += seconds;
        self.noted = self.chain.iteration();
    }

    /// Where it stands, at the last reading of the clock.
    pub fn state(&self) -> ChainState {
        ChainState {
            iterations: self.chain.iteration(),
            seconds: self.seconds,
            best: self.chain.best(),
            improvements: self.improvements.clone(),
            checkpoint: ByteBuf::from(checkpoint::encode(&self.chain.checkpoint())),
        }
    }

    /// Iterations done.
    pub fn iterations(&self) -> u64 {
        self.chain.iteration()
    }

    /// The longest makespan so far.
    pub fn best(&self) -> u32 {
        self.chain.best()
    }
}

/// All chains of a scenario, advanced in turn on one thread.
pub struct AnnealJob {
    scenario: Scenario,
    warps: WarpsScenario,
    runs: Vec<ChainRun>,
    /// The chain the last slice went to.
    last: usize,
    total: u64,
}

impl AnnealJob {
    /// The job of a scenario; `None` if it is not one of annealing.
    pub fn new(scenario: Scenario, warps: WarpsScenario) -> Option<Self> {
        let Method::Anneal(anneal) = &warps.method else { return None };
        let runs = (0..anneal.starts.len()).map(|number| ChainRun::new(&warps, number, None));
        let runs: Vec<ChainRun> = runs.collect::<Option<_>>()?;
        let total = anneal.settings.total();
        Some(Self { scenario, runs, last: 0, total, warps })
    }

    fn report(&mut self) -> Option<Report> {
        // What the last slice found is told even if nobody timed it.
        self.runs.iter_mut().for_each(|run| run.took(0.0));
        let states: Vec<Option<ChainState>> = self.runs.iter().map(|run| Some(run.state())).collect();
        assemble(&self.scenario, &self.warps, &states).map(Report::new)
    }
}

impl Job for AnnealJob {
    fn step(&mut self, control: &mut Control) -> Step {
        // The one that is furthest behind, so that all cool together.
        let behind = self.runs.iter().enumerate().min_by_key(|(_, run)| run.iterations());
        self.last = behind.map_or(0, |(number, _)| number);
        self.runs[self.last].step(control, self.total);
        let done = self.runs.iter().map(ChainRun::iterations).sum();
        let total = self.total.saturating_mul(self.runs.len() as u64);
        if done < total {
            let best = self.runs.iter().map(ChainRun::best).max();
            return Step::More(Progress { done, total, best, bracket: None });
        }
        match self.report() {
            Some(report) => Step::Done(report),
            None => unreachable!("every chain has an order, and it fits"),
        }
    }

    fn took(&mut self, seconds: f64) {
        self.runs[self.last].took(seconds);
    }

    fn stop(&mut self, _reason: StopReason) -> Option<Report> {
        self.report()
    }
}
