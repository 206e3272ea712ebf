//! Loads that take their time, held against a search of its own that tries everything.
//!
//! That search is in `common/loads.rs`.

#![cfg(not(target_arch = "wasm32"))]

mod common;
#[path = "common/loads.rs"]
mod loads;

use common::{document, report, run, warpspan};
use loads::Case;
use serde_json::Value;

use warpspan::base::Seeded;
use warpspan::warps::anneal::{Neighbourhood, Settings, StartKind};
use warpspan::warps::memory::Problem;
use warpspan::warps::memory::anneal::AnnealingChain;
use warpspan::warps::memory::bounds::Bounds;
use warpspan::warps::memory::check::check;
use warpspan::warps::memory::construct::{construct, started};
use warpspan::warps::memory::exact::Search;
use warpspan::warps::{self, Order, Schedule, Start};

fn rows(schedule: &Schedule) -> Vec<Vec<u32>> {
    (0..schedule.warps()).map(|warp| schedule.warp(warp).to_vec()).collect()
}

/// Nothing may be wrong with it.
fn sound(problem: &Problem, schedule: &Schedule, missed: &[(u16, u16)], what: &str) {
    let flaws: Vec<String> =
        check(problem, &rows(schedule), missed).iter().map(ToString::to_string).collect();
    assert_eq!(flaws, Vec::<String>::new(), "{what}: {problem:?} {schedule:?} {missed:?}");
}

/// Some loads of all that may miss.
fn some_misses(problem: &Problem, rng: &mut Seeded) -> Vec<(u16, u16)> {
    problem.settled().unwrap_or_else(|| {
        let mut loads = warps::memory::misses::loads(problem);
        rng.shuffle(&mut loads);
        loads.truncate(rng.below(1 + problem.most_misses() as u32) as usize);
        loads.sort_unstable();
        loads
    })
}

#[test]
fn every_order_and_every_start_makes_a_sound_schedule_that_its_columns_give_back() {
    let mut rng = Seeded::new(1, 0);
    for round in 0..3_000 {
        let case = Case::random(&mut rng, 5, 8);
        case.with(|problem| {
            let missed = some_misses(problem, &mut rng);
            let order = Start::Random(round).order(problem.kernel, problem.machine, problem.warps);
            let schedule = construct(problem, &order, &missed).expect("complete");
            sound(problem, &schedule, &missed, "an order");
            assert_eq!(construct(problem, &schedule.to_order(), &missed).as_ref(), Some(&schedule));
            for start in Start::FIXED {
                let schedule = started(problem, start, &missed).expect("complete");
                sound(problem, &schedule, &missed, start.name());
                assert_eq!(construct(problem, &schedule.to_order(), &missed), Some(schedule));
            }
        });
    }
}

#[test]
fn loads_of_one_cycle_are_as_without_memory() {
    let mut rng = Seeded::new(2, 0);
    for round in 0..2_000 {
        let case = Case { hit: 1, miss: 1, ..Case::random(&mut rng, 6, 9) };
        case.with(|problem| {
            let order = Start::Random(round).order(problem.kernel, problem.machine, problem.warps);
            let published = warps::construct(problem.kernel, problem.machine, &order, problem.warps);
            assert_eq!(construct(problem, &order, &[]), published, "{case:?}");
            for start in Start::FIXED {
                let order = start.order(problem.kernel, problem.machine, problem.warps);
                let published = warps::construct(problem.kernel, problem.machine, &order, problem.warps);
                assert_eq!(started(problem, start, &[]), published, "{case:?} {start:?}");
            }
        });
    }
}

#[test]
fn the_exact_search_finds_what_trying_everything_finds() {
    let mut rng = Seeded::new(3, 0);
    let (mut by_bound, mut above) = (0, 0);
    for _ in 0..1_500 {
        let case = Case::random(&mut rng, 3, 4);
        let longest = case.longest();
        case.with(|problem| {
            let bound = Bounds::new(problem).expect("served").whole(problem);
            assert!(bound >= longest, "{case:?}: bound {bound}, longest {longest}");
            by_bound += u32::from(bound == longest);
            above += bound - longest;
            let mut search = Search::new(problem, 64 << 20).expect("served");
            while search.step(problem, 1_000) {}
            let (schedule, missed) = search.best();
            sound(problem, schedule, missed, "the exact search");
            assert_eq!((schedule.makespan(), search.upper().0), (longest, longest), "{case:?}");
        });
    }
    // The bound alone is exact for many, and near for most.
    assert!(by_bound > 700 && above < 1_500, "{by_bound} {above}");
}

#[test]
fn annealing_never_finds_more_and_often_as_much() {
    let mut rng = Seeded::new(4, 0);
    let mut met = 0;
    for round in 0..300 {
        let case = Case::random(&mut rng, 3, 4);
        let longest = case.longest();
        case.with(|problem| {
            let neighbourhood = if round % 2 == 0 { Neighbourhood::Swap } else { Neighbourhood::Auto };
            let settings = Settings { iterations: 400, rounds: 1, t0: 0.5, seed: round, neighbourhood };
            let mut chain = AnnealingChain::new(problem, settings, StartKind::Random, 0).expect("served");
            while chain.advance(64) > 0 {}
            let (order, missed) = chain.witness().expect("an order");
            let schedule = construct(problem, &order, &missed).expect("complete");
            sound(problem, &schedule, &missed, "annealing");
            assert_eq!(schedule.makespan(), chain.best());
            assert!(chain.best() <= longest, "{case:?}");
            met += u32::from(chain.best() == longest);
        });
    }
    assert!(met > 270, "{met}");
}

/// Each number of every chain is that of the naive construction, iteration by iteration.
#[test]
fn a_chain_says_what_the_construction_says() {
    let mut rng = Seeded::new(5, 0);
    for round in 0..200 {
        let case = Case::random(&mut rng, 6, 12);
        case.with(|problem| {
            let starts = [StartKind::Random, StartKind::MostPending, StartKind::FixedPriority];
            let neighbourhood = if round % 3 == 0 { Neighbourhood::Swap } else { Neighbourhood::Auto };
            let settings = Settings { iterations: 100, rounds: 2, t0: 2.0, seed: round, neighbourhood };
            let start = starts[round as usize % 3];
            let mut chain = AnnealingChain::new(problem, settings, start, 1).expect("served");
            while chain.advance(1) > 0 {
                let (order, missed, makespan) = chain.present();
                let order = Order::new(order, problem.warps, problem.kernel.len()).expect("an order");
                let schedule = construct(problem, &order, &missed).expect("complete");
                assert_eq!(schedule.makespan(), makespan, "{case:?}");
            }
        });
    }
}

/// The report of `warps` with these fields, held against the rules.
fn of(fields: &str, memory: &str, method: &str) -> Value {
    report(&format!(r#"{fields}, "memory": {{{memory}}}, "method": {method}"#))
}

const TWO: &str = r#""kernel": "LCL", "count": 2, "machine": {"L": 1, "C": 1}"#;
const THREE: &str = r#""kernel": "LCL", "count": 3, "machine": {"L": 1, "C": 1}"#;
const TURNS: &str = r#"{"initial": "round-robin"}"#;

/// By hand: warp 1 in 1 to 3, 4, 7 to 9; warp 2 in 4 to 6, 7, 10 to 12.
#[test]
fn two_warps_that_hold_their_place() {
    let report = of(TWO, r#""mode": "held", "miss": 3"#, TURNS);
    assert_eq!(
        (&report["makespan"], common::rows(&report)),
        (&Value::from(12), vec![vec![1, 4, 7], vec![4, 7, 10]])
    );
    assert_eq!(report["memory"]["missed"], serde_json::json!([[1, 1], [1, 3], [2, 1], [2, 3]]));
    assert_eq!(report["utilisation"]["L"], 1.0);
    assert!(report["memory"].get("placement").is_none());
}

/// By hand: warp 1 in 1 to 3, 4, 5 to 7; warp 2 in 2 to 4, 5, 6 to 8.
#[test]
fn two_warps_on_a_pipelined_unit() {
    let report = of(TWO, r#""mode": "pipelined", "miss": 3"#, TURNS);
    assert_eq!(
        (&report["makespan"], common::rows(&report)),
        (&Value::from(8), vec![vec![1, 4, 5], vec![2, 5, 6]])
    );
    assert_eq!(report["utilisation"]["L"], 0.5);
}

/// By hand: with every load a hit 7 cycles, with a miss of warp 1's first load 6.
#[test]
fn a_miss_can_help() {
    let order = r#"{"order": [1, 2, 1, 1, 2, 2, 3, 3, 3]}"#;
    let hits = of(THREE, r#""mode": "pipelined", "misses": "none""#, order);
    assert_eq!(common::rows(&hits), [vec![1, 2, 3], vec![2, 3, 4], vec![5, 6, 7]]);
    let missing = of(THREE, r#""mode": "pipelined", "miss": 2, "missing": [[1, 1]]"#, order);
    assert_eq!(
        (&missing["makespan"], &missing["memory"]["misses"]),
        (&Value::from(6), &Value::from("given"))
    );
    assert_eq!(common::rows(&missing), [vec![1, 3, 4], vec![2, 4, 5], vec![3, 5, 6]]);
    let worst = of(THREE, r#""mode": "pipelined", "miss": 2, "misses": 1"#, order);
    assert_eq!(worst["makespan"], 8);
    assert!(worst["memory"]["placement"].as_str().is_some_and(|how| how.contains("all placements")));
}

/// The schedules of the reports above, given back.
#[test]
fn a_given_schedule_is_checked() {
    let schedule = r#"{"schedule": [[1, 4, 7], [4, 7, 10]]}"#;
    assert_eq!(of(TWO, r#""mode": "held", "miss": 3"#, schedule)["makespan"], 12);
    for (memory, why) in [
        (r#""mode": "held", "miss": 4"#, "starts before instruction 1 is complete at the end of cycle 4"),
        (
            r#""mode": "held", "miss": 2"#,
            "not work-conserving at cycle 3: L (load/store) has a free place and warp 2 is",
        ),
        (r#""mode": "pipelined", "miss": 3"#, "not work-conserving at cycle 2"),
        (r#""mode": "held", "miss": 3, "misses": 2"#, "which loads miss in it is not said"),
    ] {
        let answer = run(&document(&format!(r#"{TWO}, "memory": {{{memory}}}, "method": {schedule}"#)));
        assert_eq!(answer.status, 2, "{memory}");
        assert!(answer.err.contains("warps.method.schedule: ") && answer.err.contains(why), "{}", answer.err);
    }
    let crowded = r#"{"schedule": [[1, 4, 7], [2, 5, 8]]}"#;
    let answer =
        run(&document(&format!(r#"{TWO}, "memory": {{"mode": "held", "miss": 3}}, "method": {crowded}"#)));
    assert!(
        answer.err.contains("over capacity at cycle 2: 2 places of L (load/store) taken, which has 1"),
        "{}",
        answer.err
    );
}

#[test]
fn every_method_gives_a_sound_report_and_none_beats_the_exact_one() {
    let mut rng = Seeded::new(6, 0);
    for _ in 0..8 {
        let case = Case::random(&mut rng, 3, 4);
        let [l, c, s, _] = case.places;
        let issue = case.issue.map_or("null".to_owned(), |n| n.to_string());
        let machine = format!(r#"{{"L": {l}, "C": {c}, "S": {s}, "issue": {issue}}}"#);
        let fields = format!(r#""kernel": "{}", "count": {}, "machine": {machine}"#, case.kernel, case.warps);
        let misses = case.misses.map_or(r#""all""#.to_owned(), |n| n.to_string());
        let mode = if case.held { "held" } else { "pipelined" };
        let memory =
            format!(r#""mode": "{mode}", "hit": {}, "miss": {}, "misses": {misses}"#, case.hit, case.miss);
        let exact = of(&fields, &memory, r#"{"exact": {}}"#);
        assert_eq!(
            (&exact["exact"], &exact["makespan"]),
            (&Value::Bool(true), &case.longest().into()),
            "{case:?}"
        );
        for method in [
            TURNS,
            r#"{"initial": "most-pending"}"#,
            r#"{"initial": "greedy-then-oldest"}"#,
            r#"{"initial": "random", "seed": 4}"#,
            r#"{"anneal": {"iterations": 50}}"#,
            r#"{"beam": {"width": 5}}"#,
            r#"{"beam": {"width": 5, "guided": true}}"#,
        ] {
            let report = of(&fields, &memory, method);
            assert!(report["makespan"].as_u64() <= exact["makespan"].as_u64(), "{method} {case:?}");
            assert!(report["upper"].as_u64() >= exact["makespan"].as_u64(), "{method} {case:?}");
        }
    }
}

/// However work is cut and shared out, the report is the same.
#[test]
fn threads_and_slices_change_nothing() {
    let without_seconds = |report: &str| {
        let mut report: Value = serde_json::from_str(report).expect("a report is JSON");
        report["seconds"] = Value::from(0);
        for line in report.get_mut("bracket").and_then(Value::as_array_mut).into_iter().flatten() {
            line[0] = Value::from(0);
        }
        for chain in report.get_mut("chains").and_then(Value::as_array_mut).into_iter().flatten() {
            chain["seconds"] = Value::from(0);
            for improvement in chain["improvements"].as_array_mut().into_iter().flatten() {
                improvement[1] = Value::from(0);
            }
        }
        report
    };
    let memory = r#""memory": {"mode": "held", "miss": 4, "misses": 3}"#;
    for method in [
        r#"{"anneal": {"iterations": 300, "neighbourhood": "auto"}}"#,
        r#"{"exact": {}}"#,
        r#"{"beam": {"width": 9}}"#,
        r#"{"initial": "loose-round-robin"}"#,
    ] {
        let fields = r#""kernel": "2LC2LC", "count": 4, "machine": {"L": 1, "C": 1}"#;
        let text = document(&format!(r#"{fields}, {memory}, "method": {method}"#));
        let file = common::Scratch::new(text.as_bytes());
        let told = [1, 3].map(|threads: u32| {
            let answer = warpspan(&["run", "--threads", &threads.to_string(), file.path()]);
            assert_eq!(answer.err, "");
            without_seconds(&answer.out)
        });
        let scenario = warpspan::scenario::read(&text).expect("valid");
        let mut job = warpspan::job::start(scenario);
        let sliced = loop {
            match job.step(&mut warpspan::base::Control::slice(1)) {
                warpspan::job::Step::Done(report) => break without_seconds(&report.line()),
                warpspan::job::Step::More(_) => {
                    let early = job.stop(warpspan::base::StopReason::Cancelled).expect("there is a schedule");
                    common::sound(&serde_json::from_str(&early.line()).expect("JSON"));
                }
            }
        };
        assert_eq!((&told[0], &told[0]), (&told[1], &sliced), "{method}");
    }
}

/// Misses that are too many to try all placements are placed one by one, and that is said.
#[test]
fn a_placement_that_is_no_proof_says_so() {
    let fields = r#""kernel": "5L 9C 2L 9C", "count": 8, "machine": {"L": 1, "C": 4}"#;
    let report = of(fields, r#""mode": "held", "miss": 4, "misses": 6"#, TURNS);
    let how = report["memory"]["placement"].as_str().expect("it is said");
    assert!(how.starts_with("a lower bound"), "{how}");
    assert!(report["memory"]["missed"].as_array().is_some_and(|missed| missed.len() <= 6));
}

#[test]
fn certificates_are_accepted_and_pictures_have_long_loads() {
    let text = document(&format!(r#"{TWO}, "memory": {{"mode": "held", "miss": 3}}, "method": {TURNS}"#));
    let file = common::Scratch::new(text.as_bytes());
    let answer = warpspan(&["certify", file.path()]);
    assert_eq!((answer.status, answer.err.as_str()), (0, ""));
    let claim = common::Scratch::new(answer.out.as_bytes());
    assert_eq!(warpspan(&["check", claim.path()]).status, 0);
    let convert = |to: &str| {
        let answer = warpspan(&["convert", file.path(), "--to", to]);
        assert_eq!((answer.status, answer.err.as_str()), (0, ""));
        answer.out
    };
    let csv = convert("csv");
    assert!(
        csv.starts_with("position,warp,instruction,unit,ready_cycle,cycle,waited_cycles,last_cycle\r\n"),
        "{csv}"
    );
    assert!(csv.contains("\r\n2,2,1,L,1,4,3,6\r\n"), "{csv}");
    assert!(convert("svg").contains(">M</text>"));
    let trace = convert("perfetto");
    assert!(trace.contains(r#""name":"M load/store, missed","ph":"X","ts":0,"dur":3"#), "{trace}");
}

/// A document with memory that takes one cycle is answered as one without.
#[test]
fn memory_of_one_cycle_changes_no_schedule() {
    let plain = report(&format!(r#"{THREE}, "method": {TURNS}"#));
    let memory = of(THREE, r#""mode": "held", "miss": 1"#, TURNS);
    assert!(plain.get("memory").is_none());
    for key in ["makespan", "order", "cycles", "utilisation", "kernel", "machine"] {
        assert_eq!(plain[key], memory[key], "{key}");
    }
}
