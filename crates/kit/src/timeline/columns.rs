//! Levels of detail: what a row shows where its bars are too close to be told apart, column of time by column of time.
//!
//! Columns of a level are 2^level units wide and begin at multiples of that, so that they stay what they are when the
//! window moves. What was found of them is kept: a picture that is panned works out the columns that come into sight,
//! and no others.

use std::ops::Range;

/// More columns of a row are not kept.
const KEPT: i64 = 16_384;

/// The level whose columns are at least so wide, and less than twice as wide.
pub fn level(least: f64) -> i32 {
    if least > 0.0 { (least.log2().ceil() as i32).clamp(-16, 62) } else { 0 }
}

/// How wide columns of a level are.
pub fn width(level: i32) -> f64 {
    f64::from(level).exp2()
}

/// The columns of a level that a stretch of time meets.
pub fn meeting(level: i32, from: f64, to: f64) -> Range<i64> {
    let wide = width(level);
    let first = (from / wide).floor() as i64;
    first..((to / wide).ceil() as i64).max(first)
}

/// Columns that are kept, row by row; `T` is what one shows.
#[derive(Debug)]
pub struct Columns<T> {
    rows: Vec<Kept<T>>,
}

impl<T> Default for Columns<T> {
    fn default() -> Self {
        Self { rows: Vec::new() }
    }
}

#[derive(Debug)]
struct Kept<T> {
    level: i32,
    first: i64,
    shown: Vec<T>,
}

impl<T> Kept<T> {
    fn end(&self) -> i64 {
        self.first + i64::try_from(self.shown.len()).unwrap_or(KEPT)
    }
}

impl<T> Columns<T> {
    /// What columns of a row show; `work` works out those that are not known, from left to right.
    pub fn of(
        &mut self,
        row: usize,
        level: i32,
        wanted: Range<i64>,
        mut work: impl FnMut(Range<i64>, &mut Vec<T>),
    ) -> &[T] {
        if self.rows.len() <= row {
            self.rows.resize_with(row + 1, || Kept { level: 0, first: 0, shown: Vec::new() });
        }
        let kept = &mut self.rows[row];
        let apart = wanted.start > kept.end() || wanted.end < kept.first;
        let together = wanted.end.max(kept.end()) - wanted.start.min(kept.first);
        if kept.level != level || kept.shown.is_empty() || apart || together > KEPT {
            *kept = Kept { level, first: wanted.start, shown: std::mem::take(&mut kept.shown) };
            kept.shown.clear();
        }
        if wanted.start < kept.first {
            let mut before = Vec::with_capacity((kept.first - wanted.start) as usize);
            work(wanted.start..kept.first, &mut before);
            kept.shown.splice(0..0, before);
            kept.first = wanted.start;
        }
        if wanted.end > kept.end() {
            let beyond = kept.end()..wanted.end;
            work(beyond, &mut kept.shown);
        }
        let from = (wanted.start - kept.first) as usize;
        &kept.shown[from..from + (wanted.end - wanted.start) as usize]
    }
}

/// How many of a sorted list come before something, looked for from a place on by ever longer steps.
pub fn gallop(all: &[f64], from: usize, before: impl Fn(f64) -> bool) -> usize {
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
    fn columns_are_at_least_as_wide_as_asked() {
        for least in [0.001, 0.5, 1.0, 1.1, 3.0, 1_000.0, 1e15] {
            let wide = width(level(least));
            assert!(wide >= least && wide < 2.0 * least, "{least}: {wide}");
        }
        assert_eq!(meeting(3, 8.0, 17.0), 1..3);
        assert_eq!(meeting(3, -1.0, 8.0), -1..1);
    }

    #[test]
    fn what_is_kept_is_what_is_worked_out() {
        let mut columns = Columns::default();
        let mut worked = 0;
        for (level, wanted) in [(1, 0..10), (1, 5..15), (1, -3..4), (1, 100..110), (2, 100..110), (1, 0..0)] {
            let found = columns.of(3, level, wanted.clone(), |which, put| {
                worked += which.clone().count();
                put.extend(which.map(|column| (level, column)));
            });
            assert_eq!(found, wanted.map(|column| (level, column)).collect::<Vec<_>>());
        }
        assert_eq!(worked, 10 + 5 + 3 + 10 + 10, "what is known is not worked out again");
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
