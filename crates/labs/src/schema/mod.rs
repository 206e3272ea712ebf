//! The JSON Schema of the scenario document, made of what the readers ask while they read.
//!
//! Nobody writes it down a second time. [`explore`] reads the examples with a reader that takes notes, then changes them
//! key by key as long as a change makes the readers ask something new; [`table`] joins the notes by place; this file
//! writes them as a schema.
//!
//! A document that the readers take fits the schema. The other way round it does not hold: what depends on another
//! place of the document, or on what a text means, no schema says. So it tells an editor which keys there are, what
//! they hold and in which range; `warpspan run` has the last word.

mod explore;
mod table;

use serde_json::{Map, Value, json};

use crate::ALL;
use kit::scenario::version::CURRENT;
use table::{Bounds, Path, Place, Table};

/// The schema.
pub fn schema() -> Value {
    let table = explore::table();
    let mut objects = Map::new();
    for (path, place) in &table {
        if place.is_object() {
            objects.insert(name(path), object(&table, path, place));
        }
    }
    // Which versions there are is not the readers' to say: older ones never reach them.
    let mut root = objects.remove(ROOT).unwrap_or_default();
    if let Some(root) = root.as_object_mut() {
        root["properties"]["warpspan"] = json!({"enum": (1..=CURRENT).collect::<Vec<_>>()});
        root.insert("required".to_owned(), json!(["warpspan"]));
        let asks: Vec<Value> =
            kit::lab::keys(ALL.labs).iter().map(|key| json!({"required": [key]})).collect();
        root.insert("oneOf".to_owned(), json!(asks));
    }
    let mut schema = Map::new();
    schema.insert("$schema".to_owned(), json!("https://json-schema.org/draft/2020-12/schema"));
    schema.insert("title".to_owned(), json!("Warpspan scenario"));
    schema.extend(root.as_object().cloned().unwrap_or_default());
    schema.insert("$defs".to_owned(), Value::Object(objects));
    Value::Object(schema)
}

const ROOT: &str = "document";

/// What an object is called among the definitions: `warps.references.each`.
fn name(path: &Path) -> String {
    let words = path.iter().map(|word| match word.as_str() {
        table::EACH => "each",
        table::ANY => "any",
        word => word,
    });
    let name = words.collect::<Vec<_>>().join(".");
    if name.is_empty() { ROOT.to_owned() } else { name }
}

/// An object with one set of keys, one of several, or with keys of its author's own.
fn object(table: &Table, path: &Path, place: &Place) -> Value {
    if place.is_map {
        return json!({"type": "object", "additionalProperties": value(table, table::below(path, table::ANY))});
    }
    let mut kinds: Vec<Value> = place.variants.iter().map(|kind| closed(table, path, kind)).collect();
    if kinds.len() == 1 { kinds.remove(0) } else { json!({"anyOf": kinds}) }
}

fn closed(table: &Table, path: &Path, (keys, required): (&Vec<String>, &Option<Vec<String>>)) -> Value {
    let mut properties = Map::new();
    for key in keys {
        properties.insert(key.clone(), value(table, table::below(path, key)));
    }
    let mut object = json!({"type": "object", "properties": properties, "additionalProperties": false});
    if let (Some(required), Some(object)) = (required, object.as_object_mut())
        && !required.is_empty()
    {
        object.insert("required".to_owned(), json!(required));
    }
    object
}

/// What may stand at a place; anything where the readers leave it to others.
fn value(table: &Table, path: Path) -> Value {
    let Some(place) = table.get(&path) else { return json!({}) };
    let mut ways: Vec<Value> = Vec::new();
    if place.is_object() {
        ways.push(json!({"$ref": format!("#/$defs/{}", name(&path))}));
    }
    if place.list || place.taken.contains("array") {
        ways.push(json!({"type": "array", "items": value(table, table::below(&path, table::EACH))}));
    }
    if let Some(most) = place.text {
        ways.push(place.words().unwrap_or_else(|| json!({"type": "string", "maxLength": most})));
    } else if place.taken.contains("string") {
        ways.push(place.words().unwrap_or_else(|| json!({"type": "string"})));
    }
    ways.extend(place.whole.as_ref().map(|bounds| number("integer", bounds)));
    ways.extend(place.number.as_ref().map(|bounds| number("number", bounds)));
    if place.truth {
        ways.push(json!({"type": "boolean"}));
    }
    let plain = ["object", "number", "boolean", "null"].into_iter();
    ways.extend(plain.filter(|kind| place.taken.contains(kind)).map(|kind| json!({"type": kind})));
    let mut schema = match ways.len() {
        0 | 1 => ways.pop().unwrap_or_else(|| json!({})),
        _ => json!({"anyOf": ways}),
    };
    if let (Some(Some(said)), Some(schema)) = (&place.said, schema.as_object_mut()) {
        schema.insert("description".to_owned(), json!(said));
    }
    schema
}

fn number(kind: &str, bounds: &Bounds) -> Value {
    let mut schema = Map::new();
    schema.insert("type".to_owned(), json!(kind));
    for (key, bound) in [("minimum", &bounds.low), ("maximum", &bounds.high)] {
        if let Some(bound) = bound {
            schema.insert(key.to_owned(), bound.clone());
        }
    }
    Value::Object(schema)
}
