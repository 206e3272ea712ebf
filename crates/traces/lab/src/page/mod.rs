//! The lab on the page, without a browser: what crosses from the worker that holds a recording, what is seen of it, what
//! is asked about it.

pub mod columns;
pub mod desk;
pub mod form;
mod longest;
pub mod packed;
pub mod run;
pub mod says;
pub mod seam;
pub mod seek;
mod stretch;
pub mod table;

pub use desk::Desk;
pub use packed::{Lane, Packed, Row};
pub use run::{Bar, Run};

use serde_json::Value;

use crate::LINKED;
use crate::scenario::{Given, TraceScenario};
use traces::Causes;

/// The run within a document; none where files hold it.
pub fn run_in(document: &Value) -> Option<Run> {
    let scenario = LINKED.from_tree(document).ok()?;
    let Given::Recorded(trace) = &scenario.asked::<TraceScenario>()?.given else { return None };
    Some(Run::new(Packed::of(&Causes::of(trace))))
}

#[cfg(test)]
mod tests;
