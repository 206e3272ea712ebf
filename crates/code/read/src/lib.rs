//! Machine code as disassemblers print it, read into launches of the model.
//!
//! Text becomes a [`listing`] of functions; a [`walk`] through one of them says what a warp executes; the tables of an
//! [`arch`] say on which units and how long. Nothing here reads a file, and everything assumed is told.

pub mod arch;
mod constants;
pub mod control;
mod derive;
mod flow;
mod launch;
pub mod listing;
pub mod occupancy;
pub mod opcode;
pub mod resources;
pub mod tables;
mod uncertain;
pub mod walk;

pub use arch::Architecture;
pub use launch::{Asked, Made, Row, launch};
pub use listing::{Function, Line, Listing, Timing, looks_like, read};
pub use occupancy::{Held, Limits, Need, Resource};
pub use opcode::Class;
pub use resources::{Known, Resources};
pub use tables::{Changes, Tables};
pub use walk::{Trips, Walk};
