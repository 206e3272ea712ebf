//! Documents: read, run, and refused.

#![allow(missing_docs)]

use code_lab::report::CodeReport;
use code_lab::{LINKED, document, is_asked};
use serde_json::{Value, json};
use warpspan_code_lab as code_lab;

fn run(tree: &Value) -> Value {
    assert!(is_asked(tree));
    let scenario = match LINKED.from_tree(tree) {
        Ok(scenario) => scenario,
        Err(problems) => unreachable!("{problems:?}"),
    };
    let report = LINKED.run(&scenario);
    assert!(report.of::<CodeReport>().is_some());
    serde_json::from_str(&report.line()).expect("a line of JSON")
}

fn problems(warps: &Value) -> Vec<String> {
    match LINKED.from_tree(&json!({ "warpspan": 1, "warps": warps })) {
        Ok(_) => Vec::new(),
        Err(problems) => problems.iter().map(ToString::to_string).collect(),
    }
}

fn written(method: Value) -> Value {
    json!({ "warpspan": 1, "title": "two warps", "warps": {
        "code": [
            { "unit": "lsu", "sets": { "0": [4, 6] } },
            { "unit": "fp32", "hold": 2, "stall": 4, "waits": [0] },
            { "unit": "fp32", "hold": 2 },
        ],
        "machine": { "partitions": 1, "issue": 1, "units": {
            "fp32": { "per": "partition", "count": 1 },
            "lsu": { "per": "multiprocessor", "count": 1 },
        } },
        "count": 2,
        "method": method,
    } })
}

/// By hand: loads in cycles 1 and 2, both there in cycle 7; one multiplies in 7 and the other in 9, and again in 11 and 13.
#[test]
fn a_written_kernel() {
    let report = run(&written(json!({ "exact": {} })));
    assert_eq!(
        (&report["lower"], &report["upper"], &report["exact"]),
        (&json!(14), &json!(14), &json!(true))
    );
    assert_eq!(
        (&report["lab"], &report["holds"], &report["count"]),
        (&json!("warps"), &json!("document"), &json!(2))
    );
    let rows = report["schedule"].as_array().expect("rows");
    assert_eq!(rows.len(), 6);
    assert_eq!(rows.iter().filter_map(|row| row[3].as_u64()).max(), report["makespan"].as_u64());
    let code = report["code"].as_array().expect("code");
    assert_eq!(code[0]["write"], json!(0));
    assert_eq!(
        (&code[1]["wait"], &code[1]["stall"], &code[1]["unit"]),
        (&json!([0]), &json!(4), &json!("fp32"))
    );
    // Whatever waited is told, and adds up to the cycles between issues.
    let waited = |line: &Value| -> u64 {
        line["waited"].as_object().map_or(0, |own| own.values().filter_map(Value::as_u64).sum())
    };
    let all: u64 = code.iter().map(waited).sum();
    let mut between = 0;
    for warp in [1, 2] {
        let mut before = 0;
        for row in rows.iter().filter(|row| row[0] == warp) {
            let issued = row[2].as_u64().expect("a cycle");
            between += issued - before - 1;
            before = issued;
        }
    }
    assert_eq!(all, between);
}

#[test]
fn policies_and_long_schedules() {
    for policy in ["greedy-then-oldest", "loose-round-robin", "oldest-first"] {
        let report = run(&written(json!({ "policy": policy })));
        assert_eq!(report["method"], json!(policy));
        assert!(report["makespan"].as_u64() <= report["upper"].as_u64());
    }
    let longest = run(&written(json!({ "longest": { "iterations": 200, "seed": 3 } })));
    assert_eq!(longest["lower"], json!(14));
}

#[test]
fn a_listing() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../read/tests/fixtures/saxpy-sm_75.sass");
    let text = std::fs::read_to_string(path).expect("a fixture");
    let mut tree = document(&text).expect("a document");
    tree["warps"]["method"] = json!({ "policy": "loose-round-robin" });
    let report = run(&tree);
    assert_eq!((&report["function"], &report["architecture"]), (&json!("saxpy"), &json!("Turing")));
    let load = &report["code"][9];
    assert_eq!(
        (&load["text"], &load["stall"], &load["write"]),
        (&json!("LDG.E.SYS R3, [R2]"), &json!(4), &json!(2))
    );
    let multiply = &report["code"][11];
    assert_eq!(
        (&multiply["stall"], &multiply["wait"], &multiply["write"]),
        (&json!(8), &json!([2]), &Value::Null)
    );
    assert_eq!(report["holds"], json!("assumed"));
    assert!(!report["assumed"].as_array().expect("a list").is_empty());
    assert!(report["tables"]["latencies"].as_array().expect("a list").len() > 8);
    tree["warps"]["loops"] = json!({ "0x40": 3 });
    let refused = problems(&tree["warps"]);
    assert_eq!(refused, ["warps.loops: no loop begins at 0x0040, expected no trip count: it has no loop"]);
}

#[test]
fn what_is_wrong_is_told_where_it_is() {
    let machine = json!({ "units": { "u": {} } });
    let with = |code: Value, more: Value| {
        let mut warps = json!({ "code": code, "machine": machine, "count": 2 });
        for (key, value) in more.as_object().into_iter().flatten() {
            warps[key] = value.clone();
        }
        problems(&warps)
    };
    let none = json!({});
    assert_eq!(
        with(json!([{ "unit": "v" }]), none.clone()),
        ["warps.code[0].unit: \"v\", expected a unit of the machine: u"]
    );
    assert_eq!(
        with(json!([{ "hold": 0 }]), none.clone()),
        ["warps.code[0].hold: 0, expected a whole number, 1 to 100000"]
    );
    assert_eq!(
        with(json!([{ "sets": { "16": 3 } }]), none.clone()),
        ["warps.code[0].sets.16: \"16\", expected a scoreboard, \"0\" to \"15\""]
    );
    assert_eq!(
        with(json!([{ "sets": { "0": [5, 3] } }]), none.clone()),
        ["warps.code[0].sets.0: no range, expected two numbers of cycles, the second no smaller: [20, 200]"]
    );
    assert_eq!(
        with(json!([]), none),
        [
            "warps.code: no instruction in it, expected a list of instructions, such as [{\"unit\": \"fma\", \"hold\": 2, \"stall\": 4}]"
        ]
    );
    assert_eq!(
        with(json!([{}]), json!({ "path": [0, 1] })),
        ["warps.path: 1, expected a whole number, 0 to 0"]
    );
    assert_eq!(
        with(json!([{}]), json!({ "method": { "policy": "first" } })),
        [
            "warps.method.policy: \"first\", expected one of greedy-then-oldest, loose-round-robin, oldest-first"
        ]
    );
    assert_eq!(
        with(json!([{}]), json!({ "kernel": "L" }))[0],
        "warps.kernel: unknown key, expected one of code, machine, path, count, block, misses, method"
    );
}
