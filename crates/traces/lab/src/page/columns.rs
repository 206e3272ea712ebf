//! Columns of a run: what a row shows where its bars are too close to be told apart.

use std::ops::Range;

use super::run::{Run, range};
use kit::timeline::columns::gallop;

/// What a column shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Shown(u8);

impl Shown {
    /// Nothing.
    pub const NONE: Self = Self(0);

    /// Of which kind the longest bar in it is, and how many quarters of it are covered: 1 to 4.
    pub fn of(kind: u8, quarters: u8) -> Self {
        Self(1 + kind.min(62) * 4 + quarters.clamp(1, 4) - 1)
    }

    /// The same; nothing of nothing.
    pub fn parts(self) -> Option<(u8, u8)> {
        let code = self.0.checked_sub(1)?;
        Some((code / 4, code % 4 + 1))
    }
}

impl Run {
    /// Works out what columns of a row show that are so wide, from left to right.
    pub(crate) fn columns(&self, row: usize, wide: f64, which: Range<i64>, mut put: impl FnMut(Shown)) {
        let own = range(&self.rows[row]);
        let mut left = self.edge(&own, None, which.start as f64 * wide);
        for column in which {
            let right = self.edge(&own, Some(&left), (column + 1) as f64 * wide);
            let bars = left.over.min(left.begun)..right.begun;
            let share = (right.covered - left.covered) / wide;
            put(match self.longest_of(bars) {
                Some(bar) => Shown::of(self.kind(bar), (share * 4.0 - 1e-9).ceil().clamp(1.0, 4.0) as u8),
                None => Shown::NONE,
            });
            left = right;
        }
    }

    /// Where a row's bars stand at a time, looked for from where they stood at an earlier one.
    fn edge(&self, own: &Range<usize>, before: Option<&Edge>, time: f64) -> Edge {
        let (starts, until) = self.edges(own);
        let since = |place: fn(&Edge) -> usize| before.map_or(0, |before| place(before) - own.start);
        let begun = own.start + gallop(starts, since(|edge| edge.begun), |start| start < time);
        let over = own.start + gallop(until, since(|edge| edge.over), |until| until <= time);
        Edge { begun, over, covered: self.covered_by(own, begun, time) }
    }
}

/// The edge of a column.
struct Edge {
    /// The first bar that begins there or later.
    begun: usize,
    /// The first up to which any ends later.
    over: usize,
    /// How much of the time before it is covered.
    covered: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_unpacked() {
        assert_eq!(Shown::NONE.parts(), None);
        for (kind, quarters) in [(0, 1), (0, 4), (9, 3), (62, 4)] {
            assert_eq!(Shown::of(kind, quarters).parts(), Some((kind, quarters)));
        }
    }
}
