//! The starts of an annealing's chains in the document.

use serde_json::Value;

use kit::page::edit;
use warps::anneal::StartKind;
use warps_lab::timeline::convergence;

/// Where they stand.
pub const STARTS: [&str; 4] = ["warps", "method", "anneal", "starts"];

/// What readers call a start.
pub fn start_label(kind: StartKind) -> &'static str {
    convergence::StartKind::named(kind.name()).label()
}

/// The document with the starts of all chains.
pub fn with_starts(tree: &Value, starts: Vec<StartKind>) -> Value {
    let names = starts.into_iter().map(|start| Value::from(start.name())).collect();
    edit::set(tree, &STARTS, Value::Array(names))
}
