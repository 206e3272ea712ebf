//! Runs of blocks as bands: one per SM with SM 0 at the bottom, copies above, axis and launches below.
//!
//! Several runs stand one above the other on a common axis. A block is as high as its share of what its SM has.
//! The number of marks is bounded in every window: what is too narrow to be drawn by itself is drawn as density,
//! as much as needed. Columns of density stand still on the axis, so that panning moves them and nothing flickers.

mod axis;
mod bands;
mod density;
mod differs;
mod dim;
mod hit;
mod in_use;
mod layout;
mod legend;
mod moments;
mod over;
#[cfg(test)]
mod tests;
use kit::draw::words;

pub use dim::dim;
pub use hit::{Hit, What, hit, is_on_axis, time_at};
pub use layout::{Kind, Layout, Row};
pub use legend::{CHANGED, StreamLegend, arrows, caption, legend};

use crate::timeline::blocks::BlocksTimeline;
use blocks::{Setup, Trace};
use kit::draw::list::{DrawList, Ink, Mark};
use kit::draw::scale::Scale;

/// A run in the picture. All of it belongs together: the timeline was made of this trace and setup.
#[derive(Debug, Clone, Copy)]
pub struct Panel<'a> {
    /// What stands above it, if there are several.
    pub title: &'a str,
    /// The device and what runs on it.
    pub setup: &'a Setup,
    /// What happened when.
    pub trace: &'a Trace,
    /// The same, ready to be drawn.
    pub timeline: &'a BlocksTimeline,
}

/// What part of the picture is shown, how large, and what stands out. Times are in nanoseconds.
#[derive(Debug, Clone, PartialEq)]
pub struct Look {
    /// Width of the whole picture.
    pub width: f64,
    /// The height it should have; it is higher where the bands would be too thin, and lower where they would be
    /// very high.
    pub height: f64,
    /// Left edge of the window.
    pub t0: f64,
    /// Right edge of the window.
    pub t1: f64,
    /// The part of the picture's height that can be seen, if not all of it: nothing else is drawn.
    pub seen: Option<(f64, f64)>,
    /// Whether the picture carries its own legend.
    pub key: Key,
    /// Where the player stands.
    pub cursor: Option<f64>,
    /// What becomes of what comes after that.
    pub future: Future,
    /// The selected thing and the panel it is in.
    pub selected: Option<(usize, Selected)>,
    /// What breaks a rule, and the panel it is in.
    pub wrong: Vec<(usize, Selected)>,
    /// A selected stretch of time.
    pub range: Option<(f64, f64)>,
    /// Marks at the most, as far as the labels of rows leave room for it.
    pub most_marks: usize,
}

/// Whether the picture carries its own legend.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Key {
    /// It stands beside the picture, made of [`legend`].
    #[default]
    Beside,
    /// It is drawn at the top.
    Drawn,
}

/// What becomes of what comes after the player's cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Future {
    /// It is dimmed.
    #[default]
    Dimmed,
    /// It is not shown.
    Hidden,
}

/// Something selected; numbers are places in the trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Selected {
    /// A block of a launch, by its number.
    Block {
        /// The launch.
        run: usize,
        /// The block's number within it.
        block: u32,
    },
    /// A launch with all its blocks.
    Launch(usize),
    /// A copy.
    Copy(usize),
}

impl Look {
    /// A window, with nothing that stands out.
    pub fn new(width: f64, height: f64, t0: f64, t1: f64) -> Self {
        Self {
            width,
            height,
            t0,
            t1,
            seen: None,
            key: Key::Beside,
            cursor: None,
            future: Future::Dimmed,
            selected: None,
            wrong: Vec::new(),
            range: None,
            most_marks: 4_000,
        }
    }

    /// The horizontal scale; a window that makes no sense becomes one of a nanosecond.
    pub fn scale(&self) -> Scale {
        let from = if self.t0.is_finite() { self.t0.clamp(-LATEST, LATEST) } else { 0.0 };
        let narrowest = (from.abs() * 1e-15).max(1e-3);
        let to = if self.t1.is_finite() { self.t1.clamp(-LATEST, LATEST) } else { 0.0 };
        let to = if to >= from + narrowest { to } else { from + 1.0_f64.max(narrowest) };
        let width = if self.width.is_finite() { self.width.min(WIDEST) } else { 0.0 };
        Scale { from, to, left: GUTTER, right: (width - MARGIN).max(GUTTER + 1.0) }
    }
}

/// No window reaches further.
const LATEST: f64 = 1.6e19;
/// No picture is wider.
const WIDEST: f64 = 32_768.0;
/// Room for labels at the left, as in the figure of warps.
pub const GUTTER: f64 = 64.0;
/// Room at the right edge.
const MARGIN: f64 = 8.0;

/// Marks by what covers what.
#[derive(Default)]
struct Layers {
    /// Bands and grid.
    ground: Vec<Mark>,
    /// What runs.
    things: Vec<Mark>,
    /// What is written.
    words: Vec<Mark>,
}

/// Draws runs one above the other.
pub fn draw(panels: &[Panel<'_>], look: &Look) -> DrawList {
    let layout = Layout::new(panels, look);
    let scale = look.scale();
    let mut layers = Layers::default();
    axis::draw(&mut layers, &layout, &scale, look);
    legend::draw(&mut layers, panels, &layout, look);
    moments::draw(&mut layers, panels, &layout, &scale, look);
    in_use::draw(&mut layers, panels, &layout, &scale, look);
    let mut over = over::marks(panels, &layout, &scale, look);
    axis::stuck(&mut over, &layout, &scale, look);
    for (i, panel) in panels.iter().enumerate() {
        layers.words.extend(nothing_of_it(panel, i, &layout, &scale));
    }
    let lanes = bands::lanes(panels, &layout, look);
    let moved = differs::marks(&lanes, &scale);
    let others =
        layers.ground.len() + layers.things.len() + layers.words.len() + over.len() + moved.len() + 1;
    let room = look.most_marks.saturating_sub(others).max(look.most_marks / 8);
    bands::draw(&mut layers, &lanes, &scale, room);
    layers.things.extend(moved);
    let mut list = DrawList::new(layout.width, layout.height);
    list.rect((0.0, 0.0), (layout.width, layout.height), Ink::Ground);
    for layer in [layers.ground, layers.things, layers.words, over] {
        list.marks.extend(layer);
    }
    list
}

/// Why all bands are empty though something runs.
fn nothing_of_it(panel: &Panel<'_>, number: usize, layout: &Layout, scale: &Scale) -> Option<Mark> {
    let runs = !panel.trace.blocks.is_empty();
    if !runs || panel.timeline.sms.iter().any(|sm| !sm.pieces.all().is_empty()) {
        return None;
    }
    let is_sm = |row: &&Row| row.panel == number && matches!(row.kind, Kind::Sm(_));
    let row = layout.rows.iter().find(is_sm)?;
    let words = format!("No block here takes {}.", panel.timeline.measure.name());
    let place = ((scale.left + scale.right) / 2.0, row.y + row.h / 2.0);
    Some(words::text(place, words, Ink::Text, 13.0, kit::draw::Align::Middle))
}

/// A filled rectangle without a hatch.
fn rect((x, y): (f64, f64), (w, h): (f64, f64), ink: Ink) -> Mark {
    Mark::Rect { x, y, w, h, ink, hatch: kit::draw::Hatch::None }
}

/// A line.
fn line(from: (f64, f64), to: (f64, f64), ink: Ink, line: f64) -> Mark {
    Mark::Line { from, to, ink, line }
}

/// Left edge and width of a stretch of time in whole pixels, cut to the plot: what touches in time touches there.
fn clipped(start: f64, end: f64, scale: &Scale) -> (f64, f64) {
    let x0 = scale.pixel(start).clamp(scale.left, scale.right).round();
    let x1 = scale.pixel(end).clamp(scale.left, scale.right).round();
    (x0, (x1 - x0).max(0.0))
}

/// The smallest power of two of nanoseconds that is so many pixels wide.
fn column_log(scale: &Scale, pixels: f64) -> u8 {
    let wanted = pixels / scale.per_unit();
    (0..64).find(|&log| 2f64.powi(log) >= wanted).map_or(64, |log| log as u8)
}
