//! Times of one run in one unit, so that they can be compared at a glance: no digit is lost.

use base::{Nanos, people};

/// The unit of a run's times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clock {
    unit: &'static str,
    /// The unit is 10^digits nanoseconds.
    digits: u32,
}

impl Clock {
    /// The unit that suits a run which ends then: that of its axis.
    pub fn of(end: Nanos) -> Self {
        let (unit, digits) = match end.0 {
            0..1_000 => ("ns", 0),
            1_000..1_000_000 => ("µs", 3),
            1_000_000..1_000_000_000 => ("ms", 6),
            _ => ("s", 9),
        };
        Self { unit, digits }
    }

    /// `0.400 s`.
    pub fn at(self, time: Nanos) -> String {
        format!("{} {}", self.number(time, self.decimals(time)), self.unit)
    }

    /// A time as a number in this unit, and the unit.
    pub fn measured(self, time: Nanos) -> (f64, &'static str) {
        (time.0 as f64 / 10u64.pow(self.digits) as f64, self.unit)
    }

    /// `0.400 to 0.900 s`.
    pub fn span(self, from: Nanos, to: Nanos) -> String {
        let decimals = self.decimals(from).max(self.decimals(to));
        format!("{} to {} {}", self.number(from, decimals), self.number(to, decimals), self.unit)
    }

    /// A stretch of time as fine as its length asks for: to a hundredth of that.
    pub fn near(self, from: Nanos, to: Nanos) -> String {
        let (mut grain, length) = (1u64, to.0.saturating_sub(from.0) / 100);
        while grain <= length / 10 {
            grain *= 10;
        }
        let rounded = |time: Nanos| Nanos((time.0.saturating_add(grain / 2) / grain).saturating_mul(grain));
        self.span(rounded(from), rounded(to))
    }

    /// How many decimals a time needs, in steps of three.
    fn decimals(self, time: Nanos) -> u32 {
        let is_enough = |decimals: &u32| time.0.is_multiple_of(10u64.pow(self.digits - decimals));
        (0..=self.digits).step_by(3).find(is_enough).unwrap_or(self.digits)
    }

    fn number(self, time: Nanos, decimals: u32) -> String {
        let one = 10u64.pow(self.digits);
        let whole = people::grouped((time.0 / one).into());
        if decimals == 0 {
            return whole;
        }
        let part = time.0 % one / 10u64.pow(self.digits - decimals);
        format!("{whole}.{part:0width$}", width = decimals as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_a_run_have_one_unit_and_all_their_digits() {
        let clock = Clock::of(Nanos(1_200_000_000));
        assert_eq!(clock.span(Nanos(400_000_000), Nanos(900_000_000)), "0.400 to 0.900 s");
        assert_eq!(clock.span(Nanos(0), Nanos(1_000_000_001)), "0.000000000 to 1.000000001 s");
        assert_eq!(clock.near(Nanos(0), Nanos(1_000_000_001)), "0 to 1 s");
        assert_eq!(clock.near(Nanos(123_456_789), Nanos(987_654_321)), "0.123 to 0.988 s");
        assert_eq!(clock.at(Nanos(3_000_000_000_000)), "3,000 s");
        assert_eq!(Clock::of(Nanos(12_000_000)).span(Nanos(4_000_000), Nanos(10_000_000)), "4 to 10 ms");
        assert_eq!(Clock::of(Nanos(0)).at(Nanos(0)), "0 ns");
        assert_eq!(Clock::of(Nanos(1_500)).at(Nanos(1_500)), "1.500 µs");
    }
}
