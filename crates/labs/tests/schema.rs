//! The schema of the scenario document: what the readers take fits it, what is misspelt does not.

#![cfg(not(target_arch = "wasm32"))]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use kit::import::json as reader;
use serde_json::{Map, Value, json};
use warpspan_labs::{ALL, schema};

static SCHEMA: LazyLock<Value> = LazyLock::new(schema::schema);

/// Whether a value fits a schema, as far as schemas are written here.
fn fits(schema: &Value, value: &Value) -> bool {
    let Value::Object(rules) = schema else { return schema != &json!(false) };
    rules.iter().all(|(rule, with)| keeps(rules, rule, with, value))
}

fn keeps(rules: &Map<String, Value>, rule: &str, with: &Value, value: &Value) -> bool {
    let all = |value: &Value| with.as_array().is_some_and(|all| all.contains(value));
    let fitting = || with.as_array().into_iter().flatten().filter(|schema| fits(schema, value)).count();
    let number = |holds: fn(&f64, &f64) -> bool| match (value.as_f64(), with.as_f64()) {
        (Some(number), Some(bound)) => holds(&number, &bound),
        _ => true,
    };
    match rule {
        "$schema" | "title" | "description" | "$defs" => true,
        "$ref" => {
            let place = with.as_str().and_then(|name| name.strip_prefix('#')).expect("a place in the schema");
            fits(SCHEMA.pointer(place).unwrap_or_else(|| unreachable!("{place} is not there")), value)
        }
        "type" => match with.as_str() {
            Some("object") => value.is_object(),
            Some("array") => value.is_array(),
            Some("string") => value.is_string(),
            Some("boolean") => value.is_boolean(),
            Some("null") => value.is_null(),
            Some("number") => value.is_number(),
            Some("integer") => value.as_f64().is_some_and(|number| number.fract() == 0.0),
            other => unreachable!("a type {other:?}"),
        },
        "enum" => all(value),
        "minimum" => number(f64::ge),
        "maximum" => number(f64::le),
        "maxLength" => {
            value.as_str().is_none_or(|text| text.chars().count() as u64 <= with.as_u64().expect("a length"))
        }
        "items" => value.as_array().is_none_or(|items| items.iter().all(|item| fits(with, item))),
        "anyOf" => fitting() > 0,
        "oneOf" => fitting() == 1,
        "required" => {
            let needed = |object: &Map<String, Value>| {
                let mut keys = with.as_array().into_iter().flatten().filter_map(Value::as_str);
                keys.all(|key| object.contains_key(key))
            };
            value.as_object().is_none_or(needed)
        }
        "properties" => value.as_object().is_none_or(|object| {
            object.iter().all(|(key, value)| with.get(key).is_none_or(|schema| fits(schema, value)))
        }),
        "additionalProperties" => value.as_object().is_none_or(|object| {
            let known = |key: &str| rules.get("properties").is_some_and(|known| known.get(key).is_some());
            object.iter().all(|(key, value)| known(key) || fits(with, value))
        }),
        other => unreachable!("a rule {other:?}"),
    }
}

/// Every scenario that the project has as a file or shows in a document, if it is one that is taken.
fn documents() -> Vec<(String, Value)> {
    let mut texts: Vec<(String, String)> = Vec::new();
    for path in
        ["www", "docs", "tests", "README.md"].into_iter().flat_map(|folder| files(&root().join(folder)))
    {
        let Ok(text) = fs::read_to_string(&path) else { continue };
        let name = path.display().to_string();
        match path.extension().and_then(|end| end.to_str()) {
            Some("json" | "ptx" | "amxmi") => texts.push((name, text)),
            Some("md") => {
                let blocks = text.split("```json\n").skip(1).filter_map(|rest| rest.split("\n```").next());
                texts.extend(
                    (1..).zip(blocks).map(|(i, block)| (format!("{name} block {i}"), block.to_owned())),
                );
            }
            _ => {}
        }
    }
    let trees = texts.into_iter().flat_map(|(name, text)| {
        let mut found = Vec::new();
        // Lessons and lists of reproductions hold scenarios within them.
        collect(&reader::parse(&text).unwrap_or_default(), &mut found);
        found.extend(ALL.tree(&text).ok());
        found.into_iter().map(move |tree| (name.clone(), tree))
    });
    trees.filter(|(_, tree)| ALL.from_tree(tree).is_ok()).collect()
}

/// The project's folder.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn files(path: &Path) -> Vec<PathBuf> {
    match fs::read_dir(path) {
        Ok(entries) => {
            let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
            paths.sort();
            paths.iter().filter(|path| !path.ends_with("target")).flat_map(|path| files(path)).collect()
        }
        Err(_) => vec![path.to_owned()],
    }
}

fn collect(value: &Value, found: &mut Vec<Value>) {
    match value {
        Value::Object(fields) if fields.contains_key("warpspan") => found.push(value.clone()),
        Value::Object(fields) => fields.values().for_each(|value| collect(value, found)),
        Value::Array(items) => items.iter().for_each(|item| collect(item, found)),
        _ => {}
    }
}

/// Pointers to all values of a document.
fn pointers(value: &Value, pointer: &str, found: &mut Vec<String>) {
    found.push(pointer.to_owned());
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                let key = key.replace('~', "~0").replace('/', "~1");
                pointers(value, &format!("{pointer}/{key}"), found);
            }
        }
        Value::Array(items) => {
            for (i, item) in items.iter().enumerate() {
                pointers(item, &format!("{pointer}/{i}"), found);
            }
        }
        _ => {}
    }
}

#[test]
fn what_is_taken_fits() {
    let documents = documents();
    let examples = documents.iter().filter(|(name, _)| name.contains("www/scenarios")).count();
    assert!(examples >= 40 && documents.len() > 100, "{examples} of {} documents", documents.len());
    for (name, tree) in &documents {
        assert!(fits(&SCHEMA, tree), "{name}: {tree}");
    }
}

/// A document with one thing changed fits if it is taken, so the schema is never in the way.
#[test]
fn what_is_taken_after_a_change_fits() {
    let (mut taken, mut left) = (0, 0);
    for (name, tree) in documents().iter().filter(|(_, tree)| tree.to_string().len() < 5_000) {
        let mut places = Vec::new();
        pointers(tree, "", &mut places);
        for (i, pointer) in places.iter().enumerate() {
            let (parent, key) = pointer.rsplit_once('/').unwrap_or_default();
            for new in [
                None,
                Some(json!(null)),
                Some(json!(3)),
                Some(json!(0.5)),
                Some(json!("all")),
                Some(json!([2])),
            ] {
                // A part of all changes is enough, and always the same part.
                left = (left * 31 + i) % 7;
                if left > 2 {
                    continue;
                }
                let mut changed = tree.clone();
                match (new, changed.pointer_mut(parent)) {
                    (None, Some(Value::Object(object))) => drop(object.shift_remove(key)),
                    (Some(new), _) => {
                        if let Some(value) = changed.pointer_mut(pointer) {
                            *value = new;
                        }
                    }
                    _ => continue,
                }
                if ALL.from_tree(&changed).is_ok() {
                    taken += 1;
                    assert!(fits(&SCHEMA, &changed), "{name} with {pointer} changed: {changed}");
                }
            }
        }
    }
    assert!(taken > 200, "only {taken} changed documents were taken");
}

/// Where the readers refuse a key, the schema does.
#[test]
fn a_misspelt_key_does_not_fit() {
    let mut refused = 0;
    for (name, tree) in documents().iter().filter(|(_, tree)| tree.to_string().len() < 5_000) {
        let mut places = Vec::new();
        pointers(tree, "", &mut places);
        for pointer in places {
            let mut changed = tree.clone();
            let Some((parent, key)) = pointer.rsplit_once('/') else { continue };
            // A generator may stand in place of any value of a study's base, so that is left open.
            if parent.starts_with("/study/base") {
                continue;
            }
            // Units of machine code have names of their author's own, and stand at the same place.
            if parent == "/warps/machine/units" {
                continue;
            }
            let Some(Value::Object(object)) = changed.pointer_mut(parent) else { continue };
            let Some(value) = object.shift_remove(key) else { continue };
            object.insert(format!("{key}s"), value);
            let Err(problems) = ALL.from_tree(&changed) else { continue };
            if problems.iter().any(|problem| problem.what == "unknown key") {
                refused += 1;
                assert!(!fits(&SCHEMA, &changed), "{name} with {pointer} misspelt: {changed}");
            }
        }
    }
    assert!(refused > 500, "only {refused} misspelt keys were refused");
}

#[test]
fn ranges_kinds_and_names_are_in_it() {
    let example = fs::read_to_string(root().join("www/scenarios/voronoi-16.json"));
    let example = reader::parse(&example.expect("the example")).expect("a document");
    assert!(fits(&SCHEMA, &example));
    for (pointer, wrong) in [
        ("/warps/count", json!(0)),
        ("/warps/count", json!(100_000)),
        ("/warps/count", json!("16")),
        ("/warps/machine/L", json!(-1)),
        ("/warps/machine", json!({"preset": "cc-6.2", "L": 1})),
        ("/warps/method", json!({"initial": "round-robbin"})),
        ("/warps/method", json!({"exact": {"memory_limit": 1.5}})),
        ("/warps/method", json!({"anneal": {"starts": ["random", "rand"]}})),
        ("/warps", json!([])),
        ("/title", json!(7)),
        ("/warpspan", json!(99)),
    ] {
        let mut changed = example.clone();
        *changed.pointer_mut(pointer).expect("it is there") = wrong.clone();
        assert!(!fits(&SCHEMA, &changed), "{pointer}: {wrong}");
    }
}
