//! A scenario as a piece of work: a value stepped in slices until its report is there.
//!
//! The same job runs in a worker of the page and on the command line; only the driver differs. Nothing here
//! reads a clock: the driver times the slices and notes the seconds.

use serde::{Deserialize, Serialize};

use crate::report::Report;
use base::{Control, StopReason, people};

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

/// Works on a job to its end, without a clock.
pub fn finished(mut job: Box<dyn Job>) -> Report {
    loop {
        if let Step::Done(report) = job.step(&mut Control::unlimited()) {
            return report;
        }
    }
}

/// How much work a job is, which tells the page where to run it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weight {
    /// Over before one looks: runs in the wasm the page is made of.
    Quick,
    /// May take as long as it is given: runs in wasm that is compiled for speed, and loaded for it.
    Search,
}
