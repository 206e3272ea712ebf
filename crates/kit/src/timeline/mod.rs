//! Tracks and spans: the one shape every lab's picture is drawn from.
//!
//! Within a track spans ascend and never overlap. Times are f64 on the lab's own axis; for warps, cycle `c`
//! lasts from `c - 1` to `c`.

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
#[derive(Debug, Clone, PartialEq)]
pub struct Track {
    /// Its name.
    pub label: String,
    /// Its spans, ascending.
    pub spans: Vec<Span>,
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
}

/// A whole picture.
#[derive(Debug, Clone, PartialEq)]
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
}

impl Timeline {
    /// With another one beneath, under a heading, on one axis that is as long as the longer of the two.
    #[must_use]
    pub fn above(mut self, below: Option<(String, Timeline)>) -> Self {
        let Some((heading, below)) = below else { return self };
        self.headings.push((self.tracks.len(), heading));
        self.tracks.push(Track { label: String::new(), spans: Vec::new() });
        self.tracks.extend(below.tracks);
        self.end = self.end.max(below.end);
        for class in below.legend {
            if !self.legend.contains(&class) {
                self.legend.push(class);
            }
        }
        self
    }

    /// The track and span of a thing.
    pub fn find(&self, id: (u32, u32)) -> Option<(usize, &Span)> {
        let in_track = |(i, track): (usize, &'_ Track)| {
            track.spans.iter().position(|span| span.id == id).map(|at| (i, at))
        };
        let (track, at) = self.tracks.iter().enumerate().find_map(in_track)?;
        Some((track, &self.tracks[track].spans[at]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn track() -> Track {
        let span =
            |start: f64| Span { start, end: start + 1.0, class: 0, mark: Mark::Letter('L'), id: (0, 0) };
        Track { label: String::new(), spans: vec![span(0.0), span(1.0), span(4.0)] }
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
