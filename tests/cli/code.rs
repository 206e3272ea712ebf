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

/// Two loads and what waits for them, in a document.
const WRITTEN: &str = r#"{"warpspan": 1, "title": "t", "notes": "", "warps": {
    "code": [{"unit": "lsu", "sets": {"0": [4, 6]}}, {"unit": "fp32", "hold": 2, "stall": 4, "waits": [0]}],
    "machine": {"units": {"fp32": {"per": "partition"}, "lsu": {"per": "multiprocessor", "count": 1}}},
    "count": 2, "method": {"exact": {}}}}"#;

/// A kernel that is written out travels in a link and is the base of a study.
#[test]
fn a_kernel_that_is_written_out_is_a_document_like_others() {
    let file = Scratch::new(WRITTEN.as_bytes());
    let link = warpspan(&["link", file.path()]);
    assert_eq!((link.status, link.err.as_str()), (0, ""));
    let opened = warpspan(&["open", link.out.trim()]);
    let tree = |text: &str| -> Value { serde_json::from_str(text).expect("JSON") };
    assert_eq!((opened.status, tree(&opened.out)), (0, tree(WRITTEN)), "{}", opened.err);
    let ran = run(link.out.trim());
    assert_eq!((ran.status, &tree(&ran.out)["upper"]), (0, &10.into()), "{}", ran.err);
    let base: Value = tree(WRITTEN)["warps"].clone();
    let study = serde_json::json!({ "warpspan": 1, "study": { "base": { "warps": base },
        "axes": [{ "path": "warps.count", "values": [1, 2] }], "measures": { "m": "makespan" } } });
    let study = Scratch::new(study.to_string().as_bytes());
    let rows = warpspan(&["study", study.path()]);
    assert_eq!((rows.status, rows.out.lines().count()), (0, 2), "{}", rows.err);
    assert!(rows.out.contains("\"values\":{\"m\":10}"), "{}", rows.out);
}

/// What is claimed of machine code and of loads that take longer is checked again; nothing less is accepted.
#[test]
fn certificates_of_machine_code_and_of_loads() {
    let loads = r#"{"warpspan": 1, "title": "t", "warps": {"kernel": "LCCL", "count": 3, "machine": {"L": 1, "C": 2},
        "memory": {"mode": "held", "hit": 1, "miss": 4, "misses": 2}, "method": {"exact": {}}}}"#;
    for (document, exact) in [(WRITTEN, true), (loads, true)] {
        let file = Scratch::new(document.as_bytes());
        let certificate = warpspan(&["certify", file.path()]);
        assert_eq!((certificate.status, certificate.err.as_str()), (0, ""));
        let claim = Scratch::new(certificate.out.as_bytes());
        let verdict = warpspan(&["check", claim.path()]);
        let told: Value = serde_json::from_str(&verdict.out).expect("a verdict is JSON");
        assert_eq!(
            (verdict.status, &told["accepted"], &told["exact"]),
            (0, &true.into(), &exact.into()),
            "{told}"
        );
        let damaged = Scratch::new(certificate.out.replacen("true", "false", 1).as_bytes());
        assert_eq!(warpspan(&["check", damaged.path()]).status, 1);
    }
    let listing = warpspan(&["certify", SAXPY]);
    assert_eq!(listing.status, 0, "{}", listing.err);
    let claim = Scratch::new(listing.out.as_bytes());
    assert_eq!(warpspan(&["check", claim.path()]).status, 0);
}
