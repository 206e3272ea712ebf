//! The search against trying everything.

use base::Seeded;

use super::{Goal, Search};
use crate::check::check;
use crate::tests::{oracle, random};
use crate::{Instruction, Launch, Machine, Scope, Unit};

const SMALL: random::Size = random::Size {
    warps: 4,
    partitions: 2,
    length: 4,
    latency: 4,
    range: 2,
    streams: 2,
    sets: 40,
    barriers: 30,
};

fn found(launch: &Launch, goal: Goal, known: u32) -> (u64, Option<crate::Schedule>) {
    let Some(mut search) = Search::new(&std::sync::Arc::new(launch.clone()), goal, known, 1 << 28) else {
        unreachable!("few warps")
    };
    while search.step(1_000) {}
    assert!(!search.gave_up());
    let (best, beyond) = search.bracket();
    assert_eq!(best, beyond, "{launch:?}");
    (best, search.witness())
}

#[test]
fn the_extremes_are_those_of_trying_everything() {
    let mut rng = Seeded::new(31, 0);
    let mut tried = 0;
    for _ in 0..2_000 {
        let launch = random::launch(&mut rng, SMALL);
        let Some((least, most)) = oracle::extremes(&launch, 6_000) else { continue };
        if least > most {
            continue;
        }
        tried += 1;
        for (goal, known, extreme) in [(Goal::Longest, 0, most), (Goal::Shortest, 100_000, least)] {
            let (best, witness) = found(&launch, goal, known);
            assert_eq!(best, u64::from(extreme), "{goal:?} {launch:?}");
            let Some(witness) = witness else { unreachable!("there is a schedule") };
            assert_eq!(check(&launch, &witness), [], "{launch:?} {witness:?}");
            assert_eq!(witness.makespan(&launch), extreme);
        }
    }
    assert!(tried > 900, "{tried}");
}

/// Voronoi of B, section VI, with issue limit 4: the worst cases of strings are a special case.
#[test]
fn published_worst_cases() {
    let unit = |name: &str, count| Unit { name: name.to_owned(), scope: Scope::Partition, count };
    let machine = Machine { partitions: 1, issue: 4, units: vec![unit("L", 1), unit("C", 4)] };
    let letters = [(5, 0), (9, 1), (2, 0), (9, 1)];
    let string = letters.iter().flat_map(|&(times, unit)| vec![Instruction::plain(unit, 1, 1); times]);
    let code: Vec<Instruction> = string.collect();
    for (warps, worst) in (1..).zip([25, 31, 37, 45]) {
        let Ok(launch) = Launch::uniform(machine.clone(), code.clone(), warps) else { unreachable!("sound") };
        assert_eq!(found(&launch, Goal::Longest, 0).0, worst);
    }
}

/// A result that comes sooner makes the whole longer.
#[test]
fn the_worst_latency_is_not_always_the_longest() {
    let mut rng = Seeded::new(33, 0);
    let mut anomalies = 0;
    for _ in 0..3_000 {
        let launch = random::launch(&mut rng, SMALL);
        if launch.misses().is_some() || launch.latencies() == 0 {
            continue;
        }
        let fixed: Vec<Instruction> = launch
            .code()
            .iter()
            .cloned()
            .map(|mut own| {
                own.sets.iter_mut().for_each(|set| set.least = set.most);
                own
            })
            .collect();
        let paths = launch.streams().iter().map(|own| own.path.clone()).collect();
        let Ok(longest) = Launch::new(launch.machine().clone(), fixed, paths, launch.warps().to_vec(), None)
        else {
            unreachable!("sound")
        };
        let (all, at_most) = (found(&launch, Goal::Longest, 0).0, found(&longest, Goal::Longest, 0).0);
        assert!(all >= at_most);
        anomalies += usize::from(all > at_most);
    }
    assert!(anomalies > 5, "{anomalies}");
}
