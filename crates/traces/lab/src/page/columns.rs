//! Levels of detail: what a row shows where its bars are too close to be told apart, column of time by column of time.
//!
//! Columns of a level are 2^level nanoseconds wide and begin at multiples of that, so that they stay what they are when
//! the window moves. What was found of them is kept: a picture that is panned works out the columns that come into
//! sight, and no others.

use std::ops::Range;

use super::run::{Run, range};

/// More columns of a row are not kept.
const KEPT: i64 = 16_384;

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

/// The level whose columns are at least so wide, and less than twice as wide.
pub fn level(least: f64) -> i32 {
    if least > 0.0 { (least.log2().ceil() as i32).clamp(-16, 62) } else { 0 }
}

/// How wide columns of a level are, in nanoseconds.
pub fn width(level: i32) -> f64 {
    f64::from(level).exp2()
}

/// The columns of a level that a stretch of time meets.
pub fn meeting(level: i32, from: f64, to: f64) -> Range<i64> {
    let wide = width(level);
    let first = (from / wide).floor() as i64;
    first..((to / wide).ceil() as i64).max(first)
}

/// Columns that are kept, row by row.
#[derive(Debug, Default)]
pub struct Columns {
    rows: Vec<Kept>,
}

#[derive(Debug, Clone, Default)]
struct Kept {
    level: i32,
    first: i64,
    shown: Vec<Shown>,
}

impl Kept {
    fn end(&self) -> i64 {
        self.first + i64::try_from(self.shown.len()).unwrap_or(KEPT)
    }
}

impl Columns {
    /// What columns of a row show.
    pub fn of(&mut self, run: &Run, row: usize, level: i32, wanted: Range<i64>) -> &[Shown] {
        if self.rows.len() <= row {
            self.rows.resize_with(row + 1, Kept::default);
        }
        let kept = &mut self.rows[row];
        let wide = width(level);
        let apart = wanted.start > kept.end() || wanted.end < kept.first;
        let together = wanted.end.max(kept.end()) - wanted.start.min(kept.first);
        if kept.level != level || kept.shown.is_empty() || apart || together > KEPT {
            *kept = Kept { level, first: wanted.start, shown: std::mem::take(&mut kept.shown) };
            kept.shown.clear();
        }
        if wanted.start < kept.first {
            let mut before = Vec::with_capacity((kept.first - wanted.start) as usize);
            run.columns(row, wide, wanted.start..kept.first, |shown| before.push(shown));
            kept.shown.splice(0..0, before);
            kept.first = wanted.start;
        }
        if wanted.end > kept.end() {
            let beyond = kept.end()..wanted.end;
            run.columns(row, wide, beyond, |shown| kept.shown.push(shown));
        }
        let from = (wanted.start - kept.first) as usize;
        &kept.shown[from..from + (wanted.end - wanted.start) as usize]
    }
}

impl Run {
    /// Works out what columns of a row show that are so wide, from left to right.
    pub(super) fn columns(&self, row: usize, wide: f64, which: Range<i64>, mut put: impl FnMut(Shown)) {
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

/// How many of a sorted list come before something, looked for from a place on by ever longer steps.
fn gallop(all: &[f64], from: usize, before: impl Fn(f64) -> bool) -> usize {
    let (mut low, mut step) = (from, 1);
    while all.get(low + step - 1).is_some_and(|&one| before(one)) {
        low += step;
        step *= 2;
    }
    let high = (low + step).min(all.len());
    low + all[low..high].partition_point(|&one| before(one))
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

    #[test]
    fn columns_are_at_least_as_wide_as_asked() {
        for least in [0.001, 0.5, 1.0, 1.1, 3.0, 1_000.0, 1e15] {
            let wide = width(level(least));
            assert!(wide >= least && wide < 2.0 * least, "{least}: {wide}");
        }
        assert_eq!(meeting(3, 8.0, 17.0), 1..3);
        assert_eq!(meeting(3, -1.0, 8.0), -1..1);
    }

    #[test]
    fn steps_find_what_a_search_finds() {
        let all: Vec<f64> = (0..100).map(|one| f64::from(one / 3)).collect();
        for time in 0..40 {
            let before = |one: f64| one < f64::from(time);
            let whole = all.partition_point(|&one| before(one));
            for from in 0..=whole {
                assert_eq!(gallop(&all, from, before), whole);
            }
        }
    }
}
