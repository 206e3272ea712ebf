//! Conjectures that break one rule each.

use warpspan::scenario::read;

/// Keeps every rule; each entry of [`CHANGES`] changes one part of it.
const SOUND: &str = r#"{
  "warpspan": 1,
  "conjecture": {
    "claim": {"formula": "3*W + 2", "says": "at-most"}, "kernel": "C rep(LLC) L",
    "machine": {"L": 1, "C": 2, "issue": 2}, "fairness": "sub-block", "sub_blocks": "repetitions",
    "warps": "ceil(n/16)", "ranges": {"n": [16, 48, 16], "rep": [1, 2]}, "limit": {"memory": 64, "work": 10}
  }
}"#;

const CLAIM: &str = r#"{"formula": "3*W + 2", "says": "at-most"}"#;
const FORMULA: &str = "3*W + 2";
const KERNEL: &str = "C rep(LLC) L";
const MACHINE: &str = r#"{"L": 1, "C": 2, "issue": 2}"#;
const WARPS: &str = r#""ceil(n/16)""#;
const RANGES: &str = r#"{"n": [16, 48, 16], "rep": [1, 2]}"#;
const N: &str = "[16, 48, 16]";
const LIMIT: &str = r#"{"memory": 64, "work": 10}"#;

/// What a problem is reported at, a part of the document, and what it becomes.
const CHANGES: &[(&str, &str, &str)] = &[
    ("document", r#""warpspan": 1,"#, r#""warpspan": 1, "warps": {},"#),
    ("conjecture.clam", r#""claim""#, r#""clam": 1, "claim""#),
    // The claim.
    ("conjecture.claim", r#""claim": {"formula": "3*W + 2", "says": "at-most"}, "#, ""),
    ("conjecture.claim", CLAIM, "null"),
    ("conjecture.claim", CLAIM, r#""raravi""#),
    ("conjecture.claim", CLAIM, "{}"),
    ("conjecture.claim", CLAIM, r#"{"formula": "W", "named": "raravi"}"#),
    ("conjecture.claim.named", CLAIM, r#"{"named": "Raravi"}"#),
    ("conjecture.claim.named", CLAIM, r#"{"named": 1}"#),
    ("conjecture.claim.named", CLAIM, r#"{"named": "extrapolation"}"#),
    ("conjecture.claim.is", CLAIM, r#"{"formula": "W", "is": 1}"#),
    ("conjecture.claim.says", r#""at-most""#, r#""less""#),
    ("conjecture.claim.says", r#""at-most""#, "1"),
    ("conjecture.claim.formula", r#""3*W + 2""#, "5"),
    ("conjecture.claim.formula", FORMULA, ""),
    ("conjecture.claim.formula", FORMULA, "3*"),
    ("conjecture.claim.formula", FORMULA, "3*w"),
    ("conjecture.claim.formula", FORMULA, "(W"),
    ("conjecture.claim.formula", FORMULA, "W W"),
    ("conjecture.claim.formula", FORMULA, "sqrt(W)"),
    ("conjecture.claim.formula", FORMULA, "ceil(W, 2)"),
    ("conjecture.claim.formula", FORMULA, "12345678901234567890"),
    ("conjecture.claim.formula", FORMULA, "W \\u0000"),
    // The kernel.
    ("conjecture.kernel", r#""kernel": "C rep(LLC) L","#, ""),
    ("conjecture.kernel", r#""C rep(LLC) L""#, "3"),
    ("conjecture.kernel", KERNEL, ""),
    ("conjecture.kernel", KERNEL, "C rap(LLC) L"),
    ("conjecture.kernel", KERNEL, "C 2rep(LLC) L"),
    ("conjecture.kernel", KERNEL, "C rep(LLC L"),
    ("conjecture.kernel", KERNEL, "C rep(600L) L"),
    ("conjecture.machine.S", KERNEL, "C rep(LLC) S"),
    ("conjecture.sub_blocks", KERNEL, "C 2(rep(LLC)) L"),
    ("conjecture.sub_blocks", KERNEL, "CLLCL"),
    // The machine.
    ("conjecture.machine", r#""machine": {"L": 1, "C": 2, "issue": 2}, "#, ""),
    ("conjecture.machine", MACHINE, "null"),
    ("conjecture.machine", MACHINE, "{}"),
    ("conjecture.machine.C", MACHINE, r#"{"L": 1}"#),
    ("conjecture.machine.units.C", MACHINE, r#"{"warp_size": 16, "units": {"L": 16}}"#),
    ("conjecture.machine.issue", MACHINE, r#"{"L": 1, "C": 2, "issue": 0}"#),
    // Fairness.
    ("conjecture.fairness", r#""sub-block""#, r#""fair""#),
    ("conjecture.fairness", r#""sub-block""#, "1"),
    ("conjecture.sub_blocks", r#""sub-block""#, r#""work-conserving""#),
    ("conjecture.sub_blocks", r#""repetitions""#, r#""all""#),
    ("conjecture.sub_blocks", r#""repetitions""#, "4"),
    ("conjecture.sub_blocks", r#""repetitions""#, "[7, 4]"),
    ("conjecture.sub_blocks[1]", r#""repetitions""#, "[4, 0]"),
    // Warps.
    ("conjecture.warps", r#""warps": "ceil(n/16)","#, ""),
    ("conjecture.warps", WARPS, "3"),
    ("conjecture.warps", WARPS, "[]"),
    ("conjecture.warps", WARPS, r#""ceil(m/16)""#),
    ("conjecture.warps", WARPS, r#""n/16 - 1""#),
    ("conjecture.warps", WARPS, r#""n/32""#),
    ("conjecture.warps", WARPS, r#""n*2""#),
    ("conjecture.warps", WARPS, r#""n/(n-16)""#),
    ("conjecture.warps", WARPS, r#""exact(n/16)""#),
    ("conjecture.warps", WARPS, r#""W + n""#),
    ("conjecture.warps[1]", WARPS, r#"["n/16", 1]"#),
    ("conjecture.warps[1]", WARPS, r#"["n/16", "1 +"]"#),
    // Ranges.
    ("conjecture.ranges", r#""ranges": {"n": [16, 48, 16], "rep": [1, 2]}, "#, ""),
    ("conjecture.ranges", RANGES, "[]"),
    ("conjecture.ranges", RANGES, "{}"),
    ("conjecture.ranges.rep", RANGES, r#"{"n": 16}"#),
    ("conjecture.ranges.x", RANGES, r#"{"n": 16, "rep": 1, "x": [1, 2]}"#),
    ("conjecture.ranges.I", RANGES, r#"{"n": 16, "rep": 1, "I": [1, 2]}"#),
    ("conjecture.ranges.exact", RANGES, r#"{"n": 16, "rep": 1, "exact": 1}"#),
    ("conjecture.ranges.2n", RANGES, r#"{"n": 16, "rep": 1, "2n": 1}"#),
    ("conjecture.ranges", RANGES, r#"{"n": [16, 32], "rep": [1, 2], "issue": [1, 2]}"#),
    ("conjecture.ranges", RANGES, r#"{"n": [1, 500], "rep": [1, 3]}"#),
    ("conjecture.ranges", RANGES, r#"{"n": [0, 1000000], "rep": [1, 999]}"#),
    ("conjecture.ranges.n", N, "null"),
    ("conjecture.ranges.n", N, "[]"),
    ("conjecture.ranges.n", N, "[16]"),
    ("conjecture.ranges.n", N, "[16, 48, 16, 1]"),
    ("conjecture.ranges.n", N, "[48, 16]"),
    ("conjecture.ranges.n", N, "1.5"),
    ("conjecture.ranges.n", N, "-1"),
    ("conjecture.ranges.n[2]", N, "[16, 48, 0]"),
    ("conjecture.ranges.n[0]", N, r#"["16", 48]"#),
    ("conjecture.ranges.n[1]", N, "[16, 1e9]"),
    ("conjecture.ranges.rep[0]", "[1, 2]", "[0, 2]"),
    ("conjecture.ranges.rep[1]", "[1, 2]", "[1, 1000]"),
    // Limits.
    ("conjecture.limit", LIMIT, "null"),
    ("conjecture.limit.time", LIMIT, r#"{"time": 1}"#),
    ("conjecture.limit.memory", LIMIT, r#"{"memory": 0}"#),
    ("conjecture.limit.memory", LIMIT, r#"{"memory": 4097}"#),
    ("conjecture.limit.work", LIMIT, r#"{"work": -1}"#),
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
fn large_ranges_and_long_formulas_are_refused_at_once() {
    let with = |from: &str, to: &str| SOUND.replacen(from, to, 1);
    let names: Vec<String> = (0..100_000).map(|i| format!("\"x{i}\": 1")).collect();
    let texts = [
        with(FORMULA, &"(".repeat(300_000)),
        with(FORMULA, &"-".repeat(300_000)),
        with(FORMULA, &"W+".repeat(300_000)),
        with(FORMULA, &"9".repeat(300_000)),
        with(KERNEL, &"rep".repeat(100_000)),
        with(KERNEL, &"repL".repeat(100_000)),
        with(KERNEL, &"rep(".repeat(100_000)),
        with(RANGES, &format!("{{{}}}", names.join(", "))),
        with(WARPS, &format!("[{}]", vec!["\"n\""; 100_000].join(", "))),
    ];
    for text in texts {
        assert!(super::refused(&text));
    }
}
