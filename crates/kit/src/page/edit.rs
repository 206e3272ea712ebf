//! Changing one field of a document: the form writes through this, so form and text never differ.
//!
//! Paths here are of names alone; those through lists are in `fields::path`.

use serde_json::{Map, Value};

use crate::import::json;

/// The value at a path of keys.
pub fn get<'a>(tree: &'a Value, path: &[&str]) -> Option<&'a Value> {
    path.iter().try_fold(tree, |value, key| value.get(key))
}

/// The document with the field at `path` set, objects made on the way where there are none.
pub fn set(tree: &Value, path: &[&str], value: Value) -> Value {
    let mut tree = tree.clone();
    if let Some(slot) = path.iter().try_fold(&mut tree, |value, name| field_of(value, name)) {
        *slot = value;
    }
    tree
}

/// A field of an object, nothing if there is none; what is no object becomes one.
pub(super) fn field_of<'a>(value: &'a mut Value, name: &str) -> Option<&'a mut Value> {
    if !value.is_object() {
        *value = Value::Object(Map::new());
    }
    Some(value.as_object_mut()?.entry(name).or_insert(Value::Null))
}

/// The document without the field at `path`.
pub fn remove(tree: &Value, path: &[&str]) -> Value {
    let mut tree = tree.clone();
    if let Some((last, rest)) = path.split_last()
        && let Some(Value::Object(map)) = rest.iter().try_fold(&mut tree, |value, name| value.get_mut(*name))
    {
        map.shift_remove(*last);
    }
    tree
}

/// The line of a text that a problem's place is on: its number from 0, and from where to where it goes as browsers count,
/// in UTF-16. A place is a line, or a path of keys, of which the last that stands in the text counts.
pub fn line_of(text: &str, place: &str) -> Option<(usize, u32, u32)> {
    let named = place.strip_prefix("line ").and_then(|rest| rest.split(' ').next()?.parse::<usize>().ok());
    let line = match named {
        Some(number) => number.checked_sub(1)?,
        None => {
            let mut at = 0;
            // A line within a text of the document is on the one that the text begins on.
            let (path, _) = super::mend::apart(place);
            for key in path.split(['.', '[']).filter(|key| !key.is_empty() && !key.ends_with(']')) {
                at += text[at..].find(&format!("\"{key}\"")).unwrap_or(0);
            }
            text[..at].matches('\n').count()
        }
    };
    let long = |part: &str| part.encode_utf16().count() as u32;
    let from = text.split_inclusive('\n').take(line).map(long).sum::<u32>();
    let own = text.split('\n').nth(line)?;
    Some((line, from, from + long(own)))
}

/// A number some steps further, as it is written: `15` by ones, `0.25` by hundredths, with the unit behind it; never
/// below nothing. None of what is no number.
pub fn stepped(text: &str, steps: i64) -> Option<String> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    let digits = format!("{whole}{part}").parse::<u64>().ok()?.saturating_add_signed(steps).to_string();
    if number.ends_with('.') || whole.is_empty() {
        return None;
    }
    let digits = format!("{digits:0>width$}", width = part.len() + 1);
    let (whole, part) = digits.split_at(digits.len() - part.len());
    let point = if part.is_empty() { "" } else { "." };
    Some(format!("{whole}{point}{part}{unit}"))
}

/// How much a number changes with a small movement of the hand: by ones up to 99, by tens up to 999, and so on.
pub fn grain(text: &str) -> i64 {
    let digits = text.trim().chars().take_while(char::is_ascii_digit).count() as u32;
    10_i64.checked_pow(digits.saturating_sub(2)).unwrap_or(1)
}

/// What someone typed into a number field: a number where it is one, else the text, for the validation to refuse.
pub fn number_or_text(text: &str) -> Value {
    let text = text.trim();
    let whole = text.parse::<u64>().map(Value::from).or_else(|_| text.parse::<i64>().map(Value::from));
    whole.unwrap_or_else(|_| {
        json::parse(text).ok().filter(Value::is_number).unwrap_or_else(|| Value::from(text))
    })
}

/// What someone typed into a list field: numbers separated by spaces or commas.
pub fn numbers_or_text(text: &str) -> Value {
    let parts = text.split([' ', ',', '\n', '\t', ';']).filter(|part| !part.is_empty());
    Value::Array(parts.map(number_or_text).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_are_stepped_as_they_are_written() {
        assert_eq!(stepped("15", 1).as_deref(), Some("16"));
        assert_eq!(stepped(" 9 ms", 1).as_deref(), Some("10 ms"));
        assert_eq!(stepped("0.25", -10).as_deref(), Some("0.15"));
        assert_eq!(stepped("0.05", -10).as_deref(), Some("0.00"));
        assert_eq!(stepped("9.9", 1).as_deref(), Some("10.0"));
        assert_eq!(stepped("3", -10).as_deref(), Some("0"));
        assert_eq!(["", "0", "99", "100", "4000 ms", "12.5"].map(grain), [1, 1, 1, 10, 100, 1]);
        assert_eq!(stepped("7", 0).as_deref(), Some("7"));
        assert_eq!(stepped(&u64::MAX.to_string(), 1), Some(u64::MAX.to_string()));
        for wrong in ["", "x", "-3", "1.", ".5", "1.2.3", "99999999999999999999999"] {
            assert_eq!(stepped(wrong, 1), None, "{wrong}");
        }
    }

    #[test]
    fn the_line_of_a_problem() {
        let text = "{\"title\": \"ü😀 warps\",\n \"warps\": {\n  \"count\": 1,\n  \"order\": [1, 2]}}";
        let line = |place| {
            line_of(text, place).map(|(line, from, to)| {
                let all: Vec<u16> = text.encode_utf16().collect();
                (line, String::from_utf16_lossy(&all[from as usize..to as usize]))
            })
        };
        assert_eq!(line("line 3 column 2"), Some((2, "  \"count\": 1,".to_owned())));
        assert_eq!(line("warps.count"), line("line 3 column 2"));
        assert_eq!(line("warps.order[1]"), Some((3, "  \"order\": [1, 2]}}".to_owned())));
        assert_eq!(line("warps.count: line 7"), line("warps.count"));
        assert_eq!(line("warps.count line 7 column 1"), line("warps.count"));
        assert_eq!(line("warps.kernel"), Some((1, " \"warps\": {".to_owned())));
        assert_eq!(line("nothing"), Some((0, "{\"title\": \"ü😀 warps\",".to_owned())));
        assert_eq!([line("line 9 column 1"), line("line 0")], [None, None]);
    }

    #[test]
    fn a_field_is_set_where_it_was() {
        let tree = json!({"a": 1, "b": {"c": 2, "d": 3}, "e": 4});
        let changed = set(&tree, &["b", "c"], json!(9));
        assert_eq!(changed.to_string(), r#"{"a":1,"b":{"c":9,"d":3},"e":4}"#);
        assert_eq!(
            set(&tree, &["x", "y"], json!(1)).to_string(),
            r#"{"a":1,"b":{"c":2,"d":3},"e":4,"x":{"y":1}}"#
        );
        assert_eq!(get(&changed, &["b", "c"]), Some(&json!(9)));
        assert_eq!(set(&tree, &["a", "x"], json!(1))["a"], json!({"x": 1}));
        assert_eq!(
            [set(&tree, &[], json!(1)), set(&json!([2]), &["x"], json!(1))],
            [json!(1), json!({"x": 1})]
        );
    }

    #[test]
    fn a_removed_field_leaves_the_others_in_order() {
        let tree = json!({"a": 1, "b": {"c": 2, "d": 3}, "e": 4});
        assert_eq!(remove(&tree, &["a"]).to_string(), r#"{"b":{"c":2,"d":3},"e":4}"#);
        assert_eq!(remove(&tree, &["b", "c"]).to_string(), r#"{"a":1,"b":{"d":3},"e":4}"#);
        for nothing in [&["x", "c"][..], &["a", "c"], &["b", "x"], &[]] {
            assert_eq!(remove(&tree, nothing), tree);
        }
        assert_eq!(remove(&tree, &["b", "c", "d"]), tree);
        assert_eq!(remove(&remove(&tree, &["b", "c"]), &["b", "d"]).to_string(), r#"{"a":1,"b":{},"e":4}"#);
    }

    #[test]
    fn typed_numbers_and_typed_nonsense() {
        assert_eq!(number_or_text(" 16 "), json!(16));
        assert_eq!(
            [number_or_text("08"), number_or_text("-3"), number_or_text("2.5")],
            [8.into(), (-3).into(), json!(2.5)]
        );
        assert_eq!(
            [number_or_text("1e"), number_or_text("inf"), number_or_text("1e999")],
            ["1e", "inf", "1e999"]
        );
        assert_eq!(number_or_text("{}"), json!("{}"));
        assert_eq!(number_or_text(""), json!(""));
        assert_eq!(numbers_or_text("1 2,3\n x"), json!([1, 2, 3, "x"]));
    }
}
