//! The rows of a listing: what is not sure of it, and what differs from another one.

#![allow(missing_docs)]

use code_lab::page::compared::changes;
use code_lab::page::listed::{Both, Row, Was, more, rows};
use code_lab::page::{Seen, says};
use code_lab::{LINKED, document};
use kit::page::compared::Way;
use serde_json::{Value, json};
use warpspan_code_lab as code_lab;

fn seen(tree: &Value) -> Seen {
    let scenario = match LINKED.from_tree(tree) {
        Ok(scenario) => scenario,
        Err(problems) => unreachable!("{problems:?}"),
    };
    Seen::new(&LINKED.run(&scenario).line()).expect("a report that can be read again")
}

/// A listing with these lines, on Turing.
fn listing(lines: &[&str]) -> Value {
    let body: String = lines.iter().map(|line| format!("        {line}\n")).collect();
    let mut tree = document(&format!("code for sm_75\n\t\tFunction : f\n{body}")).expect("a document");
    tree["warps"]["method"] = json!({ "policy": "greedy-then-oldest" });
    tree["warps"]["count"] = json!(2);
    tree
}

#[test]
fn what_is_not_sure_of_a_listing_stands_at_its_line() {
    let lines = [
        "/*0000*/ MOV R1, R2 ;",
        "??? what is this",
        "/*0010*/ @P0 QUUX.E R3, R1 ;",
        "/*0020*/ EXIT ;",
        "and this?",
    ];
    let seen = seen(&listing(&lines));
    let unsure: Vec<Option<&str>> = seen.report.code.iter().map(|line| line.unsure.as_deref()).collect();
    assert_eq!(unsure, [None, Some("\"QUUX\" is not in the table of opcodes: it runs on the alu."), None]);
    let left = [(1, 4, "??? what is this".to_owned()), (3, 7, "and this?".to_owned())];
    assert_eq!(seen.report.left_out, left);
    let expected = [Row::Line(0), Row::LeftOut(0), Row::Line(1), Row::Line(2), Row::LeftOut(1)];
    assert_eq!(rows(&seen, None), expected);
    // Reports of code about which nothing is assumed are as they were.
    let sure = ["/*0000*/ MOV R1, R2 ;", "/*0010*/ EXIT ;"];
    let sure = self::seen(&listing(&sure)).report;
    let line = serde_json::to_string(&sure).expect("a line");
    assert!(!line.contains("unsure") && !line.contains("left_out"), "{line:.300}");
}

#[test]
fn a_whole_instruction_is_said_beside_the_pinned_one() {
    let code = seen(&listing(&["/*0000*/ MOV R1, R2 ;", "/*0010*/ EXIT ;"])).report.code;
    let line = code.first().expect("a line");
    let own = format!("0x0000: {}", line.text);
    assert!(own.contains("MOV R1, R2"), "{own}");
    assert_eq!(says::whole(line, None), Some(own.clone()));
    assert_eq!(says::whole(line, Some("MOV R1, R3 ;")), Some(format!("{own} · Pinned: MOV R1, R3 ;")));
    assert_eq!(says::whole(line, Some("")), Some(own));
}

#[test]
fn another_kernel_is_compared_line_by_line() {
    let first = [
        "/*0000*/ MOV R1, R2 ;",
        "/*0010*/ FADD R3, R1, R1 ;",
        "/*0020*/ FMUL R4, R3, R3 ;",
        "/*0030*/ EXIT ;",
    ];
    let other = ["/*0000*/ MOV R1, R2 ;", "/*0010*/ FADD R3, R1, R9 ;", "/*0020*/ EXIT ;", "/*0030*/ NOP ;"];
    let (pinned, now) = (seen(&listing(&first)), seen(&listing(&other)));
    let both = Both::of(&pinned, &now);
    assert_eq!(both.was, [Was::Same(0), Was::Changed(1), Was::Same(3), Was::Added]);
    let expected = [Row::Line(0), Row::Line(1), Row::Removed(2), Row::Line(2), Row::Line(3)];
    assert_eq!(rows(&now, Some(&both)), expected);
    let cycles: Vec<Option<(String, Way)>> = (0..4).map(|line| more(&now, &pinned, &both, line)).collect();
    assert_eq!(cycles[0], Some(("±0".to_owned(), Way::Same)));
    assert_eq!(cycles[3], None);
    let exit = cycles[2].as_ref().expect("the EXIT is in both");
    assert_eq!(exit.0.starts_with('−'), exit.1 == Way::Better, "{exit:?}");
    let told = changes(&pinned, &now);
    let last = told.last().expect("what changed");
    assert_eq!(last.name, "The listing: 1 line added, 1 line removed, 1 line changed");
    // Of the same code nothing of that is said.
    let same = changes(&pinned, &pinned);
    assert!(same.iter().all(|change| !change.name.starts_with("The listing")));
}
