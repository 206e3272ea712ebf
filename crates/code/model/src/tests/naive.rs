//! The naive twin of the engine: cycle by cycle, from the rules as they are written.

use crate::launch::Launch;
use crate::schedule::Schedule;

/// What has happened so far.
#[derive(Debug, Clone)]
pub struct Past<'a> {
    pub launch: &'a Launch,
    pub issued: Vec<Vec<u32>>,
    pub latencies: Vec<u32>,
}

impl<'a> Past<'a> {
    pub fn new(launch: &'a Launch, latencies: Vec<u32>) -> Self {
        Self { launch, issued: vec![Vec::new(); launch.warps().len()], latencies }
    }

    /// Whether a warp's next instruction may issue in a cycle, but for units and slots.
    pub fn may(&self, warp: usize, cycle: u32) -> bool {
        if !self.may_alone(warp, cycle) {
            return false;
        }
        let place = self.issued[warp].len();
        !self.launch.at(warp, place).barrier || self.together(warp, cycle)
    }

    /// The same without the barrier.
    fn may_alone(&self, warp: usize, cycle: u32) -> bool {
        let place = self.issued[warp].len();
        if place == self.launch.length(warp) {
            return false;
        }
        if place > 0 && cycle < self.issued[warp][place - 1] + self.launch.at(warp, place - 1).stall {
            return false;
        }
        self.launch.at(warp, place).waits.iter().all(|wait| {
            let mut under_way = 0;
            for earlier in 0..place {
                for (i, set) in self.launch.at(warp, earlier).sets.iter().enumerate() {
                    let latency = self.latencies[self.launch.latency(warp, earlier, i)];
                    if set.board == wait.board && self.issued[warp][earlier] + latency > cycle {
                        under_way += 1;
                    }
                }
            }
            under_way <= wait.left
        })
    }

    /// Whether all of the block have come to the barrier at which a warp stands, or have gone on, or are over.
    fn together(&self, warp: usize, cycle: u32) -> bool {
        let passed = |warp: usize| {
            (0..self.issued[warp].len()).filter(|&place| self.launch.at(warp, place).barrier).count()
        };
        (0..self.launch.warps().len())
            .filter(|&other| self.launch.warps()[other].block == self.launch.warps()[warp].block)
            .all(|other| {
                let place = self.issued[other].len();
                place == self.launch.length(other)
                    || passed(other) > passed(warp)
                    || passed(other) == passed(warp)
                        && self.launch.at(other, place).barrier
                        && self.may_alone(other, cycle)
            })
    }

    /// How many places of a pool are taken in a cycle.
    fn taken(&self, pool: usize, cycle: u32) -> u32 {
        let mut taken = 0;
        for (warp, row) in self.issued.iter().enumerate() {
            for (place, &issued) in row.iter().enumerate() {
                let holds = issued <= cycle && cycle < issued + self.launch.at(warp, place).hold;
                taken += u32::from(self.launch.pool(warp, place) == Some(pool) && holds);
            }
        }
        taken
    }

    /// Whether there is a place and a slot in a cycle for a warp's next instruction.
    pub fn fits(&self, warp: usize, cycle: u32) -> bool {
        let machine = self.launch.machine();
        let partition = self.launch.warps()[warp].partition;
        let slots = self
            .issued
            .iter()
            .enumerate()
            .filter(|(other, row)| {
                self.launch.warps()[*other].partition == partition && row.last() == Some(&cycle)
            })
            .count() as u32;
        let pool = self.launch.pool(warp, self.issued[warp].len());
        slots < machine.issue && pool.is_none_or(|pool| self.taken(pool, cycle) < machine.unit_of(pool).count)
    }

    /// Whether all has issued.
    pub fn over(&self) -> bool {
        (0..self.issued.len()).all(|warp| self.issued[warp].len() == self.launch.length(warp))
    }

    pub fn schedule(&self) -> Schedule {
        Schedule { issued: self.issued.clone(), latencies: self.latencies.clone() }
    }
}

/// Plays a schedule; in every cycle those that may issue are tried in the sequence of their keys.
pub fn play(launch: &Launch, latencies: &[u32], key: &dyn Fn(usize, usize) -> u64) -> Schedule {
    let mut past = Past::new(launch, latencies.to_vec());
    let mut cycle = 1;
    while !past.over() {
        // Who may issue is told by the state at the beginning of the cycle.
        let mut may: Vec<usize> = (0..launch.warps().len()).filter(|&warp| past.may(warp, cycle)).collect();
        may.sort_by_key(|&warp| (key(warp, past.issued[warp].len()), warp));
        for warp in may {
            if past.fits(warp, cycle) {
                past.issued[warp].push(cycle);
            }
        }
        cycle += 1;
        assert!(cycle < 100_000, "it comes to an end");
    }
    past.schedule()
}
