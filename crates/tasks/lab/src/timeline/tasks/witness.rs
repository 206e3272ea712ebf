//! A witness of a set: jobs by task, and how one processor executes them by earliest deadline first.

use super::{Class, class};
use crate::report::tasks::WitnessReport;
use tasks::edf_simulation::{Load, Slice, edf};

/// Spans of a task that overlap stand beside each other, in so many lanes at the most.
const MOST_LANES: usize = 4;

/// A job of the witness.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    /// Its task, when it is triggered, by when it must be done, and what it needs.
    pub load: Load,
    /// The name of its vertex.
    pub vertex: String,
    /// Whether it must be done within the interval.
    pub counted: bool,
    /// When it is done.
    pub done: u64,
    /// Its lane within the row of its task.
    pub lane: usize,
}

impl Job {
    /// Whether it is done only after its deadline.
    pub fn is_late(&self) -> bool {
        self.done > self.load.deadline
    }

    /// Where its span ends: at its deadline, or later where it needs more than that.
    pub fn end(&self) -> u64 {
        self.load.deadline.max(self.load.time.saturating_add(self.load.e))
    }
}

/// The row of a task.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The task.
    pub name: String,
    /// How it looks.
    pub class: Class,
    /// What its counted jobs need.
    pub demand: u64,
    /// Its jobs, by their place in the list of all.
    pub jobs: std::ops::Range<usize>,
    /// How many lanes they take.
    pub lanes: usize,
}

/// A witness, ready to be drawn.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Witnessed {
    /// The interval, from 0.
    pub t: u64,
    /// One row for each task, in the order of the set.
    pub rows: Vec<Row>,
    /// All jobs, task by task.
    pub jobs: Vec<Job>,
    /// What the processor executes when.
    pub slices: Vec<Slice>,
    /// When everything is over.
    pub end: u64,
}

impl Witnessed {
    /// The witness that reports give, one for each task of the set.
    pub fn new(reports: &[WitnessReport]) -> Self {
        let mut out = Self { t: reports.iter().map(|of| of.t).max().unwrap_or(0), ..Self::default() };
        for (task, of) in reports.iter().enumerate() {
            let first = out.jobs.len();
            let mut free = Vec::new();
            for (place, job) in of.jobs.iter().enumerate() {
                let load = Load {
                    task,
                    vertex: place,
                    time: job.time,
                    deadline: job.deadline.max(job.time),
                    e: job.e,
                };
                let (vertex, counted) = (job.vertex.clone(), job.counted);
                let mut job = Job { load, vertex, counted, done: 0, lane: 0 };
                job.lane = lane(&mut free, &job);
                out.jobs.push(job);
            }
            let (jobs, lanes) = (first..out.jobs.len(), free.len().max(1));
            out.rows.push(Row { name: of.task.clone(), class: class(task), demand: of.demand, jobs, lanes });
        }
        let loads: Vec<Load> = out.jobs.iter().map(|job| job.load).collect();
        let executed = edf(&loads);
        for (job, done) in out.jobs.iter_mut().zip(executed.done) {
            job.done = done;
        }
        out.slices = executed.slices;
        let last = out.jobs.iter().map(|job| job.end().max(job.done)).max();
        out.end = last.unwrap_or(0).max(out.t).max(1);
        out
    }

    /// The jobs that are late, by their place.
    pub fn late(&self) -> impl Iterator<Item = usize> {
        (0..self.jobs.len()).filter(|&job| self.jobs[job].is_late())
    }

    /// What all counted jobs need.
    pub fn demand(&self) -> u64 {
        self.rows.iter().map(|row| row.demand).fold(0, u64::saturating_add)
    }
}

/// The first lane that is free when a job is triggered; the last one where none is.
fn lane(free: &mut Vec<u64>, job: &Job) -> usize {
    let found = free.iter().position(|&until| until <= job.load.time);
    let lane = found.unwrap_or(free.len()).min(MOST_LANES - 1);
    match free.get_mut(lane) {
        Some(until) => *until = job.end().max(*until),
        None => free.push(job.end()),
    }
    lane
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    #[test]
    fn jobs_are_executed_and_late_ones_known() {
        let witnessed = Witnessed::new(&sample::overloaded().witness);
        let jobs: Vec<String> = witnessed
            .jobs
            .iter()
            .map(|job| {
                format!(
                    "{}.{} done {} lane {} late {}",
                    job.load.task,
                    job.vertex,
                    job.done,
                    job.lane,
                    job.is_late()
                )
            })
            .collect();
        assert_eq!(
            jobs,
            [
                "0.v0 done 3 lane 0 late false",
                "1.v0 done 6 lane 0 late true",
                "1.v1 done 11 lane 1 late false"
            ]
        );
        assert_eq!((witnessed.t, witnessed.end, witnessed.demand()), (4, 11, 6));
        assert_eq!(witnessed.rows[1].jobs, 1..3);
        assert_eq!(witnessed.late().collect::<Vec<_>>(), [1]);
    }

    #[test]
    fn nothing_needs_no_room() {
        let none = Witnessed::new(&[]);
        assert_eq!((none.rows.len(), none.jobs.len(), none.end), (0, 0, 1));
    }
}
