//! What is true of a set of tasks, by looking at every interval up to one beyond which nothing can go wrong.

use std::cmp::Ordering;

use crate::brute;
use crate::small::Small;

/// What is known about a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Truth {
    /// No interval has more demand than time.
    Meets,
    /// The shortest that has.
    Misses { t: u64, demand: u64 },
    /// None up to this one has, and the looking ended there.
    NotUpTo(u64),
}

/// Which demand is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Demand {
    Exact,
    Equation,
}

impl Demand {
    /// The demand of a task in every interval from 0 to `horizon`.
    pub fn of(self, task: &Small, horizon: u64) -> Vec<u64> {
        match self {
            Self::Exact => brute::exact(task, horizon),
            Self::Equation => brute::equation(task, horizon),
        }
    }

    /// What a task can need in the long run: the equation takes every loop for a period.
    pub fn rate(self, task: &Small) -> (u64, u64) {
        match self {
            Self::Exact => task.rate(),
            Self::Equation => (task.demand(), task.period),
        }
    }
}

/// A fraction as it comes from adding fractions, with the sign of what it lacks to one.
#[derive(Debug, Clone, Copy)]
pub struct Rate {
    pub top: u128,
    pub bottom: u128,
}

impl Rate {
    /// The rate of a set.
    pub fn of(set: &[Small], which: Demand) -> Self {
        set.iter().map(|task| which.rate(task)).fold(Self { top: 0, bottom: 1 }, |sum, (demand, time)| Self {
            top: sum.top * u128::from(time) + u128::from(demand) * sum.bottom,
            bottom: sum.bottom * u128::from(time),
        })
    }

    /// Less than one, one, or more.
    pub fn to_one(self) -> Ordering {
        self.top.cmp(&self.bottom)
    }
}

/// The sum of E over a set.
pub fn demands(set: &[Small]) -> u64 {
    set.iter().map(Small::demand).sum()
}

/// The interval beyond which a set whose requirements are all `top`/`bottom` of what they are cannot miss.
///
/// A sequence is whole loops, each no faster than the rate of its task, between less than one and less than one:
/// its demand in t is at most rate·t + 2E. For the equation that is read off its two terms.
pub fn bound_scaled(set: &[Small], which: Demand, (top, bottom): (u64, u64)) -> Option<u64> {
    let rate = Rate::of(set, which);
    let (top, bottom) = (u128::from(top), u128::from(bottom));
    let left = (rate.bottom * bottom).checked_sub(rate.top * top).filter(|&left| left > 0)?;
    u64::try_from(2 * u128::from(demands(set)) * top * rate.bottom / left).ok()
}

/// The interval beyond which a set cannot miss: t_max with the rates of its tasks; none at a rate of one or more.
pub fn bound(set: &[Small], which: Demand) -> Option<u64> {
    bound_scaled(set, which, (1, 1))
}

/// The summed demand of a set in every interval from 0 to `horizon`.
pub fn total(set: &[Small], which: Demand, horizon: u64) -> Vec<u64> {
    let mut sums = vec![0; horizon as usize + 1];
    for task in set {
        for (sum, demand) in sums.iter_mut().zip(which.of(task, horizon)) {
            *sum += demand;
        }
    }
    sums
}

/// The shortest interval up to `limit` with more demand than time.
pub fn first_violation(set: &[Small], which: Demand, limit: u64) -> Option<(u64, u64)> {
    (0..).zip(total(set, which, limit)).find(|&(t, demand)| demand > t)
}

/// What is true of a set, looking no further than `limit`.
pub fn truth(set: &[Small], which: Demand, limit: u64) -> Truth {
    let bound = bound(set, which);
    let until = bound.map_or(limit, |bound| bound.min(limit));
    match first_violation(set, which, until) {
        Some((t, demand)) => Truth::Misses { t, demand },
        None if bound.is_some_and(|bound| bound <= limit) => Truth::Meets,
        None => Truth::NotUpTo(until),
    }
}
