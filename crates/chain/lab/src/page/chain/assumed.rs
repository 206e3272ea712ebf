//! What a document takes for granted because its source did not say it: shown with the result, and changed in place.
//!
//! Whoever sets a value, or says that it is right, has said it: it is no longer assumed.

use serde_json::{Value, json};

use kit::import::json as json_text;
use kit::page::edit;
use kit::page::fields::path;
use kit::page::fields::path::Key;
use kit::page::fields::path::Key::{At, Named, Of};
use kit::page::fields::path::{Path, get, items, remove, set};

/// Where the list stands.
const LIST: [Key; 2] = [Of("chain"), Of("assumed")];

/// How a value is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asks {
    /// A GPU, by its preset.
    Device,
    /// A multiprocessor, by its preset.
    Machine,
    /// Whether kernels share the GPU.
    Sharing,
    /// Whether a task gives its core away while it waits.
    Wait,
    /// How a core schedules.
    Scheduler,
    /// A number or a name.
    Text,
    /// More than fits into a field.
    Json,
}

/// Something that is assumed.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Its place in the list.
    pub place: usize,
    /// What it is.
    pub what: String,
    /// Why that is taken.
    pub why: String,
    /// Where it stands in the document, as problems name it.
    pub path: String,
    /// What is taken, as a text.
    pub value: String,
    /// How another one is asked for.
    pub asks: Asks,
}

/// `chain.kernels[0].blocks` as a path; none for what is no place within the chain.
pub fn path_of(text: &str) -> Option<Path> {
    let mut path = Vec::new();
    for part in text.split('.') {
        let (name, rest) = part.split_once('[').map_or((part, ""), |(name, rest)| (name, rest));
        if name.is_empty() {
            return None;
        }
        path.push(if path.is_empty() && name == "chain" { Of("chain") } else { Named(name.to_owned()) });
        let closed = rest.is_empty() || rest.ends_with(']');
        if !closed {
            return None;
        }
        for number in rest.split(['[', ']']).filter(|number| !number.is_empty()) {
            path.push(At(number.parse().ok()?));
        }
    }
    (path.first() == Some(&Of("chain")) && path.len() > 1).then_some(path)
}

/// What a document assumes, in its sequence.
pub fn entries(tree: &Value) -> Vec<Entry> {
    let text = |item: &Value, key: &str| item.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let entry = |(place, item): (usize, &Value)| {
        let path = text(item, "path");
        let present = path_of(&path).and_then(|path| get(tree, &path));
        let asks = asks(&path, present);
        let value = match (asks, present) {
            (Asks::Device | Asks::Machine, Some(object)) if object.is_object() => text(object, "preset"),
            (Asks::Json, _) | (_, None) => text(item, "value"),
            (_, Some(Value::String(text))) => text.clone(),
            (_, Some(other)) => json_text::line(other),
        };
        Entry { place, what: text(item, "what"), why: text(item, "why"), path, value, asks }
    };
    items(tree, &LIST).iter().enumerate().map(entry).collect()
}

fn asks(path: &str, present: Option<&Value>) -> Asks {
    let has_preset = present
        .is_none_or(|value| value.as_object().is_none_or(|map| map.len() == 1 && map.contains_key("preset")));
    if path_of(path).is_none() {
        return Asks::Json;
    }
    match path.rsplit('.').next().unwrap_or_default() {
        "device" if has_preset => Asks::Device,
        "machine" if has_preset => Asks::Machine,
        "sharing" => Asks::Sharing,
        "wait" => Asks::Wait,
        "scheduler" => Asks::Scheduler,
        _ if present.is_some_and(|value| value.is_object() || value.is_array()) => Asks::Json,
        _ => Asks::Text,
    }
}

/// The document with another value there, which is then no longer assumed.
pub fn with_value(tree: &Value, place: usize, text: &str) -> Option<Value> {
    let entry = entries(tree).into_iter().nth(place)?;
    let path = path_of(&entry.path)?;
    let value = match entry.asks {
        Asks::Device | Asks::Machine => json!({"preset": text}),
        Asks::Sharing | Asks::Wait | Asks::Scheduler => Value::from(text),
        Asks::Text if get(tree, &path).is_some_and(Value::is_string) => Value::from(text),
        Asks::Text => edit::number_or_text(text),
        Asks::Json => return None,
    };
    Some(confirmed(&set(tree, &path, value), place))
}

/// The document in which that value is no longer assumed, as someone says that it is right.
pub fn confirmed(tree: &Value, place: usize) -> Value {
    let rest = remove(tree, &[&LIST[..], &[At(place)]].concat());
    if path::items(&rest, &LIST).is_empty() { remove(&rest, &LIST) } else { rest }
}

/// How much is assumed, in a sentence.
pub fn in_words(count: usize) -> String {
    let things = base::people::plural(count, "value", "values");
    let verb = if count == 1 { "is" } else { "are" };
    format!(
        "{things} {verb} not in the source of this document and {verb} taken for granted until you say otherwise."
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree() -> Value {
        json!({"chain": {"device": {"preset": "jetson-tx2"}, "kernels": [{"name": "k", "blocks": 1}], "assumed": [
            {"what": "GPU", "value": "jetson-tx2", "why": "no name", "path": "chain.device"},
            {"what": "Blocks of k", "value": "1", "why": "not said", "path": "chain.kernels[0].blocks"},
            {"what": "Threads of k", "value": "256", "why": "not said", "path": "chain.kernels[0].threads"},
        ]}})
    }

    #[test]
    fn places_are_read_as_problems_write_them() {
        let path = path_of("chain.kernels[0].blocks");
        assert_eq!(path.as_deref().map(path::place).as_deref(), Some("chain.kernels[0].blocks"));
        for wrong in
            ["", "chain", "title", "chain..x", "chain.kernels[x]", "chain.kernels[0", "blocks.streams[0]"]
        {
            assert_eq!(path_of(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn what_is_assumed_is_asked_for_in_its_way() {
        let found = entries(&tree());
        let said: Vec<_> = found.iter().map(|entry| (entry.asks, entry.value.as_str())).collect();
        assert_eq!(said, [(Asks::Device, "jetson-tx2"), (Asks::Text, "1"), (Asks::Text, "256")]);
        let own = json!({"chain": {"device": {"sms": 3}, "assumed": [{"what": "GPU", "value": "3 SMs", "path": "chain.device"}]}});
        assert_eq!((entries(&own)[0].asks, entries(&own)[0].value.as_str()), (Asks::Json, "3 SMs"));
        assert_eq!(entries(&json!({"chain": {"assumed": 3}})), []);
    }

    #[test]
    fn a_value_that_is_set_is_no_longer_assumed() {
        let after = with_value(&tree(), 1, "8").unwrap_or_default();
        assert_eq!(after["chain"]["kernels"][0]["blocks"], 8);
        assert_eq!(items(&after, &LIST).len(), 2);
        let after = with_value(&after, 0, "titan-v").unwrap_or_default();
        assert_eq!(after["chain"]["device"], json!({"preset": "titan-v"}));
        let after = with_value(&after, 0, "many").unwrap_or_default();
        assert_eq!(after["chain"]["kernels"][0]["threads"], "many");
        assert_eq!(after["chain"].get("assumed"), None);
        assert_eq!(with_value(&after, 0, "1"), None);
    }

    #[test]
    fn a_value_may_be_right_as_it_is() {
        let after = confirmed(&tree(), 2);
        assert_eq!(items(&after, &LIST).len(), 2);
        assert_eq!(confirmed(&after, 9), after);
        assert!(in_words(1).starts_with("1 value is not in the source"));
    }
}
