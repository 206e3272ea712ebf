//! What a report tells of a set, read from its one line of JSON.

use serde_json::{Value, json};

use super::model::{Job, Task};

/// A report.
pub struct Told(pub Value);

impl Told {
    /// Runs the document of a set.
    pub fn of(set: &[Task], horizon: u64) -> Self {
        let tasks: Vec<Value> = set.iter().map(Task::json).collect();
        let document = json!({"warpspan": 1, "title": "t", "tasks": {"set": tasks, "horizon": horizon}});
        let scenario = warpspan::scenario::from_tree(&document)
            .unwrap_or_else(|problems| unreachable!("{problems:?}: {document}"));
        Self(serde_json::from_str(&warpspan::job::run(scenario).line()).expect("a report is JSON"))
    }

    /// Whether the demand of every task is said to be exact.
    pub fn exact(&self) -> bool {
        self.0["set"].as_array().is_some_and(|set| set.iter().all(|task| task["exact"] == true))
    }

    /// The steps of a task in `dbf` or `equation`.
    pub fn steps(&self, which: &str, task: usize) -> Vec<(u64, u64)> {
        serde_json::from_value(self.0[which][task]["steps"].clone()).expect("pairs of numbers")
    }

    /// An interval with its demand.
    pub fn interval(&self, which: &str) -> Option<(u64, u64)> {
        let told = &self.0[which];
        Some((told["t"].as_u64()?, told["demand"].as_u64()?))
    }

    /// The jobs of the witness of each task.
    pub fn witness(&self, set: &[Task]) -> Vec<Vec<Job>> {
        let jobs = |task: &Task| {
            let all = self.0["witness"].as_array().into_iter().flatten();
            let told = all.into_iter().find(|told| told["task"] == task.name);
            let jobs = told.and_then(|told| told["jobs"].as_array()).into_iter().flatten();
            let job = |job: &Value| {
                let vertex = job["vertex"].as_str().and_then(|name| name.strip_prefix('v')?.parse().ok());
                Job { vertex: vertex.expect("a vertex"), at: job["time"].as_u64().expect("a time") }
            };
            jobs.map(job).collect()
        };
        set.iter().map(jobs).collect()
    }

    /// The growth of all requirements as a fraction; none where it is not known exactly.
    pub fn growth(&self) -> Option<(u64, u64)> {
        let text = self.0["sensitivity"]["growth_fraction"].as_str()?;
        let (top, bottom) = text.split_once('/').unwrap_or((text, "1"));
        Some((top.parse().ok()?, bottom.parse().ok()?))
    }
}

/// What steps say of an interval.
pub fn at(steps: &[(u64, u64)], t: u64) -> u64 {
    let after = steps.partition_point(|step| step.0 <= t);
    after.checked_sub(1).map_or(0, |last| steps[last].1)
}
