//! Sums over any stretch of a run: blocks, busy time of SMs, and how much of the device was taken.
//!
//! Everything is sorted and added up once; then a stretch takes a few searches, so that it can follow the pointer.

use crate::timeline::blocks::{BlocksTimeline, Measure, Track};
use base::people;
use blocks::Trace;

/// What a stretch of time adds up to.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Sums {
    /// Blocks of which something lies in it.
    pub blocks: usize,
    /// Nanoseconds in which an SM had at least one block, of all SMs together.
    pub busy: f64,
    /// The same as a share of what there was.
    pub busy_share: f64,
    /// The share of the measure that was taken, over time.
    pub taken_share: f64,
}

/// A run, added up.
#[derive(Debug, Clone)]
pub struct Totals {
    starts: Vec<u64>,
    ends: Vec<u64>,
    busy: Vec<Sum>,
    taken: Sum,
    /// What all SMs have together.
    capacity: f64,
}

impl Totals {
    /// Adds up a run.
    pub fn new(trace: &Trace, timeline: &BlocksTimeline) -> Self {
        let mut starts: Vec<u64> = trace.blocks.iter().map(|block| block.start.0).collect();
        let mut ends: Vec<u64> = trace.blocks.iter().map(|block| block.end.0).collect();
        base::sort::sort(&mut starts);
        base::sort::sort(&mut ends);
        let mut changes: Vec<(f64, f64)> = Vec::new();
        for piece in timeline.sms.iter().flat_map(|sm| sm.pieces.all()) {
            let height = f64::from(piece.high - piece.low);
            changes.extend([(piece.start, height), (piece.end, -height)]);
        }
        Self {
            starts,
            ends,
            busy: timeline.sms.iter().map(busy).collect(),
            taken: Sum::new(changes),
            capacity: timeline.capacity as f64,
        }
    }

    /// What lies between two times adds up to this.
    pub fn between(&self, from: f64, to: f64) -> Sums {
        let length = to - from;
        if length.is_nan() || length <= 0.0 {
            return Sums::default();
        }
        let begun = self.starts.partition_point(|&start| (start as f64) < to);
        let over = self.ends.partition_point(|&end| end as f64 <= from);
        let busy: f64 = self.busy.iter().map(|sm| sm.between(from, to)).sum();
        Sums {
            blocks: begun.saturating_sub(over),
            busy,
            busy_share: busy / (length * self.busy.len().max(1) as f64),
            taken_share: self.taken.between(from, to) / (length * self.capacity.max(1.0)),
        }
    }
}

impl Sums {
    /// What there is to say about it.
    pub fn in_words(&self, measure: Measure, busy: &str) -> String {
        format!(
            "{}; SMs busy for {busy} together, {} of their time; {} of all {} taken over time",
            people::counted(self.blocks, "block"),
            people::percent(self.busy_share),
            people::percent(self.taken_share),
            measure.name()
        )
    }
}

/// When an SM has at least one block: 1, else 0.
fn busy(sm: &Track) -> Sum {
    let mut spans: Vec<(f64, f64)> = sm.pieces.all().iter().map(|piece| (piece.start, piece.end)).collect();
    base::sort::sort_by(&mut spans, |a, b| a.0.total_cmp(&b.0));
    let mut changes: Vec<(f64, f64)> = Vec::new();
    let mut end = f64::NEG_INFINITY;
    for (from, to) in spans {
        if from > end {
            if end > f64::NEG_INFINITY {
                changes.push((end, -1.0));
            }
            changes.push((from, 1.0));
        }
        end = end.max(to);
    }
    if end > f64::NEG_INFINITY {
        changes.push((end, -1.0));
    }
    Sum::new(changes)
}

/// The integral of a step function.
#[derive(Debug, Clone, Default)]
struct Sum {
    /// Time, value from then on, integral up to then.
    steps: Vec<(f64, f64, f64)>,
}

impl Sum {
    /// Of a function that changes by so much at these times.
    fn new(mut changes: Vec<(f64, f64)>) -> Self {
        base::sort::sort_by(&mut changes, |a, b| a.0.total_cmp(&b.0));
        let mut steps: Vec<(f64, f64, f64)> = Vec::new();
        let (mut before, mut value, mut sum) = (0.0, 0.0, 0.0);
        for same in changes.chunk_by(|a, b| a.0 == b.0) {
            sum += value * (same[0].0 - before);
            value += same.iter().map(|&(_, change)| change).sum::<f64>();
            before = same[0].0;
            steps.push((before, value, sum));
        }
        Self { steps }
    }

    fn until(&self, t: f64) -> f64 {
        let after = self.steps.partition_point(|&(time, ..)| time <= t);
        let step = after.checked_sub(1).and_then(|i| self.steps.get(i));
        step.map_or(0.0, |&(time, value, sum)| sum + value * (t - time))
    }

    fn between(&self, from: f64, to: f64) -> f64 {
        self.until(to) - self.until(from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::blocks::sample;

    #[test]
    fn a_stretch_adds_up_as_counted_by_hand() {
        let runs = sample::runs();
        let Some(totals) = runs.totals(crate::page::blocks::Which::Simulated) else { unreachable!("a run") };
        let timeline = &runs.runs[0].timeline;
        for (from, to) in [(0.0, 12e6), (1e6, 5e6), (4e6, 6e6), (9.5e6, 11.5e6), (20e6, 30e6)] {
            let pieces = || timeline.sms.iter().flat_map(|sm| sm.pieces.all());
            let inside = |start: f64, end: f64| (end.min(to) - start.max(from)).max(0.0);
            let taken: f64 = pieces().map(|p| inside(p.start, p.end) * f64::from(p.high - p.low)).sum();
            let sums = totals.between(from, to);
            let expected = taken / ((to - from) * 4_096.0);
            assert!((sums.taken_share - expected).abs() < 1e-9, "{from} to {to}: {sums:?}, {expected}");
            assert_eq!(sums.blocks, pieces().filter(|p| p.start < to && p.end > from).count());
        }
        let whole = totals.between(0.0, 12e6);
        assert!(whole.busy_share > 0.9 && whole.busy_share <= 1.0, "{whole:?}");
        assert_eq!(totals.between(5.0, 5.0), Sums::default());
    }
}
