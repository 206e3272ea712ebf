//! Cycles in which others that hold a unit for long do not stand in the way alone, as their own warps go on meanwhile.
//!
//! As in [`super::overlap`] a partition issues one instruction a cycle, and each unit that the warp `X` uses in the segment
//! has one place.
//!
//! 1. Take one unit `u` that `X` uses. Let `j` be an instruction of another warp `Y` of the partition that holds `u` in the
//!    cycles `t` to `t + h - 1`. No two such instructions hold `u` in the same cycle. In a cycle after `t` in which `j` holds
//!    `u`, what others do weighs as much more than `X` is blocked as others than `j` weigh, and one more if `X` is not
//!    blocked. Call the cycle *covered* if that is one or more.
//! 2. Let `i` follow in `Y`, on no unit or on one that `X` uses and that is not `u`, in the same segment, no barrier, waiting
//!    for no scoreboard: `Y` is ready for it once the stall before it is over. If `Y` is ready and does not issue in a cycle,
//!    another issues, which weighs, or which is `X`, that is then not blocked; or the unit of `i` is full. What holds it weighs,
//!    unless `X` holds it, or something from before the segment. If `Y` issues `i`, it weighs for as long as it holds its
//!    unit. So all cycles are covered from when `Y` is ready for `i` to its issue, and for as many more as hold and stall of
//!    `i` both last, but for those exceptions.
//! 3. If `Y` is never kept from issuing, the covered cycles follow from holds and stalls. Each cycle in which it is kept is
//!    covered itself, and takes at most one from the end of the hold; an exception takes one and is not covered. So there
//!    are no fewer covered cycles than that, less one for each exception.
//! 4. `X` is blocked only when the stall of its last instruction is over. So it holds a unit while it is blocked for no more
//!    than its hold less its stall, for each of its instructions in the segment.
//! 5. What others weigh is that much more than the blocked cycles; any `u` will do, so the best is taken.

use super::overlap::{Others, Overlap};

impl Overlap<'_> {
    /// The most that some unit gives.
    pub(super) fn beside(&self, others: &Others) -> u64 {
        let of = |unit: usize| {
            let all = others.iter().map(|&(stream, from, to, times)| {
                let path = &self.launch.streams()[stream].path[from..to];
                times * (0..path.len()).map(|place| self.covered(path, place, unit)).sum::<u64>()
            });
            all.sum::<u64>().saturating_sub(self.held(unit))
        };
        (0..self.uses.len()).filter(|&unit| self.uses[unit]).map(of).max().unwrap_or(0)
    }

    /// For how many cycles the warp may hold other units than that while it is blocked.
    fn held(&self, unit: usize) -> u64 {
        let code = self.path.iter().map(|&at| &self.launch.code()[at as usize]);
        let others = code.filter(|own| own.unit.is_some_and(|of| usize::from(of) != unit));
        others.map(|own| u64::from(own.hold.saturating_sub(own.stall))).sum()
    }

    /// How many cycles of the hold of an instruction are covered, if it is one on that unit.
    fn covered(&self, path: &[u32], place: usize, unit: usize) -> u64 {
        let at = |place: usize| &self.launch.code()[path[place] as usize];
        let own = at(place);
        if own.unit.map(usize::from) != Some(unit) {
            return 0;
        }
        let (mut from, mut covered) = (own.stall, 0);
        for next in (place + 1..path.len()).map(at) {
            let fits = next.unit.map(usize::from).is_none_or(|of| of != unit && self.uses[of]);
            if from >= own.hold || next.barrier || !next.waits.is_empty() || !fits {
                break;
            }
            let lasts = if next.unit.is_some() { next.hold.min(next.stall) } else { 1 };
            covered += u64::from(lasts.min(own.hold - from));
            from = from.saturating_add(next.stall);
        }
        covered
    }
}
