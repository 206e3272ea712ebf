//! The rules of the model, one by one, held against a schedule. Shares nothing with what makes schedules.
//!
//! Everything is told from the cycles and latencies in the schedule alone, cycle by cycle.

use std::fmt;

use super::launch::{Launch, MOST_BOARDS};
use super::schedule::Schedule;

/// A rule that a schedule breaks. Warps and instructions count from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Flaw {
    /// It has not one cycle for each instruction and one latency for each scoreboard set, or cycle 0 among them.
    Shape,
    /// A latency out of its range.
    Latency {
        /// The warp.
        warp: usize,
        /// The place of the instruction in what the warp executes.
        place: usize,
    },
    /// More misses than there may be.
    Misses(u32),
    /// An instruction issues before its warp may go on.
    Early {
        /// The warp.
        warp: usize,
        /// The place of the instruction.
        place: usize,
        /// What it does not wait for.
        what: Missing,
    },
    /// More instructions hold a unit than it takes.
    Unit {
        /// The cycle.
        cycle: u32,
        /// The unit.
        unit: usize,
    },
    /// A partition issues more than it can.
    Issue {
        /// The cycle.
        cycle: u32,
        /// The partition.
        partition: u32,
    },
    /// An instruction waits that could issue.
    Idle {
        /// The cycle.
        cycle: u32,
        /// Its warp.
        warp: usize,
        /// Its place.
        place: usize,
    },
}

/// What an instruction has to wait for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    /// The stall of the one before it.
    Stall,
    /// A scoreboard.
    Board(u8),
    /// The other warps at a barrier.
    Barrier,
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flaw::Shape => write!(f, "not one cycle for each instruction and one latency for each result"),
            Flaw::Latency { warp, place } => {
                write!(f, "instruction {} of warp {} has a latency out of its range", place + 1, warp + 1)
            }
            Flaw::Misses(misses) => write!(f, "{misses} latencies are misses"),
            Flaw::Early { warp, place, what } => {
                let what = match what {
                    Missing::Stall => "the stall before it is over".to_owned(),
                    Missing::Board(board) => format!("scoreboard {board} is clear"),
                    Missing::Barrier => "all warps have come to the barrier".to_owned(),
                };
                write!(f, "instruction {} of warp {} issues before {what}", place + 1, warp + 1)
            }
            Flaw::Unit { cycle, unit } => {
                write!(f, "unit {} is held by too many in cycle {cycle}", unit + 1)
            }
            Flaw::Issue { cycle, partition } => {
                write!(f, "partition {} issues too much in cycle {cycle}", partition + 1)
            }
            Flaw::Idle { cycle, warp, place } => {
                write!(
                    f,
                    "instruction {} of warp {} could issue in cycle {cycle} and does not",
                    place + 1,
                    warp + 1
                )
            }
        }
    }
}

/// The first rules that a schedule breaks, of each kind one; none if it keeps them all.
pub fn check(launch: &Launch, schedule: &Schedule) -> Vec<Flaw> {
    let warps = launch.warps().len();
    let shaped = schedule.issued.len() == warps
        && (0..warps).all(|warp| schedule.issued[warp].len() == launch.length(warp))
        && schedule.issued.iter().flatten().all(|&cycle| cycle > 0 && u64::from(cycle) < 1 << 31)
        && schedule.latencies.len() == launch.latencies();
    if !shaped {
        return vec![Flaw::Shape];
    }
    let mut flaws = Vec::new();
    let ranged = launch
        .sets()
        .zip(&schedule.latencies)
        .find(|((_, _, set), latency)| **latency < set.least || **latency > set.most);
    flaws.extend(ranged.map(|((warp, place, _), _)| Flaw::Latency { warp, place }));
    let misses = schedule.misses(launch);
    if launch.misses().is_some_and(|most| misses > most) {
        flaws.push(Flaw::Misses(misses));
    }
    let rules = Rules::of(launch, schedule);
    flaws.extend(rules.early());
    flaws.extend(rules.crowded());
    flaws.extend(rules.idle());
    flaws
}

struct Rules<'a> {
    launch: &'a Launch,
    schedule: &'a Schedule,
    /// When each warp may issue each instruction but for units and slots.
    ready: Vec<Vec<From>>,
}

/// From when on something may issue, and what it waits for until then.
type From = (u32, Missing);

/// From when on each instruction of a warp may issue for its own warp's sake.
fn alone(launch: &Launch, schedule: &Schedule, warp: usize) -> Vec<From> {
    // What each scoreboard still has under way: when each of it is there.
    let mut boards: Vec<Vec<u32>> = vec![Vec::new(); usize::from(MOST_BOARDS)];
    let mut rows = Vec::with_capacity(launch.length(warp));
    let mut from = 1;
    for (place, &issued) in schedule.issued[warp].iter().enumerate() {
        let own = launch.at(warp, place);
        let mut ready = (from, Missing::Stall);
        for wait in &own.waits {
            let board = &mut boards[usize::from(wait.board)];
            // What was there before the stall was over makes no difference any more.
            board.retain(|&there| there > from);
            board.sort_unstable();
            let needed = board.len().checked_sub(wait.left as usize + 1).map_or(0, |last| board[last]);
            if needed > ready.0 {
                ready = (needed, Missing::Board(wait.board));
            }
        }
        rows.push(ready);
        for (i, set) in own.sets.iter().enumerate() {
            let latency = schedule.latencies[launch.latency(warp, place, i)];
            boards[usize::from(set.board)].push(issued + latency);
        }
        from = issued + own.stall;
    }
    rows
}

impl<'a> Rules<'a> {
    fn of(launch: &'a Launch, schedule: &'a Schedule) -> Self {
        let warps = 0..launch.warps().len();
        let alone: Vec<Vec<From>> = warps.clone().map(|warp| alone(launch, schedule, warp)).collect();
        let barriers: Vec<Vec<usize>> = warps
            .clone()
            .map(|warp| (0..launch.length(warp)).filter(|&place| launch.at(warp, place).barrier).collect())
            .collect();
        let mut ready = alone.clone();
        for warp in warps.clone() {
            for (number, &place) in barriers[warp].iter().enumerate() {
                let block = launch.warps()[warp].block;
                let came = warps.clone().filter(|&other| launch.warps()[other].block == block).map(|other| {
                    match barriers[other].get(number) {
                        Some(&at) => alone[other][at].0,
                        None => schedule.issued[other].last().map_or(0, |last| last + 1),
                    }
                });
                let last = came.max().unwrap_or(0);
                if last > ready[warp][place].0 {
                    ready[warp][place] = (last, Missing::Barrier);
                }
            }
        }
        Self { launch, schedule, ready }
    }

    fn early(&self) -> Option<Flaw> {
        for (warp, row) in self.schedule.issued.iter().enumerate() {
            for (place, &cycle) in row.iter().enumerate() {
                let (from, what) = self.ready[warp][place];
                if cycle < from {
                    return Some(Flaw::Early { warp, place, what });
                }
            }
        }
        None
    }

    /// Cycles in which each pool's places are taken and released, and those in which partitions issue.
    fn uses(&self) -> (Vec<Uses>, Vec<Uses>) {
        let machine = self.launch.machine();
        let mut pools = vec![Uses::default(); machine.pools()];
        let mut slots = vec![Uses::default(); machine.partitions as usize];
        for (warp, row) in self.schedule.issued.iter().enumerate() {
            for (place, &cycle) in row.iter().enumerate() {
                slots[self.launch.warps()[warp].partition as usize].add(cycle, cycle + 1);
                if let Some(pool) = self.launch.pool(warp, place) {
                    pools[pool].add(cycle, cycle + self.launch.at(warp, place).hold);
                }
            }
        }
        pools.iter_mut().chain(&mut slots).for_each(Uses::sort);
        (pools, slots)
    }

    fn crowded(&self) -> Vec<Flaw> {
        let machine = self.launch.machine();
        let (pools, slots) = self.uses();
        let unit = pools.iter().enumerate().find_map(|(pool, uses)| {
            let cycle = uses.above(machine.unit_of(pool).count)?;
            Some(Flaw::Unit { cycle, unit: pool / machine.partitions as usize })
        });
        let issue = (0..)
            .zip(&slots)
            .find_map(|(partition, uses)| Some(Flaw::Issue { cycle: uses.above(machine.issue)?, partition }));
        unit.into_iter().chain(issue).collect()
    }

    fn idle(&self) -> Option<Flaw> {
        let machine = self.launch.machine();
        let (pools, slots) = self.uses();
        for (warp, row) in self.schedule.issued.iter().enumerate() {
            let partition = self.launch.warps()[warp].partition as usize;
            for (place, &issued) in row.iter().enumerate() {
                let pool = self.launch.pool(warp, place);
                for cycle in self.ready[warp][place].0..issued {
                    let full = slots[partition].at(cycle) >= machine.issue
                        || pool.is_some_and(|pool| pools[pool].at(cycle) >= machine.unit_of(pool).count);
                    if !full {
                        return Some(Flaw::Idle { cycle, warp, place });
                    }
                }
            }
        }
        None
    }
}

/// How many use something, cycle by cycle.
#[derive(Debug, Clone, Default)]
struct Uses {
    from: Vec<u32>,
    to: Vec<u32>,
}

impl Uses {
    fn add(&mut self, from: u32, to: u32) {
        self.from.push(from);
        self.to.push(to);
    }

    fn sort(&mut self) {
        self.from.sort_unstable();
        self.to.sort_unstable();
    }

    fn at(&self, cycle: u32) -> u32 {
        let begun = self.from.partition_point(|&from| from <= cycle);
        let ended = self.to.partition_point(|&to| to <= cycle);
        (begun - ended) as u32
    }

    fn above(&self, most: u32) -> Option<u32> {
        self.from.iter().copied().find(|&cycle| self.at(cycle) > most)
    }
}
