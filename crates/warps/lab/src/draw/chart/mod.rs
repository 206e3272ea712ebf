//! A chart of converging chains: where everything stands, as plain numbers, and the drawing of it.
//!
//! The page asks a [`Layout`] what lies under the pointer and the drawing asks it where to draw, so the two
//! agree. Label areas have fixed sizes: a plan needs no fonts. On the logarithmic axis 0 stands at a small
//! positive origin, and its tick says 0.

mod layout;
mod plot;
#[cfg(test)]
pub(crate) mod sample;
mod ticks;

pub use layout::{Area, Entry, Layout, Legend, whole};
pub use plot::{DrawError, Surface, draw};
pub use ticks::Tick;

use serde::{Deserialize, Serialize};

use crate::timeline::convergence::{Axis, ImprovementId, StartKind};
use kit::draw::{Ink, Theme};

/// How the horizontal axis spreads its values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Spread {
    /// Evenly.
    Linear,
    /// By their logarithm.
    #[default]
    Log,
}

/// What is shown of a chart, and what stands out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Frame {
    /// Width of the whole picture.
    pub width: f64,
    /// Height of it.
    pub height: f64,
    /// What the horizontal axis counts.
    pub axis: Axis,
    /// How it spreads it.
    pub spread: Spread,
    /// The part of the spread axis in sight; all of it if none.
    pub zoom: Option<(f64, f64)>,
    /// Kinds of chains that are not shown.
    pub hidden: Vec<StartKind>,
    /// The improvement under the pointer or the cursor.
    pub pointed: Option<ImprovementId>,
    /// The selected improvement.
    pub selected: Option<ImprovementId>,
    /// A stretch marked from pixel to pixel.
    pub range: Option<(f64, f64)>,
    /// A title, with which the picture also carries its own legend.
    pub heading: Option<String>,
    /// The colours.
    pub theme: Theme,
}

/// The colour of a kind of chains.
pub fn ink(kind: StartKind) -> Ink {
    match kind {
        StartKind::RoundRobin => Ink::Class(0),
        StartKind::FixedPriority => Ink::Class(1),
        StartKind::MostPending => Ink::Class(2),
        StartKind::Random => Ink::Class(3),
        StartKind::GreedyThenOldest => Ink::Class(4),
        StartKind::LooseRoundRobin => Ink::Class(5),
        StartKind::Other => Ink::Muted,
    }
}

/// The radius of a dot without corners.
pub const DOT: f64 = 3.5;

/// The corners of a kind's dot about its middle; without any it is round.
pub fn corners(kind: StartKind) -> &'static [(f64, f64)] {
    match kind {
        StartKind::RoundRobin => &[],
        StartKind::FixedPriority => &[(-3.0, -3.0), (3.0, -3.0), (3.0, 3.0), (-3.0, 3.0)],
        StartKind::MostPending => &[(0.0, -4.5), (4.5, 3.5), (-4.5, 3.5)],
        StartKind::Random => &[(0.0, -4.5), (4.5, 0.0), (0.0, 4.5), (-4.5, 0.0)],
        StartKind::GreedyThenOldest => &[(4.5, 0.0), (-3.5, -4.5), (-3.5, 4.5)],
        StartKind::LooseRoundRobin => &[(-4.5, 0.0), (3.5, -4.5), (3.5, 4.5)],
        StartKind::Other => &[(0.0, 4.5), (4.5, -3.5), (-4.5, -3.5)],
    }
}
