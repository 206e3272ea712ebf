//! When units are full and partitions issue all they can, and who is named for it: stretches of cycles, found in one sweep
//! over what issues.
//!
//! Invariant: stretches of a pool, and cycles of a partition, ascend and do not overlap.

use std::ops::Range;

use super::{Reason, Waited, Which};
use crate::launch::Launch;
use crate::schedule::Schedule;

/// Cycles in which a pool is full, and who is named.
type Full = (Range<u32>, Which);

/// All of them.
pub(super) struct Taken {
    /// For each partition the cycles in which it issues all it can.
    slots: Vec<Vec<(u32, Which)>>,
    pools: Vec<Vec<Full>>,
}

impl Taken {
    /// Of a schedule.
    pub(super) fn of(launch: &Launch, schedule: &Schedule) -> Self {
        let machine = launch.machine();
        let mut slots = vec![Vec::new(); machine.partitions as usize];
        let mut pools = vec![Vec::new(); machine.pools()];
        for (warp, row) in schedule.issued.iter().enumerate() {
            for (place, &cycle) in row.iter().enumerate() {
                slots[launch.warps()[warp].partition as usize].push((cycle, (warp, place)));
                if let Some(pool) = launch.pool(warp, place) {
                    pools[pool].push((cycle, (warp, place)));
                }
            }
        }
        slots.iter_mut().chain(&mut pools).for_each(|own| own.sort_unstable());
        let issue = machine.issue as usize;
        let full = |(pool, issued): (usize, Vec<(u32, Which)>)| {
            full(launch, &issued, machine.unit_of(pool).count as usize)
        };
        Self {
            slots: slots.into_iter().map(|issued| busy(&issued, issue)).collect(),
            pools: pools.into_iter().enumerate().map(full).collect(),
        }
    }

    /// Adds why an instruction does not issue in these cycles, in which it could but for units and slots.
    pub(super) fn note(
        &self,
        launch: &Launch,
        (warp, place): Which,
        cycles: Range<u32>,
        into: &mut Vec<Waited>,
    ) {
        if cycles.is_empty() {
            return;
        }
        let pool: &[Full] = launch.pool(warp, place).map_or(&[], |pool| &self.pools[pool]);
        let mut full = pool[pool.partition_point(|own| own.0.end <= cycles.start)..].iter().peekable();
        let slots = &self.slots[launch.warps()[warp].partition as usize];
        let mut slots = slots[slots.partition_point(|own| own.0 < cycles.start)..].iter().peekable();
        let mut add = |from: u32, end: u32, reason: Reason| match into.last_mut() {
            Some(last) if last.reason == reason && last.to + 1 == from => last.to = end - 1,
            _ => into.push(Waited { from, to: end - 1, reason }),
        };
        let mut cycle = cycles.start;
        while cycle < cycles.end {
            while slots.next_if(|own| own.0 < cycle).is_some() {}
            let stretch = full.peek();
            if let Some((own, by)) = stretch.filter(|own| own.0.start <= cycle) {
                let end = own.end.min(cycles.end);
                add(cycle, end, Reason::Unit { by: *by });
                cycle = end;
                full.next_if(|own| own.0.end <= end);
                continue;
            }
            let end = stretch.map_or(cycles.end, |own| own.0.start.min(cycles.end));
            match slots.peek() {
                Some(&&(at, by)) if at == cycle => {
                    add(cycle, cycle + 1, Reason::Slot { by });
                    cycle += 1;
                }
                next => {
                    let end = next.map_or(end, |own| own.0.min(end));
                    add(cycle, end, Reason::Nothing);
                    cycle = end;
                }
            }
        }
    }
}

/// The cycles in which so many issue, with the last of them.
fn busy(issued: &[(u32, Which)], issue: usize) -> Vec<(u32, Which)> {
    let cycles = issued.chunk_by(|one, next| one.0 == next.0);
    cycles.filter(|cycle| cycle.len() >= issue).filter_map(|cycle| cycle.last().copied()).collect()
}

/// The stretches in which so many places are held, with who issued last of those that hold one.
fn full(launch: &Launch, issued: &[(u32, Which)], count: usize) -> Vec<Full> {
    let mut stretches: Vec<Full> = Vec::new();
    // Who holds a place and until when, in the order of issue.
    let mut held: Vec<(u32, Which)> = Vec::new();
    let mut since = 0;
    let pass = |held: &mut Vec<(u32, Which)>, since: &mut u32, until: u32, into: &mut Vec<Full>| {
        while let Some(ends) = held.iter().map(|own| own.0).min().filter(|_| *since < until) {
            let end = ends.min(until);
            if let Some(&(_, by)) = held.last().filter(|_| held.len() >= count) {
                match into.last_mut() {
                    Some(last) if last.1 == by && last.0.end == *since => last.0.end = end,
                    _ => into.push((*since..end, by)),
                }
            }
            *since = end;
            held.retain(|own| own.0 > end);
        }
        *since = until;
    };
    for &(cycle, (warp, place)) in issued {
        pass(&mut held, &mut since, cycle, &mut stretches);
        held.push((cycle + launch.at(warp, place).hold, (warp, place)));
    }
    pass(&mut held, &mut since, u32::MAX, &mut stretches);
    stretches
}
