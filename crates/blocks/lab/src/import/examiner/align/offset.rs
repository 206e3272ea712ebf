//! How far the clocks of CPU and GPU are apart, estimated from what both say of the same launches.
//!
//! No kernel starts before its call, and none ends after its program had waited for it. So each launch bounds the
//! difference from below (call minus start) and, where somebody waited, from above (wait minus end). The estimate is the
//! difference that the fewest launches contradict; of several the one nearest to none. It is believed only where it
//! explains two launches more than equal clocks and jitter do: one early start is no pattern but something for the check
//! to find.
//!
//! Clocks drift, so a bound counts as contradicted only where it is by more than the drift over the run.

use crate::import::examiner::notes::Notes;
use base::Nanos;
use base::people::counted;
use blocks::check::CheckConfig;

/// The largest difference of clocks that is believed.
const LARGEST: i64 = 10_000_000;

/// Equal clocks are contradicted only by what no jitter explains.
const JITTER: i64 = CheckConfig::MEASURED_TOLERANCE.0.cast_signed();

/// What both clocks say of one launch, in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pair {
    /// CPU: just before the call.
    pub called: Option<i64>,
    /// GPU: the first start of a block.
    pub started: i64,
    /// GPU: the last end of a block.
    pub ended: i64,
    /// CPU: when the program had waited for it.
    pub idle: Option<i64>,
}

impl Pair {
    /// Clocks differ by at least this.
    fn low(&self) -> Option<i64> {
        self.called.map(|called| called.saturating_sub(self.started))
    }

    /// Clocks differ by at most this.
    fn high(&self) -> Option<i64> {
        self.idle.map(|idle| idle.saturating_sub(self.ended))
    }
}

/// An estimate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Offset {
    /// What is taken off times of the CPU.
    pub moved: i64,
    /// Whether anything bounds the difference from above.
    bounded: bool,
}

impl Offset {
    /// The estimate for these launches.
    pub fn of(pairs: &[Pair]) -> Self {
        let mut lows: Vec<i64> = pairs.iter().filter_map(Pair::low).collect();
        let mut highs: Vec<i64> = pairs.iter().filter_map(Pair::high).collect();
        base::sort::sort(&mut lows);
        base::sort::sort(&mut highs);
        let slack = drift(pairs);
        // How many launches contradict a difference by more than this.
        let against = |at: i64, slack: i64| {
            let early = lows.len() - lows.partition_point(|&low| low <= at.saturating_add(slack));
            early + highs.partition_point(|&high| high < at.saturating_sub(slack))
        };
        let candidates = lows.iter().chain(&highs).copied().filter(|at| (-LARGEST..=LARGEST).contains(at));
        let rank = |at: i64| (against(at, slack), against(at, 0), at.unsigned_abs(), at);
        let best = candidates.min_by_key(|&at| rank(at)).unwrap_or_default();
        let jitter = slack.saturating_add(JITTER);
        let explains_more = against(best, jitter) + 2 <= against(0, jitter);
        Self { moved: if explains_more { best } else { 0 }, bounded: !highs.is_empty() }
    }

    /// Says what was found, as far as it is worth knowing.
    pub fn note(&self, pairs: &[Pair], notes: &mut Notes) {
        self.note_early(pairs, notes);
        let late = |pair: &Pair| pair.high().map(|high| self.moved.saturating_sub(high)).filter(|&by| by > 0);
        if let Some(by) = pairs.iter().filter_map(late).max() {
            let by = Nanos(by.unsigned_abs());
            let what = format!(
                "blocks end up to {by} after their program had waited for them: the clocks of CPU and GPU differ by \
                 as much at the least, or the record is wrong"
            );
            notes.add("", what);
        }
    }

    fn note_early(&self, pairs: &[Pair], notes: &mut Notes) {
        let early: Vec<i64> = pairs.iter().filter_map(Pair::low).filter(|&low| low > 0).collect();
        let moved = Nanos(self.moved.unsigned_abs());
        if let Some(largest) = early.iter().max() {
            let (all, largest) = (counted(pairs.len(), "kernel"), Nanos(largest.unsigned_abs()));
            let start = format!("{} of {all} start before the launch, by {largest} at the most", early.len());
            let rest = early.iter().filter(|&&low| low > self.moved).count();
            let what = match (self.moved, rest) {
                (..=0, _) => format!("{start}; launches are left as they are"),
                (_, 0) => format!("{start}: the clocks of CPU and GPU differ; launches are moved by as much"),
                (_, rest) => format!(
                    "{start}: the clocks of CPU and GPU differ by {moved} as far as other times allow, and launches are \
                     moved by that; {rest} of them start still earlier"
                ),
            };
            notes.add("", what);
        }
        if self.moved < 0 {
            let what = format!(
                "programs had waited for kernels that end later, by the GPU's clock: it is ahead by {moved} and the times of the CPU are moved by as much"
            );
            notes.add("", what);
        }
        if self.moved > 0 && !self.bounded {
            let what = "nothing in the logs says how far the clocks can differ at the most: starts before their calls (G1) do not show";
            notes.add("", what);
        }
    }
}

/// How far clocks run apart in the course of a run.
fn drift(pairs: &[Pair]) -> i64 {
    let first = pairs.iter().map(|pair| pair.started).min().unwrap_or_default();
    let last = pairs.iter().map(|pair| pair.ended).max().unwrap_or_default();
    let lasted = i128::from(last.saturating_sub(first).max(0));
    let drift = lasted * i128::from(CheckConfig::CLOCKS_PER_SECOND) / 1_000_000_000;
    i64::try_from(drift).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Launches by call, start, end and wait in microseconds; 0 for no wait.
    fn moved(launches: &[[i64; 4]]) -> i64 {
        let pairs: Vec<Pair> = launches
            .iter()
            .map(|&[called, started, ended, idle]| Pair {
                called: Some(called * 1_000),
                started: started * 1_000,
                ended: ended * 1_000,
                idle: (idle > 0).then_some(idle * 1_000),
            })
            .collect();
        Offset::of(&pairs).moved / 1_000
    }

    #[test]
    fn all_early_and_nothing_against_it() {
        assert_eq!(moved(&[[1_000, 800, 900, 0], [2_000, 1_900, 2_400, 0]]), 200);
        assert_eq!(moved(&[[1_000, 920, 1_900, 2_020], [3_000, 2_910, 3_900, 4_000]]), 90);
    }

    #[test]
    fn one_early_start_is_left_to_the_check() {
        assert_eq!(moved(&[[1_000, 800, 1_900, 3_000], [4_000, 4_010, 4_900, 5_000]]), 0);
        assert_eq!(moved(&[[1_000, 800, 1_900, 0]]), 0);
    }

    #[test]
    fn jitter_makes_no_pattern_of_one_early_start() {
        // The first starts 20 µs early, which jitter explains; the second 5 ms.
        assert_eq!(moved(&[[1_000, 980, 18_000, 47_000], [9_000, 4_000, 33_000, 47_000]]), 0);
    }

    #[test]
    fn what_waits_contradict_is_not_believed() {
        // 20 µs would do for one, 5 ms for the other, but both were waited for right after their ends.
        assert_eq!(moved(&[[1_000, 980, 101_000, 101_030], [50_000, 45_000, 151_000, 151_030]]), 0);
        assert_eq!(moved(&[[20_000, 10_100, 30_000, 30_100], [50_000, 40_100, 60_000, 60_100]]), 0);
        // Two are 90 µs early, a third one much more.
        let skewed = [[1_000, 920, 1_900, 2_020], [3_000, 2_910, 3_900, 4_000]];
        assert_eq!(moved(&[skewed[0], skewed[1], [9_000, 4_000, 9_900, 10_010]]), 90);
    }

    #[test]
    fn the_clock_of_the_device_may_be_ahead() {
        let launches = [[1_000, 1_250, 2_300, 2_100], [3_000, 3_230, 4_300, 4_090], [5_000, 9_000, 9_900, 0]];
        assert_eq!(moved(&launches), -210);
        // One end that is much too late moves nothing.
        assert_eq!(moved(&[[1_000, 1_020, 2_000, 2_030], [3_000, 3_020, 9_000, 4_000]]), 0);
    }
}
