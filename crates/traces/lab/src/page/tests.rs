//! What the page shows of a run says the same as the run's account.

use std::sync::Arc;

use serde_json::{Value, json};

use super::columns::Shown;
use super::packed::{Lane, Packed, cause};
use super::run::{Run, range};
use super::seek::TERMS;
use super::{Bar, Desk, form, run_in, table};
use crate::LINKED;
use crate::draw::{Drawer, Look, STRIP, draw, strip};
use crate::page::seam::FromHolder;
use crate::scenario::change::{changes, document};
use crate::scenario::{Given, TraceScenario};
use kit::import::json;
use kit::page::Stretch;
use kit::page::terms::Query;
use kit::timeline::columns::{Columns, meeting, width};
use traces::account::{Scope, account};
use traces::leads::leads;
use traces::trace::Kind;
use traces::{Cause, Causes, Replay, Trace};

mod stretch;

fn example(name: &str) -> (Value, Trace) {
    let text =
        kit::scenario::builtin::BUILTINS.iter().find(|one| one.name == name).map_or("", |one| one.text);
    let tree = json::parse(text).unwrap_or_default();
    let trace = traces_read::read_text(&json::line(&tree["trace"]["recorded"])).unwrap_or_default();
    (tree, trace)
}

const EXAMPLES: [&str; 3] = ["loss-in-every-step", "copies-wait-for-the-host", "alexnet-first-steps"];

/// Bars of length and place made with a small generator.
fn made(seed: u64, bars: usize) -> Run {
    let mut state = seed;
    let mut next = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut times: Vec<(u64, u64)> = (0..bars).map(|_| (next(2_000), next(60))).collect();
    times.sort_unstable();
    let mut packed = Packed { names: vec!["one".to_owned(), "Two".to_owned()], ..Packed::default() };
    for (id, (start, length)) in (0u32..).zip(times) {
        let (start, end) = (start as f64, (start + length) as f64);
        packed.push((start, end), id % 2, 0, id);
    }
    let count = bars as u32;
    packed.rows.push(super::Row {
        lane: Lane::Stream,
        device: Some(0),
        label: "stream 7".to_owned(),
        first: 0,
        count,
    });
    Run::new(packed)
}

#[test]
fn what_is_covered_is_what_a_walk_over_all_bars_finds() {
    for seed in 0..20 {
        let run = made(seed, 60);
        let all: Vec<_> = range(&run.rows[0]).map(|place| run.bar(0, place)).collect();
        for (from, to) in
            [(0.0, 2_100.0), (17.0, 18.0), (500.0, 501.0), (1_999.0, 2_060.0), (100.0, 900.0), (0.0, 0.0)]
        {
            let naive = (from as usize..to as usize)
                .filter(|&time| {
                    all.iter().any(|bar| bar.start <= time as f64 && time as f64 + 1.0 <= bar.end)
                })
                .count() as f64;
            let share = run.share(0, from, to);
            assert!((share * (to - from) - naive).abs() < 1e-6, "{seed}: {from} to {to}: {share}, {naive}");
            let inside: Vec<usize> = run.within(0, from, to).collect();
            for bar in &all {
                assert!(bar.end < from || bar.start > to || inside.contains(&bar.place), "{seed}: {bar:?}");
            }
        }
        for time in 0..200 {
            let time = f64::from(time * 10);
            let near = |bar: &&super::Bar| (bar.start - time).max(time - bar.end) <= 3.0;
            assert_eq!(run.hit(0, time, 3.0).is_some(), all.iter().any(|bar| near(&bar)), "{seed}: {time}");
        }
    }
}

#[test]
fn columns_show_what_a_walk_over_all_bars_finds_however_the_window_moves() {
    for seed in 0..6 {
        let run = made(seed, 300);
        let all: Vec<super::Bar> = range(&run.rows[0]).map(|place| run.bar(0, place)).collect();
        let naive = |level: i32, column: i64| {
            let (from, to) = (column as f64 * width(level), (column + 1) as f64 * width(level));
            let there = |bar: &&super::Bar| bar.start < to && (bar.end > from || bar.start >= from);
            let longest = all.iter().filter(there).map(|bar| bar.end - bar.start).reduce(f64::max);
            longest.map(|_| (run.share(0, from, to) * 4.0 - 1e-6).ceil().clamp(1.0, 4.0) as u8)
        };
        let mut columns = Columns::default();
        let windows = [
            (0.0, 900.0),
            (300.0, 1_200.0),
            (250.0, 1_100.0),
            (900.0, 2_200.0),
            (0.0, 2_300.0),
            (40.0, 80.0),
        ];
        for level in [2, 5, 0] {
            for (from, to) in windows {
                let which = meeting(level, from, to);
                let work = |which, put: &mut Vec<Shown>| {
                    run.columns(0, width(level), which, |shown| put.push(shown))
                };
                let shown = columns.of(0, level, which.clone(), work).to_vec();
                assert_eq!(shown.len(), (which.end - which.start) as usize);
                for (shown, column) in shown.into_iter().zip(which) {
                    assert_eq!(
                        shown.parts().map(|parts| parts.1),
                        naive(level, column),
                        "{seed}: {level}, {column}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_picture_that_was_panned_is_the_one_drawn_anew() {
    let run = made(3, 20_000);
    let mut drawer = Drawer::default();
    for (t0, t1) in
        [(0.0, 600.0), (31.0, 631.0), (500.0, 1_100.0), (480.0, 1_080.0), (0.0, 2_060.0), (3.0, 40.0)]
    {
        let look = Look { t0, t1, ..Look::whole(&run, 1_200.0) };
        assert_eq!(drawer.draw(&run, &look), draw(&run, &look), "{t0} to {t1}");
    }
}

#[test]
fn idle_time_in_sight_is_the_account() {
    for name in EXAMPLES {
        let (_, trace) = example(name);
        let causes = Causes::of(&trace);
        let run = Run::new(Packed::of(&causes));
        let begins = Packed::origin(&trace);
        for (from, to) in [(0.0, run.end), ((run.end * 0.4).floor(), (run.end * 0.95).floor())] {
            let within = (begins + from as i64, begins + to as i64);
            let Some(own) = account(&causes, Scope::Device(0), Some(within)) else {
                unreachable!("something ran")
            };
            let spent = &run.spent(from, to)[0];
            assert_eq!(
                (spent.busy as u64, spent.causes.map(|nanos| nanos as u64)),
                (own.busy, own.causes),
                "{name}"
            );
        }
        let names = table::by_name(&run, 0.0, run.end);
        let idle: f64 = names.iter().map(|own| own.idle).sum();
        let whole = account(&causes, Scope::Device(0), None).map_or(0, |whole| whole.idle);
        assert_eq!(idle as u64, whole, "{name}");
        assert_eq!(names.iter().map(|own| own.count).sum::<usize>(), trace.operations.len());
        assert_eq!(table::count(&run, Lane::Stream), trace.operations.len());
    }
}

#[test]
fn every_operation_is_found_and_says_why() {
    for name in EXAMPLES {
        let (_, trace) = example(name);
        let causes = Causes::of(&trace);
        let run = Run::new(Packed::of(&causes));
        let desk = Desk::new(Replay::of(&causes));
        for place in 0..trace.operations.len() as u32 {
            let Some(bar) = run.operation(place) else { unreachable!("{name}: {place}") };
            assert_eq!((bar.id, run.rows[bar.row].lane), (place, Lane::Stream));
            let Some(said) = desk.said(place) else { unreachable!("{name}: {place}") };
            assert!(said.why.ends_with('.') && !said.why.contains("  "), "{}", said.why);
            assert!(said.earliest.is_some_and(|earliest| earliest <= bar.start), "{said:?}");
        }
        assert_eq!((desk.said(u32::MAX), run.operation(u32::MAX)), (None, None));
        let call = run.call(0).map(|bar| run.rows[bar.row].lane);
        assert_eq!(call, Some(Lane::Thread));
    }
}

#[test]
fn a_gpu_without_a_name_has_no_brackets() {
    let (_, mut trace) = example(EXAMPLES[0]);
    for (name, expected) in
        [("A100", "GPU 0 (A100), stream 7"), ("", "GPU 0, stream 7"), (" ", "GPU 0, stream 7")]
    {
        name.clone_into(&mut trace.devices[0].name);
        let causes = Causes::of(&trace);
        let Some(said) = Desk::new(Replay::of(&causes)).said(0) else { unreachable!("it has one") };
        assert!(said.facts.contains(&("Runs".to_owned(), expected.to_owned())), "{:?}", said.facts);
    }
}

#[test]
fn what_took_longest_before_a_late_launch_is_said() {
    let (_, trace) = example("alexnet-first-steps");
    let causes = Causes::of(&trace);
    let desk = Desk::new(Replay::of(&causes));
    let places = 0..trace.operations.len() as u32;
    let said: Vec<String> =
        places.filter_map(|place| desk.said(place)?.back.first().map(|link| link.0.clone())).collect();
    let longest =
        said.iter().filter(|text| text.starts_with("before its launch, its thread was longest in "));
    let times = |text: &&String| text.contains(" of ") && text.contains("s of ");
    assert!(longest.clone().count() > 0 && longest.clone().all(|text| times(&text)), "{said:?}");
}

#[test]
fn names_and_gaps_are_gone_through_in_order() {
    let Some(run) = run_in(&example(EXAMPLES[0]).0) else { unreachable!("it holds a run") };
    let seek = |text: &str| {
        let query = Query::read(text, &TERMS).unwrap_or_else(|why| unreachable!("{why}"));
        run.seek(&query).into_iter().filter_map(|place| run.at(place)).collect::<Vec<_>>()
    };
    let gemms = seek("GEMM");
    assert_eq!((gemms.len(), seek("nothing").len()), (8, 0));
    assert!(gemms.iter().all(|bar| run.text(bar).to_lowercase().contains("gemm")));
    let kernels = seek("kind:kernel");
    let from = kernels[kernels.len() / 2].start;
    let later = kernels.iter().filter(|bar| bar.start > from).count();
    assert_eq!(seek(&format!("kind:kernel start>{from}")).len(), later);
    assert!(seek("kind:kernel time>2us").iter().all(|bar| bar.end - bar.start > 2_000.0));
    let idle = seek("idle>0 for:host");
    assert!(!idle.is_empty() && idle.iter().all(|bar| run.rows[bar.row].lane == Lane::Idle));
    assert!(idle.iter().all(|bar| cause(bar.kind) == Cause::HostWait));
    let Some(gap) = run.gap(Some(Cause::HostWait), 1.0, 0.0, true) else { unreachable!("the host waits") };
    assert_eq!(cause(gap.kind), Cause::HostWait);
    assert!(run.gap(None, 1.0, gap.start, true).is_some_and(|next| next.start > gap.start));
    assert!(run.gap(None, 1e12, 0.0, true).is_none());
}

#[test]
fn what_leads_say_is_what_the_document_then_gains() {
    for name in EXAMPLES {
        let (tree, trace) = example(name);
        let causes = Causes::of(&trace);
        let replay = Replay::of(&causes);
        let found = leads(&replay, 24);
        assert!(found.len() > 3, "{name}");
        let mut all = Vec::new();
        for lead in &found {
            let Some(change) = document(&trace, &lead.change, lead.name) else {
                unreachable!("few are changed")
            };
            assert!(!form::change_in_words(&change).contains("Unknown"), "{change}");
            all.push(change);
            for (wanted, gain) in
                [(vec![all[all.len() - 1].clone()], lead.gain), (all.clone(), lead.together)]
            {
                let mut tree = tree.clone();
                tree["trace"]["changes"] = Value::from(wanted);
                let report = LINKED.read(&json::line(&tree)).map(|scenario| LINKED.run(&scenario).line());
                let report = report.ok().and_then(|line| json::parse(&line).ok()).unwrap_or_default();
                assert_eq!(report["changed"]["sooner"], json!(gain), "{name}: {}", tree["trace"]["changes"]);
            }
        }
        let mut tree = tree;
        tree["trace"]["changes"] = Value::from(all);
        assert_eq!(form::changes(&form::without_change(&tree, 0)).len(), found.len() - 1);
        let desk = Desk::new(Replay::of(&causes));
        let scenario = LINKED.from_tree(&tree).unwrap_or_else(|_| unreachable!("valid"));
        let Some(asked) = scenario.asked::<TraceScenario>() else { unreachable!("a run") };
        let answer = desk.changed(asked);
        assert!(
            matches!(answer, Ok(FromHolder::Changed { sooner, .. }) if sooner == found.last().map_or(0.0, |lead| lead.together as f64))
        );
    }
}

#[test]
fn a_run_that_is_changed_moves_and_keeps_its_bars() {
    let (_, trace) = example(EXAMPLES[0]);
    let causes = Causes::of(&trace);
    let run = Run::new(Packed::of(&causes));
    let replay = Replay::of(&causes);
    let begins = Packed::origin(&trace);
    let time = |nanos: i64| (nanos - begins) as f64;
    let same = replay.replay(&[]);
    let times: Vec<(f64, f64)> =
        same.operations.iter().map(|&(start, end)| (time(start), time(end))).collect();
    let moved = run.moved(&times);
    for place in 0..trace.operations.len() as u32 {
        let both = [&run, &moved]
            .map(|run| run.operation(place).map(|bar| (bar.start, bar.end, run.text(&bar).to_owned())));
        assert_eq!(both[0], both[1]);
    }
    let lanes: Vec<Lane> = moved.rows.iter().map(|row| row.lane).collect();
    assert_eq!(lanes, [Lane::Was, Lane::Stream]);
}

#[test]
fn pictures_have_no_more_marks_than_room() {
    let run = made(3, 20_000);
    for (t0, t1) in [(0.0, 2_100.0), (0.0, 200.0), (0.0, 20.0), (700.0, 701.0)] {
        let look = Look { t0, t1, ..Look::whole(&run, 1_200.0) };
        let list = draw(&run, &look);
        assert!(list.marks.len() < 1_500, "{t0} to {t1}: {}", list.marks.len());
        for mark in &list.marks {
            if let kit::draw::Mark::Rect { x, w, .. } = mark {
                assert!(*w >= 0.0 && *x >= 0.0 && x + w <= 1_201.0, "{mark:?}");
            }
        }
    }
    let Some(run) = run_in(&example(EXAMPLES[0]).0) else { unreachable!("it holds a run") };
    let list = strip(&run, 800.0);
    assert!(list.height == STRIP && list.marks.len() > 20);
    let look = Look::whole(&run, 1_000.0);
    let Some(bar) = run.operation(3) else { unreachable!("it is there") };
    let scale = look.scale();
    let middle =
        (scale.pixel((bar.start + bar.end) / 2.0), look.top(&run, bar.row) + 0.5 * look.row_height(&run));
    assert_eq!(look.hit(&run, middle), Some(bar));
    assert_eq!(look.hit(&run, (middle.0, 2.0)), None);
}

#[test]
fn a_stretch_is_a_document_of_blocks_that_runs_as_it_was_recorded() {
    let (_, trace) = example(EXAMPLES[0]);
    let Ok(tree) = crate::export::blocks(&trace, 0, i64::MIN, i64::MAX) else {
        unreachable!("few operations")
    };
    let streams = tree["blocks"]["streams"].as_array().map_or(0, Vec::len);
    let issued: Vec<&Value> =
        tree["blocks"]["streams"][0]["operations"].as_array().into_iter().flatten().collect();
    let kernels = issued.iter().filter(|one| one.get("kernel").is_some()).count();
    let copies = issued.iter().filter(|one| one.get("copy").is_some()).count();
    assert_eq!((streams, kernels, copies), (1, 36, 8));
    let sleeps: i64 = issued.iter().filter_map(|one| one.get("sleep")?.as_i64()).sum();
    let launched: Vec<i64> =
        trace.operations.iter().filter_map(|own| Some(trace.calls[own.call? as usize].start)).collect();
    assert_eq!(
        Some(sleeps),
        launched.iter().max().zip(launched.iter().min()).map(|(last, first)| last - first)
    );
    assert!(
        crate::export::blocks(&trace, 0, 0, 1).is_err()
            && crate::export::blocks(&trace, 9, 0, i64::MAX).is_err()
    );
    let (mut many, first) = (trace.clone(), trace.operations[0].clone());
    many.operations = vec![first.clone(); 401];
    let notes = |trace: &Trace| {
        crate::export::blocks(trace, 0, i64::MIN, i64::MAX).map(|tree| tree["notes"].to_string())
    };
    assert!(notes(&many).is_ok_and(|said| said.contains("The first 400 of the 401 operations")));
    let mut large =
        trace.operations.iter().find(|own| matches!(own.kind, Kind::Kernel(_))).cloned().unwrap_or(first);
    if let Kind::Kernel(shape) = &mut large.kind {
        let shape = Arc::make_mut(shape);
        (shape.grid, shape.block) = ([2_000, 1_000, 1], [2_048, 1, 1]);
    }
    many.operations = vec![large.clone(), large.clone()];
    assert!(
        notes(&many).is_ok_and(|said| said.contains("The first 1 of the 2 operations")
            && said.contains("1 kernel asks for more"))
    );
    if let Kind::Kernel(shape) = &mut large.kind {
        Arc::make_mut(shape).grid = [u32::MAX, u32::MAX, 1];
    }
    many.operations = vec![large];
    assert!(notes(&many).is_err_and(|why| why.contains("The first kernel of this stretch has")));
}

fn problems(body: &str) -> String {
    let text = format!(r#"{{"warpspan": 1, "trace": {body}}}"#);
    match LINKED.read(&text) {
        Ok(_) => "taken".to_owned(),
        Err(problems) => problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
    }
}

#[test]
fn gpus_of_one_number_are_told_apart() {
    assert_eq!(super::says::gpus(&[0, 1]), ["GPU 0", "GPU 1"]);
    assert_eq!(super::says::gpus(&[0, 1, 0]), ["GPU 0 · 1", "GPU 1", "GPU 0 · 2"]);
}

#[test]
fn what_is_wrong_with_a_document_is_said() {
    let with = |changes: &str| {
        let (tree, _) = example(EXAMPLES[0]);
        problems(&format!(
            r#"{{"recorded": {}, "changes": {changes}}}"#,
            json::line(&tree["trace"]["recorded"])
        ))
    };
    assert_eq!(
        problems("{}"),
        r#"trace: no recording in it, expected exactly one of "files" and "recorded""#
    );
    assert_eq!(problems(r#"{"files": []}"#), "trace.files: 0 files, expected 1 to 64 files");
    assert_eq!(problems(r#"{"files": ["a.sqlite", {"name": "b", "bytes": 12}]}"#), "taken");
    assert!(problems(r#"{"recorded": {"a": 1}}"#).starts_with("trace.recorded: "));
    assert!(problems(r#"{"recorded": 7}"#).starts_with("trace.recorded: 7, expected an object"));
    assert_eq!(with(r#"[{"operations": "gemm", "takes": 50}, {"calls": [0], "at_once": true}]"#), "taken");
    assert_eq!(
        with(r#"[{"operations": "gem", "takes": 50}]"#),
        "trace.changes[0].operations: none is called \"gem\", expected a name that is in the run"
    );
    assert_eq!(
        with(r#"[{"calls": [4000], "waits": false}, {"streams": [[0, 7], [0, 9]]}]"#),
        "trace.changes[0].calls: 1 number that the run does not have, expected numbers of the run\n\
         trace.changes[1].streams: no stream 9 on device 0, expected a stream of the run"
    );
    assert!(
        with(r#"[{"operations": "gemm"}]"#).starts_with("trace.changes[0]: nothing that changes operations")
    );
    assert!(with(r#"[{"operations": "gemm", "without": "luck"}]"#).starts_with("trace.changes[0].without: "));
    assert!(with(r#"[{}]"#).starts_with("trace.changes[0]: no change"));
}

#[test]
fn a_document_of_files_says_what_it_waits_for() {
    let text = r#"{"warpspan": 1, "title": "t", "trace": {"files": ["a.sqlite"]}}"#;
    let report = LINKED.read(text).map(|scenario| LINKED.run(&scenario).line());
    assert_eq!(report.as_deref(), Ok(r#"{"scenario":"t","lab":"traces","waits_for":["a.sqlite"]}"#));
    let scenario = LINKED.read(text).unwrap_or_else(|_| unreachable!("valid"));
    let given = scenario.asked::<TraceScenario>().map(|asked| asked.given.clone());
    assert!(matches!(given, Some(Given::Files(files)) if files.len() == 1));
    let (_, trace) = example(EXAMPLES[0]);
    assert!(changes(&trace, &[]).is_ok_and(|none| none.is_empty()));
}
