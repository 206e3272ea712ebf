//! A chain as something to walk along: rows of kernels that join the rows of host tasks, station by station.
//!
//! Nothing here computes a result: all of it is the report, put in order and into words.

pub mod sample;
mod stations;
mod walk;
pub mod worth;

pub use stations::{Content, Room, content, conversion, room};
pub use walk::{Group, Node, Row, Station, Toward, Walk};
pub use worth::Worth;
