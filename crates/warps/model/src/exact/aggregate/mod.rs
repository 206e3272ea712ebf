//! Aggregates of states: warps counted by phase, as a table of bounds and as a search space.

mod cells;
pub mod refined;
pub mod table;
