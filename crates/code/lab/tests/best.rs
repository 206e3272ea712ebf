//! The best case beside the worst: with a schedule that keeps the rules, or as a bracket where the search did not end.

#![allow(missing_docs)]

use base::{Control, StopReason};
use code::check::check;
use code::{Schedule, bounds};
use code_lab::page::summary;
use code_lab::report::CodeReport;
use code_lab::{CodeScenario, LINKED};
use kit::job::Step;
use serde_json::{Value, json};
use warpspan_code_lab as code_lab;

fn written(count: u32, method: &Value) -> Value {
    json!({ "warpspan": 1, "title": "two warps", "warps": {
        "code": [
            { "unit": "lsu", "sets": { "0": [4, 6] } },
            { "unit": "fp32", "hold": 2, "stall": 4, "waits": [0] },
            { "unit": "fp32", "hold": 2 },
        ],
        "machine": { "partitions": 1, "issue": 1, "units": {
            "fp32": { "per": "partition", "count": 1 },
            "lsu": { "per": "multiprocessor", "count": 1 },
        } },
        "count": count,
        "method": method,
    } })
}

fn run(tree: &Value) -> CodeReport {
    let scenario = LINKED.from_tree(tree).expect("a document");
    LINKED.run(&scenario).of::<CodeReport>().cloned().expect("a report")
}

/// Its schedule, put together again from what the report tells, keeps the rules and takes as long as it says.
fn is_sound(tree: &Value, report: &CodeReport) {
    let scenario = LINKED.from_tree(tree).expect("a document");
    let launch = &scenario.asked::<CodeScenario>().expect("machine code").launch;
    let best = report.shortest.as_ref().expect("a best case");
    let mut issued = vec![Vec::new(); launch.warps().len()];
    for &(warp, at, cycle, _) in &best.schedule {
        assert_eq!(launch.stream(warp - 1).path[issued[warp - 1].len()], at, "in the order of the way");
        issued[warp - 1].push(cycle);
    }
    let made = Schedule { issued, latencies: best.latencies.clone() };
    assert_eq!(check(launch, &made), []);
    assert_eq!(made.makespan(launch), best.makespan);
    assert_eq!(best.schedule.iter().map(|row| row.3).max(), Some(best.makespan));
    assert!(bounds::lower(launch) == report.at_least && report.at_least <= best.lower);
    assert!(best.lower <= best.makespan.into() && best.makespan <= report.lower);
    assert_eq!(best.exact, best.lower == u64::from(best.makespan));
}

/// By hand: loads in cycles 1 and 2 are there in cycles 5 and 6; one multiplies in 5, the other in 7 when the unit is free,
/// and again in 9 and 11.
#[test]
fn the_best_case_is_found_and_proven() {
    let tree = written(2, &json!({ "exact": {} }));
    let report = run(&tree);
    is_sound(&tree, &report);
    let best = report.shortest.as_ref().expect("a best case");
    assert_eq!((best.makespan, best.lower, best.exact), (12, 12, true));
    assert_eq!((report.lower, report.upper), (14, 14), "the worst case is as it was");
    assert!(report.at_least < 12, "the formula alone says less");
}

#[test]
fn it_is_sought_by_the_exact_search_alone_and_where_it_is_asked_for() {
    let without = json!({ "exact": { "shortest": false } });
    for method in [json!({ "policy": "oldest-first" }), json!({ "longest": { "iterations": 10 } }), without] {
        assert_eq!(run(&written(2, &method)).shortest, None, "{method}");
    }
    let refused = LINKED.from_tree(&written(2, &json!({ "exact": { "shortest": 1 } })));
    let problems: Vec<String> = refused.err().into_iter().flatten().map(|own| own.to_string()).collect();
    assert_eq!(problems, ["warps.method.exact.shortest: 1, expected true or false"]);
}

/// More warps than the search takes: what policies make, and the formula.
#[test]
fn where_no_search_is_there_it_is_a_bracket() {
    let tree = written(20, &json!({ "exact": {} }));
    let report = run(&tree);
    is_sound(&tree, &report);
    assert_eq!(report.shortest.as_ref().map(|best| best.lower), Some(report.at_least));
    let said = report.notes.iter().any(|note| note.contains("too many warps"));
    assert_eq!(said, !report.exact, "why there is a gap is told: {:?}", report.notes);
}

/// The search needs more memory than it has.
#[test]
fn what_a_search_that_gave_up_has_proven_stays() {
    let mut tree = written(9, &json!({ "exact": { "memory_limit": 1 } }));
    tree["warps"]["path"] = json!([0, 0, 1, 0, 2, 1, 0, 1, 2, 0, 1, 2]);
    let report = run(&tree);
    is_sound(&tree, &report);
    let best = report.shortest.as_ref().expect("a best case");
    assert!(!best.exact && report.stop == StopReason::MemoryLimit, "{} to {}", best.lower, best.makespan);
    for of in ["best case", "worst case"] {
        assert!(report.notes.iter().any(|note| note.contains(of) && note.contains("memory_limit")), "{of}");
    }
    let worst = summary::tiles(&report).into_iter().find(|tile| tile.id == "worst").expect("a tile");
    assert_eq!(worst.label, "The worst case, out of memory");
}

/// Whoever stops it has a bracket, also while the best case is sought; and slices change nothing.
#[test]
fn it_can_be_stopped_at_any_time() {
    let mut tree = written(4, &json!({ "exact": {} }));
    tree["warps"]["path"] = json!([0, 1, 0, 2, 1]);
    let scenario = LINKED.from_tree(&tree).expect("a document");
    let whole = run(&tree);
    is_sound(&tree, &whole);
    let mut job = LINKED.start(&scenario);
    let mut sought = 0;
    let last = loop {
        match job.step(&mut Control::slice(1)) {
            Step::Done(report) => break report.of::<CodeReport>().cloned().expect("a report"),
            Step::More(progress) => {
                let line = progress.bracket.expect("a bracket");
                if line.best_case {
                    sought += 1;
                    let report = job.stop(StopReason::Cancelled).expect("a report");
                    let report = report.of::<CodeReport>().cloned().expect("a report");
                    is_sound(&tree, &report);
                    assert_eq!((report.lower, report.upper), (whole.lower, whole.upper));
                    assert_eq!(Some(line.lower.into()), report.shortest.map(|best| best.lower));
                }
            }
        }
    };
    assert!(sought > 1, "{sought}");
    assert_eq!(last, whole);
}
