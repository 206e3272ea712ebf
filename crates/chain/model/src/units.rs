//! Cycles of the GPU, ticks of a core: numbers that are never mixed with each other or with nanoseconds.
//!
//! Invariant: only a clock makes nanoseconds of them, in whole numbers of 128 bits. What is to bound something from
//! above is rounded up, from below down; what fits no 64 bits is nothing that is known.

use std::fmt;

use base::Nanos;

/// Cycles of the GPU's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Cycles(pub u64);

/// Cycles of a core's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Ticks(pub u64);

/// How many cycles of the GPU a second has; never 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GpuClock(u64);

/// How many ticks of a core a second has; never 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CoreClock(u64);

const NANOS: u128 = 1_000_000_000;

/// Time that so many counts take, rounded up.
fn up(count: u64, hertz: u64) -> Option<Nanos> {
    u64::try_from((u128::from(count) * NANOS).div_ceil(u128::from(hertz))).ok().map(Nanos)
}

/// The same rounded down.
fn down(count: u64, hertz: u64) -> Option<Nanos> {
    u64::try_from(u128::from(count) * NANOS / u128::from(hertz)).ok().map(Nanos)
}

impl GpuClock {
    /// A clock of so many cycles a second; 1 at the least.
    pub fn new(hertz: u64) -> Self {
        Self(hertz.max(1))
    }

    /// Cycles a second.
    pub fn hertz(self) -> u64 {
        self.0
    }

    /// No less than the time of so many cycles.
    pub fn up(self, cycles: Cycles) -> Option<Nanos> {
        up(cycles.0, self.0)
    }

    /// No more than the time of so many cycles.
    pub fn down(self, cycles: Cycles) -> Option<Nanos> {
        down(cycles.0, self.0)
    }
}

impl CoreClock {
    /// A clock of so many ticks a second; 1 at the least.
    pub fn new(hertz: u64) -> Self {
        Self(hertz.max(1))
    }

    /// Ticks a second.
    pub fn hertz(self) -> u64 {
        self.0
    }

    /// No less than the time of so many ticks.
    pub fn up(self, ticks: Ticks) -> Option<Nanos> {
        up(ticks.0, self.0)
    }

    /// No more than the time of so many ticks.
    pub fn down(self, ticks: Ticks) -> Option<Nanos> {
        down(ticks.0, self.0)
    }
}

/// A frequency as people write it: `1.3 GHz`, `800 MHz`, every digit of it.
fn frequency(f: &mut fmt::Formatter<'_>, hertz: u64) -> fmt::Result {
    let (unit, name, digits) = match hertz {
        1_000_000_000.. => (1_000_000_000, "GHz", 9),
        1_000_000.. => (1_000_000, "MHz", 6),
        _ => return write!(f, "{hertz} Hz"),
    };
    let rest = format!("{:0digits$}", hertz % unit);
    let rest = rest.trim_end_matches('0');
    let point = if rest.is_empty() { "" } else { "." };
    write!(f, "{}{point}{rest} {name}", hertz / unit)
}

impl fmt::Display for GpuClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        frequency(f, self.0)
    }
}

impl fmt::Display for CoreClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        frequency(f, self.0)
    }
}

impl Cycles {
    /// Both together; nothing that fits no 64 bits.
    pub fn plus(self, other: Self) -> Option<Self> {
        self.0.checked_add(other.0).map(Self)
    }

    /// So many times; nothing that fits no 64 bits.
    pub fn times(self, count: u64) -> Option<Self> {
        self.0.checked_mul(count).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_rounds_to_the_safe_side() {
        // 10 cycles at 3 GHz take 3 and a third nanoseconds.
        let clock = GpuClock::new(3_000_000_000);
        assert_eq!((clock.down(Cycles(10)), clock.up(Cycles(10))), (Some(Nanos(3)), Some(Nanos(4))));
        assert_eq!((clock.down(Cycles(9)), clock.up(Cycles(9))), (Some(Nanos(3)), Some(Nanos(3))));
        let core = CoreClock::new(2_000_000_000);
        assert_eq!((core.down(Ticks(3)), core.up(Ticks(3))), (Some(Nanos(1)), Some(Nanos(2))));
    }

    #[test]
    fn clocks_are_written_with_every_digit() {
        let written = |hertz| GpuClock::new(hertz).to_string();
        assert_eq!(
            [1_300_000_000, 2_000_000_000, 800_000_000, 1_000_000_001, 999].map(written),
            ["1.3 GHz", "2 GHz", "800 MHz", "1.000000001 GHz", "999 Hz"]
        );
        assert_eq!(CoreClock::new(1_500_000).to_string(), "1.5 MHz");
    }

    #[test]
    fn what_is_too_large_is_not_known() {
        let slow = GpuClock::new(0);
        assert_eq!(slow.hertz(), 1);
        assert_eq!((slow.up(Cycles(u64::MAX)), slow.down(Cycles(u64::MAX))), (None, None));
        assert_eq!(GpuClock::new(1_000_000_000).up(Cycles(u64::MAX)), Some(Nanos(u64::MAX)));
        assert_eq!((Cycles(u64::MAX).plus(Cycles(1)), Cycles(u64::MAX).times(2)), (None, None));
        assert_eq!((Cycles(2).plus(Cycles(1)), Cycles(3).times(2)), (Some(Cycles(3)), Some(Cycles(6))));
    }
}
