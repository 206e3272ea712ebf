//! What the studies that ship are said to show in docs/studies.md, computed anew.

use super::*;
use std::fs;

/// The points of a shipped study, all of whose cells have values.
fn computed(name: &str) -> Points {
    let path = format!("{}/www/studies/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let answer = warpspan(&["run", &path]);
    assert_eq!((answer.status, answer.err.as_str()), (0, ""), "{name}");
    let report: Value = serde_json::from_str(&answer.out).expect("a report is JSON");
    assert_eq!((&report["lab"], &report["failed"]), (&"study".into(), &0.into()), "{}", report["problems"]);
    Points { cells: report["cells"].clone(), list: report["points"].as_array().cloned().expect("points") }
}

/// The points of a study.
struct Points {
    cells: Value,
    list: Vec<Value>,
}

impl Points {
    /// Points as they are called, each with the mean of a measure, or the share of what holds.
    fn means(&self, measure: &str) -> Vec<(String, f64)> {
        let mean = |point: &Value| {
            let told = &point["values"][measure];
            let mean = told.get("mean").or(told.get("share")).and_then(Value::as_f64);
            let at = point["point"].as_object().into_iter().flat_map(|at| at.values());
            let at = at.map(ToString::to_string).collect::<Vec<_>>().join(" ").replace('"', "");
            (at, mean.expect("a number or truths"))
        };
        self.list.iter().map(mean).collect()
    }

    /// The means at the points of which the first axis has a value that fits.
    fn at(&self, measure: &str, fits: impl Fn(f64) -> bool) -> Vec<f64> {
        let first = |at: &str| at.split(' ').next().and_then(|first| first.parse().ok());
        let means = self.means(measure).into_iter();
        means.filter(|(at, _)| first(at).is_some_and(&fits)).map(|(_, mean)| mean).collect()
    }

    /// All of them, a line each.
    fn shown(&self, measure: &str) -> String {
        let lines = self.means(measure).into_iter().map(|(at, mean)| format!("{at}: {mean:.4}\n"));
        format!("{} cells\n{}", self.cells, lines.collect::<String>())
    }
}

#[test]
fn shipped_bound_over_exact() {
    let points = computed("bound-over-exact");
    expect![[r#"
        160 cells
        2: 1.1200
        4: 1.2679
        6: 1.2858
        8: 1.2636
        10: 1.3148
        12: 1.2760
        14: 1.2644
        16: 1.2917
    "#]]
    .assert_eq(&points.shown("ratio"));
    // Every worst case is proven.
    assert_eq!(points.at("proven", |_| true), [1.0; 8]);
    // "12 % above the worst case for kernels of 2 instructions, 26 to 31 % from 4 to 16".
    let whole = points.at("ratio", |length| length >= 4.0).into_iter().map(|ratio| (ratio * 100.0).round());
    assert!(whole.into_iter().all(|ratio| (126.0..=131.0).contains(&ratio)));
}

#[test]
fn shipped_chain_acceptance() {
    let points = computed("chain-acceptance");
    expect![[r#"
        160 cells
        0.4 shared: 1.0000
        0.4 exclusive: 1.0000
        0.6 shared: 1.0000
        0.6 exclusive: 1.0000
        0.8 shared: 1.0000
        0.8 exclusive: 1.0000
        1 shared: 0.6000
        1 exclusive: 0.6000
        1.2 shared: 0.5000
        1.2 exclusive: 0.5000
        1.4 shared: 0.3000
        1.4 exclusive: 0.3000
        1.6 shared: 0.0000
        1.6 exclusive: 0.0000
        1.8 shared: 0.0000
        1.8 exclusive: 0.0000
    "#]]
    .assert_eq(&points.shown("accepted"));
    // "All up to a utilisation of 0.8 and none from 1.6 on".
    assert_eq!(points.at("accepted", |at| at <= 0.8), [1.0; 6]);
    assert_eq!(points.at("accepted", |at| at >= 1.6), [0.0; 4]);
    // "Only exclusive verdicts are proven, and more of the exclusive sets are known to miss".
    let [mut proven, mut missed] = [[0.0; 2]; 2];
    for (at, (of_proven, of_missed)) in
        points.at("proven", |_| true).into_iter().zip(points.at("missed", |_| true)).enumerate()
    {
        proven[at % 2] += of_proven;
        missed[at % 2] += of_missed;
    }
    let accepted: f64 = points.at("accepted", |_| true).into_iter().skip(1).step_by(2).sum();
    assert_eq!(proven, [0.0, accepted], "shared, exclusive");
    assert!(missed[1] > missed[0], "{missed:?}");
}

#[test]
fn shipped_equation_rejects() {
    let points = computed("equation-rejects");
    expect![[r#"
        1100 cells
        0.50: 0.0000
        0.55: 0.0000
        0.60: 0.0000
        0.65: 0.0000
        0.70: 0.0000
        0.75: 0.0500
        0.80: 0.1000
        0.85: 0.0000
        0.90: 0.0000
        0.95: 0.0000
        1.00: 0.0000
    "#]]
    .assert_eq(&points.shown("only_equation"));
    // "5 of 100 at a utilisation of 0.75, 10 at 0.8, none elsewhere", and the axis is the utilisation.
    for (at, utilisation) in points.means("utilisation") {
        assert!((utilisation - at.parse::<f64>().expect("a number")).abs() < 1e-9, "{at}: {utilisation}");
    }
    let differ = points.at("schedulable", |_| true).into_iter().zip(points.at("by_equation", |_| true));
    assert!(differ.into_iter().all(|(exact, equation)| exact >= equation), "the equation is safe");
}

#[test]
fn shipped_formula_below_truth() {
    let points = computed("formula-below-truth");
    expect![[r#"
        36 cells
        1 16: 0.0000
        1 32: 0.0000
        1 48: 0.0000
        1 64: 1.0000
        1 80: 1.0000
        1 96: 1.0000
        2 16: 1.0000
        2 32: 0.0000
        2 48: 0.0000
        2 64: 1.0000
        2 80: 1.0000
        2 96: 1.0000
        3 16: 1.0000
        3 32: 0.0000
        3 48: 0.0000
        3 64: 1.0000
        3 80: 1.0000
        3 96: 1.0000
        4 16: 1.0000
        4 32: 0.0000
        4 48: 0.0000
        4 64: 1.0000
        4 80: 1.0000
        4 96: 1.0000
        5 16: 1.0000
        5 32: 0.0000
        5 48: 0.0000
        5 64: 1.0000
        5 80: 1.0000
        5 96: 1.0000
        6 16: 1.0000
        6 32: 0.0000
        6 48: 0.0000
        6 64: 1.0000
        6 80: 1.0000
        6 96: 1.0000
    "#]]
    .assert_eq(&points.shown("below"));
    // "In 23 of 36 cases, by up to 5 cycles", and every case is decided.
    assert_eq!(points.at("below", |_| true).iter().sum::<f64>(), 23.0);
    assert_eq!(points.at("open", |_| true), [0.0; 36]);
    let (worst, claimed) = (points.at("worst", |_| true), points.at("claimed", |_| true));
    let most = worst.iter().zip(&claimed).map(|(worst, claimed)| worst - claimed).fold(0.0, f64::max);
    assert_eq!(most, 5.0);
}

#[test]
fn shipped_latency_hiding() {
    // Of 320 points those at a few numbers of warps.
    let points = computed("latency-hiding");
    let all = points.shown("each");
    let few: Vec<&str> =
        all.lines().filter(|line| ["1 ", "8 ", "32 ", "64 "].iter().any(|n| line.starts_with(n))).collect();
    expect![[r#"
        1 round-robin: 72.0000
        1 fixed-priority: 72.0000
        1 most-pending: 72.0000
        1 greedy-then-oldest: 72.0000
        1 loose-round-robin: 72.0000
        8 round-robin: 16.0000
        8 fixed-priority: 15.3750
        8 most-pending: 16.0000
        8 greedy-then-oldest: 13.3750
        8 loose-round-robin: 16.0000
        32 round-robin: 10.0000
        32 fixed-priority: 10.5938
        32 most-pending: 10.0000
        32 greedy-then-oldest: 10.4688
        32 loose-round-robin: 10.0000
        64 round-robin: 10.0000
        64 fixed-priority: 10.3281
        64 most-pending: 10.0000
        64 greedy-then-oldest: 10.4062
        64 loose-round-robin: 10.0000"#]]
    .assert_eq(&few.join("\n"));
    // "With 32 warps and more, schedulers that take turns hide all of a latency of 32 cycles".
    let each = points.means("each");
    let turns = ["round-robin", "most-pending", "loose-round-robin"];
    let mut many = 0;
    for (at, cycles) in &each {
        let (warps, scheduler) = at.split_once(' ').expect("two axes");
        if warps.parse::<u64>().is_ok_and(|warps| warps >= 32) && turns.contains(&scheduler) {
            assert_eq!(*cycles, 10.0, "{at}");
            many += 1;
        }
    }
    assert_eq!(many, 33 * 3);
    let over = points.means("makespan").into_iter().zip(points.means("upper"));
    assert!(over.into_iter().all(|((_, makespan), (_, upper))| makespan <= upper), "upper is proven");
}

#[test]
fn shipped_worst_launch_order() {
    let points = computed("worst-launch-order");
    expect![[r#"
        210 cells
        2: 1.5371
        3: 2.8869
        4: 4.6888
        5: 4.6227
        6: 6.4269
        7: 8.0339
        8: 9.5259
    "#]]
    .assert_eq(&points.shown("first"));
    // "The last to finish is only 7 to 13 % later", and all orders are proven.
    let later = points.at("ratio", |_| true).into_iter().map(|ratio| (ratio * 100.0).round());
    assert!(later.into_iter().all(|ratio| (107.0..=113.0).contains(&ratio)));
    assert_eq!(points.at("proven", |_| true), [1.0; 7]);
}

/// Whatever is shipped is tested above.
#[test]
fn every_shipped_study_is_pinned() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/www/studies");
    let tests = include_str!("shipped.rs");
    for entry in fs::read_dir(folder).expect("there are studies").flatten() {
        let name = entry.file_name().to_string_lossy().replace(".json", "");
        assert!(tests.contains(&format!("computed(\"{name}\"")), "{name}");
    }
}
