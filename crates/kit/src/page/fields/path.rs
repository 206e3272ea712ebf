//! Places in a document, through lists as well as objects, written as its problems name them.

use std::fmt::Write;

use serde_json::Value;

use crate::page::edit::field_of;

/// One step of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Key {
    /// A field of an object.
    Of(&'static str),
    /// A field whose name the document chooses.
    Named(String),
    /// An item of a list, from 0.
    At(usize),
}

/// The steps to a place.
pub type Path = Vec<Key>;

/// The path of a list's item.
pub fn item(path: &[Key], place: usize) -> Path {
    [path, &[Key::At(place)]].concat()
}

/// The path of an object's field.
pub fn field(path: &[Key], name: &'static str) -> Path {
    [path, &[Key::Of(name)]].concat()
}

/// `blocks.streams[0].label`.
pub fn place(path: &[Key]) -> String {
    let mut out = String::new();
    for key in path {
        // Writing to a text cannot fail.
        let _ = match key {
            Key::Of(name) if out.is_empty() => write!(out, "{name}"),
            Key::Of(name) => write!(out, ".{name}"),
            Key::Named(name) => write!(out, ".{name}"),
            Key::At(place) => write!(out, "[{place}]"),
        };
    }
    out
}

/// `blocks-streams-0-label`, fit for ids.
pub fn id(path: &[Key]) -> String {
    place(path).replace("].", "-").replace(['.', '['], "-").replace(']', "")
}

/// What stands at a place.
pub fn get<'a>(tree: &'a Value, path: &[Key]) -> Option<&'a Value> {
    path.iter().try_fold(tree, |value, key| match key {
        Key::Of(name) => value.get(name),
        Key::Named(name) => value.get(name),
        Key::At(place) => value.get(place),
    })
}

/// The items of a list; none where there is no list.
pub fn items<'a>(tree: &'a Value, path: &[Key]) -> &'a [Value] {
    get(tree, path).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// The document with another value at a place; objects on the way are made where there are none.
pub fn set(tree: &Value, path: &[Key], value: Value) -> Value {
    let mut tree = tree.clone();
    if let Some(slot) = slot(&mut tree, path) {
        *slot = value;
    }
    tree
}

/// The document without what stands at a place.
pub fn remove(tree: &Value, path: &[Key]) -> Value {
    let mut tree = tree.clone();
    let Some((last, rest)) = path.split_last() else { return tree };
    if get(&tree, rest).is_none() {
        return tree;
    }
    match (slot(&mut tree, rest), last) {
        (Some(Value::Object(map)), Key::Of(name)) => drop(map.shift_remove(*name)),
        (Some(Value::Object(map)), Key::Named(name)) => drop(map.shift_remove(name)),
        (Some(Value::Array(items)), Key::At(place)) if *place < items.len() => drop(items.remove(*place)),
        _ => {}
    }
    tree
}

/// The document with one more item at the end of a list, which is made where there is none.
pub fn push(tree: &Value, list: &[Key], value: Value) -> Value {
    let mut tree = tree.clone();
    match slot(&mut tree, list) {
        Some(Value::Array(items)) => items.push(value),
        Some(other) => *other = Value::Array(vec![value]),
        None => {}
    }
    tree
}

/// The document with an item of a list elsewhere in it.
pub fn moved(tree: &Value, list: &[Key], from: usize, to: usize) -> Value {
    let mut tree = tree.clone();
    if get(&tree, list).is_some()
        && let Some(Value::Array(items)) = slot(&mut tree, list)
        && from.max(to) < items.len()
    {
        let item = items.remove(from);
        items.insert(to, item);
    }
    tree
}

fn slot<'a>(tree: &'a mut Value, path: &[Key]) -> Option<&'a mut Value> {
    path.iter().try_fold(tree, |value, key| match key {
        Key::Of(name) => field_of(value, name),
        Key::Named(name) => field_of(value, name),
        Key::At(place) => value.get_mut(place),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Key::{At, Of};
    use super::*;

    #[test]
    fn places_are_written_as_problems_name_them() {
        let path = [Of("blocks"), Of("streams"), At(0), Of("operations"), At(12), Of("kernel")];
        assert_eq!(place(&path), "blocks.streams[0].operations[12].kernel");
        assert_eq!(id(&path), "blocks-streams-0-operations-12-kernel");
        assert_eq!(place(&item(&path[..2], 4)), "blocks.streams[4]");
        assert_eq!(field(&path[..3], "label").len(), 4);
    }

    #[test]
    fn a_value_changes_where_it_is_and_nothing_else_does() {
        let tree = json!({"a": [{"b": 1, "c": 2}, 3], "d": 4});
        let path = [Of("a"), At(0), Of("b")];
        assert_eq!(set(&tree, &path, json!(9)).to_string(), r#"{"a":[{"b":9,"c":2},3],"d":4}"#);
        assert_eq!(remove(&tree, &path).to_string(), r#"{"a":[{"c":2},3],"d":4}"#);
        assert_eq!(remove(&tree, &[Of("a"), At(0)]).to_string(), r#"{"a":[3],"d":4}"#);
        assert_eq!(set(&tree, &[Of("x"), Of("y")], json!(1))["x"], json!({"y": 1}));
        let nowhere = [Of("a"), At(7), Of("b")];
        assert_eq!([set(&tree, &nowhere, json!(1)), remove(&tree, &nowhere)], [tree.clone(), tree]);
    }

    #[test]
    fn items_come_go_and_move() {
        let tree = json!({"a": [1, 2, 3]});
        let list = [Of("a")];
        assert_eq!(push(&tree, &list, json!(4))["a"], json!([1, 2, 3, 4]));
        assert_eq!(push(&tree, &[Of("b")], json!(4))["b"], json!([4]));
        assert_eq!(moved(&tree, &list, 2, 0)["a"], json!([3, 1, 2]));
        assert_eq!(moved(&tree, &list, 0, 3), tree);
        assert_eq!(moved(&tree, &[Of("b")], 0, 0), tree);
    }
}
