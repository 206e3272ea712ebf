//! Bounds against every schedule of small launches, and against drawn schedules of larger ones.

use base::Seeded;

use super::{lower, upper};
use crate::engine::{Chooser, Engine};
use crate::exact::{Goal, Search};
use crate::tests::{oracle, random};
use crate::{Instruction, Launch, Machine, Scope, Set, Unit};

const SMALL: random::Size = random::Size {
    warps: 3,
    partitions: 2,
    length: 4,
    latency: 4,
    range: 2,
    streams: 2,
    sets: 40,
    barriers: 14,
};

#[test]
fn no_schedule_of_a_small_launch_is_outside() {
    let mut rng = Seeded::new(21, 0);
    let (mut tried, mut tight) = (0, 0);
    for _ in 0..1_500 {
        let launch = random::launch(&mut rng, SMALL);
        let Some((least, most)) = oracle::extremes(&launch, 20_000) else { continue };
        if least > most {
            continue; // more misses than there may be
        }
        tried += 1;
        let (below, above) = (lower(&launch), upper(&launch));
        assert!(u64::from(most) <= above, "{most} of {above}: {launch:?}");
        assert!(u64::from(least) >= below, "{least} of {below}: {launch:?}");
        tight += usize::from(u64::from(most) == above);
    }
    assert!(tried > 900 && tight > 250, "{tried} {tight}");
}

/// Barriers, results that cross them, and counted waits: the exact search is the judge.
#[test]
fn no_schedule_with_barriers_is_outside() {
    let size = random::Size {
        warps: 3,
        partitions: 2,
        length: 7,
        latency: 9,
        range: 3,
        streams: 1,
        sets: 50,
        barriers: 35,
    };
    let mut rng = Seeded::new(24, 0);
    let (mut tried, mut tight) = (0, 0);
    for _ in 0..1_500 {
        let launch = random::launch(&mut rng, size);
        let Some(mut search) = Search::new(&std::sync::Arc::new(launch.clone()), Goal::Longest, 0, 1 << 24)
        else {
            continue;
        };
        let mut left = 20;
        while left > 0 && search.step(2_000) {
            left -= 1;
        }
        let (most, beyond) = search.bracket();
        assert!(most <= upper(&launch), "{most}: {launch:?}");
        if most == beyond && most > 0 {
            tried += 1;
            tight += usize::from(most == upper(&launch));
            assert!(lower(&launch) <= most);
        }
    }
    assert!(tried > 700 && tight > 200, "{tried} {tight}");
}

struct Random(Seeded, bool);

impl Chooser for Random {
    fn key(&mut self, _: u32, warp: usize, _: usize, since: u32) -> u64 {
        match self.1 {
            true => self.0.below(1000).into(),
            // Whoever came last first, one warp always at the end.
            false => u64::from(warp == 0) << 40 | u64::from(u32::MAX - since),
        }
    }
}

#[test]
fn drawn_schedules_are_inside() {
    let size = random::Size {
        warps: 16,
        partitions: 4,
        length: 30,
        latency: 20,
        range: 10,
        streams: 2,
        sets: 30,
        barriers: 14,
    };
    let mut rng = Seeded::new(22, 0);
    for round in 0..1_500 {
        let launch = random::launch(&mut rng, size);
        let (below, above) = (lower(&launch), upper(&launch));
        for way in 0..6 {
            let latencies = if way % 3 == 0 {
                crate::schedule::longest(&launch)
            } else {
                random::latencies(&mut rng, &launch)
            };
            let seed = Seeded::new(round, way);
            let makespan = Engine::new(&launch).play(&launch, &latencies, &mut Random(seed, way % 2 == 0));
            assert!((below..=above).contains(&makespan.into()), "{below} {makespan} {above}: {launch:?}");
        }
    }
}

/// One warp without company takes exactly as long as its path.
#[test]
fn one_warp_takes_its_path() {
    let size = random::Size {
        warps: 1,
        partitions: 1,
        length: 20,
        latency: 9,
        range: 0,
        streams: 1,
        sets: 40,
        barriers: 14,
    };
    let mut rng = Seeded::new(23, 0);
    for _ in 0..500 {
        let launch = random::launch(&mut rng, size);
        let counted = launch.code().iter().any(|own| own.waits.iter().any(|wait| wait.left > 0));
        let several = launch.machine().units.iter().any(|unit| unit.count > 1);
        if counted || several || launch.misses().is_some() {
            continue;
        }
        let latencies = crate::schedule::longest(&launch);
        let takes = crate::Policy::OldestFirst.schedule(&launch, latencies).makespan(&launch);
        let barriers = launch.code().iter().any(|own| own.barrier);
        assert!(u64::from(takes) <= upper(&launch));
        if !barriers {
            assert_eq!((lower(&launch), upper(&launch)), (takes.into(), takes.into()), "{launch:?}");
        }
    }
}

#[test]
fn published_worst_cases_are_inside() {
    // Voronoi of B, section VI: exact worst cases with issue limit 4.
    let unit = |name: &str, count| Unit { name: name.to_owned(), scope: Scope::Partition, count };
    let machine = Machine { partitions: 1, issue: 4, units: vec![unit("L", 1), unit("C", 4)] };
    let letters = [(5, 0), (9, 1), (2, 0), (9, 1)];
    let string = letters.iter().flat_map(|&(times, unit)| vec![Instruction::plain(unit, 1, 1); times]);
    let code: Vec<Instruction> = string.collect();
    for (warps, worst) in (1..).zip([25, 31, 37, 45, 65, 78, 87]) {
        let Ok(launch) = Launch::uniform(machine.clone(), code.clone(), warps) else { unreachable!("sound") };
        assert!(upper(&launch) >= worst);
        assert!(lower(&launch) <= worst);
    }
}

/// With several segments what others of its block and what other blocks weigh are parts of one cycle: two of an issue of
/// two, one from each, keep a warp waiting once in each segment.
#[test]
fn parts_of_cycles_add_up_across_segments() {
    let machine = Machine { partitions: 1, issue: 2, units: Vec::new() };
    let plain = |stall| Instruction { unit: None, ..Instruction::plain(0, 1, stall) };
    let result = Set { board: 0, least: 20, most: 20, hit: None };
    let barrier = Instruction { barrier: true, sets: vec![result], ..plain(1) };
    let code = vec![plain(1), barrier, plain(2), plain(1)];
    let warp = |stream, block| crate::Warp { stream, partition: 0, block };
    let warps = vec![warp(0, 0), warp(0, 0), warp(1, 1)];
    let Ok(launch) = Launch::new(machine, code, vec![vec![0, 1], vec![2, 3]], warps, None) else {
        unreachable!("sound")
    };
    let Some((_, most)) = oracle::extremes(&launch, 1_000) else { unreachable!("small") };
    assert_eq!(most, 23);
    assert!(upper(&launch) >= 23, "{}", upper(&launch));
}
