//! Demand over intervals as a chart, and a witness as rows of jobs with the processor beneath.
//!
//! The number of marks is bounded in every window: steps that share a column of pixels are drawn as one, and areas
//! are drawn in wider columns where many tasks are stacked. Plans say where everything stands: pictures, pointers and
//! tests all ask them.

mod chart;
mod dim;
pub mod experiment;
mod layout;
mod legend;
mod lines;
mod marks;
mod pinned;
pub mod small;
#[cfg(test)]
mod tests;
mod witness;

pub use chart::draw;
pub use dim::dim;
pub use layout::Layout;
pub use pinned::pinned;
pub use witness::{WitnessLayout, draw_witness};

use base::people;
use kit::draw::list::{Hatch, Ink, Mark};

/// What part of the chart is shown, how large, and what stands out.
#[derive(Debug, Clone, PartialEq)]
pub struct Look {
    /// Width of the whole picture.
    pub width: f64,
    /// Height of the whole picture.
    pub height: f64,
    /// Left edge of the window.
    pub t0: f64,
    /// Right edge of the window.
    pub t1: f64,
    /// The selected interval.
    pub at: Option<u64>,
    /// The interval under the pointer.
    pub pointed: Option<u64>,
    /// A range that is selected.
    pub range: Option<(f64, f64)>,
    /// Whether the demand of a set that was pinned is drawn, too.
    pub pinned: bool,
}

impl Look {
    /// A window, with nothing that stands out.
    pub fn new(width: f64, height: f64, t0: f64, t1: f64) -> Self {
        Self { width, height, t0, t1, at: None, pointed: None, range: None, pinned: false }
    }
}

/// Size of words along axes and in legends.
const SIZE: f64 = 12.0;
/// Room at the right edge.
const MARGIN: f64 = 12.0;

/// A filled rectangle without a hatch.
fn rect((x, y): (f64, f64), (w, h): (f64, f64), ink: Ink) -> Mark {
    Mark::Rect { x, y, w, h, ink, hatch: Hatch::None }
}

/// A line.
fn line(from: (f64, f64), to: (f64, f64), ink: Ink, line: f64) -> Mark {
    Mark::Line { from, to, ink, line }
}

/// A whole number of an axis as people write it.
fn number(value: f64) -> String {
    people::grouped(value.max(0.0).round() as u128)
}
