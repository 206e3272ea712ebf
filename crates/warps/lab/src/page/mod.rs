//! What the page shows of warps, as plain values. Nothing here knows the DOM.

pub mod adopt;
pub mod chart;
pub mod compare;
pub mod curve;
pub mod find;
pub mod fitted;
mod idle;
mod picture;
pub mod program;
pub mod proof;
mod query;
pub mod reorder;
pub mod search;
pub mod shown;
pub mod source;
pub mod sums;

pub use compare::Comparison;
pub use proof::Proof;
pub use search::Search;
pub use shown::Shown;
pub use source::Source;
