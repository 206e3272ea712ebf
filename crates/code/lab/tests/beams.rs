//! Beams: their schedules keep the rules, none is beyond what is proven, and slices change nothing.

#![allow(missing_docs)]

use base::{Control, StopReason};
use code_lab::report::CodeReport;
use code_lab::{LINKED, document};
use kit::job::Step;
use serde_json::{Value, json};
use warpspan_code_lab as code_lab;

fn run(tree: &Value) -> CodeReport {
    let scenario = LINKED.from_tree(tree).expect("a document");
    LINKED.run(&scenario).of::<CodeReport>().cloned().expect("a report")
}

fn problems(method: &Value) -> Vec<String> {
    let tree =
        json!({ "warpspan": 1, "warps": { "code": [{}], "machine": {}, "count": 1, "method": method } });
    LINKED.from_tree(&tree).err().into_iter().flatten().map(|problem| problem.to_string()).collect()
}

#[test]
fn a_beam_is_no_worse_than_policies_and_within_the_bound() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../read/tests/fixtures/saxpy-sm_75.sass");
    let mut tree = document(&std::fs::read_to_string(path).expect("a fixture")).expect("a document");
    for (method, called) in [
        (json!({ "beam": { "width": 8 } }), "beam of 8 states"),
        (json!({ "beam": { "width": 1, "guided": true } }), "beam of 1 state, guided by upper bounds"),
    ] {
        // More warps than the exact search takes, too.
        for count in [4, 20] {
            tree["warps"]["count"] = json!(count);
            tree["warps"]["method"] = method.clone();
            let report = run(&tree);
            assert_eq!(report.method, called);
            assert_eq!((report.makespan, report.stop), (report.lower, StopReason::Done));
            assert!(report.policies.iter().all(|own| own.makespan <= report.lower));
            assert!(
                u64::from(report.lower) <= report.upper && report.states.is_some_and(|states| states > 0)
            );
            assert_eq!(report.schedule.iter().map(|row| row.3).max(), Some(report.makespan));
            let scenario = LINKED.from_tree(&tree).expect("a document");
            let mut job = LINKED.start(&scenario);
            let sliced = loop {
                match job.step(&mut Control::slice(1)) {
                    Step::Done(report) => break report.of::<CodeReport>().cloned(),
                    Step::More(progress) => assert!(progress.bracket.is_some_and(|line| !line.best_case)),
                }
            };
            assert_eq!(sliced, Some(report), "slices change nothing");
        }
    }
}

#[test]
fn what_it_is_asked_for_is_read() {
    assert_eq!(problems(&json!({ "beam": {} })), [""; 0]);
    assert_eq!(
        problems(&json!({ "beam": { "width": 0 } })),
        ["warps.method.beam.width: 0, expected a whole number, 1 to 1000000"]
    );
    assert_eq!(
        problems(&json!({ "beam": { "wide": 3 } })),
        ["warps.method.beam.wide: unknown key, expected one of width, guided"]
    );
    assert_eq!(problems(&json!({ "beam": { "guided": 1 } })).len(), 1);
}
