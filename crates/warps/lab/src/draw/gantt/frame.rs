//! Where the rows and cells of a timeline stand, and what is at a place.

use super::{AXIS, GUTTER, MARGIN};
use super::{Differs, Lit};
use kit::draw::scale::Scale;
use kit::page::Stretch;
use kit::page::window::rows_between;
use kit::timeline::{Span, Timeline};

/// Room beneath the rows.
pub(super) const BELOW: f64 = 4.0;
/// A row with a heading is so high at least: what is written there is clear of the rows above and beneath.
const HEADING: f64 = 18.0;
/// Room between rows and the lanes beneath them.
const APART: f64 = 6.0;
/// Where cycles are narrower than this, what is near counts as well.
const NARROW: f64 = 4.0;
/// How far off a bar may be to count, in pixels.
const REACH: f64 = 4.0;
/// Only bars narrower than this are missed so easily.
const THIN: f64 = 8.0;
/// The lowest and the highest row of a picture that fits its room.
const LOWEST: f64 = 7.0;
const HIGHEST: f64 = 120.0;

/// What part of a timeline is shown, and what stands out.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// Width of the whole picture.
    pub width: f64,
    /// Height of a row.
    pub row: f64,
    /// Left edge of the window on the axis.
    pub t0: f64,
    /// Right edge.
    pub t1: f64,
    /// The selected thing.
    pub selected: Option<(u32, u32)>,
    /// A stretch of the selected thing's row it waited through.
    pub waited: Option<(f64, f64)>,
    /// A selected range of the axis.
    pub range: Option<Stretch>,
    /// What stands out; if anything does, all else steps back.
    pub lit: Lit,
    /// What differs from a schedule that it is compared with.
    pub differs: Differs,
}

/// What is at a place of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// A thing.
    Span {
        /// The row it was found in.
        row: usize,
        /// Which.
        id: (u32, u32),
    },
    /// A cycle in which the row does nothing.
    Idle {
        /// The row.
        row: usize,
        /// The cycle, from 1.
        cycle: u32,
    },
}

impl Target {
    /// What a row does at a time; `None` outside the axis.
    pub fn at(timeline: &Timeline, row: usize, t: f64) -> Option<Self> {
        let track = timeline.tracks.get(row)?;
        let inside = t >= 0.0 && t < timeline.end;
        inside.then(|| match track.at(t) {
            Some(span) => Target::Span { row, id: span.id },
            None => Target::Idle { row, cycle: t as u32 + 1 },
        })
    }

    /// The first and the last cycle of a thing, from 1; none where the row does nothing.
    pub fn cycles(self, timeline: &Timeline) -> Option<(u32, u32)> {
        let Target::Span { row, id } = self else { return None };
        let span = timeline.tracks.get(row)?.spans.iter().find(|span| span.id == id)?;
        let first = span.start as u32 + 1;
        Some((first, (span.end.ceil() as u32).max(first)))
    }

    /// The row.
    pub fn row(self) -> usize {
        match self {
            Target::Span { row, .. } | Target::Idle { row, .. } => row,
        }
    }

    /// The thing, which links can carry; none where the row does nothing.
    pub fn id(self) -> Option<(u32, u32)> {
        match self {
            Target::Span { id, .. } => Some(id),
            Target::Idle { .. } => None,
        }
    }
}

/// The height of a row that shows `rows` rows well.
pub fn row_height(rows: usize) -> f64 {
    (520.0 / rows.max(1) as f64).clamp(LOWEST, 26.0).floor()
}

/// The height of a row with which so many tracks fill a height, as far as rows of that height can be read.
pub fn row_to_fit(tracks: usize, height: f64) -> f64 {
    fitted(tracks as f64, height)
}

/// The same for a timeline that may have lanes beneath its rows.
pub fn row_to_fit_all(timeline: &Timeline, height: f64) -> f64 {
    let all = timeline.tracks.len();
    match timeline.lanes {
        Some(lanes) => {
            let first = lanes.first.min(all);
            fitted(first as f64 + (all - first) as f64 * lanes.share, height - apart(first))
        }
        None => {
            let headings = timeline.headings.len();
            let row = row_to_fit(all, height);
            // Whole pixels may take one more.
            let taken = headings as f64 * (HEADING + 1.0);
            if headings == 0 || row >= HEADING { row } else { row_to_fit(all - headings, height - taken) }
        }
    }
}

fn fitted(rows: f64, height: f64) -> f64 {
    // Rows may differ by a pixel, so that they fill the room.
    let row = (height - AXIS - BELOW) / rows.max(f64::MIN_POSITIVE);
    ((row * 16.0).floor() / 16.0).clamp(LOWEST, HIGHEST)
}

fn apart(above: usize) -> f64 {
    if above > 0 { APART } else { 0.0 }
}

impl Frame {
    /// All of a timeline, with nothing that stands out.
    pub fn whole(timeline: &Timeline, width: f64) -> Self {
        Self {
            width,
            row: row_height(timeline.tracks.len()),
            t0: 0.0,
            t1: timeline.end,
            selected: None,
            waited: None,
            range: None,
            lit: Lit::Nothing,
            differs: Differs::default(),
        }
    }

    /// Whether a thing stands out, where some do.
    pub(super) fn lights(&self, id: (u32, u32)) -> bool {
        self.lit.is_nothing() || self.lit.has(id)
    }

    /// The horizontal scale.
    pub fn scale(&self) -> Scale {
        Scale { from: self.t0, to: self.t1, left: GUTTER, right: (self.width - MARGIN).max(GUTTER + 1.0) }
    }

    /// The height of the picture.
    pub fn height(&self, timeline: &Timeline) -> f64 {
        self.row_at(timeline, timeline.tracks.len()).0 + BELOW
    }

    /// Top and height of a row; one past the last begins where the last ends.
    pub fn row_at(&self, timeline: &Timeline, row: usize) -> (f64, f64) {
        let between = |top: f64, height: f64, row: usize| {
            let from = (row as f64 * height).floor();
            (top + from, ((row + 1) as f64 * height).floor() - from)
        };
        let lanes = timeline.lanes.filter(|lanes| row >= lanes.first && lanes.first < timeline.tracks.len());
        match lanes {
            Some(lanes) => {
                let above = lanes.first;
                let top = AXIS + (above as f64 * self.row).floor() + apart(above);
                between(top, self.row * lanes.share, row - above)
            }
            None => {
                let (top, height) = between(AXIS, self.row, row);
                let more = (HEADING - self.row).ceil().max(0.0);
                let above = timeline.headings.iter().filter(|(at, _)| *at < row).count();
                let own = timeline.headings.iter().any(|(at, _)| *at == row);
                (top + more * above as f64, if own { height + more } else { height })
            }
        }
    }

    /// The first and the last row of warps between two heights.
    pub fn warps_between(&self, timeline: &Timeline, between: (f64, f64)) -> Option<(usize, usize)> {
        let own = |row: usize| {
            let (top, high) = self.row_at(timeline, row);
            (row, top, high)
        };
        rows_between((0..timeline.warps()).map(own), between)
    }

    /// The row and axis value at a pixel of a picture of `rows` rows without lanes.
    pub fn hit(&self, rows: usize, x: f64, y: f64) -> Option<(usize, f64)> {
        let scale = self.scale();
        let row = ((y - AXIS) / self.row).floor();
        let inside = x >= scale.left && x <= scale.right && row >= 0.0 && row < rows as f64;
        inside.then(|| (row as usize, scale.value(x)))
    }

    /// What is at a pixel. Where cycles are too narrow to be hit, a thin bar nearby of the same row.
    pub fn nearest(&self, timeline: &Timeline, x: f64, y: f64) -> Option<Target> {
        let scale = self.scale();
        let within = |row: &usize| {
            let (top, height) = self.row_at(timeline, *row);
            y >= top && y < top + height
        };
        let row = (0..timeline.tracks.len()).find(within)?;
        let t = scale.value(x);
        let target = Target::at(timeline, row, t).filter(|_| x >= scale.left && x <= scale.right)?;
        if target.id().is_some() || scale.per_unit() >= NARROW {
            return Some(target);
        }
        let spans = &timeline.tracks[row].spans;
        let after = spans.partition_point(|span| span.end <= t);
        let beside = [after.checked_sub(1), Some(after)].into_iter().flatten().filter_map(|i| spans.get(i));
        let off = |span: &Span| (span.start - t).max(t - span.end) * scale.per_unit();
        let thin = |span: &&Span| (span.end - span.start) * scale.per_unit() < THIN && off(span) <= REACH;
        let near = beside.filter(thin).min_by(|a, b| off(a).total_cmp(&off(b)));
        Some(near.map_or(target, |span| Target::Span { row, id: span.id }))
    }
}
