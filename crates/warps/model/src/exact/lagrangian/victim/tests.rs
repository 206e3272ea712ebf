//! The bound against the exhaustive search, from the start and from every state on the way.

use super::super::tests;
use super::*;
use crate::exact::{Problem, path};

/// Makes the bound in small slices, from few prices; `memory` decides what it may track.
fn make(instance: &Instance, found: u32, memory: u64, tries: u32) -> Option<VictimBound> {
    let mut bound = VictimBound::new(instance, found, memory)?;
    bound.most = (tries, 4 * tries);
    while bound.step(instance, 5_000) {}
    Some(bound)
}

fn never_below(rounds: u32, warps: u32, length: u32, seed: u64) -> (u32, u32, u32) {
    tests::never_below(rounds, (warps, length), seed, |instance, longest, rng| {
        let (memory, tries) = (1 << (14 + rng.below(8)), 1 + rng.below(24));
        let bound = make(instance, longest, memory, tries)?;
        Some(Box::new(move |instance, aggregate, _| bound.bound(instance, aggregate)))
    })
}

#[test]
fn never_below_the_longest_from_any_state() {
    let rounds = 1_000;
    let (bounded, exact, states) = never_below(rounds, 5, 9, 43);
    assert!(
        bounded * 2 > rounds && exact > bounded / 4 && states > 20 * rounds,
        "{bounded} {exact} {states}"
    );
}

#[test]
fn never_below_the_longest_of_longer_strings() {
    let (bounded, exact, states) = never_below(1_500, 5, 11, 100);
    assert!(bounded > 750 && exact > bounded / 4 && states > 30_000, "{bounded} {exact} {states}");
}

/// Twenty-four runs, four warps, whose longest schedule is known to take 177 cycles.
#[test]
fn many_short_runs() {
    let body = "4D C 3D 3C 2L ".repeat(4);
    let text = format!("2L 2C 2L {body} C");
    let Ok(kernel) = crate::Kernel::parse(&text) else { unreachable!("{text}") };
    let machine = crate::Machine { capacity: crate::PerUnit([1, 2, 1, 1]), issue: Some(2) };
    let fairness = crate::Fairness::WorkConserving;
    let problem = Problem { kernel: &kernel, machine: &machine, warps: 4, fairness: &fairness };
    let Some(instance) = Instance::new(&problem) else { unreachable!("all units are there") };
    let start = Aggregate::start(&instance);
    let bound = make(&instance, 170, 1 << 24, 60).and_then(|bound| bound.bound(&instance, &start));
    // Blocked cycles alone give 207, cells of all warps 187.
    assert!(bound.is_some_and(|bound| (177..=184).contains(&bound)), "{bound:?}");
}

/// Strings of so many instructions that prices have to be lower: no schedule is longer, and no value stands for none.
#[test]
fn very_long_strings_have_lower_prices() {
    for (times, warps) in [(300, 9), (760, 4), (600, 10)] {
        let text = format!("{times}(3C 2L C 4S 2C L)");
        let Ok(kernel) = crate::Kernel::parse(&text) else { unreachable!("{text}") };
        let machine = crate::Machine { capacity: crate::PerUnit([1, 2, 1, 1]), issue: Some(2) };
        let fairness = crate::Fairness::WorkConserving;
        let problem = Problem { kernel: &kernel, machine: &machine, warps, fairness: &fairness };
        let Some(instance) = Instance::new(&problem) else { unreachable!("all units are there") };
        let cost = f64::from(instance.work()) * 2.0 * dearest(&instance) * f64::from(PARTS);
        assert!(instance.work() > 32_000 && cost <= f64::from(-(NEVER / 2)), "{text} {cost}");
        let Some(schedule) = path::starving(&instance) else { unreachable!("{text}") };
        let bound = make(&instance, schedule.makespan(), 1 << 28, 3);
        let proven = bound.and_then(|bound| bound.bound(&instance, &Aggregate::start(&instance)));
        let blocked = instance.longest(&Aggregate::start(&instance));
        let between = |proven| (schedule.makespan()..blocked).contains(&proven);
        assert!(proven.is_some_and(between), "{text}: {proven:?} of {blocked}");
    }
}

/// One run of so many instructions that those left of all warps are more than a cell has room for: nobody tracks them, and
/// they are no crash.
#[test]
fn a_run_longer_than_any_that_is_tracked() {
    let Ok(kernel) = crate::Kernel::parse("9600L 5C") else { unreachable!("it is one") };
    let machine = crate::Machine { capacity: crate::PerUnit([2, 1, 0, 0]), issue: None };
    let fairness = crate::Fairness::WorkConserving;
    let problem = Problem { kernel: &kernel, machine: &machine, warps: 9, fairness: &fairness };
    let Some(instance) = Instance::new(&problem) else { unreachable!("all units are there") };
    let Some(schedule) = path::starving(&instance) else { unreachable!("it is short enough") };
    let bound = make(&instance, schedule.makespan(), 1 << 28, 2);
    let proven = bound.and_then(|bound| bound.bound(&instance, &Aggregate::start(&instance)));
    assert!(proven.is_some_and(|proven| proven >= schedule.makespan()), "{proven:?} {}", schedule.makespan());
}
