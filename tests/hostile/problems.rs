//! What readers say of hostile input: one line, of a length for people, whose own words stay.

use serde_json::{Map, Value};
use warpspan::base::Problem;
use warpspan::base::problem::{MOST_PART, breaks};
use warpspan::import::{amalthea, examiner, json, ptx};
use warpspan::scenario::{self, builtin, certificate, link};

use super::common::warpspan_with;
use super::hostile;

/// A part of a problem is cut only where it quotes: a cut at the very end says that whole sentences were lost.
fn one_line(problems: &[Problem], from: &str) {
    for problem in problems {
        for part in [&problem.place, &problem.what, &problem.expected] {
            let found = part.chars().find(|&c| breaks(c));
            assert_eq!(found, None, "{from}: {problem:?}");
            assert!(part.chars().count() < MOST_PART, "{from}: {problem:?}");
        }
    }
}

/// Every document that is this one with one of its texts, or one of its keys, replaced.
fn with_each_text(tree: &Value, text: &str) -> Vec<Value> {
    match tree {
        Value::String(_) => vec![Value::from(text)],
        Value::Array(items) => {
            // The first and the last of many.
            let some = (0..items.len()).filter(|&i| i < 2 || i + 1 == items.len());
            let put = |i: usize, item: Value| {
                let mut items = items.clone();
                items[i] = item;
                Value::Array(items)
            };
            some.flat_map(|i| with_each_text(&items[i], text).into_iter().map(move |item| (i, item)))
                .map(|(i, item)| put(i, item))
                .collect()
        }
        Value::Object(map) => {
            let mut all = Vec::new();
            for (key, value) in map {
                for other in with_each_text(value, text) {
                    let mut map = map.clone();
                    map.insert(key.clone(), other);
                    all.push(Value::Object(map));
                }
                let renamed = map.iter().map(|(own, value)| {
                    (if own == key { text.to_owned() } else { own.clone() }, value.clone())
                });
                all.push(Value::Object(renamed.collect::<Map<String, Value>>()));
            }
            all
        }
        _ => vec![Value::from(text)],
    }
}

#[test]
fn scenarios() {
    let mut refused = 0;
    for example in builtin::BUILTINS {
        let tree = json::parse(example.text).expect("an example");
        for text in hostile() {
            for document in with_each_text(&tree, &text) {
                if let Err(problems) = scenario::from_tree(&document) {
                    refused += 1;
                    one_line(&problems, example.name);
                }
            }
        }
    }
    assert!(refused > 1_000, "{refused}");
}

#[test]
fn lessons() {
    for lesson in warpspan::lesson::builtin::BUILTINS {
        let tree = json::parse(lesson.text).expect("a lesson");
        for text in hostile().into_iter().step_by(3) {
            for document in with_each_text(&tree, &text) {
                if let Err(problems) = warpspan::lesson::read(&json::line(&document)) {
                    one_line(&problems, lesson.name);
                }
            }
        }
    }
}

/// Programs, models, configurations, logs: each word of a sample replaced, wherever it stands.
#[test]
fn other_formats() {
    let samples = [
        ("ptx", include_str!("../ptx/several-kernels.ptx")),
        ("ptx", include_str!("../ptx/switch.ptx")),
        ("amalthea", include_str!("../amalthea/3.1.0.amxmi")),
        ("examiner", include_str!("../examiner/hosts.json")),
        ("log", include_str!("../examiner/run-kernels.json")),
        ("log", include_str!("../examiner/cut.json")),
    ];
    for (kind, sample) in samples {
        for word in words(sample) {
            for text in hostile().iter().map(|text| text.replace('"', "'")) {
                let text = sample.replacen(word, &text, 1);
                let problems = match kind {
                    "ptx" => ptx::read(&text).err(),
                    "amalthea" => amalthea::read(&text).err(),
                    "log" => examiner::log::read("log.json", &text).err().map(|problem| vec![problem]),
                    _ => scenario::read(&text).err(),
                };
                one_line(&problems.unwrap_or_default(), kind);
                if let Err(problems) = scenario::read(&text) {
                    one_line(&problems, kind);
                }
            }
        }
    }
}

/// Different words of a text: names and values.
fn words(text: &str) -> Vec<&str> {
    let mut words: Vec<&str> = text
        .split(|c: char| !c.is_alphanumeric() && !"_.$%".contains(c))
        .filter(|word| word.len() > 1)
        .collect();
    words.sort_unstable();
    words.dedup();
    words.into_iter().step_by(3).collect()
}

#[test]
fn links_and_certificates() {
    for text in hostile() {
        for link in [
            text.clone(),
            format!("#v=1&s={text}&c=00000000"),
            format!("#v={text}"),
            format!("#v=1&c={text}"),
        ] {
            if let Err(problem) = link::open(&link) {
                one_line(&[problem], "link");
            }
        }
        let sample = serde_json::json!({
            "certificate": 1, "scenario": "x", "kernel": "LCL", "warps": 2, "machine": {"L": 1, "C": 1},
            "fairness": "none", "witness": {"makespan": 4, "order": [1], "cycles": [1]},
            "claim": {"bound": 4, "by": "x"}, "checksum": "00000000",
        });
        for document in with_each_text(&sample, &text) {
            if let Err(problems) = certificate::read(&json::line(&document)) {
                one_line(&problems, "certificate");
            }
        }
    }
}

/// One problem is one line on standard error, with the name of its file before it.
#[test]
fn standard_error() {
    let document =
        r#"{"warpspan":1,"warps":{"kernel":"LCL","count":2,"machine":{"preset":"a\nb\u001b[31m"},"x\ny":1}}"#;
    let answer = warpspan_with(&["run", "-"], document.as_bytes());
    assert_eq!(answer.status, 2);
    let lines: Vec<&str> = answer.err.lines().collect();
    assert_eq!(lines.len(), 2, "{}", answer.err);
    assert!(
        lines.iter().all(|line| line.starts_with("-: warps.") && !line.contains(breaks)),
        "{}",
        answer.err
    );
    let named = warpspan_with(&["run", "no\nsuch\u{1b}file"], b"");
    assert_eq!((named.status, named.err.lines().count()), (2, 1), "{}", named.err);
    assert!(named.err.starts_with(r"no\nsuch\u{1b}file: "), "{}", named.err);
}
