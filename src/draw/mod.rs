//! Drawing as data: a list of marks that canvas, SVG and tests all read.
//!
//! A chart is drawn by plotters instead, from a plan that is plain numbers as well.
//! Colours are roles, turned into values by a theme at the last moment. Nothing here knows the DOM.

#[cfg(feature = "blocks")]
pub mod blocks;
#[cfg(feature = "chain")]
pub mod chain;
pub mod chart;
pub mod gantt;
pub mod heat;
pub mod list;
pub mod scale;
pub mod strip;
#[cfg(feature = "tasks")]
pub mod tasks;
pub mod theme;
#[cfg(any(feature = "blocks", feature = "tasks"))]
mod words;

pub use list::{Align, DrawList, Hatch, Ink, Mark};
pub use scale::Scale;
pub use theme::Theme;
