//! The checker against trying everything, and against the bounds that it must not share.

use base::Seeded;

use super::{Claim, Proof, formula, judge, prove};
use crate::bounds;
use crate::schedule;
use crate::tests::{oracle, random};
use crate::{Policy, Schedule};

const SMALL: random::Size = random::Size {
    warps: 3,
    partitions: 2,
    length: 4,
    latency: 4,
    range: 2,
    streams: 2,
    sets: 40,
    barriers: 30,
};

#[test]
fn worst_cases_are_provable_and_nothing_below_them_is() {
    let mut rng = Seeded::new(51, 0);
    let mut seen = [0; 3];
    for _ in 0..1_500 {
        let launch = random::launch(&mut rng, SMALL);
        let Some((least, most)) = oracle::extremes(&launch, 3_000) else { continue };
        if least > most {
            continue;
        }
        assert_eq!(prove(&launch, u64::from(most) - 1, 1 << 20), None, "{launch:?}");
        match prove(&launch, most.into(), 1 << 20) {
            Some(Proof::Formula(bound)) => {
                seen[0] += 1;
                assert_eq!(bound, most.into());
            }
            Some(Proof::Stretches(bound)) => {
                seen[2] += 1;
                assert_eq!(bound, most.into());
            }
            Some(Proof::AllStates(_)) => seen[1] += 1,
            None => unreachable!("{launch:?}"),
        }
    }
    assert!(seen[0] > 100 && seen[1] > 100 && seen[2] > 0, "{seen:?}");
}

#[test]
fn both_formulas_give_the_same() {
    let size = random::Size {
        warps: 9,
        partitions: 4,
        length: 25,
        latency: 30,
        range: 20,
        streams: 2,
        sets: 40,
        barriers: 25,
    };
    let mut rng = Seeded::new(52, 0);
    let mut same = 0;
    for _ in 0..800 {
        let launch = random::launch(&mut rng, size);
        let (own, other) = (formula::upper(&launch), bounds::upper(&launch));
        // Weights of others' work are rounded up there.
        assert!(own <= other && other <= own + 1, "{own} {other}: {launch:?}");
        same += usize::from(own == other);
    }
    assert!(same > 780, "{same}");
    // Where much is counted twice.
    for _ in 0..800 {
        let launch = bounds::attacks::drawn(&mut rng, 9, 40);
        let (own, other) = (formula::upper(&launch), bounds::upper(&launch));
        assert!(own <= other && other <= own + 1, "{own} {other}: {launch:?}");
    }
}

#[test]
fn lies_are_told() {
    let mut rng = Seeded::new(53, 0);
    let mut told = [0; 3];
    for _ in 0..300 {
        let launch = random::launch(&mut rng, random::Size { sets: 20, ..SMALL });
        if launch.misses().is_some() {
            continue;
        }
        let made = Policy::OldestFirst.schedule(&launch, schedule::longest(&launch));
        let lower = made.makespan(&launch);
        let upper = bounds::upper(&launch);
        let judged = |schedule: &Schedule, lower, upper| {
            judge(&launch, &Claim { schedule, lower, upper }, 1 << 16).accepted
        };
        assert!(judged(&made, lower, upper));
        assert!(!judged(&made, lower + 1, upper));
        told[0] += usize::from(!judged(&made, lower, u64::from(lower) - 1));
        let mut late = made.clone();
        late.issued[0].iter_mut().for_each(|cycle| *cycle += 1);
        told[1] += usize::from(!judged(&late, late.makespan(&launch), upper));
        let mut short = made.clone();
        short.issued[0].pop();
        told[2] += usize::from(!judged(&short, lower, upper));
    }
    assert!(told[0] > 150 && told[1] > 150 && told[0] == told[2], "{told:?}");
}
