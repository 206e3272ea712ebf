//! Tastes: rules by which the next instruction is chosen, as weights of what can be said about it.

use std::sync::Arc;

use crate::bounds::all_paths;
use crate::engine::Chooser;
use crate::launch::Launch;
use crate::schedule;
use base::Seeded;

/// Weights; the smallest sum goes first.
#[derive(Debug, Clone, PartialEq)]
pub struct Taste {
    /// Of how far a warp has come, from 0 to 1.
    pub progress: f64,
    /// Of how long an instruction has waited.
    pub waited: f64,
    /// Of how long it takes to the end of the segment at least.
    pub rest: f64,
    /// Of the warp's rank among those of its partition, from 0 to 1, and the ranks.
    pub rank: f64,
    ranks: Vec<u32>,
    /// Of each unit.
    units: Vec<f64>,
    /// One warp of each partition that is left behind: its rank.
    behind: Option<u32>,
    /// For each place in the code whether its results come early.
    early: Vec<bool>,
    /// Whether all results of warps that are not left behind come early: then they keep the units busy, and whoever is left
    /// behind has everything before it.
    others: bool,
}

/// What tastes are about.
#[derive(Debug)]
pub struct Tastes {
    launch: Arc<Launch>,
    /// For each stream and place the longest way to the end of the segment, from 0 to 1.
    rest: Vec<Vec<f64>>,
    /// The rank of each warp within its partition, and the partitions' greatest size.
    ranks: Vec<u32>,
    most: u32,
}

/// Which warp is left behind, at first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Behind {
    /// None.
    Nobody,
    /// One of each partition.
    One,
    /// One of each partition, and results of the others come early.
    Late,
}

/// A taste by its weights: progress, waited, rest, rank, and who is left behind.
pub type Fixed = (f64, f64, f64, f64, Behind);

impl Tastes {
    /// Those that are tried in any case.
    pub const FIXED: [Fixed; 16] = [
        (1.0, 0.0, 0.0, 0.001, Behind::Nobody),
        (-1.0, 0.0, 0.0, 0.001, Behind::Nobody),
        (1.0, 0.0, 0.0, 0.001, Behind::Late),
        (-1.0, 0.0, 0.0, 0.001, Behind::Late),
        (0.0, 1.0, 0.0, 0.001, Behind::Late),
        (0.0, -1.0, 0.0, 0.001, Behind::Late),
        (1.0, 0.0, 0.0, 0.001, Behind::One),
        (-1.0, 0.0, 0.0, 0.001, Behind::One),
        (0.0, 1.0, 0.0, 0.001, Behind::Nobody),
        (0.0, -1.0, 0.0, 0.001, Behind::Nobody),
        (0.0, 1.0, 0.0, 0.001, Behind::One),
        (0.0, -1.0, 0.0, 0.001, Behind::One),
        (0.0, 0.0, 1.0, 0.001, Behind::Nobody),
        (0.0, 0.0, -1.0, 0.001, Behind::Nobody),
        (0.0, 0.0, 1.0, 0.001, Behind::Late),
        (0.0, 0.0, 0.0, 1.0, Behind::One),
    ];

    /// Looks at a launch.
    pub fn new(launch: &Arc<Launch>) -> Self {
        let rest = all_paths(launch).into_iter().map(|own| {
            let most = own.longest.iter().copied().max().unwrap_or(0).max(1) as f64;
            own.longest.iter().map(|&way| way as f64 / most).collect()
        });
        let mut counts = vec![0u32; launch.machine().partitions as usize];
        let ranks = launch.warps().iter().map(|warp| {
            let count = &mut counts[warp.partition as usize];
            *count += 1;
            *count - 1
        });
        let ranks: Vec<u32> = ranks.collect();
        Self {
            launch: Arc::clone(launch),
            rest: rest.collect(),
            most: counts.into_iter().max().unwrap_or(1),
            ranks,
        }
    }

    /// One of the fixed ones.
    pub fn named(&self, &(progress, waited, rest, rank, behind): &Fixed) -> Taste {
        Taste {
            progress,
            waited,
            rest,
            rank,
            ranks: (0..self.most).collect(),
            units: vec![0.0; self.launch.machine().units.len()],
            behind: (behind != Behind::Nobody).then(|| self.most.saturating_sub(1)),
            early: vec![false; self.launch.code().len()],
            others: behind == Behind::Late,
        }
    }

    /// A random one.
    pub fn drawn(&self, rng: &mut Seeded) -> Taste {
        let weight = |rng: &mut Seeded| match rng.below(3) {
            0 => 0.0,
            _ => rng.share() * 2.0 - 1.0,
        };
        let behind = [Behind::Nobody, Behind::One, Behind::Late, Behind::Late][rng.below(4) as usize];
        let mut taste = self.named(&(weight(rng), weight(rng), weight(rng), weight(rng), behind));
        rng.shuffle(&mut taste.ranks);
        taste.units.iter_mut().for_each(|unit| *unit = weight(rng));
        taste
    }

    /// One that is a little different.
    pub fn changed(&self, taste: &Taste, rng: &mut Seeded) -> Taste {
        let mut taste = taste.clone();
        let by = (rng.share() - 0.5) * if rng.below(2) == 0 { 2.0 } else { 0.2 };
        let one = rng.below(taste.units.len().max(1) as u32) as usize;
        match rng.below(9) {
            0 => taste.progress += by,
            1 => taste.waited += by,
            2 => taste.rest += by,
            3 => taste.rank += by,
            4 => rng.shuffle(&mut taste.ranks),
            5 => {
                taste.behind = match taste.behind {
                    Some(_) => None,
                    None => Some(rng.below(self.most)),
                }
            }
            6 => taste.others = !taste.others,
            7 if !taste.early.is_empty() => {
                let at = rng.below(taste.early.len() as u32) as usize;
                taste.early[at] = !taste.early[at];
            }
            _ => taste.units.iter_mut().skip(one).take(1).for_each(|unit| *unit += by),
        }
        taste
    }

    /// The latencies of a taste.
    pub fn latencies(&self, taste: &Taste) -> Vec<u32> {
        let mut latencies = schedule::longest(&self.launch);
        if taste.early.contains(&true) || taste.others {
            for ((warp, place, set), latency) in self.launch.sets().zip(&mut latencies) {
                let at = self.launch.stream(warp).path[place] as usize;
                let spared = taste.others && taste.behind.is_some_and(|behind| behind != self.ranks[warp]);
                if taste.early[at] || spared {
                    *latency = set.least;
                }
            }
        }
        latencies
    }

    /// A taste that chooses: what does not change while it plays is added up before.
    pub fn at_work<'b>(&'b self, taste: &'b Taste) -> AtWork<'b> {
        let launch = &self.launch;
        let of = |stream: usize| {
            let path = &launch.streams()[stream].path;
            let step = taste.progress / path.len() as f64;
            let sum = |(place, &at): (usize, &u32)| {
                let unit = launch.code()[at as usize].unit.map_or(0.0, |unit| taste.units[usize::from(unit)]);
                step * place as f64 + taste.rest * self.rest[stream][place] + unit
            };
            path.iter().enumerate().map(sum).collect()
        };
        let rank = |&rank: &u32| taste.rank * f64::from(taste.ranks[rank as usize]) / f64::from(self.most);
        AtWork {
            launch,
            places: (0..launch.streams().len()).map(of).collect(),
            warps: self.ranks.iter().map(rank).collect(),
            waited: taste.waited / 64.0,
            behind: self.ranks.iter().map(|&rank| taste.behind == Some(rank) && self.most > 1).collect(),
        }
    }
}

/// A taste at work.
#[derive(Debug)]
pub struct AtWork<'a> {
    launch: &'a Launch,
    /// What counts at each place of each stream, and for each warp.
    places: Vec<Vec<f64>>,
    warps: Vec<f64>,
    waited: f64,
    behind: Vec<bool>,
}

impl Chooser for AtWork<'_> {
    fn key(&mut self, cycle: u32, warp: usize, place: usize, since: u32) -> u64 {
        let stream = self.launch.warps()[warp].stream;
        let waited = self.waited * (f64::from(since) - f64::from(cycle));
        let sum = self.places[stream][place] + self.warps[warp] + waited;
        // Any finite sum is far from these ends.
        u64::from(self.behind[warp]) << 62 | ((sum.clamp(-1e6, 1e6) + 1e6) * 1e9) as u64
    }
}
