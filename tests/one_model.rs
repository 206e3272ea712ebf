//! Kernel strings and loads that take their time, asked of the general model: `convert --to code` writes each as machine
//! code, of which another engine, with other searches and bounds, says the same.

#![cfg(not(target_arch = "wasm32"))]

mod common;

use common::{Scratch, run, warpspan};
use serde_json::{Value, json};
use warpspan::base::Seeded;
use warpspan::scenario::builtin::BUILTINS;

/// The fields of an object, as they stand between its braces.
fn inside(warps: &Value) -> String {
    let text = warps.to_string();
    text[1..text.len() - 1].to_owned()
}

/// A document that asks so.
fn document(warps: &Value) -> String {
    common::document(&inside(warps))
}

/// Its report.
fn report(warps: &Value) -> Value {
    common::report(&inside(warps))
}

/// The same question of the general model.
fn as_code(text: &str) -> Value {
    let file = Scratch::new(text.as_bytes());
    let answer = warpspan(&["convert", file.path(), "--to", "code"]);
    assert_eq!((answer.status, &answer.err[..]), (0, ""), "{text}");
    serde_json::from_str(&answer.out).expect("a document")
}

/// What the general model says of it with a method.
fn general(text: &str, method: Value) -> Value {
    let mut document = as_code(text);
    document["warps"]["method"] = method;
    let answer = run(&document.to_string());
    assert_eq!((answer.status, &answer.err[..]), (0, ""), "{document}");
    serde_json::from_str(&answer.out).expect("a report")
}

/// A small question about strings, drawn at random; half of them with loads that take their time.
fn drawn(rng: &mut Seeded) -> Value {
    let letters = ["L", "L", "C", "S"];
    let kernel: String = (0..=rng.below(5)).map(|_| letters[rng.below(4) as usize]).collect();
    let mut warps = json!({
        "kernel": kernel,
        "count": 1 + rng.below(4),
        "machine": { "L": 1 + rng.below(2), "C": 1 + rng.below(2), "S": 1 },
    });
    if let issue @ 1.. = rng.below(3) {
        warps["machine"]["issue"] = issue.into();
    }
    if rng.below(2) == 0 {
        let mode = ["held", "pipelined"][rng.below(2) as usize];
        let misses = ["all", "none"][rng.below(2) as usize];
        warps["memory"] = json!({
            "mode": mode,
            "hit": 1 + rng.below(2),
            "miss": 2 + rng.below(4),
            "misses": misses,
        });
    }
    warps
}

#[test]
fn worst_and_best_cases_are_the_same_and_no_bound_is_on_the_wrong_side() {
    let mut rng = Seeded::new(22, 0);
    let mut slow = 0;
    for _ in 0..400 {
        let mut warps = drawn(&mut rng);
        warps["method"] = json!({ "exact": {} });
        let own = report(&warps);
        let text = document(&warps);
        let other = general(&text, json!({ "exact": {} }));
        assert_eq!((&own["exact"], &other["exact"]), (&true.into(), &true.into()), "{text}");
        assert_eq!(own["lower"], other["lower"], "{text}");
        // Where loads take their time, the general model alone knows the best case.
        let best = &own["shortest"];
        assert!(best.is_null() || best["makespan"] == other["shortest"]["makespan"], "{text}");
        assert_eq!(best.is_null(), warps.get("memory").is_some(), "{text}");
        // Without a search: the formulas of both.
        warps["method"] = json!({ "initial": "round-robin" });
        let own = report(&warps);
        let upper = general(&text, json!({ "policy": "oldest-first" }))["upper"].as_u64();
        assert!(
            upper >= other["lower"].as_u64() && own["upper"].as_u64() >= other["lower"].as_u64(),
            "{text}"
        );
        slow += usize::from(warps.get("memory").is_some());
    }
    assert!(slow > 100, "{slow} with loads that take their time");
}

#[test]
fn schedulers_are_the_same() {
    let mut rng = Seeded::new(23, 0);
    for _ in 0..200 {
        let mut warps = drawn(&mut rng);
        // Several issues a cycle, or cycles in which nothing issues, and the rules read otherwise.
        warps["machine"]["issue"] = 1.into();
        warps.as_object_mut().expect("an object").remove("memory");
        for policy in ["greedy-then-oldest", "loose-round-robin"] {
            warps["method"] = json!({ "initial": policy });
            let text = document(&warps);
            let other = general(&text, json!({ "policy": policy }));
            assert_eq!(report(&warps)["makespan"], other["makespan"], "{policy}: {text}");
        }
    }
}

#[test]
fn every_example_becomes_machine_code_or_says_why_not() {
    let (mut done, mut refused) = (0, 0);
    for example in BUILTINS {
        let file = Scratch::new(example.text.as_bytes());
        let answer = warpspan(&["convert", file.path(), "--to", "code"]);
        if answer.status == 0 {
            let document: Value = serde_json::from_str(&answer.out).expect("a document");
            assert!(document["warps"]["code"].is_array(), "{}", example.name);
            done += 1;
        } else {
            assert_eq!(answer.status, 2, "{}", example.name);
            let why =
                ["kernel strings", "sub-blocks", "ranges of latencies", "a recorded run", "a thread trace"];
            assert!(why.iter().any(|why| answer.err.contains(why)), "{}: {}", example.name, answer.err);
            refused += 1;
        }
    }
    assert!(done > 10 && refused > 10, "{done} and {refused}");
}
