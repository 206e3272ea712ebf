//! The tasks lab's state as plain values.

pub mod experiment;
pub mod published;
mod seen;

pub use seen::Seen;
