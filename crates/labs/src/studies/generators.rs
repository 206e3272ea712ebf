//! Generators: what they draw keeps within what was asked for, adds up exactly, and is the same whenever it is drawn.

use super::*;
use std::collections::BTreeSet;

/// What cells have at a place of the document.
fn drawn(study: &str, pointer: &str) -> Vec<Value> {
    let study = sound(study);
    let at = |cell| {
        let tree = study.cell(cell).map(|cell| cell.tree());
        let Some(Ok(tree)) = tree else { unreachable!("{study:?} {cell}") };
        assert_eq!(study.cell(cell).and_then(|cell| cell.tree().ok()).as_ref(), Some(&tree), "drawn again");
        tree.pointer(pointer).cloned().unwrap_or_default()
    };
    (0..study.cells()).map(at).collect()
}

fn whole(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| unreachable!("{value}"))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

#[test]
fn kernels_have_the_length_and_the_letters() {
    let kernels = drawn(
        r#""base": {"warps": {"kernel": {"generate": "kernel", "length": [3, 5], "letters": {"L": 1, "S": 2}}, "count": 1, "machine": {"L": 1, "S": 1}}},
        "samples": 200, "measures": {"m": "makespan"}"#,
        "/warps/kernel",
    );
    let texts: Vec<&str> = kernels.iter().filter_map(Value::as_str).collect();
    assert_eq!(texts.len(), 200);
    assert!(texts.iter().all(|text| text.chars().all(|c| "LS".contains(c))));
    let lengths: BTreeSet<usize> = texts.iter().map(|text| text.len()).collect();
    assert_eq!(lengths, BTreeSet::from([3, 4, 5]));
}

#[test]
fn numbers_choices_and_seeds() {
    let study = r#""base": {"warps": {"kernel": "LC", "count": {"generate": "number", "from": 2, "to": 4},
            "machine": {"L": 1, "C": {"generate": "choice", "of": [1, 8]}},
            "method": {"initial": "random", "seed": {"generate": "seed"}}}},
        "samples": 100, "measures": {"m": "makespan"}"#;
    let counts: BTreeSet<u64> = drawn(study, "/warps/count").iter().map(whole).collect();
    assert_eq!(counts, BTreeSet::from([2, 3, 4]));
    let cores: BTreeSet<u64> = drawn(study, "/warps/machine/C").iter().map(whole).collect();
    assert_eq!(cores, BTreeSet::from([1, 8]));
    let seeds: BTreeSet<u64> = drawn(study, "/warps/method/seed").iter().map(whole).collect();
    assert!(seeds.len() == 100 && seeds.iter().all(|seed| *seed < 1 << 53));
}

/// A period is the longest run over the task's part, rounded up to a whole number: with it the sum is at most what was
/// asked for, with a period less by one it would be at least that.
#[test]
fn tasks_have_the_utilisation() {
    let sum = |less: &str| {
        let terms = (0..4).map(|i| format!("set[{i}].demand / (set[{i}].period{less})"));
        terms.collect::<Vec<_>>().join(" + ")
    };
    let (at_most, at_least) = (sum(""), sum(" - 1"));
    for fields in ["", r#""algorithm": "drs", "least": 0.05, "most": 0.4,"#] {
        let study = sound(&format!(
            r#""base": {{"tasks": {{"generate": "tasks", "count": 4, "utilisation": 0.8, {fields} "vertices": [1, 4], "requirement": [10, 50]}}}},
            "samples": 40, "measures": {{"told": "utilisation", "at_most": "{at_most}", "at_least": "{at_least}",
                "most": "max(set[*].utilisation)", "count": "count(set[*].utilisation)"}}"#
        ));
        for cell in 0..study.cells() {
            let row = row(&study, cell);
            let number = |name: &str| row["values"][name].as_f64().unwrap_or_default();
            let sum = number("at_most");
            assert!(sum > 0.0 && sum <= 0.8 && number("at_least") >= 0.8 - 1e-6, "{row}");
            assert!((number("told") - sum).abs() < 1e-9 && number("count") == 4.0, "{row}");
            assert!(fields.is_empty() || number("most") <= 0.4, "{row}");
        }
    }
}

/// Host tasks compute for exactly their part of the period, up to one nanosecond, on cores and with kernels as named.
#[test]
fn hosts_have_the_utilisation() {
    let tasks = drawn(
        r#""base": {"chain": {"device": {"preset": "jetson-tx2"}, "kernels": [{"name": "k", "cycles": 10, "threads": 32}, {"name": "l", "cycles": 20, "threads": 32}],
            "cores": [{"name": "a"}, {"name": "b"}],
            "tasks": {"generate": "hosts", "count": [3, 5], "utilisation": 0.9, "periods": [1000000, 9000000], "cores": ["a", "b"], "kernels": ["k", "l"]}}},
        "samples": 20, "measures": {"m": "verdict.schedulable"}"#,
        "/chain/tasks",
    );
    for tasks in &tasks {
        let tasks = list(tasks);
        assert!((3..=5).contains(&tasks.len()));
        let mut sum = 0.0;
        for task in tasks {
            let (period, work) = (
                whole(&task["period"]),
                whole(&task["segments"][0]["cpu"]) + whole(&task["segments"][2]["cpu"]),
            );
            assert!((1_000_000..=9_000_000).contains(&period) && work >= 2, "{task}");
            assert!(["a", "b"].iter().any(|core| task["core"] == *core));
            assert!(["k", "l"].iter().any(|kernel| task["segments"][1]["launch"] == *kernel));
            sum += work as f64 / period as f64;
        }
        assert!((sum - 0.9).abs() < 1e-5, "{sum}");
    }
}

#[test]
fn workloads_keep_their_ranges() {
    let streams = drawn(
        r#""base": {"blocks": {"device": {"preset": "jetson-tx2"},
            "streams": {"generate": "workload", "kernels": [1, 3], "blocks": [2, 5], "threads": [64, 128], "duration": [10, 20], "period": 5000, "deadline": 4000}}},
        "samples": 60, "measures": {"end": "end"}"#,
        "/blocks/streams",
    );
    let (mut counts, mut threads) = (BTreeSet::new(), BTreeSet::new());
    for streams in &streams {
        counts.insert(list(streams).len());
        for stream in list(streams) {
            let own = &stream["operations"][0];
            assert!((2..=5).contains(&whole(&own["blocks"])) && (10..=20).contains(&whole(&own["duration"])));
            assert_eq!((whole(&own["period"]), whole(&own["deadline"])), (5000, 4000));
            threads.insert(whole(&own["threads"]));
        }
    }
    assert_eq!((counts, threads), (BTreeSet::from([1, 2, 3]), BTreeSet::from([64, 128])));
}

/// Cells that differ in a paired axis alone draw the same; others do not.
#[test]
fn paired_axes_draw_the_same() {
    for (paired, same) in [(true, true), (false, false)] {
        let kernels = drawn(
            &format!(
                r#""base": {{"warps": {{"kernel": {{"generate": "kernel", "length": 30}}, "count": 1, "machine": {{"L": 1, "C": 1}}}}}},
                "axes": [{{"path": "warps.machine.L", "values": [1, 2], "paired": {paired}}}], "measures": {{"m": "makespan"}}"#
            ),
            "/warps/kernel",
        );
        assert_eq!(kernels[0] == kernels[1], same);
    }
}
