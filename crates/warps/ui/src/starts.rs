//! The starts of an annealing's chains in the document.

use serde_json::Value;

use kit::page::edit;
use ui_kit::doc::Doc;
use warps::anneal::StartKind;
use warps_lab::timeline::convergence;

/// Where they stand.
pub const STARTS: [&str; 4] = ["warps", "method", "anneal", "starts"];

/// What readers call a start.
pub fn start_label(kind: StartKind) -> &'static str {
    convergence::StartKind::named(kind.name()).label()
}

/// Writes the starts of all chains into the document.
pub fn write_starts(doc: Doc, starts: Vec<StartKind>) {
    let names = starts.into_iter().map(|start| Value::from(start.name())).collect();
    doc.edit_tree("starts", |tree| edit::set(tree, &STARTS, Value::Array(names)));
}
