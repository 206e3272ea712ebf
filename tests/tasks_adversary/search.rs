//! Hill climbing with restarts: over the sequence of one task that needs the most within an interval, and over the
//! sequences and offsets of a set that make a job late.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use warpspan::base::Seeded;

use super::edf;
use super::model::{Job, Task, Walk, needed};

/// Begins anew after so many steps, from what was best or from anywhere.
const RESTART: u32 = 60;

/// Moves what is kept for a step to the step before or after; what would come before the first is lost.
fn moved<T: Copy>(steps: &BTreeMap<usize, T>, by: isize) -> BTreeMap<usize, T> {
    steps.iter().filter_map(|(step, &what)| Some((step.checked_add_signed(by)?, what))).collect()
}

/// Changes one or two choices among those that are used: where it begins, the usual way from a vertex, a way at a step,
/// a wait.
fn changed(task: &Task, walk: &Walk, jobs: &[Job], rng: &mut Seeded) -> Walk {
    let mut walk = walk.clone();
    for _ in 0..1 + rng.below(2) {
        let mut pick = |n: usize| rng.below(n.max(1) as u32) as usize;
        let step = pick(jobs.len());
        let vertex = jobs.get(step).map_or(0, |job| job.vertex);
        match pick(12) {
            0 => walk.first = pick(task.e.len()),
            // It begins a vertex later, or with one that leads to its first.
            1 if !task.leaving[walk.first].is_empty() => {
                let all = &task.leaving[walk.first];
                let way = walk.others.get(&0).unwrap_or(&walk.usual[walk.first]);
                walk.first = all[*way as usize % all.len()].0;
                (walk.others, walk.waits) = (moved(&walk.others, -1), moved(&walk.waits, -1));
            }
            2 => {
                let leads = |u: &usize| task.leaving[*u].iter().any(|edge| edge.0 == walk.first);
                let before: Vec<usize> = (0..task.e.len()).filter(leads).collect();
                let u = if walk.first == 0 { task.sink() } else { before[pick(before.len())] };
                let way = task.leaving[u].iter().position(|edge| edge.0 == walk.first);
                (walk.others, walk.waits) = (moved(&walk.others, 1), moved(&walk.waits, 1));
                walk.others.insert(0, way.unwrap_or(0) as u32);
                walk.first = u;
            }
            3..=5 => walk.usual[vertex] = pick(1 << 16) as u32,
            6 | 7 => _ = walk.others.insert(step, pick(1 << 16) as u32),
            8 => walk.others.extend((step..jobs.len().min(step + 6)).map(|at| (at, pick(1 << 16) as u32))),
            9 => _ = walk.others.split_off(&step),
            10 => walk.others = moved(&walk.others, [1, -1][pick(2)]),
            _ if pick(4) == 0 => _ = walk.waits.insert(step, pick(6) as u64),
            _ => walk.waits.clear(),
        }
    }
    walk
}

/// A sequence that needs as much in an interval of this length as so many steps find; every one looked at is shown. Of two
/// that need the same the one is better whose last job begins earlier: it leaves time for another.
pub fn most(task: &Task, t: u64, steps: u32, rng: &mut Seeded, mut look: impl FnMut(&[Job])) -> (u64, Walk) {
    let mut value = |walk: &Walk| {
        let jobs = walk.jobs(task, t);
        look(&jobs);
        let (needs, last) = needed(task, &jobs, t);
        ((needs, Reverse(last)), jobs)
    };
    let mut walk = Walk::random(task, rng);
    let (mut now, mut jobs) = value(&walk);
    let mut best = (now, walk.clone(), jobs.clone());
    for step in 1..=steps {
        if step % RESTART == 0 {
            (now, walk, jobs) = best.clone();
            if rng.below(2) == 0 {
                walk = Walk::random(task, rng);
                (now, jobs) = value(&walk);
            }
        }
        let other = changed(task, &walk, &jobs, rng);
        let (then, after) = value(&other);
        if then >= now {
            (walk, now, jobs) = (other, then, after);
        }
        if now > best.0 {
            best = (now, walk.clone(), jobs.clone());
        }
    }
    (best.0.0, best.1)
}

/// A run of a set: what each task does, and from when on.
#[derive(Debug, Clone)]
pub struct Plan {
    pub walks: Vec<Walk>,
    pub offsets: Vec<u64>,
}

impl Plan {
    /// All begin together, each with what it needs most within an interval.
    pub fn together(set: &[Task], t: u64, steps: u32, rng: &mut Seeded) -> Self {
        let walks = set.iter().map(|task| most(task, t, steps, rng, |_| {}).1).collect();
        Self { walks, offsets: vec![0; set.len()] }
    }

    /// How late the latest job is, where nothing is triggered after this.
    pub fn lateness(&self, set: &[Task], until: u64, scale: (u64, u64)) -> Option<i128> {
        let one = |(task, (walk, &offset)): (&Task, (&Walk, &u64))| {
            edf::loads(task, &walk.jobs(task, until.saturating_sub(offset)), offset, scale)
        };
        let each = set.iter().zip(self.walks.iter().zip(&self.offsets));
        edf::lateness(each.flat_map(one).collect())
    }

    /// Makes a job as late as so many steps find.
    pub fn late(
        mut self,
        set: &[Task],
        until: u64,
        scale: (u64, u64),
        (steps, rng): (u32, &mut Seeded),
    ) -> Found {
        let mut now = self.lateness(set, until, scale);
        let mut best = Found { lateness: now, plan: self.clone() };
        for step in 1..=steps {
            if step % RESTART == 0 {
                self = best.plan.clone();
                now = best.lateness;
            }
            let mut other = self.clone();
            let which = rng.below(set.len() as u32) as usize;
            let offset = &mut other.offsets[which];
            match rng.below(6) {
                0 => *offset = u64::from(rng.below(set[which].period.min(1 << 20) as u32)),
                1 => *offset += 1,
                2 => *offset = offset.saturating_sub(1),
                3 => *offset = 0,
                _ => {
                    let jobs = self.walks[which].jobs(&set[which], until);
                    other.walks[which] = changed(&set[which], &self.walks[which], &jobs, rng);
                }
            }
            let then = other.lateness(set, until, scale);
            if then >= now {
                (self, now) = (other, then);
            }
            if now > best.lateness {
                best = Found { lateness: now, plan: self.clone() };
            }
        }
        best
    }
}

/// The latest job that was found, and the run in which it is.
#[derive(Debug)]
pub struct Found {
    pub lateness: Option<i128>,
    pub plan: Plan,
}
