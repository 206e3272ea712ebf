//! A study while workers compute it: which of them has which cells, what has come, and what becomes of the rest.
//!
//! Invariant: cells are dealt out in shares, each with one cell in so many; so the picture is rough at first and gets
//! finer everywhere. Who computes a share, and when, changes no row.

use super::{Known, Plan};
use crate::Asked;

/// A study is dealt out in so many shares at most.
const SHARES: u64 = 64;
/// A share whose worker died is given to another so often.
const MOST_TRIES: u32 = 3;

/// How a study stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// Nobody has asked for it.
    Ready,
    /// Workers compute it.
    Runs,
    /// They wait.
    Paused,
    /// It was stopped; what is there stays.
    Stopped,
    /// Workers died again and again, and why.
    Failed(String),
    /// All rows are there.
    Done,
}

/// A share: every so many cells from the first on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Part {
    first: u64,
    taken: u64,
    job: Option<u32>,
    tries: u32,
}

/// A study and its run.
#[derive(Debug, Clone)]
pub struct Run {
    /// What is known.
    pub known: Known,
    /// How it stands.
    pub state: State,
    /// How many milliseconds it has been running, up to the last time it began.
    pub spent: f64,
    step: u64,
    parts: Vec<Part>,
}

impl Run {
    /// A study that nobody has begun; none if the page cannot hold it.
    pub fn new(plan: Plan) -> Option<Self> {
        let step = plan.cells.clamp(1, SHARES);
        let parts = (0..step).map(|first| Part { first, taken: 0, job: None, tries: 0 }).collect();
        Some(Self { known: Known::new(plan)?, state: State::Ready, spent: 0.0, step, parts })
    }

    /// Begins or goes on with what is not there yet: what each job is to do. `next` gives numbers to jobs.
    pub fn begin(&mut self, mut next: impl FnMut() -> u32) -> Vec<(u32, Asked)> {
        self.state = if self.known.is_whole() { State::Done } else { State::Runs };
        let (cells, step) = (self.known.plan.cells, self.step);
        let mut jobs = Vec::new();
        for part in &mut self.parts {
            let first = part.first + part.taken * step;
            if first < cells && part.job.is_none() {
                let job = next();
                part.job = Some(job);
                jobs.push((job, Asked::Cells { first, step }));
            }
        }
        jobs
    }

    /// The jobs at work.
    pub fn jobs(&self) -> Vec<u32> {
        self.parts.iter().filter_map(|part| part.job).collect()
    }

    /// A job told rows, a line each.
    pub fn rows(&mut self, job: u32, lines: &str) {
        let Some(part) = self.parts.iter_mut().find(|part| part.job == Some(job)) else { return };
        for line in lines.lines().filter(|line| !line.is_empty()) {
            let cell = part.first + part.taken * self.step;
            part.taken += 1;
            self.known.take(cell, line);
        }
    }

    /// A job is over, whether it has done all of its share or was stopped. Of a study that runs the rest
    /// [begins](Run::begin) again.
    pub fn over(&mut self, job: u32) {
        if let Some(part) = self.parts.iter_mut().find(|part| part.job == Some(job)) {
            part.job = None;
        }
        if self.known.is_whole() {
            self.state = State::Done;
        }
    }

    /// The worker of a job died: its share is for another one, unless that happened too often.
    pub fn died(&mut self, job: u32, why: &str) {
        let Some(part) = self.parts.iter_mut().find(|part| part.job == Some(job)) else { return };
        part.job = None;
        part.tries += 1;
        if part.tries >= MOST_TRIES {
            self.state = State::Failed(why.to_owned());
        }
    }

    /// Something is wrong that no other worker mends.
    pub fn failed(&mut self, job: u32, why: String) {
        self.over(job);
        self.state = State::Failed(why);
    }
}
