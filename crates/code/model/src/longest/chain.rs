//! Annealing: the cycles of a schedule as keys, of which some are moved, and latencies that are changed.

use crate::engine::{Chooser, Engine};
use crate::launch::{Launch, Set};
use crate::schedule::Schedule;
use base::Seeded;

/// The temperature at the start; it falls to nothing.
const HOT: f64 = 0.3;

/// A chain.
#[derive(Debug)]
pub struct Chain {
    /// The present keys, warp by warp, and latencies.
    keys: Vec<Vec<u64>>,
    latencies: Vec<u32>,
    sets: Vec<Set>,
    /// Latencies with a choice.
    free: Vec<usize>,
    misses: Option<u32>,
    missed: u32,
    makespan: u32,
    /// What was changed last, to change it back.
    undo: Undo,
}

#[derive(Debug)]
enum Undo {
    Nothing,
    Keys { warp: usize, from: usize, old: Vec<u64> },
    Both { one: usize, other: usize, old: [Vec<u64>; 2] },
    Latency { at: usize, old: u32 },
}

struct Keys<'a>(&'a [Vec<u64>]);

impl Chooser for Keys<'_> {
    fn key(&mut self, _: u32, warp: usize, place: usize, _: u32) -> u64 {
        self.0[warp][place]
    }
}

impl Chain {
    /// One that starts from a schedule.
    pub fn new(launch: &Launch, schedule: &Schedule, makespan: u32) -> Self {
        let sets: Vec<Set> = launch.sets().map(|(_, _, set)| set).collect();
        let keys =
            schedule.issued.iter().map(|row| row.iter().map(|&cycle| u64::from(cycle) * 4 + 2).collect());
        Self {
            keys: keys.collect(),
            latencies: schedule.latencies.clone(),
            free: (0..sets.len()).filter(|&at| sets[at].least < sets[at].most).collect(),
            misses: launch.misses(),
            missed: schedule.misses(launch),
            sets,
            makespan,
            undo: Undo::Nothing,
        }
    }

    /// Tries one change; the makespan that it leads to. `share` is how much of the time is over.
    pub fn iterate(&mut self, launch: &Launch, engine: &mut Engine, rng: &mut Seeded, share: f64) -> u32 {
        self.change(rng);
        let makespan = engine.play(launch, &self.latencies, &mut Keys(&self.keys));
        let worse = f64::from(self.makespan) - f64::from(makespan);
        let hot = HOT * (1.0 - share);
        if worse <= 0.0 || hot > 0.0 && rng.share() < hot / worse {
            self.makespan = makespan;
        } else {
            self.back();
        }
        makespan
    }

    /// The schedule that was played last, if it was accepted.
    pub fn schedule(&self, engine: &Engine) -> Schedule {
        Schedule { issued: engine.rows(), latencies: self.latencies.clone() }
    }

    fn change(&mut self, rng: &mut Seeded) {
        let warps = self.keys.len() as u32;
        self.undo = Undo::Nothing;
        let kind = rng.below(if self.free.is_empty() { 6 } else { 9 });
        let warp = rng.below(warps) as usize;
        let length = self.keys[warp].len() as u32;
        let from = rng.below(length) as usize;
        match kind {
            // A stretch of a warp sooner or later.
            0..=3 => {
                let long = match rng.below(3) {
                    0 => 1,
                    1 => 1 + rng.below(8.min(length)),
                    _ => 1 + rng.below(length),
                } as usize;
                let to = (from + long).min(self.keys[warp].len());
                let far = if rng.below(3) == 0 { 4 * self.makespan } else { 64 };
                let by = u64::from(1 + rng.below(far.max(1)));
                let old = self.keys[warp][from..to].to_vec();
                let later = rng.below(2) == 0;
                for key in &mut self.keys[warp][from..to] {
                    *key = if later { *key + by } else { key.saturating_sub(by) };
                }
                self.undo = Undo::Keys { warp, from, old };
            }
            // Two warps change places.
            4 | 5 => {
                let other = rng.below(warps) as usize;
                if other == warp || self.keys[other].len() != self.keys[warp].len() {
                    return;
                }
                let old = [self.keys[warp].clone(), self.keys[other].clone()];
                let to = if rng.below(2) == 0 { from + 1 + rng.below(8) as usize } else { length as usize };
                for at in from..to.min(length as usize) {
                    let key = self.keys[warp][at];
                    self.keys[warp][at] = self.keys[other][at];
                    self.keys[other][at] = key;
                }
                self.undo = Undo::Both { one: warp, other, old };
            }
            _ => self.relax(rng),
        }
    }

    /// Another latency, with no more misses than there may be.
    fn relax(&mut self, rng: &mut Seeded) {
        let at = self.free[rng.below(self.free.len() as u32) as usize];
        let (set, old) = (self.sets[at], self.latencies[at]);
        let new = match rng.below(4) {
            0 => set.most,
            1 => set.least,
            2 => set.hit.unwrap_or(set.most).clamp(set.least, set.most),
            _ => set.least + rng.below(set.most - set.least + 1),
        };
        let misses = |latency: u32| u32::from(set.hit.is_some_and(|hit| latency > hit));
        let missed = self.missed + misses(new) - misses(old);
        if self.misses.is_some_and(|most| missed > most) {
            return;
        }
        self.missed = missed;
        self.latencies[at] = new;
        self.undo = Undo::Latency { at, old };
    }

    fn back(&mut self) {
        match std::mem::replace(&mut self.undo, Undo::Nothing) {
            Undo::Nothing => {}
            Undo::Keys { warp, from, old } => self.keys[warp][from..from + old.len()].copy_from_slice(&old),
            Undo::Both { one, other, old: [first, second] } => {
                self.keys[one] = first;
                self.keys[other] = second;
            }
            Undo::Latency { at, old } => {
                let misses = |latency: u32| u32::from(self.sets[at].hit.is_some_and(|hit| latency > hit));
                self.missed = self.missed + misses(old) - misses(self.latencies[at]);
                self.latencies[at] = old;
            }
        }
    }
}
