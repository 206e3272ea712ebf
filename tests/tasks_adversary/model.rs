//! A recurring task, and sequences of its triggerings, as the reference describes both.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use warpspan::base::Seeded;

/// The most jobs of a sequence; what would come after them is not triggered, which is legal.
const MOST_JOBS: usize = 3_000;

#[derive(Debug, Clone)]
pub struct Task {
    pub name: String,
    pub e: Vec<u64>,
    pub d: Vec<u64>,
    /// For each vertex where its edges lead, with their separations; none lead back.
    pub leaving: Vec<Vec<(usize, u64)>>,
    pub period: u64,
    /// From the sink to the source, where it is not the deadline of the sink.
    pub restart: Option<u64>,
}

impl Task {
    /// Vertices are numbered from the source, 0, to the sink.
    pub fn sink(&self) -> usize {
        self.e.len() - 1
    }

    /// The least time from the sink to the source.
    pub fn back(&self) -> u64 {
        self.restart.unwrap_or(self.d[self.sink()])
    }

    pub fn json(&self) -> Value {
        let name = |v: usize| format!("v{v}");
        let vertices = (0..self.e.len()).map(|v| json!({"name": name(v), "e": self.e[v], "d": self.d[v]}));
        let edges = self.leaving.iter().enumerate();
        let edges = edges.flat_map(|(u, all)| all.iter().map(move |&(v, p)| json!([name(u), name(v), p])));
        let mut task = json!({
            "name": self.name, "period": self.period,
            "vertices": vertices.collect::<Vec<_>>(), "edges": edges.collect::<Vec<_>>(),
        });
        if let Some(restart) = self.restart {
            task["restart"] = restart.into();
        }
        task
    }

    /// All times `times` as long, all requirements `work` as large.
    pub fn scaled(&self, times: u64, work: u64) -> Self {
        let mut other = self.clone();
        other.e.iter_mut().for_each(|e| *e *= work);
        other.d.iter_mut().for_each(|d| *d *= times);
        other.leaving.iter_mut().flatten().for_each(|edge| edge.1 *= times);
        other.period *= times;
        other.restart = self.restart.map(|restart| restart * times);
        other
    }

    /// The least length of a whole round: no task begins again earlier.
    pub fn longest(&self) -> u64 {
        let mut length = vec![0; self.e.len()];
        for u in 0..self.e.len() {
            for &(v, p) in &self.leaving[u] {
                length[v] = length[v].max(length[u] + p);
            }
        }
        length[self.sink()] + self.back()
    }
}

/// A job: its vertex, and when it is triggered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Job {
    pub vertex: usize,
    pub at: u64,
}

/// Choices of a sequence that may begin anywhere: a way for each vertex, and others at some steps.
#[derive(Debug, Clone)]
pub struct Walk {
    pub first: usize,
    /// Which edge leaves each vertex, where there are several.
    pub usual: Vec<u32>,
    /// Which one is taken at this step instead.
    pub others: BTreeMap<usize, u32>,
    /// How much longer than it must the triggering after this step waits.
    pub waits: BTreeMap<usize, u64>,
}

impl Walk {
    /// Random ways, no waits.
    pub fn random(task: &Task, rng: &mut Seeded) -> Self {
        let first = rng.below(task.e.len() as u32) as usize;
        let usual = task.e.iter().map(|_| rng.below(1 << 16)).collect();
        Self { first, usual, others: BTreeMap::new(), waits: BTreeMap::new() }
    }

    /// The jobs that are triggered no later than this; the first is triggered at 0.
    pub fn jobs(&self, task: &Task, until: u64) -> Vec<Job> {
        let (mut vertex, mut at, mut began) = (self.first, 0, None);
        let mut jobs = Vec::new();
        while at <= until && jobs.len() < MOST_JOBS {
            let step = jobs.len();
            jobs.push(Job { vertex, at });
            if vertex == 0 {
                began = Some(at);
            }
            let all = &task.leaving[vertex];
            if all.is_empty() {
                let period_over = began.map_or(0, |began| began + task.period);
                (vertex, at) = (0, period_over.max(at + task.back()));
            } else {
                let way = self.others.get(&step).unwrap_or(&self.usual[vertex]);
                let (next, separation) = all[*way as usize % all.len()];
                (vertex, at) = (next, at + separation);
            }
            at += self.waits.get(&step).copied().unwrap_or(0);
        }
        jobs
    }
}

/// What a sequence breaks, rule by rule.
pub fn broken(task: &Task, jobs: &[Job]) -> Option<String> {
    for pair in jobs.windows(2) {
        let [one, next] = [pair[0], pair[1]];
        let edge = task.leaving[one.vertex].iter().find(|edge| edge.0 == next.vertex).map(|edge| edge.1);
        let back = (one.vertex == task.sink() && next.vertex == 0).then(|| task.back());
        match edge.or(back) {
            None => return Some(format!("no edge from {} to {}", one.vertex, next.vertex)),
            Some(least) if next.at < one.at + least => {
                return Some(format!("{next:?} too soon after {one:?}"));
            }
            Some(_) => {}
        }
    }
    let sources: Vec<u64> = jobs.iter().filter(|job| job.vertex == 0).map(|job| job.at).collect();
    let close = sources.windows(2).find(|pair| pair[1] < pair[0] + task.period);
    close.map(|pair| format!("the source at {} and {}", pair[0], pair[1]))
}

/// What the jobs need that are triggered and due from 0 to `t`, and when the last of these is triggered.
pub fn needed(task: &Task, jobs: &[Job], t: u64) -> (u64, u64) {
    let within = jobs.iter().filter(|job| job.at + task.d[job.vertex] <= t && task.e[job.vertex] > 0);
    within.fold((0, 0), |(sum, _), job| (sum + task.e[job.vertex], job.at))
}
