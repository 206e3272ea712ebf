//! `warpspan study`: rows, threads, files, tables, and going on after a cut; every shipped study and its summary.

use super::*;
use std::fs;

const STUDY: &str = r#"{"warpspan": 1, "title": "s", "study": {
    "base": {"warps": {"kernel": {"generate": "kernel", "length": 4}, "count": 1, "machine": {"L": 1, "C": 1}}},
    "axes": [{"path": "warps.count", "from": 1, "to": 3}], "samples": 2, "measures": {"m": "makespan"}}}"#;

fn sorted(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines
}

/// A name for a file that is not there yet; it is taken away in the end.
struct Out(String);

impl Out {
    fn new(scratch: &Scratch, ending: &str) -> Self {
        Self(format!("{}{ending}", scratch.path()))
    }
}

impl Drop for Out {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

#[test]
fn rows_are_the_same_for_any_number_of_threads() {
    let file = Scratch::new(STUDY.as_bytes());
    let one = warpspan(&["study", file.path(), "--threads", "1"]);
    assert_eq!((one.status, one.err.as_str(), one.out.lines().count()), (0, "", 6));
    for threads in ["2", "7"] {
        let more = warpspan(&["study", file.path(), "--threads", threads]);
        assert_eq!((more.status, sorted(&more.out)), (0, sorted(&one.out)));
    }
    let row: Value = serde_json::from_str(one.out.lines().next().unwrap_or_default()).expect("a row is JSON");
    assert_eq!(row["point"], serde_json::json!({"warps.count": 1}));
    assert!(row["sample"] == 0 && row["seed"].is_u64() && row["values"]["m"].is_u64(), "{row}");
}

/// Cut anywhere in the first three lines, the file is whole again afterwards.
#[test]
fn a_cut_run_goes_on() {
    let file = Scratch::new(STUDY.as_bytes());
    let whole = warpspan(&["study", file.path(), "--threads", "1"]).out;
    let out = Out::new(&file, ".ndjson");
    let three: usize = whole.split_inclusive('\n').take(3).map(str::len).sum();
    for end in 0..=three {
        fs::write(&out.0, &whole[..end]).expect("a scratch file can be written");
        let answer = warpspan(&["study", file.path(), "--threads", "1", "--out", &out.0, "--resume"]);
        assert_eq!((answer.status, answer.err.as_str(), answer.out.as_str()), (0, "", ""), "cut at {end}");
        let found = fs::read_to_string(&out.0).expect("rows were written");
        assert_eq!(found, whole, "cut at {end}");
    }
}

#[test]
fn what_is_there_is_not_written_over() {
    let file = Scratch::new(STUDY.as_bytes());
    let out = Out::new(&file, ".ndjson");
    assert_eq!(warpspan(&["study", file.path(), "--out", &out.0]).status, 0);
    let rows = fs::read_to_string(&out.0).expect("rows were written");
    let again = warpspan(&["study", file.path(), "--out", &out.0]);
    let said = format!(
        "{}: {}: there is such a file, expected another name, or --resume to go on with its rows\n",
        file.path(),
        out.0
    );
    assert_eq!((again.status, again.err), (2, said));
    // Rows of another study are no rows of this one, even where the points are the same.
    for (old, new) in [("\"length\": 4", "\"length\": 5"), ("\"samples\"", "\"seed\": 2, \"samples\"")] {
        let other = Scratch::new(STUDY.replace(old, new).as_bytes());
        let answer = warpspan(&["study", other.path(), "--out", &out.0, "--resume"]);
        let said = format!(
            "{}: {} line 1: another row, expected rows of this study, to go on with\n",
            other.path(),
            out.0
        );
        assert_eq!((answer.status, answer.err), (2, said));
    }
    assert_eq!(fs::read_to_string(&out.0).expect("rows are there"), rows, "nothing was changed");
}

#[test]
fn a_table_has_a_line_for_each_row() {
    let file = Scratch::new(STUDY.as_bytes());
    let out = Out::new(&file, ".csv");
    let answer = warpspan(&["study", file.path(), "--threads", "1", "--out", &out.0]);
    assert_eq!((answer.status, answer.err.as_str()), (0, ""));
    let table = fs::read_to_string(&out.0).expect("a table was written");
    let rows = warpspan(&["study", file.path(), "--threads", "1"]).out;
    let mut lines = table.lines();
    assert_eq!(lines.next().map(str::trim_end), Some("warps.count,sample,seed,m,problem"));
    for row in rows.lines() {
        let row: Value = serde_json::from_str(row).expect("a row is JSON");
        let expected = format!(
            "{},{},{},{},",
            row["point"]["warps.count"], row["sample"], row["seed"], row["values"]["m"]
        );
        assert_eq!(lines.next().map(str::trim_end), Some(expected.as_str()));
    }
    assert_eq!(lines.next(), None);
    assert!(fs::metadata(format!("{}.rows.ndjson", out.0)).is_err(), "the rows beside it are gone");
}

#[test]
fn what_is_no_study_is_refused() {
    let file = Scratch::new(STUDY.as_bytes());
    let answer = warpspan(&["study", file.path(), "--out", "rows.parquet"]);
    let said = "--out: \"rows.parquet\", expected a name that ends in .ndjson or .csv";
    assert_eq!((answer.status, answer.err), (2, format!("{}: {said}\n", file.path())));
    let warps = Scratch::new(document(SOUND).as_bytes());
    let answer = warpspan(&["study", warps.path()]);
    let said =
        format!("{}: document: no study, expected {{\"warpspan\": 1, \"study\": {{...}}}}\n", warps.path());
    assert_eq!((answer.status, answer.out.as_str(), answer.err), (2, "", said));
}

/// The summary of a shipped study: for each measure of each point its mean, or the share of what holds.
fn summary(name: &str, measure: &str) -> String {
    let path = format!("{}/www/studies/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let answer = warpspan(&["run", &path]);
    assert_eq!((answer.status, answer.err.as_str()), (0, ""), "{name}");
    let report: Value = serde_json::from_str(&answer.out).expect("a report is JSON");
    assert_eq!((&report["lab"], &report["failed"]), (&"study".into(), &0.into()), "{}", report["problems"]);
    let mut shown = format!("{} cells\n", report["cells"]);
    for point in report["points"].as_array().into_iter().flatten() {
        let told = &point["values"][measure];
        let mean = told.get("mean").or(told.get("share")).and_then(Value::as_f64);
        let at: Vec<String> = point["point"]
            .as_object()
            .into_iter()
            .flat_map(|at| at.values())
            .map(ToString::to_string)
            .collect();
        shown += &format!("{}: {:.4}\n", at.join(" ").replace('"', ""), mean.expect("a number or truths"));
    }
    shown
}

#[test]
fn shipped_bound_over_exact() {
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
    .assert_eq(&summary("bound-over-exact", "ratio"));
}

#[test]
fn shipped_chain_acceptance() {
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
    .assert_eq(&summary("chain-acceptance", "accepted"));
}

#[test]
fn shipped_equation_rejects() {
    expect![[r#"
        1100 cells
        20: 0.0000
        30: 0.0000
        40: 0.0000
        50: 0.0000
        60: 0.0000
        70: 0.0400
        80: 0.0700
        90: 0.0000
        100: 0.0000
        110: 0.0000
        120: 0.0000
    "#]]
    .assert_eq(&summary("equation-rejects", "only_equation"));
}

#[test]
fn shipped_formula_below_truth() {
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
    .assert_eq(&summary("formula-below-truth", "below"));
}

#[test]
fn shipped_latency_hiding() {
    // Of 320 points those at a few numbers of warps.
    let all = summary("latency-hiding", "each");
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
}

#[test]
fn shipped_worst_launch_order() {
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
    .assert_eq(&summary("worst-launch-order", "first"));
}

/// Whatever is shipped is tested above.
#[test]
fn every_shipped_study_is_pinned() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/www/studies");
    let tests = include_str!("study.rs");
    for entry in fs::read_dir(folder).expect("there are studies").flatten() {
        let name = entry.file_name().to_string_lossy().replace(".json", "");
        assert!(tests.contains(&format!("summary(\"{name}\"")), "{name}");
    }
}
