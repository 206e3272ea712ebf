//! Sensitivity analysis: the largest requirement of one vertex while everything else stays as it is.
//!
//! It begins with a requirement that more than all of the time would be needed above in the long run ([`LongRun`]), and
//! comes down. As long as an interval has more demand
//! than time, some sequence attains that demand, in which the vertex counts m times: the requirement must shrink by
//! the excess over m at least, whatever else happens. So no value tried can be exceeded, and the first
//! that has no such interval is the answer.

use super::edf::decide;
use super::scaling::stays_below_rate;
use super::utilisation::Load;
use super::witness::witness_of;
use super::{Demand, LongRun, Sum, Task, Utilisation};

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
    long: &[LongRun],
    which: usize,
    vertex: usize,
) -> (LargestRequirement, u64) {
    let task = &set[which];
    let mut rates = long.to_vec();
    rates[which] = LongRun { demand: 0, ..rates[which] };
    // No round lasts longer than this; at a pace all last as long.
    let lasts = task.pace().max(task.longest());
    let Some(limit) = Utilisation::in_the_long_run(set, &rates).most_beside(lasts) else {
        return (LargestRequirement::Nothing, 1);
    };
    let idle = task.with_requirement(vertex, 0);
    if idle.demand() > limit {
        return (LargestRequirement::Nothing, 1);
    }
    // What a path through the vertex needs besides it: a requirement larger than everything shows it.
    let large = task.demand() + limit + 1;
    let beside = task.with_requirement(vertex, large).demand() - large;
    let Some(mut tried) = limit.checked_sub(beside) else { return (LargestRequirement::Nothing, 1) };
    let (mut sum, mut work, now) = (sum.clone(), 0, Utilisation::at_pace(set));
    for _ in 0..TRIES {
        let changed = task.with_requirement(vertex, tried);
        sum.demands[which] = Demand::exact(&changed);
        let rate = now.with(task, changed.demand());
        let decision = decide(&sum, &rate);
        let full = rate.load() == Load::Full;
        work += sum.demands[which].pairs + decision.checked * set.len() as u64;
        let worst = match decision.verdict.schedulable() {
            Some(true) => return (LargestRequirement::Is(tried), work),
            // Only what is attained shows that so much cannot be.
            Some(false) => [decision.tightest, decision.violation]
                .into_iter()
                .flatten()
                .filter(|point| point.margin() < 0 && sum.is_attained(point.t))
                .min_by_key(|point| point.margin()),
            // A full load whose end is too far away: no interval has too much where no task exceeds its share of any.
            None if full => {
                let changed = |i| if i == which { &changed } else { &set[i] };
                let mut each = sum.demands.iter().enumerate();
                if each.all(|(i, demand)| stays_below_rate(changed(i), demand)) {
                    return (LargestRequirement::Is(tried), work);
                }
                None
            }
            None => None,
        };
        let Some(point) = worst else { return (LargestRequirement::Unknown, work) };
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
    use crate::naive;
    use crate::small::{diamond, random, task};

    fn largest(set: &[Task], vertex: usize) -> LargestRequirement {
        let sum = Sum { demands: set.iter().map(Demand::exact).collect() };
        let long: Vec<LongRun> = set.iter().map(LongRun::of).collect();
        largest_requirement(set, &sum, &long, 0, vertex).0
    }

    /// Whether all deadlines are met, by all sequences within intervals up to `far` and by the long run; none where more
    /// would have to be looked at.
    fn truly(set: &[Task], far: u64) -> Option<bool> {
        let rate: f64 = set.iter().map(LongRun::of).map(|long| long.demand as f64 / long.time as f64).sum();
        let last = 2.0 * set.iter().map(Task::demand).sum::<u64>() as f64 / (1.0 - rate);
        let mut all: Vec<naive::Search<'_>> = set.iter().map(naive::Search::new).collect();
        let end = if rate < 1.0 { far.min(last as u64) } else { far };
        let missed = (1..=end).any(|t| all.iter_mut().map(|search| search.demand(t)).sum::<u64>() > t)
            || rate > 1.0 + 1e-9;
        if missed { Some(false) } else { (rate < 1.0 - 1e-9 && end < far).then_some(true) }
    }

    /// Against all sequences; of rounds that last longer than the period, too.
    #[test]
    fn the_next_larger_requirement_misses_a_deadline() {
        let (mut seen, mut known) = ([0; 3], [0; 4]);
        for seed in 0..200 {
            let other = |task: Task| {
                let longer = task.period() + 3 * task.demand();
                let period = if seed % 3 == 0 { 1 + seed % task.longest().max(1) } else { longer };
                Task::new("t", period, task.vertices().to_vec(), task.edges().to_vec()).unwrap_or(task)
            };
            let set: Vec<Task> = (0..1 + seed % 2).map(|i| other(random(seed + 9_000 * i))).collect();
            for vertex in 0..set[0].vertices().len() {
                let with = |e: u64| {
                    let mut changed = set.clone();
                    changed[0] = set[0].with_requirement(vertex, e);
                    truly(&changed, 100)
                };
                match largest(&set, vertex) {
                    LargestRequirement::Is(e) => {
                        let truth = (with(e), with(e + 1));
                        assert!(
                            truth.0 != Some(false) && truth.1 != Some(true),
                            "seed {seed}: {vertex} {e} {truth:?}"
                        );
                        known[0] += u32::from(truth.0.is_some());
                        known[1] += u32::from(truth.1.is_some());
                        known[2] += u32::from(truth.1.is_some() && !set[0].traits().roomy);
                        seen[0] += 1;
                    }
                    LargestRequirement::Nothing => {
                        let truth = with(0);
                        assert_ne!(truth, Some(true), "seed {seed}: {vertex}");
                        known[3] += u32::from(truth.is_some());
                        seen[1] += 1;
                    }
                    LargestRequirement::Unknown => seen[2] += 1,
                }
            }
        }
        assert!(seen[0] > 100 && seen[1] > 50 && seen[2] < 100, "{seen:?}");
        assert!(known[0] > 80 && known[1] > 80 && known[2] > 10 && known[3] > 50, "{known:?}");
    }

    /// The period of 10 is no limit where deadlines are 20 apart.
    #[test]
    fn what_separates_rounds_limits_a_requirement() {
        let one = task(10, &[(5, 20)], &[]);
        assert_eq!(largest(std::slice::from_ref(&one), 0), LargestRequirement::Is(20));
        assert_eq!(largest(&[one.clone(), task(20, &[(1, 20)], &[])], 0), LargestRequirement::Is(19));
        assert_eq!(largest(&[one.restarting(0), task(20, &[(1, 20)], &[])], 0), LargestRequirement::Is(9));
    }

    /// The hyperperiod is too far away to be looked at, and more than the utilisation allows is the only limit.
    #[test]
    fn a_full_load_without_an_end_is_told_where_it_is_known() {
        let (a, b) = (1_000, 999_999_999_961);
        let set = [task(a, &[(1, a)], &[]), task(b, &[(0, b)], &[])];
        assert_eq!(largest(&set, 0), LargestRequirement::Is(a));
    }

    #[test]
    fn a_full_load_is_allowed_where_deadlines_are_met() {
        let set = [task(10, &[(12, 10)], &[])];
        assert_eq!(largest(&set, 0), LargestRequirement::Is(10));
    }

    #[test]
    fn alone_and_in_company() {
        let (one, other) = (task(10, &[(2, 5)], &[]), diamond());
        let set = [one, other];
        assert_eq!(largest(&set, 0), LargestRequirement::Is(3));
    }
}
