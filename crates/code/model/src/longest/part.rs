//! Beams over the warps of one partition: a tournament of tastes, each round twice as wide as the one before.
//!
//! Where all partitions have the same warps and mostly units of their own, what holds one of them up for long holds up
//! all: the best schedule of one partition alone is an order and latencies for each. [`crate::engine`] plays them, so that
//! whatever is found keeps the rules, be the partitions in each other's way or not.
//!
//! How states are best judged differs from kernel to kernel, and with the number of warps: with four a warp is best held
//! up by much that others have left to do, with sixteen by little. So all tastes are tried narrow, and the better half of
//! them goes on to the next round. How good a taste is says what all partitions take, as some schedules are lost where
//! partitions meet at shared units.

use std::cmp::Reverse;
use std::sync::Arc;

use super::quick::{Beam, Taste};
use crate::launch::{Launch, Warp};
use crate::machine::Machine;
use crate::schedule::Schedule;

/// With more warps a partition there are too many states for a beam that is done in time.
const MOST_WARPS: usize = 16;
/// How wide beams of the first round are, and the widest.
const NARROWEST: usize = 2;
const WIDEST: usize = 1 << 12;
/// Beams from this width on have to come close to what else is found.
const WIDE: usize = 16;
/// After so many beams it shows whether there is something to be found.
const SOME: usize = 4;
/// So many tastes are always left.
const LEFT: usize = 2;
/// Keys of other partitions are so much larger.
const LATER: u32 = 1 << 31;

/// Tastes of the first round: `others` and `all`.
const TASTES: [(u64, u64); 12] = [
    (16, 16),
    (2, 64),
    (0, 4),
    (8, 4),
    (1, 512),
    (4, 16),
    (16, 0),
    (2, 4),
    (0, 64),
    (4, 512),
    (1, 16),
    (4, 0),
];

/// The beams.
#[derive(Debug)]
pub struct Part {
    part: Arc<Launch>,
    /// For each warp of the launch the one of the part that it does the same as, and whether it is that one.
    like: Vec<(usize, bool)>,
    /// The beam at work, once it is begun, and how wide those of the round are.
    beam: Option<Beam>,
    width: usize,
    /// Tastes of the round, and what those that are done have found in it.
    tastes: Vec<Taste>,
    took: Vec<u32>,
    /// The longest schedule of all.
    best: u32,
}

impl Part {
    /// None where partitions differ, or nothing is to be expected.
    pub fn new(launch: &Launch) -> Option<Self> {
        if !launch.symmetric() || launch.misses().is_some() {
            return None;
        }
        let of = |partition: usize| {
            let all = launch.warps().iter().enumerate();
            let mut own: Vec<usize> =
                all.filter(|(_, w)| w.partition as usize == partition).map(|(i, _)| i).collect();
            own.sort_by_key(|&warp| (launch.warps()[warp].stream, launch.warps()[warp].block));
            own
        };
        let first = of(0);
        if !(2..=MOST_WARPS).contains(&first.len()) {
            return None;
        }
        let mut like = vec![(0, false); launch.warps().len()];
        for partition in 0..launch.machine().partitions as usize {
            for (number, warp) in of(partition).into_iter().enumerate() {
                like[warp] = (number, partition == 0);
            }
        }
        let machine = Machine { partitions: 1, ..launch.machine().clone() };
        let warps = first.iter().map(|&warp| Warp { partition: 0, ..launch.warps()[warp] }).collect();
        let paths = launch.streams().iter().map(|stream| stream.path.clone()).collect();
        let part = Arc::new(Launch::new(machine, launch.code().to_vec(), paths, warps, None).ok()?);
        let tastes = TASTES.map(|(others, all)| Taste { others, all }).to_vec();
        Some(Self { part, like, beam: None, width: NARROWEST, tastes, took: Vec::new(), best: 0 })
    }

    /// Goes on for about so much work. Some schedule, whenever a beam is done: the cycles are keys for all partitions. What
    /// they take is to be told then.
    pub fn step(&mut self, work: u64) -> Option<Schedule> {
        let taste = self.tastes[self.took.len()];
        let beam = self.beam.get_or_insert_with(|| Beam::new(&self.part, self.width, taste));
        if beam.step(work) {
            return None;
        }
        let found = beam.found();
        self.beam = None;
        if found.is_none() {
            self.took(0);
        }
        found.map(|found| self.everywhere(&found))
    }

    /// Hears what all partitions took with the schedule that was found last.
    pub fn took(&mut self, makespan: u32) {
        self.best = self.best.max(makespan);
        self.took.push(makespan);
        if self.took.len() == self.tastes.len() {
            let took = std::mem::take(&mut self.took);
            let mut order: Vec<usize> = (0..took.len()).collect();
            order.sort_by_key(|&taste| Reverse(took[taste]));
            order.truncate((took.len() / 2).max(LEFT));
            self.tastes = order.into_iter().map(|taste| self.tastes[taste]).collect();
            self.width *= 2;
        }
    }

    /// Whether further beams may find more than is known.
    pub fn promises(&self, known: u32) -> bool {
        let tried = self.width > NARROWEST || self.took.len() >= SOME;
        let near = if self.width < WIDE { 8 } else { 32 };
        !tried || self.width <= WIDEST && u64::from(self.best) * near >= u64::from(known) * (near - 1)
    }

    /// What all partitions do if each does that, the first one before all others where they want the same.
    fn everywhere(&self, found: &Schedule) -> Schedule {
        let row = |&(warp, first): &(usize, bool)| {
            let later = if first { 0 } else { LATER };
            found.issued[warp].iter().map(|cycle| cycle + later).collect()
        };
        let of = |&(warp, _): &(usize, bool)| {
            let from = self.part.latency(warp, 0, 0);
            let count = self.part.stream(warp).sets.last().copied().unwrap_or(0) as usize;
            found.latencies[from..from + count].iter().copied()
        };
        Schedule {
            issued: self.like.iter().map(row).collect(),
            latencies: self.like.iter().flat_map(of).collect(),
        }
    }
}
