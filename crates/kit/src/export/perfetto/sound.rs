//! What a file of trace events must be for its readers; labs hold theirs against it in tests.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::import::json;

/// The events of a file that readers take as it is meant: names for every process and thread, ascending times, and no
/// two events of a thread that overlap, added up as they are or cut to nanoseconds.
pub fn sound(text: &str) -> Vec<Value> {
    let file = match json::parse(text) {
        Ok(file) => file,
        Err(problem) => unreachable!("{problem}: {text}"),
    };
    assert_eq!(file["displayTimeUnit"], "ns");
    let events = file["traceEvents"].as_array().cloned().unwrap_or_default();
    let (mut processes, mut threads) = (BTreeSet::new(), BTreeSet::new());
    let mut ends: BTreeMap<(usize, usize), (f64, u64)> = BTreeMap::new();
    let mut last = 0.0;
    for event in &events {
        let (pid, tid) = (number(&event["pid"]), number(&event["tid"]));
        let name = event["name"].as_str().unwrap_or_default();
        assert!(!name.is_empty() && pid < usize::MAX && tid < usize::MAX, "{event}");
        if event["ph"] == "M" {
            let is_said = match name {
                "process_name" => processes.insert(pid) && event["args"]["name"].is_string(),
                "thread_name" => threads.insert((pid, tid)) && event["args"]["name"].is_string(),
                "process_sort_index" | "thread_sort_index" => event["args"]["sort_index"].is_u64(),
                _ => false,
            };
            assert!(is_said, "{event} says something else, or twice");
            continue;
        }
        assert!(processes.contains(&pid), "{event} has no process");
        let (ts, start) = time(&event["ts"]);
        assert!(ts >= last, "{event} comes after {last}");
        last = ts;
        match event["ph"].as_str() {
            Some("X") => {
                assert!(threads.contains(&(pid, tid)), "{event} has no thread");
                let (dur, length) = time(&event["dur"]);
                let (end, cut) = ends.insert((pid, tid), (ts + dur, start + length)).unwrap_or_default();
                assert!(dur >= 0.0 && end <= ts && cut <= start, "{event} begins before {end}");
            }
            Some("i") => assert!(threads.contains(&(pid, tid)) && event["s"] == "t", "{event}"),
            Some("C") => {
                let counts: Vec<&Value> =
                    event["args"].as_object().into_iter().flat_map(|args| args.values()).collect();
                assert!(!counts.is_empty() && counts.iter().all(|count| count.is_u64()), "{event}");
            }
            _ => unreachable!("{event} is of another kind"),
        }
    }
    events
}

/// A number as an index; one that is none is the largest.
pub fn number(value: &Value) -> usize {
    value.as_u64().map_or(usize::MAX, |number| number as usize)
}

/// Microseconds as readers have them, and the nanoseconds they stand for.
pub fn time(value: &Value) -> (f64, u64) {
    let micros = value.as_f64().unwrap_or(f64::NAN);
    (micros, (micros * 1e3).round() as u64)
}
