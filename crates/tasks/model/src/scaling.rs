//! The critical scaling factor: by how much all requirements of a set may grow together until a deadline is missed.
//!
//! Demand grows with the requirements, so the factor is the least ratio of an interval to its demand, unless more than
//! all of the time is needed in the long run before. That it is, is shown by looking at all intervals until everything
//! repeats itself; where that is too far, all that is known is a range. A factor found so far bounds the intervals that
//! can have a smaller one, and they are walked through from the longest down, skipping as in [`super::edf`]: below a
//! ratio r, no interval between r times the demand of t and t can have a smaller ratio.
//!
//! All of this is sound for bounds on demand: what they leave is possible. That no more is, only an interval shows whose
//! demand is attained, or the long run ([`LongRun`]).

use super::demand::{TOO_LARGE, settled};
use super::exact_demand::Recurs;
use super::utilisation::FARTHEST;
use super::{Demand, Exactness, LongRun, Point, Sum, Task, Utilisation};

/// What limits the growth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScalingFactor {
    /// This interval: the factor is its length by its demand.
    Interval(Point),
    /// What is needed in the long run, [`Utilisation::in_the_long_run`]: the factor is 1 by it, and no interval has a
    /// smaller one.
    Utilisation,
    /// Nothing limits it below this length by this demand, and this interval does, or the long run where there is none;
    /// between the two it is not known.
    Between(Point, Option<Point>),
    /// Nothing: there is no demand.
    Nothing,
    /// Too many intervals would have to be looked at.
    Unknown,
}

/// So many intervals are walked through before any is skipped.
const WALKED: usize = 10_000;
/// And so many values of demand are looked up at the most after that.
const FOLLOWED: usize = 6_000_000;

/// How far the requirements of a set with this demand may grow.
pub fn scaling_factor(set: &[Task], sum: &Sum, long: &[LongRun]) -> ScalingFactor {
    let rate = Utilisation::at_pace(set);
    let keeps_pace = set.iter().all(Task::keeps_pace);
    let possible = match by_demand(set, sum, &rate) {
        ScalingFactor::Interval(point) if !sum.is_attained(point.t) => point,
        // The demand that is told goes on faster than the task does.
        ScalingFactor::Utilisation if !keeps_pace => match rate.parts() {
            Some((demand, t)) if demand > 0 => Point { t, demand },
            _ => match nearly_full(&rate) {
                Some(point) => point,
                None => return ScalingFactor::Unknown,
            },
        },
        ScalingFactor::Between(point, _) if !keeps_pace => point,
        known => return known,
    };
    beside_attained(set, sum, long, possible)
}

/// The factor by intervals whose demand is attained and by what is needed in the long run, where less was found to be
/// possible by mere bounds.
fn beside_attained(set: &[Task], sum: &Sum, long: &[LongRun], possible: Point) -> ScalingFactor {
    let rate = Utilisation::in_the_long_run(set, long);
    let mut most: Option<Point> = None;
    let mut at = sum.next(0);
    for _ in 0..WALKED {
        let Some(t) = at.filter(|&t| sum.is_attained(t)) else { break };
        let point = sum.at(t);
        if rate.exceeds(t, point.demand) && most.is_none_or(|most| smaller(point, most)) {
            most = Some(point);
        }
        at = sum.next(t);
    }
    let between = ScalingFactor::Between(possible, most);
    match most {
        Some(most) if !smaller(possible, most) => ScalingFactor::Interval(most),
        _ if !long.iter().all(|long| long.exact) => between,
        // Nothing longer than this can have a smaller ratio, and up to there demand is attained.
        Some(most)
            if rate.last_interval_at(most.t, most.demand).is_some_and(|last| sum.is_attained(last)) =>
        {
            down(set, sum, &rate, (most, at)).map_or(between, ScalingFactor::Interval)
        }
        Some(_) => between,
        None => {
            let mut each = set.iter().zip(&sum.demands).zip(long);
            let below = each.all(|((task, demand), long)| stays_below_long_run(task, demand, *long));
            let all = below || !rate.exceeds(possible.t, possible.demand);
            if all { ScalingFactor::Utilisation } else { between }
        }
    }
}

/// Whether the demand of a task never exceeds what it needs in the long run. Where deadlines follow one another, whole
/// rounds between the first and the last triggering of the source can be left out, with no more demand than they need in
/// the long run; what is left is shorter than what is attained.
fn stays_below_long_run(task: &Task, demand: &Demand, long: LongRun) -> bool {
    let Exactness::Below(until) = demand.exact else {
        return demand.exact == Exactness::Exact && stays_below_rate(task, demand);
    };
    let mut attained = demand.written().iter().take_while(|step| step.0 < until);
    Recurs::of(task) == Recurs::Path
        && until > settled(task) + task.pace()
        && attained.all(|&(t, value)| {
            u128::from(value) * u128::from(long.time) <= u128::from(long.demand) * u128::from(t)
        })
}

/// The factor by demand as it is told and its rate, as if both were attained.
fn by_demand(set: &[Task], sum: &Sum, rate: &Utilisation) -> ScalingFactor {
    let mut least: Option<Point> = None;
    let mut at = sum.next(0);
    for _ in 0..WALKED {
        let Some(t) = at else { break };
        let point = sum.at(t);
        if point.demand == TOO_LARGE {
            return ScalingFactor::Unknown;
        }
        if least.is_none_or(|least| smaller(point, least)) {
            least = Some(point);
        }
        at = sum.next(t);
    }
    let Some(first) = least else { return ScalingFactor::Nothing };
    if rate.exceeds(first.t, first.demand) {
        return limited(set, sum, rate, (first, at));
    }
    if set.iter().zip(&sum.demands).all(|(task, demand)| stays_below_rate(task, demand)) {
        return ScalingFactor::Utilisation;
    }
    match against_rate(set, sum, rate) {
        Against::Below => ScalingFactor::Utilisation,
        Against::Above(point) => limited(set, sum, rate, (point, sum.next(0))),
        Against::Open => nearly(set, sum, rate, at),
    }
}

/// Whether a ratio of interval and demand is less than another.
fn smaller(a: Point, b: Point) -> bool {
    u128::from(a.t) * u128::from(b.demand) < u128::from(b.t) * u128::from(a.demand)
}

/// The least ratio where one is known that is less than what the utilisation allows, and no interval shorter than `at`
/// has a smaller one. Where the two are so close that too many intervals may lie between, it is a range.
fn limited(set: &[Task], sum: &Sum, rate: &Utilisation, (first, at): (Point, Option<u64>)) -> ScalingFactor {
    match down(set, sum, rate, (first, at)) {
        Some(best) => ScalingFactor::Interval(best),
        None => match nearly_full(rate) {
            Some(from) if !smaller(first, from) => nearly(set, sum, rate, at),
            _ => ScalingFactor::Unknown,
        },
    }
}

fn nearly_full(rate: &Utilisation) -> Option<Point> {
    rate.nearly_full().map(|(t, demand)| Point { t, demand }).filter(|point| point.t > 0)
}

/// Where the utilisation may be the limit, or almost, but that is not shown; no interval shorter than `at` has a ratio
/// a thousandth less.
fn nearly(set: &[Task], sum: &Sum, rate: &Utilisation, at: Option<u64>) -> ScalingFactor {
    let Some(from) = nearly_full(rate) else { return ScalingFactor::Unknown };
    match down(set, sum, rate, (from, at)) {
        Some(best) if smaller(best, from) => ScalingFactor::Interval(best),
        Some(_) => ScalingFactor::Between(from, None),
        None => ScalingFactor::Unknown,
    }
}

/// The least ratio of all, if it is less than one that is given, else that; none where that takes too long.
fn down(set: &[Task], sum: &Sum, rate: &Utilisation, (from, at): (Point, Option<u64>)) -> Option<Point> {
    let mut best = from;
    let mut below = rate.last_interval_at(best.t, best.demand).filter(|&last| last < FARTHEST)?;
    let mut looked = 0;
    while let Some(t) = sum.last(below).filter(|&t| at.is_some_and(|at| t >= at)) {
        looked += set.len();
        let point = sum.at(t);
        if looked > FOLLOWED || point.demand == TOO_LARGE {
            return None;
        }
        if smaller(point, best) {
            best = point;
        }
        // Only an interval shorter than the factor times the demand of this one can have a smaller ratio.
        let reach = u128::from(best.t) * u128::from(point.demand) / u128::from(best.demand.max(1));
        below = u64::try_from(reach).unwrap_or(FARTHEST).min(t - 1);
    }
    Some(best)
}

/// Demand beside its share of every interval, which is the utilisation times its length.
enum Against {
    /// It never exceeds it: the utilisation alone limits growth.
    Below,
    /// It does here.
    Above(Point),
    /// Too many intervals would have to be looked at.
    Open,
}

/// Looks at all intervals until everything repeats itself: from there on, both grow by the same in every round.
fn against_rate(set: &[Task], sum: &Sum, rate: &Utilisation) -> Against {
    let end = sum.hyperperiod().and_then(|(from, round)| from.checked_add(round));
    let (Some(end), Some((top, bottom))) = (end.filter(|&end| end < FARTHEST), rate.parts()) else {
        return Against::Open;
    };
    let mut below = end;
    let mut looked = 0;
    while let Some(t) = sum.last(below).filter(|&t| t > 0) {
        looked += set.len();
        let point = sum.at(t);
        if looked > FOLLOWED || point.demand == TOO_LARGE {
            return Against::Open;
        }
        if u128::from(point.demand) * u128::from(bottom) > u128::from(t) * u128::from(top) {
            return Against::Above(point);
        }
        // Only an interval shorter than this demand by the utilisation can have more than its share.
        let reach = u128::from(point.demand) * u128::from(bottom) / u128::from(top.max(1));
        below = u64::try_from(reach).unwrap_or(FARTHEST).min(t - 1);
    }
    Against::Below
}

/// Whether the demand of a task never exceeds its share of an interval: then the growth of the set is limited by the
/// utilisation alone.
pub(super) fn stays_below_rate(task: &Task, demand: &Demand) -> bool {
    demand.written().iter().all(|&(t, value)| {
        u128::from(value) * u128::from(task.pace()) <= u128::from(task.demand()) * u128::from(t)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::naive;
    use crate::small::{random, task};

    fn of(set: &[Task]) -> ScalingFactor {
        let sum = Sum { demands: set.iter().map(Demand::exact).collect() };
        scaling_factor(set, &sum, &long_run(set))
    }

    fn long_run(set: &[Task]) -> Vec<LongRun> {
        set.iter().map(LongRun::of).collect()
    }

    /// Which intervals limit growth by what tasks do: the least ratio up to `far`, and that of the long run.
    fn truly(set: &[Task], far: u64) -> (f64, f64) {
        let mut all: Vec<naive::Search<'_>> = set.iter().map(naive::Search::new).collect();
        let mut ratio = |t: u64| t as f64 / all.iter_mut().map(|search| search.demand(t)).sum::<u64>() as f64;
        let rate: f64 = long_run(set).iter().map(|long| long.demand as f64 / long.time as f64).sum();
        ((1..far).map(&mut ratio).fold(f64::INFINITY, f64::min), 1.0 / rate)
    }

    /// What is told of sets whose rounds last longer than the period is what trying every sequence says.
    #[test]
    fn rounds_longer_than_the_period_grow_as_far_as_their_deadlines_are_met() {
        let mut seen = [0; 3];
        for seed in 0..240 {
            let shorter = |task: Task| {
                let period = 1 + task.period() % task.longest().max(1);
                let other = Task::new("t", period, task.vertices().to_vec(), task.edges().to_vec());
                let gap = if seed % 4 == 0 { seed % 7 } else { task.gap() };
                other.unwrap_or(task).restarting(gap)
            };
            let one = shorter(random(seed));
            let set = if seed % 2 == 0 { vec![one] } else { vec![one, random(seed + 7_000)] };
            let (least, full) = truly(&set, 160);
            match of(&set) {
                ScalingFactor::Interval(point) => {
                    let told = point.t as f64 / point.demand as f64;
                    let near = told - least;
                    assert!(
                        told <= full + 1e-9 && (near.abs() < 1e-9 || point.t >= 160),
                        "seed {seed}: {told} {least} {full}"
                    );
                    seen[0] += 1;
                }
                ScalingFactor::Utilisation => {
                    assert!(least >= full - 1e-9, "seed {seed}: {least} {full}");
                    seen[1] += 1;
                }
                ScalingFactor::Between(point, most) => {
                    let told = point.t as f64 / point.demand as f64;
                    let most = most.map_or(full, |most| most.t as f64 / most.demand as f64);
                    let truth = least.min(full);
                    assert!(
                        told <= truth + 1e-9 && truth <= most + 1e-9,
                        "seed {seed}: {told} {truth} {most}"
                    );
                    seen[2] += 1;
                }
                ScalingFactor::Nothing => assert!(least.is_infinite(), "seed {seed}"),
                ScalingFactor::Unknown => unreachable!("small sets"),
            }
        }
        assert!(seen[0] > 60 && seen[1] > 5 && seen[2] > 5, "{seen:?}");
    }

    /// 12 in every 20, whatever the period says; and 6 of 19 and 1 of 2.
    #[test]
    fn what_separates_rounds_limits_growth() {
        let interval = |t, demand| ScalingFactor::Interval(Point { t, demand });
        for e in [5, 12] {
            assert_eq!(of(&[task(10, &[(e, 20)], &[])]), ScalingFactor::Utilisation, "20 by {e}");
        }
        let unit = 100_000_000;
        let set = [task(10 * unit, &[(6 * unit, 19 * unit)], &[]), task(2, &[(1, 2)], &[])];
        assert_eq!(of(&set), ScalingFactor::Utilisation);
        let rate = Utilisation::in_the_long_run(&set, &long_run(&set));
        assert_eq!(rate.room().map(|room| room.1), Some("38/31".into()));
        assert_eq!(of(&[task(10, &[(5, 20)], &[]).restarting(0)]), ScalingFactor::Utilisation);
        assert_eq!(of(&[task(10, &[(5, 8)], &[]).restarting(14)]), interval(8, 5));
        // Two ways, of 10 and of 24, and a period of 6; the short one limits it.
        let edges = [(0, 1, 4), (0, 2, 4), (1, 3, 4), (2, 3, 18)];
        let ways = task(6, &[(1, 3), (1, 4), (3, 4), (1, 2)], &edges);
        assert_eq!(of(std::slice::from_ref(&ways)), interval(4, 3));
    }

    #[test]
    fn the_factor_is_the_least_ratio_of_all_intervals() {
        let mut seen = [0; 2];
        for seed in 0..600 {
            let set: Vec<Task> = (0..1 + seed % 3).map(|i| random(seed + 5_000 * i)).collect();
            let sum = Sum { demands: set.iter().map(Demand::exact).collect() };
            let all = (1..2_000)
                .filter(|&t| sum.is_attained(t))
                .map(|t| sum.at(t))
                .filter(|point| point.demand > 0);
            let least = all.map(|point| point.t as f64 / point.demand as f64).fold(f64::INFINITY, f64::min);
            let long = long_run(&set);
            let full = 1.0 / Utilisation::in_the_long_run(&set, &long).value();
            let close = |factor: f64| (factor - least.min(full)).abs() < 1e-9;
            match scaling_factor(&set, &sum, &long) {
                ScalingFactor::Interval(point) => {
                    assert!(
                        close(point.t as f64 / point.demand as f64),
                        "seed {seed}: {point:?}, {least}, {full}"
                    );
                    seen[0] += 1;
                }
                ScalingFactor::Utilisation => {
                    assert!(least >= full - 1e-9, "seed {seed}");
                    seen[1] += 1;
                }
                ScalingFactor::Between(point, most) => {
                    assert!(
                        !set.iter().all(Task::keeps_pace),
                        "seed {seed}: small sets repeat themselves soon"
                    );
                    let told = point.t as f64 / point.demand as f64;
                    let most = most.map_or(full, |most| most.t as f64 / most.demand as f64);
                    assert!(told <= most && most <= full + 1e-9, "seed {seed}");
                }
                ScalingFactor::Nothing => assert!(least.is_infinite()),
                ScalingFactor::Unknown => unreachable!("small sets"),
            }
        }
        assert!(seen[0] > 400 && seen[1] > 5, "{seen:?}");
    }

    /// Of one task the demand exceeds its share within 6, of both it does not: 3 of 6, and 7 of 7.
    #[test]
    fn what_meets_all_deadlines_need_not_shrink() {
        assert_eq!(of(&[task(7, &[(3, 6)], &[]), task(7, &[(4, 7)], &[])]), ScalingFactor::Utilisation);
        // Rounds that never meet: the utilisation may be the limit, and no more than a range is known.
        let far = 1_000_000_000_000;
        let (a, b) = (far - 11, far - 39);
        let set = [task(a, &[(a / 7 * 3, a / 7 * 6)], &[]), task(b, &[(b / 7 * 4, b)], &[])];
        let ScalingFactor::Between(point, None) = of(&set) else { unreachable!("{:?}", of(&set)) };
        let least = point.t as f64 / point.demand as f64;
        assert!((least * Utilisation::of(&set).value() - 0.999).abs() < 1e-6, "{least}");
    }

    #[test]
    fn more_work_than_numbers_can_tell_is_no_crash() {
        let set = [
            task(
                100,
                &[(4, 10), (12, 30), (1, 40), (5, 15)],
                &[(0, 1, 10), (0, 2, 10), (1, 3, 30), (2, 3, 40)],
            ),
            task(50, &[(20_000_000_000, 200)], &[]),
        ];
        let (ScalingFactor::Interval(_) | ScalingFactor::Utilisation | ScalingFactor::Between(..)) = of(&set)
        else {
            unreachable!("{:?}", of(&set))
        };
        let huge = 1_000_000_000_000;
        let set: Vec<Task> = (0..50).map(|_| task(1, &[(huge, huge)], &[])).collect();
        assert!(
            matches!(
                of(&set),
                ScalingFactor::Unknown | ScalingFactor::Utilisation | ScalingFactor::Between(..)
            ),
            "{:?}",
            of(&set)
        );
    }

    #[test]
    fn implicit_deadlines_are_limited_by_the_utilisation() {
        assert_eq!(of(&[task(10, &[(2, 10)], &[]), task(7, &[(1, 7)], &[])]), ScalingFactor::Utilisation);
        assert_eq!(of(&[task(10, &[(2, 5)], &[])]), ScalingFactor::Interval(Point { t: 5, demand: 2 }));
        assert_eq!(of(&[task(10, &[(0, 5)], &[])]), ScalingFactor::Nothing);
    }
}
