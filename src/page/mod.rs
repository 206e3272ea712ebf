//! The page's state as plain values: what is edited, shown, selected, played and run; of the kit, of every lab, and of
//! the shell around them.
//!
//! Components bind these to the screen. Nothing here knows the DOM, so all of it is tested natively.

pub mod embed;
pub mod example;
pub mod linked;
pub mod session;
pub mod trial;

pub use blocks_lab::page::blocks;
pub use chain_lab::page::chain;
pub use classroom::page::{reproduce, sheet};
pub use conjecture_lab::page::{claims, experiment};
pub use kit::page::*;
pub use tasks_lab::page::tasks;
pub use warps_lab::page::{
    adopt, chart, compare, curve, find, program, proof, reorder, search, shown, source,
};
pub use workers::pool;

pub use compare::Comparison;
pub use experiment::Judged;
pub use proof::Proof;
pub use search::Search;
pub use session::Session;
pub use shown::Shown;
pub use source::Source;
pub use trial::Trial;
