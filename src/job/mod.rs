//! A scenario as a piece of work: a value stepped in slices until its report is there.
//!
//! The same job runs in a worker of the page and on the command line; only the driver differs. Nothing here
//! reads a clock: the driver times the slices and notes the seconds.

pub mod protocol;
mod warps;
#[cfg(all(feature = "worker", target_arch = "wasm32"))]
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
        let Question::Warps(warps) = &scenario.question;
        match warps.method {
            Method::Initial(_) | Method::Order(_) | Method::Schedule(_) => Self::Quick,
        }
    }
}

/// The job of a scenario.
pub fn start(scenario: Scenario) -> Box<dyn Job> {
    let Scenario { question: Question::Warps(warps), .. } = &scenario;
    let warps = warps.clone();
    Box::new(warps::WarpsJob::new(scenario, *warps))
}

/// Runs a scenario to its end in one slice.
pub fn run(scenario: Scenario) -> Option<Report> {
    match start(scenario).step(&mut Control::unlimited()) {
        Step::Done(report) => Some(report),
        Step::More(_) => None,
    }
}
