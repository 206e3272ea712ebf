//! Documents made of an examiner's files: a configuration, the logs of a run, or both.
//!
//! The files stand in the document as they are, so that nothing of them is lost; what of a log is no JSON stands
//! there as text.

use serde_json::{Map, Value};

use super::version::CURRENT;
use crate::import::{self, json};
use base::Problem;

/// A document that simulates what a configuration describes.
pub fn document_of_config(config: &Value) -> Value {
    let title = config.get("name").and_then(Value::as_str).unwrap_or("An examiner configuration");
    document(title, [("examiner", config.clone())])
}

/// A document that replays and checks the logs of a run; each is a file name and its text.
pub fn document_of_logs(logs: &[(String, String)]) -> Value {
    let items: Vec<Value> = logs.iter().map(|(name, text)| item(name, text)).collect();
    let title = items.iter().find_map(scenario_name).unwrap_or("A measured run").to_owned();
    document(&title, [("measured", Value::Array(items))])
}

/// A document with the logs of a run beside what it simulates, where they are of the run it describes; its own
/// logs give way to them.
pub fn with_logs(tree: &Value, logs: &[(String, String)]) -> Option<Value> {
    let config = tree.get("blocks")?.get("examiner")?;
    let items: Vec<Value> = logs.iter().map(|(name, text)| item(name, text)).collect();
    let described = config.get("name").and_then(Value::as_str);
    if items.iter().any(|item| scenario_name(item).is_none_or(|name| Some(name) != described)) {
        return None;
    }
    let mut tree = tree.clone();
    let blocks = tree.get_mut("blocks")?.as_object_mut()?;
    blocks.insert("measured".to_owned(), Value::Array(items));
    Some(tree)
}

/// The logs in a file: one, or one on each line; none where there is none.
pub fn logs_in(name: &str, text: &str) -> Option<Vec<(String, String)>> {
    let is_log =
        |text: &str| import::is_log(text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}'));
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    if lines.len() > 1 && lines.iter().all(|line| line.starts_with('{') && is_log(line)) {
        let numbered = |(i, line): (usize, &&str)| (format!("{name} line {}", i + 1), (*line).to_owned());
        return Some(lines.iter().enumerate().map(numbered).collect());
    }
    is_log(text).then(|| vec![(name.to_owned(), text.to_owned())])
}

/// A problem of a document made of a file, with its place in that file.
pub fn in_file(problem: Problem) -> Problem {
    let inside = |start: &str| problem.place.strip_prefix(start).map(|place| place.trim_start_matches('.'));
    match inside("blocks.examiner")
        .or_else(|| inside("blocks.measured[0]"))
        .or_else(|| inside("blocks.measured"))
    {
        Some("") => Problem { place: "document".to_owned(), ..problem },
        Some(place) => Problem { place: place.to_owned(), ..problem },
        None => problem,
    }
}

fn document<const N: usize>(title: &str, parts: [(&str, Value); N]) -> Value {
    let mut blocks = Map::new();
    for (key, value) in parts {
        blocks.insert(key.to_owned(), value);
    }
    let mut tree = Map::new();
    tree.insert("warpspan".to_owned(), Value::from(CURRENT));
    tree.insert("title".to_owned(), Value::from(title));
    tree.insert("blocks".to_owned(), Value::Object(blocks));
    Value::Object(tree)
}

/// A log as it stands in a document.
fn item(name: &str, text: &str) -> Value {
    match json::parse_loose(text) {
        Ok(log @ Value::Object(_)) => log,
        _ => {
            let mut fields = Map::new();
            fields.insert("file".to_owned(), Value::from(name));
            fields.insert("text".to_owned(), Value::from(text));
            Value::Object(fields)
        }
    }
}

fn scenario_name(item: &Value) -> Option<&str> {
    item.get("scenario_name").and_then(Value::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const LOG: &str = r#"{"scenario_name": "S", "times": [{}]}"#;

    fn logs(text: &str) -> Vec<(String, String)> {
        vec![("a.json".to_owned(), text.to_owned())]
    }

    #[test]
    fn files_stand_in_documents_as_they_are() {
        let config = json!({"name": "S", "benchmarks": []});
        let document = document_of_config(&config);
        assert_eq!(document, json!({"warpspan": 1, "title": "S", "blocks": {"examiner": config}}));
        let both = with_logs(&document, &logs(LOG));
        let Some(both) = both else { unreachable!("of the same run") };
        assert_eq!(both["blocks"]["measured"], json!([{"scenario_name": "S", "times": [{}]}]));
        assert_eq!(with_logs(&document, &logs(r#"{"scenario_name": "T"}"#)), None);
    }

    #[test]
    fn a_log_that_was_cut_off_stands_there_as_text() {
        let document = document_of_logs(&logs("{\"scenario_name\": \"S\", \"times\": [{}, {"));
        assert_eq!(document["blocks"]["measured"][0]["file"], json!("a.json"));
        assert_eq!(document["title"], json!("A measured run"));
    }
}
