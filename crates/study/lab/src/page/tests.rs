//! What the page knows of a study: shares in any order add up to the same rows, and what is drawn says what they say.

use serde_json::json;

use super::choose::{self, Part};
use super::{Chart, Known, Plan, Run, State, export, says};
use crate::Asked;
use crate::estimate::Took;
use crate::scenario::{Drawing, Kind};

fn plan(cells: u64, samples: u64) -> Plan {
    let values: Vec<u64> = (1..=cells / samples).collect();
    let line = json!({"study": {"scenario": "t", "cells": cells, "samples": samples, "seed": 1,
        "axes": [{"name": "n", "path": "a.n", "values": values}],
        "measures": {"m": "m", "ok": "ok"}, "draw": []},
        "estimate": {"units": 3_000, "at_least": false, "spent": 1_000, "seconds": 2.0}});
    Plan::new(&line.to_string()).unwrap_or_else(|| unreachable!("a plan"))
}

fn row(cell: u64) -> String {
    json!({"point": {"n": cell}, "sample": 0, "seed": 1, "values": {"m": cell * cell, "ok": cell > 2}})
        .to_string()
}

/// Runs all jobs, the last first, some rows at a time.
fn finish(run: &mut Run, mut jobs: Vec<(u32, Asked)>) {
    while let Some((job, Asked::Cells { first, step })) = jobs.pop() {
        let cells: Vec<u64> = (first..run.known.plan.cells).step_by(step as usize).collect();
        for some in cells.chunks(2) {
            run.rows(job, &some.iter().map(|cell| row(*cell)).collect::<Vec<_>>().join("\n"));
        }
        run.over(job);
    }
}

fn numbers() -> impl FnMut() -> u32 {
    let mut last = 0;
    move || {
        last += 1;
        last
    }
}

#[test]
fn shares_add_up_whoever_computes_them() {
    for cells in [1, 5, 64, 300] {
        let Some(mut run) = Run::new(plan(cells, 1)) else { unreachable!("small") };
        let jobs = run.begin(numbers());
        assert_eq!((jobs.len() as u64, &run.state), (cells.min(64), &State::Runs));
        finish(&mut run, jobs);
        assert_eq!(run.state, State::Done);
        let expected: String = (0..cells).map(|cell| row(cell) + "\n").collect();
        assert_eq!(export::lines(&run.known), expected);
        assert!(run.begin(numbers()).is_empty() && run.state == State::Done);
    }
}

#[test]
fn what_was_stopped_or_died_goes_on_where_it_was() {
    let Some(mut run) = Run::new(plan(130, 1)) else { unreachable!("small") };
    let mut next = numbers();
    let jobs = run.begin(&mut next);
    let (job, _) = jobs[0];
    run.rows(job, &format!("{}\n{}", row(0), row(64)));
    run.died(job, "a trap");
    assert_eq!(run.state, State::Runs);
    let again = run.begin(&mut next);
    assert_eq!(again, [(65, Asked::Cells { first: 128, step: 64 })]);
    run.rows(job, &row(1));
    assert_eq!(run.known.done(), 2, "nobody hears a dead worker");
    for job in run.jobs() {
        run.over(job);
    }
    run.state = State::Stopped;
    let rest = run.begin(&mut next);
    assert_eq!(rest.len(), 64);
    finish(&mut run, rest);
    assert_eq!((run.known.done(), &run.state), (130, &State::Done));
}

#[test]
fn a_share_that_kills_its_workers_ends_the_study() {
    let Some(mut run) = Run::new(plan(2, 1)) else { unreachable!("small") };
    let mut next = numbers();
    let mut jobs = run.begin(&mut next);
    for _ in 0..3 {
        let (job, _) = jobs[0];
        run.died(job, "a trap");
        jobs = run.begin(&mut next);
    }
    run.died(jobs[0].0, "a trap");
    assert_eq!(run.state, State::Failed("a trap".to_owned()));
}

#[test]
fn rows_that_are_there_stay_and_problems_are_counted() {
    let Some(mut known) = Known::new(plan(4, 1)) else { unreachable!("small") };
    assert!(
        known.take(0, &row(0)) && !known.take(0, &row(1)) && !known.take(9, &row(9)) && !known.take(1, "{")
    );
    assert!(known.take(1, r#"{"point":{"n":2},"sample":0,"seed":1,"problem":"too long"}"#));
    assert_eq!((known.done(), known.failed(), known.is_whole()), (2, 1, false));
    assert_eq!(known.problems().collect::<Vec<_>>(), [("too long", 1)]);
    let table = export::table(&known);
    assert_eq!(table, "n,sample,seed,m,ok,problem\r\n0,0,1,0,false,\r\n2,0,1,,,too long\r\n");
}

#[test]
fn dots_say_what_their_cells_say() {
    let Some(mut known) = Known::new(plan(8, 4)) else { unreachable!("small") };
    for cell in 0..8 {
        known.take(cell, &row(cell));
    }
    let drawn = |kind, y: &str| Drawing {
        kind,
        x: "n".to_owned(),
        y: vec![y.to_owned()],
        z: None,
        by: None,
        title: None,
    };
    let chart = Chart::new(&known, &drawn(Kind::Line, "m"));
    let [first, second] = &chart.series[0].dots[..] else { unreachable!("two points") };
    assert_eq!((first.value, first.count, first.worst, second.worst), (3.5, 4, 3, 7));
    let said = says::dot(&known.plan, Kind::Line, first);
    expect_test::expect!["n = 1: m 3.5 on average of 4 cells, 95 % interval −2.93 to 9.93, from 0 to 9"]
        .assert_eq(&said);
    let chart = Chart::new(&known, &drawn(Kind::Line, "ok"));
    let dot = &chart.series[0].dots[0];
    assert_eq!((chart.up.share, dot.value, dot.worst), (true, 0.25, 0));
    expect_test::expect!["n = 1: ok holds in 25 % of 4 cells, 95 % interval 4.6 % to 69.9 %"]
        .assert_eq(&says::dot(&known.plan, Kind::Line, dot));
}

#[test]
fn a_plan_says_how_long_it_takes() {
    let plan = plan(8, 4);
    assert_eq!(plan.estimate.and_then(|took| took.all(2)), Some(3.0));
    assert_eq!(plan.duration(2), "about 3 seconds");
    assert_eq!(plan.size(), "8 cells: 2 of n × 4 samples");
    assert_eq!(Plan::new("{}"), None);
    let large = Plan { cells: 2_000_000, ..plan };
    assert!(large.too_large().is_some() && Run::new(large).is_none());
}

#[test]
fn a_study_of_little_work_begins_by_itself() {
    let quick = |cells, took: Option<(u64, bool)>| {
        let plan = plan(8, 4);
        let estimate = plan.estimate.zip(took);
        let estimate = estimate.map(|(estimate, (units, at_least))| Took { units, at_least, ..estimate });
        let plan = Plan { cells, estimate, ..plan };
        (plan.is_quick(), plan.may_be_quick())
    };
    assert_eq!(quick(320, Some((3_411_200, false))), (true, true));
    assert_eq!(quick(320, None), (false, true), "who knows");
    assert_eq!(quick(320, Some((3_411_200, true))), (false, false), "more than was tried");
    assert_eq!(quick(210, Some((37_170_588, false))), (false, false), "too much work");
    assert_eq!(quick(1_100, Some((8_800_000, false))), (false, false), "too many cells");
    assert_eq!(quick(1_100, None), (false, false));
}

#[test]
fn whatever_is_chosen_is_a_drawing() {
    let plan = plan(8, 4);
    let start = plan.drawings()[0].clone();
    assert_eq!((start.kind, start.x.as_str(), start.y[0].as_str()), (Kind::Box, "n", "m"));
    for (_, kind, _) in choose::KINDS {
        let next = choose::with(&plan, &start, Part::Kind, kind);
        for part in [Part::Kind, Part::X, Part::Y, Part::By] {
            for (value, _) in choose::choices(&plan, &next, part) {
                let chosen = choose::with(&plan, &next, part, &value);
                let named = |name: &String| plan.axis(name).is_some() || plan.measure(name).is_some();
                let alone = chosen.kind == Kind::Heat && chosen.y == [""];
                assert!(named(&chosen.x) && (alone || chosen.y.iter().all(named)), "{chosen:?}");
                assert_eq!(chosen.z.is_some(), chosen.kind == Kind::Heat);
            }
        }
    }
}
