//! Demand and witnesses over time.

pub mod tasks;
