//! The bound against the exhaustive search, from the start and from every state on the way.

use std::cell::Cell;

use super::super::instance::Place;
use super::super::tests::{Exhaustive, draw};
use super::coloured::ColouredBound;
use super::*;
use crate::exact::Problem;
use base::Seeded;

/// Makes the bound in small slices, with so many warps known exactly.
fn make(instance: &Instance, found: u32, small: usize) -> Option<LagrangianBound> {
    let mut bound = LagrangianBound::with(instance, found, 64 << 20, SmallTable::of(instance, small))?;
    while bound.step(instance, 5_000) {}
    Some(bound)
}

/// A bound as it is asked: from an aggregate on, or from the positions behind it.
pub(super) type Asked = Box<dyn Fn(&Instance, &Aggregate, &[Place]) -> Option<u32>>;

/// For how many of so many random instances a bound is made that `(warps, length)` limits, for how many it is exact from
/// the start on, and from how many states it was asked; it is never below the longest schedule.
pub(super) fn never_below(
    rounds: u32,
    (warps, length): (u32, u32),
    seed: u64,
    make: impl Fn(&Instance, u32, &mut Seeded) -> Option<Asked>,
) -> (u32, u32, u32) {
    let (mut rng, mut bounded, mut exact, mut states) = (Seeded::new(seed, 0), 0, 0, 0);
    for _ in 0..rounds {
        let (kernel, machine, warps, fairness) = draw(&mut rng, warps, length);
        let problem = Problem { kernel: &kernel, machine: &machine, warps, fairness: &fairness };
        let Some(instance) = Instance::new(&problem) else { continue };
        let mut twin = Exhaustive::new(problem);
        let (longest, _) = twin.range(vec![0; warps]);
        let Some(bound) = make(&instance, longest, &mut rng) else { continue };
        for (positions, longest) in twin.seen() {
            let mut aggregate = Aggregate::default();
            let place = |&p: &usize| Place { at: p as u32, warps: 1 };
            let mut places: Vec<Place> = positions.iter().map(place).collect();
            places.retain(|place| place.at < instance.length);
            aggregate.gather(&instance, &places);
            if let Some(bound) = bound(&instance, &aggregate, &places) {
                assert!(bound >= longest, "{bound} < {longest} from {positions:?}: {problem:?}");
                states += 1;
            }
        }
        let start = [Place { at: 0, warps: warps as u32 }];
        let bound = bound(&instance, &Aggregate::start(&instance), &start);
        bounded += u32::from(bound.is_some());
        exact += u32::from(bound == Some(longest));
    }
    (bounded, exact, states)
}

#[test]
fn never_below_the_longest_from_any_state() {
    let rounds = 1_000;
    let (bounded, exact, _) = never_below(rounds, (5, 9), 41, |instance, longest, rng| {
        let bound = make(instance, longest, 1 + rng.below(2) as usize)?;
        Some(Box::new(move |instance, aggregate, _| bound.bound(instance, aggregate)))
    });
    assert!(bounded * 3 > rounds && exact > 0, "{bounded} {exact}");
}

#[test]
fn never_below_the_longest_from_any_positions() {
    for (rounds, limits, seed) in [(700, (5, 9), 44), (300, (5, 11), 101)] {
        let (bounded, exact, states) = never_below(rounds, limits, seed, |instance, longest, rng| {
            let memory = 1 << (14 + rng.below(8));
            let mut bound = ColouredBound::new(instance, longest, memory)?;
            while bound.step(5_000) {}
            let cycles = |parts: i64| (parts.max(0) / i64::from(PARTS)) as u32;
            Some(Box::new(move |_, _, places| bound.parts(places).map(cycles)))
        });
        assert!(
            bounded * 2 > rounds && exact > bounded / 4 && states > 20 * rounds,
            "{bounded} {exact} {states}"
        );
    }
}

#[test]
fn never_below_with_more_colours() {
    let (rounds, less) = (700, Cell::new(0));
    let (bounded, exact, _) = never_below(rounds, (5, 9), 45, |instance, longest, rng| {
        let memory = 1 << (13 + rng.below(4));
        let mut bound = ColouredBound::new(instance, longest, memory)?;
        while bound.step(5_000) {}
        let mut finer = bound.finer(longest, memory << 3)?;
        while finer.step(5_000) {}
        // Without any that prove less there is none.
        let all = finer.all()?;
        less.set(less.get() + u32::from(bound.all().is_some_and(|former| all < former)));
        let cycles = |parts: i64| (parts.max(0) / i64::from(PARTS)) as u32;
        Some(Box::new(move |_, _, places| finer.parts(places).map(cycles)))
    });
    assert!(bounded > 40 && less.get() > 15 && exact > bounded / 2, "{bounded} {} {exact}", less.get());
}

/// Twenty-five runs whose longest schedule takes 138 cycles with four warps.
#[test]
fn colours_know_what_comes() {
    let text = "4C 2L 2C 2L 3C 2L 3C 2L 3C 2L 3C 2L 3C 2L 3C 2L 3C 2L 3C 2L 4C 2L 3C 2L C";
    let Ok(kernel) = crate::Kernel::parse(text) else { unreachable!("{text}") };
    let machine = crate::Machine { capacity: crate::PerUnit([1, 2, 1, 1]), issue: Some(4) };
    let fairness = crate::Fairness::WorkConserving;
    let problem = Problem { kernel: &kernel, machine: &machine, warps: 4, fairness: &fairness };
    let Some(instance) = Instance::new(&problem) else { unreachable!("all units are there") };
    let Some(mut bound) = ColouredBound::new(&instance, 138, 1 << 26) else { unreachable!("it fits") };
    while bound.step(100_000) {}
    assert_eq!(bound.all(), Some(138));
}

#[test]
fn many_short_runs() {
    let text = "3L 5C 2L 4C 3L C 2L 3C 4L 2C 3L 5C 2L 4C L 2C 3L 3C 2L C 3L";
    let Ok(kernel) = crate::Kernel::parse(text) else { unreachable!("{text}") };
    let machine = crate::Machine { capacity: crate::PerUnit([1, 4, 1, 1]), issue: Some(4) };
    let fairness = crate::Fairness::WorkConserving;
    let problem = Problem { kernel: &kernel, machine: &machine, warps: 7, fairness: &fairness };
    let Some(instance) = Instance::new(&problem) else { unreachable!("all units are there") };
    let start = Aggregate::start(&instance);
    let bound = make(&instance, 230, 3).and_then(|bound| bound.bound(&instance, &start));
    // Blocked cycles alone give 271.
    assert!(bound.is_some_and(|bound| (212..=262).contains(&bound)), "{bound:?}");
}
