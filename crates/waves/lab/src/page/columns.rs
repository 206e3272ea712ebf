//! Columns of a capture: what a row shows where its bars are too close to be told apart.

use std::ops::Range;

use super::packed::{KINDS, Kind, UnitKind};
use super::run::{Run, range};
use kit::timeline::columns::gallop;
use waves::Cause;

/// Steps in which shares are told.
pub const STEPS: u8 = 8;

/// What a column shows: how much of it issues, on which unit most, and to what most of the rest goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Shown {
    /// How much of it waves live: 0 to [`STEPS`].
    pub lives: u8,
    /// How much of it issues: 0 to [`STEPS`].
    pub issues: u8,
    /// The unit on which most does, as [`Kind::number`] says.
    pub unit: u8,
    /// To what most of the rest goes, likewise.
    pub wait: u8,
}

/// How many kinds issue.
const UNITS: usize = UnitKind::ALL.len();

impl Shown {
    /// Of cycles by kind, within so many.
    pub fn of(cycles: &[f64; KINDS], wide: f64) -> Self {
        let (units, waits) = cycles.split_at(UNITS);
        let (issues, waited): (f64, f64) = (units.iter().sum(), waits.iter().sum());
        let most = |of: &[f64]| {
            let best = (0_u8..).zip(of).reduce(|best, one| if one.1 > best.1 { one } else { best });
            best.map_or(0, |(place, _)| place)
        };
        let steps = |part: f64| {
            // What is there at all is seen.
            let least = u8::from(part > 0.0);
            ((part / wide * f64::from(STEPS)).round() as u8).clamp(least, STEPS)
        };
        let lives = steps(issues + waited);
        let issues = if waited > 0.0 { steps(issues).min(lives.saturating_sub(1)) } else { lives };
        Self {
            lives,
            issues,
            unit: if issues > 0 { most(units) } else { 0 },
            wait: if waited > 0.0 { UNITS as u8 + most(waits) } else { 0 },
        }
    }

    /// The unit, where anything issues.
    pub fn unit(self) -> Option<UnitKind> {
        match Kind::numbered(self.unit) {
            Kind::Issue(unit) if self.issues > 0 => Some(unit),
            _ => None,
        }
    }

    /// The cause, where anything waits.
    pub fn wait(self) -> Option<Cause> {
        match Kind::numbered(self.wait) {
            Kind::Wait(cause) if self.issues < self.lives => Some(cause),
            _ => None,
        }
    }
}

impl Run {
    /// Works out what columns of a row show that are so wide, from left to right.
    pub fn columns(&self, row: usize, wide: f64, which: Range<i64>, put: &mut Vec<Shown>) {
        let own = range(&self.rows[row]);
        let (starts, ends) = self.edges(&own);
        let (mut first, mut last) = (0, 0);
        for column in which {
            let (from, to) = (column as f64 * wide, (column + 1) as f64 * wide);
            first = gallop(ends, first, |end| end <= from);
            last = gallop(starts, last, |start| start < to);
            let mut cycles = [0.0; KINDS];
            self.add(own.start + first..own.start + last.max(first), from, to, &mut cycles);
            put.push(Shown::of(&cycles, wide));
        }
    }
}
