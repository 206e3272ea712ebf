//! `convert`: every built-in example in every form it has, and what is said where it has none.

#![cfg(not(target_arch = "wasm32"))]

mod common;

use std::collections::{BTreeMap, BTreeSet};

use common::{Answer, Scratch, warpspan};
use serde_json::Value;
use warpspan::page::Subject;
use warpspan::scenario::builtin::BUILTINS;

/// The lab a document is for.
fn lab(text: &str) -> &'static str {
    let document: Value = serde_json::from_str(text).expect("an example is JSON");
    let is_experiment = document["tasks"].get("experiment").is_some();
    match Subject::of(&document) {
        Some(Subject::Code) => "code",
        Some(Subject::Tasks) if is_experiment => "experiment",
        subject => subject.expect("an example is of a lab").key(),
    }
}

/// The labs whose runs are written as trace events and as a table.
const TIMED: [&str; 5] = ["blocks", "tasks", "trace", "warps", "waves"];

/// Every example with what `convert` says of it, but studies, whose rows `warpspan study` writes.
fn converted(form: &str) -> impl Iterator<Item = (&'static str, &'static str, Answer)> {
    let examples = BUILTINS.iter().filter(|example| example.group != "Studies");
    examples.map(move |example| {
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
        if !exists(name, &answer, TIMED.contains(&lab)) {
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
            // Sums of fractions of a microsecond are not exact.
            assert!(end <= from + 1e-6 && threads.contains(&thread(event)), "{name}: {event}");
        }
        assert!(!ends.is_empty(), "{name} has events");
    }
    assert_eq!(labs.into_iter().collect::<Vec<_>>(), TIMED);
}

fn thread(event: &Value) -> (u64, u64) {
    (event["pid"].as_u64().expect("a process"), event["tid"].as_u64().expect("a thread"))
}

#[test]
fn tables_have_as_many_fields_in_every_line() {
    for (name, lab, answer) in converted("csv") {
        if exists(name, &answer, TIMED.contains(&lab)) {
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

/// What converting a document to logs says: logs on standard output, and what is told besides.
fn logs(document: &Value) -> (Vec<Value>, String) {
    let file = Scratch::new(document.to_string().as_bytes());
    let answer = warpspan(&["convert", file.path(), "--to", "examiner-log"]);
    assert_eq!(answer.status, 0, "{}", answer.err);
    let logs = answer.out.lines().map(|line| serde_json::from_str(line).expect("a log is JSON")).collect();
    (logs, answer.err)
}

#[test]
fn streams_without_kernels_have_no_log_and_that_is_told() {
    let kernel = serde_json::json!({"type": "kernel", "label": "K", "parameters": {"duration": 1000}});
    let memset =
        serde_json::json!({"type": "memset", "label": "m", "parameters": {"async": false, "size": 1024}});
    let one = serde_json::json!({"filename": "stream_action", "label": "B", "thread_count": 32, "block_count": 1,
        "additional_info": {"actions": [kernel, memset]}});
    let cpu = serde_json::json!({"filename": "cpu_random_walk", "label": "C"});
    let of = |benchmarks: &[&Value]| {
        logs(&serde_json::json!({"name": "x", "max_iterations": 1, "max_time": 0, "benchmarks": benchmarks}))
    };
    let (made, told) = of(&[&one, &cpu]);
    assert_eq!((made.len(), &made[0]["label"]), (1, &Value::from("B")));
    assert!(told.contains("stream \"null stream\" launches no kernel"), "{told}");
    let (made, told) = of(&[&cpu]);
    assert!(made.is_empty() && told.contains("there is no log to write"), "{told}");
}

#[test]
fn kernels_that_start_in_one_nanosecond_are_written_apart_in_the_order_of_their_queue() {
    // B is launched after C; both find room when A ends.
    let stream = |label: &str, blocks: u32, duration: u64, release: u64| {
        serde_json::json!({"label": label, "release": release, "operations":
            [{"kernel": label, "threads": 1024, "blocks": blocks, "duration": duration}]})
    };
    let streams = [
        stream("A", 4, 5_000_000, 0),
        stream("B", 1, 1_000_000, 2_000_000),
        stream("C", 1, 1_000_000, 1_000_000),
    ];
    let (made, told) = logs(&serde_json::json!({"warpspan": 1, "blocks": {"streams": streams}}));
    let start = |at: usize| made[at]["times"][2]["block_times"][0].as_f64().expect("a time");
    assert_eq!(([start(1), start(2)], told.as_str()), ([0.005_000_010, 0.005], ""));
}
