//! Searches over pretended workers: any number of them, pauses, deaths, extensions.

use super::*;
use crate::job::anneal::assemble;
use crate::job::chains::ChainRun;
use base::Control;
use kit::scenario::Scenario;

fn document(rounds: u32, starts: &str) -> String {
    format!(
        r#"{{"warpspan":1,"warps":{{"kernel":"2L 3C L","count":5,"machine":{{"L":1,"C":2}},
        "method":{{"anneal":{{"iterations":900,"rounds":{rounds},"starts":[{starts}]}}}}}}}}"#
    )
}

const THREE: &str = r#""round-robin","random","random""#;

fn read(text: &str) -> (Scenario, WarpsScenario) {
    let Ok(scenario) = crate::LINKED.read(text) else { unreachable!("{text}") };
    let Some(warps) = scenario.asked::<WarpsScenario>().cloned() else { unreachable!("it anneals") };
    (scenario, warps)
}

fn begun(text: &str, width: usize) -> Search {
    match Search::new(text, &read(text).1, width) {
        Some(search) => search,
        None => unreachable!("it anneals"),
    }
}

/// A worker that does `iterations` of a stretch.
fn work(stretch: &Stretch, iterations: u64) -> ChainState {
    let (_, warps) = read(&stretch.text);
    let Some(mut run) = ChainRun::new(&warps, stretch.chain, stretch.from.as_ref()) else {
        unreachable!("a stretch of the scenario")
    };
    run.step(&mut Control::unlimited(), stretch.until.min(run.iterations().saturating_add(iterations)));
    run.took(0.5);
    run.state()
}

/// Runs a search on `width` workers that take turns, in stretches of this many iterations.
fn run(search: &mut Search, stretch: u64) {
    let mut job = 100;
    let mut under_way = Vec::new();
    loop {
        while let Some(next) = search.next() {
            search.began(next.chain, job);
            under_way.push((job, next));
            job += 1;
        }
        if under_way.is_empty() {
            return;
        }
        let (job, next) = under_way.remove(under_way.len() / 2);
        search.heard(job, work(&next, stretch), true);
    }
}

/// Iteration and makespan of every improvement, chain by chain.
type Steps = Vec<Vec<(u64, u32)>>;

fn result(search: &Search) -> (Vec<u16>, Vec<u32>, Steps) {
    let (scenario, warps) = read(search.text());
    let Some(report) = assemble(&scenario, &warps, &search.states()) else { unreachable!("all ran") };
    let chains = report.chains.unwrap_or_default();
    let steps = chains.iter().map(|c| c.improvements.iter().map(|&(i, _, m)| (i, m)).collect()).collect();
    (report.order, report.cycles, steps)
}

#[test]
fn the_result_does_not_depend_on_workers_or_stretches() {
    let text = document(1, THREE);
    let (scenario, _) = read(&text);
    let Some(alone) = crate::LINKED.run(&scenario).into::<crate::report::WarpsReport>() else {
        unreachable!("it anneals")
    };
    for (width, stretch) in [(1, 10_000), (2, 77), (3, 300), (8, 1)] {
        let mut search = begun(&text, width);
        run(&mut search, stretch);
        assert_eq!(search.phase(), Phase::Over);
        let (order, cycles, steps) = result(&search);
        assert_eq!((order, cycles), (alone.order.clone(), alone.cycles.clone()), "{width} {stretch}");
        assert_eq!(steps.len(), 3);
        let Progress { done, total, best, .. } = search.progress();
        assert_eq!((done, total, best), (2700, 2700, Some(alone.makespan)));
    }
}

#[test]
fn chains_grow_together_and_no_more_run_than_there_are_workers() {
    let text = document(1, THREE);
    let mut search = begun(&text, 2);
    for (job, chain) in [(1, 0), (2, 1)] {
        let next = search.next();
        assert_eq!(next.map(|stretch| stretch.chain), Some(chain));
        search.began(chain, job);
    }
    assert_eq!(search.next(), None);
    let first = Stretch { text: text.clone(), chain: 0, from: None, until: 900 };
    search.heard(1, work(&first, 100), true);
    assert_eq!(search.next().map(|stretch| stretch.chain), Some(2), "the one that has not begun");
}

#[test]
fn the_time_that_is_left_is_told_in_whole_seconds() {
    let mut search = begun(&document(1, THREE), 2);
    assert_eq!(search.told(), "0 of 2,700 iterations in 3 chains");
    let Some(stretch) = search.next() else { unreachable!("a worker is free") };
    search.began(0, 1);
    search.heard(1, work(&stretch, 100), false); // in half a second
    let best = search.best().unwrap_or_default();
    assert_eq!(
        search.told(),
        format!(
            "100 of 2,700 iterations in 3 chains; longest makespan found: {best} cycles; about 7\u{a0}s left"
        )
    );
}

/// A chain that is heard of first may not be taken for another: improvements are chosen by chain number.
#[test]
fn chains_keep_their_numbers_before_all_have_begun() {
    let mut search = begun(&document(1, r#""round-robin","most-pending","random""#), 3);
    assert!(search.reports().is_empty());
    for job in 0..3 {
        let Some(stretch) = search.next() else { unreachable!("three may run") };
        search.began(stretch.chain, job);
        if job == 1 {
            search.heard(job, work(&stretch, 10), false);
        }
    }
    let reports = search.reports();
    let starts: Vec<&str> = reports.iter().map(|report| &*report.start).collect();
    assert_eq!(starts, ["round-robin", "most-pending", "random"]);
    let begun: Vec<bool> = reports.iter().map(|report| !report.improvements.is_empty()).collect();
    assert_eq!(begun, [false, true, false]);
    assert!(search.order_of(0, 0).is_none() && matches!(search.order_of(1, 0), Some(Ok(_))));
}

#[test]
fn pause_resume_stop_and_death() {
    let text = document(1, THREE);
    let mut search = begun(&text, 1);
    let Some(stretch) = search.next() else { unreachable!("there is work") };
    search.began(0, 7);
    assert_eq!(search.halt(Phase::Paused), [7]);
    assert!(search.heard(7, work(&stretch, 50), true));
    assert_eq!((search.next(), search.phase()), (None, Phase::Paused));
    search.resume();
    assert_eq!(search.next().map(|stretch| stretch.chain), Some(1));
    search.began(1, 8);
    assert!(search.lost(8));
    assert_eq!(search.next().map(|stretch| stretch.chain), Some(1), "it is tried again");
    for job in [9, 10] {
        search.began(1, job);
        assert_eq!(search.lost(job), job == 9);
    }
    assert!(!search.heard(8, work(&stretch, 50), true), "the dead are not heard");
    search.halt(Phase::Stopped);
    assert!(search.best_order().is_some());
    run(&mut search, 100);
    assert_eq!(search.phase(), Phase::Stopped);
}

#[test]
fn more_rounds_and_chains_give_what_asking_for_them_at_once_gives() {
    let (short, long) = (document(1, THREE), document(3, &format!("{THREE},\"most-pending\"")));
    let mut search = begun(&short, 2);
    run(&mut search, 400);
    assert!(search.extend(&long, &read(&long).1));
    assert_eq!(search.phase(), Phase::Running);
    run(&mut search, 400);
    let mut whole = begun(&long, 2);
    run(&mut whole, 10_000);
    assert_eq!(result(&search), result(&whole));
    // What is not more of the same is another search.
    let other = document(1, r#""random","random","random""#);
    assert!(!search.extend(&other, &read(&other).1));
    assert!(!search.extend(&short, &read(&short).1));
    let fair = long.replace("\"count\"", "\"fairness\":\"sub-block\",\"sub_blocks\":[3],\"count\"");
    assert!(!search.takes(&read(&fair).1) && search.takes(&read(&long).1), "fairness is another question");
}

#[test]
fn every_improvement_has_an_order_kept_or_found_again() {
    let text = document(1, THREE);
    let (_, warps) = read(&text);
    let mut search = begun(&text, 1);
    run(&mut search, 300);
    let mut again = 0;
    for (chain, state) in search.states().into_iter().flatten().enumerate() {
        for (improvement, &(_, _, makespan)) in state.improvements.iter().enumerate() {
            let order = match search.order_of(chain, improvement) {
                Some(Ok(order)) => order,
                Some(Err(stretch)) => {
                    again += 1;
                    let Some(order) = work(&stretch, u64::MAX).best_order() else { unreachable!("found") };
                    order
                }
                None => unreachable!("there is such an improvement"),
            };
            let machine = &warps.normalised.machine;
            let schedule = warps::construct(&warps.kernel, machine, &order, warps.count);
            assert_eq!(schedule.map(|schedule| schedule.makespan()), Some(makespan));
        }
    }
    assert!(again > 0, "some improvements come faster than messages");
    assert_eq!(search.order_of(0, 99), None);
}
