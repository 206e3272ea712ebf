//! The utilisation of a set and what follows from it, in exact fractions (N, section II-A).

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::{LongRun, Task};

/// The sum of E(T)/P(T), or of other shares of the time, and that of E(T).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Utilisation {
    utilisation: BigRational,
    demand: BigInt,
}

/// A utilisation beside the speed of the processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Load {
    /// Below 1.
    Below,
    /// Exactly 1.
    Full,
    /// Above 1.
    Above,
}

/// Intervals are followed no further than this.
pub const FARTHEST: u64 = 1 << 60;

impl Utilisation {
    /// The rate of a set.
    pub fn of<'a>(set: impl IntoIterator<Item = &'a Task>) -> Self {
        Self::sum(set.into_iter().map(|task| (task.demand(), task.period(), task.demand())))
    }

    /// The rate of a set whose rounds follow each other at their [`Task::pace`]: as its exact demand, or the bound on
    /// it, goes on.
    pub fn at_pace<'a>(set: impl IntoIterator<Item = &'a Task>) -> Self {
        Self::sum(set.into_iter().map(|task| (task.demand(), task.pace(), task.demand())))
    }

    /// The same with another demand of one of its tasks.
    pub fn with(&self, task: &Task, demand: u64) -> Self {
        Self {
            utilisation: &self.utilisation - share(task.demand(), task.pace()) + share(demand, task.pace()),
            demand: &self.demand - BigInt::from(task.demand()) + BigInt::from(demand),
        }
    }

    /// What a set needs in the long run; where that is not known of a task, no more than it needs.
    pub fn in_the_long_run(set: &[Task], long: &[LongRun]) -> Self {
        Self::sum(set.iter().zip(long).map(|(task, long)| (long.demand, long.time, task.demand())))
    }

    /// The sum of shares, each demand by time, and of the E of their tasks.
    fn sum(shares: impl Iterator<Item = (u64, u64, u64)>) -> Self {
        shares.fold(
            Self { utilisation: BigRational::zero(), demand: BigInt::zero() },
            |sum, (demand, time, e)| Self {
                utilisation: sum.utilisation + share(demand, time),
                demand: sum.demand + BigInt::from(e),
            },
        )
    }

    /// The largest demand in so much time that leaves a rate of 1 at the most beside this one; none where nothing does.
    pub fn most_beside(&self, time: u64) -> Option<u64> {
        let left = BigRational::one() - &self.utilisation;
        let most = (left * BigRational::from(BigInt::from(time))).floor().to_integer();
        if most.is_negative() { None } else { Some(most.to_u64().unwrap_or(FARTHEST)) }
    }

    /// Utilisation beside 1.
    pub fn load(&self) -> Load {
        match self.utilisation.cmp(&BigRational::one()) {
            std::cmp::Ordering::Less => Load::Below,
            std::cmp::Ordering::Equal => Load::Full,
            std::cmp::Ordering::Greater => Load::Above,
        }
    }

    /// The utilisation as a number.
    pub fn value(&self) -> f64 {
        self.utilisation.to_f64().unwrap_or(f64::INFINITY)
    }

    /// The utilisation as a fraction.
    pub fn fraction(&self) -> String {
        self.utilisation.to_string()
    }

    /// t_max as a number; none for a utilisation of 1 or more.
    pub fn t_max(&self) -> Option<f64> {
        self.settled(1, 1)?.to_f64()
    }

    /// No interval longer than this can have more demand than time; none for a utilisation of 1 or more. Where it is
    /// [`FARTHEST`], there may be longer ones.
    pub fn last_interval(&self) -> Option<u64> {
        self.last_interval_at(1, 1)
    }

    /// No interval longer than this can have less room than `margin`; none for a utilisation of 1 or more.
    pub fn last_interval_leaving(&self, margin: u64) -> Option<u64> {
        let left = BigRational::one() - &self.utilisation;
        let needed = BigRational::from(&self.demand * 2 + BigInt::from(margin));
        let last = left.is_positive().then(|| (needed / left).to_integer())?;
        Some(last.to_u64().unwrap_or(FARTHEST).min(FARTHEST))
    }

    /// The last interval that can have too much where every requirement is `t / demand` of what it is.
    pub fn last_interval_at(&self, t: u64, demand: u64) -> Option<u64> {
        let last = self.settled(t, demand)?.to_integer();
        Some(last.to_u64().unwrap_or(FARTHEST).min(FARTHEST))
    }

    /// `2·sum of E / (1 - utilisation)` for requirements scaled by `t / demand`.
    fn settled(&self, t: u64, demand: u64) -> Option<BigRational> {
        let scale = share(t, demand);
        let left = BigRational::one() - &scale * &self.utilisation;
        left.is_positive().then(|| scale * BigRational::from(&self.demand * 2) / left)
    }

    /// Whether a ratio of interval and demand lets requirements grow less than the utilisation does.
    pub fn exceeds(&self, t: u64, demand: u64) -> bool {
        share(t, demand) * &self.utilisation < BigRational::one()
    }

    /// How far requirements can grow before the utilisation is 1, less a thousandth: as interval and demand. Where that
    /// is no fraction of small numbers, a little less. None where there is no utilisation.
    pub fn nearly_full(&self) -> Option<(u64, u64)> {
        if self.utilisation.is_zero() {
            return None;
        }
        let growth = self.utilisation.recip() * share(999, 1_000);
        let (mut top, mut bottom) = (growth.numer().clone(), growth.denom().clone());
        let most = BigInt::from(1u64 << 40);
        while top > most || bottom > most {
            (top, bottom) = (top >> 1, (bottom >> 1) + BigInt::one());
        }
        Some((top.to_u64()?, bottom.to_u64()?))
    }

    /// The utilisation as a fraction of two numbers; none where they are large.
    pub fn parts(&self) -> Option<(u64, u64)> {
        Some((self.utilisation.numer().to_u64()?, self.utilisation.denom().to_u64()?))
    }

    /// An interval by which a set with a utilisation above 1 has more demand than time.
    pub fn overloaded(&self) -> Option<u64> {
        let over = &self.utilisation - BigRational::one();
        over.is_positive().then(|| {
            let interval =
                (BigRational::from(self.demand.clone()) / over).ceil().to_integer() + BigInt::one();
            interval.to_u64().unwrap_or(FARTHEST)
        })
    }

    /// 1 / utilisation as a number and as a fraction.
    pub fn room(&self) -> Option<(f64, String)> {
        (!self.utilisation.is_zero()).then(|| {
            let room = self.utilisation.recip();
            (room.to_f64().unwrap_or(f64::INFINITY), room.to_string())
        })
    }
}

fn share(part: u64, of: u64) -> BigRational {
    BigRational::new(BigInt::from(part), BigInt::from(of))
}

/// A fraction in lowest terms, `21/20`.
pub fn fraction(part: u64, of: u64) -> String {
    share(part, of).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::small::{splice, task};

    #[test]
    fn utilisation_and_t_max_are_exact() {
        let rate = Utilisation::of([&splice()]);
        assert_eq!(
            (rate.fraction(), rate.load(), rate.last_interval()),
            ("19/20".into(), Load::Below, Some(760))
        );
        let thirds = [task(3, &[(1, 3)], &[]), task(3, &[(1, 3)], &[]), task(3, &[(1, 3)], &[])];
        let full = Utilisation::of(&thirds);
        assert_eq!((full.load(), full.t_max(), full.overloaded()), (Load::Full, None, None));
        let with = |e| full.with(&thirds[0], e);
        assert_eq!((with(2).load(), with(2).overloaded()), (Load::Above, Some(13)));
        assert_eq!((Utilisation::of(&thirds[1..]).most_beside(3), full.most_beside(3)), (Some(1), Some(0)));
        assert_eq!((Utilisation::of([]).most_beside(20), with(2).most_beside(3)), (Some(20), None));
        assert_eq!(with(0).last_interval(), Some(12));
    }

    #[test]
    fn requirements_grow_until_the_utilisation_is_one() {
        let rate = Utilisation::of([&task(10, &[(2, 5)], &[])]);
        assert!(rate.exceeds(9, 2) && !rate.exceeds(10, 2));
        assert_eq!((rate.room(), rate.nearly_full()), (Some((5.0, "5".into())), Some((999, 200))));
        assert_eq!(rate.last_interval_at(9, 2), Some(180));
    }
}
