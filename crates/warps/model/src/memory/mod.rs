//! Loads that take longer than a cycle: the papers' one optimistic assumption, "every load hits the cache", relaxed
//! (B, sections III-C and IX leave this to future work).
//!
//! Every `L` of the normalised string is a load. It takes `d` cycles, `hit` or `miss` of them: it starts in cycle
//! `t`, takes an issue slot in cycle `t` only, and is complete at the end of cycle `t + d - 1`; the warp's next
//! instruction may start in cycle `t + d`. A pipelined unit is taken in cycle `t` only, a held one through all `d`
//! cycles. All other units serve in one cycle as ever. A schedule is work-conserving if in no cycle a warp whose
//! previous instruction is complete waits while its unit has a free place and an issue slot is free.
//!
//! The model without memory has code of its own, which nothing here slows down. With `hit` and `miss` 1 both
//! agree; the tests compare them.
pub mod anneal;
pub mod bounds;
mod breadth_first;
pub mod check;
pub mod construct;
mod engine;
pub mod exact;
pub mod misses;
mod space;
#[cfg(test)]
mod tests;

use super::kernel::Kernel;
use super::machine::Machine;
use super::schedule::Schedule;
use super::unit::Unit;

/// The most cycles a load may take.
pub const SLOWEST: u32 = 1_000;

/// The most cycles all instructions of a scenario may take together: no schedule is longer.
pub const MOST_CYCLES: u64 = 4_000_000;

/// How the load/store unit serves a load.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// One place of it is taken until the load is complete.
    Held,
    /// It takes another load in the next cycle.
    Pipelined,
}

/// How many loads may miss.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Misses {
    /// Every load hits.
    None,
    /// Every load misses.
    All,
    /// At most so many of all warps' loads miss, whichever is worst.
    AtMost(u32),
}

/// How long loads take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Memory {
    /// How the unit serves them.
    pub mode: Mode,
    /// Cycles of a load that hits.
    pub hit: u32,
    /// Cycles of a load that misses, at least `hit`.
    pub miss: u32,
    /// How many miss.
    pub misses: Misses,
    /// Exactly which loads miss, where that is given: warp and instruction, both from 0, ascending.
    pub missing: Option<Vec<(u16, u16)>>,
}

impl Mode {
    /// The name scenarios use.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Held => "held",
            Mode::Pipelined => "pipelined",
        }
    }
}

impl Memory {
    /// The cycles of a load.
    pub fn cycles(&self, missed: bool) -> u32 {
        if missed { self.miss } else { self.hit }
    }

    /// The cycles of each instruction of a warp after the other, given which loads miss.
    pub fn durations(&self, kernel: &Kernel, warps: usize, missed: &[(u16, u16)]) -> Vec<u16> {
        let cycles = |unit: &Unit| if *unit == Unit::LoadStore { self.hit as u16 } else { 1 };
        let row: Vec<u16> = kernel.units().iter().map(cycles).collect();
        let mut all = row.repeat(warps);
        for &(warp, instruction) in missed {
            if let Some(cycles) = all.get_mut(usize::from(warp) * kernel.len() + usize::from(instruction)) {
                *cycles = self.miss as u16;
            }
        }
        all
    }

    /// The loads that miss, going by the cycles they take; where misses take no longer, all or those that are given.
    pub fn missed(&self, kernel: &Kernel, schedule: &Schedule) -> Vec<(u16, u16)> {
        if self.hit == self.miss
            && let Some(missing) = &self.missing
        {
            return missing.clone();
        }
        let all = self.hit < self.miss || self.misses == Misses::All;
        let missed = |warp: usize, i: usize| {
            all && kernel.units()[i] == Unit::LoadStore && schedule.lasts(warp, i) == self.miss
        };
        let pairs = (0..schedule.warps()).flat_map(|warp| (0..kernel.len()).map(move |i| (warp, i)));
        pairs.filter(|&(warp, i)| missed(warp, i)).map(|(warp, i)| (warp as u16, i as u16)).collect()
    }

    /// What a result takes for granted about the time of instructions.
    pub fn assumptions(&self) -> [String; 2] {
        let (hit, miss) = (self.hit, self.miss);
        let held = match self.mode {
            Mode::Held => "holds one place of its unit until it is complete",
            Mode::Pipelined => "takes its unit in its first cycle only",
        };
        let cycles = |n: u32| if n == 1 { "1 cycle".to_owned() } else { format!("{n} cycles") };
        let each = match (&self.missing, self.misses) {
            (Some(_), _) => format!("{} if it hits and {} if it misses", cycles(hit), cycles(miss)),
            (None, Misses::None) => cycles(hit),
            (None, Misses::All) => cycles(miss),
            (None, Misses::AtMost(_)) => {
                format!("{} if it hits and {} if it misses", cycles(hit), cycles(miss))
            }
        };
        let which = match (&self.missing, self.misses) {
            (Some(_), _) => "The loads that are listed miss, all others hit.".to_owned(),
            (None, Misses::None) => "Every load and store hits the cache.".to_owned(),
            (None, Misses::All) => "Every load and store misses the cache.".to_owned(),
            (None, Misses::AtMost(1)) => "At most 1 load or store of all misses the cache.".to_owned(),
            (None, Misses::AtMost(most)) => format!("At most {most} loads and stores of all miss the cache."),
        };
        [format!("A load or store takes {each}, and {held}; its warp waits until it is complete."), which]
    }
}

/// What schedules are looked at.
#[derive(Debug, Clone, Copy)]
pub struct Problem<'a> {
    /// The instructions of each warp.
    pub kernel: &'a Kernel,
    /// What a cycle can do.
    pub machine: &'a Machine,
    /// How long loads take.
    pub memory: &'a Memory,
    /// How many warps.
    pub warps: usize,
}

impl Problem<'_> {
    /// Loads of all warps.
    pub fn loads(&self) -> usize {
        self.kernel.totals()[Unit::LoadStore] as usize * self.warps
    }

    /// The loads that miss where nobody has a choice: those listed, all, or none.
    pub fn settled(&self) -> Option<Vec<(u16, u16)>> {
        let all = || {
            let loads = self.kernel.units().iter().enumerate().filter(|&(_, &unit)| unit == Unit::LoadStore);
            let loads: Vec<u16> = loads.map(|(i, _)| i as u16).collect();
            (0..self.warps as u16).flat_map(|warp| loads.iter().map(move |&i| (warp, i))).collect()
        };
        match (&self.memory.missing, self.memory.misses) {
            (Some(missing), _) => Some(missing.clone()),
            (None, Misses::None) => Some(Vec::new()),
            (None, Misses::All) => Some(all()),
            (None, Misses::AtMost(0)) => Some(Vec::new()),
            // What misses takes no longer: which does is no choice.
            (None, Misses::AtMost(_)) if self.memory.hit == self.memory.miss => Some(Vec::new()),
            (None, Misses::AtMost(_)) => None,
        }
    }

    /// How many loads may miss where there is a choice.
    pub fn most_misses(&self) -> usize {
        match self.memory.misses {
            Misses::AtMost(most) => (most as usize).min(self.loads()),
            Misses::All => self.loads(),
            Misses::None => 0,
        }
    }
}
