//! The tasks lab's state as plain values.

pub mod form;
pub mod graph;
mod seen;

pub use seen::Seen;
