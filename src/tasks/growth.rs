//! By how much all requirements of a set may grow together until a deadline is missed.
//!
//! Demand grows with the requirements, so the factor is the least ratio of an interval to its demand, unless the
//! utilisation is 1 before. A factor found so far bounds the intervals that can have a smaller one, and they are walked
//! through from the longest down, skipping as in [`super::edf`]: below a ratio r, no interval between r times the
//! demand of t and t can have a smaller ratio.

use super::rate::FARTHEST;
use super::{Demand, Point, Rate, Sum, Task};

/// What limits the growth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Growth {
    /// This interval: the factor is its length by its demand.
    Interval(Point),
    /// The utilisation: the factor is 1 by it, and no interval has a smaller one.
    Utilisation,
    /// Nothing was found to limit it below this length by this demand, a thousandth below what the utilisation allows.
    AtLeast(Point),
    /// Nothing: there is no demand.
    Nothing,
}

/// So many intervals are walked through before any is skipped.
const WALKED: usize = 10_000;
/// And so many at the most after that.
const FOLLOWED: usize = 2_000_000;

/// How far the requirements of a set with this demand may grow.
pub fn growth(set: &[Task], sum: &Sum, rate: &Rate) -> Growth {
    let smaller =
        |a: Point, b: Point| u128::from(a.t) * u128::from(b.demand) < u128::from(b.t) * u128::from(a.demand);
    let mut least: Option<Point> = None;
    let mut at = sum.next(0);
    for _ in 0..WALKED {
        let Some(t) = at else { break };
        let point = sum.at(t);
        if least.is_none_or(|least| smaller(point, least)) {
            least = Some(point);
        }
        at = sum.next(t);
    }
    let Some(first) = least else { return Growth::Nothing };
    let limited = rate.exceeds(first.t, first.demand);
    if !limited && set.iter().zip(&sum.demands).all(|(task, demand)| stays_below_rate(task, demand)) {
        return Growth::Utilisation;
    }
    let (t, demand) = rate.nearly_full();
    let mut best = if limited { first } else { Point { t, demand } };
    let mut found = limited;
    let mut below = rate.last_interval_at(best.t, best.demand).unwrap_or(FARTHEST);
    for _ in 0..FOLLOWED {
        let Some(t) = sum.last(below).filter(|&t| at.is_some_and(|at| t >= at)) else { break };
        let point = sum.at(t);
        if smaller(point, best) {
            (best, found) = (point, true);
        }
        // Only an interval shorter than the factor times the demand of this one can have a smaller ratio.
        let reach = u128::from(best.t) * u128::from(point.demand) / u128::from(best.demand.max(1));
        below = u64::try_from(reach).unwrap_or(FARTHEST).min(t - 1);
    }
    if found { Growth::Interval(best) } else { Growth::AtLeast(best) }
}

/// Whether the demand of a task never exceeds its share of an interval: then the growth of the set is limited by the
/// utilisation alone.
fn stays_below_rate(task: &Task, demand: &Demand) -> bool {
    demand.written().iter().all(|&(t, value)| {
        u128::from(value) * u128::from(task.period()) <= u128::from(task.demand()) * u128::from(t)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tasks::small::{random, task};

    fn of(set: &[Task]) -> Growth {
        let sum = Sum { demands: set.iter().map(Demand::exact).collect() };
        growth(set, &sum, &Rate::of(set))
    }

    #[test]
    fn the_factor_is_the_least_ratio_of_all_intervals() {
        let mut seen = [0; 3];
        for seed in 0..600 {
            let set: Vec<Task> = (0..1 + seed % 3).map(|i| random(seed + 5_000 * i)).collect();
            let sum = Sum { demands: set.iter().map(Demand::exact).collect() };
            let all = (1..2_000).map(|t| sum.at(t)).filter(|point| point.demand > 0);
            let least = all.map(|point| point.t as f64 / point.demand as f64).fold(f64::INFINITY, f64::min);
            let full = 1.0 / Rate::of(&set).value();
            let close = |factor: f64| (factor - least.min(full)).abs() < 1e-9;
            match growth(&set, &sum, &Rate::of(&set)) {
                Growth::Interval(point) => {
                    assert!(
                        close(point.t as f64 / point.demand as f64),
                        "seed {seed}: {point:?}, {least}, {full}"
                    );
                    seen[0] += 1;
                }
                Growth::Utilisation => {
                    assert!(least >= full - 1e-9, "seed {seed}");
                    seen[1] += 1;
                }
                Growth::AtLeast(_) => seen[2] += 1,
                Growth::Nothing => assert!(least.is_infinite()),
            }
        }
        assert!(seen[0] > 400, "{seen:?}");
    }

    #[test]
    fn implicit_deadlines_are_limited_by_the_utilisation() {
        assert_eq!(of(&[task(10, &[(2, 10)], &[]), task(7, &[(1, 7)], &[])]), Growth::Utilisation);
        assert_eq!(of(&[task(10, &[(2, 5)], &[])]), Growth::Interval(Point { t: 5, demand: 2 }));
        assert_eq!(of(&[task(10, &[(0, 5)], &[])]), Growth::Nothing);
    }
}
