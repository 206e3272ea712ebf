//! Time as exact whole nanoseconds, and as people read it.

use std::fmt;
use std::ops::{Add, AddAssign, Sub};

/// A point in time or a length of time in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Nanos(pub u64);

impl Nanos {
    /// The beginning, or no time at all.
    pub const ZERO: Self = Self(0);
    /// Later than anything that happens.
    pub const NEVER: Self = Self(u64::MAX);

    /// Whole nanoseconds of a number of seconds; `None` for what is negative, no number, or over 200 years.
    pub fn from_seconds(seconds: f64) -> Option<Self> {
        let nanos = (seconds * 1e9).round();
        (0.0..6e18).contains(&nanos).then_some(Self(nanos as u64))
    }

    /// The time in seconds.
    pub fn seconds(self) -> f64 {
        self.0 as f64 / 1e9
    }

    /// How long after an earlier time; nothing where that one is later.
    pub fn since(self, earlier: Self) -> Self {
        Self(self.0.saturating_sub(earlier.0))
    }
}

impl Add for Nanos {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Nanos {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Nanos {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self.since(other)
    }
}

/// `1.5 ms`: the unit that leaves one to three digits before the point, and no digit is lost.
impl fmt::Display for Nanos {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (unit, digits) = match self.0 {
            0 => return write!(f, "0 s"),
            1..1_000 => ("ns", 0),
            1_000..1_000_000 => ("µs", 3),
            1_000_000..1_000_000_000 => ("ms", 6),
            _ => ("s", 9),
        };
        let one = 10_u64.pow(digits);
        write!(f, "{}", self.0 / one)?;
        let rest = self.0 % one;
        if rest > 0 {
            let text = format!("{rest:0width$}", width = digits as usize);
            write!(f, ".{}", text.trim_end_matches('0'))?;
        }
        write!(f, " {unit}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_read_the_unit_that_fits() {
        let shown = |nanos: u64| Nanos(nanos).to_string();
        assert_eq!(
            [0, 7, 1_500, 2_000_000, 12_000_000_001].map(shown),
            ["0 s", "7 ns", "1.5 µs", "2 ms", "12.000000001 s"]
        );
    }

    #[test]
    fn seconds_there_and_back() {
        assert_eq!(Nanos::from_seconds(0.1), Some(Nanos(100_000_000)));
        assert_eq!(Nanos::from_seconds(1e-9), Some(Nanos(1)));
        assert_eq!(Nanos::from_seconds(-1.0), None);
        assert_eq!(Nanos::from_seconds(f64::NAN), None);
        assert_eq!(Nanos::from_seconds(1e12), None);
        assert_eq!(Nanos(1_500_000_000).seconds(), 1.5);
    }
}
