//! Where all warps stand between two cycles, and when two such states are the same.
//!
//! A result under way is an interval: when it is there at the earliest and at the latest. It is only settled when somebody
//! waits for it, as until then nothing depends on it. Two kinds are settled at once: those on scoreboards of which a number
//! may be left under way, as it matters which are there, and those that may miss where misses are limited.

use crate::launch::Launch;

/// A result under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pending {
    /// Its scoreboard.
    pub board: u8,
    /// The first cycle in which whoever waits for it may issue, at the earliest.
    pub least: u32,
    /// The same at the latest.
    pub most: u32,
    /// The number of its latency.
    pub latency: usize,
    /// When it was issued.
    pub issued: u32,
}

/// A warp.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stand {
    /// How many instructions it has issued.
    pub place: usize,
    /// The cycle from which on its next one may issue by the stall.
    pub from: u32,
    /// Results under way that it may still wait for.
    pub pending: Vec<Pending>,
}

/// All warps, and the units.
#[derive(Debug, Clone)]
pub struct State {
    /// The warps.
    pub warps: Vec<Stand>,
    /// For each pool until when its places are taken, as far as they are.
    pub pools: Vec<Vec<u32>>,
    /// How many misses there were, where they are limited.
    pub misses: u32,
    /// The last cycle in which anything settled is under way.
    pub end: u32,
    /// Latencies that were settled in the step that led here: their numbers, and the cycles.
    pub told: Vec<(usize, u32)>,
}

/// A state but for the cycle, for names of warps alike, and for its end.
pub type Key = Box<[u32]>;

impl State {
    /// That before the first cycle.
    pub fn start(launch: &Launch) -> Self {
        let stand = Stand { place: 0, from: 1, pending: Vec::new() };
        Self {
            warps: vec![stand; launch.warps().len()],
            pools: vec![Vec::new(); launch.machine().pools()],
            misses: 0,
            end: 0,
            told: Vec::new(),
        }
    }

    /// Whether all has issued.
    pub fn over(&self, launch: &Launch) -> bool {
        self.warps.iter().enumerate().all(|(warp, own)| own.place == launch.length(warp))
    }

    /// Forgets what is over before a cycle.
    pub fn tidy(&mut self, launch: &Launch, cycle: u32) {
        for pool in &mut self.pools {
            pool.retain(|&until| until > cycle);
        }
        for (warp, own) in self.warps.iter_mut().enumerate() {
            let over = own.place == launch.length(warp);
            let told = &mut self.told;
            own.pending.retain(|one| {
                if one.least < one.most && one.most <= cycle {
                    told.push((one.latency, one.most - one.issued));
                }
                !over && one.most > cycle
            });
        }
    }

    /// What tells it from others before a cycle.
    pub fn key(&self, launch: &Launch, cycle: u32, symmetric: bool) -> Key {
        let machine = launch.machine();
        let stand = |warp: usize| {
            let own = &self.warps[warp];
            let who = launch.warps()[warp];
            let mut words = vec![who.stream as u32, who.block as u32, own.place as u32];
            words.push(own.from.saturating_sub(cycle));
            let mut pending: Vec<[u32; 3]> = own
                .pending
                .iter()
                .map(|one| {
                    [one.board.into(), one.least.saturating_sub(cycle), one.most.saturating_sub(cycle)]
                })
                .collect();
            pending.sort_unstable();
            words.push(pending.len() as u32);
            words.extend(pending.into_iter().flatten());
            words
        };
        let holds = |pool: usize| {
            let mut left: Vec<u32> = self.pools[pool].iter().map(|until| until - cycle).collect();
            left.sort_unstable();
            left.insert(0, left.len() as u32);
            left
        };
        let part = |partition: u32| {
            let mut warps: Vec<Vec<u32>> = (0..self.warps.len())
                .filter(|&warp| launch.warps()[warp].partition == partition)
                .map(stand)
                .collect();
            warps.sort_unstable();
            let mut words: Vec<u32> = warps.into_iter().flatten().collect();
            for unit in 0..machine.units.len() as u16 {
                if !launch.shared(unit) {
                    words.extend(holds(machine.pool(unit, partition)));
                }
            }
            words
        };
        let mut parts: Vec<Vec<u32>> = (0..machine.partitions).map(part).collect();
        if symmetric {
            parts.sort_unstable();
        }
        let shared = (0..machine.units.len() as u16).filter(|&unit| launch.shared(unit));
        let mut words: Vec<u32> = shared.flat_map(|unit| holds(machine.pool(unit, 0))).collect();
        words.push(self.misses);
        words.extend(parts.into_iter().flatten());
        words.into_boxed_slice()
    }

    /// About how many bytes it takes.
    pub fn bytes(&self) -> u64 {
        let pending: usize = self.warps.iter().map(|own| own.pending.len()).sum();
        let holds: usize = self.pools.iter().map(Vec::len).sum();
        (200 + self.warps.len() * 40 + pending * 32 + self.pools.len() * 24 + holds * 4) as u64
    }
}
