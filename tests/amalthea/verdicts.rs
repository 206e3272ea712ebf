//! What a report proves of a model: nothing that a legal run of the model contradicts. Each file says by hand what can
//! happen in it.

use expect_test::{Expect, expect};
use serde_json::Value;
use warpspan::scenario;

use super::FILES;

fn report(text: &str) -> Value {
    let scenario = scenario::read(text).unwrap_or_else(|problems| unreachable!("{problems:?}"));
    let line = warpspan::job::run(scenario).line();
    serde_json::from_str(&line).unwrap_or_else(|error| unreachable!("{error}"))
}

/// Verdict, tasks with their responses, and what they rest on, line by line.
fn check(text: &str, expected: Expect) {
    let report = report(text);
    let verdict = &report["verdict"];
    let mut out = format!("{} {}\n", verdict["schedulable"], verdict["kind"]);
    for task in report["tasks"].as_array().into_iter().flatten() {
        let side = |name: &str| match &task["response"][name] {
            Value::Null => "?".to_owned(),
            figure => format!("{} {}", figure["value"], figure["kind"].as_str().unwrap_or_default()),
        };
        out += &format!(
            "{}: {} to {}, meets {} {}\n",
            task["name"].as_str().unwrap_or_default(),
            side("lower"),
            side("upper"),
            task["meets"],
            task["kind"]
        );
    }
    expected.assert_eq(&out);
}

/// Ask needs 13 ms and has 12.
#[test]
fn waiting_for_a_task_of_a_core() {
    check(
        include_str!("wait.amxmi"),
        expect![[r#"
            false "lower"
            Ask: 76000000 lower to ?, meets false "lower"
            Answer: 10000000 given to 10000000 given, meets true "given"
        "#]],
    );
}

/// Low needs 14 ms and has 12.
#[test]
fn waiting_actively() {
    check(
        include_str!("active.amxmi"),
        expect![[r#"
            false "lower"
            High: 9000000 given to 9000000 simulated, meets true "simulated"
            Low: 14000000 lower to ?, meets false "lower"
        "#]],
    );
}

/// Low needs 50 ms and has 45.
#[test]
fn late_activations() {
    check(
        include_str!("jitter.amxmi"),
        expect![[r#"
            false "exact"
            Front: 30000000 given to 30000000 given, meets true "given"
            First: 40000000 exact to 40000000 exact, meets true "exact"
            Back: 15000000 given to 25000000 upper, meets true "upper"
            Low: 50000000 exact to 50000000 exact, meets false "exact"
        "#]],
    );
}

/// High needs 10 ms and has 6.
#[test]
fn semaphores() {
    check(
        include_str!("semaphore.amxmi"),
        expect![[r#"
            true "simulated"
            High: 1000000 given to 1000000 simulated, meets true "simulated"
            Low: 9000000 given to 11000000 simulated, meets true "simulated"
        "#]],
    );
}

/// Often works 6000 instructions, two in a tick of 400 kHz: 7.5 ms, and has 4.
#[test]
fn the_oldest_version() {
    check(
        include_str!("itea-1.1.amxmi"),
        expect![[r#"
            false "given"
            Often: 7500000 given to 7500000 given, meets false "given"
            Seldom: 18750000 exact to 18750000 exact, meets true "exact"
        "#]],
    );
}

/// Each assumption touches something of the chain, and with any of them that is safe for neither side there is no
/// proof that all deadlines are met.
#[test]
fn what_is_assumed_is_no_proof() {
    for text in FILES {
        let report = report(text);
        let assumed = report["assumed"].as_array().map_or(0, Vec::len);
        let verdict = &report["verdict"];
        if assumed > 0 && verdict["schedulable"] == true {
            assert_eq!(verdict["kind"], "simulated", "{text:.300}");
        }
    }
}
