//! A study on the page, as plain values: what there is to come, the rows as they come, what is seen of them.
//!
//! Nothing here reads a study or computes a cell: workers do, and tell of it in lines.

pub mod chart;
pub mod choose;
pub mod export;
pub mod form;
pub mod known;
pub mod made;
pub mod plan;
pub mod run;
pub mod says;
pub mod small;
pub mod suggest;
#[cfg(test)]
mod tests;

pub use chart::{Chart, Dot, Series};
pub use known::Known;
pub use plan::{Named, Plan};
pub use run::{Run, State};
