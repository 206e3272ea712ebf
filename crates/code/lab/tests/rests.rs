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

/// A function of sm_75 with one instruction every 16 bytes.
fn listing(lines: &[&str]) -> String {
    let lines: String = lines
        .iter()
        .enumerate()
        .map(|(at, text)| format!("        /*{:04x}*/ {text} ;\n", at * 16))
        .collect();
    format!("\tcode for sm_75\n\t\tFunction : k\n{lines}")
}

/// What makes a number say little of the kernel is marked: opcodes that no table has, those that wait by themselves, and more
/// warps than a multiprocessor holds.
#[test]
fn what_is_unknown_and_what_does_not_fit_is_marked() {
    let of = |lines: &[&str], count: u32| {
        let tree = json!({ "warpspan": 1, "warps": { "sass": listing(lines), "count": count, "method": { "policy": "oldest-first" } } });
        let seen = seen(&tree);
        let grave = seen.report.rests.iter().filter(|rest| rest.is_grave());
        let grave: Vec<String> = grave.map(|rest| rest.what.clone()).collect();
        (grave, summary::tiles(&seen.report)[1].clone())
    };
    let (grave, tile) = of(&["FADD R1, R1, R1", "EXIT"], 8);
    assert_eq!((grave.len(), tile.label), (0, "The worst case"));
    let (grave, tile) = of(&["FMOOL R1, R1, R1", "MEMBAR.SC.GPU", "EXIT"], 64);
    assert_eq!(grave, ["FMOOL is unknown", "MEMBAR waits by itself", "no block of this fits"]);
    assert_eq!(tile.label, "The worst case, not all known");
    let tree = json!({ "warpspan": 1, "warps": { "sass": listing(&["FADD R1, R1, R1", "EXIT"]), "count": 64, "block": 8, "method": { "policy": "oldest-first" } } });
    let report = seen(&tree).report;
    let fit = report.rests.iter().find(|rest| rest.is_grave()).expect("more than fit");
    assert_eq!((&*fit.on, &fit.what[..]), ("occupancy", "64 warps, 32 fit"));
    assert!(fit.said.contains("64 warps are asked for"), "{}", fit.said);
    assert_eq!(summary::tiles(&report)[1].label, "The worst case, if they fit");
}

/// Rounds that somebody has typed are told, as they are exactly so many; those that the text decides are not, but counted.
#[test]
fn rounds_that_are_given_are_told_and_those_of_the_text_are_counted() {
    let lines = [
        "MOV R5, RZ",
        "IADD3 R5, R5, 0x1, RZ",
        "ISETP.LT.AND P0, PT, R5, 0x9, PT",
        "@P0 BRA 0x10",
        "FADD R1, R1, R1",
        "@P1 BRA 0x40",
        "FADD R1, R1, R1",
        "@P2 BRA 0x60",
        "EXIT",
    ];
    let of = |loops: Value| {
        let mut tree = json!({ "warpspan": 1, "warps": { "sass": listing(&lines), "count": 1, "method": { "policy": "oldest-first" } } });
        if !loops.is_null() {
            tree["warps"]["loops"] = loops;
        }
        let report = seen(&tree).report;
        let told: Vec<(String, String, bool)> = report
            .rests
            .iter()
            .filter(|rest| ["loops", "rounds"].contains(&&*rest.on))
            .map(|rest| (rest.what.clone(), rest.said.clone(), rest.is_grave()))
            .collect();
        let loops: Vec<(u64, String, String)> = report
            .loops
            .iter()
            .flatten()
            .map(|own| (own.address, own.stated.to_string(), edits::rounds(own)))
            .collect();
        (told, loops)
    };
    let row = |address: u64, stated: &str, rounds: &str| (address, stated.to_owned(), rounds.to_owned());
    let (told, loops) = of(Value::Null);
    assert_eq!(told.iter().map(|own| (&own.0[..], own.2)).collect::<Vec<_>>(), [("2 loops once", true)]);
    assert_eq!(loops, [row(0x10, "text", "9"), row(0x40, "assumed", "1"), row(0x60, "assumed", "1")]);
    let (told, loops) = of(json!({ "0x40": 16 }));
    assert_eq!(told.len(), 2);
    assert_eq!((&told[0].0[..], told[0].2), ("loop 0x0060 once", true));
    assert_eq!((&told[1].0[..], told[1].2), ("rounds of loop 0x0040 given", false));
    assert_eq!(
        told[1].1,
        "The document says how often the loop at 0x0040 goes round: 16 times, exactly and not at most. Nothing is proven of other numbers of rounds, not even of fewer."
    );
    assert_eq!(loops[1], row(0x40, "given", "16"));
    let (told, _) = of(json!({ "0x40": 16, "0x60": 1 }));
    assert_eq!(told.len(), 1);
    assert_eq!(told[0].0, "rounds of 2 loops given");
    assert!(told[0].1.starts_with(
        "The document says how often loops go round: 16 times at 0x0040 and 1 time at 0x0060, exactly"
    ));
}

/// A loop within another one that the text decides goes round more often each time: both ends are told.
#[test]
fn rounds_that_change_from_time_to_time_are_a_range() {
    let lines = [
        "MOV R5, RZ",
        "IADD3 R5, R5, 0x1, RZ",
        "MOV R6, RZ",
        "IADD3 R6, R6, 0x1, RZ",
        "ISETP.LT.AND P0, PT, R6, R5, PT",
        "@P0 BRA 0x30",
        "ISETP.LT.AND P1, PT, R5, 0x3, PT",
        "@P1 BRA 0x10",
        "EXIT",
    ];
    let tree = json!({ "warpspan": 1, "warps": { "sass": listing(&lines), "count": 1, "method": { "policy": "oldest-first" } } });
    let loops = seen(&tree).report.loops.unwrap_or_default();
    let rounds: Vec<String> = loops.iter().map(edits::rounds).collect();
    assert_eq!(rounds, ["3", "1 to 3"]);
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
    // Rounds that were typed are part of it.
    let looped = listing(&["FADD R1, R1, R1", "@P0 BRA 0x0", "EXIT"]);
    let given = certified(&json!({ "warpspan": 1, "warps": {
        "sass": looped, "loops": 7, "count": 1, "method": { "policy": "oldest-first" }
    } }));
    let verdict = certificate::checked(&given).expect("a certificate");
    assert!(verdict.accepted, "{verdict:?}");
    assert!(
        verdict.provided.iter().any(|own| own.contains("goes round: 7 times, exactly")),
        "{:?}",
        verdict.provided
    );
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
    assert_eq!(told("466-34"), said("466 to 34 is no range"));
    assert_eq!(told("466-40-34"), said("466 to 34 is no range"));
    for number in ["0", "-5", "99999999999"] {
        assert_eq!(told(number), Some(format!("{number}. Expected a whole number, 1 to 100000.")));
    }
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
