//! Studies that break one rule each.

use warpspan::scenario::read;

/// Keeps every rule; each entry of [`CHANGES`] changes one part of it.
const SOUND: &str = r#"{
  "warpspan": 1,
  "study": {
    "base": {"warps": {"kernel": {"generate": "kernel", "length": [2, 5], "letters": {"L": 1, "C": 2}}, "count": 1,
      "machine": {"L": 1, "C": 1}}},
    "axes": [{"path": "warps.count", "name": "n", "from": 1, "to": 3, "step": 1, "paired": true},
      {"path": "warps.machine.C", "values": [1, 2], "labels": ["a", "b"]}],
    "samples": 2, "seed": 5, "measures": {"m": "makespan / document.warps.count"}, "limit": {"work": 10},
    "draw": [{"kind": "line", "x": "n", "y": "m"}]
  }
}"#;

const KERNEL: &str = r#"{"generate": "kernel", "length": [2, 5], "letters": {"L": 1, "C": 2}}"#;
const FORMULA: &str = "makespan / document.warps.count";
const AXIS: &str = r#"{"path": "warps.machine.C", "values": [1, 2], "labels": ["a", "b"]}"#;
const DRAWING: &str = r#"{"kind": "line", "x": "n", "y": "m"}"#;

/// What a problem is reported at, a part of the document, and what it becomes.
const CHANGES: &[(&str, &str, &str)] = &[
    ("document", r#""warpspan": 1,"#, r#""warpspan": 1, "warps": {},"#),
    // The base.
    ("study.base.machine", r#""base": {"#, r#""base": {"machine": 1, "#),
    ("study.base", r#""base": {"#, r#""base": {"tasks": [], "#),
    ("study.base.warps.kernel", KERNEL, "5"),
    ("study.base.warps.kernel.generate", r#""generate": "kernel""#, r#""generate": "kernels""#),
    ("study.base.warps.kernel.generate", r#""generate": "kernel""#, r#""generate": 1"#),
    ("study.base.warps.kernel.length", "[2, 5]", "[5, 2]"),
    ("study.base.warps.kernel.length", "[2, 5]", "[2]"),
    ("study.base.warps.kernel.length[1]", "[2, 5]", "[2, 1e9]"),
    ("study.base.warps.kernel.length", "[2, 5]", "\"5\""),
    ("study.base.warps.kernel.letters", r#"{"L": 1, "C": 2}"#, "[]"),
    ("study.base.warps.kernel.letters.L", r#"{"L": 1, "C": 2}"#, r#"{"L": -1}"#),
    ("study.base.warps.kernel.letter", r#""letters""#, r#""letter""#),
    // Axes.
    ("study.axes[1]", AXIS, "null"),
    ("study.axes[1].path", AXIS, r#"{"values": [1]}"#),
    ("study.axes[1].path", AXIS, r#"{"path": 1, "values": [1]}"#),
    ("study.axes[1].path", AXIS, r#"{"path": "", "values": [1]}"#),
    ("study.axes[1].path", AXIS, r#"{"path": "warps.machine.D", "values": [1]}"#),
    ("study.axes[1].path", AXIS, r#"{"path": "warps.count", "values": [1]}"#),
    ("study.axes[1].name", AXIS, r#"{"path": "warps.machine.C", "name": "n", "values": [1]}"#),
    ("study.axes[1].name", AXIS, r#"{"path": "warps.machine.C", "name": " ", "values": [1]}"#),
    ("study.axes[1].values", AXIS, r#"{"path": "warps.machine.C"}"#),
    ("study.axes[1].values", AXIS, r#"{"path": "warps.machine.C", "values": []}"#),
    ("study.axes[1].values[1]", AXIS, r#"{"path": "warps.machine.C", "values": [1, 1]}"#),
    ("study.axes[1]", AXIS, r#"{"path": "warps.machine.C", "values": [1, -1]}"#),
    ("study.axes[1].labels", r#"["a", "b"]"#, r#"["a"]"#),
    ("study.axes[1].labels[1]", r#"["a", "b"]"#, r#"["a", "a"]"#),
    ("study.axes[0].step", r#""step": 1"#, r#""step": 0"#),
    ("study.axes[0].step", r#""step": 1"#, r#""step": 1e-9"#),
    ("study.axes[0].to", r#""to": 3"#, r#""to": 0"#),
    ("study.axes[0]", r#""to": 3"#, r#""to": 65"#),
    ("study.axes[0].paired", "true", "1"),
    // The rest.
    ("study.samples", r#""samples": 2"#, r#""samples": 0"#),
    ("study.seeds", r#""samples": 2"#, r#""samples": 2, "seeds": 1"#),
    ("study.samples", r#""samples": 2"#, r#""samples": 1000001"#),
    ("study.seed", r#""seed": 5"#, r#""seed": 1.5"#),
    ("study.measures", r#"{"m": "makespan / document.warps.count"}"#, "{}"),
    ("study.measures.m", FORMULA, ""),
    ("study.measures.m", FORMULA, "makespan ="),
    ("study.measures.m", FORMULA, "seconds"),
    ("study.limit.work", r#"{"work": 10}"#, r#"{"work": 0}"#),
    ("study.limit.hours", r#"{"work": 10}"#, r#"{"hours": 1}"#),
    ("study.draw[0]", DRAWING, "1"),
    ("study.draw[0].kind", DRAWING, "{}"),
    ("study.draw[0].y", DRAWING, r#"{"kind": "box", "x": "n", "y": "n"}"#),
    ("study.draw[0].by", DRAWING, r#"{"kind": "line", "x": "n", "y": "m", "by": "m"}"#),
];

#[test]
fn each_breaks_one_rule_and_is_told_at_its_place() {
    assert!(!super::refused(SOUND));
    let mut wrong = Vec::new();
    for &(place, from, to) in CHANGES {
        assert_eq!(SOUND.matches(from).count(), 1, "{from}");
        let text = SOUND.replacen(from, to, 1);
        if !super::refused(&text) {
            wrong.push(format!("accepted: {text}"));
            continue;
        }
        let problems = read(&text).expect_err("refused");
        if !matches!(&problems[..], [problem] if problem.place == place) {
            wrong.push(format!("{text}\n  expected one problem at {place}, found {problems:#?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn large_studies_and_long_texts_are_refused_at_once() {
    let with = |from: &str, to: &str| SOUND.replacen(from, to, 1);
    let values: Vec<String> = (0..200_000).map(|i| i.to_string()).collect();
    let measures: Vec<String> = (0..1_000).map(|i| format!("\"m{i}\": \"makespan\"")).collect();
    for text in [
        with(FORMULA, &"(".repeat(300_000)),
        with(FORMULA, &"-".repeat(300_000)),
        with(FORMULA, &"a.".repeat(300_000)),
        with("warps.machine.C", &"a.".repeat(300_000)),
        with("warps.machine.C", &"[0]".repeat(300_000)),
        with(AXIS, &format!(r#"{{"path": "warps.machine.C", "values": [{}]}}"#, values.join(","))),
        with(AXIS, &[AXIS; 9].join(",")),
        with(r#""m": "makespan / document.warps.count""#, &measures.join(",")),
        with(r#"{"work": 10}"#, &format!("{}1{}", "[".repeat(100), "]".repeat(100))),
    ] {
        assert!(super::refused(&text));
    }
}
