//! How multiprocessors are believed to choose: greedy then oldest, loose round-robin, oldest first.

use super::engine::{Chooser, Engine};
use super::launch::Launch;
use super::schedule::Schedule;

/// A rule by which a partition chooses among warps that may issue. Warps of a lower number are older.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Policy {
    /// The warp that issued last as long as it can, then the oldest.
    GreedyThenOldest,
    /// The next after the one that issued last, in a circle.
    LooseRoundRobin,
    /// The oldest.
    OldestFirst,
}

impl Policy {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::GreedyThenOldest, Self::LooseRoundRobin, Self::OldestFirst];

    /// What documents call it.
    pub fn name(self) -> &'static str {
        match self {
            Policy::GreedyThenOldest => "greedy-then-oldest",
            Policy::LooseRoundRobin => "loose-round-robin",
            Policy::OldestFirst => "oldest-first",
        }
    }

    /// The schedule it makes with these latencies.
    pub fn schedule(self, launch: &Launch, latencies: Vec<u32>) -> Schedule {
        let mut engine = Engine::new(launch);
        engine.play(launch, &latencies, &mut Turns::new(launch, self));
        Schedule { issued: engine.rows(), latencies }
    }
}

/// A policy at work.
#[derive(Debug, Clone)]
pub struct Turns<'a> {
    launch: &'a Launch,
    policy: Policy,
    /// For each partition the warp that issued last.
    last: Vec<Option<usize>>,
    /// Which partition is asked first for what all share changes with every cycle: the cycle, and that partition.
    first: (u32, u32),
    partitions: u32,
}

impl<'a> Turns<'a> {
    /// Before anything has issued.
    pub fn new(launch: &'a Launch, policy: Policy) -> Self {
        let partitions = launch.machine().partitions;
        Self { launch, policy, last: vec![None; partitions as usize], first: (0, 0), partitions }
    }

    /// Where a partition stands in the turns of a cycle, in the upper half.
    fn turned(&mut self, cycle: u32, partition: u32) -> u64 {
        if self.first.0 != cycle {
            self.first = (cycle, cycle % self.partitions);
        }
        // Partitions take turns for what they share: the first choices of all before the second ones would need a round
        // for each; one after the other is as good a guess.
        let turned = if partition < self.first.1 { self.partitions } else { 0 };
        u64::from(partition + turned - self.first.1) << 32
    }
}

impl Chooser for Turns<'_> {
    fn key(&mut self, cycle: u32, warp: usize, _place: usize, _since: u32) -> u64 {
        let partition = self.launch.warps()[warp].partition;
        let warps = self.launch.warps().len();
        let turn = match (self.policy, self.last[partition as usize]) {
            (Policy::GreedyThenOldest, Some(last)) if last == warp => 0,
            (Policy::GreedyThenOldest | Policy::OldestFirst, _) | (_, None) => warp + 1,
            (Policy::LooseRoundRobin, Some(last)) if warp > last => warp - last - 1,
            (Policy::LooseRoundRobin, Some(last)) => warp + warps - last - 1,
        };
        self.turned(cycle, partition) | turn as u64
    }

    fn first(&mut self, cycle: u32, partition: u32, ready: u64) -> Option<(u64, usize)> {
        let lowest = ready.trailing_zeros() as usize;
        let (warp, turn) = match (self.policy, self.last[partition as usize]) {
            (Policy::GreedyThenOldest, Some(last)) if ready >> last & 1 == 1 => (last, 0),
            (Policy::GreedyThenOldest | Policy::OldestFirst, _) | (_, None) => (lowest, lowest + 1),
            (Policy::LooseRoundRobin, Some(last)) => match ready & !(u64::MAX >> (63 - last)) {
                0 => (lowest, lowest + self.launch.warps().len() - last - 1),
                later => (later.trailing_zeros() as usize, later.trailing_zeros() as usize - last - 1),
            },
        };
        Some((self.turned(cycle, partition) | turn as u64, warp))
    }

    fn issued(&mut self, _cycle: u32, warp: usize, _place: usize) {
        self.last[self.launch.warps()[warp].partition as usize] = Some(warp);
    }
}
