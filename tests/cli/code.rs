//! Machine code on the command line: listings, and kernels written out.

use super::*;

const SAXPY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/crates/code/read/tests/fixtures/saxpy-sm_75.sass");
const REDUCE: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/crates/code/read/tests/fixtures/reduce_256-sm_61.sass");

/// Every instruction with its timing, a schedule that the makespan is that of, and what it all rests on.
#[test]
fn a_listing_runs() {
    let answer = warpspan(&["run", SAXPY]);
    assert_eq!(answer.status, 0, "{}", answer.err);
    let report: Value = serde_json::from_str(&answer.out).expect("a report is JSON");
    let load = &report["code"][9];
    assert_eq!(
        (&load["stall"], &load["write"], &load["read"]),
        (&Value::from(4), &Value::from(2), &Value::Null)
    );
    assert_eq!(report["code"][11]["wait"], serde_json::json!([2]));
    let finished =
        report["schedule"].as_array().into_iter().flatten().filter_map(|row| row[3].as_u64()).max();
    assert_eq!(finished, report["makespan"].as_u64());
    assert!(report["lower"].as_u64() <= report["upper"].as_u64());
    assert_eq!(report["holds"], "assumed");
    let assumed = report["assumed"].as_array().map_or(0, Vec::len);
    assert_eq!(answer.err.lines().filter(|line| line.contains(": warning: ")).count(), assumed);
}

#[test]
fn the_way_through_a_listing_can_be_said() {
    let refused = warpspan(&["run", SAXPY, "--loop", "0x40=3"]);
    assert_eq!((refused.status, refused.out.as_str()), (2, ""));
    assert!(
        refused.err.contains("warps.loops: no loop begins at 0x0040, expected no trip count"),
        "{}",
        refused.err
    );
    let refused = warpspan(&["run", SAXPY, "--entry", "other"]);
    assert!(
        refused.err.contains("warps.function: no function \"other\", expected one of saxpy"),
        "{}",
        refused.err
    );
    assert_eq!(warpspan(&["run", REDUCE, "--entry", "reduce_256"]).status, 0);
}

#[test]
fn a_kernel_that_is_written_out_runs() {
    let document = r#"{"warpspan": 1, "title": "t", "warps": {
        "code": [{"unit": "lsu", "sets": {"0": [4, 6]}}, {"unit": "fp32", "hold": 2, "stall": 4, "waits": [0]}],
        "machine": {"units": {"fp32": {"per": "partition"}, "lsu": {"per": "multiprocessor", "count": 1}}},
        "count": 2, "method": {"exact": {}}}}"#;
    let answer = run(document);
    assert_eq!(answer.status, 0, "{}", answer.err);
    let report: Value = serde_json::from_str(&answer.out).expect("a report is JSON");
    // Loads in 1 and 2; both results can be there in 8 at the latest, and the unit serves one after the other.
    assert_eq!(
        (&report["lower"], &report["upper"], &report["exact"]),
        (&10.into(), &10.into(), &true.into())
    );
    let wrong = document.replace("\"fp32\", \"hold\"", "\"fp64\", \"hold\"");
    refused(
        &wrong,
        expect![[r#"
        -: warps.code[1].unit: "fp64", expected a unit of the machine: fp32, lsu
    "#]],
    );
}
