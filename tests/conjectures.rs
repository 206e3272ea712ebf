//! Conjectures through the real program: what is known of the published ones, refutations that open by themselves,
//! and tables of the documents that are complete.

#![cfg(not(target_arch = "wasm32"))]

mod common;

use std::fs;

use common::{Scratch, run, sound, text, warpspan};
use expect_test::{Expect, expect};
use serde_json::Value;
use warpspan::conjecture::PUBLISHED;
use warpspan::conjecture::grid::NAMES;

/// The report of a conjecture's inside, already held against [`sound`].
fn report(inside: &str) -> Value {
    let answer = run(&format!(r#"{{"warpspan": 1, "title": "t", "conjecture": {{{inside}}}}}"#));
    assert_eq!((answer.status, answer.err.as_str()), (0, ""), "{inside}");
    let report = serde_json::from_str(&answer.out).expect("a report is JSON");
    sound(&report);
    report
}

/// `at: lower of claimed verdict` for each cell.
fn check(inside: &str, expected: Expect) {
    let report = report(inside);
    let line = |cell: &Value| {
        let claimed = cell["claimed"].as_str().unwrap_or("nothing");
        format!("{}: {} of {claimed}, {}", cell["at"], cell["lower"], text(cell, "verdict"))
    };
    let cells = report["cells"].as_array().expect("a list");
    expected.assert_eq(&cells.iter().map(line).collect::<Vec<_>>().join("\n"));
}

#[test]
fn raravi_with_and_without_fairness() {
    check(
        r#""claim": {"named": "raravi"}, "ranges": {"n": [16, 64, 48], "rep": [1, 3]}"#,
        expect![[r#"
            [16,1]: 5 of 5, confirmed
            [16,2]: 8 of 7, refuted
            [16,3]: 11 of 9, refuted
            [64,1]: 15 of 14, refuted
            [64,2]: 23 of 22, refuted
            [64,3]: 31 of 30, refuted"#]],
    );
    check(
        r#""claim": {"named": "raravi"}, "fairness": "work-conserving", "ranges": {"n": 64, "rep": [1, 3]}"#,
        expect![[r#"
            [64,1]: 15 of 14, refuted
            [64,2]: 24 of 22, refuted
            [64,3]: 33 of 30, refuted"#]],
    );
    check(
        r#""claim": {"named": "raravi"}, "machine": {"L": 1, "C": 2}, "ranges": {"n": 64, "rep": [1, 3]}"#,
        expect![[r#"
            [64,1]: 14 of 14, confirmed
            [64,2]: 22 of 22, confirmed
            [64,3]: 30 of 30, confirmed"#]],
    );
}

/// R, figures 3 to 5: as long as published, though three warps issue in cycle 2, where the text allows two.
#[test]
fn figures_of_raravi_and_andersson() {
    for (name, makespan) in [("3a", 14), ("3b", 13), ("4", 22), ("5", 30)] {
        let path = format!("{}/www/scenarios/raravi-figure-{name}.json", env!("CARGO_MANIFEST_DIR"));
        let text = fs::read_to_string(&path).expect("it is there");
        let shown: Value = serde_json::from_str(&run(&text).out).expect("a report is JSON");
        sound(&shown);
        assert_eq!(shown["makespan"], makespan, "{name}");
        let limited = run(&text.replace(r#""C": 2}"#, r#""C": 2, "issue": 2}"#));
        assert!(limited.err.contains("over the issue limit at cycle 2: "), "{name}: {}", limited.err);
    }
}

/// With four issue slots, six warps take longer than four and then two.
#[test]
fn two_groups_take_longer_together() {
    check(
        r#""claim": {"named": "sub-additive"}, "machine": {"L": 1, "C": 4, "issue": 4}, "ranges": {"a": 4, "b": 2}"#,
        expect!["[4,2]: 78 of 76, refuted"],
    );
    check(
        r#""claim": {"named": "extrapolation"}, "machine": {"L": 1, "C": 4, "issue": 4}, "ranges": {"W": [5, 6], "g": 3}"#,
        expect![[r#"
            [5,3]: 65 of 74, confirmed
            [6,3]: 78 of 74, refuted"#]],
    );
    check(
        r#""claim": {"named": "berezovskyi"}, "ranges": {"W": [3, 5]}"#,
        expect![[r#"
            [3]: 37 of 44, confirmed
            [4]: 45 of 44, refuted
            [5]: 57 of 88, confirmed"#]],
    );
}

#[test]
fn a_formula_of_ones_own() {
    check(
        r#""claim": {"formula": "max(I, ceil(W*L/cap_L)) + 1/(3 - W)", "says": "exactly"}, "kernel": "L rep(C) L",
           "machine": {"L": 1, "C": 1}, "ranges": {"W": [1, 3], "rep": 2}"#,
        expect![[r#"
            [1,2]: 4 of 9/2, refuted
            [2,2]: 6 of 5, refuted
            [3,2]: null of nothing, undefined"#]],
    );
}

/// What a refutation says stands on its own: it is run, linked and opened like any scenario.
#[test]
fn a_refutation_is_a_scenario() {
    let report = report(r#""claim": {"named": "raravi"}, "ranges": {"W": 1, "rep": 2}"#);
    let witness = report["cells"][0]["witness"].to_string();
    let file = Scratch::new(witness.as_bytes());
    let answer = warpspan(&["run", file.path()]);
    let shown: Value = serde_json::from_str(&answer.out).expect("a report is JSON");
    sound(&shown);
    assert_eq!(
        (text(&shown, "scenario"), &shown["makespan"]),
        ("8 cycles instead of 7: W = 1, rep = 2", &8.into())
    );
    assert_eq!((text(&shown, "fairness"), text(&shown, "method")), ("sub-block", "given schedule"));
    let link = warpspan(&["link", file.path()]);
    let opened = warpspan(&["open", link.out.trim()]);
    assert_eq!(serde_json::from_str::<Value>(&opened.out).ok(), serde_json::from_str(&witness).ok());
}

/// A limit that is met leaves the bracket, and the same one in every run.
#[test]
fn limits_are_met_alike_everywhere() {
    let inside = r#""claim": {"formula": "60"}, "kernel": "5L 9C 2L 9C", "machine": {"L": 1, "C": 4},
        "ranges": {"W": [4, 7]}, "limit": {"work": 1}"#;
    let runs = [report(inside), report(inside)];
    assert_eq!(runs[0]["cells"], runs[1]["cells"]);
    let cells = runs[0]["cells"].as_array().expect("a list");
    assert!(cells.iter().any(|cell| cell["lower"] != cell["upper"]), "one was not finished");
}

#[test]
fn a_conjecture_has_no_certificate() {
    let document =
        r#"{"warpspan": 1, "conjecture": {"claim": {"named": "raravi"}, "ranges": {"W": 1, "rep": 1}}}"#;
    let file = Scratch::new(document.as_bytes());
    let answer = warpspan(&["certify", file.path()]);
    assert_eq!((answer.status, answer.out.as_str()), (2, ""));
    assert!(answer.err.contains("conjecture: its result is no schedule, expected"), "{}", answer.err);
}

fn page() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/conjectures.md");
    fs::read_to_string(path).expect("docs/conjectures.md can be read")
}

/// The names in the first cells of the first table below a heading.
fn first_cells(heading: &str) -> Vec<String> {
    let page = page();
    let section = page.split_once(&format!("\n{heading}\n")).expect("the heading is there").1;
    let rows =
        section.lines().skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|'));
    rows.skip(2)
        .map(|row| row.trim_start_matches("| ").split(" | ").next().unwrap_or("").replace('`', ""))
        .collect()
}

#[test]
fn the_tables_are_complete() {
    let claims: String = PUBLISHED
        .iter()
        .map(|c| format!("| `{}` | `{}` | `{}` | {} | {} |\n", c.name, c.formula, c.warps, c.source, c.about))
        .collect();
    assert!(page().contains(&claims), "docs/conjectures.md should have these rows:\n{claims}");
    let names: String = NAMES.iter().map(|(name, means)| format!("| `{name}` | {means} |\n")).collect();
    assert!(page().contains(&names), "docs/conjectures.md should have these rows:\n{names}");
}

#[test]
fn every_field_is_described() {
    let report = report(r#""claim": {"named": "raravi"}, "ranges": {"W": 1, "rep": 1}"#);
    let keys = |value: &Value| value.as_object().expect("an object").keys().cloned().collect::<Vec<_>>();
    assert_eq!(first_cells("## Report"), keys(&report), "in this order");
    assert_eq!(first_cells("### Cells"), keys(&report["cells"][0]), "in this order");
    let known = |inside: &str| {
        let answer = run(&format!(r#"{{"warpspan": 1, "conjecture": {{{inside}}}}}"#));
        let line =
            answer.err.lines().find(|line| line.contains("unknown key")).expect("it is told").to_owned();
        line.split_once("one of ").expect("keys").1.split(", ").map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(first_cells("## The document"), known(r#""?": 1"#), "in this order");
    assert_eq!(first_cells("### Limits"), known(r#""limit": {"?": 1}"#), "in this order");
}
