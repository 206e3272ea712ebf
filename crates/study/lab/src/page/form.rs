//! The document of a study as its form changes it: axes, measures and drawings as lists of rows.

use kit::import::json;
use kit::page::edit;
use serde_json::{Map, Value, json};

use super::suggest::{lab_of, measures as suggested, paths};

const BASE: [&str; 2] = ["study", "base"];
const AXES: [&str; 2] = ["study", "axes"];
const MEASURES: [&str; 2] = ["study", "measures"];
const DRAW: [&str; 2] = ["study", "draw"];

/// The base laid out for people; empty where there is none.
pub fn base(tree: &Value) -> String {
    edit::get(tree, &BASE).map(json::pretty).unwrap_or_default()
}

/// The document with another base; none where the text is no JSON.
pub fn with_base(tree: &Value, text: &str) -> Option<Value> {
    Some(edit::set(tree, &BASE, json::parse(text).ok()?))
}

/// A list of any values as one line: words as they are, others as JSON, between commas.
pub fn shown(value: Option<&Value>) -> String {
    let word = |value: &Value| match value {
        // A word that could be taken for something else keeps its quotes.
        Value::String(text) if is_plain(text) => text.clone(),
        value => json::line(value),
    };
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::Array(items)) => items.iter().map(word).collect::<Vec<_>>().join(", "),
        Some(value) => word(value),
    }
}

fn is_plain(text: &str) -> bool {
    !text.is_empty() && text.trim() == text && !text.contains(',') && json::parse(text).is_err()
}

/// What such a line means.
pub fn typed(text: &str) -> Vec<Value> {
    if let Ok(Value::Array(items)) = json::parse(&format!("[{text}]")) {
        return items;
    }
    let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
    parts.map(|part| json::parse(part).unwrap_or_else(|_| Value::from(part))).collect()
}

/// How many axes there are, and whether each is a range.
pub fn axes(tree: &Value) -> Vec<bool> {
    let axes = edit::get(tree, &AXES).and_then(Value::as_array);
    let axes = axes.map(Vec::as_slice).unwrap_or_default();
    axes.iter().map(|axis| axis.get("values").is_none()).collect()
}

/// The places of the base that may be axes, with what stands there.
pub fn places(tree: &Value) -> Vec<(String, String)> {
    edit::get(tree, &BASE).map(paths).unwrap_or_default()
}

/// The document with an axis more, over a place of the base: around what stands there.
pub fn with_axis(tree: &Value, place: &str) -> Value {
    let number = places(tree).into_iter().find(|(known, _)| known == place).map(|(_, number)| number);
    let whole = number.as_deref().and_then(|number| number.parse::<u64>().ok());
    let axis = match (whole, number.and_then(|number| number.parse::<f64>().ok())) {
        (Some(whole), _) if whole <= 32 => json!({"path": place, "from": 1, "to": (2 * whole).max(8)}),
        (Some(whole), _) => {
            json!({"path": place, "from": whole / 2, "to": whole * 2, "step": (whole / 4).max(1)})
        }
        (None, Some(number)) => json!({"path": place, "values": [number / 2.0, number, number * 2.0]}),
        (None, None) => json!({"path": place, "values": []}),
    };
    pushed(tree, &AXES, axis)
}

/// The document with an axis as a range instead of a list, or the other way round.
pub fn turned(tree: &Value, at: usize, range: bool) -> Value {
    changed(tree, &AXES, |axes| {
        if let Some(axis) = axes.get_mut(at).and_then(Value::as_object_mut) {
            if range {
                let numbers = axis.shift_remove("values");
                let numbers: Vec<Value> =
                    numbers.as_ref().and_then(Value::as_array).cloned().unwrap_or_default();
                axis.insert("from".to_owned(), numbers.first().cloned().unwrap_or(Value::from(1)));
                axis.insert("to".to_owned(), numbers.last().cloned().unwrap_or(Value::from(8)));
            } else {
                let ends = ["from", "to"].map(|key| axis.shift_remove(key));
                axis.shift_remove("step");
                axis.insert("values".to_owned(), Value::Array(ends.into_iter().flatten().collect()));
            }
        }
    })
}

/// The document with the values of an axis.
pub fn with_values(tree: &Value, at: usize, text: &str) -> Value {
    changed(tree, &AXES, |axes| {
        if let Some(axis) = axes.get_mut(at).and_then(Value::as_object_mut) {
            axis.insert("values".to_owned(), Value::Array(typed(text)));
        }
    })
}

/// The measures: names and formulas.
pub fn measures(tree: &Value) -> Vec<(String, String)> {
    let map = edit::get(tree, &MEASURES).and_then(Value::as_object);
    map.into_iter().flatten().map(|(name, text)| (name.clone(), shown_text(text))).collect()
}

fn shown_text(value: &Value) -> String {
    value.as_str().map_or_else(|| json::line(value), str::to_owned)
}

/// The measures that the report of the base's lab suggests and that are not there yet: name, formula, what it tells.
pub fn offered(tree: &Value) -> Vec<(&'static str, &'static str, &'static str)> {
    let lab = edit::get(tree, &BASE).and_then(lab_of).unwrap_or_default();
    let known = measures(tree);
    suggested(lab).iter().filter(|(name, ..)| known.iter().all(|(own, _)| own != name)).copied().collect()
}

/// The document with a measure in the place of another one, or behind all. Drawings follow its name.
pub fn with_measure(tree: &Value, at: usize, name: &str, text: &str) -> Value {
    let mut all = measures(tree);
    let before = all.get(at).map(|(name, _)| name.clone());
    // Two measures with one name would be one.
    if all.iter().enumerate().any(|(other, (known, _))| other != at && known == name) {
        return tree.clone();
    }
    match all.get_mut(at) {
        Some(place) => *place = (name.to_owned(), text.to_owned()),
        None => all.push((name.to_owned(), text.to_owned())),
    }
    let tree = with_measures(tree, all);
    match before {
        Some(before) if before != name => renamed(&tree, &before, name),
        _ => tree,
    }
}

/// The document without a measure.
pub fn without_measure(tree: &Value, at: usize) -> Value {
    let all = measures(tree).into_iter().enumerate().filter(|(place, _)| *place != at);
    with_measures(tree, all.map(|(_, measure)| measure).collect())
}

fn with_measures(tree: &Value, all: Vec<(String, String)>) -> Value {
    let map: Map<String, Value> = all.into_iter().map(|(name, text)| (name, Value::from(text))).collect();
    edit::set(tree, &MEASURES, Value::Object(map))
}

/// A name that no measure has.
pub fn fresh_name(tree: &Value) -> String {
    let known = measures(tree);
    let free = (1..).map(|n| format!("measure {n}")).find(|name| known.iter().all(|(own, _)| own != name));
    free.unwrap_or_default()
}

/// The drawings, as far as they are objects.
pub fn drawings(tree: &Value) -> usize {
    edit::get(tree, &DRAW).and_then(Value::as_array).map_or(0, Vec::len)
}

/// The document with a drawing more: the first measure over the first axis.
pub fn with_drawing(tree: &Value) -> Value {
    let axis = edit::get(tree, &AXES).and_then(|axes| axes.get(0));
    let name = axis.and_then(|axis| axis.get("name").or_else(|| axis.get("path"))).cloned();
    let measure = measures(tree).into_iter().next().map(|(name, _)| name).unwrap_or_default();
    pushed(tree, &DRAW, json!({"kind": "line", "x": name.unwrap_or(Value::from("")), "y": measure}))
}

/// The document with what a drawing has upwards: one name, or several.
pub fn with_upwards(tree: &Value, at: usize, text: &str) -> Value {
    changed(tree, &DRAW, |all| {
        if let Some(drawing) = all.get_mut(at).and_then(Value::as_object_mut) {
            let mut names: Vec<Value> =
                text.split(',').map(str::trim).filter(|name| !name.is_empty()).map(Value::from).collect();
            let value = if names.len() == 1 { names.remove(0) } else { Value::Array(names) };
            drawing.insert("y".to_owned(), value);
        }
    })
}

/// The document without an axis, or without a drawing.
pub fn without(tree: &Value, list: List, at: usize) -> Value {
    changed(tree, list.path(), |all| {
        if at < all.len() {
            all.remove(at);
        }
    })
}

/// A list of the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum List {
    /// The axes.
    Axes,
    /// The drawings.
    Drawings,
}

impl List {
    fn path(self) -> &'static [&'static str] {
        match self {
            Self::Axes => &AXES,
            Self::Drawings => &DRAW,
        }
    }
}

fn pushed(tree: &Value, path: &[&str], value: Value) -> Value {
    changed(tree, path, |all| all.push(value))
}

fn changed(tree: &Value, path: &[&str], change: impl FnOnce(&mut Vec<Value>)) -> Value {
    let mut all = edit::get(tree, path).and_then(Value::as_array).cloned().unwrap_or_default();
    change(&mut all);
    edit::set(tree, path, Value::Array(all))
}

/// The drawings with another name for a measure.
fn renamed(tree: &Value, before: &str, name: &str) -> Value {
    let swap = |value: &mut Value| {
        if *value == before {
            *value = Value::from(name);
        }
    };
    if drawings(tree) == 0 {
        return tree.clone();
    }
    changed(tree, &DRAW, |all| {
        for drawing in all.iter_mut().filter_map(Value::as_object_mut) {
            for (_, value) in drawing.iter_mut().filter(|(key, _)| ["x", "y", "z"].contains(&key.as_str())) {
                match value {
                    Value::Array(items) => items.iter_mut().for_each(swap),
                    value => swap(value),
                }
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn study(inside: Value) -> Value {
        json!({"warpspan": 1, "study": inside})
    }

    #[test]
    fn lists_are_lines() {
        let values = json!([1, 0.5, "a b", "12", true, {"initial": "x"}, "c,d"]);
        let line = shown(Some(&values));
        assert_eq!(line, r#"1, 0.5, a b, "12", true, {"initial":"x"}, "c,d""#);
        assert_eq!(typed("1, 2, round-robin"), [json!(1), json!(2), json!("round-robin")]);
        assert_eq!(typed(r#"{"a": 1}, "x""#), [json!({"a": 1}), json!("x")]);
        assert_eq!((typed(""), typed(" , ")), (Vec::new(), Vec::new()));
    }

    #[test]
    fn axes_come_from_the_base_and_turn() {
        let tree = study(json!({"base": {"warps": {"count": 4, "x": 100, "y": 0.5}}}));
        let one = with_axis(&tree, "warps.count");
        assert_eq!(one["study"]["axes"], json!([{"path": "warps.count", "from": 1, "to": 8}]));
        let two = with_axis(&with_axis(&one, "warps.x"), "warps.y");
        assert_eq!(axes(&two), [true, true, false]);
        let turned_back = turned(&turned(&one, 0, false), 0, true);
        assert_eq!(turned_back, one);
        assert_eq!(
            with_values(&turned(&one, 0, false), 0, "1, 3")["study"]["axes"][0]["values"],
            json!([1, 3])
        );
        assert_eq!(axes(&without(&two, List::Axes, 1)), [true, false]);
    }

    #[test]
    fn drawings_follow_the_names_of_measures() {
        let tree = study(json!({"base": {"warps": {}}, "measures": {"a": "makespan", "b": "upper"},
            "draw": [{"kind": "line", "x": "n", "y": ["a", "b"]}]}));
        let renamed = with_measure(&tree, 0, "c", "makespan");
        assert_eq!(renamed["study"]["draw"][0]["y"], json!(["c", "b"]));
        assert_eq!(measures(&renamed)[0], ("c".to_owned(), "makespan".to_owned()));
        assert_eq!(with_measure(&tree, 0, "b", "x"), tree, "no two of one name");
        assert_eq!(measures(&without_measure(&tree, 0)).len(), 1);
        assert_eq!(fresh_name(&tree), "measure 1");
        assert_eq!(with_upwards(&tree, 0, "a")["study"]["draw"][0]["y"], json!("a"));
        assert_eq!(offered(&tree).first().map(|(name, ..)| *name), Some("makespan"));
    }
}
