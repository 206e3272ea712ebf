//! The search and its bound against trying every set of warps in every cycle, with one warp told apart from the start on.

use std::collections::BTreeMap;

use super::super::lagrangian::PARTS;
use super::super::tests::{Exhaustive, draw};
use super::*;
use crate::exact::{Problem, path};
use base::Seeded;

/// For each key the longest way to the end on which no warp ends after the last one; none where there is no way.
type Ways = BTreeMap<(Vec<usize>, usize), Option<u32>>;

fn longest(twin: &Exhaustive, problem: &Problem, key: (Vec<usize>, usize), ways: &mut Ways) -> Option<u32> {
    if let Some(&way) = ways.get(&key) {
        return way;
    }
    let ((positions, last), end) = (&key, problem.kernel.len());
    let own = positions.iter().position(|at| at == last)?;
    let pending: Vec<usize> = (0..positions.len()).filter(|&w| positions[w] < end).collect();
    let mut way = None;
    for mask in 1u32..1 << pending.len() {
        let set: Vec<usize> = (0..pending.len()).filter(|i| mask >> i & 1 == 1).map(|i| pending[i]).collect();
        if !twin.allowed(positions, &set) {
            continue;
        }
        let mut next = positions.clone();
        set.iter().for_each(|&w| next[w] += 1);
        let to = next[own];
        next.sort_unstable();
        let rest = match to == end {
            true => next.iter().all(|&at| at == end).then_some(0),
            false => longest(twin, problem, (next, to), ways),
        };
        way = way.max(rest.map(|rest| rest + 1));
    }
    ways.insert(key, way);
    way
}

/// Asks for this target and holds the answer against the truth; whether there is such a schedule.
fn ask(search: &mut VictimSearch, problem: &Problem, bound: &ColouredBound, longest: i32) -> bool {
    let Some(instance) = Instance::new(problem) else { unreachable!("served") };
    while search.step(&instance, bound, 50) {}
    match search.outcome() {
        Outcome::Found(keys) => {
            let schedule = path::to_schedule(&instance, search.code(), keys.iter().map(Vec::as_slice));
            let Some(schedule) = schedule else { unreachable!("{problem:?}") };
            assert_eq!(schedule.makespan() as usize, keys.len() - 1);
            assert!(Exhaustive::accepts(*problem, &schedule), "{problem:?}");
            assert!(
                search.target() <= schedule.makespan().cast_signed()
                    && schedule.makespan().cast_signed() <= longest
            );
            true
        }
        &Outcome::None(most) => {
            assert!(longest <= most && most < search.target(), "{most} {longest} {problem:?}");
            false
        }
        other => unreachable!("{other:?} {problem:?}"),
    }
}

/// With random instances, how many are searched, and of how many keys the bound is asked.
fn agree(rounds: u32, limits: (u32, u32), seed: u64) -> (u32, u32) {
    let (mut rng, mut searched, mut keys) = (Seeded::new(seed, 0), 0, 0);
    for _ in 0..rounds {
        let (kernel, machine, warps, fairness) = draw(&mut rng, limits.0, limits.1);
        let problem = Problem { kernel: &kernel, machine: &machine, warps, fairness: &fairness };
        let Some(instance) = Instance::new(&problem) else { continue };
        let mut twin = Exhaustive::new(problem);
        let (all, _) = twin.range(vec![0; warps]);
        let Some(mut bound) = ColouredBound::new(&instance, all, 1 << (14 + rng.below(8))) else { continue };
        while bound.step(5_000) {}
        let mut ways = Ways::new();
        assert_eq!(longest(&twin, &problem, (vec![0; warps], 0), &mut ways), Some(all), "{problem:?}");
        for ((positions, last), way) in &ways {
            let places: Vec<Place> = positions.iter().map(|&p| Place { at: p as u32, warps: 1 }).collect();
            let unfinished = places.iter().filter(|place| place.at < instance.length).count();
            let parts = bound.parts_beside(&places[..unfinished], *last as u32);
            let least = way.map_or(i64::MIN, |way| i64::from(way) * i64::from(PARTS));
            assert!(parts.is_none_or(|parts| parts >= least), "{parts:?} {way:?} {positions:?} {problem:?}");
            keys += u32::from(parts.is_some());
        }
        // One search for all targets, as the driver has it, or one for each, with next to no memory.
        let all = all.cast_signed();
        let mut search = VictimSearch::new(&instance, all + 2, 1 << 20);
        for target in
            [all + 2, all - 1, all + 1, all, all + 1, 1 + rng.below(all.unsigned_abs()).cast_signed()]
        {
            search.retarget(target);
            assert_eq!(ask(&mut search, &problem, &bound, all), target <= all);
        }
        for target in [all, all + 1] {
            let mut search = VictimSearch::new(&instance, target, 8_000);
            while search.step(&instance, &bound, 50) {}
            if *search.outcome() != Outcome::Failed {
                assert_eq!(ask(&mut search, &problem, &bound, all), target <= all);
            }
        }
        searched += 1;
    }
    (searched, keys)
}

#[test]
fn agrees_with_trying_everything() {
    let (searched, keys) = agree(1_500, (4, 9), 51);
    assert!(searched > 750 && keys > 30_000, "{searched} {keys}");
}

#[test]
fn agrees_on_longer_strings_and_with_more_warps() {
    let (searched, keys) = agree(400, (5, 11), 52);
    assert!(searched > 200 && keys > 20_000, "{searched} {keys}");
}
