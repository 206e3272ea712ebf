//! How much of others' work can stand in the way of a warp, and how fast work is served at best.

use super::paths::Paths;
use crate::launch::Launch;

/// What a cycle weighs. Divisible by all small numbers of places; by others weights are rounded up.
pub const SCALE: u64 = 720_720;

/// What each stream does in each segment.
#[derive(Debug, Clone)]
pub struct Work {
    streams: Vec<Vec<Done>>,
}

/// Instructions of a segment.
#[derive(Debug, Clone, Default)]
struct Done {
    /// All of them.
    all: u64,
    /// On each unit how many, and how long they hold it.
    units: Vec<(u64, u64)>,
}

impl Work {
    /// Adds up.
    pub fn new(launch: &Launch, paths: &[Paths]) -> Self {
        let of = |stream: usize, from: usize, to: usize| {
            let mut done = Done { all: 0, units: vec![(0, 0); launch.machine().units.len()] };
            for &at in &launch.streams()[stream].path[from..to] {
                let own = &launch.code()[at as usize];
                done.all += 1;
                if let Some(unit) = own.unit {
                    let unit = &mut done.units[usize::from(unit)];
                    *unit = (unit.0 + 1, unit.1 + u64::from(own.hold));
                }
            }
            done
        };
        let streams = paths
            .iter()
            .enumerate()
            .map(|(stream, own)| own.segments.iter().map(|part| of(stream, part.from, part.to)).collect());
        Self { streams: streams.collect() }
    }

    /// What others do while a warp is in a segment, as it weighs for it: those of its block in the same segment, and
    /// other blocks all they do if that is asked for.
    pub fn blocked(
        &self,
        launch: &Launch,
        paths: &[Paths],
        warp: usize,
        segment: usize,
        other_blocks: bool,
    ) -> u64 {
        let own = launch.warps()[warp];
        let uses = &self.streams[own.stream][segment];
        let mut all = 0;
        for (number, other) in launch.warps().iter().enumerate() {
            if number == warp || other.block != own.block && !other_blocks {
                continue;
            }
            let segments = if other.block == own.block { segment..segment + 1 } else { 0..usize::MAX };
            let done = &self.streams[other.stream];
            for done in &done[segments.start..segments.end.min(done.len())] {
                let near = other.partition == own.partition;
                all += weight(launch, done, near, |unit| {
                    let shared = near || launch.shared(unit as u16);
                    (shared && uses.units[unit].0 > 0).then(|| paths[own.stream].others[unit])
                });
            }
        }
        all
    }

    /// What all other blocks do, as it weighs for whoever it weighs most.
    pub fn of_other_blocks(&self, launch: &Launch, block: usize) -> u64 {
        let others = launch.warps().iter().filter(|warp| warp.block != block);
        others.map(|warp| self.of_stream(launch, warp.stream, |_| 1)).sum()
    }

    /// What all warps do, as it weighs for whoever it weighs most, where others hold so many places of each unit at least.
    pub fn of_all(&self, launch: &Launch, places: &[u32]) -> u64 {
        launch.warps().iter().map(|warp| self.of_stream(launch, warp.stream, |unit| places[unit])).sum()
    }

    fn of_stream(&self, launch: &Launch, stream: usize, places: impl Fn(usize) -> u32) -> u64 {
        self.streams[stream].iter().map(|done| weight(launch, done, true, |unit| Some(places(unit)))).sum()
    }
}

/// What instructions weigh for a warp: `near` if they are of its partition; `places` tells of each unit that can block it
/// how many places others then hold.
fn weight(launch: &Launch, done: &Done, near: bool, places: impl Fn(usize) -> Option<u32>) -> u64 {
    let slot = if near { SCALE.div_ceil(launch.machine().issue.into()) } else { 0 };
    let mut all = done.all * slot;
    for (unit, &(count, held)) in done.units.iter().enumerate() {
        if let Some(places) = places(unit) {
            let place = SCALE.div_ceil(places.into());
            all += count * (place.max(slot) - slot) + (held - count) * place;
        }
    }
    all
}

/// The fewest cycles in which partitions issue all their instructions and units serve them.
pub fn served(launch: &Launch) -> u64 {
    let machine = launch.machine();
    let mut slots = vec![0u64; machine.partitions as usize];
    let mut pools = vec![0u64; machine.pools()];
    for (warp, own) in launch.warps().iter().enumerate() {
        slots[own.partition as usize] += launch.length(warp) as u64;
        for place in 0..launch.length(warp) {
            if let Some(pool) = launch.pool(warp, place) {
                pools[pool] += u64::from(launch.at(warp, place).hold);
            }
        }
    }
    let issue = slots.iter().map(|&all| all.div_ceil(machine.issue.into())).max();
    let held = (0..).zip(&pools).map(|(pool, all)| all.div_ceil(machine.unit_of(pool).count.into())).max();
    issue.unwrap_or(0).max(held.unwrap_or(0))
}
