//! What runs: wide pieces one by one, with an outline, a hatch and a label, and narrow ones as density.

use super::density::{Grid, Shade};
use super::layout::{Kind, Layout};
use super::words::{self, text};
use super::{Layers, Look, Panel, axis, clipped, column_log, line, rect};
use crate::timeline::blocks::{Measure, Piece, Track};
use base::people;
use kit::draw::list::{Align, Hatch, Ink, Mark};
use kit::draw::scale::Scale;
use kit::timeline::Class;

/// Columns of density are at least so many pixels wide, and less than twice as many.
const COLUMN: f64 = 4.0;
/// Labels of blocks.
const LABEL: f64 = 12.0;

/// A band that is drawn: where, of what, and how.
pub(super) struct Lane<'a> {
    pub track: &'a Track,
    pub y: f64,
    pub h: f64,
    pub coat: Coat<'a>,
    name: String,
    row: super::Row,
}

/// How the pieces of a band look.
#[derive(Clone, Copy)]
pub(super) enum Coat<'a> {
    /// Coloured and hatched by kernel.
    Blocks(Panel<'a>),
    /// Grey, with the names of copies.
    Copies(Panel<'a>),
    /// Two greys that alternate by process.
    Turns,
}

impl Coat<'_> {
    fn class(&self, piece: &Piece) -> Class {
        match self {
            Coat::Blocks(panel) => panel.timeline.classes.get(piece.run as usize).copied().unwrap_or(0),
            Coat::Copies(_) => 1,
            Coat::Turns => (piece.run % 2) as Class,
        }
    }

    /// The colour of a class, and of text on it.
    fn inks(&self, class: Class) -> (Ink, Ink) {
        match self {
            Coat::Blocks(_) => (Ink::Class(class), Ink::OnClass),
            Coat::Copies(_) | Coat::Turns if class % 2 == 1 => (Ink::Muted, Ink::Ground),
            Coat::Copies(_) | Coat::Turns => (Ink::Grid, Ink::Text),
        }
    }

    /// The colour of density.
    pub fn shade(&self, shade: Shade) -> Ink {
        match self {
            Coat::Blocks(_) => Ink::Density(shade.class, shade.level),
            Coat::Copies(_) | Coat::Turns if shade.level > 2 => self.inks(shade.class).0,
            Coat::Copies(_) | Coat::Turns => Ink::Grid,
        }
    }

    /// Labels for a piece, the longest first, each with the widest one of its kind: of the blocks of a kernel all
    /// have a label or none has, where they are equally wide.
    fn labels(&self, piece: &Piece) -> [(String, String); 2] {
        let alone = |label: String| (label.clone(), label);
        match self {
            Coat::Blocks(panel) => {
                let kernel = panel.trace.kernels.get(piece.run as usize).map(|run| run.kernel);
                let kernel = kernel.and_then(|kernel| panel.setup.kernels.get(kernel));
                let (label, blocks) = kernel.map_or(("", 1), |kernel| (kernel.label.as_str(), kernel.blocks));
                let (item, last) = (piece.item, blocks.max(1) - 1);
                [(format!("{label}:{item}"), format!("{label}:{last}")), (item.to_string(), last.to_string())]
            }
            Coat::Copies(panel) => {
                let copy = panel.trace.copies.get(piece.run as usize).map(|run| run.copy);
                let copy = copy.and_then(|copy| panel.setup.copies.get(copy));
                [alone(copy.map_or(String::new(), |copy| copy.label.clone())), alone(String::new())]
            }
            Coat::Turns => [alone(format!("process {}", piece.run)), alone(piece.run.to_string())],
        }
    }
}

/// The bands that can be seen.
pub(super) fn lanes<'a>(panels: &[Panel<'a>], layout: &Layout, look: &Look) -> Vec<Lane<'a>> {
    let lane = |row: &super::Row| {
        let panel = panels.get(row.panel)?;
        let timeline = panel.timeline;
        let (track, coat, name) = match row.kind {
            Kind::Sm(sm) => (timeline.sms.get(sm)?, Coat::Blocks(*panel), format!("SM {sm}")),
            Kind::Engine(engine) => {
                (timeline.engines.get(engine)?, Coat::Copies(*panel), format!("copy {engine}"))
            }
            Kind::Processes => (timeline.processes.as_ref()?, Coat::Turns, "process".to_owned()),
            _ => return None,
        };
        let (y, h) = row.inside();
        Some(Lane { track, y, h, coat, name, row: *row })
    };
    layout.rows.iter().filter(|row| row.is_seen(look)).filter_map(lane).collect()
}

impl Lane<'_> {
    /// Whether it is this row of this run.
    pub fn is(&self, panel: usize, kind: Kind) -> bool {
        (self.row.panel, self.row.kind) == (panel, kind)
    }

    /// Top edge and height of what reaches from one height of the band to another.
    pub fn place(&self, low: u32, high: u32) -> (f64, f64) {
        let pixel =
            |value: u32| self.y + self.h - (f64::from(value) * self.h / f64::from(self.track.top.max(1)));
        let (top, bottom) = (pixel(high).round(), pixel(low).round());
        (top, bottom - top)
    }

    /// The finest octave that is drawn one by one, if columns of density are so wide.
    fn above(&self, log: u8) -> Option<u8> {
        self.track.dense.level(log).map(|level| level.octave())
    }
}

/// A piece that is wide enough to be drawn by itself, and where.
struct Single<'a> {
    lane: usize,
    piece: &'a Piece,
    x: f64,
    y: f64,
    w: f64,
    h: f64,
}

/// Pieces that are looked at one by one in a frame, at the most.
const MOST_SINGLES: usize = 300_000;
/// Which share of all marks may be pieces: each takes an outline and a label, too.
const SHARE: f64 = 0.3;

/// Draws all bands with at most `room` marks, or as few as they can be drawn with.
pub(super) fn draw(layers: &mut Layers, lanes: &[Lane<'_>], scale: &Scale, room: usize) {
    let room = room.saturating_sub(names(layers, lanes));
    let count = |log: u8| -> usize {
        lanes.iter().map(|lane| lane.track.pieces.count(lane.above(log), scale.from, scale.to)).sum()
    };
    let finest = column_log(scale, COLUMN);
    let log = (finest..64).find(|&log| count(log) <= MOST_SINGLES).unwrap_or(64);
    let mut singles = singles(lanes, log, scale);
    let small = smallest(&mut singles, (room as f64 * SHARE) as usize);
    // Where measured blocks overlap for a moment, the later one lies over the earlier one.
    base::sort::sort_by(&mut singles, |a, b| a.piece.start.total_cmp(&b.piece.start));
    let (things, labels) = marks(lanes, &singles, scale);
    let left = room.saturating_sub(things.len() + labels.len());
    layers.things.extend(shades(lanes, log, scale, &small, left));
    layers.things.extend(things);
    layers.words.extend(labels);
}

/// The pieces that are drawn by themselves where columns of density are so wide.
fn singles<'a>(lanes: &[Lane<'a>], log: u8, scale: &Scale) -> Vec<Single<'a>> {
    let mut singles = Vec::new();
    for (i, lane) in lanes.iter().enumerate() {
        singles.extend(lane.track.pieces.within(lane.above(log), scale.from, scale.to).map(|piece| {
            let (x, w) = clipped(piece.start, piece.end, scale);
            let (y, h) = lane.place(piece.low, piece.high);
            Single { lane: i, piece, x, y, w, h }
        }));
    }
    singles
}

/// Takes out the smallest of too many pieces.
fn smallest<'a>(singles: &mut Vec<Single<'a>>, most: usize) -> Vec<Single<'a>> {
    if singles.len() <= most {
        return Vec::new();
    }
    let area = |single: &Single<'_>| single.w.max(1.0) * single.h.max(1.0);
    let mut areas: Vec<f64> = singles.iter().map(area).collect();
    let place = areas.len() - 1 - most.min(areas.len() - 1);
    let (_, bound, _) = areas.select_nth_unstable_by(place, f64::total_cmp);
    // A power of two, so that it stays the same while the window moves.
    let bound = 2f64.powf(bound.log2().floor() + 1.0);
    let (large, small) = std::mem::take(singles).into_iter().partition(|single| area(single) >= bound);
    *singles = large;
    small
}

/// Density: of all pieces that are too narrow, and of others that are too small. Its columns are as wide as it
/// takes for so many marks.
fn shades(lanes: &[Lane<'_>], log: u8, scale: &Scale, small: &[Single<'_>], room: usize) -> Vec<Mark> {
    let grid = |lane: &Lane<'_>| Grid::new(lane.track.dense.level(log), log, scale, lane.h);
    let mut grids: Vec<Grid> = lanes.iter().map(grid).collect();
    for Single { lane, piece, .. } in small {
        grids[*lane].add(piece, lanes[*lane].coat.class(piece), lanes[*lane].track.top);
    }
    loop {
        let patches: Vec<_> = grids.iter().map(Grid::patches).collect();
        if patches.iter().map(Vec::len).sum::<usize>() > room && grids.iter().any(Grid::is_wide) {
            grids.iter_mut().for_each(Grid::coarsen);
            continue;
        }
        let mut out = Vec::new();
        for ((lane, grid), patches) in lanes.iter().zip(&grids).zip(patches) {
            out.extend(patches.into_iter().filter_map(|patch| {
                let ((from, to), (low, high)) = grid.place(&patch);
                let (x, w) = clipped(from, to, scale);
                let [bottom, top] = [low, high].map(|share| (lane.y + lane.h * (1.0 - share)).round());
                let mark = rect((x, top), (w, bottom - top), lane.coat.shade(patch.shade));
                (w > 0.0).then_some((patch.shade, mark))
            }));
        }
        // Colour by colour, so that a canvas changes its colour as rarely as possible.
        base::sort::sort_by_key(&mut out, |(shade, _)| (shade.class, shade.level));
        return out.into_iter().map(|(_, mark)| mark).collect();
    }
}

/// What rows are called, the limit where more than that runs, and how many marks that takes.
fn names(layers: &mut Layers, lanes: &[Lane<'_>]) -> usize {
    let before = layers.words.len();
    for lane in lanes {
        axis::name(layers, &lane.row, &lane.name);
        if let Coat::Blocks(panel) = lane.coat
            && lane.h >= 50.0
        {
            let top = amount(panel.timeline.measure, lane.track.top.into());
            let place = (super::GUTTER - 8.0, lane.y + 6.0);
            layers.words.push(text(place, top, Ink::Muted, 10.0, Align::End));
        }
    }
    layers.words.len() - before
}

/// So much of a measure, short.
pub(super) fn amount(measure: Measure, value: u64) -> String {
    match measure {
        Measure::SharedMemory if value > 0 && value.is_multiple_of(1_024) => {
            format!("{} KiB", people::grouped((value / 1_024).into()))
        }
        Measure::SharedMemory => format!("{} B", people::grouped(value.into())),
        Measure::Threads => people::grouped(value.into()),
    }
}

/// Pieces as outlines and fills, with the limits of bands that hold too much; and their labels.
fn marks(lanes: &[Lane<'_>], singles: &[Single<'_>], scale: &Scale) -> (Vec<Mark>, Vec<Mark>) {
    let mut things = Vec::with_capacity(2 * singles.len());
    let mut labels = Vec::new();
    for &Single { lane, piece, x, y, w, h } in singles {
        let lane = &lanes[lane];
        let class = lane.coat.class(piece);
        let (ink, on) = lane.coat.inks(class);
        let is_outlined = w >= 7.0 && h >= 6.0 && matches!(lane.coat, Coat::Blocks(_));
        let (place, size) = if is_outlined {
            things.push(rect((x, y), (w + 1.0, h + 1.0), Ink::OnClass));
            // No line where the piece goes on beyond the edge of the window.
            let left = if piece.start < scale.from { 0.0 } else { 1.0 };
            let right = if piece.end > scale.to { 1.0 } else { 0.0 };
            ((x + left, y + 1.0), (w - left + right, h - 1.0))
        } else {
            let gap = |size: f64| if size >= 3.0 { size - 1.0 } else { size.max(1.0) };
            ((x, y), (gap(w), gap(h)))
        };
        let is_hatched = is_outlined && h >= 8.0;
        let hatch = if is_hatched { Hatch::Class(class) } else { Hatch::None };
        things.push(Mark::Rect { x: place.0, y: place.1, w: size.0, h: size.1, ink, hatch });
        labels.extend(label(lane, piece, (place, size), on));
    }
    for lane in lanes.iter().filter(|lane| lane.track.limit < lane.track.top) {
        let (y, _) = lane.place(0, lane.track.limit);
        things.push(line((scale.left, y), (scale.right, y), Ink::Accent, 1.0));
    }
    (things, labels)
}

/// The longest label that fits a rectangle.
fn label(
    lane: &Lane<'_>,
    piece: &Piece,
    ((x, y), (w, h)): ((f64, f64), (f64, f64)),
    ink: Ink,
) -> Option<Mark> {
    if w < 10.0 || h < 11.0 {
        return None;
    }
    let size = if h < 13.0 { LABEL - 2.0 } else { LABEL };
    let fits = |label: &str| words::width(label, size) + 4.0 <= w;
    let (label, _) =
        lane.coat.labels(piece).into_iter().find(|(label, widest)| fits(label) && fits(widest))?;
    (!label.is_empty()).then(|| text((x + w / 2.0, y + h / 2.0), label, ink, size, Align::Middle))
}
