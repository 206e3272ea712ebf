//! How long work is told to go on, to pause and to stop.
//!
//! A job does as much as its fuel allows and returns; whoever drives it owns the clock, hears
//! of progress between slices, and decides whether there is another slice.

use serde::{Deserialize, Serialize};

/// Why a job gave its result when it did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StopReason {
    /// All the work was done.
    Done,
    /// Someone asked it to stop.
    Cancelled,
    /// The time allowed was used up.
    TimeLimit,
    /// The memory allowed was used up.
    MemoryLimit,
}

/// The budget of one slice of work.
#[derive(Debug)]
pub struct Control {
    fuel: u64,
    spent: u64,
}

impl Control {
    /// A slice of `fuel` units, where a unit is some tens of nanoseconds of work.
    pub fn slice(fuel: u64) -> Self {
        Self { fuel, spent: 0 }
    }

    /// A slice that never ends before the work does.
    pub fn unlimited() -> Self {
        Self::slice(u64::MAX)
    }

    /// Takes `units` off the budget; `false` once the slice is over.
    pub fn spend(&mut self, units: u64) -> bool {
        self.fuel = self.fuel.saturating_sub(units);
        self.spent = self.spent.saturating_add(units);
        self.fuel > 0
    }

    /// The units taken so far: how much work it was, on whatever machine.
    pub fn spent(&self) -> u64 {
        self.spent
    }
}

/// Chooses the fuel of the next slice so that slices take about as long as wanted.
#[derive(Debug)]
pub struct Pacer {
    fuel: u64,
    wanted_ms: f64,
}

impl Pacer {
    /// Aims at slices of `wanted_ms` milliseconds.
    pub fn new(wanted_ms: f64) -> Self {
        Self { fuel: 10_000, wanted_ms }
    }

    /// The control for the next slice.
    pub fn next(&self) -> Control {
        Control::slice(self.fuel)
    }

    /// Learns from how long the last slice took; at most doubles or halves.
    pub fn took(&mut self, ms: f64) {
        if ms < self.wanted_ms / 2.0 {
            self.fuel = self.fuel.saturating_mul(2).min(1 << 40);
        } else if ms > self.wanted_ms * 2.0 {
            self.fuel = (self.fuel / 2).max(100);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slice_ends_when_its_fuel_is_spent() {
        let mut control = Control::slice(3);
        assert!(control.spend(2));
        assert!(!control.spend(2));
        assert_eq!(control.spent(), 4, "work is counted past the end of the slice");
    }

    #[test]
    fn the_pacer_settles_at_the_wanted_length() {
        let mut pacer = Pacer::new(20.0);
        for _ in 0..40 {
            let ms = pacer.next().fuel as f64 / 1_000_000.0; // a machine doing 1e9 units a second
            pacer.took(ms);
        }
        let ms = pacer.next().fuel as f64 / 1_000_000.0;
        assert!((10.0..=40.0).contains(&ms), "{ms}");
    }
}
