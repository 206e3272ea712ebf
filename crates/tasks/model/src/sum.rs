//! The demand of a set: the sum over its tasks, and its hyperperiod.

use super::Demand;
use super::demand::TOO_LARGE;

/// The demands of a set, added up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sum {
    /// The demand of each task.
    pub demands: Vec<Demand>,
}

/// An interval and what must be executed within it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Point {
    /// Its length.
    pub t: u64,
    /// Its demand.
    pub demand: u64,
}

impl Point {
    /// What is left of the interval; below zero where the demand exceeds it. The least number stands for all below it.
    pub fn margin(self) -> i64 {
        i64::try_from(i128::from(self.t) - i128::from(self.demand)).unwrap_or(i64::MIN)
    }

    /// Whether all its numbers are what they say, and stand for no larger ones.
    pub fn is_told(self) -> bool {
        self.demand < TOO_LARGE && self.margin() > i64::MIN
    }
}

impl Sum {
    /// The demand within an interval; [`TOO_LARGE`] where it fits no 64 bits.
    pub fn at(&self, t: u64) -> Point {
        Point { t, demand: self.demands.iter().fold(0, |sum, demand| sum.saturating_add(demand.at(t))) }
    }

    /// The shortest interval longer than `t` at which it grows.
    pub fn next(&self, t: u64) -> Option<u64> {
        self.demands.iter().filter_map(|demand| demand.next(t)).min()
    }

    /// The longest interval of `t` at most at which it grows.
    pub fn last(&self, t: u64) -> Option<u64> {
        self.demands.iter().filter_map(|demand| demand.last(t)).max()
    }

    /// Whether what it says of an interval is attained, and no mere bound.
    pub fn is_attained(&self, t: u64) -> bool {
        self.demands.iter().all(|demand| demand.exact.at(t))
    }

    /// From here on it repeats itself, and after how long: none where that is too long to say.
    pub fn hyperperiod(&self) -> Option<(u64, u64)> {
        let from = self.demands.iter().map(Demand::repeats_from).max()?;
        let round = self.demands.iter().map(Demand::period).try_fold(1u64, |round, period| {
            let (mut a, mut b) = (round, period);
            while b > 0 {
                (a, b) = (b, a % b);
            }
            (round / a).checked_mul(period)
        })?;
        Some((from, round))
    }
}
