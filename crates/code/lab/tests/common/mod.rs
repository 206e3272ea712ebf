//! What several tests ask about.

use serde_json::{Value, json};
use warpspan_code_lab::document;

/// A kernel as its listing is opened, played by a policy.
pub fn saxpy() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../read/tests/fixtures/saxpy-sm_75.sass");
    let text = std::fs::read_to_string(path).expect("a fixture");
    let mut tree = document(&text).expect("a document");
    tree["warps"]["method"] = json!({ "policy": "greedy-then-oldest" });
    tree
}
