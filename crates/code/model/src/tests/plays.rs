//! The engine plays what the naive twin plays, and the check accepts that and nothing that is changed.

use base::Seeded;

use super::{naive, random};
use crate::check::check;
use crate::engine::{Chooser, Engine};
use crate::policy::Policy;
use crate::schedule::{self, Schedule};

const SIZE: random::Size = random::Size {
    warps: 7,
    partitions: 3,
    length: 12,
    latency: 8,
    range: 12,
    streams: 3,
    sets: 40,
    barriers: 14,
};

struct Keys<'a>(&'a dyn Fn(usize, usize) -> u64);

impl Chooser for Keys<'_> {
    fn key(&mut self, _: u32, warp: usize, place: usize, _: u32) -> u64 {
        self.0(warp, place)
    }
}

#[test]
fn the_engine_plays_what_its_twin_plays() {
    let mut rng = Seeded::new(1, 0);
    for _ in 0..3_000 {
        let launch = random::launch(&mut rng, SIZE);
        let latencies = random::latencies(&mut rng, &launch);
        let keys: Vec<u64> = (0..100).map(|_| rng.below(50).into()).collect();
        let key = |warp: usize, place: usize| keys[(warp * 13 + place) % keys.len()];
        let slow = naive::play(&launch, &latencies, &key);
        let mut engine = Engine::new(&launch);
        let makespan = engine.play(&launch, &latencies, &mut Keys(&key));
        assert_eq!(engine.rows(), slow.issued, "{launch:?} {latencies:?}");
        assert_eq!(makespan, slow.makespan(&launch));
        assert_eq!(check(&launch, &slow), [] as [crate::check::Flaw; 0], "{launch:?} {slow:?}");
    }
}

/// A schedule is made again by keys that are its own cycles.
#[test]
fn a_schedule_is_made_by_its_own_cycles() {
    let mut rng = Seeded::new(2, 0);
    for _ in 0..500 {
        let launch = random::launch(&mut rng, SIZE);
        let latencies = random::latencies(&mut rng, &launch);
        for policy in Policy::ALL {
            let made = policy.schedule(&launch, latencies.clone());
            assert_eq!(check(&launch, &made), []);
            let again = Engine::new(&launch).play(
                &launch,
                &latencies,
                &mut Keys(&|warp, place| made.issued[warp][place].into()),
            );
            assert_eq!(again, made.makespan(&launch));
        }
    }
}

/// The check against a check that asks the naive twin in every cycle.
#[test]
fn changed_schedules_are_told_from_sound_ones() {
    let mut rng = Seeded::new(3, 0);
    let (mut sound, mut flawed) = (0, 0);
    for _ in 0..4_000 {
        let launch = random::launch(&mut rng, SIZE);
        let latencies = random::latencies(&mut rng, &launch);
        let policy = Policy::ALL[rng.below(3) as usize];
        let mut made = policy.schedule(&launch, latencies);
        let warp = rng.below(made.issued.len() as u32) as usize;
        match rng.below(4) {
            0 if !made.latencies.is_empty() => {
                let at = rng.below(made.latencies.len() as u32) as usize;
                made.latencies[at] = (made.latencies[at] + rng.below(5)).saturating_sub(2);
            }
            1 => {
                let at = rng.below(made.issued[warp].len() as u32) as usize;
                made.issued[warp][at] += 1 + rng.below(2);
            }
            2 => {
                let at = rng.below(made.issued[warp].len() as u32) as usize;
                made.issued[warp][at..].iter_mut().for_each(|cycle| *cycle += 1);
            }
            _ => {
                let at = rng.below(made.issued[warp].len() as u32) as usize;
                made.issued[warp][at..].iter_mut().for_each(|cycle| *cycle = cycle.saturating_sub(1));
            }
        }
        let slow = legal(&launch, &made);
        assert_eq!(check(&launch, &made).is_empty(), slow, "{launch:?} {made:?} {:?}", check(&launch, &made));
        if slow { sound += 1 } else { flawed += 1 }
    }
    assert!(sound > 200 && flawed > 1_000, "{sound} {flawed}");
}

/// Whether a schedule keeps the rules: in every cycle those issue that it says, all may, and nobody else can.
fn legal(launch: &crate::Launch, made: &Schedule) -> bool {
    let ranged = launch
        .sets()
        .zip(&made.latencies)
        .all(|((_, _, set), latency)| (set.least..=set.most).contains(latency));
    if !ranged || launch.misses().is_some_and(|most| made.misses(launch) > most) {
        return false;
    }
    let mut past = naive::Past::new(launch, made.latencies.clone());
    let last = made.issued.iter().flatten().copied().max().unwrap_or(0);
    for cycle in 1..=last {
        let may: Vec<usize> = (0..launch.warps().len()).filter(|&warp| past.may(warp, cycle)).collect();
        for &warp in &may {
            if made.issued[warp][past.issued[warp].len()] == cycle {
                if !past.fits(warp, cycle) {
                    return false;
                }
                past.issued[warp].push(cycle);
            }
        }
        let left = |warp: usize| past.issued[warp].last() != Some(&cycle);
        if may.iter().any(|&warp| left(warp) && past.fits(warp, cycle)) {
            return false;
        }
    }
    past.issued == made.issued
}

#[test]
fn latencies_at_their_ends_are_in_their_ranges() {
    let mut rng = Seeded::new(4, 0);
    for _ in 0..300 {
        let launch = random::launch(&mut rng, SIZE);
        let sure = launch.sets().filter(|(_, _, set)| set.hit.is_some_and(|hit| hit < set.least)).count();
        if launch.misses().is_some_and(|most| (most as usize) < sure) {
            continue;
        }
        for latencies in [schedule::longest(&launch), schedule::shortest(&launch)] {
            let made = Policy::OldestFirst.schedule(&launch, latencies);
            assert_eq!(check(&launch, &made), []);
        }
    }
}
