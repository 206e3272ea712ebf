//! A blocks document as its form sees it, beside what all forms have in common.

pub mod device;
pub mod examiner;
pub mod streams;

use serde_json::Value;

pub use kit::page::fields::{
    Holds, Slot, fits, path, problems_at, problems_of, shown, typed, units, written,
};
use path::Key;

/// Whether there are several processes, which take turns.
pub fn has_processes(tree: &Value) -> bool {
    let Some(blocks) = tree.get("blocks") else { return false };
    let streams = blocks.get("streams").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let process = |stream: &Value| stream.get("process").and_then(Value::as_u64).unwrap_or_default();
    let differ = streams.iter().any(|stream| process(stream) != process(&streams[0]));
    let configured = path::get(blocks, &[Key::Of("examiner"), Key::Of("use_processes")]);
    differ || configured == Some(&Value::Bool(true)) || blocks.get("time_slice").is_some()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn processes_take_turns_where_there_are_several() {
        let of = |inside: Value| has_processes(&json!({"blocks": inside}));
        assert!(!of(json!({"streams": [{}, {"process": 0}]})));
        assert!(of(json!({"streams": [{}, {"process": 1}]})));
        assert!(of(json!({"examiner": {"use_processes": true}})));
        assert!(!of(json!({"measured": []})));
    }
}
