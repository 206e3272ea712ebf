//! Published vectors through the real program (B: Berezovskyi, Bletsas and Petters 2013, figures 2 to 8
//! and section VIII), and what a report says about them.

#![cfg(not(target_arch = "wasm32"))]

mod common;

use common::{document, numbers, report, rows, run, sound, text};
use expect_test::{Expect, expect};
use serde_json::Value;
use warpspan::scenario::builtin::BUILTINS;

/// Its twin in crates/workers/tests/browser.rs holds the same numbers.
#[test]
fn the_same_seed_gives_the_same_order_as_in_the_browser() {
    let scenario = r#""kernel": "3L 2C", "count": 3, "machine": {"L": 1, "C": 1}, "method": {"initial": "random", "seed": 7}"#;
    assert_eq!(numbers(&report(scenario), "order"), [1, 2, 1, 2, 2, 1, 3, 3, 1, 2, 3, 1, 2, 3, 3]);
}

/// The schedule of a scenario, as the figures show it.
fn schedule(warps: &str, expected: Expect) {
    let report = report(warps);
    let joined = |numbers: Vec<u32>| numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(" ");
    let mut shown = format!(
        "makespan {}\norder  {}\ncycles {}\n",
        report["makespan"],
        joined(numbers(&report, "order")),
        joined(numbers(&report, "cycles"))
    );
    for (warp, row) in (1..).zip(rows(&report)) {
        shown += &format!("warp {warp}: {}\n", joined(row));
    }
    expected.assert_eq(&shown);
}

const LCL: &str = r#""kernel": "LCL", "count": 4, "machine": {"L": 1, "C": 1}, "method": "#;
const LCCL: &str = r#""kernel": "LCCL", "count": 3, "machine": {"L": 1, "C": 1}, "method": "#;

#[test]
fn b_figure_2_four_warps() {
    schedule(
        &format!(r#"{LCL} {{"order": [1,1,2,2,3,3,4,1,4,2,3,4]}}"#),
        expect![[r#"
            makespan 8
            order  1 1 2 2 3 3 4 1 4 2 3 4
            cycles 1 2 2 3 3 4 4 5 5 6 7 8
            warp 1: 1 2 5
            warp 2: 2 3 6
            warp 3: 3 4 7
            warp 4: 4 5 8
        "#]],
    );
}

#[test]
fn b_figure_3_is_refused() {
    let answer = run(&document(&format!(r#"{LCL} {{"schedule": [[1,2,9],[2,3,6],[3,4,7],[4,5,8]]}}"#)));
    assert_eq!((answer.status, answer.out.as_str()), (2, ""));
    expect![[r#"
        -: warps.method.schedule: not work-conserving at cycle 5: L (load/store) has room for 1 warp and warps 1, 2 and 3 are pending on L, expected no warp waiting while its unit and an issue slot are free
    "#]]
    .assert_eq(&answer.err);
}

#[test]
fn b_figure_5_two_orders_one_schedule() {
    schedule(
        &format!(r#"{LCL} {{"order": [1,1,2,2,3,3,1,2,3,4,4,4]}}"#),
        expect![[r#"
            makespan 9
            order  1 1 2 2 3 3 1 2 3 4 4 4
            cycles 1 2 2 3 3 4 4 5 6 7 8 9
            warp 1: 1 2 4
            warp 2: 2 3 5
            warp 3: 3 4 6
            warp 4: 7 8 9
        "#]],
    );
    schedule(
        &format!(r#"{LCL} {{"order": [1,2,1,3,2,3,1,2,3,4,4,4]}}"#),
        expect![[r#"
            makespan 9
            order  1 2 1 3 2 3 1 2 3 4 4 4
            cycles 1 2 2 3 3 4 4 5 6 7 8 9
            warp 1: 1 2 4
            warp 2: 2 3 5
            warp 3: 3 4 6
            warp 4: 7 8 9
        "#]],
    );
}

#[test]
fn b_figure_6_fixed_priority() {
    schedule(
        &format!(r#"{LCCL} {{"initial": "fixed-priority"}}"#),
        expect![[r#"
            makespan 8
            order  1 1 1 1 2 2 2 2 3 3 3 3
            cycles 1 2 3 4 2 4 5 6 3 6 7 8
            warp 1: 1 2 3 4
            warp 2: 2 4 5 6
            warp 3: 3 6 7 8
        "#]],
    );
}

#[test]
fn b_figure_7_most_pending() {
    schedule(
        &format!(r#"{LCCL} {{"initial": "most-pending"}}"#),
        expect![[r#"
            makespan 8
            order  1 2 1 3 2 1 3 1 2 3 2 3
            cycles 1 2 2 3 3 4 5 5 6 7 7 8
            warp 1: 1 2 4 5
            warp 2: 2 3 6 7
            warp 3: 3 5 7 8
        "#]],
    );
}

#[test]
fn a_given_schedule_is_read_column_by_column() {
    schedule(
        &format!(r#"{LCL} {{"schedule": [[1,2,5],[2,3,6],[3,4,7],[4,5,8]]}}"#),
        expect![[r#"
            makespan 8
            order  1 1 2 2 3 3 4 1 4 2 3 4
            cycles 1 2 2 3 3 4 4 5 5 6 7 8
            warp 1: 1 2 5
            warp 2: 2 3 6
            warp 3: 3 4 7
            warp 4: 4 5 8
        "#]],
    );
}

/// Section VIII: the benchmark kernel from the three fixed starts.
#[test]
fn voronoi_starts() {
    let table = [
        ("round-robin", "", 154),
        ("fixed-priority", "", 128),
        ("most-pending", "", 139),
        ("round-robin", r#", "issue": 4"#, 163),
        ("fixed-priority", r#", "issue": 4"#, 129),
        ("most-pending", r#", "issue": 4"#, 150),
    ];
    for (start, issue, makespan) in table {
        let voronoi = format!(
            r#""kernel": "5L 9C 2L 9C", "count": 16, "machine": {{"L": 1, "C": 4{issue}}}, "method": {{"initial": "{start}"}}"#
        );
        let report = report(&voronoi);
        assert_eq!(report["makespan"], makespan, "{voronoi}");
        assert_eq!(report["method"], start);
    }
}

#[test]
fn round_robin_is_the_default() {
    let with = report(&format!(r#"{LCL} {{"initial": "round-robin"}}"#));
    let without = report(r#""kernel": "LCL", "count": 4, "machine": {"L": 1, "C": 1}"#);
    assert_eq!((&with["order"], &with["cycles"]), (&without["order"], &without["cycles"]));
}

#[test]
fn a_seed_decides_a_random_start() {
    let order = |seed: &str| {
        let random = report(&format!(r#"{LCL} {{"initial": "random"{seed}}}"#));
        random["order"].clone()
    };
    assert_eq!(order(r#", "seed": 7"#), order(r#", "seed": 7"#));
    assert_ne!(order(r#", "seed": 7"#), order(r#", "seed": 8"#));
    assert_eq!(order(""), order(r#", "seed": 1"#));
}

/// Kernel, capacities and notes after normalisation.
fn normalised(machine: &str, kernel: &str, expected: Expect) {
    let report = report(&format!(r#""kernel": "{kernel}", "count": 1, "machine": {machine}"#));
    let mut shown = format!("{} on {}\n", text(&report, "kernel"), report["machine"]);
    for note in report["notes"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        shown += note;
        shown += "\n";
    }
    expected.assert_eq(&shown);
}

#[test]
fn normalisation_multiplies_passes_and_latency() {
    normalised(
        r#"{"warp_size": 32, "units": {"L": 16}, "latency": {"L": 4}}"#,
        "L",
        expect![[r#"
            8L on {"L":1,"C":0,"S":0,"D":0,"issue":null}
            16 L units serve a warp of 32 threads in 2 passes, so each L is written twice in the string.
            L takes 4 cycles, so each of these is written 4 times, 8 in all.
        "#]],
    );
    normalised(
        r#"{"warp_size": 32, "units": {"L": 16, "C": 32, "S": 4, "D": 16}, "latency": {"D": 2}, "issue": 2}"#,
        "LCSD",
        expect![[r#"
            2L C 8S 4D on {"L":1,"C":1,"S":1,"D":1,"issue":2}
            16 L units serve a warp of 32 threads in 2 passes, so each L is written twice in the string.
            4 S units serve a warp of 32 threads in 8 passes, so each S is written 8 times in the string.
            16 D units serve a warp of 32 threads in 2 passes, so each D is written twice in the string.
            D takes 2 cycles, so each of these is written twice, 4 in all.
        "#]],
    );
}

#[test]
fn normalisation_rounds_to_the_pessimistic_side_and_says_so() {
    normalised(
        r#"{"preset": "cc-2.1"}"#,
        "LCSD",
        expect![[r#"
            2L C 4S 8D on {"L":1,"C":1,"S":1,"D":1,"issue":2}
            Each scheduler can dispatch two instructions of one warp; counted as one, as the papers do.
            16 L units serve a warp of 32 threads in 2 passes, so each L is written twice in the string.
            48 C units are not a multiple of 32: rounded down to 32 units, 1 warp per cycle, the pessimistic side.
            8 S units serve a warp of 32 threads in 4 passes, so each S is written 4 times in the string.
            4 D units serve a warp of 32 threads in 8 passes, so each D is written 8 times in the string.
        "#]],
    );
    normalised(
        r#"{"warp_size": 32, "units": {"C": 24}}"#,
        "C",
        expect![[r#"
        2C on {"L":0,"C":1,"S":0,"D":0,"issue":null}
        24 C units serve a warp of 32 threads in 2 passes, so each C is written twice in the string.
        32 threads do not divide evenly over 24 C units: rounded up, the pessimistic side.
    "#]],
    );
    normalised(
        r#"{"warp_size": 32, "units": {"C": 100}}"#,
        "C",
        expect![[r#"
        C on {"L":0,"C":3,"S":0,"D":0,"issue":null}
        100 C units are not a multiple of 32: rounded down to 96 units, 3 warps per cycle, the pessimistic side.
    "#]],
    );
}

#[test]
fn a_preset_keeps_its_issue_limit_unless_told_otherwise() {
    let issue = |machine: &str| {
        report(&format!(r#""kernel": "LC", "count": 2, "machine": {machine}"#))["machine"]["issue"].clone()
    };
    assert_eq!(issue(r#"{"preset": "cc-3.5"}"#), 4);
    assert_eq!(issue(r#"{"preset": "cc-3.5", "issue": 1}"#), 1);
    assert_eq!(issue(r#"{"preset": "cc-3.5", "issue": null}"#), Value::Null);
    assert_eq!(issue(r#"{"L": 1, "C": 1}"#), Value::Null);
}

/// `(W*I)! / (I!)^W`, and divided by `W!`.
#[test]
fn orders_are_counted() {
    let counted = |count: u32, kernel: &str| {
        let report =
            report(&format!(r#""kernel": "{kernel}", "count": {count}, "machine": {{"L": 1, "C": 1}}"#));
        (report["orders"]["exact"].clone(), report["unique_orders"]["exact"].clone())
    };
    assert_eq!(counted(4, "LCL"), ("369600".into(), "15400".into()));
    assert_eq!(counted(1, "LCL"), ("1".into(), "1".into()));
    assert_eq!(counted(2, "L"), ("2".into(), "1".into()));
    assert_eq!(counted(16, "5L 9C 2L 9C"), (Value::Null, Value::Null));
}

/// What a result proves: `makespan lower..upper exact`.
#[test]
fn bounds_say_what_is_proven() {
    let check = |warps: &str, expected: Expect| {
        let report = report(warps);
        expected.assert_eq(&format!(
            "makespan {}, worst case {} to {}, exact {}",
            report["makespan"], report["lower"], report["upper"], report["exact"]
        ));
    };
    check(
        r#""kernel": "LCL", "count": 1, "machine": {"L": 1, "C": 1}"#,
        expect!["makespan 3, worst case 3 to 3, exact true"],
    );
    check(
        r#""kernel": "3L", "count": 4, "machine": {"L": 1}"#,
        expect!["makespan 12, worst case 12 to 12, exact true"],
    );
    check(
        &format!(r#"{LCL} {{"order": [1,1,2,2,3,3,4,1,4,2,3,4]}}"#),
        expect!["makespan 8, worst case 8 to 12, exact false"],
    );
    check(
        r#""kernel": "5L 9C 2L 9C", "count": 16, "machine": {"L": 1, "C": 4}"#,
        expect!["makespan 154, worst case 154 to 197, exact false"],
    );
}

/// Every field, in the order scripts and people see them.
#[test]
fn one_whole_line() {
    let mut report = report(r#""kernel": "LC", "count": 2, "machine": {"preset": "cc-2.1"}"#);
    report["seconds"] = 0.into();
    expect![[r#"
        {"scenario":"t",
        "lab":"warps",
        "seconds":0,
        "kernel":"2L C",
        "ptx":null,
        "count":2,
        "method":"round-robin",
        "makespan":5,
        "lower":5,
        "upper":6,
        "upper_by":"blocked cycles of the last warp",
        "exact":false,
        "order":[1,2,1,2,1,2],
        "cycles":[1,2,3,4,4,5],
        "machine":{"L":1,
        "C":1,
        "S":1,
        "D":1,
        "issue":2},
        "fairness":"work-conserving",
        "utilisation":{"L":0.8,
        "C":0.4,
        "S":0.0,
        "D":0.0},
        "orders":{"exact":"20",
        "log10":1.30103},
        "unique_orders":{"exact":"10",
        "log10":1.0},
        "notes":["Each scheduler can dispatch two instructions of one warp; counted as one, as the papers do.",
        "16 L units serve a warp of 32 threads in 2 passes, so each L is written twice in the string.",
        "48 C units are not a multiple of 32: rounded down to 32 units, 1 warp per cycle, the pessimistic side."],
        "assumptions":["All warps run the same instruction string and are ready at cycle 1.",
        "Every instruction takes one cycle after normalisation and is never interrupted.",
        "Every load and store hits the cache.",
        "A warp issues at most one instruction per cycle.",
        "The schedule is work-conserving: no warp waits while its unit and an issue slot are free."]}"#]].assert_eq(&report.to_string().replace(",\"", ",\n\""));
}

/// The string of B's experiment out of their PTX program, and with it the first makespan of the experiment.
#[test]
fn b_figure_11_from_ptx() {
    let example = BUILTINS.iter().find(|example| example.name == "voronoi-ptx").expect("it is built in");
    let answer = run(example.text);
    let report: Value = serde_json::from_str(&answer.out).expect("a report is JSON");
    sound(&report);
    assert_eq!((text(&report, "kernel"), &report["makespan"]), ("5L 9C 2L 9C", &Value::from(154)));
    assert_eq!(text(&report["ptx"], "entry"), "(fragment)");
    assert!(example.text.contains(&json_string(include_str!("ptx/figure-11.ptx"))), "the same listing");
}

fn json_string(text: &str) -> String {
    Value::from(text).to_string()
}
