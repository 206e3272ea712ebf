//! Reasons against what the naive twin sees in the same cycle.

use base::Seeded;

use super::{naive, random};
use crate::critical;
use crate::policy::Policy;
use crate::reasons::{Reason, Reasons};
use crate::schedule::Schedule;

const SIZE: random::Size = random::Size {
    warps: 6,
    partitions: 2,
    length: 9,
    latency: 6,
    range: 8,
    streams: 2,
    sets: 40,
    barriers: 14,
};

/// Everything that issues, with its cycle.
fn all(made: &Schedule) -> impl Iterator<Item = (u32, (usize, usize))> + '_ {
    made.issued
        .iter()
        .enumerate()
        .flat_map(|(warp, row)| row.iter().enumerate().map(move |(place, &at)| (at, (warp, place))))
}

#[test]
fn every_cycle_has_one_reason_and_it_is_so() {
    let mut rng = Seeded::new(11, 0);
    let mut seen = [0; 5];
    for _ in 0..800 {
        let launch = random::launch(&mut rng, SIZE);
        let latencies = random::latencies(&mut rng, &launch);
        let made = Policy::ALL[rng.below(3) as usize].schedule(&launch, latencies.clone());
        let reasons = Reasons::of(&launch, &made);
        // For every cycle the state at its beginning.
        let mut past = naive::Past::new(&launch, latencies);
        let last = made.issued.iter().flatten().copied().max().unwrap_or(0);
        for cycle in 1..=last {
            let may: Vec<bool> = (0..made.issued.len()).map(|warp| past.may(warp, cycle)).collect();
            let places: Vec<usize> = past.issued.iter().map(Vec::len).collect();
            for (warp, row) in made.issued.iter().enumerate() {
                if row.get(places[warp]) == Some(&cycle) {
                    past.issued[warp].push(cycle);
                }
            }
            for (warp, row) in made.issued.iter().enumerate() {
                let place = places[warp];
                if row.get(place).is_none_or(|&issued| issued == cycle) {
                    continue;
                }
                let mut told = reasons.at(warp, place).iter().filter(|w| w.from <= cycle && cycle <= w.to);
                let (Some(one), None) = (told.next(), told.next()) else {
                    unreachable!("one reason: {launch:?} {made:?} {warp} {place} {cycle}")
                };
                let by_others = matches!(one.reason, Reason::Unit { .. } | Reason::Slot { .. });
                assert_eq!(may[warp], by_others, "{launch:?} {made:?} {warp} {place} {cycle} {one:?}");
                match one.reason {
                    Reason::Stall => seen[0] += 1,
                    Reason::Scoreboard { by, .. } => {
                        seen[1] += 1;
                        assert!(made.finished(&launch, warp, by) >= cycle);
                    }
                    Reason::Barrier { by } => {
                        seen[2] += 1;
                        assert_ne!(by, warp);
                    }
                    Reason::Unit { by } => {
                        seen[3] += 1;
                        assert_eq!(launch.pool(by.0, by.1), launch.pool(warp, place));
                        let issued = made.issued[by.0][by.1];
                        assert!(issued <= cycle && cycle < issued + launch.at(by.0, by.1).hold);
                        let pool = launch.pool(warp, place);
                        let holds = |&(own, at): &(u32, (usize, usize))| {
                            own <= cycle
                                && cycle < own + launch.at(at.0, at.1).hold
                                && launch.pool(at.0, at.1) == pool
                        };
                        assert_eq!(all(&made).filter(holds).max(), Some((issued, by)));
                        assert!(!past.fits(warp, cycle));
                    }
                    Reason::Slot { by } => {
                        seen[4] += 1;
                        assert_eq!(made.issued[by.0][by.1], cycle);
                        let partition = launch.warps()[warp].partition;
                        let issues = |&(own, at): &(u32, (usize, usize))| {
                            own == cycle && launch.warps()[at.0].partition == partition
                        };
                        assert_eq!(all(&made).filter(issues).max(), Some((cycle, by)));
                    }
                    Reason::Nothing => unreachable!("it is work-conserving"),
                }
            }
        }
        for (warp, row) in made.issued.iter().enumerate() {
            let mut from = 1;
            for (place, &issued) in row.iter().enumerate() {
                let waited: u32 = reasons.at(warp, place).iter().map(|w| w.to - w.from + 1).sum();
                assert_eq!(waited, issued - from);
                from = issued + 1;
            }
        }
    }
    assert!(seen.iter().all(|&n| n > 100), "{seen:?}");
}

/// The critical path goes back to the first cycle, and every step of it is the stated cause and nothing else.
#[test]
fn the_critical_path_accounts_for_every_cycle() {
    let mut rng = Seeded::new(5, 0);
    for _ in 0..500 {
        let launch = random::launch(&mut rng, SIZE);
        let latencies = random::latencies(&mut rng, &launch);
        for policy in Policy::ALL {
            let made = policy.schedule(&launch, latencies.clone());
            let reasons = Reasons::of(&launch, &made);
            let path = critical::path(&launch, &made, &reasons);
            let issued = |at: (usize, usize)| made.issued[at.0][at.1];
            let first = path.first().map(|cause| made.finished(&launch, cause.at.0, cause.at.1));
            assert_eq!(first, Some(made.makespan(&launch)));
            for pair in path.windows(2) {
                let (late, by) = (pair[0], pair[1].at);
                let own = launch.at(by.0, by.1);
                let latency = |board: u8| {
                    let sets = own.sets.iter().enumerate().filter(|(_, set)| set.board == board);
                    sets.map(|(i, _)| made.latencies[launch.latency(by.0, by.1, i)]).collect::<Vec<_>>()
                };
                let between = issued(late.at) - issued(by);
                match late.reason {
                    Some(Reason::Stall) => assert_eq!(between, own.stall),
                    Some(Reason::Scoreboard { board, .. }) => assert!(latency(board).contains(&between)),
                    Some(Reason::Unit { .. }) => assert!(between <= own.hold),
                    Some(Reason::Slot { .. }) => assert_eq!(between, 1),
                    Some(Reason::Barrier { .. }) => assert!(between > 0),
                    Some(Reason::Nothing) | None => unreachable!("{late:?}"),
                }
            }
            assert_eq!(path.last().map(|cause| issued(cause.at)), Some(1), "{launch:?} {made:?}");
        }
    }
}
