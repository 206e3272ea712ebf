//! How much longer a state takes at the most and at the least: the bounds of [`crate::bounds`] for what is left.
//!
//! From above, while some warp is in a segment: by points 2 and 4 there no warp comes to the end of it later than its own path
//! and what others weigh, and then all segments after it take no longer than between their bounds from the first cycle on, as
//! each of these holds whenever the segment begins. Results and holds that are begun after its end are over in that time;
//! but what is begun in the segment itself may outlast all after it. How late that is does not depend on the other warps, which
//! may have come to the barrier far sooner than their bounds say: so its end is looked at by itself.

use super::state::State;
use crate::bounds::paths::{self, Earlier, Paths};
use crate::bounds::work::{SCALE, Work};
use crate::bounds::{all_paths, ends};
use crate::launch::Launch;

/// Tables for what is left.
#[derive(Debug, Clone)]
pub struct Rest {
    paths: Vec<Paths>,
    /// For each stream and place: the least to the end.
    shortest: Vec<Vec<u64>>,
    /// For each stream, each other one, and whether both are in the same partition: what all before a place of the other
    /// weighs for the first.
    weighs: Vec<Vec<u64>>,
    /// How long each segment and all after it take; none where that is not known: several blocks with barriers, or warps
    /// with different numbers of them.
    later: Option<Vec<u64>>,
}

impl Rest {
    /// The tables of a launch.
    pub fn new(launch: &Launch) -> Self {
        let paths = all_paths(launch);
        let work = Work::new(launch, &paths);
        let one_block = launch.warps().iter().all(|warp| warp.block == launch.warps()[0].block);
        let single = paths.iter().all(|own| own.segments.len() == 1);
        let later = if single {
            Some(vec![0, 0])
        } else {
            let known = one_block
                .then(|| ends(launch, &paths, &work, launch.warps()[0].block, (Earlier::Stalls, false)))
                .flatten();
            known.map(|ends| {
                let last = ends.last().copied().unwrap_or(0);
                let mut later: Vec<u64> = ends.iter().map(|end| last - end).collect();
                later.insert(0, last);
                later
            })
        };
        let shortest = (0..launch.streams().len()).map(|stream| paths::shortest(launch, stream)).collect();
        let weighs = weights(launch, &paths);
        Self { paths, shortest, weighs, later }
    }

    /// The last cycle at the latest, from a state before a cycle.
    pub fn most(&self, launch: &Launch, state: &State, cycle: u32) -> u64 {
        if state.over(launch) {
            return state.end.into();
        }
        let Some(later) = &self.later else { return u64::MAX };
        let warps = || (0..state.warps.len()).map(|warp| (warp, state.warps[warp].place));
        let open = || warps().filter(|&(warp, place)| place < launch.length(warp));
        let of = |warp: usize| &self.paths[launch.warps()[warp].stream].segments;
        // A warp at a barrier that it has not passed is in the segment before: while all of them are, the last one to come
        // holds up whoever takes longest after it.
        let begun = |warp: usize, place: usize| of(warp).partition_point(|own| own.to < place);
        let segment = open().map(|(warp, place)| begun(warp, place)).min().unwrap_or(0);
        let spill = state.pools.iter().flatten().map(|until| until - cycle).max().unwrap_or(0);
        let mut most = 0;
        for (warp, place) in open() {
            let paths = &self.paths[launch.warps()[warp].stream];
            let to = paths.segments[segment].to;
            let way = |ways: &[u64]| way(launch, state, (warp, place), (to, ways), cycle);
            // What is begun in this segment may last longer than all that comes after it.
            let own = (way(&paths.longest) + later[segment + 1]).max(way(&paths.over));
            most = most.max(own + self.blocked(launch, state, warp, segment) / SCALE);
        }
        let most = u64::from(cycle) - 1 + u64::from(spill) + most;
        most.max(state.end.into())
    }

    /// What others can still do in the segment, as it weighs for a warp.
    fn blocked(&self, launch: &Launch, state: &State, warp: usize, segment: usize) -> u64 {
        let own = launch.warps()[warp];
        let mut all = 0;
        for (number, other) in launch.warps().iter().enumerate().filter(|(number, _)| *number != warp) {
            let near = other.partition == own.partition;
            let place = state.warps[number].place;
            let to = self.paths[other.stream].segments[segment].to.max(place);
            let before = &self.weighs[pair(launch, own.stream, other.stream, near)];
            all += before[to] - before[place];
        }
        all
    }

    /// A warp's own path from where it stands on, and how many instructions it has left.
    pub fn left(&self, launch: &Launch, state: &State, warp: usize) -> (u64, usize) {
        let place = state.warps[warp].place;
        (self.shortest[launch.warps()[warp].stream][place], launch.length(warp) - place)
    }

    /// The last cycle at the earliest.
    pub fn least(&self, launch: &Launch, state: &State, cycle: u32) -> u64 {
        let mut slots = vec![0u64; launch.machine().partitions as usize];
        let mut least = u64::from(state.end);
        for (warp, own) in state.warps.iter().enumerate() {
            let left = launch.length(warp) - own.place;
            if left > 0 {
                slots[launch.warps()[warp].partition as usize] += left as u64;
                let way = self.shortest[launch.warps()[warp].stream][own.place];
                least = least.max(u64::from(own.from.max(cycle)) - 1 + way);
            }
        }
        let issue = u64::from(launch.machine().issue);
        let served = slots.iter().map(|all| all.div_ceil(issue)).max().unwrap_or(0);
        least.max(u64::from(cycle) - 1 + served)
    }
}

/// A warp's own path from where it stands, to the end of the segment at the place `to` or for as long as `ways` say from each
/// place before it.
fn way(
    launch: &Launch,
    state: &State,
    (warp, place): (usize, usize),
    (to, ways): (usize, &[u64]),
    cycle: u32,
) -> u64 {
    let own = &state.warps[warp];
    let longest = |place: usize| if place < to { ways[place] } else { 0 };
    let mut way = u64::from(own.from.saturating_sub(cycle)) + longest(place);
    for one in &own.pending {
        let waits = |at: &usize| launch.at(warp, *at).waits.iter().any(|wait| wait.board == one.board);
        if let Some(at) = (place..launch.length(warp)).find(waits).filter(|&at| at <= to) {
            way = way.max(u64::from(one.most - cycle) + longest(at));
        }
    }
    way
}

/// Where the weights of a stream for another one are.
fn pair(launch: &Launch, own: usize, other: usize, near: bool) -> usize {
    (own * launch.streams().len() + other) * 2 + usize::from(near)
}

/// What all before each place of a stream weighs for another one.
fn weights(launch: &Launch, paths: &[Paths]) -> Vec<Vec<u64>> {
    let slot = SCALE.div_ceil(launch.machine().issue.into());
    let mut all = Vec::new();
    for own in paths {
        for other in launch.streams() {
            for near in [false, true] {
                let slot = if near { slot } else { 0 };
                let mut before = vec![0];
                for &at in &other.path {
                    let done = &launch.code()[at as usize];
                    let mut weight = slot;
                    if let Some(unit) = done.unit.filter(|&unit| near || launch.shared(unit)) {
                        let one = SCALE.div_ceil(own.others[usize::from(unit)].into());
                        weight += one.max(slot) - slot + u64::from(done.hold - 1) * one;
                    }
                    before.push(before[before.len() - 1] + weight);
                }
                all.push(before);
            }
        }
    }
    all
}
