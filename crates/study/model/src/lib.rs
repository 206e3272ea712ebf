//! Studies: grids of scenarios, seeds of their cells, random inputs for them, and statistics of what was measured.
//!
//! Everything random comes from one seeded generator for each cell, and from sums, products and square roots alone,
//! which are the same on every machine; logarithms and powers are not. Nothing here reads a clock, a file or the DOM,
//! and nothing here is serialised.

pub mod grid;
pub mod seeds;

pub mod kernels;
pub mod periods;
pub mod recurring;
pub mod utilisations;

pub mod boxes;
pub mod statistics;

pub use grid::{Grid, Place};
pub use seeds::seed_of;

/// The most cells of a study.
pub const MOST_CELLS: u64 = 10_000_000;
