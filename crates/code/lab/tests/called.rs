//! What things are called on the page: the document of another listing, and units.

mod common;

use code_lab::LINKED;
use code_lab::page::{Seen, edits, says};
use common::saxpy;
use serde_json::{Value, json};
use warpspan_code_lab as code_lab;

fn seen(tree: &Value) -> Seen {
    let scenario = match LINKED.from_tree(tree) {
        Ok(scenario) => scenario,
        Err(problems) => unreachable!("{problems:?}"),
    };
    Seen::new(&LINKED.run(&scenario).line()).expect("a report that can be read again")
}

#[test]
fn another_listing_takes_title_and_notes_with_it() {
    let titled = |tree: &Value, title: &str| {
        let mut tree = tree.clone();
        tree["title"] = json!(title);
        tree["notes"] = json!("about the one before");
        tree["warps"]["function"] = json!("saxpy");
        tree
    };
    let before = titled(&saxpy(), "saxpy on Turing");
    let listing = before["warps"]["sass"].as_str().expect("a listing").to_owned();
    let with = |text: &str| {
        let mut tree = before.clone();
        tree["warps"]["sass"] = json!(text);
        tree
    };
    // A line more or less is the same listing, and so is one that is being taken away.
    for text in [format!("{listing}\n"), String::new()] {
        assert_eq!(edits::of_listing(&before, &with(&text)), with(&text));
    }
    let other = listing.replace("saxpy", "other");
    for old in [before.clone(), with("")] {
        let now = edits::of_listing(&old, &with(&other));
        assert_eq!((&now["title"], now.get("notes")), (&json!("other, machine code"), None));
        assert_eq!((now["warps"].get("function"), &now["warps"]["count"]), (None, &before["warps"]["count"]));
        assert!(LINKED.from_tree(&now).is_ok());
    }
}

#[test]
fn units_that_do_several_kinds_of_work_have_a_name_of_their_own() {
    let seen = seen(&saxpy());
    let of = |unit: &str| seen.report.code.iter().position(|line| line.unit.as_deref() == Some(unit));
    let (load, register) = (of("global").expect("a load"), of("constant").expect("S2R"));
    let said = |line: usize| says::line(&seen.report.code[line]);
    assert!(said(load).starts_with("unit load/store;"), "{}", said(load));
    assert!(said(register).starts_with("unit LDC/S2R/BAR;"), "{}", said(register));
    let entry = seen.report.schedule.iter().position(|entry| entry.1 as usize == load).expect("issued");
    let told = says::entry(&seen, entry as u32).unwrap_or_default();
    assert!(told.contains("holds the load/store unit"), "{told}");
    assert!(seen.timeline.rows.iter().any(|row| row.label.starts_with("load/store")));
    // Reports keep their names, and both are found.
    assert!(seen.report.machine.units.iter().any(|unit| unit.0 == "global"));
    assert!(seen.found("load/store").contains(&load) && seen.found("global").contains(&load));
}

#[test]
fn another_function_takes_a_title_that_was_brought_along_with_it() {
    let of = |title: &str, function: &str| {
        edits::of_function(&json!({"title": title, "warps": {"function": function}}))["title"].clone()
    };
    assert_eq!(of("saxpy, machine code", "scan"), "scan, machine code");
    assert_eq!(of("Mine", "scan"), "Mine");
    assert_eq!(of("saxpy, machine code", ""), "saxpy, machine code");
}
