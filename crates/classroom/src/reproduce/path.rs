//! Where a value stands in a report: `/chains/0/best`, `/chains/*/best`, `/kernels/label=K2/end`.
//!
//! Between slashes stands the name of a field, the place of an item in a list, `*` for all items, or `field=value`
//! for the first item of a list whose field has that value. Values of a field that is a list are joined by commas.

use serde_json::Value;

/// A place in a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path {
    written: String,
    steps: Vec<Step>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    Each,
    Which(String, String),
    Named(String),
}

impl Path {
    /// Reads a path; none where it does not begin with a slash or has an empty step.
    pub fn read(text: &str) -> Option<Self> {
        let steps = text.strip_prefix('/')?.split('/').map(step).collect::<Option<Vec<Step>>>()?;
        Some(Self { written: text.to_owned(), steps })
    }

    /// As it is written.
    pub fn text(&self) -> &str {
        &self.written
    }

    /// What stands there; else what is missing.
    pub fn find(&self, report: &Value) -> Result<Value, String> {
        follow(&self.steps, report).map_err(|missing| format!("{}: {missing}", self.written))
    }
}

fn step(text: &str) -> Option<Step> {
    match text.split_once('=') {
        _ if text.is_empty() => None,
        _ if text == "*" => Some(Step::Each),
        Some((field, value)) if !field.is_empty() => Some(Step::Which(field.to_owned(), value.to_owned())),
        Some(_) => None,
        None => Some(Step::Named(text.to_owned())),
    }
}

fn follow(steps: &[Step], value: &Value) -> Result<Value, String> {
    let Some((step, rest)) = steps.split_first() else { return Ok(value.clone()) };
    match (step, value) {
        (Step::Each, Value::Array(items)) => items
            .iter()
            .map(|item| follow(rest, item))
            .collect::<Result<Vec<Value>, String>>()
            .map(Value::from),
        (Step::Which(field, wanted), Value::Array(items)) => {
            let found = items.iter().find(|item| item.get(field).map(word).as_ref() == Some(wanted));
            let found = found.ok_or_else(|| format!("no item with {field} {wanted}"))?;
            follow(rest, found)
        }
        (Step::Named(name), Value::Array(items)) => {
            let item = name.parse::<usize>().ok().and_then(|at| items.get(at));
            follow(rest, item.ok_or_else(|| format!("no item {name} in a list of {}", items.len()))?)
        }
        (Step::Named(name), Value::Object(fields)) => {
            follow(rest, fields.get(name).ok_or_else(|| format!("no field {name}"))?)
        }
        (Step::Named(name), _) => Err(format!("nothing that has a field {name}")),
        (Step::Each | Step::Which(..), _) => Err("no list".to_owned()),
    }
}

/// A value as it is written in a path.
fn word(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(word).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn find(path: &str) -> Result<Value, String> {
        let report = json!({
            "makespan": 8,
            "chains": [{"start": "a", "best": 3}, {"start": "b", "best": 5}],
            "cells": [{"at": [16, 1], "verdict": "confirmed"}, {"at": [16, 2], "verdict": "refuted"}]
        });
        Path::read(path).map_or_else(|| Err("no path".to_owned()), |path| path.find(&report))
    }

    #[test]
    fn values_are_found() {
        assert_eq!(find("/makespan"), Ok(json!(8)));
        assert_eq!(find("/chains/1/best"), Ok(json!(5)));
        assert_eq!(find("/chains/*/best"), Ok(json!([3, 5])));
        assert_eq!(find("/chains/start=b/best"), Ok(json!(5)));
        assert_eq!(find("/cells/at=16,2/verdict"), Ok(json!("refuted")));
    }

    #[test]
    fn what_is_missing_is_named() {
        let missing = |path: &str| find(path).err().unwrap_or_default();
        assert_eq!(missing("/chains/7/best"), "/chains/7/best: no item 7 in a list of 2");
        assert_eq!(missing("/chains/start=c/best"), "/chains/start=c/best: no item with start c");
        assert_eq!(missing("/best"), "/best: no field best");
        assert_eq!(missing("/makespan/best"), "/makespan/best: nothing that has a field best");
        assert_eq!(missing("/makespan/*"), "/makespan/*: no list");
        for wrong in ["makespan", "", "/", "/a//b", "/=x"] {
            assert_eq!(missing(wrong), "no path", "{wrong}");
        }
    }
}
