//! Chains at work where loads take their time: each by itself, or all of a scenario as one job.

use super::memory;
use super::memory::problem;
use crate::report::{ChainReport, WarpsReport};
use crate::scenario::{Anneal, Method, WarpsScenario};
use base::{Control, StopReason};
use kit::job::{Job, Progress, Step};
use kit::report::Report;
use kit::report::micro;
use kit::scenario::Scenario;
use warps::memory::anneal::AnnealingChain;
use warps::memory::construct::construct;
use warps::{Order, Schedule};

/// The most iterations between two looks at the budget.
const BATCH: u64 = 64;

/// A chain that is being advanced.
pub struct MemoryRun {
    chain: AnnealingChain,
    start: &'static str,
    seconds: f64,
    improvements: Vec<(u64, f64, u32)>,
    /// Fuel one iteration takes.
    cost: u64,
    /// Iterations at the last reading of the clock.
    noted: u64,
}

/// What a chain has come to.
#[derive(Debug, Clone)]
pub struct MemoryEnd {
    /// What the report says of it.
    pub report: ChainReport,
    /// The order of its longest makespan, and the loads that miss in it.
    witness: (Order, Vec<(u16, u16)>),
}

impl MemoryRun {
    /// Chain `number` of a scenario; `None` if there is no such chain, or the scenario has no memory.
    pub fn new(warps: &WarpsScenario, number: usize) -> Option<Self> {
        let (Method::Anneal(Anneal { settings, starts }), Some(memory)) = (&warps.method, &warps.memory)
        else {
            return None;
        };
        let start = *starts.get(number)?;
        let chain = AnnealingChain::new(&problem(warps, memory), *settings, start, number as u64)?;
        let cost = (warps.count * warps.kernel.len()) as u64 / 2 + 32;
        let (noted, improvements) = (chain.iteration(), Vec::new());
        let mut run = Self { chain, start: start.name(), seconds: 0.0, improvements, cost, noted };
        run.took(0.0);
        Some(run)
    }

    /// Advances until the slice or the chain is over; whether to go on.
    pub fn step(&mut self, control: &mut Control) -> bool {
        loop {
            let done = self.chain.advance(BATCH);
            if done == 0 || self.chain.is_over() {
                return false;
            }
            if !control.spend(done.saturating_mul(self.cost)) {
                return true;
            }
        }
    }

    /// Notes that the last slice took so long; what was found in it is dated by its share of the slice.
    pub fn took(&mut self, seconds: f64) {
        let iterations = (self.chain.iteration() - self.noted).max(1) as f64;
        for improvement in self.chain.take_improvements() {
            let share = improvement.iteration.saturating_sub(self.noted) as f64 / iterations;
            self.improvements.push((
                improvement.iteration,
                self.seconds + share * seconds,
                improvement.makespan,
            ));
        }
        self.seconds += seconds;
        self.noted = self.chain.iteration();
    }

    /// Iterations done.
    pub fn iterations(&self) -> u64 {
        self.chain.iteration()
    }

    /// The longest makespan so far.
    pub fn best(&self) -> u32 {
        self.chain.best()
    }

    /// What it has come to.
    pub fn end(&self) -> Option<MemoryEnd> {
        let improvements = self.improvements.iter().map(|&(i, seconds, m)| (i, micro(seconds), m));
        let report = ChainReport {
            start: self.start.to_owned(),
            best: self.chain.best(),
            iterations: self.chain.iteration(),
            seconds: micro(self.seconds),
            improvements: improvements.collect(),
        };
        Some(MemoryEnd { report, witness: self.chain.witness()? })
    }
}

/// The report of a scenario whose chains have come so far; `None` if they are not of it.
pub fn assemble(
    scenario: &Scenario,
    warps: &WarpsScenario,
    ends: &[Option<MemoryEnd>],
) -> Option<WarpsReport> {
    let (Method::Anneal(anneal), Some(memory)) = (&warps.method, &warps.memory) else { return None };
    let best = ends.iter().flatten().rev().max_by_key(|end| end.report.best)?;
    let (order, missed) = &best.witness;
    let schedule: Schedule = construct(&problem(warps, memory), order, missed)?;
    let mut report = memory::report_of(scenario, warps, Some(order.clone()), &schedule);
    let told = anneal.starts.iter().zip(ends).map(|(start, end)| match end {
        Some(end) => end.report.clone(),
        None => ChainReport::not_begun(start.name()),
    });
    report.note_chains(told.collect());
    Some(report)
}

/// All chains of a scenario, advanced in turn on one thread.
pub(super) struct MemoryAnnealJob {
    scenario: Scenario,
    warps: WarpsScenario,
    runs: Vec<MemoryRun>,
    /// The chain the last slice went to.
    last: usize,
    total: u64,
}

impl MemoryAnnealJob {
    /// The job of a scenario; `None` if it is not one of annealing with memory.
    pub fn new(scenario: Scenario, warps: WarpsScenario) -> Option<Self> {
        let Method::Anneal(anneal) = &warps.method else { return None };
        let runs = (0..anneal.starts.len()).map(|number| MemoryRun::new(&warps, number));
        let runs: Vec<MemoryRun> = runs.collect::<Option<_>>()?;
        let total = anneal.settings.total();
        Some(Self { scenario, runs, last: 0, total, warps })
    }

    fn report(&mut self) -> Option<Report> {
        // What the last slice found is told even if nobody timed it.
        self.runs.iter_mut().for_each(|run| run.took(0.0));
        let ends: Vec<Option<MemoryEnd>> = self.runs.iter().map(MemoryRun::end).collect();
        assemble(&self.scenario, &self.warps, &ends).map(Report::new)
    }
}

impl Job for MemoryAnnealJob {
    fn step(&mut self, control: &mut Control) -> Step {
        // The one that is furthest behind, so that all cool together.
        let behind = self.runs.iter().enumerate().min_by_key(|(_, run)| run.iterations());
        self.last = behind.map_or(0, |(number, _)| number);
        self.runs[self.last].step(control);
        let done = self.runs.iter().map(MemoryRun::iterations).sum();
        let total = self.total.saturating_mul(self.runs.len() as u64);
        if done < total {
            let best = self.runs.iter().map(MemoryRun::best).max();
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
