//! An adversary: random programs on a machine of its own, which knows why everything started when it did. What is told of
//! its exports is held against that: no cause that was none, accounts to the nanosecond, no gain that the machine has not.
//!
//! Nothing here uses what the model computes with; the machine is written from the published rules alone.

#![allow(clippy::unwrap_used)] // All of it is tests: what is missing fails them.
#![allow(clippy::cast_possible_wrap)] // Places in programs are small.

#[path = "../fixtures/mod.rs"]
mod fixtures;

mod export;
mod machine;
mod program;

mod accounts;
mod causes;
mod gains;
