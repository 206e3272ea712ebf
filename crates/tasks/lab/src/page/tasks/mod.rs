//! The tasks lab's state as plain values.

pub mod again;
pub mod compared;
pub mod experiment;
pub mod form;
pub mod graph;
pub mod guess;
mod jobs;
mod parts;
pub mod published;
pub mod seek;
mod seen;
mod stretch;
pub mod summary;
mod values;
mod view;

pub use jobs::{found, how_to_read, jobs_in_words, said_of};
pub use parts::{NONE, TaskLine, VertexLine, fraction, growth, task_line, vertex_lines, vertices_in_words};
pub use seen::Seen;
pub use stretch::Stretch;
pub use values::{Values, cells};
pub use view::View;

pub use crate::timeline::tasks::{Demand, Witnessed};

/// Height of the demand chart, in pixels.
pub const HEIGHT: f64 = 420.0;
