//! Code that a document writes out, as the page shows it: nobody has a text of it.

#![allow(missing_docs)]

use code_lab::page::listed::{Both, Was};
use code_lab::page::stretch::tables;
use code_lab::page::{Seen, says, summary};
use code_lab::report::CodeReport;
use code_lab::{LINKED, export};
use kit::page::Stretch;
use serde_json::{Value, json};
use warpspan_code_lab as code_lab;

fn seen(tree: &Value) -> Seen {
    let scenario = LINKED.from_tree(tree).unwrap_or_else(|problems| unreachable!("{problems:?}"));
    let report = LINKED.run(&scenario);
    assert!(report.of::<CodeReport>().is_some());
    Seen::new(&report.line()).expect("a report that can be read again")
}

fn texts(seen: &Seen) -> Vec<&str> {
    seen.report.code.iter().map(says::text).collect()
}

fn barrier() -> Value {
    serde_json::from_str(include_str!("../../../../www/scenarios/code-barrier.json")).expect("JSON")
}

#[test]
fn every_instruction_says_what_it_does() {
    let seen = seen(&barrier());
    assert_eq!(
        texts(&seen),
        [
            "lsu, 1 cycle, sets 0 for 20 to 40 cycles",
            "fp32, 2 cycles, waits for 0",
            "barrier",
            "fp32, 2 cycles",
            "lsu, 1 cycle"
        ]
    );
    let names: Vec<String> =
        (0..).zip(&seen.report.code).map(|(at, line)| says::name(line, at)).take(3).collect();
    assert_eq!(names, ["lsu, instruction 1", "fp32, instruction 2", "the barrier, instruction 3"]);
    assert_eq!(says::whole(&seen.report.code[2], None).as_deref(), Some("0x0002: barrier"));
    assert_eq!(seen.found("waits for 0"), [1]);
    assert!(export::table(&seen).contains("\"fp32, 2 cycles, waits for 0\""));
    // Where a stretch is summed up, none is without a name.
    let all = Stretch { from: 0.0, to: f64::from(seen.report.makespan), rows: None };
    let executed = &tables(&seen, &all)[0];
    assert!(executed.lines.iter().all(|line| !line.name.is_empty()), "{executed:?}");
    assert_eq!(executed.lines.len(), 5);
}

#[test]
fn units_scoreboards_and_ranges_are_told() {
    let seen = seen(&json!({ "warpspan": 1, "title": "t", "warps": {
        "code": [
            { "unit": "global", "hold": 1_200, "sets": [{ "board": 1, "range": [7, 7] }, { "board": 2, "range": [8, 1_466] }] },
            { "stall": 3 },
            { "waits": [1, { "board": 2, "left": 1 }] },
            { "unit": "fp32", "barrier": true },
        ],
        "machine": { "units": { "global": {}, "fp32": {} } },
        "count": 1,
        "method": { "policy": "oldest-first" },
    } }));
    assert_eq!(
        texts(&seen),
        [
            "load/store, 1,200 cycles, sets 1 for 7 cycles, sets 2 for 8 to 1,466 cycles",
            "no unit",
            "no unit, waits for 1 and 2 down to 1",
            "fp32, 1 cycle, barrier"
        ]
    );
    assert_eq!(says::name(&seen.report.code[1], 1), "instruction 2");
}

/// Lines of a pinned run differ where anything of them does, and say how.
#[test]
fn pinned_lines_are_held_against_each_other() {
    let before = seen(&barrier());
    let mut tree = barrier();
    tree["warps"]["code"][3]["stall"] = json!(6);
    tree["warps"]["code"][4]["waits"] = json!([0]);
    let after = seen(&tree);
    let both = Both::of(&before, &after);
    assert_eq!(both.was, [Was::Same(0), Was::Same(1), Was::Same(2), Was::Changed(3), Was::Changed(4)]);
    assert_eq!(says::full_text(&before.report.code[3]), "fp32, 2 cycles, stall 4");
    assert_eq!(says::full_text(&after.report.code[4]), "lsu, 1 cycle, waits for 0, stall 1");
}

/// A listing has its text, and nothing besides.
#[test]
fn listings_keep_their_text() {
    let tree: Value =
        serde_json::from_str(include_str!("../../../../www/scenarios/code-saxpy.json")).expect("JSON");
    let seen = seen(&tree);
    assert!(seen.report.code.iter().all(|line| line.words.is_empty() && says::text(line) == line.text));
}

/// Whoever is asked how long it takes is told how many warps there are, of what, and in which schedule.
#[test]
fn a_guess_knows_warps_and_schedule() {
    let asked = |tree: &Value| {
        let seen = seen(tree);
        let question = summary::questions(&seen.report).remove(0);
        [question.asks, question.given]
    };
    assert_eq!(
        asked(&barrier()),
        [
            "About how many cycles does this schedule of 4 warps take?",
            "5 instructions; the longest schedule that a search through all states finds"
        ]
    );
    let mut tree: Value =
        serde_json::from_str(include_str!("../../../../www/scenarios/code-saxpy.json")).expect("JSON");
    for (method, said) in [
        (json!({ "policy": "oldest-first" }), "the oldest warp of a partition goes first"),
        (json!({ "beam": { "width": 9 } }), "the longest schedule that a beam of 9 states finds"),
        (json!({ "longest": { "iterations": 1 } }), "the longest schedule that is found"),
    ] {
        tree["warps"]["method"] = method;
        let [asks, given] = asked(&tree);
        assert!(asks.contains("warps take?") && given.ends_with(said), "{asks} {given}");
        assert!(given.starts_with("saxpy, "), "{given}");
    }
}
