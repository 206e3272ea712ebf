//! Certificates through the real program: what is true is accepted, whatever is changed is not.

#![cfg(not(target_arch = "wasm32"))]

mod common;

use common::{Scratch, document, warpspan, warpspan_with};
use expect_test::{Expect, expect};
use serde_json::Value;
use warpspan::import::json;

/// Scenarios whose upper bounds are proven in different ways.
const SCENARIOS: [&str; 5] = [
    r#""kernel": "LCL", "count": 1, "machine": {"L": 1, "C": 1}, "method": {"exact": {}}"#,
    r#""kernel": "LCL", "count": 3, "machine": {"L": 1, "C": 1, "issue": 2}, "method": {"exact": {}}"#,
    r#""kernel": "5L 9C 2L 9C", "count": 3, "machine": {"L": 1, "C": 4}, "method": {"exact": {}}"#,
    r#""kernel": "C LLC L", "count": 4, "machine": {"L": 1, "C": 2, "issue": 2}, "fairness": "sub-block", "sub_blocks": [1, 3], "method": {"exact": {}}"#,
    r#""kernel": "5L 9C 2L 9C", "count": 9, "machine": {"L": 1, "C": 4}, "method": {"initial": "round-robin"}"#,
];

fn certified(fields: &str) -> Value {
    let file = Scratch::new(document(fields).as_bytes());
    let answer = warpspan(&["certify", file.path()]);
    assert_eq!((answer.status, answer.err.as_str()), (0, ""), "{fields}");
    serde_json::from_str(&answer.out).expect("a certificate is JSON")
}

/// The exit status of checking a certificate, and why it was refused.
fn checked(certificate: &Value) -> (i32, Vec<String>) {
    let answer = warpspan_with(&["check", "-"], certificate.to_string().as_bytes());
    if answer.status == 2 {
        assert!(answer.out.is_empty() && !answer.err.is_empty());
        return (2, answer.err.lines().map(str::to_owned).collect());
    }
    assert_eq!(answer.err, "");
    let verdict: Value = serde_json::from_str(&answer.out).expect("a verdict is JSON");
    let reasons: Vec<String> = serde_json::from_value(verdict["reasons"].clone()).expect("texts");
    assert_eq!(verdict["accepted"], Value::Bool(answer.status == 0));
    assert_eq!(reasons.is_empty(), answer.status == 0);
    (answer.status, reasons)
}

/// The checksum made to fit again, as someone would who lies on purpose.
fn sealed(mut certificate: Value) -> Value {
    let map = certificate.as_object_mut().expect("an object");
    map.shift_remove("checksum");
    let sum = crc32fast::hash(json::line(&certificate).as_bytes());
    certificate["checksum"] = Value::from(format!("{sum:08x}"));
    certificate
}

/// The places of all numbers in a tree.
fn numbers(tree: &Value, path: &str, found: &mut Vec<String>) {
    match tree {
        Value::Number(_) => found.push(path.to_owned()),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(i, item)| numbers(item, &format!("{path}/{i}"), found));
        }
        Value::Object(map) => {
            map.iter().for_each(|(key, item)| numbers(item, &format!("{path}/{key}"), found));
        }
        _ => {}
    }
}

#[test]
fn what_is_true_is_accepted() {
    for fields in SCENARIOS {
        let certificate = certified(fields);
        assert_eq!(certificate["exact"], Value::Bool(fields.contains("exact")), "{certificate}");
        assert_eq!(checked(&certificate), (0, vec![]), "{certificate}");
        assert_eq!(checked(&sealed(certificate.clone())), (0, vec![]));
        // Laid out otherwise it is the same.
        let file = Scratch::new(serde_json::to_string_pretty(&certificate).expect("JSON").as_bytes());
        assert_eq!(warpspan(&["check", file.path(), file.path()]).out.lines().count(), 2);
    }
}

#[test]
fn every_number_that_is_changed_is_noticed() {
    for fields in &SCENARIOS[..4] {
        let certificate = certified(fields);
        let mut places = Vec::new();
        numbers(&certificate, "", &mut places);
        assert!(places.len() > 15);
        for (i, place) in places.iter().enumerate() {
            let mut changed = certificate.clone();
            let number = changed.pointer_mut(place).expect("it is there");
            let old = number.as_u64().expect("a whole number");
            *number = Value::from(if i % 2 == 0 {
                old + 1
            } else {
                old.saturating_sub(1) + 2 * u64::from(old == 0)
            });
            assert_ne!(checked(&changed).0, 0, "{place} of {certificate}");
        }
    }
}

/// With a checksum that fits, what is false is refused for what it is.
#[test]
fn lies_are_refused_whatever_their_checksum() {
    let certificate = certified(SCENARIOS[3]);
    let lie = |place: &str, value: Value, expected: Expect| {
        let mut lie = certificate.clone();
        *lie.pointer_mut(place).expect("it is there") = value;
        let (status, reasons) = checked(&sealed(lie));
        assert_eq!(status, 1, "{place}");
        expected.assert_eq(&reasons.join("\n"));
    };
    let number = |place: &str| certificate.pointer(place).and_then(Value::as_u64).expect("a number");
    lie(
        "/upper/bound",
        Value::from(number("/upper/bound") - 1),
        expect![[r#"
        upper: 13 is less than the schedule takes
        exact is true, the bounds are 14 and 13"#]],
    );
    lie(
        "/upper/by",
        Value::from("my word"),
        expect![[r#"upper: proven by "all paths between states of phases", not by "my word""#]],
    );
    lie(
        "/lower/makespan",
        Value::from(number("/lower/makespan") + 1),
        expect![[r#"
        lower: the schedule takes 14 cycles, not 15
        exact is true, the bounds are 15 and 14"#]],
    );
    lie(
        "/lower/cycles/0",
        Value::from(2),
        expect![[r#"
        lower: not work-conserving at cycle 1: C (CUDA core) has room for 1 warp and warps 1, 3 and 4 are pending on C
        lower: over capacity at cycle 2: warps 1, 3 and 4 execute on C (CUDA core), which serves 2 warps
        lower: over the issue limit at cycle 2: warps 1, 3 and 4 issue, the limit is 2"#]],
    );
    lie(
        "/lower/order/0",
        Value::from(9),
        expect!["lower: not the order and cycles of 4 warps, each 5 times"],
    );
    lie("/count", Value::from(3), expect!["lower: not the order and cycles of 3 warps, each 5 times"]);
    lie("/exact", Value::from(false), expect!["exact is false, the bounds are 14 and 14"]);
    lie(
        "/machine/C",
        Value::from(1),
        expect![[r#"
        lower: over capacity at cycle 1: warps 1 and 2 execute on C (CUDA core), which serves 1 warp
        lower: over capacity at cycle 2: warps 3 and 4 execute on C (CUDA core), which serves 1 warp"#]],
    );
    lie(
        "/sub_blocks",
        serde_json::json!([2]),
        expect![[r#"
        lower: unfair at cycle 4: warp 1 executes in sub-block 2 while warp 2 waits in sub-block 1 and could have its place
        lower: unfair at cycle 4: warp 1 executes in sub-block 2 while warp 3 waits in sub-block 1 and could have its place
        lower: unfair at cycle 4: warp 1 executes in sub-block 2 while warp 4 waits in sub-block 1 and could have its place
        lower: unfair at cycle 6: warp 2 executes in sub-block 2 while warp 3 waits in sub-block 1 and could have its place
        lower: unfair at cycle 6: warp 2 executes in sub-block 2 while warp 4 waits in sub-block 1 and could have its place
        lower: unfair at cycle 8: warp 3 executes in sub-block 2 while warp 4 waits in sub-block 1 and could have its place"#]],
    );
    lie(
        "/kernel",
        Value::from("C L C 2L"),
        expect![[r#"
        lower: not work-conserving at cycle 4: L (load/store) has room for 1 warp and warps 2, 3 and 4 are pending on L
        lower: over capacity at cycle 5: warps 1 and 2 execute on L (load/store), which serves 1 warp
        lower: unfair at cycle 5: warp 1 executes in sub-block 3 while warp 3 waits in sub-block 2 and could have its place
        lower: unfair at cycle 5: warp 1 executes in sub-block 3 while warp 4 waits in sub-block 2 and could have its place
        lower: not work-conserving at cycle 6: L (load/store) has room for 1 warp and warps 1, 3 and 4 are pending on L
        lower: over capacity at cycle 7: warps 2 and 3 execute on L (load/store), which serves 1 warp
        lower: unfair at cycle 7: warp 2 executes in sub-block 3 while warp 4 waits in sub-block 2 and could have its place
        lower: not work-conserving at cycle 8: L (load/store) has room for 1 warp and warps 1, 2 and 4 are pending on L
        lower: over capacity at cycle 9: warps 3 and 4 execute on L (load/store), which serves 1 warp
        lower: not work-conserving at cycle 10: L (load/store) has room for 1 warp and warps 1, 2 and 3 are pending on L
        lower: over capacity at cycle 11: warps 1 and 4 execute on L (load/store), which serves 1 warp"#]],
    );
    // Every number of the proof, on its own.
    for (key, number) in certificate["upper"].as_object().expect("an object") {
        if let Some(number) = number.as_u64() {
            for other in [number + 1, number - 1] {
                let mut lie = certificate.clone();
                lie["upper"][key] = Value::from(other);
                assert_eq!(checked(&sealed(lie)).0, 1, "{key} {other}");
            }
        }
    }
}

#[test]
fn what_is_no_certificate_is_told() {
    let refused = |text: &str, expected: Expect| {
        let answer = warpspan_with(&["check", "-"], text.as_bytes());
        assert_eq!((answer.status, answer.out.as_str()), (2, ""), "{text}");
        expected.assert_eq(&answer.err);
    };
    refused(
        "",
        expect![[r#"
            -: document: neither a log nor a certificate, expected an examiner's log, or a certificate as warpspan certify prints it
        "#]],
    );
    refused(
        "hello",
        expect![[r#"
            -: document: neither a log nor a certificate, expected an examiner's log, or a certificate as warpspan certify prints it
        "#]],
    );
    refused(
        &document(SCENARIOS[0]),
        expect![[r#"
            -: document: neither a log nor a certificate, expected an examiner's log, or a certificate as warpspan certify prints it
        "#]],
    );
    refused(
        r#"{"warpspan_certificate": 2}"#,
        expect![[r#"
        -: warpspan_certificate: 2, expected a whole number, 1 to 1
    "#]],
    );
    refused(
        r#"{"warpspan_certificate": 1, "by": "me", "checksum": ""}"#,
        expect![[r#"
        -: by: unknown key, expected one of warpspan_certificate, scenario, kernel, count, machine, fairness, sub_blocks, memory, lower, upper, exact, checksum
        -: scenario: missing, expected the title of the scenario
        -: kernel: missing, expected an instruction string
        -: count: missing, expected a whole number, 1 to 64
        -: machine: missing, expected capacities
        -: lower: missing, expected a schedule
        -: upper: missing, expected a bound and its proof, or null
        -: exact: missing, expected true or false
    "#]],
    );
    refused(
        r#"{"scenario_name": "x", "times": []}"#,
        expect![[r#"
            -: document: no kernel is recorded whose times can be read, expected logs with the times of blocks in seconds, from 0 to 6e9
        "#]],
    );
    let answer = warpspan_with(&["run", "-"], certified(SCENARIOS[0]).to_string().as_bytes());
    assert_eq!((answer.status, answer.out.as_str()), (2, ""));
    expect![[r#"
        -: document: this is a certificate, which is checked and not run, expected a scenario, or "warpspan check"
    "#]].assert_eq(&answer.err);
}

/// Certificates with a part that is wrong in kind: each is refused at its place.
#[test]
fn damaged_certificates() {
    let certificate = certified(SCENARIOS[3]);
    let places = [
        "/scenario",
        "/kernel",
        "/count",
        "/machine",
        "/machine/L",
        "/machine/issue",
        "/fairness",
        "/sub_blocks",
        "/sub_blocks/1",
        "/lower",
        "/lower/makespan",
        "/lower/order",
        "/lower/order/3",
        "/lower/cycles",
        "/lower/cycles/0",
        "/upper",
        "/upper/bound",
        "/upper/by",
        "/exact",
        "/checksum",
    ];
    for place in places {
        for wrong in [serde_json::json!({"x": 1}), Value::from(-1), Value::from(1.5), serde_json::json!([[]])]
        {
            let mut damaged = certificate.clone();
            *damaged.pointer_mut(place).expect("it is there") = wrong;
            let (status, told) = checked(&damaged);
            assert_eq!(status, 2, "{damaged}");
            let name = place[1..].replace('/', ".");
            let name = name.split('.').next().expect("a key");
            assert!(told.iter().any(|line| line.starts_with(&format!("-: {name}"))), "{place}: {told:?}");
        }
        let (parent, key) = place.rsplit_once('/').expect("a path");
        if let Some(map) = certificate.clone().pointer_mut(parent).and_then(Value::as_object_mut) {
            let optional = ["issue", "L", "sub_blocks"].contains(&key);
            let mut damaged = certificate.clone();
            map.shift_remove(key);
            *damaged.pointer_mut(parent).expect("it is there") = Value::Object(map.clone());
            assert_eq!(checked(&damaged).0, if optional && key != "sub_blocks" { 1 } else { 2 }, "{damaged}");
        }
    }
}

/// Machine code is certified and checked by the library as by the command line.
#[test]
fn the_library_certifies_machine_code_too() {
    let text = include_str!("../www/scenarios/code-saxpy.json");
    let mut tree: Value = serde_json::from_str(text).expect("JSON");
    tree["warps"]["method"] = serde_json::json!({ "policy": "oldest-first" });
    let certificate = warpspan::certify(&tree.to_string()).expect("a certificate");
    assert_eq!(warpspan::check(&certificate), Ok(true));
    let mut changed: Value = serde_json::from_str(&certificate).expect("JSON");
    assert_eq!(checked(&changed), (0, Vec::new()));
    changed["upper"]["bound"] = serde_json::json!(1);
    assert!(warpspan::check(&changed.to_string()) != Ok(true), "its checksum is another one");
}
