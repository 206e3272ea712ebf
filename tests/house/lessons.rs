//! Lessons name controls as the page names them: what a lesson emphasises and begins with a capital letter is a label,
//! word for word, somewhere in what makes the page, or of a control that the lesson itself offers.
//!
//! Labels are looked for as text: every literal of those files counts, and what stands for a value in one, as in
//! `Start {}`, may be anything.

use serde_json::Value;

use super::{File, files, none};

/// What is called after somebody, and is no control.
const TERMS: [&str; 1] = ["Little's law"];

/// What makes the page: components, and what labs have said on it.
fn sources() -> Vec<File> {
    let of = |file: &File| {
        let parts: Vec<&str> = file.path.split('/').collect();
        let made = parts.windows(2).any(|pair| matches!(pair, ["ui", "src"] | ["src", "page" | "ui"]));
        made || file.path.starts_with("crates/kit/src/page")
    };
    let all: Vec<File> = ["crates", "src"].iter().flat_map(|folder| files(folder, "rs")).filter(of).collect();
    assert!(all.len() > 30, "only {} files of the page", all.len());
    all
}

/// Every literal of a file on one line, without what a test holds.
fn literals(file: &File) -> Vec<String> {
    let text = file.text.split("#[cfg(test)]\nmod").next().unwrap_or_default();
    let mut found = Vec::new();
    for line in text.lines().filter(|line| !line.trim_start().starts_with("//")) {
        found.extend(line.replace("\\\"", "'").split('"').skip(1).step_by(2).map(str::to_owned));
    }
    found
}

/// Whether a label says this: the label itself, or one with values in it.
fn says(label: &str, name: &str) -> bool {
    if !label.contains('{') {
        return label == name;
    }
    let mut fixed = Vec::new();
    let mut rest = label;
    while let Some((before, after)) = rest.split_once('{') {
        fixed.push(before);
        rest = after.split_once('}').map_or("", |(_, after)| after);
    }
    fixed.push(rest);
    // A label that is nearly all values would say anything.
    if fixed.iter().map(|part| part.trim().len()).sum::<usize>() < 4 {
        return false;
    }
    let (first, last) = (fixed[0], fixed[fixed.len() - 1]);
    name.starts_with(first) && name.ends_with(last) && fixed.iter().all(|part| name.contains(part))
}

/// What is emphasised in a text.
fn emphasised(text: &str) -> Vec<&str> {
    text.split('*').skip(1).step_by(2).collect()
}

/// All texts of a document.
fn texts<'a>(value: &'a Value, out: &mut Vec<&'a str>) {
    match value {
        Value::String(text) => out.push(text),
        Value::Array(items) => items.iter().for_each(|item| texts(item, out)),
        Value::Object(map) => map.values().for_each(|value| texts(value, out)),
        _ => {}
    }
}

#[test]
fn lessons_name_controls_as_the_page_does() {
    let labels: Vec<String> = sources().iter().flat_map(literals).collect();
    let mut found = Vec::new();
    let mut names = 0;
    for lesson in files("www/lessons", "json") {
        let tree: Value = serde_json::from_str(&lesson.text).unwrap_or_default();
        let mut all = Vec::new();
        texts(&tree, &mut all);
        for name in all.into_iter().flat_map(emphasised) {
            if !name.starts_with(|c: char| c.is_uppercase()) || TERMS.contains(&name) {
                continue; // a word that is explained, or stressed
            }
            names += 1;
            let offered = format!("\"label\": \"{name}\"");
            if !lesson.text.contains(&offered) && !labels.iter().any(|label| says(label, name)) {
                found.push(format!("{}: *{name}*", lesson.path));
            }
        }
    }
    none("a lesson names what is on the page", found);
    assert!(names > 20, "only {names} controls are named in lessons");
}

#[test]
fn labels_with_values_are_recognised() {
    assert!(says("Start {}", "Start 1 chain") && says("Warps", "Warps"));
    assert!(!says("Method", "Methods") && !says("{}: {}", "Any: thing") && !says("Stop", "Start 1 chain"));
}
