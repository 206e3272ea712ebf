//! How much is in use over time: a step function, with the least and the most of any stretch at hand.

use super::piece::Piece;

/// Steps that are summed up in one of the level above.
const FAN: usize = 16;

/// A step function; 0 before its first step.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Steps {
    times: Vec<f64>,
    values: Vec<u64>,
    /// Least and most of `FAN` values each, then of `FAN` of those, and so on.
    levels: Vec<Vec<(u64, u64)>>,
}

impl Steps {
    /// The sum of the heights of all pieces.
    pub(super) fn sum<'a>(pieces: impl Iterator<Item = &'a Piece>) -> Self {
        let mut changes: Vec<(f64, i64)> = Vec::new();
        for piece in pieces.filter(|piece| piece.end > piece.start) {
            let height = i64::from(piece.high - piece.low);
            changes.extend([(piece.start, height), (piece.end, -height)]);
        }
        base::sort::sort_by(&mut changes, |a, b| a.0.total_cmp(&b.0));
        let mut steps = Self::default();
        let mut value = 0i64;
        for same in changes.chunk_by(|a, b| a.0 == b.0) {
            let before = value;
            value += same.iter().map(|&(_, change)| change).sum::<i64>();
            if value != before {
                steps.times.push(same[0].0);
                steps.values.push(value.unsigned_abs());
            }
        }
        steps.build();
        steps
    }

    fn build(&mut self) {
        let whole = |chunk: &[(u64, u64)]| chunk.iter().copied().reduce(join).unwrap_or_default();
        let mut level: Vec<(u64, u64)> = self
            .values
            .chunks(FAN)
            .map(|chunk| whole(&chunk.iter().map(|&value| (value, value)).collect::<Vec<_>>()))
            .collect();
        while level.len() > 1 {
            let next = level.chunks(FAN).map(whole).collect();
            self.levels.push(std::mem::replace(&mut level, next));
        }
        self.levels.push(level);
    }

    /// The value at a time.
    pub fn at(&self, t: f64) -> u64 {
        let after = self.times.partition_point(|&time| time <= t);
        after.checked_sub(1).and_then(|i| self.values.get(i)).copied().unwrap_or(0)
    }

    /// The steps after the start of a window and before its end: time and value from then on.
    pub fn within(&self, t0: f64, t1: f64) -> impl ExactSizeIterator<Item = (f64, u64)> {
        let range = self.range(t0, t1);
        self.times[range.clone()].iter().copied().zip(self.values[range].iter().copied())
    }

    /// The least and the most between two times.
    pub fn extremes(&self, t0: f64, t1: f64) -> (u64, u64) {
        let start = self.at(t0);
        let range = self.range(t0, t1);
        self.over(range.start, range.end).map_or((start, start), |found| join(found, (start, start)))
    }

    fn range(&self, t0: f64, t1: f64) -> std::ops::Range<usize> {
        let from = self.times.partition_point(|&time| time <= t0);
        from..self.times.partition_point(|&time| time < t1).max(from)
    }

    /// Least and most of the values from one place to before another: whole groups from the levels, the rest one
    /// by one.
    fn over(&self, mut from: usize, mut to: usize) -> Option<(u64, u64)> {
        let mut found: Option<(u64, u64)> = None;
        let mut add = |value: (u64, u64)| found = Some(found.map_or(value, |found| join(found, value)));
        let mut level = 0;
        while from < to {
            let value = |i: usize| match level {
                0 => self.values.get(i).map(|&value| (value, value)),
                _ => self.levels.get(level - 1).and_then(|values| values.get(i)).copied(),
            };
            while from < to && !from.is_multiple_of(FAN) {
                value(from).into_iter().for_each(&mut add);
                from += 1;
            }
            while from < to && !to.is_multiple_of(FAN) {
                to -= 1;
                value(to).into_iter().for_each(&mut add);
            }
            (from, to, level) = (from / FAN, to / FAN, level + 1);
        }
        found
    }
}

fn join(a: (u64, u64), b: (u64, u64)) -> (u64, u64) {
    (a.0.min(b.0), a.1.max(b.1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Seeded;

    fn pieces(count: u32) -> Vec<Piece> {
        let mut rng = Seeded::new(11, 0);
        let piece = |item| {
            let start = f64::from(rng.below(count * 2));
            let end = start + f64::from(rng.below(60));
            Piece { start, end, low: 0, high: 1 + rng.below(9), run: 0, item }
        };
        (0..count).map(piece).collect()
    }

    #[test]
    fn the_sum_is_that_of_what_runs() {
        let pieces = pieces(300);
        let steps = Steps::sum(pieces.iter());
        let naive = |t: f64| -> u64 {
            pieces.iter().filter(|p| p.start <= t && t < p.end).map(|p| u64::from(p.high - p.low)).sum()
        };
        for t in 0..700 {
            assert_eq!(steps.at(f64::from(t)), naive(f64::from(t)), "{t}");
        }
        assert_eq!(steps.at(-1.0), 0);
        for (t0, t1) in [(0.0, 700.0), (3.0, 4.0), (100.0, 351.0), (17.0, 18.5), (800.0, 900.0), (-9.0, -5.0)]
        {
            let all: Vec<u64> =
                (0..).map(|i| t0 + f64::from(i) / 2.0).take_while(|&t| t < t1).map(naive).collect();
            let expected = (all.iter().min().copied().unwrap_or(0), all.iter().max().copied().unwrap_or(0));
            assert_eq!(steps.extremes(t0, t1), expected, "{t0} to {t1}");
        }
    }

    #[test]
    fn nothing_is_in_use_where_nothing_runs() {
        let steps = Steps::sum([].iter());
        assert_eq!((steps.at(3.0), steps.extremes(0.0, 9.0), steps.within(0.0, 9.0).len()), (0, (0, 0), 0));
    }
}
