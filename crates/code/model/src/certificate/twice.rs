//! What the formula counts twice, once more: second cycles of holds in which a warp cannot be blocked by them alone. The
//! argument is that of [`crate::bounds`], in `overlap.rs` and `beside.rs` there; this is its arithmetic by itself, warp by warp, from the
//! rules.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::launch::{Instruction, Launch};

/// Stalls of pairs beyond this are not looked at.
const MOST: u32 = 8;

/// How many cycles fewer a warp is blocked while it executes some places than the others' instructions weigh; in so many
/// cycles of them something from before may be held. `others` are the warps and places that were weighed.
pub fn counted_twice(
    launch: &Launch,
    warp: usize,
    own: &Range<usize>,
    spill: u64,
    others: &[(usize, Range<usize>)],
) -> u64 {
    let used = |unit: u16| own.clone().any(|place| launch.at(warp, place).unit == Some(unit));
    let single = |unit: u16| launch.machine().units[usize::from(unit)].count == 1;
    let all_single = own.clone().filter_map(|place| launch.at(warp, place).unit).all(single);
    if launch.machine().issue != 1 || !all_single {
        return 0;
    }
    // Units that the warp has let go of by the second cycle after its last issue.
    let let_go = |unit: u16| {
        let mut before = (0..own.end).map(|place| launch.at(warp, place));
        used(unit) && before.all(|one| one.unit != Some(unit) || one.hold <= 2 || one.hold <= one.stall)
    };
    let units = 0..launch.machine().units.len() as u16;
    let used: Vec<bool> = units.clone().map(used).collect();
    let let_go: Vec<bool> = units.map(let_go).collect();
    let partition = launch.warps()[warp].partition;
    let near = || others.iter().filter(|(other, _)| launch.warps()[*other].partition == partition);
    let long = |one: &Instruction| one.hold >= 2 && one.unit.is_some_and(|unit| used[usize::from(unit)]);
    let goes_on = |first: &Instruction, next: &Instruction| {
        let free = next.unit.is_none_or(|unit| let_go[usize::from(unit)] && next.unit != first.unit);
        free && !next.barrier && next.waits.is_empty()
    };
    let mut best = 0;
    for most in 1..=MOST {
        let mut lost = 0u64;
        // By unit the shortest of the long holds, and the longest stall of a pair.
        let mut shortest: BTreeMap<u16, u32> = BTreeMap::new();
        let mut longest: BTreeMap<u16, u32> = BTreeMap::new();
        for (other, places) in near() {
            let mut bound_by_last = false;
            for place in places.clone() {
                let one = launch.at(*other, place);
                let Some(unit) = one.unit.filter(|_| long(one)) else {
                    bound_by_last = false;
                    continue;
                };
                let least = shortest.entry(unit).or_insert(one.hold);
                *least = one.hold.min(*least);
                let next = (place + 1 < places.end).then(|| launch.at(*other, place + 1));
                let next = next.filter(|next| goes_on(one, next));
                let pair = next.is_some_and(long) && (2..=most).contains(&one.stall);
                if pair {
                    let stall = longest.entry(unit).or_insert(one.stall);
                    *stall = one.stall.max(*stall);
                }
                // Whoever may be kept is kept, from the first on: along a row that keeps the most.
                let kept = !(bound_by_last || next.is_some() && one.stall == 1);
                lost += u64::from(!kept);
                bound_by_last = kept && pair;
            }
        }
        let mut row: Vec<u16> = own.clone().filter_map(|place| launch.at(warp, place).unit).collect();
        row.retain(|unit| shortest.contains_key(unit));
        row.dedup();
        let kept_all_the_same =
            |unit: &u16| longest.get(unit).map_or(0, |stall| u64::from((stall - 2) / shortest[unit]) + 1);
        best = best.max(lost.saturating_sub(row.iter().map(kept_all_the_same).sum()));
    }
    for unit in (0..used.len() as u16).filter(|&unit| used[usize::from(unit)]) {
        let at = |warp: usize, place: usize| launch.at(warp, place);
        let all =
            near().flat_map(|(other, places)| places.clone().map(move |place| (*other, place, places.end)));
        let covered: u64 = all
            .map(|(other, place, end)| runs_beside(&|place| at(other, place), (place, end), unit, &used))
            .sum();
        // While it is blocked it may hold another unit that something waits for.
        let own =
            own.clone().map(|place| at(warp, place)).filter(|own| own.unit.is_some_and(|of| of != unit));
        let held: u64 = own.map(|own| u64::from(own.hold) - u64::from(own.hold.min(own.stall))).sum();
        best = best.max(covered.saturating_sub(held));
    }
    best.saturating_sub(spill)
}

/// In how many cycles of its hold on a unit an instruction has what its own warp does next beside it.
fn runs_beside<'a>(
    at: &dyn Fn(usize) -> &'a Instruction,
    (place, end): (usize, usize),
    unit: u16,
    used: &[bool],
) -> u64 {
    let first = at(place);
    if first.unit != Some(unit) {
        return 0;
    }
    let mut cycles = vec![false; first.hold as usize];
    let mut cycle = first.stall as usize;
    let mut next = place + 1;
    while cycle < cycles.len() && next < end {
        let one = at(next);
        let known = one.unit.is_none_or(|of| of != unit && used[usize::from(of)]);
        if !known || one.barrier || !one.waits.is_empty() {
            break;
        }
        let busy = one.unit.map_or(1, |_| one.hold.min(one.stall)) as usize;
        cycles.iter_mut().skip(cycle).take(busy).for_each(|covered| *covered = true);
        cycle += one.stall as usize;
        next += 1;
    }
    cycles.iter().filter(|covered| **covered).count() as u64
}
