//! `convert`: every built-in example in every form it has, and what is said where it has none.

#![cfg(all(feature = "cli", not(target_arch = "wasm32")))]

mod common;

use std::collections::{BTreeMap, BTreeSet};

use common::{Answer, Scratch, warpspan};
use serde_json::Value;
use warpspan::scenario::builtin::BUILTINS;

/// The lab a document is for.
fn lab(text: &str) -> &'static str {
    let document: Value = serde_json::from_str(text).expect("an example is JSON");
    let is_experiment = document["tasks"].get("experiment").is_some();
    match ["warps", "blocks", "tasks", "chain"].into_iter().find(|lab| document.get(lab).is_some()) {
        Some("tasks") if is_experiment => "experiment",
        Some(lab) => lab,
        None => "conjecture",
    }
}

/// Every example with what `convert` says of it.
fn converted(form: &str) -> impl Iterator<Item = (&'static str, &'static str, Answer)> {
    BUILTINS.iter().map(move |example| {
        let text = common::shortened(example.text).unwrap_or_else(|| example.text.to_owned());
        let file = Scratch::new(text.as_bytes());
        (example.name, lab(example.text), warpspan(&["convert", file.path(), "--to", form]))
    })
}

/// Whether what is asked for exists; if not, a place and what was expected are told.
fn exists(name: &str, answer: &Answer, is_there: bool) -> bool {
    let status = if is_there { 0 } else { 2 };
    assert_eq!((answer.status, answer.err.is_empty()), (status, is_there), "{name}: {}", answer.err);
    assert!(is_there || answer.err.contains("expected"), "{name}: {}", answer.err);
    is_there
}

#[test]
fn traces_are_strict_json_in_which_nothing_overlaps() {
    let mut labs = BTreeSet::new();
    for (name, lab, answer) in converted("perfetto") {
        if !exists(name, &answer, !matches!(lab, "experiment" | "conjecture" | "chain")) {
            continue;
        }
        labs.insert(lab);
        let file: Value = serde_json::from_str(&answer.out).expect("a trace is JSON");
        let events = file["traceEvents"].as_array().expect("events are a list");
        let threads: BTreeSet<(u64, u64)> =
            events.iter().filter(|event| event["name"] == "thread_name").map(thread).collect();
        let mut ends: BTreeMap<(u64, u64), f64> = BTreeMap::new();
        for event in events.iter().filter(|event| event["ph"] == "X") {
            let [from, length] = ["ts", "dur"].map(|key| event[key].as_f64().expect("a time"));
            let end = ends.insert(thread(event), from + length).unwrap_or(0.0);
            assert!(end <= from && threads.contains(&thread(event)), "{name}: {event}");
        }
        assert!(!ends.is_empty(), "{name} has events");
    }
    assert_eq!(labs.into_iter().collect::<Vec<_>>(), ["blocks", "tasks", "warps"]);
}

fn thread(event: &Value) -> (u64, u64) {
    (event["pid"].as_u64().expect("a process"), event["tid"].as_u64().expect("a thread"))
}

#[test]
fn tables_have_as_many_fields_in_every_line() {
    for (name, lab, answer) in converted("csv") {
        if exists(name, &answer, !matches!(lab, "experiment" | "conjecture" | "chain")) {
            let fields: BTreeSet<usize> = records(&answer.out).iter().map(Vec::len).collect();
            assert_eq!(fields.len(), 1, "{name}");
        }
    }
}

/// The records of a table as RFC 4180 has them: lines end in CR and LF, quotes within quotes are doubled.
fn records(text: &str) -> Vec<Vec<String>> {
    let (mut all, mut record, mut field) = (Vec::new(), Vec::new(), String::new());
    let mut quoted = false;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, quoted) {
            ('"', true) if chars.peek() == Some(&'"') => field.extend(chars.next()),
            ('"', _) => quoted = !quoted,
            (',', false) => record.push(std::mem::take(&mut field)),
            ('\r', false) => {
                assert_eq!(chars.next(), Some('\n'));
                record.push(std::mem::take(&mut field));
                all.push(std::mem::take(&mut record));
            }
            _ => field.push(c),
        }
    }
    assert!(record.is_empty() && field.is_empty() && !quoted, "the last line ends");
    all
}

#[test]
fn only_runs_of_blocks_have_logs() {
    for (name, lab, answer) in converted("examiner-log") {
        if exists(name, &answer, lab == "blocks") {
            assert!(answer.out.lines().all(|line| serde_json::from_str::<Value>(line).is_ok()), "{name}");
        }
    }
}
