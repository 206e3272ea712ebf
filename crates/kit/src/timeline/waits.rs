//! What tracks wait for where they do nothing.
//!
//! What is the same for many tracks is kept once, in the timeline: a track then says only from when until when it waits
//! for it. So a picture of many tracks that wait long for something that changes often stays small.

use super::Timeline;
use crate::page::Stretch;

/// What a track waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum WaitKind {
    /// What it asked for is on its way to it.
    Data,
    /// Others have all places of what it needs.
    Unit,
    /// There is a place, and others have all turns.
    Slot,
    /// There are a place and a turn that it does not take.
    Free,
    /// Nothing any more: it is done.
    Done,
}

impl WaitKind {
    /// All kinds, as legends list them.
    pub const ALL: [WaitKind; 5] =
        [WaitKind::Data, WaitKind::Unit, WaitKind::Slot, WaitKind::Free, WaitKind::Done];
}

/// A stretch of a track in which it waits; it overlaps no span.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gap {
    /// Where it starts.
    pub start: f64,
    /// Where it ends.
    pub end: f64,
    /// What for.
    pub cause: Cause,
}

/// What a track waits for in a gap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// The same throughout.
    Always(WaitKind),
    /// What changes for all tracks alike: this entry of [`Timeline::shared`].
    Shared(usize),
}

/// A part of a gap in which one thing is waited for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wait {
    /// Where it starts.
    pub start: f64,
    /// Where it ends.
    pub end: f64,
    /// What for.
    pub kind: WaitKind,
}

/// Tracks that show the same spans once more, by what they run on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lanes {
    /// The first of them; all after it are lanes, too.
    pub first: usize,
    /// How high they are, as a share of the other rows.
    pub share: f64,
}

impl Timeline {
    /// What a track waits for between `t0` and `t1`, ascending and cut to that window.
    pub fn waits(&self, track: usize, t0: f64, t1: f64) -> impl Iterator<Item = Wait> {
        let gaps = self.tracks.get(track).map_or(&[][..], |track| &track.gaps);
        let gaps = &gaps[gaps.partition_point(|gap| gap.end <= t0)..];
        let here = gaps.iter().take_while(move |gap| gap.start < t1);
        here.flat_map(move |gap| self.parts(gap.cause, gap.start.max(t0), gap.end.min(t1)))
    }

    /// How many tracks there are before the first heading and the lanes.
    pub fn warps(&self) -> usize {
        let ends = [self.headings.first().map(|(row, _)| *row), self.lanes.map(|lanes| lanes.first)];
        ends.into_iter().flatten().fold(self.tracks.len(), usize::min)
    }

    /// How long those of them wait that a stretch is in, for each kind.
    pub fn waited(&self, stretch: &Stretch) -> [f64; WaitKind::ALL.len()] {
        let mut sums = [0.0; WaitKind::ALL.len()];
        let tracks = (0..self.warps()).filter(|&track| stretch.holds(track));
        for wait in tracks.flat_map(|track| self.waits(track, stretch.from, stretch.to)) {
            sums[wait.kind as usize] += wait.end - wait.start;
        }
        sums
    }

    fn parts(&self, cause: Cause, from: f64, to: f64) -> impl Iterator<Item = Wait> {
        let (always, runs) = match cause {
            Cause::Always(kind) => (Some(Wait { start: from, end: to, kind }), &[][..]),
            Cause::Shared(entry) => (None, self.shared.get(entry).map_or(&[][..], Vec::as_slice)),
        };
        let runs = &runs[runs.partition_point(|run| run.0 <= from).saturating_sub(1)..];
        let end = move |i: usize| runs.get(i + 1).map_or(to, |next| next.0.min(to));
        let parts = runs.iter().enumerate().take_while(move |(_, run)| run.0 < to);
        always.into_iter().chain(parts.map(move |(i, run)| Wait {
            start: run.0.max(from),
            end: end(i),
            kind: run.1,
        }))
    }

    /// Whether a track shows what runs on something, and not what something runs.
    pub fn is_lane(&self, track: usize) -> bool {
        self.lanes.is_some_and(|lanes| track >= lanes.first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::Track;

    #[test]
    fn a_window_takes_the_waits_in_it_and_cuts_them() {
        let gap = |start, end, cause| Gap { start, end, cause };
        let (data, unit, slot) = (WaitKind::Data, WaitKind::Unit, WaitKind::Slot);
        let gaps = vec![
            gap(1.0, 3.0, Cause::Always(data)),
            gap(4.0, 9.0, Cause::Shared(0)),
            gap(12.0, 14.0, Cause::Shared(0)),
        ];
        let timeline = Timeline {
            tracks: vec![Track { gaps, ..Track::default() }],
            shared: vec![vec![(2.0, unit), (6.0, slot), (8.0, unit)]],
            ..Timeline::default()
        };
        let waits = |t0, t1| timeline.waits(0, t0, t1).map(|w| (w.start, w.end, w.kind)).collect::<Vec<_>>();
        let all =
            [(1.0, 3.0, data), (4.0, 6.0, unit), (6.0, 8.0, slot), (8.0, 9.0, unit), (12.0, 14.0, unit)];
        assert_eq!(waits(0.0, 20.0), all);
        assert_eq!(waits(2.0, 7.0), [(2.0, 3.0, data), (4.0, 6.0, unit), (6.0, 7.0, slot)]);
        assert_eq!(waits(6.0, 8.0), [(6.0, 8.0, slot)]);
        assert_eq!(waits(9.0, 12.0), []);
        assert_eq!(timeline.waits(1, 0.0, 20.0).count(), 0);
        assert_eq!(timeline.waited(&Stretch::new(0.0, 20.0)), [2.0, 5.0, 2.0, 0.0, 0.0]);
        assert_eq!(timeline.waited(&Stretch::new(2.0, 7.0)), [1.0, 2.0, 1.0, 0.0, 0.0]);
        let above = timeline.clone().above(Some(("beneath".to_owned(), timeline.clone())));
        assert_eq!(above.waited(&Stretch::new(0.0, 20.0)), timeline.waited(&Stretch::new(0.0, 20.0)));
    }
}
