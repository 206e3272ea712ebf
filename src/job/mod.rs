//! A scenario as a piece of work: a value stepped in slices until its report is there.
//!
//! The same job runs in a worker of the page and on the command line; only the driver differs. Nothing here
//! reads a clock: the driver times the slices and notes the seconds.

pub mod anneal;
#[cfg(feature = "search")]
mod beam;
#[cfg(feature = "search")]
mod blocks;
#[cfg(feature = "search")]
pub mod certify;
#[cfg(feature = "search")]
mod chain;
#[cfg(feature = "search")]
pub mod chains;
mod checkpoint;
#[cfg(feature = "search")]
pub mod conjecture;
#[cfg(feature = "search")]
mod exact;
#[cfg(feature = "search")]
mod experiment;
#[cfg(feature = "search")]
mod memory;
#[cfg(feature = "search")]
pub mod memory_chains;
pub mod protocol;
#[cfg(feature = "search")]
mod tasks;
mod warps;
#[cfg(all(feature = "jobs", target_arch = "wasm32"))]
pub mod worker;

use crate::base::{Control, StopReason, people};
use crate::report::Report;
use crate::scenario::{Method, Question, Scenario};
#[cfg(feature = "search")]
use crate::{
    scenario::{TasksAsked, WarpsScenario},
    warps::exact::Problem,
    warps::{Schedule, Start, construct},
};
use serde::{Deserialize, Serialize};

/// How far a job has come.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// Steps done.
    pub done: u64,
    /// Steps in all.
    pub total: u64,
    /// The longest makespan so far, where there is one.
    pub best: Option<u32>,
    /// What is proven so far, where bounds are sought.
    pub bracket: Option<BracketLine>,
}

/// How far a search for bounds has come.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BracketLine {
    /// What it is doing, for people.
    pub phase: String,
    /// Whether the best case is sought, once the worst one is known.
    pub best_case: bool,
    /// The cycle it is at.
    pub layer: u32,
    /// States seen so far.
    pub states: u64,
    /// What is sought is at least this.
    pub lower: u32,
    /// And at most this; none where nothing is known.
    pub upper: Option<u32>,
}

impl BracketLine {
    /// `all states, cycle 40, 12,345 states, 154 to 197 cycles`.
    pub fn text(&self) -> String {
        let states = match self.states {
            0 => String::new(),
            n => format!(", {}", people::counted(usize::try_from(n).unwrap_or(usize::MAX), "state")),
        };
        let bounds = match self.upper {
            Some(upper) if upper == self.lower => people::counted(upper as usize, "cycle"),
            Some(upper) => format!("{} to {upper} cycles", self.lower),
            None => format!("at least {} cycles", self.lower),
        };
        let sought = if self.best_case { "best case, " } else { "" };
        format!("{sought}{}, at cycle {}{states}: {bounds}", self.phase, self.layer)
    }
}

/// What a slice of work led to.
#[derive(Debug)]
pub enum Step {
    /// The slice is over, the work is not.
    More(Progress),
    /// All the work is done.
    Done(Report),
}

/// Work that can be done in slices.
pub trait Job {
    /// Works until it is done or the slice is over.
    fn step(&mut self, control: &mut Control) -> Step;

    /// Hears how long the last step took, in seconds.
    fn took(&mut self, _seconds: f64) {}

    /// What has come to be known since this was last asked, as a line of JSON, where there is more to tell than
    /// how far it is.
    fn news(&mut self) -> Option<String> {
        None
    }

    /// The best result so far, when someone stops the work; `None` where there is none yet.
    fn stop(&mut self, reason: StopReason) -> Option<Report>;
}

/// How much work a job is, which tells the page where to run it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weight {
    /// Over before one looks: runs in the wasm the page is made of.
    Quick,
    /// May take as long as it is given: runs in wasm that is compiled for speed, and loaded for it.
    Search,
}

impl Weight {
    /// The weight of a scenario's job.
    pub fn of(scenario: &Scenario) -> Self {
        match &scenario.question {
            // The page's own wasm does not know how long loads take.
            Question::Warps(warps) if warps.memory.is_some() => Self::Search,
            Question::Warps(warps) => match warps.method {
                Method::Initial(_) | Method::Order(_) | Method::Schedule(_) => Self::Quick,
                Method::Anneal(_) | Method::Beam(_) | Method::Exact(_) => Self::Search,
            },
            Question::Conjecture(_) | Question::Blocks(_) | Question::Tasks(_) | Question::Chain(_) => {
                Self::Search
            }
        }
    }
}

/// The job of a scenario.
pub fn start(scenario: Scenario) -> Box<dyn Job> {
    let warps = match &scenario.question {
        Question::Warps(warps) => (**warps).clone(),
        #[cfg(not(feature = "search"))]
        Question::Conjecture(_) | Question::Blocks(_) | Question::Tasks(_) | Question::Chain(_) => {
            unreachable!("the page gives searches to workers that can")
        }
        #[cfg(feature = "search")]
        Question::Conjecture(asked) => {
            let asked = (**asked).clone();
            return Box::new(conjecture::ConjectureJob::new(scenario, asked));
        }
        #[cfg(feature = "search")]
        Question::Blocks(asked) => {
            let asked = (**asked).clone();
            return Box::new(blocks::BlocksJob::new(scenario, asked));
        }
        #[cfg(feature = "search")]
        Question::Tasks(asked) => {
            let asked = (**asked).clone();
            return match asked.asked {
                TasksAsked::Set { set, horizon } => Box::new(tasks::TasksJob::new(&scenario, set, horizon)),
                TasksAsked::Experiment(asked) => Box::new(experiment::ExperimentJob::new(&scenario, asked)),
            };
        }
        #[cfg(feature = "search")]
        Question::Chain(asked) => return Box::new(chain::ChainJob::new(&scenario, asked)),
    };
    #[cfg(feature = "search")]
    if warps.memory.is_some() {
        return with_memory(scenario, warps);
    }
    let (kernel, machine, fairness) = (&warps.kernel, &warps.normalised.machine, &warps.fairness);
    let order = match &warps.method {
        Method::Initial(start) => start.fair_order(kernel, machine, fairness, warps.count),
        Method::Order(order) => fairness.arranged(order, kernel.len()),
        // Reading the schedule column by column and constructing gives it back: it is work-conserving.
        Method::Schedule(schedule) => schedule.to_order(),
        #[cfg(not(feature = "search"))]
        Method::Anneal(_) | Method::Beam(_) | Method::Exact(_) => {
            unreachable!("the page gives searches to workers that can")
        }
        #[cfg(feature = "search")]
        Method::Anneal(_) => match chains::AnnealJob::new(scenario, warps) {
            Some(job) => return Box::new(job),
            None => unreachable!("a validated scenario fits the chains"),
        },
        #[cfg(feature = "search")]
        Method::Beam(settings) => {
            let settings = *settings;
            match beam::BeamJob::new(scenario, warps, settings) {
                Some(job) => return Box::new(job),
                None => unreachable!("a validated scenario has a unit for every instruction"),
            }
        }
        #[cfg(feature = "search")]
        Method::Exact(settings) => {
            let settings = *settings;
            match exact::ExactJob::new(scenario, warps, settings) {
                Some(job) => return Box::new(job),
                None => unreachable!("a validated scenario has a unit for every instruction"),
            }
        }
    };
    Box::new(warps::WarpsJob::new(scenario, warps, order))
}

/// The job of a scenario whose loads take their time.
#[cfg(feature = "search")]
fn with_memory(scenario: Scenario, warps: WarpsScenario) -> Box<dyn Job> {
    let job = match &warps.method {
        Method::Anneal(_) => {
            memory_chains::MemoryAnnealJob::new(scenario, warps).map(|job| -> Box<dyn Job> { Box::new(job) })
        }
        _ => memory::start(scenario, warps),
    };
    match job {
        Some(job) => job,
        None => unreachable!("a validated scenario has a unit for every instruction"),
    }
}

/// What a search is asked about.
#[cfg(feature = "search")]
fn problem(warps: &WarpsScenario) -> Problem<'_> {
    Problem {
        kernel: &warps.kernel,
        machine: &warps.normalised.machine,
        warps: warps.count,
        fairness: &warps.fairness,
    }
}

/// The longest schedule that any of the known starts makes: what a search has before it has anything.
#[cfg(feature = "search")]
fn longest_start(warps: &WarpsScenario) -> Option<Schedule> {
    starts(warps).into_iter().map(|(_, schedule)| schedule).rev().max_by_key(Schedule::makespan)
}

/// The schedules of all known starts.
#[cfg(feature = "search")]
fn starts(warps: &WarpsScenario) -> Vec<(Start, Schedule)> {
    let (kernel, machine, fairness) = (&warps.kernel, &warps.normalised.machine, &warps.fairness);
    let schedule = |start: Start| {
        let order = start.fair_order(kernel, machine, fairness, warps.count);
        Some((start, construct(kernel, machine, &order, warps.count)?))
    };
    Start::FIXED.into_iter().filter_map(schedule).collect()
}

/// The job that writes the certificate of a scenario's result.
#[cfg(feature = "search")]
pub fn start_certificate(scenario: Scenario) -> Box<dyn Job> {
    Box::new(certify::CertifyJob::new(scenario))
}

/// Runs a scenario to its end, without a clock.
pub fn run(scenario: Scenario) -> Report {
    let mut job = start(scenario);
    loop {
        if let Step::Done(report) = job.step(&mut Control::unlimited()) {
            return report;
        }
    }
}
