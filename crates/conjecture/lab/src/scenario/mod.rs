//! The `conjecture` part of a scenario, and the document that shows a refutation.

mod conjecture;
mod refutation;

pub use conjecture::{ConjectureScenario, read};
pub use refutation::document_of_refutation;
