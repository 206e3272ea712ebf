//! Fair sub-blocks through the real program: every method keeps them, and what is unfair is refused.
//!
//! Schedules are looked at cycle by cycle with the tests' own idea of who may execute while others wait.

#![cfg(not(target_arch = "wasm32"))]

mod common;
#[path = "common/oracle.rs"]
mod oracle;

use common::{Scratch, document, numbers, rows, run, sound, warpspan};
use expect_test::expect;
use oracle::Model;
use serde_json::Value;
use warpspan::base::Seeded;
use warpspan::warps::anneal::Neighbourhood;

const STARTS: [&str; 6] =
    ["round-robin", "fixed-priority", "most-pending", "greedy-then-oldest", "loose-round-robin", "random"];

/// Random questions; half of them with fair sub-blocks.
fn questions(seed: u64, n: usize) -> Vec<Model> {
    let mut rng = Seeded::new(seed, 0);
    (0..n).map(|_| Model::random(&mut rng, 7, 14)).collect()
}

/// Asks each question with each method in one call; the reports, each looked at.
fn asked(models: &[Model], methods: &[String]) -> Vec<Value> {
    let files = models.iter().flat_map(|model| {
        methods.iter().map(|method| {
            let text = document(&format!(r#"{}, "method": {method}"#, model.fields()));
            Scratch::new(text.as_bytes())
        })
    });
    let files: Vec<Scratch> = files.collect();
    let words: Vec<&str> = ["run"].into_iter().chain(files.iter().map(Scratch::path)).collect();
    let answer = warpspan(&words);
    assert_eq!((answer.status, answer.err.as_str()), (0, ""));
    let reports: Vec<Value> =
        answer.out.lines().map(|line| serde_json::from_str(line).expect("a report is JSON")).collect();
    assert_eq!(reports.len(), models.len() * methods.len());
    for (i, report) in reports.iter().enumerate() {
        sound(report);
        let model = &models[i / methods.len()];
        assert_eq!(report["makespan"], model.keeps_rules(&rows(report)), "{}", methods[i % methods.len()]);
    }
    reports
}

#[test]
fn every_start_is_fair() {
    let methods = STARTS.map(|start| format!(r#"{{"initial": "{start}"}}"#));
    asked(&questions(1, 40), &methods);
}

#[test]
fn every_annealing_is_fair() {
    let starts = format!("{STARTS:?}");
    let methods: Vec<String> = Neighbourhood::all()
        .map(|how| {
            let how = how.name();
            format!(
                r#"{{"anneal": {{"iterations": 150, "t0": 0.5, "neighbourhood": "{how}", "starts": {starts}}}}}"#
            )
        })
        .collect();
    asked(&questions(2, 25), &methods);
}

/// Where every fair schedule can be tried, annealing finds the longest of them.
#[test]
fn annealing_reaches_the_fair_worst_case() {
    let mut rng = Seeded::new(3, 0);
    let models: Vec<Model> = std::iter::repeat_with(|| Model::random(&mut rng, 4, 7))
        .filter(|m| m.boundaries.is_some())
        .take(40)
        .collect();
    let method = r#"{"anneal": {"iterations": 2000, "neighbourhood": "auto", "starts": ["random"]}}"#;
    let reports = asked(&models, &[method.to_owned()]);
    let longest = models.iter().map(|model| model.extremes().0);
    let found = reports.iter().zip(longest).filter(|(report, longest)| report["makespan"] == *longest);
    assert!(found.count() >= 38);
}

/// What lies between the boundaries is arranged; the report says so where that changed anything.
#[test]
fn a_given_order_is_arranged() {
    let fields = r#""kernel": "LCL", "count": 2, "machine": {"L": 1, "C": 1}"#;
    let fair = r#""fairness": "sub-block", "sub_blocks": [1, 2]"#;
    let with = |fairness: &str, order: &str| {
        let report = common::report(&format!(r#"{fields}{fairness}, "method": {{"order": {order}}}"#));
        (numbers(&report, "order"), report["notes"].as_array().expect("a list").clone())
    };
    let (order, notes) = with("", "[2, 2, 2, 1, 1, 1]");
    assert_eq!((order, notes.len()), (vec![2, 2, 2, 1, 1, 1], 0));
    let (order, notes) = with(&format!(", {fair}"), "[2, 2, 2, 1, 1, 1]");
    assert_eq!(order, [2, 1, 2, 1, 2, 1]);
    expect!["The order was arranged: all entries of a sub-block stand before those of the next, otherwise as given. Only such orders make fair schedules."]
        .assert_eq(notes[0].as_str().expect("a text"));
    let (order, notes) = with(&format!(", {fair}"), "[2, 1, 1, 2, 2, 1]");
    assert_eq!((order, notes.len()), (vec![2, 1, 1, 2, 2, 1], 0));
    // So is what a start makes, unless it is arranged by itself.
    for (start, notes) in [("fixed-priority", 1), ("round-robin", 0), ("greedy-then-oldest", 0)] {
        let report = common::report(&format!(r#"{fields}, {fair}, "method": {{"initial": "{start}"}}"#));
        assert_eq!(report["notes"].as_array().map(Vec::len), Some(notes), "{start}");
    }
}

#[test]
fn an_unfair_schedule_is_refused() {
    let with = |fairness: &str| {
        let fields = r#""kernel": "LL", "count": 2, "machine": {"L": 1}"#;
        run(&document(&format!(r#"{fields}{fairness}, "method": {{"schedule": [[1, 2], [3, 4]]}}"#)))
    };
    assert_eq!(with("").status, 0);
    let refused = with(r#", "fairness": "sub-block", "sub_blocks": [1]"#);
    assert_eq!((refused.status, refused.out.as_str()), (2, ""));
    expect![[r#"
        -: warps.method.schedule: unfair at cycle 2: warp 1 executes in sub-block 2 while warp 2 waits in sub-block 1 and could have its place, expected no warp executing in place of one that waits in an earlier sub-block
    "#]]
    .assert_eq(&refused.err);
}

/// What a real scheduler would do, on the published kernel.
#[test]
fn schedulers_on_voronoi() {
    let makespan = |start: &str, machine: &str| {
        let fields = format!(r#""kernel": "5L 9C 2L 9C", "count": 16, "machine": {machine}"#);
        common::report(&format!(r#"{fields}, "method": {{"initial": "{start}"}}"#))["makespan"].clone()
    };
    let both = |machine| ["greedy-then-oldest", "loose-round-robin"].map(|start| makespan(start, machine));
    assert_eq!(both(r#"{"L": 1, "C": 4}"#), [128, 139]);
    assert_eq!(both(r#"{"L": 1, "C": 4, "issue": 4}"#), [129, 152]);
}
