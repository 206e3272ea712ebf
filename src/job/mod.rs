//! A scenario as a piece of work: a value stepped in slices until its report is there.
//!
//! The same job runs in a worker of the page and on the command line; only the driver differs. Nothing here
//! reads a clock: the driver times the slices and notes the seconds.

pub mod anneal;
#[cfg(feature = "search")]
pub mod chains;
mod checkpoint;
#[cfg(feature = "search")]
pub mod conjecture;
pub mod protocol;
mod warps;
#[cfg(all(feature = "jobs", target_arch = "wasm32"))]
pub mod worker;

use crate::base::{Control, StopReason};
use crate::report::Report;
use crate::scenario::{Method, Question, Scenario};
use serde::{Deserialize, Serialize};

/// How far a job has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// Steps done.
    pub done: u64,
    /// Steps in all.
    pub total: u64,
    /// The longest makespan so far, where there is one.
    pub best: Option<u32>,
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
            Question::Warps(warps) => match warps.method {
                Method::Initial(_) | Method::Order(_) | Method::Schedule(_) => Self::Quick,
                Method::Anneal(_) => Self::Search,
            },
            Question::Conjecture(_) => Self::Search,
        }
    }
}

/// The job of a scenario.
pub fn start(scenario: Scenario) -> Box<dyn Job> {
    let warps = match &scenario.question {
        Question::Warps(warps) => (**warps).clone(),
        #[cfg(not(feature = "search"))]
        Question::Conjecture(_) => unreachable!("the page gives searches to workers that can"),
        #[cfg(feature = "search")]
        Question::Conjecture(asked) => {
            let asked = (**asked).clone();
            return Box::new(conjecture::ConjectureJob::new(scenario, asked));
        }
    };
    let order = match &warps.method {
        Method::Initial(start) => start.order(&warps.kernel, &warps.normalised.machine, warps.count),
        Method::Order(order) => order.clone(),
        // Reading the schedule column by column and constructing gives it back: it is work-conserving.
        Method::Schedule(schedule) => schedule.to_order(),
        #[cfg(not(feature = "search"))]
        Method::Anneal(_) => unreachable!("the page gives searches to workers that can"),
        #[cfg(feature = "search")]
        Method::Anneal(_) => match chains::AnnealJob::new(scenario, warps) {
            Some(job) => return Box::new(job),
            None => unreachable!("a validated scenario fits the chains"),
        },
    };
    Box::new(warps::WarpsJob::new(scenario, warps, order))
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
