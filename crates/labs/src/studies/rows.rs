//! Rows: the same whoever computes which share of them in slices of whatever size; a cell that fails says why.

use super::*;
use kit::job::{Job, Step};
use study_lab::{Share, StudyJob};

/// The rows a job tells as news, and its report, when it is stepped in slices of these sizes in turn.
fn told(study: &Study, share: Share, slices: &[u64]) -> (Vec<Value>, Value) {
    let mut job = StudyJob::new("t", study, share);
    let (mut rows, mut slices, mut begun) = (Vec::new(), slices.iter().cycle(), false);
    loop {
        let step = job.step(&mut base::Control::slice(slices.next().copied().unwrap_or(1)));
        while let Some(news) = job.news() {
            let news: Value = serde_json::from_str(&news).unwrap_or_default();
            if !std::mem::replace(&mut begun, true) {
                assert_eq!(news["study"]["cells"], study.cells());
                assert_eq!(news["study"]["share"], share.count(study.cells()));
                continue;
            }
            rows.extend(news["rows"].as_array().cloned().unwrap_or_default());
        }
        if let Step::Done(report) = step {
            return (rows, serde_json::from_str(&report.line()).unwrap_or_default());
        }
    }
}

#[test]
fn rows_have_their_point_sample_and_seed() {
    let study = sound(SMALL);
    assert_eq!((study.cells(), study.points(), study.samples()), (18, 6, 3));
    let last = row(&study, 17);
    assert_eq!(last["point"], serde_json::json!({"warps.count": 3, "cores": 2}));
    assert_eq!((&last["sample"], &last["seed"]), (&2.into(), &study.cell(17).map(|cell| cell.seed).into()));
    let values = &last["values"];
    let [makespan, each] =
        [&values["makespan"], &values["each"]].map(|value| value.as_f64().unwrap_or_default());
    assert!(makespan > 0.0 && each == makespan / 3.0);
    assert_eq!(study.evaluate(18), None);
    for cell in 0..18 {
        let line = study.evaluate(cell).unwrap_or_default();
        assert_eq!(study.cell_of_row(&line), Some(cell));
        assert!((0..line.len()).all(|end| study.cell_of_row(&line[..end]).is_none()), "{line}");
    }
}

#[test]
fn slices_of_any_size_tell_the_same() {
    let study = sound(SMALL);
    let whole: Vec<Value> = (0..18).map(|cell| row(&study, cell)).collect();
    let once = told(&study, Share::ALL, &[u64::MAX]);
    assert_eq!(once.0, whole);
    for slices in [&[1][..], &[1, 100_000, 7, 2_500], &[3_000, 1]] {
        assert_eq!(told(&study, Share::ALL, slices), once);
    }
}

#[test]
fn shares_are_a_partition() {
    let study = sound(SMALL);
    let mut shares: Vec<Value> =
        (0..3).flat_map(|worker| told(&study, Share::of(worker, 3), &[5_000]).0).collect();
    let key = |row: &Value| (row["point"].to_string(), row["sample"].as_u64());
    shares.sort_by_key(key);
    let mut whole: Vec<Value> = (0..18).map(|cell| row(&study, cell)).collect();
    whole.sort_by_key(key);
    assert_eq!(shares, whole);
    let part = Share { first: 4, end: 9, step: 2 };
    assert_eq!((part.cells(18).collect::<Vec<_>>(), part.count(18)), (vec![4, 6, 8], 3));
    assert_eq!(Share::of(20, 21).count(18), 0);
}

/// A cell between the values that are looked at, a measure without a value, and work without an end.
#[test]
fn a_cell_that_fails_says_why_and_the_others_go_on() {
    let study = sound(
        r#""base": {"warps": {"kernel": "LCL", "count": {"generate": "number", "from": 63, "to": 64}, "machine": {"L": 1, "C": 1}}},
        "axes": [{"path": "warps.count.to", "name": "to", "values": [64, 70]}], "samples": 12, "measures": {"m": "makespan"}"#,
    );
    let rows: Vec<Value> = (0..study.cells()).map(|cell| row(&study, cell)).collect();
    let (failed, fine): (Vec<&Value>, Vec<&Value>) =
        rows.iter().partition(|row| row.get("problem").is_some());
    assert!(!failed.is_empty() && fine.len() >= 12, "{rows:?}");
    for row in failed {
        let problem = row["problem"].as_str().unwrap_or_default();
        assert!(
            problem.starts_with("warps.count: ") && problem.ends_with("expected a whole number, 1 to 64"),
            "{row}"
        );
        assert!(study.cell_of_row(&row.to_string()).is_some(), "{row}");
    }
    let report = told(&study, Share::ALL, &[u64::MAX]).1;
    assert_eq!(report["cells"], 24);
    assert_eq!(report["failed"], 24 - fine.len());

    let study = sound(
        r#""base": {"warps": {"kernel": "LCL", "count": 1, "machine": {"L": 1, "C": 1}}}, "axes": [{"path": "warps.count", "values": [1, 2]}],
        "measures": {"m": "1 / (makespan - 3)"}"#,
    );
    assert_eq!(row(&study, 0)["problem"], "m: a division by 0");
    assert!(row(&study, 1)["values"]["m"].is_number());

    let study = sound(
        r#""base": {"warps": {"kernel": "5L 9C 2L 9C", "count": 24, "machine": {"L": 1, "C": 3}, "method": {"exact": {}}}},
        "measures": {"m": "exact"}, "limit": {"work": 1}"#,
    );
    let row = row(&study, 0);
    // What is known at the limit is measured: a bracket that is still open.
    assert_eq!(row["values"]["m"], false, "{row}");
}
