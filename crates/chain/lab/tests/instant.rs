//! A task that activates another one needs its core for an instant: when a run gives it that instant.

#![allow(missing_docs)]

use chain_lab::LINKED;
use chain_lab::report::chain::WholeReport;
use serde_json::{Value, json};
use warpspan_chain_lab as chain_lab;

/// High takes so long, low so long.
const HIGH: u32 = 6;
const LOW: u32 = 7;

/// The longest that a job of `low` takes where `first` is activated at some times and does nothing but activate `high`,
/// which goes before all others; `low` goes before `first`. Of what comes at the same time `first` may have its instant
/// before the others are there.
fn longest(first: [u32; 2], low: [u32; 2]) -> u32 {
    let (mut waits, mut high) = (0, 0);
    let mut lows: Vec<(u32, u32)> = Vec::new();
    let mut longest = 0;
    for now in 0..120 {
        waits += first.iter().filter(|&&at| at == now).count();
        for comes in [false, true] {
            if comes {
                lows.extend(low.iter().filter(|&&at| at == now).map(|&at| (at, LOW)));
            }
            if waits > 0 && high == 0 && lows.is_empty() {
                (waits, high) = (waits - 1, HIGH);
            }
        }
        if high > 0 {
            high -= 1;
        } else if let Some(job) = lows.first_mut() {
            job.1 -= 1;
            if job.1 == 0 {
                longest = longest.max(now + 1 - job.0);
                lows.remove(0);
            }
        }
    }
    longest
}

/// Jobs of `low` of which the next one waits already leave `first` no instant between them.
#[test]
fn who_waits_already_goes_first_when_a_job_ends() {
    let tree = json!({ "warpspan": 1, "chain": { "kernels": [], "tasks": [
        { "name": "first", "priority": 3, "period": 40, "jitter": 35, "segments": [{ "activate": "high" }] },
        { "name": "high", "priority": 1, "segments": [{ "cpu": HIGH }] },
        { "name": "low", "priority": 2, "period": 40, "jitter": 30, "deadline": 15, "segments": [{ "cpu": LOW }] },
    ] } });
    let scenario = LINKED.from_tree(&tree).unwrap_or_else(|problems| unreachable!("{problems:?}"));
    let report: WholeReport = serde_json::from_str(&LINKED.run(&scenario).line()).expect("a report");
    let low = &report.tasks[2];
    let told = low.response.lower.as_ref().map(|figure| figure.value);
    // Two activations of each, as close as they may come or farther, begun beside each other in every way.
    let mut most = 0;
    for (begin, apart) in (0..32).flat_map(|begin| (5..=40).map(move |apart| (begin, apart))) {
        for between in 10..=40 {
            most = most.max(longest([begin, begin + apart], [16, 16 + between]));
        }
    }
    assert_eq!((most, told), (13, Some(13)), "{}", low.because);
    assert_ne!(low.meets, Some(false), "{}", low.because);
}

/// What is told of the last of some tasks: its response at least, and whether it meets its deadline.
fn last(cores: &[&str], tasks: &Value) -> (Option<u64>, Option<bool>) {
    let cores: Vec<Value> = cores.iter().map(|name| json!({ "name": name })).collect();
    let tree = json!({ "warpspan": 1, "chain": { "kernels": [], "cores": cores, "tasks": tasks } });
    let scenario = LINKED.from_tree(&tree).unwrap_or_else(|problems| unreachable!("{problems:?}"));
    let report: WholeReport = serde_json::from_str(&LINKED.run(&scenario).line()).expect("a report");
    let task = report.tasks.last().expect("a task");
    (task.response.lower.as_ref().map(|figure| figure.value), task.meets)
}

/// `both` activates `low` and `high` at once, 1,000 apart or nearly. `high` is over, or was not there, when `low` has its
/// instant to activate `last`: so `last`, below both, meets neither, and takes 5.
#[test]
fn of_two_that_come_at_once_the_one_above_goes_first() {
    let tasks = json!([
        { "name": "both", "core": "one", "period": 1000, "segments": [{ "cpu": 5 }, { "activate": "low" }, { "activate": "high" }] },
        { "name": "low", "core": "other", "priority": 2, "segments": [{ "activate": "last" }] },
        { "name": "high", "core": "other", "priority": 1, "segments": [{ "cpu": 10 }] },
        { "name": "last", "core": "other", "priority": 3, "deadline": 12, "segments": [{ "cpu": 5 }] },
    ]);
    let (least, meets) = last(&["one", "other"], &tasks);
    assert_eq!(least, Some(5));
    assert_ne!(meets, Some(false));
}

/// `both` activates `high`, which takes the core from it at once, and `last` when it has the core again: `last` takes 5.
#[test]
fn whom_a_task_activates_above_itself_goes_before_what_it_does_next() {
    let tasks = json!([
        { "name": "both", "priority": 2, "period": 1000, "segments": [{ "cpu": 5 }, { "activate": "high" }, { "activate": "last" }] },
        { "name": "high", "priority": 1, "segments": [{ "cpu": 10 }] },
        { "name": "last", "priority": 3, "deadline": 12, "segments": [{ "cpu": 5 }] },
    ]);
    let (least, meets) = last(&["cpu"], &tasks);
    assert_eq!(least, Some(5));
    assert_ne!(meets, Some(false));
}
