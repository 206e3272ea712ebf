//! What the numbers rest on, and what is wrong with a number that is typed: each beside its own.

#![allow(missing_docs)]

mod common;

use code_lab::LINKED;
use code_lab::certificate::{self, Certified};
use code_lab::page::{Seen, edits, summary};
use common::saxpy;
use kit::job::finished;
use serde_json::{Value, json};
use warpspan_code_lab as code_lab;

fn seen(tree: &Value) -> Seen {
    let scenario = LINKED.from_tree(tree).unwrap_or_else(|problems| unreachable!("{problems:?}"));
    Seen::new(&LINKED.run(&scenario).line()).expect("a report that can be read again")
}

/// What the numbers rest on is in the report and beside the headline, the gravest first.
#[test]
fn what_the_numbers_rest_on_stands_beside_them() {
    let rests = |tree: &Value| {
        let seen = seen(tree);
        let what: Vec<String> = seen.report.rests.iter().map(|rest| rest.what.clone()).collect();
        (what, summary::tiles(&seen.report)[1].clone())
    };
    let (what, tile) = rests(&saxpy());
    assert_eq!((what, tile.label), (vec!["tables of Turing".to_owned()], "The worst case"));
    let text = include_str!("../../../../www/scenarios/code-mandelbrot.json");
    let mut tree: Value = serde_json::from_str(text).expect("JSON");
    tree["warps"]["method"] = json!({ "policy": "oldest-first" });
    tree["warps"].as_object_mut().expect("an object").remove("loops");
    tree["warps"]["architecture"] = json!(87);
    tree["warps"]["latencies"] = json!({ "global": 30, "operands": 3 });
    let (what, tile) = rests(&tree);
    let expected =
        ["loop 0x00c0 once", "2 latencies changed", "tables of sm_86 for sm_87"].map(str::to_owned);
    assert_eq!(what, expected);
    assert_eq!(tile.label, "The worst case, loops once");
    assert!(tile.hint.contains("Nobody says how often the loop at 0x00c0 goes round"), "{}", tile.hint);
    // The same listing, cut behind a line: it ends without an EXIT.
    let listing = tree["warps"]["sass"].as_str().expect("a text");
    let cut = listing.find("FSETP").and_then(|at| listing[..at].rfind('\n')).expect("a line to cut before");
    tree["warps"]["sass"] = json!(listing[..cut]);
    let (what, tile) = rests(&tree);
    assert_eq!(what[0], "text ends without EXIT");
    assert_eq!(tile.label, "The worst case of what is there");
}

/// A certificate says what it rests on, and so does the verdict on it; one of instructions that are written out has nothing
/// to say.
#[test]
fn certificates_say_what_they_rest_on() {
    let certified = |tree: &Value| {
        let scenario = LINKED.from_tree(tree).unwrap_or_else(|problems| unreachable!("{problems:?}"));
        let job = certificate::start(&scenario).expect("a job");
        finished(job).into::<Certified>().expect("a certificate").text
    };
    let text = certified(&saxpy());
    let verdict = certificate::checked(&text).expect("a certificate");
    assert!(verdict.accepted && verdict.provided.len() == 1, "{verdict:?}");
    assert!(verdict.provided[0].contains("public tables for Turing"), "{:?}", verdict.provided);
    let without = text.replace("\"provided\":", "\"title\":");
    assert!(certificate::checked(&without).is_err(), "an unknown key");
    let written = json!({ "warpspan": 1, "warps": {
        "code": [{}], "machine": { "partitions": 1, "units": {} }, "count": 1, "method": { "policy": "oldest-first" }
    } });
    let text = certified(&written);
    assert!(
        !text.contains("provided") && certificate::checked(&text).is_ok_and(|own| own.provided.is_empty())
    );
}

/// What is wrong with a latency is told as its field asks for it, not as JSON has it.
#[test]
fn a_latency_is_asked_for_as_it_is_typed() {
    let told = |typed: &str| {
        let tree = edits::with_latency(&saxpy(), "global", typed);
        edits::wrong(&LINKED.from_tree(&tree).err().unwrap_or_default(), "latencies", "global")
    };
    for good in ["34", "34-466", "34–466", "34 - 466", "34 to 466", "34, 466", "34-38-466", " 34 38 466 "] {
        assert_eq!(told(good), None, "{good}");
    }
    let said = |what: &str| Some(format!("{what}. Expected {}.", edits::LATENCY));
    assert_eq!(told("soon"), said("\"soon\""));
    assert_eq!(told("1 2 3 4"), said("\"1 2 3 4\""));
    assert_eq!(told("466-34"), said("no range"));
    assert_eq!(told("466-40-34"), said("no range"));
    assert_eq!(told("0"), said("0"));
    assert_eq!(told("-5"), said("-5"));
    let one = told("34-many").expect("no number");
    assert_eq!(one, "\"many\". Expected a whole number, 1 to 100000.");
    for typed in ["soon", "1 2 3 4", "466-34", "34-many", "34-many-466", "a-b", "", "-", "34-"] {
        assert!(told(typed).is_none_or(|told| !told.contains("list") && !told.contains('[')), "{typed}");
    }
}

/// A mistake is told at the field that it was typed in.
#[test]
fn what_is_wrong_is_told_at_its_row() {
    let tree = edits::with_latency(&saxpy(), "global", "0");
    let problems = LINKED.from_tree(&tree).expect_err("a latency of 0");
    let told = edits::wrong(&problems, "latencies", "global").expect("it is told");
    assert!(told.contains("xpected"), "{told}");
    for (table, name) in [("latencies", "shared"), ("latencies", ""), ("lanes", "global"), ("loops", "")] {
        assert_eq!(edits::wrong(&problems, table, name), None, "{table} {name}");
    }
    let text = include_str!("../../../../www/scenarios/code-mandelbrot.json");
    let mut tree: Value = serde_json::from_str(text).expect("JSON");
    tree["warps"]["loops"] = json!({ "0xc0": 0 });
    let problems = LINKED.from_tree(&tree).expect_err("no round");
    assert!(edits::wrong(&problems, "loops", "0x00c0").is_some());
    tree["warps"]["loops"] = json!({ "0xc0": 999_999 });
    let problems = LINKED.from_tree(&tree).expect_err("too many rounds");
    assert_eq!(edits::wrong(&problems, "loops", "0x00c0"), None);
    let told = edits::wrong(&problems, "loops", "").expect("it is of all loops");
    assert!(told.contains("as with no loop above"), "{told}");
}
