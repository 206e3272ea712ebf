//! What a form suggests: places in the base that may be axes, and measures of the report of its lab.

use kit::import::reader::join;
use serde_json::Value;

/// So many places are suggested at most.
const MOST: usize = 200;
/// No deeper than this is looked.
const DEEPEST: usize = 12;

/// The places of a base where a number stands, or a generator has one, with what stands there.
pub fn paths(base: &Value) -> Vec<(String, String)> {
    let mut found = Vec::new();
    walk(base, "", 0, &mut found);
    found
}

fn walk(value: &Value, place: &str, depth: usize, found: &mut Vec<(String, String)>) {
    if found.len() >= MOST || depth > DEEPEST {
        return;
    }
    match value {
        Value::Object(map) => {
            for (key, inner) in map {
                if !["warpspan", "title", "notes"].contains(&key.as_str()) || depth > 0 {
                    walk(inner, &join(place, key), depth + 1, found);
                }
            }
        }
        Value::Array(items) => {
            for (at, inner) in items.iter().enumerate() {
                walk(inner, &format!("{place}[{at}]"), depth + 1, found);
            }
        }
        Value::Number(number) => found.push((place.to_owned(), number.to_string())),
        Value::String(_) | Value::Bool(_) | Value::Null => {}
    }
}

/// The labs that a base may be of, by the key of their question.
const LABS: [&str; 6] = ["warps", "conjecture", "blocks", "tasks", "chain", "trace"];

/// Which lab a base is of.
pub fn lab_of(base: &Value) -> Option<&'static str> {
    LABS.into_iter().find(|key| base.get(key).is_some())
}

/// Measures of a lab's report: a name, a formula, and what it tells.
pub fn measures(lab: &str) -> &'static [(&'static str, &'static str, &'static str)] {
    match lab {
        "warps" => &[
            ("makespan", "makespan", "cycles until all warps are done"),
            ("each", "makespan / document.warps.count", "cycles for each warp"),
            ("upper", "upper", "the proven upper bound, in cycles"),
            ("lower", "lower", "the lower bound, in cycles"),
            ("ratio", "upper / lower", "how far the bounds are apart"),
        ],
        "conjecture" => &[
            ("refuted", "cells[0].verdict == \"refuted\"", "whether the claim does not hold"),
            ("claimed", "cells[0].allowed", "what the claim allows, in cycles"),
            ("worst", "cells[0].lower", "the worst case, in cycles"),
        ],
        "blocks" => &[
            ("last", "max(response[*].completion)", "when the last kernel is done, in nanoseconds"),
            ("first", "min(response[*].completion)", "when the first is, in nanoseconds"),
        ],
        "tasks" => &[
            ("schedulable", "schedulable", "whether every deadline is met"),
            ("utilisation", "utilisation", "the share of the processor that the tasks need"),
        ],
        "chain" => &[
            ("schedulable", "verdict.schedulable", "whether every deadline is met"),
            ("proven", "verdict.kind != \"simulated\"", "whether that is proven"),
        ],
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_are_places() {
        let base = json!({"warpspan": 1, "title": "t", "warps": {"count": 4, "kernel": "L",
            "machine": {"L": 1}, "list": [{"a b": 2}, true]}});
        let places: Vec<String> = paths(&base).into_iter().map(|(place, _)| place).collect();
        assert_eq!(places, ["warps.count", "warps.machine.L", "warps.list[0].\"a b\""]);
        assert_eq!((lab_of(&base), lab_of(&json!({}))), (Some("warps"), None));
    }
}
