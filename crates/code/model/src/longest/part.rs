//! Beams over the warps of one partition, each twice as wide as the one before.
//!
//! Where all partitions have the same warps and mostly units of their own, what holds one of them up for long holds up
//! all: the best schedule of one partition alone is an order and latencies for each. [`crate::engine`] plays them, so that
//! whatever is found keeps the rules, be the partitions in each other's way or not.

use std::sync::Arc;

use crate::exact::Beam;
use crate::launch::{Launch, Warp};
use crate::machine::Machine;
use crate::schedule::Schedule;

/// With more warps a partition there are too many states for a beam that is done in time.
const MOST_WARPS: usize = 8;
/// Beams from this width on have to come close to what else is found.
const WIDE: usize = 8;
/// Keys of other partitions are so much larger.
const LATER: u32 = 1 << 31;
/// None is wider.
const WIDEST: usize = 1 << 12;

/// The beams.
#[derive(Debug)]
pub struct Part {
    part: Arc<Launch>,
    /// For each warp of the launch the one of the part that it does the same as, and whether it is that one.
    like: Vec<(usize, bool)>,
    /// The beam at work, once it is begun, how wide it is to be, and the longest schedule of all before.
    beam: Option<Beam>,
    width: usize,
    best: u64,
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
        Some(Self { part, like, beam: None, width: 1, best: 0 })
    }

    /// Goes on for about so much work. Some schedule, whenever a beam is done that found a longer one: the cycles are
    /// keys for all partitions.
    pub fn step(&mut self, work: u64) -> Option<Schedule> {
        let known = u32::try_from(self.best).unwrap_or(0);
        let beam = self.beam.get_or_insert_with(|| Beam::new(&self.part, self.width, true, known));
        if beam.step(work) {
            return None;
        }
        let found = beam.witness();
        (self.best, self.width) = (beam.best(), beam.width() * 2);
        self.beam = None;
        found.map(|found| self.everywhere(&found))
    }

    /// Whether a wider beam may find more than is known.
    pub fn promises(&self, known: u32) -> bool {
        let width = self.width / 2;
        let near = if width < WIDE { 8 } else { 32 };
        width == 0 || width < WIDEST && self.best * near >= u64::from(known) * (near - 1)
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
