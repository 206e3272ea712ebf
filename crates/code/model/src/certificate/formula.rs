//! The formula once more: plainly, warp by warp and place by place.

use std::collections::BTreeSet;

use super::twice::counted_twice;
use crate::launch::Launch;

/// Divisible by every number of places and of slots there may be: the least common multiple of 1 to 64.
fn one() -> u128 {
    (1..=64u128).fold(1, |all, n| all / gcd(all, n) * n)
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// When the last thing of a launch is over at the latest.
pub fn upper(launch: &Launch) -> u64 {
    let blocks: BTreeSet<usize> = launch.warps().iter().map(|warp| warp.block).collect();
    blocks.into_iter().map(|block| of_block(launch, block)).max().unwrap_or(0)
}

/// The first place of each segment of a warp.
fn starts(launch: &Launch, warp: usize) -> Vec<usize> {
    let barriers = (0..launch.length(warp)).filter(|&place| launch.at(warp, place).barrier);
    std::iter::once(0).chain(barriers).collect()
}

fn of_block(launch: &Launch, block: usize) -> u64 {
    let members: Vec<usize> =
        (0..launch.warps().len()).filter(|&w| launch.warps()[w].block == block).collect();
    let all_starts: Vec<Vec<usize>> = (0..launch.warps().len()).map(|warp| starts(launch, warp)).collect();
    let count = all_starts[members[0]].len();
    if members.iter().any(|&warp| all_starts[warp].len() != count) {
        let lasts = |warp: usize| -> u64 {
            let own = (0..launch.length(warp)).map(|place| launch.at(warp, place));
            own.map(|own| u64::from(own.longest()) + u64::from(own.stall)).sum()
        };
        return (0..launch.warps().len()).map(lasts).sum();
    }
    let range = |warp: usize, segment: usize| {
        let from = all_starts[warp][segment];
        let to = all_starts[warp].get(segment + 1).copied().unwrap_or(launch.length(warp));
        from..to
    };
    let one = one();
    let units = 0..launch.machine().units.len() as u16;
    let by_others: Vec<Vec<u32>> =
        members.iter().map(|&warp| units.clone().map(|unit| places(launch, warp, unit)).collect()).collect();
    let mut ready: Vec<Vec<u64>> = members.iter().map(|&warp| vec![0; launch.length(warp)]).collect();
    let mut blocked: Vec<Vec<u64>> = members.iter().map(|&warp| vec![0; launch.length(warp)]).collect();
    let (mut begins, mut end) = (0u64, 0u64);
    for segment in 0..count {
        let mut spill = 0u64;
        for &warp in &members {
            let from = range(warp, segment).start;
            let mut passed = 0;
            for place in (0..from).rev() {
                passed += u64::from(launch.at(warp, place).stall);
                spill = spill.max(u64::from(launch.at(warp, place).hold).saturating_sub(passed));
            }
        }
        let mut next = begins;
        for (number, &warp) in members.iter().enumerate() {
            let own = range(warp, segment);
            let uses = |unit: &u16| own.clone().any(|place| launch.at(warp, place).unit == Some(*unit));
            let full: Vec<Option<u32>> = units
                .clone()
                .map(|unit| Some(by_others[number][usize::from(unit)]).filter(|_| uses(&unit)))
                .collect();
            let mut weight = 0u128;
            let mut weighed = Vec::new();
            for other in (0..launch.warps().len()).filter(|&other| other != warp) {
                let mine = launch.warps()[other].block == block;
                let places = match (mine, count) {
                    (true, _) => range(other, segment),
                    (false, 1) => 0..launch.length(other),
                    (false, _) => 0..0,
                };
                for place in places.clone() {
                    weight += weighs(launch, (warp, &full), (other, place), one);
                }
                weighed.push((other, places));
            }
            // With barriers other blocks are added up apart, so that they may be there without weight here.
            let apart = count > 1 && launch.warps().iter().any(|other| other.block != block);
            let twice = if apart { 0 } else { counted_twice(launch, warp, &own, spill, &weighed) };
            // Then a part of a cycle may make a whole one with a part of theirs.
            let cycles = if apart { weight.div_ceil(one) } else { weight / one };
            let waits = (cycles as u64).saturating_sub(twice) + spill;
            for place in own.clone() {
                let from =
                    arrival(launch, (warp, place), own.start, (&ready[number], &blocked[number]), begins);
                // A barrier that begins a segment issues when all have come.
                ready[number][place] = if place == own.start && segment > 0 { begins } else { from };
                blocked[number][place] = waits;
                end = end.max(ready[number][place] + waits + u64::from(launch.at(warp, place).longest()));
            }
            if own.end < launch.length(warp) {
                let came =
                    arrival(launch, (warp, own.end), own.start, (&ready[number], &blocked[number]), begins);
                next = next.max(came + waits);
            }
        }
        begins = next;
    }
    let mut others = 0u128;
    for other in (0..launch.warps().len()).filter(|&w| count > 1 && launch.warps()[w].block != block) {
        for place in 0..launch.length(other) {
            let slot = one / u128::from(launch.machine().issue);
            let held =
                launch.at(other, place).unit.map_or(slot, |_| one * u128::from(launch.at(other, place).hold));
            others += held.max(slot);
        }
    }
    end + others.div_ceil(one) as u64
}

/// The stalls from one place to another.
fn stalls(launch: &Launch, warp: usize, from: usize, to: usize) -> u64 {
    (from..to).map(|place| u64::from(launch.at(warp, place).stall)).sum()
}

/// The latest that an instruction may issue for its own warp's sake, but for blocked cycles of its segment, which begins
/// at the place `start` and no later than the cycle `begins`.
fn arrival(
    launch: &Launch,
    (warp, place): (usize, usize),
    start: usize,
    (ready, blocked): (&[u64], &[u64]),
    begins: u64,
) -> u64 {
    let mut from = begins;
    if place > start {
        from = from.max(ready[place - 1] + u64::from(launch.at(warp, place - 1).stall));
    }
    for wait in &launch.at(warp, place).waits {
        // Of those on this scoreboard, all but the last `left` must be there.
        let mut left = wait.left;
        for by in (0..place).rev() {
            for set in launch.at(warp, by).sets.iter().rev().filter(|set| set.board == wait.board) {
                if left > 0 {
                    left -= 1;
                    continue;
                }
                let there = ready[by] + u64::from(set.most);
                from = from.max(if by >= start {
                    there
                } else {
                    let rest = u64::from(set.most).saturating_sub(stalls(launch, warp, by, start));
                    (there + blocked[by]).min(begins + rest)
                });
            }
        }
    }
    // Barriers ask for their unit once all have come.
    if let Some(unit) = launch.at(warp, place).unit.filter(|_| !launch.at(warp, place).barrier) {
        let count = launch.machine().units[usize::from(unit)].count as usize;
        let earlier = (start..place).rev().filter(|&by| launch.at(warp, by).unit == Some(unit));
        // All but the last `count - 1` must have let go.
        for by in earlier.skip(count - 1) {
            from = from.max(ready[by] + u64::from(launch.at(warp, by).hold));
        }
    }
    from
}

/// What another warp's instruction weighs for a warp in a segment: how many places others hold at least of the units it
/// uses there and finds full.
fn weighs(
    launch: &Launch,
    (warp, full): (usize, &[Option<u32>]),
    (other, place): (usize, usize),
    one: u128,
) -> u128 {
    let near = launch.warps()[warp].partition == launch.warps()[other].partition;
    let slot = if near { one / u128::from(launch.machine().issue) } else { 0 };
    let done = launch.at(other, place);
    let Some(unit) = done.unit.filter(|&unit| near || launch.shared(unit)) else { return slot };
    let Some(held) = full[usize::from(unit)] else { return slot };
    let each = one / u128::from(held);
    each.max(slot) + each * u128::from(done.hold - 1)
}

/// How many places of a unit others hold at least when a warp finds it full and does not fill it itself.
fn places(launch: &Launch, warp: usize, unit: u16) -> u32 {
    let count = launch.machine().units[usize::from(unit)].count;
    let mut most = 0;
    for place in (0..launch.length(warp)).filter(|&place| launch.at(warp, place).unit == Some(unit)) {
        let (mut passed, mut holds) = (0, 0);
        for by in (0..place).rev().map(|by| launch.at(warp, by)) {
            passed += u64::from(by.stall);
            holds += u32::from(by.unit == Some(unit) && u64::from(by.hold) > passed);
        }
        most = most.max(holds);
    }
    count - most.min(count - 1)
}
