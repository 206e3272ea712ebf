//! The bound by stretches against all states, and against that of searches.

use std::sync::Arc;

use base::Seeded;

use super::{upper, within};
use crate::bounds::{Stretches, stretch::tests::drawn};
use crate::certificate::{Claim, Proof, all_states, judge, prove};
use crate::longest::{Search, Settings};
use crate::{Instruction, Launch, Machine, Scope, Set, Unit, Wait};

#[test]
fn no_schedule_is_beyond() {
    let mut rng = Seeded::new(81, 0);
    let (mut tried, mut met) = (0, 0);
    for number in 0..1_500 {
        let launch = drawn(&mut rng, 4, if number % 5 == 0 { 7 } else { 4 });
        let ways = launch.sets().map(|(_, _, set)| u64::from(set.most - set.least + 1));
        if ways.fold(1, u64::saturating_mul) > 64 {
            continue;
        }
        let Some((most, _)) = all_states::longest(&launch, 1_000) else { continue };
        let bound = upper(&launch);
        assert!(bound.is_some_and(|bound| bound >= most.into()), "{most} of {bound:?}: {launch:?}");
        tried += 1;
        met += u32::from(bound == Some(most.into()));
    }
    assert!(tried > 700 && met > 500, "{met} of {tried}");
}

#[test]
fn it_is_no_more_than_that_of_searches() {
    let mut rng = Seeded::new(82, 0);
    let mut same = [0; 3];
    for (at, (length, times)) in [(8, 400), (24, 150), (60, 12)].into_iter().enumerate() {
        for _ in 0..times {
            let launch = Arc::new(drawn(&mut rng, 4, length));
            let (own, other) = (upper(&launch), Stretches::of(&launch));
            let Some(other) = other else { continue };
            assert!(own.is_some_and(|own| own <= other), "{own:?} {other}: {launch:?}");
            same[at] += u32::from(own == Some(other));
        }
    }
    assert!(same[0] > 350 && same[1] > 80, "{same:?}");
}

/// Two loads, and a store that waits for both, by four warps: exact by stretches alone.
#[test]
fn what_is_exact_by_stretches_is_proven_and_nothing_less_is() {
    let unit = Unit { name: "u".to_owned(), scope: Scope::Multiprocessor, count: 1 };
    let machine = Machine { partitions: 4, issue: 1, units: vec![unit] };
    let load = |stall: u32| Instruction {
        sets: vec![Set { board: 0, least: 20, most: 60, hit: None }],
        ..Instruction::plain(0, 2, stall)
    };
    let store = Instruction { waits: vec![Wait { board: 0, left: 0 }], ..Instruction::plain(0, 2, 1) };
    let launch = Launch::uniform(machine, vec![load(6), load(2), store], 4);
    let launch = Arc::new(launch.unwrap_or_else(|problems| unreachable!("{problems:?}")));
    let mut search = Search::new(&launch, Settings { tastes: 200, iterations: 2_000, seed: 1 });
    while search.step(&mut base::Control::unlimited()) {}
    let (schedule, lower) = (search.best(), search.makespan());
    let judged = |lower: u32, upper: u64| judge(&launch, &Claim { schedule, lower, upper }, 1_000);
    let verdict = judged(lower, 80);
    assert_eq!((lower, verdict.accepted, verdict.proof), (80, true, Some(Proof::Stretches(80))));
    assert!(!judged(lower, 79).accepted && !judged(79, 80).accepted && !judged(81, 81).accepted);
    assert_eq!(prove(&launch, 85, 0), Some(Proof::Stretches(80)));
    assert_eq!(prove(&launch, 86, 0), Some(Proof::Formula(86)));
}

#[test]
fn what_it_is_not_made_for_has_no_bound() {
    let of = |partitions: u32, count: u32, warps: usize| {
        let unit = Unit { name: "u".to_owned(), scope: Scope::Multiprocessor, count };
        let machine = Machine { partitions, issue: 1, units: vec![unit] };
        let launch = Launch::uniform(machine, vec![Instruction::plain(0, 2, 1)], warps);
        launch.ok().and_then(|launch| upper(&launch))
    };
    assert_eq!(of(2, 1, 2), Some(4));
    // Two warps in a partition, two places; one alone is what it is.
    assert_eq!([of(1, 1, 2), of(2, 2, 2), of(2, 1, 1)], [None, None, Some(2)]);
}

#[test]
fn what_takes_too_much_work_has_no_bound() {
    let mut rng = Seeded::new(83, 0);
    let launch = drawn(&mut rng, 4, 60);
    let bound = upper(&launch);
    assert!(bound.is_some());
    // The same bound or none.
    for most_work in [0, 1_000, 100_000, 1 << 40] {
        let found = within(&launch, most_work);
        assert!(found.is_none() && most_work < 1 << 40 || found == bound, "{most_work}: {found:?}");
    }
    assert_eq!(within(&launch, 1_000), None);
}

/// Results that are never all waited for: of so many arcs nothing is said, and of waits that are alike one counts.
#[test]
fn more_arcs_than_can_be_kept_have_no_bound() {
    let of = |places: usize, sets: usize, waits: usize| {
        let unit = Unit { name: "u".to_owned(), scope: Scope::Multiprocessor, count: 1 };
        let machine = Machine { partitions: 2, issue: 1, units: vec![unit] };
        let own = Instruction {
            sets: vec![Set { board: 0, least: 90_000, most: 90_000, hit: None }; sets],
            waits: vec![Wait { board: 0, left: 1 }; waits],
            ..Instruction::plain(0, 1, 1)
        };
        Launch::uniform(machine, vec![own; places], 2).ok().and_then(|launch| upper(&launch))
    };
    assert_eq!(of(1_024, 40, 1), None);
    assert!(of(16, 2, 1).is_some());
    assert_eq!(of(16, 2, 90), of(16, 2, 1));
}
