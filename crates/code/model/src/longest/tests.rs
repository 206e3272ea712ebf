//! What is found is a schedule, and on small launches mostly the longest.

use std::sync::Arc;

use base::{Control, Seeded};

use super::part::Part;
use super::{Cycles, Search, Settings};
use crate::bounds;
use crate::check::check;
use crate::engine::Engine;
use crate::exact::{self, Goal};
use crate::launch::{Instruction, Launch, Set, Wait};
use crate::machine::{Machine, Scope, Unit};
use crate::policy::Policy;
use crate::schedule::Schedule;
use crate::tests::{oracle, random};
use crate::{Warp, schedule};

#[test]
fn the_longest_schedules_of_small_launches_are_found() {
    let size = random::Size {
        warps: 4,
        partitions: 2,
        length: 6,
        latency: 5,
        range: 4,
        streams: 2,
        sets: 40,
        barriers: 14,
    };
    let mut rng = Seeded::new(41, 0);
    let (mut tried, mut hit) = (0, 0);
    for round in 0..150 {
        let launch = random::launch(&mut rng, size);
        let sure = launch.sets().filter(|(_, _, set)| set.hit.is_some_and(|hit| hit < set.least)).count();
        if launch.misses().is_some_and(|most| (most as usize) < sure) {
            continue;
        }
        let mut search =
            Search::new(&Arc::new(launch.clone()), Settings { tastes: 40, iterations: 600, seed: round });
        while search.step(&mut Control::slice(500)) {}
        assert_eq!(check(&launch, search.best()), [], "{launch:?}");
        assert_eq!(search.best().makespan(&launch), search.makespan());
        let Some(mut all) =
            exact::Search::new(&Arc::new(launch.clone()), Goal::Longest, search.makespan(), 1 << 26)
        else {
            continue;
        };
        let mut left = 300;
        while left > 0 && all.step(1_000) {
            left -= 1;
        }
        let (best, beyond) = all.bracket();
        if best == beyond {
            tried += 1;
            hit += usize::from(best == u64::from(search.makespan()));
        }
    }
    assert!(tried > 80 && hit * 100 >= tried * 90, "{hit} of {tried}");
}

/// The search as an adversary of the bounds, on launches that are too large to be tried out.
#[test]
fn nothing_that_is_found_is_beyond_the_bounds() {
    let size = random::Size {
        warps: 8,
        partitions: 3,
        length: 24,
        latency: 30,
        range: 20,
        streams: 2,
        sets: 40,
        barriers: 20,
    };
    let mut rng = Seeded::new(42, 0);
    let mut met = 0;
    for round in 0..120 {
        let launch = random::launch(&mut rng, size);
        let sure = launch.sets().filter(|(_, _, set)| set.hit.is_some_and(|hit| hit < set.least)).count();
        if launch.misses().is_some_and(|most| (most as usize) < sure) {
            continue;
        }
        let mut search =
            Search::new(&Arc::new(launch.clone()), Settings { tastes: 60, iterations: 400, seed: round });
        while search.step(&mut Control::unlimited()) {}
        assert_eq!(check(&launch, search.best()), [], "{launch:?}");
        let upper = bounds::upper(&launch);
        assert!(u64::from(search.makespan()) <= upper, "{} of {upper}: {launch:?}", search.makespan());
        met += usize::from(u64::from(search.makespan()) == upper);
    }
    assert!(met > 10, "{met}");
}

/// Results that miss in any case count among those that may: nothing else may miss then. By trying everything, no schedule
/// is longer than what is found, and what is found keeps the limit.
#[test]
fn what_misses_in_any_case_leaves_fewer_misses_for_others() {
    let mut rng = Seeded::new(43, 0);
    let (mut tried, mut scarce) = (0, 0);
    for round in 0..400 {
        let code: Vec<Instruction> = (0..2 + rng.below(2))
            .map(|place| {
                let least = 1 + rng.below(3);
                let hit = Some(least + rng.below(3) - 1);
                let set = Set { board: 0, least, most: least + rng.below(4), hit };
                let waits = if place > 0 { vec![Wait { board: 0, left: 0 }] } else { Vec::new() };
                let plain = Instruction::plain(0, 1, 1);
                Instruction { unit: None, sets: vec![set], waits, ..plain }
            })
            .collect();
        let path = (0..code.len() as u32).collect();
        let machine = Machine { partitions: 1, issue: 1, units: Vec::new() };
        let warps = vec![Warp { stream: 0, partition: 0, block: 0 }; 1 + rng.below(2) as usize];
        let Ok(launch) = Launch::new(machine, code, vec![path], warps, Some(rng.below(4))) else {
            unreachable!("sound")
        };
        let Some((_, most)) = oracle::extremes(&launch, 20_000).filter(|(least, most)| least <= most) else {
            continue; // more misses than there may be, or too many ways
        };
        for policy in Policy::ALL {
            let made = policy.schedule(&launch, schedule::longest(&launch));
            assert_eq!(check(&launch, &made), [], "{launch:?}");
        }
        let settings = Settings { tastes: 40, iterations: 300, seed: round };
        let mut search = Search::new(&Arc::new(launch.clone()), settings);
        while search.step(&mut Control::unlimited()) {}
        assert_eq!(check(&launch, search.best()), [], "{launch:?}");
        assert!(search.makespan() <= most, "{} of {most}: {launch:?}", search.makespan());
        tried += 1;
        let sure = launch.sets().filter(|(_, _, set)| set.hit.is_some_and(|hit| hit < set.least)).count();
        scarce += usize::from(sure > 0 && launch.misses().is_some_and(|most| most as usize <= sure + 1));
    }
    assert!(tried > 150 && scarce > 50, "{tried} {scarce}");
}

/// A schedule that breaks a rule is let go, however it came to be the longest.
#[test]
fn only_what_keeps_the_rules_is_told() {
    let launch = Arc::new(services(1, 2, Scope::Partition));
    let settings = Settings { tastes: 4, iterations: 4, seed: 1 };
    let mut search = Search::new(&launch, settings);
    let (before, sound) = (search.makespan(), search.best().clone());
    assert_eq!(check(&launch, &sound), []);
    let last = search.best.issued[0].len() - 1;
    search.best.issued[0][last] += 7;
    search.makespan = search.best.makespan(&launch) + 7;
    assert_ne!(check(&launch, search.best()), []);
    assert!(search.hold());
    assert_eq!((search.makespan(), search.best()), (before, &sound));
    assert!(!search.hold());
}

/// A warp waits for one service after the other; each partition has a unit of its own for them.
fn services(partitions: u32, warps: usize, scope: Scope) -> Launch {
    let units = vec![Unit { name: "u".to_owned(), scope, count: 1 }];
    let wait = Wait { board: 0, left: 0 };
    let set = Set { board: 0, least: 6, most: 8, hit: None };
    let service = |first: bool| Instruction {
        waits: if first { Vec::new() } else { vec![wait] },
        sets: vec![set],
        ..Instruction::plain(0, 3, 1)
    };
    let code = vec![service(true), service(false), service(false)];
    Launch::uniform(Machine { partitions, issue: 1, units }, code, warps).expect("a launch")
}

#[test]
fn all_partitions_take_as_long_as_the_best_beam_over_one() {
    let launch = services(2, 6, Scope::Partition);
    let mut alone =
        exact::Search::new(&Arc::new(services(1, 3, Scope::Partition)), Goal::Longest, 0, 1 << 26)
            .expect("a search");
    while alone.step(1_000) {}
    let mut part = Part::new(&launch).expect("partitions alike");
    let mut longest = 0;
    while longest < alone.bracket().0 {
        assert!(part.promises(0), "{longest}");
        let Some(found) = part.step(1_000) else { continue };
        let makespan = Engine::new(&launch).play(&launch, &found.latencies, &mut Cycles(&found.issued));
        part.took(makespan);
        longest = longest.max(makespan.into());
    }
    assert_eq!(longest, alone.bracket().1);
    // Of no use where one warp is alone, and refused where partitions differ.
    assert!(Part::new(&services(2, 2, Scope::Partition)).is_none());
    assert!(Part::new(&services(2, 5, Scope::Partition)).is_none());
}

#[test]
fn beams_over_one_partition_keep_the_rules_where_units_are_shared() {
    let launch = services(2, 6, Scope::Multiprocessor);
    let mut part = Part::new(&launch).expect("partitions alike");
    let found = loop {
        if let Some(found) = part.step(1_000) {
            break found;
        }
    };
    let mut engine = Engine::new(&launch);
    engine.play(&launch, &found.latencies, &mut Cycles(&found.issued));
    let played = Schedule { issued: engine.rows(), latencies: found.latencies };
    assert_eq!(check(&launch, &played), []);
}
