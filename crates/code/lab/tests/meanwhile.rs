//! What a search tells before its end: a bracket at once, narrower ones later, and in the end what it comes to.

#![allow(missing_docs)]

use base::{Control, Seeded};
use code_lab::page::Seen;
use code_lab::report::CodeReport;
use code_lab::{CodeScenario, LINKED, document};
use kit::job::Step;
use serde_json::{Value, json};
use warpspan_code_lab as code_lab;

/// What a driver hears of a job whose slices have so much fuel and take so long, and the last line.
fn heard(tree: &Value, fuel: u64, seconds: f64) -> (Vec<CodeReport>, CodeReport) {
    let read = |line: &str| {
        let seen = Seen::new(line).expect("a report the page can show");
        assert_eq!(serde_json::from_str::<CodeReport>(line).ok().as_ref(), Some(&seen.report));
        seen.report
    };
    let scenario = LINKED.from_tree(tree).expect("a document");
    let mut job = LINKED.start(&scenario);
    let mut told = Vec::new();
    loop {
        match job.step(&mut Control::slice(fuel)) {
            Step::More(_) => told.extend(job.news().map(|line| read(&line))),
            Step::Done(report) => break (told, read(&report.line())),
        }
        assert_eq!(job.news(), None, "once is enough");
        job.took(seconds);
    }
}

fn run(tree: &Value) -> CodeReport {
    let scenario = LINKED.from_tree(tree).expect("a document");
    LINKED.run(&scenario).of::<CodeReport>().cloned().expect("a report")
}

/// Each line is a bracket of a schedule that keeps the rules, within the one before and around the one after.
fn narrows(tree: &Value, told: &[CodeReport], last: &CodeReport) {
    let scenario = LINKED.from_tree(tree).expect("a document");
    let asked = scenario.asked::<CodeScenario>().expect("machine code");
    for (own, next) in told.iter().zip(told.iter().skip(1).chain([last])) {
        assert!(own.lower <= next.lower && next.upper <= own.upper, "{} {}", own.lower, own.upper);
        assert!(own.at_least <= own.lower.into() && u64::from(own.lower) <= own.upper);
        assert_eq!((own.exact, own.makespan), (u64::from(own.lower) == own.upper, own.lower));
        assert_eq!(own.schedule.len(), asked.launch.instructions());
        assert_eq!(own.schedule.iter().map(|row| row.3).max(), Some(own.makespan), "it takes so long");
    }
}

fn fixture(name: &str) -> Value {
    let path = format!("{}/../read/tests/fixtures/{name}.sass", env!("CARGO_MANIFEST_DIR"));
    document(&std::fs::read_to_string(path).expect("a fixture")).expect("a document")
}

#[test]
fn a_bracket_is_there_after_the_first_slice() {
    for name in ["saxpy-sm_75", "matmul_4_16-sm_90", "reduce_256-sm_61"] {
        let mut tree = fixture(name);
        tree["warps"]["method"] = json!({ "longest": { "iterations": 2_000 } });
        let (told, last) = heard(&tree, 50_000, 0.1);
        assert!(told.len() > 1, "{name}: {} lines", told.len());
        // Of what all policies make the longest, and what the formula gives: before any search.
        assert_eq!(Some(told[0].upper), Some(last.upper));
        assert!(told[0].policies.iter().all(|policy| policy.makespan <= told[0].lower));
        narrows(&tree, &told, &last);
        assert_eq!(last, run(&tree), "{name}: whoever listens changes nothing");
    }
}

/// However short slices are.
#[test]
fn the_first_line_comes_before_the_search() {
    let mut tree = fixture("saxpy-sm_75");
    tree["warps"]["method"] = json!({ "exact": {} });
    let scenario = LINKED.from_tree(&tree).expect("a document");
    let mut job = LINKED.start(&scenario);
    let Step::More(progress) = job.step(&mut Control::slice(1)) else { unreachable!("there is more to do") };
    assert_eq!(progress.done, 0, "what is known by itself is told first");
    let first: Value = serde_json::from_str(&job.news().expect("a line")).expect("JSON");
    assert_eq!((&first["exact"], &first["stop"]), (&json!(false), &json!("cancelled")));
    // Whoever stops it then has the same.
    let stopped = job.stop(base::StopReason::Cancelled).expect("a report");
    assert_eq!(serde_json::from_str::<Value>(&stopped.line()).ok(), Some(first));
}

/// Their lines say why each instruction waited only in the end, and say so.
#[test]
fn lines_of_long_schedules_are_short() {
    let code = json!([{ "unit": "a" }, { "unit": "a", "hold": 2 }]);
    let tree = json!({ "warpspan": 1, "title": "long", "warps": {
        "code": code,
        "path": (0..700).map(|place| place % 2).collect::<Vec<u32>>(),
        "machine": { "partitions": 4, "issue": 1, "units": { "a": { "per": "partition", "count": 1 } } },
        "count": 32,
        "method": { "longest": { "iterations": 1 } },
    } });
    let (told, last) = heard(&tree, 1, 10.0);
    let said =
        |report: &CodeReport| report.notes.iter().any(|note| note.contains("once the search has ended"));
    assert!(told[0].waits.is_empty() && said(&told[0]));
    assert!(last.waits.len() == last.schedule.len() && !said(&last));
    // How long warps waited before each line is known all the same.
    assert!(told[0].code.iter().any(|line| line.share > 0.0));
    narrows(&tree, &told, &last);
}

/// Code drawn at random, searched by all methods.
#[test]
fn lines_of_random_code_narrow_to_what_it_comes_to() {
    let mut rng = Seeded::new(81, 0);
    let (mut lines, mut closed) = (0, 0);
    for round in 0..40 {
        let length = 2 + rng.below(5);
        let instruction = |rng: &mut Seeded| {
            let least = 2 + rng.below(6);
            let mut own = json!({ "unit": (["a", "b"][rng.below(2) as usize]), "hold": 1 + rng.below(3), "stall": 1 + rng.below(3) });
            if rng.below(2) == 0 {
                own["sets"] = json!({ (rng.below(2).to_string()): [least, least + rng.below(4)] });
            }
            if rng.below(2) == 0 {
                own["waits"] = json!([rng.below(2)]);
            }
            own
        };
        let code: Vec<Value> = (0..length).map(|_| instruction(&mut rng)).collect();
        let method = [json!({ "exact": {} }), json!({ "longest": { "iterations": 200 } })];
        let tree = json!({ "warpspan": 1, "title": "drawn", "warps": {
            "code": code,
            "machine": { "partitions": 1 + rng.below(2), "issue": 1, "units": {
                "a": { "per": "partition", "count": 1 }, "b": { "per": "multiprocessor", "count": 1 },
            } },
            "count": 2 + rng.below(3),
            "method": method[round % 2],
        } });
        let (told, last) = heard(&tree, 400, 0.5);
        narrows(&tree, &told, &last);
        assert_eq!(last, run(&tree));
        lines += told.len();
        closed += usize::from(last.exact);
    }
    assert!(lines > 40 && closed > 12, "{lines} lines, {closed} closed");
}
