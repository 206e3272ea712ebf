//! When every instruction issues, with the latencies under which it does.

use super::launch::Launch;

/// A schedule. Cycles count from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    /// For each warp the cycles in which its instructions issue.
    pub issued: Vec<Vec<u32>>,
    /// The latency of everything that is set, in the order of [`Launch::sets`].
    pub latencies: Vec<u32>,
}

impl Schedule {
    /// The last cycle in which an instruction holds its unit or a result of it is not there.
    pub fn finished(&self, launch: &Launch, warp: usize, place: usize) -> u32 {
        let own = launch.at(warp, place);
        let first = launch.latency(warp, place, 0);
        let results = &self.latencies[first..first + own.sets.len()];
        let lasts = results.iter().copied().max().unwrap_or(0).max(own.hold);
        self.issued[warp][place] + lasts - 1
    }

    /// The last cycle in which anything is under way.
    pub fn makespan(&self, launch: &Launch) -> u32 {
        let of = |warp: usize| {
            (0..self.issued[warp].len()).map(move |place| self.finished(launch, warp, place)).max()
        };
        (0..self.issued.len()).filter_map(of).max().unwrap_or(0)
    }

    /// How many of its latencies are misses.
    pub fn misses(&self, launch: &Launch) -> u32 {
        let missed = launch.sets().zip(&self.latencies);
        missed.filter(|((_, _, set), latency)| set.hit.is_some_and(|hit| **latency > hit)).count() as u32
    }
}

/// All latencies at their longest, as far as misses allow: those that miss in any case, and then the first ones.
pub fn longest(launch: &Launch) -> Vec<u32> {
    let sure = launch.sets().filter(|(_, _, set)| set.hit.is_some_and(|hit| hit < set.least)).count();
    let mut left = launch.misses().map_or(usize::MAX, |most| (most as usize).saturating_sub(sure));
    let mut of = |set: super::launch::Set| match set.hit.filter(|hit| (set.least..set.most).contains(hit)) {
        None => set.most,
        Some(_) if left > 0 => {
            left -= 1;
            set.most
        }
        Some(hit) => hit,
    };
    launch.sets().map(|(_, _, set)| of(set)).collect()
}

/// All latencies at their shortest.
pub fn shortest(launch: &Launch) -> Vec<u32> {
    launch.sets().map(|(_, _, set)| set.least).collect()
}
