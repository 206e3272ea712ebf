//! What the form shows of a document of a recorded run.

use serde_json::Value;

use base::people;
use kit::page::edit;

/// Where the recording is, in a sentence.
pub fn recording(tree: &Value) -> String {
    let name = |item: &Value| {
        let name = item.as_str().or_else(|| item.get("name")?.as_str()).unwrap_or("a file").to_owned();
        match item.get("bytes").and_then(Value::as_u64) {
            Some(bytes) => format!("{name} ({} bytes)", people::grouped(bytes.into())),
            None => name,
        }
    };
    match (edit::get(tree, &["trace", "files"]), edit::get(tree, &["trace", "recorded"])) {
        (Some(Value::Array(files)), _) => people::listed(&files.iter().map(name).collect::<Vec<_>>()),
        (_, Some(_)) => "Within the document.".to_owned(),
        _ => "None.".to_owned(),
    }
}

/// The changes.
pub fn changes(tree: &Value) -> Vec<Value> {
    edit::get(tree, &["trace", "changes"]).and_then(Value::as_array).cloned().unwrap_or_default()
}

/// A document without one of its changes.
pub fn without_change(tree: &Value, place: usize) -> Value {
    let mut all = changes(tree);
    if place < all.len() {
        all.remove(place);
    }
    let path = ["trace", "changes"];
    if all.is_empty() { edit::remove(tree, &path) } else { edit::set(tree, &path, Value::Array(all)) }
}

/// A change in words.
pub fn change_in_words(change: &Value) -> String {
    let which = |value: &Value, thing: &str| match value {
        Value::String(name) => format!("All {name}"),
        Value::Array(all) => match &all[..] {
            [one] => format!("{thing} {one}"),
            several => people::counted(several.len(), &thing.to_lowercase()),
        },
        _ => thing.to_owned(),
    };
    let percent = |value: &Value| match value.as_u64() {
        Some(0) => "no time".to_owned(),
        Some(50) => "half as long".to_owned(),
        _ => format!("{value} % of the time"),
    };
    let of = |key: &str| change.get(key);
    match (of("operations"), of("calls"), of("streams")) {
        (Some(list), ..) => {
            let which = which(list, "Operation");
            match (of("takes"), of("without"), of("stream")) {
                (Some(takes), ..) => format!("{which}: {}", percent(takes)),
                (_, Some(cause), _) => {
                    format!("{which}: not held back by {}", cause.as_str().unwrap_or_default())
                }
                (.., Some(lane)) => format!("{which}: in stream {lane}"),
                _ => which,
            }
        }
        (_, Some(list), _) => {
            let which = which(list, "Call");
            match (of("takes"), of("waits"), of("at_once")) {
                (Some(takes), ..) => format!("{which}: {}", percent(takes)),
                (_, Some(_), _) => format!("{which}: waits for nothing"),
                _ => format!("{which}: returns at once"),
            }
        }
        (.., Some(Value::Array(list))) => format!("{} made one", people::counted(list.len(), "stream")),
        _ => "Unknown change".to_owned(),
    }
}
