//! Is a list of cycles a schedule of the model in which loads take their time? Order within a warp, capacities with
//! the places that are held, issue slots, work conservation, and how many loads miss.
//!
//! Shares no code with the construction or the searches, so that each can be held against the other. It looks at
//! the schedule as it stands; between two cycles in which something starts, ends or becomes possible nothing changes.

use std::collections::BTreeSet;
use std::fmt;

use super::{Misses, Mode, Problem};
use crate::Unit;
use base::people;

/// At most this many flaws are listed.
const MOST: usize = 1_000;

/// One rule that is broken. Warps and instructions count from 1 in here, as they are shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Flaw {
    /// What is said to miss is no load, or is listed twice.
    NoLoad {
        /// The warp.
        warp: u32,
        /// The instruction.
        instruction: u32,
    },
    /// Not as many loads miss as should.
    Misses {
        /// How many do.
        found: usize,
        /// How many may, or must.
        allowed: String,
    },
    /// An instruction starts before the one before it is complete.
    Early {
        /// The warp.
        warp: u32,
        /// The instruction that is too early.
        instruction: u32,
        /// Its cycle.
        cycle: u32,
        /// The last cycle of the one before.
        until: u32,
    },
    /// More places of a unit are taken than there are.
    Capacity {
        /// The cycle.
        cycle: u32,
        /// The kind of unit.
        unit: Unit,
        /// Places taken.
        taken: u32,
        /// Places there are.
        capacity: u32,
    },
    /// More warps issue than may.
    Issue {
        /// The cycle.
        cycle: u32,
        /// Warps that issue.
        issued: u32,
        /// Warps that may.
        limit: u32,
    },
    /// A place and an issue slot are free while warps wait for that unit.
    Idle {
        /// The cycle.
        cycle: u32,
        /// The kind of unit.
        unit: Unit,
        /// Warps waiting for it.
        warps: Vec<u32>,
    },
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flaw::NoLoad { warp, instruction } => {
                write!(
                    f,
                    "instruction {instruction} of warp {warp} is listed as missing and is no load, or twice"
                )
            }
            Flaw::Misses { found, allowed } => {
                write!(f, "{} listed as missing, not {allowed}", people::counted(*found, "load"))
            }
            Flaw::Early { warp, instruction, cycle, until } => write!(
                f,
                "out of order at cycle {cycle}: instruction {instruction} of warp {warp} starts before instruction {} is complete at the end of cycle {until}",
                instruction - 1
            ),
            Flaw::Capacity { cycle, unit, taken, capacity } => write!(
                f,
                "over capacity at cycle {cycle}: {} of {} taken, which has {capacity}",
                people::counted(*taken as usize, "place"),
                unit.lettered()
            ),
            Flaw::Issue { cycle, issued, limit } => write!(
                f,
                "over the issue limit at cycle {cycle}: {} issue, the limit is {limit}",
                people::counted(*issued as usize, "warp")
            ),
            Flaw::Idle { cycle, unit, warps } => write!(
                f,
                "not work-conserving at cycle {cycle}: {} has a free place and {} pending on it",
                unit.lettered(),
                people::named("warp", warps) + if warps.len() == 1 { " is" } else { " are" }
            ),
        }
    }
}

/// An instruction as it stands in the schedule: where it could start, where it does, and its last cycle.
#[derive(Clone, Copy)]
struct Entry {
    warp: u32,
    unit: Unit,
    ready: u32,
    start: u32,
    last: u32,
}

/// All flaws of a schedule: `rows[w][i]` is the cycle in which warp `w` starts its instruction `i`, and `missed` the
/// loads that miss. Each row must have as many cycles as the kernel has instructions.
pub fn check(problem: &Problem, rows: &[Vec<u32>], missed: &[(u16, u16)]) -> Vec<Flaw> {
    let mut flaws = listed(problem, missed);
    let entries = entries(problem, rows, missed, &mut flaws);
    let mut moments: Vec<u32> =
        entries.iter().flat_map(|e| [e.ready, e.start, e.start + 1, e.last + 1]).collect();
    base::sort::sort(&mut moments);
    moments.dedup();
    // Whoever is ready or starts from here on, by the cycle in which that begins.
    let mut coming = entries;
    base::sort::sort_by_key(&mut coming, |entry| (entry.ready.min(entry.start), entry.warp));
    let mut coming = coming.into_iter().peekable();
    let mut here: Vec<Entry> = Vec::new();
    for cycle in moments {
        while let Some(entry) = coming.next_if(|entry| entry.ready.min(entry.start) <= cycle) {
            here.push(entry);
        }
        here.retain(|entry| entry.last >= cycle);
        look(problem, cycle, &here, &mut flaws);
        if flaws.len() >= MOST {
            break;
        }
    }
    flaws.truncate(MOST);
    flaws
}

/// What is wrong with the list of missing loads.
fn listed(problem: &Problem, missed: &[(u16, u16)]) -> Vec<Flaw> {
    let mut flaws = Vec::new();
    let mut seen = BTreeSet::new();
    for &(warp, instruction) in missed {
        let unit = problem.kernel.units().get(usize::from(instruction));
        let load = unit == Some(&Unit::LoadStore) && usize::from(warp) < problem.warps;
        if !seen.insert((warp, instruction)) || !load {
            flaws.push(Flaw::NoLoad { warp: u32::from(warp) + 1, instruction: u32::from(instruction) + 1 });
        }
    }
    let loads =
        problem.kernel.units().iter().filter(|&&unit| unit == Unit::LoadStore).count() * problem.warps;
    let wrong = match (&problem.memory.missing, problem.memory.misses) {
        (Some(missing), _) => (missing != missed).then(|| "those that are given".to_owned()),
        (None, Misses::None) => (!missed.is_empty()).then(|| "none".to_owned()),
        (None, Misses::All) => (missed.len() != loads).then(|| "all".to_owned()),
        (None, Misses::AtMost(most)) => (missed.len() > most as usize).then(|| format!("at most {most}")),
    };
    flaws.extend(wrong.map(|allowed| Flaw::Misses { found: missed.len(), allowed }));
    flaws
}

/// All instructions with their times; what starts too early is noted.
fn entries(problem: &Problem, rows: &[Vec<u32>], missed: &[(u16, u16)], flaws: &mut Vec<Flaw>) -> Vec<Entry> {
    let mut misses: Vec<(u16, u16)> = missed.to_vec();
    base::sort::sort(&mut misses);
    let mut entries = Vec::new();
    for (warp, row) in rows.iter().enumerate() {
        let mut ready = 1;
        for (i, (&start, &unit)) in row.iter().zip(problem.kernel.units()).enumerate() {
            if start < ready {
                let (warp, instruction) = (warp as u32 + 1, i as u32 + 1);
                flaws.push(Flaw::Early { warp, instruction, cycle: start, until: ready - 1 });
            }
            let missed = misses.binary_search(&(warp as u16, i as u16)).is_ok();
            let cycles = match (unit, missed) {
                (Unit::LoadStore, true) => problem.memory.miss,
                (Unit::LoadStore, false) => problem.memory.hit,
                _ => 1,
            };
            let last = start + cycles - 1;
            entries.push(Entry { warp: warp as u32 + 1, unit, ready: ready.min(start), start, last });
            ready = last + 1;
        }
    }
    entries
}

/// One cycle: who is in it, and whether anybody waits who need not.
fn look(problem: &Problem, cycle: u32, here: &[Entry], flaws: &mut Vec<Flaw>) {
    let held = problem.memory.mode == Mode::Held;
    let issued = here.iter().filter(|entry| entry.start == cycle).count() as u32;
    let limit = problem.machine.issue.unwrap_or(u32::MAX);
    if issued > limit {
        flaws.push(Flaw::Issue { cycle, issued, limit });
    }
    for unit in Unit::ALL {
        let until = |entry: &Entry| if held { entry.last } else { entry.start };
        let takes = |entry: &&Entry| entry.unit == unit && (entry.start..=until(entry)).contains(&cycle);
        let (taken, capacity) = (here.iter().filter(takes).count() as u32, problem.machine.capacity[unit]);
        if taken > capacity {
            flaws.push(Flaw::Capacity { cycle, unit, taken, capacity });
        }
        let waits = |entry: &&Entry| entry.unit == unit && entry.ready <= cycle && cycle < entry.start;
        let warps: Vec<u32> = here.iter().filter(waits).map(|entry| entry.warp).collect();
        if !warps.is_empty() && taken < capacity && issued < limit {
            flaws.push(Flaw::Idle { cycle, unit, warps });
        }
    }
}

#[cfg(test)]
mod tests;
