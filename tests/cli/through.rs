//! Ways through a PTX program, stated on the command line.

use super::*;

/// The way through a file of PTX can be said on the command line; what rests on no assumption is called a proof of the
/// path, and what does is not.
#[test]
fn a_way_through_ptx_can_be_stated() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/ptx/matrix-multiply.ptx");
    let report = |words: &[&str]| -> (Value, String) {
        let answer = warpspan(&[&["run", file], words].concat());
        assert_eq!(answer.status, 0, "{}", answer.err);
        let report: Value = serde_json::from_str(&answer.out).expect("a report is JSON");
        common::sound(&report);
        (report, answer.err)
    };
    let (assumed, told) = report(&[]);
    assert_eq!((&assumed["ptx"]["holds_for"], told.lines().count()), (&Value::from("string"), 3));
    assert_eq!(assumed["ptx"]["assumed"].as_array().map(Vec::len), Some(2));
    let (stated, told) = report(&["--loop", "$L__BB0_2=2", "--loop", "$L__BB0_3=3", "--entry", "matmul"]);
    assert_eq!((&stated["ptx"]["holds_for"], told.as_str()), (&Value::from("path"), ""));
    assert_eq!(
        stated["kernel"],
        report(&["--path", "longest", "--loop", "$L__BB0_2=2", "--loop", "$L__BB0_3=3"]).0["kernel"]
    );
    assert_eq!(stated["ptx"]["loops"][1]["rounds"], serde_json::json!([3, 3]));
    // A range: bounds for any numbers of rounds, around those for the most and the fewest alone.
    let (range, _) = report(&["--loop", "1..3"]);
    let (fewest, most) = (report(&["--loop", "1"]).0, report(&["--loop", "3"]).0);
    let bounds = &range["ptx"]["range"];
    assert_eq!((&range["ptx"]["holds_for"], &bounds["fewest"]), (&Value::from("range"), &fewest["kernel"]));
    assert_eq!((&range["kernel"], &bounds["upper"]), (&most["kernel"], &most["upper"]));
    assert!(
        bounds["lower"].as_u64() <= fewest["lower"].as_u64()
            && fewest["upper"].as_u64() < bounds["upper"].as_u64()
    );
    let link = warpspan(&["link", file, "--loop", "2"]);
    let opened = warpspan(&["open", link.out.trim()]);
    assert!(opened.out.contains("\"iterations\": 2"), "{}", opened.out);
    let scenario = titled("no PTX");
    let refused = warpspan(&["run", scenario.path(), "--loop", "2"]);
    assert_eq!(refused.status, 2);
    assert!(refused.err.contains("document: it is no file of PTX"), "{}", refused.err);
    let wrong = warpspan(&["run", file, "--loop", "A=2"]);
    assert!(wrong.status == 2 && wrong.err.contains("no loop begins at \"A\""), "{}", wrong.err);
    misused(
        &["run", file, "--loop", "A"],
        expect![[r#"
        warpspan: --loop "A": expected LABEL=16, LABEL=2..16, or 16 for all loops
        Try warpspan --help.
    "#]],
    );
    misused(
        &["run", file, "--path", "shortest"],
        expect![[r#"
        warpspan: --path "shortest": expected fall-through, loops, longest
        Try warpspan --help.
    "#]],
    );
}
