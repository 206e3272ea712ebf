//! Drawing as data: a list of marks that canvas, SVG and tests all read.
//!
//! Colours are roles, turned into values by a theme at the last moment. Nothing here knows the DOM.

pub mod axes;
pub mod dim;
pub mod heat;
pub mod list;
pub mod nanos;
pub mod overview;
pub mod scale;
pub mod theme;
pub mod words;

pub use axes::{Axes, Tick};
pub use list::{Align, DrawList, Hatch, Ink, Mark};
pub use scale::Scale;
pub use theme::Theme;
