//! Sensitivity analysis: the largest requirement of one vertex while everything else stays as it is.
//!
//! It begins with the most that keeps the utilisation at 1 or below and comes down. As long as an interval has more demand
//! than time, some sequence attains that demand, in which the vertex counts m times: the requirement must shrink by
//! the excess over m at least, whatever else happens. So every value tried is one that cannot be exceeded, and the
//! first that has no such interval is the answer.

use super::edf::decide;
use super::utilisation::Load;
use super::witness::witness_of;
use super::{Demand, Sum, Task, Utilisation};

/// What is known of a vertex.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LargestRequirement {
    /// It may need so much.
    Is(u64),
    /// Deadlines are missed even if it needs nothing.
    Nothing,
    /// It could not be found out.
    Unknown,
}

/// So many values are tried.
const TRIES: usize = 60;

/// The largest requirement of a vertex of one of the tasks; `sum` is the exact demand of all of them. The second number
/// is the work done, in pairs and intervals.
pub fn largest_requirement(
    set: &[Task],
    sum: &Sum,
    rate: &Utilisation,
    which: usize,
    vertex: usize,
) -> (LargestRequirement, u64) {
    let task = &set[which];
    let Some(limit) = rate.most_demand(task) else { return (LargestRequirement::Nothing, 1) };
    let idle = task.with_requirement(vertex, 0);
    if idle.demand() > limit {
        return (LargestRequirement::Nothing, 1);
    }
    // What a path through the vertex needs besides it: a requirement larger than everything shows it.
    let large = task.demand() + limit + 1;
    let beside = task.with_requirement(vertex, large).demand() - large;
    let Some(mut tried) = limit.checked_sub(beside) else { return (LargestRequirement::Nothing, 1) };
    let (mut sum, mut work) = (sum.clone(), 0);
    for _ in 0..TRIES {
        let changed = task.with_requirement(vertex, tried);
        sum.demands[which] = Demand::exact(&changed);
        let rate = rate.with(task, changed.demand());
        let decision = decide(&sum, &rate);
        let full = rate.load() == Load::Full;
        work += sum.demands[which].pairs + decision.checked * set.len() as u64;
        let worst = match decision.verdict.schedulable() {
            Some(true) => return (LargestRequirement::Is(tried), work),
            Some(false) => {
                [decision.tightest, decision.violation].into_iter().flatten().min_by_key(|p| p.margin())
            }
            // A full load whose end is too far away: a little less is decided.
            None if full && tried > 0 => {
                tried -= 1;
                continue;
            }
            None => None,
        };
        let Some(point) = worst.filter(|point| sum.is_attained(point.t)) else {
            return (LargestRequirement::Unknown, work);
        };
        let jobs = witness_of(&changed, &sum.demands[which], point.t).jobs;
        work += sum.demands[which].pairs;
        let counted = jobs.iter().filter(|job| job.counted && job.vertex == vertex).count() as u64;
        let excess = point.margin().unsigned_abs();
        tried = match counted {
            0 if jobs.is_empty() && point.demand > 0 => return (LargestRequirement::Unknown, work),
            0 => return (LargestRequirement::Nothing, work),
            counted => match tried.checked_sub(excess.div_ceil(counted)) {
                Some(less) => less,
                None => return (LargestRequirement::Nothing, work),
            },
        };
    }
    (LargestRequirement::Unknown, work)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::small::{diamond, random, task};

    fn schedulable(set: &[Task]) -> Option<bool> {
        let sum = Sum { demands: set.iter().map(Demand::exact).collect() };
        decide(&sum, &Utilisation::of(set)).verdict.schedulable()
    }

    #[test]
    fn the_next_larger_requirement_misses_a_deadline() {
        let mut seen = [0; 3];
        for seed in 0..250 {
            let loosen = |task: Task| {
                let period = task.period() + 3 * task.demand();
                Task::new("t", period, task.vertices().to_vec(), task.edges().to_vec()).unwrap_or(task)
            };
            let set: Vec<Task> = (0..1 + seed % 2).map(|i| loosen(random(seed + 9_000 * i))).collect();
            let sum = Sum { demands: set.iter().map(Demand::exact).collect() };
            for vertex in 0..set[0].vertices().len() {
                let with = |e: u64| {
                    let mut changed = set.clone();
                    changed[0] = set[0].with_requirement(vertex, e);
                    schedulable(&changed)
                };
                match largest_requirement(&set, &sum, &Utilisation::of(&set), 0, vertex).0 {
                    LargestRequirement::Is(e) => {
                        assert_eq!(
                            (with(e), with(e + 1)),
                            (Some(true), Some(false)),
                            "seed {seed}: {vertex}"
                        );
                        seen[0] += 1;
                    }
                    LargestRequirement::Nothing => {
                        assert_eq!(with(0), Some(false), "seed {seed}: {vertex}");
                        seen[1] += 1;
                    }
                    LargestRequirement::Unknown => seen[2] += 1,
                }
            }
        }
        assert!(seen[0] > 150 && seen[1] > 50 && seen[2] < 100, "{seen:?}");
    }

    #[test]
    fn a_full_load_is_allowed_where_deadlines_are_met() {
        let set = [task(10, &[(12, 10)], &[])];
        let sum = Sum { demands: set.iter().map(Demand::exact).collect() };
        assert_eq!(
            largest_requirement(&set, &sum, &Utilisation::of(&set), 0, 0).0,
            LargestRequirement::Is(10)
        );
    }

    #[test]
    fn alone_and_in_company() {
        let (one, other) = (task(10, &[(2, 5)], &[]), diamond());
        let set = [one, other];
        let sum = Sum { demands: set.iter().map(Demand::exact).collect() };
        assert_eq!(
            largest_requirement(&set, &sum, &Utilisation::of(&set), 0, 0).0,
            LargestRequirement::Is(3)
        );
    }
}
