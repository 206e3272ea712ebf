//! EDF schedulability by the processor demand criterion, with quick processor-demand analysis (N, section II-A; Zhang
//! and Burns 2009).
//!
//! Demand only exceeds an interval where it has just grown, so only such intervals are looked at. The first ones are
//! walked through from the shortest on; the rest from t_max down, and what cannot matter is skipped: with demand h
//! within t, no interval between h and t can have more demand than time (the quick processor-demand analysis of Zhang
//! and Burns), for shorter intervals have no more demand; nor can one longer than h plus a margin have less than that
//! margin left.

use super::Utilisation;
use super::sum::{Point, Sum};
use super::utilisation::Load;

/// What was found out about a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    /// What is decided, and why.
    pub verdict: Verdict,
    /// The shortest interval with more demand than time; for [`Verdict::Overloaded`] and [`Verdict::Late`] some such
    /// interval, none for a set that is schedulable.
    pub violation: Option<Point>,
    /// The interval with the least room: of all for a set that is schedulable and loads the processor less than fully,
    /// else of those looked at.
    pub tightest: Option<Point>,
    /// Intervals looked at.
    pub checked: u64,
}

/// What is decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Every interval up to t_max has room, so all have.
    Schedulable,
    /// The utilisation is 1, and every interval has room until everything repeats itself.
    Repeats,
    /// The first interval without room is known.
    Violated,
    /// There is an interval without room, perhaps not the first.
    Late,
    /// The utilisation is above 1, and the interval is one by which that shows.
    Overloaded,
    /// Too many intervals would have to be looked at: the utilisation is 1 or hardly less.
    Undecided,
}

impl Verdict {
    /// Whether all deadlines are met, where that is decided.
    pub fn schedulable(self) -> Option<bool> {
        match self {
            Self::Schedulable | Self::Repeats => Some(true),
            Self::Violated | Self::Late | Self::Overloaded => Some(false),
            Self::Undecided => None,
        }
    }
}

/// So many intervals are walked through before any is skipped.
const WALKED: u64 = 10_000;
/// And so many values of demand are looked up at the most, to find the first one without room and to rule out others.
const FOLLOWED: u64 = 3_000_000;

/// Decides for a set with this demand.
pub fn decide(sum: &Sum, rate: &Utilisation) -> Decision {
    let most = FOLLOWED / sum.demands.len().max(1) as u64;
    let mut walk = Walk { sum, at: None, tightest: None, checked: 0, most: most.max(2 * WALKED) };
    let limit = rate.last_interval();
    let over = |walk: &Walk, verdict, violation| Decision {
        verdict,
        violation,
        tightest: walk.tightest,
        checked: walk.checked,
    };
    if let Some(first) = walk.forward(limit.unwrap_or(u64::MAX), WALKED) {
        walk.on(limit.unwrap_or(u64::MAX), WALKED);
        return over(&walk, Verdict::Violated, Some(first));
    }
    let (reached, far) = (walk.at.unwrap_or(0), super::utilisation::FARTHEST);
    match (rate.load(), limit) {
        (Load::Below, limit) => {
            let limit = limit.unwrap_or(far);
            match walk.backward(limit, reached) {
                None if limit >= far => over(&walk, Verdict::Undecided, None),
                None => {
                    walk.longer(rate, limit);
                    over(&walk, Verdict::Schedulable, None)
                }
                Some(_) if walk.is_over() => over(&walk, Verdict::Undecided, None),
                Some(some) => match walk.forward(some.t, most) {
                    Some(first) => over(&walk, Verdict::Violated, Some(first)),
                    None => over(&walk, Verdict::Late, Some(some)),
                },
            }
        }
        (Load::Full, _) => {
            let end = sum.hyperperiod().map(|(from, round)| from.saturating_add(round));
            match walk.forward(end.unwrap_or(far).min(far), most) {
                Some(first) => over(&walk, Verdict::Violated, Some(first)),
                None if end
                    .is_some_and(|end| walk.at.is_none_or(|at| sum.next(at).is_none_or(|t| t > end))) =>
                {
                    over(&walk, Verdict::Repeats, None)
                }
                None => over(&walk, Verdict::Undecided, None),
            }
        }
        (Load::Above, _) => match walk.forward(far, most) {
            Some(first) => over(&walk, Verdict::Violated, Some(first)),
            None => match overloaded(sum, rate) {
                Some(some) => over(&walk, Verdict::Overloaded, Some(some)),
                None => over(&walk, Verdict::Undecided, None),
            },
        },
    }
}

/// An interval without room, of a set with a utilisation above 1. Deadlines far beyond the period put it off, and where
/// rounds last longer than the period there may be none.
fn overloaded(sum: &Sum, rate: &Utilisation) -> Option<Point> {
    let doubled = |&t: &u64| t.checked_mul(2).filter(|&t| t <= super::utilisation::FARTHEST);
    std::iter::successors(rate.overloaded(), doubled).map(|t| sum.at(t)).find(|point| point.margin() < 0)
}

/// A walk over the intervals at which the demand grows.
struct Walk<'a> {
    sum: &'a Sum,
    /// The longest interval up to which all were looked at.
    at: Option<u64>,
    tightest: Option<Point>,
    checked: u64,
    /// So many are looked at the most, whichever way.
    most: u64,
}

impl Walk<'_> {
    fn look(&mut self, t: u64) -> Point {
        let point = self.sum.at(t);
        self.checked += 1;
        // Of two with the same room the shorter one; of those whose room can be told.
        let better = |best: Point| (point.margin(), t) < (best.margin(), best.t);
        if t > 0 && point.is_told() && self.tightest.is_none_or(better) {
            self.tightest = Some(point);
        }
        point
    }

    /// Whether no more are looked at.
    fn is_over(&self) -> bool {
        self.checked >= self.most
    }

    fn step(&self) -> Option<u64> {
        match self.at {
            Some(at) => self.sum.next(at),
            None => self.sum.last(0).or_else(|| self.sum.next(0)),
        }
    }

    /// Looks at the next intervals up to `limit`, so many at the most; the first one without room.
    fn forward(&mut self, limit: u64, most: u64) -> Option<Point> {
        for _ in 0..most {
            let t = self.step().filter(|&t| t <= limit && !self.is_over())?;
            self.at = Some(t);
            let point = self.look(t);
            if point.margin() < 0 {
                return Some(point);
            }
        }
        None
    }

    /// Looks at the next intervals for the one with the least room.
    fn on(&mut self, limit: u64, most: u64) {
        while let Some(t) = self.step().filter(|&t| t <= limit && self.checked < most) {
            self.at = Some(t);
            self.look(t);
        }
    }

    /// Looks for less room in intervals that are longer than needed for the verdict.
    fn longer(&mut self, rate: &Utilisation, limit: u64) {
        if self.tightest.is_none() {
            self.forward(u64::MAX, 1);
        }
        let Some(tightest) = self.tightest else { return };
        if let Some(last) = rate.last_interval_leaving(tightest.margin().unsigned_abs()) {
            self.backward(last, limit);
        }
    }

    /// Looks at intervals from `limit` down to `end`, skipping those that have room and more than the least; where that
    /// takes too long the one it got to is given back, which says nothing.
    fn backward(&mut self, limit: u64, end: u64) -> Option<Point> {
        let mut below = limit;
        while let Some(t) = self.sum.last(below).filter(|&t| t > end) {
            let point = self.look(t);
            if point.margin() < 0 || self.is_over() {
                return Some(point);
            }
            let least = self.tightest.map_or(0, |tightest| tightest.margin().unsigned_abs());
            below = point.demand.saturating_add(least).min(t - 1);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::small::{random, task};
    use crate::{Demand, Task};
    use base::Seeded;

    fn sum(set: &[Task], of: fn(&Task) -> Demand) -> Sum {
        Sum { demands: set.iter().map(of).collect() }
    }

    /// A set of random tasks whose periods are so long that the utilisation is near 1.
    fn set(seed: u64) -> Vec<Task> {
        let mut rng = Seeded::new(seed, 7);
        let count = 1 + u64::from(rng.below(3));
        let tasks = (0..count).map(|i| random(1_000 * i + seed));
        let tasks = tasks.map(|task| {
            let least = (task.demand() * count).max(1);
            let period = least + u64::from(rng.below(u32::try_from(least).unwrap_or(1)));
            let rebuilt = Task::new("t", period, task.vertices().to_vec(), task.edges().to_vec());
            rebuilt.unwrap_or(task)
        });
        tasks.collect()
    }

    #[test]
    fn verdicts_are_those_of_looking_at_every_interval() {
        let mut seen = [0; 3];
        for seed in 0..1_500 {
            let set = set(seed);
            let rate = Utilisation::of(&set);
            for of in [Demand::exact, Demand::by_equation] {
                let sum = sum(&set, of);
                let decision = decide(&sum, &rate);
                let end = rate.last_interval().unwrap_or(3_000).min(3_000);
                let first = (1..=end).find(|&t| sum.at(t).margin() < 0);
                match decision.verdict {
                    Verdict::Schedulable => assert!(rate.last_interval().is_some() && first.is_none()),
                    Verdict::Repeats => assert_eq!((rate.load(), first), (Load::Full, None)),
                    Verdict::Violated => assert_eq!(decision.violation.map(|point| point.t), first),
                    other => unreachable!("small sets are decided: {other:?}"),
                }
                if rate.last_interval().is_some_and(|last| last <= 3_000) && first.is_none() {
                    let least = (1..=2 * end + 200)
                        .map(|t| sum.at(t))
                        .filter(|point| sum.last(point.t) == Some(point.t));
                    let least = least.min_by_key(|point| (point.margin(), point.t));
                    assert_eq!(decision.tightest, least, "seed {seed}");
                }
                seen[match decision.verdict {
                    Verdict::Schedulable => 0,
                    Verdict::Violated => 1,
                    _ => 2,
                }] += 1;
            }
        }
        assert!(seen[0] > 200 && seen[1] > 300 && seen[2] > 5, "{seen:?}");
    }

    #[test]
    fn long_intervals_are_skipped() {
        // t_max is 1,798 million, and there is a step every ten.
        let set = [task(10, &[(1, 10)], &[]), task(1_000_000, &[(899_000, 1_000_000)], &[])];
        let rate = Utilisation::of(&set);
        assert_eq!(rate.last_interval(), Some(1_798_002_000));
        let decision = decide(&sum(&set, Demand::exact), &rate);
        assert_eq!(decision.verdict, Verdict::Schedulable);
        assert!(decision.checked < 200_000, "{}", decision.checked);
    }

    #[test]
    fn what_would_take_too_long_is_not_decided() {
        // The utilisation lacks a millionth of a millionth of 1.
        let most = 1_000_000_000_000;
        let set = [task(most, &[(most - 2, most)], &[]), task(most - 1, &[(1, most - 1)], &[])];
        let decision = decide(&sum(&set, Demand::exact), &Utilisation::of(&set));
        assert_eq!((decision.verdict, decision.violation), (Verdict::Undecided, None));
    }

    /// The first interval without room is the 20,000th of them; with a unit less to do it has just enough.
    #[test]
    fn an_interval_without_room_is_found_beyond_those_that_are_walked_through() {
        let of = |e| {
            let set = [task(10, &[(1, 10)], &[]), task(1_000_000, &[(e, 200_000)], &[])];
            decide(&sum(&set, Demand::exact), &Utilisation::of(&set))
        };
        let late = of(180_001);
        let violation = late.violation.map(|point| (point.t, point.demand));
        assert_eq!((late.verdict, violation), (Verdict::Violated, Some((200_000, 200_001))));
        let enough = of(180_000);
        assert_eq!((enough.verdict, enough.violation), (Verdict::Schedulable, None));
        assert_eq!(enough.tightest.map(|point| (point.t, point.margin())), Some((200_000, 0)));
        assert_eq!(enough.checked, WALKED + 8);
    }

    /// A verdict is no better than what was looked at: up to the farthest interval, or so many of them.
    #[test]
    fn nothing_is_decided_beyond_what_is_looked_at() {
        let decided = |set: &[Task]| {
            let decision = decide(&sum(set, Demand::exact), &Utilisation::of(set));
            (decision.verdict, decision.violation, decision.checked)
        };
        // All intervals up to the farthest, but t_max is a million times as far.
        let period = 1_000_000_000_000;
        let far = [task(period, &[(period - 1, period)], &[])];
        let all = super::super::utilisation::FARTHEST / period;
        assert_eq!(decided(&far), (Verdict::Undecided, None, all));
        // Five tasks that leave a 3,263,442nd part; t_max is 32 million, and nearly all of that would be looked at.
        let dense = [2, 3, 7, 43, 1_807].map(|period| task(period, &[(1, period)], &[]));
        assert_eq!(decided(&dense), (Verdict::Undecided, None, FOLLOWED / 5));
        // The utilisation is 1, and there are 3,000,001 intervals until everything repeats itself.
        let full = [task(2, &[(1, 2)], &[]), task(6_000_002, &[(3_000_001, 6_000_002)], &[])];
        assert_eq!(decided(&full), (Verdict::Undecided, None, FOLLOWED / 2));
    }

    #[test]
    fn more_work_than_time_is_found_however_late() {
        let set = [task(1_000_000_000, &[(1_000_000_001, 900_000_000_000)], &[])];
        let decision = decide(&sum(&set, Demand::by_equation), &Utilisation::of(&set));
        assert_eq!(decision.verdict.schedulable(), Some(false));
        assert!(decision.violation.is_some_and(|point| point.margin() < 0));
        // The first deadline comes 900 periods late; within 999,001 periods there is still room.
        let [late] = [task(1_000_000, &[(1_000_001, 900_000_000)], &[])];
        let set = [late.restarting(0)];
        let sum = sum(&set, Demand::exact);
        let decision = decide(&sum, &Utilisation::of(&set));
        assert_eq!(decision.verdict, Verdict::Overloaded);
        assert!(decision.violation.is_some_and(|point| point.margin() < 0 && sum.is_attained(point.t)));
    }

    /// Rounds that last 1.9 periods load the processor less than the utilisation says: 6 of 19 and 1 of 2, and that is all
    /// that can be demanded within any interval.
    #[test]
    fn rounds_longer_than_the_period_are_not_told_to_overload() {
        let unit = 100_000_000;
        let set = [task(10 * unit, &[(6 * unit, 19 * unit)], &[]), task(2, &[(1, 2)], &[])];
        let sum = sum(&set, Demand::exact);
        assert_ne!(decide(&sum, &Utilisation::of(&set)).verdict.schedulable(), Some(false));
        assert_eq!(decide(&sum, &Utilisation::at_pace(&set)).verdict, Verdict::Schedulable);
        // Of both tasks by hand, wherever the slow one's demand grows and beyond.
        assert!((1..=60).all(|round| 6 * unit * round + 19 * unit * round / 2 <= 19 * unit * round));
    }

    /// The same with two ways, of 18 and 19 in a period of 10: 6 within 16, again every 18, and 1 of 2 fit. Demand is only
    /// bounded after many rounds, and nothing that is attained says otherwise, however long the walk.
    #[test]
    fn a_bound_that_exceeds_time_is_told_from_what_is_attained() {
        let unit = 100_000_000;
        let ways = [(0, 1, 16 * unit), (0, 2, 16 * unit), (1, 3, 2 * unit), (2, 3, unit)];
        let slow = task(10 * unit, &[(6 * unit, 16 * unit), (0, unit), (0, unit), (0, unit)], &ways);
        let set = [slow, task(2, &[(1, 2)], &[])];
        let sum = sum(&set, Demand::exact);
        let decision = decide(&sum, &Utilisation::at_pace(&set));
        assert_eq!(decision.verdict.schedulable(), Some(false));
        let point = decision.violation.expect("of the bound");
        assert!(point.margin() < 0 && !sum.is_attained(point.t), "{point:?}");
        assert!((0..=60).all(|round| 6 * (round + 1) + (16 + 18 * round) / 2 <= 16 + 18 * round));
    }
}
