//! Demand, witnesses and experiments as marks.

pub mod tasks;
