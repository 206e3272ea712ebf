//! Chains as documents: what is told before the end holds, parts and changes open, examples run.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use warpspan::base::{Control, StopReason};
use warpspan::job::{self, Job, Step};
use warpspan::report::Report;
use warpspan::report::chain::{Bracket, Evidence, WholeReport};
use warpspan::scenario::{self, builtin::BUILTINS};

/// Every bracket of a report.
fn brackets(report: &WholeReport) -> Vec<&Bracket> {
    let mut all = Vec::new();
    for kernel in &report.kernels {
        all.extend([&kernel.makespan, &kernel.block, &kernel.alone, &kernel.completion]);
        for grid in &kernel.grids {
            all.push(&grid.makespan);
            all.extend(grid.sms.iter().map(|sm| &sm.makespan));
        }
    }
    for task in &report.tasks {
        all.extend([&task.cpu, &task.gpu, &task.response]);
        all.extend(task.segments.iter().map(|segment| &segment.time));
    }
    all
}

/// What holds of every report.
fn sound(report: &WholeReport) {
    for bracket in brackets(report) {
        if let (Some(lower), Some(upper)) = (&bracket.lower, &bracket.upper) {
            assert!(lower.value <= upper.value, "{bracket:?}");
            assert_eq!(lower.unit, upper.unit);
            assert!(
                lower.kind != Evidence::Exact || upper.kind != Evidence::Exact || lower.value == upper.value
            );
        }
        assert!(bracket.lower.as_ref().is_none_or(|figure| figure.kind != Evidence::Upper), "{bracket:?}");
        assert!(bracket.upper.as_ref().is_none_or(|figure| figure.kind != Evidence::Lower), "{bracket:?}");
        for figure in [&bracket.lower, &bracket.upper].into_iter().flatten() {
            assert!(!figure.why.is_empty(), "{figure:?}");
        }
    }
    let ids: BTreeSet<&str> = report.parts.iter().map(|part| part.id.as_str()).collect();
    assert_eq!(ids.len(), report.parts.len());
    for change in &report.sensitivity {
        assert!(change.part.as_ref().is_some_and(|part| ids.contains(part.as_str())), "{}", change.id);
    }
    assert_eq!((report.lab.as_str(), report.assumptions.is_empty()), ("chain", false));
}

/// The examples, made small.
fn examples() -> impl Iterator<Item = (&'static str, Value)> {
    let chains = BUILTINS.iter().filter(|example| example.group == "Chain");
    chains.map(|example| {
        let mut tree: Value = serde_json::from_str(example.text).expect("JSON");
        tree["chain"]["effort"] = json!(100);
        // As many blocks as are replaced a few times.
        for kernel in tree["chain"]["kernels"].as_array_mut().into_iter().flatten() {
            if kernel["blocks"].as_u64().is_some_and(|blocks| blocks > 50) {
                kernel["blocks"] = json!(40);
            }
        }
        (example.name, tree)
    })
}

fn begun(tree: &Value) -> Box<dyn Job> {
    job::start(scenario::from_tree(tree).unwrap_or_else(|problems| unreachable!("{problems:?}")))
}

fn chain(report: Report) -> WholeReport {
    report.into().unwrap_or_else(|| unreachable!("a chain"))
}

#[test]
fn examples_run_and_what_is_told_before_the_end_holds() {
    for (name, tree) in examples() {
        let mut told: Vec<WholeReport> = Vec::new();
        let mut job = begun(&tree);
        told.push(chain(job.stop(StopReason::Cancelled).expect("there is a report from the start")));
        let end = loop {
            match job.step(&mut Control::slice(5_000)) {
                Step::Done(report) => break chain(report),
                Step::More(progress) => assert!(progress.done <= progress.total, "{name}"),
            }
            told.extend(job.news().map(|line| serde_json::from_str(&line).expect("a report")));
        };
        sound(&end);
        assert!(told.len() > 2 && !end.sensitivity.is_empty(), "{name}");
        for report in &told {
            sound(report);
            for (now, then) in brackets(report).into_iter().zip(brackets(&end)) {
                let value =
                    |side: &Option<warpspan::report::chain::Figure>| side.as_ref().map(|figure| figure.value);
                if let (Some(now), Some(then)) = (value(&now.upper), value(&then.upper)) {
                    assert!(now >= then, "{name}: {now} then {then}");
                }
            }
        }
        let at_once = chain(job::run(scenario::from_tree(&tree).expect("it was read before")));
        assert_eq!(at_once, end, "{name}: slices do not matter");
    }
}

#[test]
fn parts_and_changes_open_and_say_what_was_told() {
    for (name, tree) in examples() {
        let report = chain(job::run(scenario::from_tree(&tree).expect("an example")));
        assert!(report.verdict.schedulable.is_some(), "{name} has an answer: {:?}", report.verdict);
        for part in &report.parts {
            let opened = scenario::from_tree(&part.document);
            assert!(opened.is_ok(), "{name}, {}: {opened:?}", part.id);
            assert!(part.document.get(&part.lab).is_some());
        }
        for change in report.sensitivity.iter().filter(|_| name == "chain-teaching") {
            let part =
                report.parts.iter().find(|part| Some(&part.id) == change.part.as_ref()).expect("it is there");
            let opened = chain(job::run(scenario::from_tree(&part.document).expect("it opens")));
            assert_eq!(opened.verdict, change.verdict, "{name}, {}", change.id);
            let responses: Vec<Option<u64>> = opened
                .tasks
                .iter()
                .map(|task| task.response.upper.as_ref().map(|figure| figure.value))
                .collect();
            assert_eq!(responses, change.responses, "{name}, {}", change.id);
        }
    }
}

#[test]
fn what_the_source_did_not_say_is_shown() {
    let report = super::report(json!({
        "kernels": [{"name": "k", "cycles": 5, "threads": 32}],
        "assumed": [{"what": "blocks of k", "value": "1", "why": "not said", "path": "chain.kernels[0].blocks"}],
    }));
    assert_eq!(report.assumed.len(), 1);
    assert_eq!(report.assumed[0].path, "chain.kernels[0].blocks");
    sound(&report);
}

/// Largest and smallest numbers, one of each kind: a report all the same.
#[test]
fn the_largest_numbers_are_no_crash() {
    let most = 1_000_000_000_000_000_u64;
    for (sharing, scheduler) in [("shared", "edf"), ("exclusive", "fixed-priority")] {
        let task = |name: &str| {
            json!({
                "name": name, "period": most, "segments": [
                    {"cpu": most}, {"copy": "in", "bytes": most}, {"copy": "out", "duration": most},
                    {"launch": "huge"}, {"ticks": most / 1000}, {"launch": "long"}
                ]
            })
        };
        let report = super::report(json!({
            "clock": 1_000_000, "effort": 1, "sharing": sharing,
            "kernels": [
                {"name": "huge", "cycles": most / 1000, "threads": 1, "blocks": 1_000_000},
                {"name": "long", "kernel": "5000(LC)", "threads": 1024, "blocks": 1_000_000},
            ],
            "cores": [{"name": "cpu", "clock": 1_000_000, "scheduler": scheduler}],
            "tasks": [task("a"), task("b")],
        }));
        sound(&report);
        assert_ne!(report.verdict.schedulable, Some(true));
    }
}

/// A kernel of PTX whose loop nobody has counted: nothing that rests on it is called proven, and once its trip count
/// is stated, as much is as before.
#[test]
fn what_rests_on_an_assumed_trip_count_is_not_proven() {
    let (_, tree) = examples().find(|(name, _)| *name == "chain-camera").expect("it is built in");
    let kinds = |path: Option<Value>, looped: bool| -> Vec<Evidence> {
        let mut tree = tree.clone();
        let kernel = &mut tree["chain"]["kernels"][0];
        let text = kernel["ptx"].as_str().expect("PTX").to_owned();
        if looped {
            kernel["ptx"] = json!(
                text.replace(" add.f32", "Row: add.f32")
                    .replace(" ld.param.u64 %rd2", " @%p1 bra Row;\n ld.param.u64 %rd2")
            );
        }
        if let Some(path) = path {
            kernel["path"] = path;
        }
        let Some(report) = job::run(scenario::from_tree(&tree).expect("valid")).into::<WholeReport>() else {
            unreachable!("a chain")
        };
        let first = &report.kernels[0];
        let of_first = [&first.makespan, &first.block, &first.alone];
        of_first
            .iter()
            .flat_map(|bracket| [&bracket.lower, &bracket.upper])
            .flatten()
            .map(|figure| figure.kind)
            .collect()
    };
    let simulated = |kinds: &[Evidence]| kinds.iter().filter(|kind| **kind == Evidence::Simulated).count();
    let (plain, assumed) = (kinds(None, false), kinds(None, true));
    assert!(simulated(&plain) < plain.len(), "{plain:?}");
    assert_eq!(simulated(&assumed), assumed.len(), "{assumed:?}");
    let stated = kinds(Some(json!({"loops": {"iterations": 3}})), true);
    assert_eq!(simulated(&stated), simulated(&plain), "{stated:?}");
    let ranged = kinds(Some(json!({"loops": {"iterations": [1, 3]}})), true);
    assert_eq!(simulated(&ranged), ranged.len(), "{ranged:?}");
}
