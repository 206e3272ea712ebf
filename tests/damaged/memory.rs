//! Loads that take their time, in documents that break one rule each.

use warpspan::scenario::read;

/// Keeps every rule; each entry of [`CHANGES`] changes one part of it.
const SOUND: &str = r#"{
  "warpspan": 1, "title": "t", "notes": "n",
  "warps": {
    "kernel": "LCL", "count": 2, "machine": {"L": 1, "C": 1}, "fairness": "work-conserving",
    "method": {"initial": "random", "seed": 3}
  }
}"#;

const WARPS: &str = r#""warps": {"#;

/// What a problem is reported at, a part of the document, and what it becomes.
const CHANGES: &[(&str, &str, &str)] = &[
    ("warps.memory", WARPS, r#""warps": {"memory": null, "#),
    ("warps.memory", WARPS, r#""warps": {"memory": [], "#),
    ("warps.memory.mode", WARPS, r#""warps": {"memory": {"miss": 8}, "#),
    ("warps.memory.mode", WARPS, r#""warps": {"memory": {"mode": "hold", "miss": 8}, "#),
    ("warps.memory.mode", WARPS, r#""warps": {"memory": {"mode": 1, "miss": 8}, "#),
    ("warps.memory.miss", WARPS, r#""warps": {"memory": {"mode": "held"}, "#),
    ("warps.memory.miss", WARPS, r#""warps": {"memory": {"mode": "held", "miss": 0}, "#),
    ("warps.memory.miss", WARPS, r#""warps": {"memory": {"mode": "held", "miss": 1001}, "#),
    ("warps.memory.miss", WARPS, r#""warps": {"memory": {"mode": "held", "hit": 5, "miss": 4}, "#),
    ("warps.memory.miss", WARPS, r#""warps": {"memory": {"mode": "held", "miss": "8"}, "#),
    ("warps.memory.hit", WARPS, r#""warps": {"memory": {"mode": "held", "hit": 0, "miss": 8}, "#),
    ("warps.memory.hit", WARPS, r#""warps": {"memory": {"mode": "held", "hit": 1.5, "miss": 8}, "#),
    ("warps.memory.misses", WARPS, r#""warps": {"memory": {"mode": "held", "miss": 8, "misses": "some"}, "#),
    ("warps.memory.misses", WARPS, r#""warps": {"memory": {"mode": "held", "miss": 8, "misses": -1}, "#),
    ("warps.memory.misses", WARPS, r#""warps": {"memory": {"mode": "held", "miss": 8, "misses": null}, "#),
    ("warps.memory.latency", WARPS, r#""warps": {"memory": {"mode": "held", "miss": 8, "latency": 8}, "#),
    (
        "warps.memory",
        WARPS,
        r#""warps": {"memory": {"mode": "held", "miss": 8, "misses": 1, "missing": [[1, 1]]}, "#,
    ),
    ("warps.memory.missing", WARPS, r#""warps": {"memory": {"mode": "held", "miss": 8, "missing": 1}, "#),
    (
        "warps.memory.missing[0]",
        WARPS,
        r#""warps": {"memory": {"mode": "held", "miss": 8, "missing": [1]}, "#,
    ),
    (
        "warps.memory.missing[0]",
        WARPS,
        r#""warps": {"memory": {"mode": "held", "miss": 8, "missing": [[1]]}, "#,
    ),
    (
        "warps.memory.missing[0][1]",
        WARPS,
        r#""warps": {"memory": {"mode": "held", "miss": 8, "missing": [[1, 0]]}, "#,
    ),
    (
        "warps.memory.missing[0]",
        WARPS,
        r#""warps": {"memory": {"mode": "held", "miss": 8, "missing": [[3, 1]]}, "#,
    ),
    (
        "warps.memory.missing[0]",
        WARPS,
        r#""warps": {"memory": {"mode": "held", "miss": 8, "missing": [[1, 2]]}, "#,
    ),
    (
        "warps.memory.missing[0]",
        WARPS,
        r#""warps": {"memory": {"mode": "held", "miss": 8, "missing": [[1, 4]]}, "#,
    ),
    (
        "warps.memory.missing",
        WARPS,
        r#""warps": {"memory": {"mode": "held", "miss": 8, "missing": [[1, 1], [1, 1]]}, "#,
    ),
    (
        "warps.fairness",
        r#""fairness": "work-conserving""#,
        r#""memory": {"mode": "held", "miss": 8}, "fairness": "sub-block", "sub_blocks": [1]"#,
    ),
    (
        "warps.machine.latency.L",
        r#""machine": {"L": 1, "C": 1}"#,
        r#""memory": {"mode": "held", "miss": 8},
            "machine": {"warp_size": 32, "units": {"L": 32, "C": 32}, "latency": {"L": 4}}"#,
    ),
    (
        "warps.memory.miss",
        r#""kernel": "LCL""#,
        r#""memory": {"mode": "held", "miss": 1000}, "kernel": "5000L""#,
    ),
    (
        "warps.method",
        r#""method": {"initial": "random", "seed": 3}"#,
        r#""memory": {"mode": "held", "miss": 8, "missing": [[1, 1]]}, "method": {"exact": {}}"#,
    ),
    (
        "warps.method",
        r#""method": {"initial": "random", "seed": 3}"#,
        r#""memory": {"mode": "held", "miss": 8, "missing": []}, "method": {"beam": {}}"#,
    ),
    (
        "warps.method.schedule",
        r#""method": {"initial": "random", "seed": 3}"#,
        r#""memory": {"mode": "held", "miss": 8, "misses": 1}, "method": {"schedule": [[1, 2, 3], [2, 3, 4]]}"#,
    ),
    (
        "warps.method.schedule",
        r#""method": {"initial": "random", "seed": 3}"#,
        r#""memory": {"mode": "held", "miss": 3}, "method": {"schedule": [[1, 4, 7], [4, 7, 11]]}"#,
    ),
];

#[test]
fn each_breaks_one_rule_and_is_told_at_its_place() {
    assert!(read(SOUND).is_ok());
    for (place, from, to) in CHANGES {
        assert_eq!(SOUND.matches(from).count(), 1, "{from}");
        let text = SOUND.replacen(from, to, 1);
        assert!(super::refused(&text), "accepted: {text}");
        let problems = read(&text).expect_err("refused");
        assert!(
            matches!(&problems[..], [problem] if problem.place == *place),
            "{text}: {place}, not {problems:#?}"
        );
    }
}
