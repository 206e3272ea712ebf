//! What is found is a schedule, and on small launches mostly the longest.

use std::sync::Arc;

use base::{Control, Seeded};

use super::{Search, Settings};
use crate::bounds;
use crate::check::check;
use crate::exact::{self, Goal};
use crate::tests::random;

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
