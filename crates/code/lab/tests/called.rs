//! What things are called on the page: the document of another listing, and units.

mod common;

use std::collections::{BTreeMap, BTreeSet};

use code_lab::LINKED;
use code_lab::page::{Seen, edits, says};
use code_lab::timeline::{Lane, colour_of};
use code_read::arch::ARCHITECTURES;
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
    let mut known = edits::Functions::default();
    // A line more or less is the same listing, and so is one that is being taken away.
    for text in [format!("{listing}\n"), String::new()] {
        assert_eq!(edits::of_listing(&before, &with(&text), &mut known), with(&text));
    }
    let other = listing.replace("saxpy", "other");
    for old in [before.clone(), with("")] {
        let now = edits::of_listing(&old, &with(&other), &mut known);
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

/// The table of units, that of latencies, the rows of the picture and the lines of the listing call a unit the same.
#[test]
fn a_unit_has_one_name_everywhere() {
    let seen = seen(&saxpy());
    let report = &seen.report;
    let tables = report.tables.as_ref().expect("tables");
    let called: Vec<&str> = tables.units.iter().map(|unit| says::unit_short(&unit.0)).collect();
    assert!(called.contains(&"load/store") && called.contains(&"LDC/S2R/BAR"), "{called:?}");
    assert!(!called.contains(&"global") && !called.contains(&"constant"), "{called:?}");
    for (kind, ..) in &tables.latencies {
        let unit = says::unit_of_kind(report, kind);
        assert_eq!(called.contains(&unit), kind != "operands", "{kind} by {unit}");
    }
    let of = |kind| says::unit_of_kind(report, kind);
    assert_eq!([of("global"), of("atomic"), of("shared"), of("copy")], ["load/store"; 4]);
    assert_eq!([of("constant"), of("register")], ["LDC/S2R/BAR"; 2]);
    assert_eq!([of("special"), of("texture"), of("operands")], ["special functions", "texture", "any"]);
    for row in seen.timeline.rows.iter().filter(|row| row.lane == Lane::Unit) {
        let label = row.label.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end();
        assert!(called.contains(&label), "{label}");
    }
}

/// Whoever looks at one kernel after another need not learn colours again.
#[test]
fn a_unit_has_one_colour_in_every_kernel() {
    let units = ARCHITECTURES.iter().flat_map(|own| own.units);
    let mut of: BTreeMap<u8, BTreeSet<&str>> = BTreeMap::new();
    for unit in units {
        let colour = colour_of(unit.name()).unwrap_or_else(|| unreachable!("{} has none", unit.name()));
        of.entry(colour).or_default().insert(unit.name());
    }
    assert_eq!(of.keys().copied().collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5], "all colours are used");
    assert!(of.values().all(|units| units.len() <= 2), "{of:?}");
    // What nearly every kernel has is told apart.
    let usual = ["fma", "alu", "global", "constant", "branch"].map(colour_of);
    assert_eq!(BTreeSet::from(usual).len(), usual.len());
    let double = include_str!("../../read/tests/fixtures/horner_f64_8-sm_75.sass");
    let double = code_lab::document(double).expect("a listing");
    let mut met = BTreeMap::new();
    for seen in [seen(&saxpy()), seen(&double)] {
        for (at, line) in seen.report.code.iter().enumerate() {
            let unit = line.unit.clone();
            let before = *met.entry(unit.clone()).or_insert(seen.timeline.class(at));
            assert_eq!(before, seen.timeline.class(at), "{unit:?}");
        }
    }
    assert!(met.len() > 5, "{met:?}");
    // Units that a document names itself have colours of their own.
    let written = json!({ "warpspan": 1, "warps": {
        "code": [{ "unit": "a" }, { "unit": "global" }, { "unit": "b" }, {}],
        "machine": { "partitions": 1, "units": { "a": {}, "global": {}, "b": {} } },
        "count": 1, "method": { "policy": "oldest-first" },
    } });
    assert_eq!(self::seen(&written).timeline.classes, [0, 1, 2, 5]);
}
