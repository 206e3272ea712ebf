//! The exact search and beams through the real program, held against a search that tries everything.

#![cfg(not(target_arch = "wasm32"))]

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

/// The worst cases alone.
fn worst(fields: &[String]) -> Vec<u64> {
    let proven = |report: Value| {
        assert_eq!((&report["exact"], text(&report, "stop")), (&Value::Bool(true), "done"), "{report}");
        report["makespan"].as_u64().expect("a number")
    };
    reports(fields, r#"{"exact": {"shortest": false}}"#).into_iter().map(proven).collect()
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

/// One call for each number of warps.
fn voronoi_worst(warps: std::ops::RangeInclusive<u32>, machine: &str) -> Vec<u64> {
    warps.flat_map(|n| worst(&voronoi(n..=n, machine))).collect()
}

#[test]
fn voronoi_with_few_warps() {
    assert_eq!(voronoi_worst(1..=6, r#""C": 4"#), [25, 31, 37, 45, 57, 67]);
}

/// Six warps take longer than four and two take together.
#[test]
fn voronoi_with_few_warps_and_four_issue_slots() {
    assert_eq!(voronoi_worst(1..=7, r#""C": 4, "issue": 4"#), [25, 31, 37, 45, 65, 78, 87]);
}

/// The program of Raravi and Andersson: `C`, some rounds of `LLC`, a store; so many warps, in sub-blocks or not.
fn finishing(rounds: usize, warps: usize, fair: bool) -> String {
    let machine = r#"{"L": 1, "C": 2, "issue": 2}"#;
    // The first instruction belongs to the first round, the store stands alone.
    let boundaries: Vec<usize> = (1..=rounds).map(|round| 1 + 3 * round).collect();
    let fairness = format!(r#", "fairness": "sub-block", "sub_blocks": {boundaries:?}"#);
    let fairness = if fair { &fairness } else { "" };
    format!(r#""kernel": "C {rounds}(LLC) L", "count": {warps}, "machine": {machine}{fairness}"#)
}

/// Published for four warps: 14, 22 and 30, and that another interleaving of one round takes 13.
#[test]
fn finishing_times_of_four_warps_are_as_published() {
    let reports = exact(&[1, 2, 3].map(|rounds| finishing(rounds, 4, true)));
    assert_eq!(reports.iter().map(|report| &report["makespan"]).collect::<Vec<_>>(), [14, 22, 30]);
    assert_eq!(reports[0]["shortest"]["makespan"], 13);
}

/// The published formula is no bound: for one warp it says 7 and 9, for six 20, 32 and 44.
#[test]
fn finishing_times_beyond_the_formula() {
    assert_eq!(worst(&[2, 3].map(|rounds| finishing(rounds, 1, true))), [8, 11]);
    assert_eq!(worst(&[1, 2, 3].map(|rounds| finishing(rounds, 6, true))), [21, 33, 45]);
    assert_eq!(worst(&[1, 3].map(|rounds| finishing(rounds, 4, false))), [15, 33]);
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
    let report = cut(r#"{"exact": {"memory_limit": 1, "shortest": false, "time_limit": 15}}"#);
    assert!(["memory-limit", "time-limit"].contains(&text(&report, "stop")), "{report}");
}

/// The best case is given a counted number of steps; what they do not decide is left open, and said to be.
#[test]
fn the_best_case_may_stay_open() {
    let report = reports(&voronoi(4..=5, r#""C": 4"#), r#"{"exact": {}}"#).remove(1);
    let shortest = &report["shortest"];
    assert!(report["exact"] == true && shortest["lower"].as_u64() >= Some(37), "{shortest}");
    assert!(shortest["makespan"].as_u64() < report["makespan"].as_u64());
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
