//! Which rows the picture has, and where: pictures, clicks and tests all ask the layout.

use super::{Key, Look, Panel, legend};
use crate::timeline::blocks::Points;

/// Heights of rows.
const TITLE: f64 = 26.0;
const TURNS: f64 = 20.0;
const ENGINE: f64 = 22.0;
pub(super) const AXIS: f64 = 24.0;
/// The axis of all runs but the last, which has the numbers.
const BARE_AXIS: f64 = 6.0;
const MOMENTS: f64 = 17.0;
const IN_USE: f64 = 46.0;
/// A band is no lower and no higher than this.
const LOWEST: f64 = 14.0;
const HIGHEST: f64 = 400.0;
/// How much is in use is no higher than this, where bands leave room.
const IN_USE_HIGHEST: f64 = 110.0;
/// Pictures with more than this in bands have a second axis at the top.
const TALL: f64 = 800.0;
/// Rows of launches; more streams than this share them.
const MOST_MOMENTS: usize = 6;

/// What a row shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The legend.
    Legend,
    /// A second axis, at the top of tall pictures.
    TopAxis,
    /// What the run is called.
    Title,
    /// Which process has the device.
    Processes,
    /// A copy engine.
    Engine(usize),
    /// An SM.
    Sm(usize),
    /// The axis, with its numbers beneath the last run.
    Axis,
    /// Releases and launches of a stream, or of several.
    Moments(usize),
    /// How much is in use on the whole device.
    InUse,
}

/// A row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row {
    /// The run it belongs to.
    pub panel: usize,
    /// What it shows.
    pub kind: Kind,
    /// Top edge.
    pub y: f64,
    /// Height.
    pub h: f64,
}

impl Row {
    /// Where what runs may be drawn: top edge and height.
    pub fn inside(&self) -> (f64, f64) {
        (self.y + 1.0, (self.h - 4.0).max(1.0))
    }

    /// Whether any of it can be seen.
    pub(super) fn is_seen(&self, look: &Look) -> bool {
        look.seen.is_none_or(|(top, bottom)| self.y < bottom && self.y + self.h > top)
    }
}

/// All rows from top to bottom, and the size of the picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// Width of the picture.
    pub width: f64,
    /// Height of the picture.
    pub height: f64,
    /// The rows.
    pub rows: Vec<Row>,
}

impl Layout {
    /// The rows of runs one above the other.
    pub fn new(panels: &[Panel<'_>], look: &Look) -> Self {
        let width = look.scale().right + super::MARGIN;
        let mut kinds: Vec<(usize, Kind, f64)> = Vec::new();
        if look.key == Key::Drawn {
            kinds.push((0, Kind::Legend, legend::height(panels, width)));
        }
        for (i, panel) in panels.iter().enumerate() {
            kinds.extend(rows(panel).map(|(kind, h)| (i, kind, h)));
        }
        if panels.len() == 1 {
            kinds.retain(|(_, kind, _)| *kind != Kind::Title);
        }
        for (panel, kind, h) in &mut kinds {
            if *kind == Kind::Axis && *panel + 1 < panels.len() {
                *h = BARE_AXIS;
            }
        }
        let sms = panels.iter().map(|panel| panel.timeline.sms.len()).sum::<usize>();
        let others: f64 = kinds.iter().map(|(.., h)| h).sum();
        let wanted = if look.height.is_finite() { look.height } else { 0.0 };
        let band = ((wanted - others - 8.0) / sms.max(1) as f64).floor().clamp(LOWEST, HIGHEST);
        if band * sms as f64 > TALL {
            let at = usize::from(look.key == Key::Drawn);
            kinds.insert(at, (0, Kind::TopAxis, AXIS));
        }
        // What bands leave is filled, too.
        let others: f64 = kinds.iter().map(|(.., h)| h).sum();
        let spare = ((wanted - others - 8.0 - band * sms as f64) / panels.len().max(1) as f64).floor();
        let in_use = (IN_USE + spare.max(0.0)).min(IN_USE_HIGHEST);
        let mut y = 4.0;
        let place = |(panel, kind, h): (usize, Kind, f64)| {
            let h = match kind {
                Kind::Sm(_) => band,
                Kind::InUse => in_use,
                _ => h,
            };
            let row = Row { panel, kind, y, h };
            y += h;
            row
        };
        let rows: Vec<Row> = kinds.into_iter().map(place).collect();
        Self { width, height: y + 4.0, rows }
    }

    /// The row at a height.
    pub fn at(&self, y: f64) -> Option<&Row> {
        self.rows.iter().find(|row| y >= row.y && y < row.y + row.h)
    }

    /// How many rows of launches there are.
    pub(super) fn moment_rows(&self) -> usize {
        self.rows.iter().filter(|row| matches!(row.kind, Kind::Moments(_))).count()
    }

    /// Where lines of the grid run through a run: from its first band to its last row.
    pub(super) fn grid(&self, panel: usize) -> Option<(f64, f64)> {
        let has_lines = |row: &&Row| {
            row.panel == panel && !matches!(row.kind, Kind::Legend | Kind::TopAxis | Kind::Title)
        };
        let mut rows = self.rows.iter().filter(has_lines);
        let first = rows.next()?;
        let last = rows.next_back().unwrap_or(first);
        Some((first.y, last.y + last.h - 3.0))
    }
}

/// The rows of a run; SMs get their height later.
fn rows(panel: &Panel<'_>) -> impl Iterator<Item = (Kind, f64)> {
    let timeline = panel.timeline;
    let turns = timeline.processes.as_ref().map(|_| (Kind::Processes, TURNS));
    let engines = (0..timeline.engines.len()).rev().map(|engine| (Kind::Engine(engine), ENGINE));
    let sms = (0..timeline.sms.len()).rev().map(|sm| (Kind::Sm(sm), 0.0));
    let moments = (0..moment_rows(&timeline.points)).map(|row| (Kind::Moments(row), MOMENTS));
    let above = [(Kind::Title, TITLE)].into_iter().chain(turns).chain(engines).chain(sms);
    above.chain([(Kind::Axis, AXIS)]).chain(moments).chain([(Kind::InUse, IN_USE)])
}

/// How many rows the launches of all streams take.
fn moment_rows(points: &[Points]) -> usize {
    busy_streams(points).count().min(MOST_MOMENTS)
}

/// Streams in which anything happens.
fn busy_streams(points: &[Points]) -> impl Iterator<Item = usize> {
    let is_busy = |points: &Points| !points.starts.is_empty() || !points.deadlines.is_empty();
    points.iter().enumerate().filter(move |(_, points)| is_busy(points)).map(|(stream, _)| stream)
}

/// The streams that a row of launches shows.
pub(super) fn streams_of_row(points: &[Points], row: usize) -> Vec<usize> {
    let rows = moment_rows(points).max(1);
    busy_streams(points).enumerate().filter(|(i, _)| i % rows == row).map(|(_, stream)| stream).collect()
}
