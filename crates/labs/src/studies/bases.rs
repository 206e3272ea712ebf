//! Every lab as a base: its reports are measured, its cells open as documents of their own.

use super::*;

/// A base, an axis with its values, measures, and the rows' values, worked out by hand or told by the lab itself.
fn holds(study: &str, expected: &[&str]) {
    let study = sound(study);
    assert_eq!(study.cells(), expected.len() as u64);
    for (cell, expected) in (0..).zip(expected) {
        let expected: Value = serde_json::from_str(expected).unwrap_or_default();
        assert_eq!(row(&study, cell)["values"], expected, "cell {cell}");
        // The cell's document opens by itself, and its report measures the same.
        let Some(Ok(document)) = study.cell(cell).map(|cell| cell.document()) else { unreachable!("{cell}") };
        let scenario = ALL.read(&document).unwrap_or_else(|problems| unreachable!("{problems:?}"));
        let report: Value = serde_json::from_str(&ALL.run(&scenario).line()).unwrap_or_default();
        assert!(report["lab"].is_string() && report["scenario"] == scenario.title.as_str(), "{report}");
    }
}

/// Warps that share both units one after the other: three cycles, then one more for each unit of the second.
#[test]
fn warps() {
    holds(
        r#""base": {"warps": {"kernel": "LCL", "count": 1, "machine": {"L": 1, "C": 1}}},
        "axes": [{"path": "warps.count", "values": [1, 3]}],
        "measures": {"makespan": "makespan", "warps": "count", "first": "order[0]"}"#,
        &[r#"{"makespan": 3, "warps": 1, "first": 1}"#, r#"{"makespan": 6, "warps": 3, "first": 1}"#],
    );
}

/// 8 blocks of 512 threads fill a Jetson TX2: the second wave begins when the first one ends.
#[test]
fn blocks() {
    holds(
        r#""base": {"blocks": {"device": {"preset": "jetson-tx2"},
            "streams": [{"operations": [{"kernel": "K", "blocks": 8, "threads": 512, "duration": 1000}]}]}},
        "axes": [{"path": "blocks.streams[0].operations[0].blocks", "name": "blocks", "values": [8, 9, 17]}],
        "measures": {"end": "end", "last": "max(response[*].completion)", "proven": "worst_order.exact"}"#,
        &[
            r#"{"end": 1000, "last": 1000, "proven": true}"#,
            r#"{"end": 2000, "last": 2000, "proven": true}"#,
            r#"{"end": 3000, "last": 3000, "proven": true}"#,
        ],
    );
}

/// Two tasks of one vertex: demand 2 in 4 and e in 4 fits up to e = 2.
#[test]
fn tasks() {
    let task = |e: u32| {
        format!(
            r#"{{"name": "t{e}", "period": 4, "vertices": [{{"name": "v", "e": {e}, "d": 4}}], "edges": []}}"#
        )
    };
    let base = format!(
        r#""base": {{"tasks": [{}, {}]}}, "axes": [{{"path": "tasks[1].vertices[0].e", "name": "e", "from": 1, "to": 3}}],"#,
        task(2),
        task(1)
    );
    holds(
        &format!(r#"{base} "measures": {{"u": "utilisation", "schedulable": "schedulable"}}"#),
        &[
            r#"{"u": 0.75, "schedulable": true}"#,
            r#"{"u": 1, "schedulable": true}"#,
            r#"{"u": 1.25, "schedulable": false}"#,
        ],
    );
}

/// A kernel that takes 50 of its author's cycles at 1 GHz, between 10 ns and 5 ns on the host: 65 ns.
#[test]
fn chain() {
    holds(
        r#""base": {"chain": {"device": {"preset": "jetson-tx2"}, "clock": 1000000000, "sharing": "exclusive",
            "kernels": [{"name": "k", "cycles": 50, "threads": 32}],
            "tasks": [{"name": "a", "period": 100, "deadline": 65, "segments": [{"cpu": 10}, {"launch": "k"}, {"cpu": 5}]}]}},
        "axes": [{"path": "chain.tasks[0].deadline", "name": "deadline", "values": [64, 65]}],
        "measures": {"schedulable": "verdict.schedulable", "response": "tasks[0].response.upper.value"}"#,
        &[r#"{"schedulable": false, "response": 65}"#, r#"{"schedulable": true, "response": 65}"#],
    );
}

/// R's formula, confirmed for one group and one repetition, refuted for four groups (14 claimed, 15 reached).
#[test]
fn conjecture() {
    holds(
        r#""base": {"conjecture": {"claim": {"named": "raravi"}, "machine": {"L": 1, "C": 2, "issue": 2}, "ranges": {"n": 16, "rep": 1}}},
        "axes": [{"path": "conjecture.ranges.n", "name": "n", "values": [16, 64]}],
        "measures": {"verdict": "cells[0].verdict", "claimed": "cells[0].allowed", "worst": "cells[0].lower"}"#,
        &[
            r#"{"verdict": "confirmed", "claimed": 5, "worst": 5}"#,
            r#"{"verdict": "refuted", "claimed": 14, "worst": 15}"#,
        ],
    );
}
