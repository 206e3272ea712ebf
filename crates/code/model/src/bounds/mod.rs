//! How long any schedule can take at the most, and at the least: proven bounds, by formulas.
//!
//! **From above** ([`upper`]): the cycles of whoever ends last, and those in which others block it.
//!
//! 1. *Segments.* Barriers cut what a warp executes into segments. Between two releases of a block's barriers all its
//!    warps execute instructions of one segment. Take the warp that comes to the next barrier last, or that ends last.
//! 2. *Its own path.* Let `d(k)` be the longest way to instruction `k` over these arcs, with longest latencies: the
//!    instruction before it and its stall; a result that `k` waits for, whenever what issued it is not among the last
//!    `left` ones that may still be under way (when all others are there, no more than `left` are left); the hold of the
//!    `c`-th instruction before it on the same unit of `c` places (when all before the last `c - 1` have let go, the warp
//!    itself leaves a place). Call a warp *blocked* in a cycle if all this is over and its unit is full or its partition
//!    issues all it can. By induction over arcs `k` issues no later than `d(k)` plus the blocked cycles before: an arc
//!    begins no later than what it comes from, and between the end of all arcs and its issue there are only blocked
//!    cycles.
//! 3. *From before.* A result that was on its way when the segment began is there no later than its longest latency after
//!    the latest that it can have been issued; and what is left of its latency when the segment begins is no more than
//!    that less the stalls between. The earlier of both holds.
//! 4. *Blocked cycles.* If `issue` others of the partition issue, each issue weighs `1 / issue`: together one or more. If
//!    the unit is full, the warp itself holds at most `a` of its `c` places, `a < c` by point 2, so that others hold
//!    `c - a` or more: each cycle that another holds a place weighs `1 / (c - a)`. So there are no more blocked cycles
//!    than what all others do in the segment weighs. Units that the warp does not use in the segment cannot block it.
//!    Less than that where the files `overlap.rs` and `beside.rs` here prove that others run beside each other.
//! 5. *Holds from before* the segment are over after the longest that any is left: that many cycles more.
//! 6. *Other blocks* may do all their work in any of the segments: it is counted once, and with more than one segment,
//!    whose last warps may belong to different partitions, that of all partitions. A cycle may then be blocked by one of
//!    the block and one of another together: what those of the block weigh in a segment counts up to a whole cycle, as its
//!    last part may make a cycle with a part of the others.
//! 7. Where warps of a block have different numbers of barriers, all is added up one after the other: in every cycle an
//!    instruction stalls, holds or is under way, or one issues.
//!
//! Where every warp has a partition of its own, [`Stretches`] finds another bound from above, which is mostly less.
//!
//! **From below** ([`lower`]): the longest way over arcs that no schedule avoids, with shortest latencies; what each
//! partition issues; what each unit serves.

#[cfg(test)]
pub(crate) mod attacks;
mod beside;
mod overlap;
pub(crate) mod paths;
mod replaced;
pub(crate) mod stretch;
#[cfg(test)]
mod tests;
pub(crate) mod work;

use super::launch::{Launch, Warp};
use paths::{Earlier, Latest, Paths};
use work::{SCALE, Work};

pub use replaced::{Replaced, outlasts};
pub use stretch::{STRETCHES, Stretches};

/// The name of the bound from above, as reports give it.
pub const BLOCKED_CYCLES: &str = "own and blocked cycles of the last warp";

/// No schedule takes longer than this.
pub fn upper(launch: &Launch) -> u64 {
    let paths = all_paths(launch);
    let work = Work::new(launch, &paths);
    let blocks = 1 + launch.warps().iter().map(|warp| warp.block).max().unwrap_or(0);
    (0..blocks).map(|block| of_block(launch, &paths, &work, block)).max().unwrap_or(0)
}

/// The paths of all streams.
pub(crate) fn all_paths(launch: &Launch) -> Vec<Paths> {
    (0..launch.streams().len()).map(|stream| Paths::new(launch, stream)).collect()
}

/// When the last result of a block is there at the latest.
fn of_block(launch: &Launch, paths: &[Paths], work: &Work, block: usize) -> u64 {
    let several = |warp: &Warp| warp.block == block && paths[warp.stream].segments.len() > 1;
    let apart = launch.warps().iter().any(several);
    let others = if apart { work.of_other_blocks(launch, block) } else { 0 };
    let Some(ends) = ends(launch, paths, work, block, (Earlier::Both, others > 0)) else {
        return one_after_the_other(launch);
    };
    // A block without warps has no segments.
    ends.last().copied().unwrap_or(0) + others.div_ceil(SCALE)
}

/// When each segment of a block ends at the latest, but for other blocks where there are several segments: where they are
/// added up `apart`, what weighs in a segment is rounded up. None where its warps have different numbers of segments.
pub(crate) fn ends(
    launch: &Launch,
    paths: &[Paths],
    work: &Work,
    block: usize,
    (earlier, apart): (Earlier, bool),
) -> Option<Vec<u64>> {
    let all = launch.warps();
    let members: Vec<usize> = (0..all.len()).filter(|&warp| all[warp].block == block).collect();
    let of = |warp: usize| &paths[all[warp].stream];
    let Some(&first) = members.first() else { return Some(Vec::new()) };
    let count = of(first).segments.len();
    if members.iter().any(|&warp| of(warp).segments.len() != count) {
        return None;
    }
    // Warps that execute the same in the same partition have the same bounds.
    let mut kinds: Vec<usize> = Vec::new();
    for &warp in &members {
        if !kinds.iter().any(|&kind| launch.alike(kind, warp)) {
            kinds.push(warp);
        }
    }
    let mut latest: Vec<Latest> = kinds.iter().map(|&warp| of(warp).latest()).collect();
    let mut ends: Vec<u64> = Vec::with_capacity(count);
    for segment in 0..count {
        let begins = ends.last().copied().unwrap_or(0);
        let spill = kinds.iter().map(|&warp| of(warp).segments[segment].spill).max().unwrap_or(0);
        let mut end = begins;
        for (&warp, latest) in kinds.iter().zip(&mut latest) {
            let weighs = work.blocked(launch, paths, warp, segment, count == 1);
            let weighs = if apart { weighs.div_ceil(SCALE) } else { weighs / SCALE };
            let saved = overlap::saved(launch, paths, (warp, segment), spill, count == 1);
            let blocked = weighs.saturating_sub(saved) + u64::from(spill);
            let stream = all[warp].stream;
            end = end.max(of(warp).advance(launch, stream, segment, (begins, blocked), (earlier, latest)));
        }
        ends.push(end);
    }
    Some(ends)
}

/// All instructions of all warps, one after the other: no schedule takes longer (point 7), and whatever else there is
/// to wait for, as long as some warp is there that does not wait for others.
pub fn one_after_the_other(launch: &Launch) -> u64 {
    let of = |warp: usize| -> u64 {
        let all = (0..launch.length(warp)).map(|place| launch.at(warp, place));
        all.map(|own| u64::from(own.longest()) + u64::from(own.stall)).sum()
    };
    (0..launch.warps().len()).map(of).sum()
}

/// No schedule takes less than this.
pub fn lower(launch: &Launch) -> u64 {
    let ways =
        (0..launch.streams().len()).filter(|&stream| launch.warps().iter().any(|w| w.stream == stream));
    let way = ways.map(|stream| paths::shortest(launch, stream)[0]).max().unwrap_or(0);
    way.max(work::served(launch))
}
