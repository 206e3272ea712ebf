//! The exact search and beams through the real program, held against a search that tries everything.

#![cfg(all(feature = "cli", not(target_arch = "wasm32")))]

mod common;
#[path = "common/oracle.rs"]
mod oracle;

use common::{Scratch, document, rows, sound, text, warpspan};
use oracle::Model;
use serde_json::Value;
use warpspan::base::{Control, Seeded, StopReason};
use warpspan::job::{self, Step};
use warpspan::scenario;

const VORONOI: &str = r#""kernel": "5L 9C 2L 9C", "machine": {"L": 1, "C": 4}"#;

/// The reports of scenarios, run in one call; each is looked at cycle by cycle.
fn reports(fields: &[String], method: &str) -> Vec<Value> {
    let files: Vec<Scratch> = fields
        .iter()
        .map(|fields| Scratch::new(document(&format!(r#"{fields}, "method": {method}"#)).as_bytes()))
        .collect();
    let words: Vec<&str> = ["run"].into_iter().chain(files.iter().map(Scratch::path)).collect();
    let answer = warpspan(&words);
    assert_eq!((answer.status, answer.err.as_str()), (0, ""));
    let reports = answer.out.lines().map(|line| serde_json::from_str(line).expect("a report is JSON"));
    let reports: Vec<Value> = reports.collect();
    assert_eq!(reports.len(), fields.len());
    for report in &reports {
        sound(report);
        let last = Model::of(report).keeps_rules(&rows(report));
        assert_eq!(report["makespan"], last);
        if let Some(shortest) = report.get("shortest") {
            let last = Model::of(report).keeps_rules(&common::rows_of(shortest));
            assert_eq!(shortest["makespan"], last);
        }
    }
    reports
}

fn exact(fields: &[String]) -> Vec<Value> {
    let reports = reports(fields, r#"{"exact": {}}"#);
    for report in &reports {
        assert_eq!((&report["exact"], text(report, "stop")), (&Value::Bool(true), "done"), "{report}");
        assert_eq!(report["shortest"]["exact"], Value::Bool(true), "{report}");
    }
    reports
}

fn worst(fields: &[String]) -> Vec<u64> {
    exact(fields).iter().map(|report| report["makespan"].as_u64().expect("a number")).collect()
}

fn voronoi(warps: std::ops::RangeInclusive<u32>, machine: &str) -> Vec<String> {
    warps.map(|n| format!(r#"{}, "count": {n}"#, VORONOI.replace(r#""C": 4"#, machine))).collect()
}

#[test]
fn random_questions_have_the_answers_of_trying_everything() {
    let mut rng = Seeded::new(160, 0);
    for _ in 0..3 {
        let models: Vec<Model> = (0..150).map(|_| Model::random(&mut rng, 4, 8)).collect();
        let fields: Vec<String> = models.iter().map(Model::fields).collect();
        for (model, report) in models.iter().zip(exact(&fields)) {
            let (longest, shortest) = model.extremes();
            assert_eq!(report["makespan"], longest, "{model:?}");
            assert_eq!(report["shortest"]["makespan"], shortest, "{model:?}");
        }
    }
}

/// Without an issue limit; with four issue slots six warps take longer than four and two together.
#[test]
fn voronoi_with_few_warps() {
    assert_eq!(worst(&voronoi(1..=4, r#""C": 4"#)), [25, 31, 37, 45]);
    assert_eq!(worst(&voronoi(1..=4, r#""C": 4, "issue": 4"#)), [25, 31, 37, 45]);
}

/// The published formula for finishing times says 7, 14 and 13 at the least; these schedules exist.
#[test]
fn finishing_times() {
    let raravi = |kernel: &str, warps, more: &str| {
        let machine = r#"{"L": 1, "C": 2, "issue": 2}"#;
        format!(r#""kernel": "{kernel}", "count": {warps}, "machine": {machine}{more}"#)
    };
    let one = [raravi("C LLC LLC L", 1, ""), raravi("C LLC LLC LLC L", 1, "")];
    assert_eq!(worst(&one), [8, 11]);
    let four = [raravi("C LLC L", 4, ""), raravi("C 3(LLC) L", 4, "")];
    assert_eq!(worst(&four), [15, 33]);
}

#[test]
fn a_beam_keeps_the_rules_and_is_never_above_the_worst_case() {
    let mut rng = Seeded::new(161, 0);
    let models: Vec<Model> = (0..100).map(|_| Model::random(&mut rng, 4, 8)).collect();
    let fields: Vec<String> = models.iter().map(Model::fields).collect();
    for (method, least) in [(r#"{"beam": {"width": 3}}"#, 60), (r#"{"beam": {"guided": true}}"#, 95)] {
        let found = reports(&fields, method);
        let hits = found.iter().zip(&models).filter(|(report, model)| {
            let longest = model.extremes().0;
            assert!(report["makespan"].as_u64() <= Some(longest.into()), "{model:?}");
            report["makespan"] == longest
        });
        assert!(hits.count() >= least);
    }
}

#[test]
fn a_search_without_the_best_case_says_nothing_of_it() {
    let fields = voronoi(3..=3, r#""C": 4"#);
    let report = reports(&fields, r#"{"exact": {"shortest": false}}"#).remove(0);
    assert!(report.get("shortest").is_none() && report["makespan"] == 37);
}

/// A limit leaves a bracket that holds, and says which limit it was.
#[test]
fn limits_leave_what_is_proven() {
    let hard = r#""kernel": "LCLCSLDLCSCLDCLSLCSDLCCSLDCSLL", "count": 24, "machine": {"L": 1, "C": 2, "S": 1, "D": 1, "issue": 3}"#;
    let cut = |method| reports(&[hard.to_owned()], method).remove(0);
    let report = cut(r#"{"exact": {"time_limit": 0.3}}"#);
    assert_eq!(text(&report, "stop"), "time-limit");
    assert!(report["seconds"].as_f64().is_some_and(|seconds| seconds < 10.0));
    let report = cut(r#"{"exact": {"memory_limit": 1, "shortest": false, "time_limit": 15}}"#);
    assert!(["memory-limit", "time-limit"].contains(&text(&report, "stop")), "{report}");
}

/// What is noted of the bracket does not depend on how long slices are.
#[test]
fn slices_change_nothing() {
    let text = document(&format!(r#"{VORONOI}, "count": 5, "method": {{"exact": {{}}}}"#));
    let read = || scenario::read(&text).expect("valid");
    let timeless = |report: warpspan::report::Report| {
        let mut report: Value = serde_json::from_str(&report.line()).expect("a report is JSON");
        for line in report["bracket"].as_array_mut().expect("a list") {
            line[0] = Value::from(0);
        }
        report
    };
    let whole = timeless(job::run(read()));
    for fuel in [1, 5_000, 100_000] {
        let mut job = job::start(read());
        let mut seen = 0;
        let report = loop {
            match job.step(&mut Control::slice(fuel)) {
                Step::Done(report) => break report,
                Step::More(progress) => {
                    let bracket = progress.bracket.expect("a search for bounds tells them");
                    assert!(Some(bracket.lower) <= bracket.upper && !bracket.phase.is_empty());
                    seen += 1;
                    if seen == 2 {
                        let report = job.stop(StopReason::Cancelled).expect("there is something at once");
                        let report: Value = serde_json::from_str(&report.line()).expect("JSON");
                        sound(&report);
                        assert_eq!(common::text(&report, "stop"), "cancelled");
                    }
                }
            }
            job.took(0.001);
        };
        assert_eq!(timeless(report), whole);
    }
}
