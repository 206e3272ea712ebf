//! Tracks and spans: the one shape every lab's picture is drawn from.
//!
//! Within a track spans ascend and never overlap. Times are f64 on the lab's own axis; for warps, cycle `c`
//! lasts from `c - 1` to `c`.

pub mod columns;
mod waits;

pub use waits::{Cause, Gap, Lanes, Wait, WaitKind};

/// What a span is coloured and hatched by: an index into the lab's legend.
pub type Class = u8;

/// A stretch of a track.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Span {
    /// Where it starts.
    pub start: f64,
    /// Where it ends.
    pub end: f64,
    /// Its colour and hatch.
    pub class: Class,
    /// What is written on it where there is room: a letter or a number.
    pub mark: Mark,
    /// Which thing it stands for: for warps, warp and instruction from 0.
    pub id: (u32, u32),
}

/// What is written on a span.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// A letter.
    Letter(char),
    /// A number.
    Number(u32),
}

impl Mark {
    /// The mark as text.
    pub fn text(self) -> String {
        match self {
            Mark::Letter(letter) => letter.to_string(),
            Mark::Number(number) => number.to_string(),
        }
    }
}

/// A row of the picture.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Track {
    /// Its name.
    pub label: String,
    /// Its spans, ascending.
    pub spans: Vec<Span>,
    /// Where it waits between them, ascending.
    pub gaps: Vec<Gap>,
}

impl Track {
    /// The spans that touch the window from `t0` to `t1`.
    pub fn within(&self, t0: f64, t1: f64) -> &[Span] {
        let first = self.spans.partition_point(|span| span.end <= t0);
        let last = self.spans.partition_point(|span| span.start < t1);
        &self.spans[first..last.max(first)]
    }

    /// The span at a time.
    pub fn at(&self, t: f64) -> Option<&Span> {
        let span = self.spans.get(self.spans.partition_point(|span| span.end <= t))?;
        (span.start <= t).then_some(span)
    }

    /// Where the thing that a span stands for is over: with the span, or with the wait for its data that follows.
    pub fn until(&self, span: &Span) -> f64 {
        let next = self.gaps.get(self.gaps.partition_point(|gap| gap.start < span.end));
        let data = next.filter(|gap| gap.start == span.end && gap.cause == Cause::Always(WaitKind::Data));
        data.map_or(span.end, |gap| gap.end)
    }
}

/// A whole picture.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Timeline {
    /// Rows, top to bottom.
    pub tracks: Vec<Track>,
    /// Where the axis ends.
    pub end: f64,
    /// What the axis counts.
    pub axis: &'static str,
    /// Name of each class that occurs.
    pub legend: Vec<(Class, String)>,
    /// Rows that hold a heading instead of spans.
    pub headings: Vec<(usize, String)>,
    /// Which tracks are lanes.
    pub lanes: Option<Lanes>,
    /// What tracks wait for alike: the time from which on, ascending, and what for.
    pub shared: Vec<Vec<(f64, WaitKind)>>,
    /// Name of each kind of wait that occurs.
    pub wait_legend: Vec<(WaitKind, String)>,
}

impl Timeline {
    /// With another one beneath, under a heading, on one axis that is as long as the longer of the two. Neither has
    /// lanes.
    #[must_use]
    pub fn above(mut self, below: Option<(String, Timeline)>) -> Self {
        let Some((heading, below)) = below else { return self };
        self.headings.push((self.tracks.len(), heading));
        self.tracks.push(Track::default());
        let known = self.shared.len();
        let moved = |mut track: Track| {
            for gap in &mut track.gaps {
                if let Cause::Shared(entry) = &mut gap.cause {
                    *entry += known;
                }
            }
            track
        };
        self.tracks.extend(below.tracks.into_iter().map(moved));
        self.shared.extend(below.shared);
        self.end = self.end.max(below.end);
        add_new(&mut self.legend, below.legend);
        add_new(&mut self.wait_legend, below.wait_legend);
        self
    }

    /// The track and span of a thing.
    pub fn find(&self, id: (u32, u32)) -> Option<(usize, &Span)> {
        self.find_all(id).next()
    }

    /// The same wherever it is shown.
    pub fn find_all(&self, id: (u32, u32)) -> impl Iterator<Item = (usize, &Span)> {
        let in_track = move |track: &'_ Track| track.spans.iter().position(|span| span.id == id);
        let tracks = self.tracks.iter().enumerate();
        tracks.filter_map(move |(i, track)| in_track(track).map(|at| (i, &track.spans[at])))
    }
}

/// Adds what is not there yet.
fn add_new<T: PartialEq>(known: &mut Vec<T>, more: Vec<T>) {
    for one in more {
        if !known.contains(&one) {
            known.push(one);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn track() -> Track {
        let span =
            |start: f64| Span { start, end: start + 1.0, class: 0, mark: Mark::Letter('L'), id: (0, 0) };
        Track { spans: vec![span(0.0), span(1.0), span(4.0)], ..Track::default() }
    }

    #[test]
    fn a_window_takes_what_touches_it() {
        let starts = |t0, t1| track().within(t0, t1).iter().map(|span| span.start).collect::<Vec<_>>();
        assert_eq!(starts(0.5, 4.5), [0.0, 1.0, 4.0]);
        assert_eq!(starts(1.0, 4.0), [1.0]);
        assert_eq!(starts(2.0, 4.0), [0.0; 0]);
        assert_eq!(starts(9.0, 8.0), [0.0; 0]);
    }

    #[test]
    fn a_time_has_at_most_one_span() {
        assert_eq!(track().at(1.5).map(|span| span.start), Some(1.0));
        assert_eq!(track().at(3.0), None);
        assert_eq!(track().at(5.0), None);
    }
}
