//! The tasks lab's state as plain values.

mod seen;

pub use seen::Seen;
