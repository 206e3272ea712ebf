//! What is wrong with a study is said all at once, each problem at its place.

use super::*;
use crate::{LINKED, named};
use expect_test::{Expect, expect};

fn problems(study: &str, expected: Expect) {
    let shown = match read(study) {
        Ok(study) => format!("accepted: {study:?}"),
        Err(problems) => problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
    };
    expected.assert_eq(&named::shortened(LINKED.labs, &shown));
}

const WARPS: &str = r#""base": {"warps": {"kernel": "LCL", "count": 1, "machine": {"L": 1, "C": 1}}}"#;
const MEASURES: &str = r#""measures": {"m": "makespan"}"#;

#[test]
fn nothing_in_it() {
    problems(
        "",
        expect![[r#"
        study.base: missing, expected a scenario, such as {"warps": ...}
        study.measures: missing, expected what to measure, such as {"makespan": "makespan"}"#]],
    );
}

#[test]
fn everything_at_once() {
    problems(
        r#""bases": 1, "base": {"warps": {}, "tasks": []}, "samples": 0, "seed": -1,
        "axes": [{"path": "a..b", "values": []}, {"from": 3, "to": 1}, 5],
        "measures": {"a": "makespan +", "b": "seconds", "c": 3}, "limit": {"work": 0, "hours": 1}"#,
        expect![[r#"
            study.bases: unknown key, close to "base", expected one of base, axes, samples, seed, measures, draw, limit
            study.base: warps and tasks together, expected exactly one of "KEYS"
            study.axes[0].path: "a..b", expected a path such as warps.count or tasks[0].period
            study.axes[0].values: 0 values, expected 1 to 100,000 values
            study.axes[1].path: missing, expected a path such as warps.count
            study.axes[1].to: 1, expected at least 3, where the range begins
            study.axes[2]: 5, expected an object
            study.samples: 0, expected a whole number, 1 to 1000000
            study.seed: -1, expected a whole number, 0 to 9007199254740991
            study.measures.a: the end at character 11, expected a number, a name, a function or "("
            study.measures.b: seconds, expected what is the same on every machine
            study.measures.c: 3, expected a text in quotes
            study.limit.hours: unknown key, expected one of work
            study.limit.work: 0, expected a whole number, 1 to 1000000000"#]],
    );
}

#[test]
fn bases() {
    problems(
        &format!(r#""base": {{}}, {MEASURES}"#),
        expect![[r#"study.base: no question in it, expected exactly one of "KEYS""#]],
    );
    problems(
        &format!(r#""base": {{"study": {{}}}}, {MEASURES}"#),
        expect![[r#"
            study.base.study: unknown key, expected one of warpspan, title, notes, KEYS
            study.base: no question in it, expected exactly one of "KEYS""#]],
    );
    problems(
        &format!(
            r#""base": {{"warps": {{"kernel": "LXL", "count": 99, "machine": {{"L": 1}}, "method": {{"exact": {{"time_limit": 2}}}}}}}}, {MEASURES}"#
        ),
        expect![[
            r#"study.base.warps.method.exact.time_limit: 2, expected no limit in seconds, as every machine has the same rows: "limit": {"work": ...} of the study"#
        ]],
    );
    problems(
        &format!(
            r#""base": {{"warps": {{"kernel": "LXL", "count": 99, "machine": {{"L": 1}}}}}}, {MEASURES}"#
        ),
        expect![[r#"
            study.base.warps.kernel: "X" at character 2, expected a letter L, C, S or D, a count or a group in parentheses
            study.base.warps.count: 99, expected a whole number, 1 to 64"#]],
    );
}

#[test]
fn axes() {
    let axes =
        |axes: &str, expected: Expect| problems(&format!(r#"{WARPS}, {MEASURES}, "axes": {axes}"#), expected);
    axes(
        r#"[{"path": "warps.counts", "values": [1]}]"#,
        expect![[
            r#"study.axes[0].path: "warps.counts", expected something in the base; warps has kernel, count and machine"#
        ]],
    );
    axes(
        r#"[{"path": "warps.count", "values": [1, 2, 1]}, {"path": "warps.machine.L", "values": [1], "from": 1}]"#,
        expect![[r#"
            study.axes[0].values[2]: 1, the value of [0] again, expected each value once
            study.axes[1]: values and a range together, expected either a list of values, or "from", "to" and "step""#]],
    );
    axes(
        r#"[{"path": "warps.machine", "values": [{"L": 1, "C": 1}]}, {"path": "warps.machine.L", "values": [1]}]"#,
        expect![
            "study.axes[1].path: warps.machine.L, where study.axes[0] already sets warps.machine, expected a place that no other axis sets"
        ],
    );
    axes(
        r#"[{"path": "warps.count", "name": "n", "values": [1]}, {"path": "warps.machine.L", "name": "n", "values": [1]}]"#,
        expect!["study.axes[1].name: the name of study.axes[0] again, expected a name of its own"],
    );
    axes(
        r#"[{"path": "warps.count", "from": 1, "to": 1, "step": 0}]"#,
        expect!["study.axes[0].step: 0, expected a number above 0"],
    );
    axes(
        r#"[{"path": "warps.count", "from": 0, "to": 100, "step": 0.0001}]"#,
        expect!["study.axes[0].step: 1,000,001 values, expected a range of at most 100,000 values"],
    );
    axes(
        r#"[{"path": "warps.count", "values": [1, 2], "labels": ["a"]}]"#,
        expect!["study.axes[0].labels: 1 label, expected 2 labels, one for each value"],
    );
    // Each value of an axis is looked at, and the corners of the grid.
    axes(
        r#"[{"path": "warps.count", "from": 62, "to": 66, "step": 2}]"#,
        expect!["study.axes[0]: 66 makes warps.count: 66, expected a whole number, 1 to 64"],
    );
    // Also where something else is wrong.
    axes(
        r#"[{"path": "warps.counts", "values": [1]}, {"path": "warps.count", "values": [1, 66]}]"#,
        expect![[r#"
            study.axes[0].path: "warps.counts", expected something in the base; warps has kernel, count and machine
            study.axes[1]: 66 makes warps.count: 66, expected a whole number, 1 to 64"#]],
    );
    axes(
        r#"[{"path": "warps.count", "from": 0, "to": 99999}, {"path": "warps.machine.L", "from": 1, "to": 1024}]"#,
        expect!["study: 100,000 × 1,024 × 1 cells, expected at most 10,000,000 cells"],
    );
}

#[test]
fn generators() {
    let kernel = |kernel: &str, expected: Expect| {
        let base =
            format!(r#"{{"warps": {{"kernel": {kernel}, "count": 1, "machine": {{"L": 1, "C": 1}}}}}}"#);
        problems(&format!(r#""base": {base}, {MEASURES}"#), expected);
    };
    kernel(
        r#"{"generate": "string"}"#,
        expect![[
            r#"study.base.warps.kernel.generate: "string", expected one of "kernel", "tasks", "hosts", "workload", "number", "choice", "seed""#
        ]],
    );
    kernel(
        r#"{"generate": "kernel"}"#,
        expect![
            "study.base.warps.kernel.length: missing, expected a whole number or a range such as [1, 8], within 1 to 10000"
        ],
    );
    kernel(
        r#"{"generate": "kernel", "length": [5, 2], "letters": {"X": 1}, "size": 3}"#,
        expect![[r#"
        study.base.warps.kernel.size: unknown key, expected one of generate, length, letters
        study.base.warps.kernel.length: 5 to 2, expected a range that ascends
        study.base.warps.kernel.letters.X: unknown key, expected one of L, C, S, D
        study.base.warps.kernel.letters: no letter with a weight, expected such as {"L": 1, "C": 3}"#]],
    );
    kernel(
        r#"{"generate": "kernel", "length": 0, "letters": {"L": 0}}"#,
        expect![[r#"
        study.base.warps.kernel.length: 0, expected a whole number, 1 to 10000
        study.base.warps.kernel.letters: no letter with a weight, expected such as {"L": 1, "C": 3}"#]],
    );
    let tasks = |fields: &str, expected: Expect| {
        problems(&format!(r#""base": {{"tasks": {{"generate": "tasks", {fields}}}}}, {MEASURES}"#), expected);
    };
    tasks(
        r#""count": 2, "utilisation": 0.9, "most": 0.3"#,
        expect!["study.base.tasks.utilisation: 0.9, expected 0 to 0.6 for 2 tasks within their limits"],
    );
    tasks(
        r#""count": 2, "utilisation": 0.9, "algorithm": "uunifast", "most": 0.3"#,
        expect![[
            r#"study.base.tasks.most: given with uunifast, which has no limits, expected "algorithm": "drs""#
        ]],
    );
    tasks(
        r#""count": 2, "utilisation": 0.9, "algorithm": "uniform""#,
        expect![[r#"study.base.tasks.algorithm: "uniform", expected "uunifast" or "drs""#]],
    );
    tasks(
        r#""count": 2, "utilisation": 0.9, "least": 0.6, "most": 0.5"#,
        expect![[r#"study.base.tasks.least: more than "most", expected at most as much as "most""#]],
    );
}

#[test]
fn drawings() {
    problems(
        &format!(
            r#"{WARPS}, {MEASURES}, "axes": [{{"path": "warps.count", "name": "n", "values": [1, 2]}}],
            "draw": [{{"kind": "pie"}}, {{"kind": "line", "x": "m", "y": ["m", "k"]}}, {{"kind": "heat", "x": "n", "y": "n"}}, {{"kind": "box", "x": "n", "y": "m", "z": "m"}}]"#
        ),
        expect![[r#"
            study.draw[0].kind: "pie", expected "line", "heat", "scatter" or "box"
            study.draw[1].x: "m", expected one of "n"
            study.draw[1].y[1]: "k", expected one of "m"
            study.draw[2].y: the axis of x again, expected another axis
            study.draw[2].z: missing, expected the name of a measure
            study.draw[3].z: unknown key, expected one of kind, x, y, by, title"#]],
    );
}

#[test]
fn formulas() {
    problems(
        &format!(
            r#"{WARPS}, "measures": {{"a": "makespan * (lower", "b": "root(makespan)", "c": "if(exact, 1)", "d": "improvements[*].seconds", "e": "", "f": "max()"}}"#
        ),
        expect![[r#"
            study.measures.a: the end inside the "(" of column 12 at character 18, expected ")"
            study.measures.b: "root" before "(" at character 1, expected an operator, or one of min, max, sum, mean, count, all, any, ceil, floor, abs, has, if
            study.measures.c: 2 values at character 1, expected if of 3 values
            study.measures.d: seconds, expected what is the same on every machine
            study.measures.e: the end at character 1, expected a number, a name, a function or "("
            study.measures.f: ")" at character 5, expected a number, a name, a function or "(""#]],
    );
}
