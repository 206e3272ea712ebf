//! Cycles in which others that hold a unit for several cycles do not stand in the way alone: they are added up twice.
//!
//! Point 4 of [`super`] adds up all that others do as if it never ran beside each other. This file proves that some of it
//! must. It needs one issue a cycle, and one place of each unit that the warp `X` uses in the segment; there an
//! instruction of another warp of its partition that holds such a unit for `h >= 2` cycles weighs `h`.
//!
//! 1. *Lost.* Let `c` be the second cycle of such an instruction `i`. It is *lost* if `X` is not blocked in `c`, or if
//!    anything else weighs in `c`. As a partition issues one instruction a cycle, no two of them have the same second
//!    cycle: what others do weighs at least as much more than there are blocked cycles as there are lost second cycles.
//! 2. *Kept.* If `c` is not lost, nothing of the partition issues in `c`, so that `X` waits for a unit that is full: that of
//!    `i`. No warp of the partition could issue in `c`: each is not ready, or finds its unit full, be it that of `i`, one that
//!    `X` does not use, or one that `X` itself or something from before the segment holds.
//! 3. *What `X` holds.* Let `v` be a unit that `X` uses, and on which each of its holds lasts two cycles at the most, or no
//!    longer than its stall. Let `X` wait in a second cycle `c` that is kept, and let it have issued its last instruction in
//!    `t`. Then `c` is `t + 2` at the earliest, as `i` issued in `c - 1`, after `t`, where the slot was its own; and no
//!    earlier than `t` and the stall. So the hold of that last instruction, if it is on `v`, is over in `c`; those of the ones
//!    before began a stall earlier or more, and are over, too.
//! 4. *Pairs.* Let `p` be an instruction of a warp `Y` as in point 1, with stall `s`, and `q` the next one of `Y` in its
//!    segment, on no unit, or on one as in point 3 that is not that of `p`; `q` is no barrier and waits for no scoreboard. So
//!    `Y` is ready for `q` from `s - 1` cycles after the second cycle of `p` on, until `q` issues. Leave aside cycles in
//!    which something from before the segment holds a unit.
//!    - With `s = 1` the second cycle of `p` is lost by point 2.
//!    - If `q` holds its unit for two cycles or more, and the second cycles of both are kept, `X` waits for the unit of
//!      `p` in one and for that of `q` in the other, so it goes on between them.
//! 5. *Runs.* Cut what `X` executes in the segment into runs in which all instructions on units that others hold for two
//!    cycles or more are on one unit `u`. All second cycles that are kept while `X` is in a run are of instructions on `u`;
//!    so they are `g` cycles from each other, the least such hold on `u`. Let `c` be the last of them, those that
//!    point 4 leaves aside being taken away. If one of them is of
//!    the first of a pair whose second cycles are both kept, that of `q` is after the run; `Y` was not ready for `q` in `c`, or
//!    `q` had issued or else `c` were lost; so `c` is no more than `s - 2` cycles later. There are at most `(s - 2) / g + 1`
//!    such ones in a run.
//! 6. *Sum.* Of what is kept take away those, and one for each cycle of the spill. What is left has no `p` of stall 1 and
//!    not both of a pair; the most such instructions are found place by place. All others are lost. As it is enough to look
//!    at some pairs, those of longer stalls are left out where that gives more.

use super::paths::Paths;
use crate::launch::Launch;

/// The longest stall of a pair that is looked at.
const LONGEST: u64 = 8;

/// How many cycles fewer than others' work weighs a warp is blocked in a segment, in whose first `spill` cycles there are
/// holds from before; `other_blocks` as for [`super::work::Work::blocked`].
pub fn saved(
    launch: &Launch,
    paths: &[Paths],
    (warp, segment): (usize, usize),
    spill: u32,
    other_blocks: bool,
) -> u64 {
    let own = launch.warps()[warp];
    let Some(overlap) = Overlap::new(launch, paths, warp, segment) else { return 0 };
    if !other_blocks && launch.warps().iter().any(|other| other.block != own.block) {
        return 0;
    }
    // What others execute meanwhile, and how many of them.
    let mut others: Others = Vec::new();
    for (number, other) in launch.warps().iter().enumerate() {
        if number == warp || other.partition != own.partition {
            continue;
        }
        let part = &paths[other.stream].segments;
        let (from, to) = match other.block == own.block {
            true => (part[segment].from, part[segment].to),
            false => (0, launch.length(number)),
        };
        match others.iter_mut().find(|same| (same.0, same.1, same.2) == (other.stream, from, to)) {
            Some(same) => same.3 += 1,
            None => others.push((other.stream, from, to, 1)),
        }
    }
    let most = (1..=LONGEST).map(|longest| overlap.lost(&others, longest)).max();
    most.unwrap_or(0).max(overlap.beside(&others)).saturating_sub(spill.into())
}

/// Streams, the places that are executed meanwhile from the first to before the last, and by how many warps.
pub(super) type Others = Vec<(usize, usize, usize, u64)>;

/// A warp in a segment.
pub(super) struct Overlap<'a> {
    pub(super) launch: &'a Launch,
    /// What it executes there.
    pub(super) path: &'a [u32],
    /// The units it uses there, and those of them as in point 3.
    pub(super) uses: Vec<bool>,
    short: Vec<bool>,
}

impl<'a> Overlap<'a> {
    /// None where something is not as this needs it.
    fn new(launch: &'a Launch, paths: &[Paths], warp: usize, segment: usize) -> Option<Self> {
        let stream = launch.warps()[warp].stream;
        let part = &paths[stream].segments[segment];
        let whole = &launch.streams()[stream].path;
        let units = &launch.machine().units;
        let mut uses = vec![false; units.len()];
        for unit in whole[part.from..part.to].iter().filter_map(|&at| launch.code()[at as usize].unit) {
            uses[usize::from(unit)] = true;
        }
        let mut short = uses.clone();
        for own in whole[..part.to].iter().map(|&at| &launch.code()[at as usize]) {
            if let Some(unit) = own.unit.filter(|_| own.hold > own.stall.max(2)) {
                short[usize::from(unit)] = false;
            }
        }
        let several = uses.iter().zip(units).any(|(&uses, unit)| uses && unit.count > 1);
        (launch.machine().issue == 1 && !several).then_some(Self {
            launch,
            path: &whole[part.from..part.to],
            uses,
            short,
        })
    }

    /// The fewest second cycles that are lost, by pairs of no longer stalls than that.
    fn lost(&self, others: &Others, longest: u64) -> u64 {
        let mut seen = vec![(u64::MAX, 1); self.uses.len()];
        let mut lost = 0;
        for &(stream, from, to, times) in others {
            let path = &self.launch.streams()[stream].path[from..to];
            lost += times * self.of_one(path, longest, &mut seen);
        }
        let mut kept = 0;
        let mut run = None;
        for unit in self.path.iter().filter_map(|&at| self.launch.code()[at as usize].unit.map(usize::from)) {
            let (gap, stall) = seen[unit];
            if gap < u64::MAX && run != Some(unit) {
                run = Some(unit);
                kept += if stall > 1 { (stall - 2) / gap + 1 } else { 0 };
            }
        }
        lost.saturating_sub(kept)
    }

    /// How many second cycles of another warp are lost but for exceptions. Notes for each unit the least hold of two cycles
    /// or more, and the longest stall of the first of a pair.
    fn of_one(&self, path: &[u32], longest: u64, seen: &mut [(u64, u64)]) -> u64 {
        let at = |place: usize| &self.launch.code()[path[place] as usize];
        let unit = |place: usize| at(place).unit.map(usize::from);
        let counts = |place: usize| unit(place).is_some_and(|unit| self.uses[unit]) && at(place).hold > 1;
        // The most that are kept, if the last one is and if it is not; and how many there are.
        let (mut kept, mut lost, mut all) = (0u64, 0u64, 0u64);
        let mut paired = false;
        for place in 0..path.len() {
            let best = kept.max(lost);
            let (mut free, mut pair) = (false, false);
            if let Some(unit) = unit(place).filter(|_| counts(place)) {
                let stall = u64::from(at(place).stall);
                seen[unit].0 = seen[unit].0.min(at(place).hold.into());
                let follows = place + 1 < path.len() && self.follows(at(place + 1), unit);
                free = !(follows && stall == 1);
                pair = follows && free && stall <= longest && counts(place + 1);
                if pair {
                    seen[unit].1 = seen[unit].1.max(stall);
                }
                all += 1;
            }
            kept = match (free, paired) {
                (false, _) => 0,
                (true, false) => 1 + best,
                (true, true) => 1 + lost,
            };
            lost = best;
            paired = pair;
        }
        all - kept.max(lost)
    }

    /// Whether an instruction is as the second of a pair whose first is on a unit.
    fn follows(&self, next: &crate::launch::Instruction, first: usize) -> bool {
        !next.barrier
            && next.waits.is_empty()
            && next.unit.map(usize::from).is_none_or(|unit| unit != first && self.short[unit])
    }
}
