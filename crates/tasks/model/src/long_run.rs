//! What a task needs in the long run, as a share of the time.
//!
//! From one triggering of the source to the next pass a period and as long as the path of the round lasts with the way
//! back, whichever is more; in that time the round needs what its path needs. So whole rounds need no more than the
//! largest such share, which rounds along one path attain for ever, and what is not whole of an interval, a fragment
//! before and a last round, adds no more than 2·E(T). Deadlines only put off what is counted.
//!
//! Where rounds keep pace, the share is E(T) by it. Else the undominated paths are looked at.

use super::{StepFunction, Task, exact_demand};

/// The share of the time that a task needs in the long run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LongRun {
    /// So much demand.
    pub demand: u64,
    /// In so much time.
    pub time: u64,
    /// Whether that is the share; else the task needs as much, and perhaps more.
    pub exact: bool,
}

/// So many undominated paths from a vertex are looked at the most.
const MOST_PATHS: usize = 10_000;

impl LongRun {
    /// The share of a task.
    pub fn of(task: &Task) -> Self {
        Self::with(task, MOST_PATHS)
    }

    /// The same with so many paths.
    fn with(task: &Task, most: usize) -> Self {
        if task.keeps_pace() {
            return Self { demand: task.demand(), time: task.pace(), exact: true };
        }
        match paths(task, most) {
            Some(paths) => {
                let rounds = paths.pairs().iter().map(|&(lasts, e)| (e - 1, lasts.max(task.period())));
                let more = |a: (u64, u64), b: (u64, u64)| {
                    if u128::from(b.0) * u128::from(a.1) > u128::from(a.0) * u128::from(b.1) { b } else { a }
                };
                let (demand, time) = rounds.reduce(more).unwrap_or((0, 1));
                Self { demand, time, exact: true }
            }
            // The path that needs most lasts no longer than the longest one.
            None => Self { demand: task.demand(), time: task.longest(), exact: false },
        }
    }
}

/// The undominated paths from source to source: how long they last, and one more than they need; none where there are
/// too many.
fn paths(task: &Task, most: usize) -> Option<StepFunction> {
    let mut paths = exact_demand::paths(task, u64::MAX, &mut Vec::new(), |own| own.len() <= most)?;
    Some(std::mem::take(&mut paths[task.source()]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::naive;
    use crate::small::{random, task};

    /// Every path by itself.
    fn slowly(task: &Task) -> f64 {
        let (mut open, mut most) = (vec![(task.source(), 0, 0)], 0.0_f64);
        while let Some((v, lasts, e)) = open.pop() {
            let e = e + task.vertices()[v].e;
            if v == task.sink() {
                most = most.max(e as f64 / (lasts + task.gap()).max(task.period()) as f64);
            }
            open.extend(task.leaving(v).iter().map(|&(w, p)| (w, lasts + p, e)));
        }
        most
    }

    #[test]
    fn the_share_is_the_largest_of_all_rounds_and_demand_grows_with_it() {
        let mut short = 0;
        for seed in 0..1_500 {
            let task = random(seed);
            let task = if seed % 5 == 0 { task.restarting(seed % 3) } else { task };
            let long = LongRun::of(&task);
            let share = long.demand as f64 / long.time as f64;
            assert!(long.exact && (share - slowly(&task)).abs() < 1e-12, "seed {seed}: {long:?}");
            let few = LongRun::with(&task, 1);
            assert!(few.demand as f64 / few.time as f64 <= share + 1e-12, "seed {seed}: {few:?}");
            // Never further than two rounds from its share.
            let (mut search, e) = (naive::Search::new(&task), task.demand() as f64);
            for t in [1, 7, 40, 200] {
                let (told, share) = (search.demand(t) as f64, share * t as f64);
                let late = (2 * task.longest() + task.period() + 10) as f64 * share / t as f64 + e;
                assert!(told <= share + 2.0 * e + 1e-9, "seed {seed} at {t}: {told}");
                assert!(told >= share - late - 1e-9, "seed {seed} at {t}: {told}");
            }
            short += u32::from(!task.keeps_pace());
        }
        assert!(short > 100, "{short}");
    }

    #[test]
    fn rounds_longer_than_the_period_need_less_than_the_utilisation_says() {
        let of = |task: &Task| {
            let LongRun { demand, time, exact } = LongRun::of(task);
            (demand, time, exact)
        };
        assert_eq!(of(&task(10, &[(12, 20)], &[])), (12, 20, true));
        // 5 in 24 beside 3 in 10.
        let edges = [(0, 1, 4), (0, 2, 4), (1, 3, 4), (2, 3, 18)];
        assert_eq!(of(&task(6, &[(1, 2), (1, 2), (3, 2), (1, 2)], &edges)), (3, 10, true));
    }
}
