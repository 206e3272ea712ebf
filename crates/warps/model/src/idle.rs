//! Why a warp executes nothing in a cycle: what it waits for, and who has it.
//!
//! A warp executes in the cycles in which it takes a place of a unit: one for each instruction, and all of a load's
//! where loads hold their place. For every other cycle up to the end there is exactly one reason. Reasons that depend
//! on what others do are the same for all warps that could run on the same unit, so they are kept once for each unit
//! and not once for each warp: what is kept grows with the instructions and the cycles, not with warps times cycles.

use std::cell::OnceCell;

use super::kernel::Kernel;
use super::machine::Machine;
use super::memory::Mode;
use super::schedule::Schedule;
use super::unit::{PerUnit, Unit};

/// Why a warp executes nothing in a cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waiting {
    /// Its load is under way and takes no place any more.
    Data,
    /// It could run, and all places of its unit are taken.
    Unit,
    /// It could run and its unit has room, and all issue slots are taken.
    Slot,
    /// It could run, its unit has room and so has the issue: the schedule lets it wait all the same. No
    /// work-conserving one does.
    Free,
    /// Its next instruction has no cycle yet.
    Unplaced,
    /// It has nothing left.
    Done,
}

/// What a warp does in a cycle, and the instruction that it is about, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cell {
    /// It executes this one.
    Executes(usize),
    /// It waits: for the data of this one, or to execute this one. Where nothing is left, one past the last.
    Waits(Waiting, usize),
}

/// Cycles in a row, both ends included, in which a warp executes nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gap {
    /// First cycle.
    pub from: u32,
    /// Last cycle.
    pub to: u32,
    /// The instruction it is about, as in [`Cell::Waits`].
    pub instruction: usize,
    /// Why.
    pub cause: Cause,
}

/// What lies behind a gap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// The same in every cycle.
    Always(Waiting),
    /// The warp could run on this unit: what keeps it from that may change, see [`Reasons`].
    Ready(Unit),
}

/// For each unit what keeps warps that could run on it from doing so: the cycle from which on, ascending, and what.
/// Cycles in which nobody waits for the unit count to those before them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reasons(PerUnit<Vec<(u32, Waiting)>>);

impl Reasons {
    /// Those of a unit.
    pub fn of(&self, unit: Unit) -> &[(u32, Waiting)] {
        &self.0[unit]
    }

    /// What keeps warps from a unit within these cycles: first and last cycle, and what.
    pub fn within(&self, unit: Unit, from: u32, to: u32) -> impl Iterator<Item = (u32, u32, Waiting)> {
        let runs = self.of(unit);
        let runs = &runs[runs.partition_point(|run| run.0 <= from).saturating_sub(1)..];
        let last = move |i: usize| runs.get(i + 1).map_or(to, |next| (next.0 - 1).min(to));
        let here = runs.iter().enumerate().take_while(move |(_, run)| run.0 <= to);
        here.map(move |(i, run)| (run.0.max(from), last(i), run.1))
    }
}

/// A schedule, whole or in the making, of which every cell can be asked about.
#[derive(Debug, Clone)]
pub struct Cells<'a> {
    /// The string that every warp executes.
    pub kernel: &'a Kernel,
    machine: &'a Machine,
    held: bool,
    rows: Vec<&'a [u32]>,
    /// How long instructions take, where that is not always a cycle.
    lasting: Option<&'a Schedule>,
    /// How many instructions of each warp are placed.
    placed: Vec<usize>,
    /// The last cycle.
    pub end: u32,
    /// Which cycles have no eligible warp, once somebody has asked.
    ineligible: OnceCell<Vec<bool>>,
}

impl<'a> Cells<'a> {
    /// Those of a whole schedule.
    pub fn whole(
        kernel: &'a Kernel,
        machine: &'a Machine,
        mode: Option<Mode>,
        schedule: &'a Schedule,
    ) -> Self {
        Self {
            kernel,
            machine,
            held: mode == Some(Mode::Held),
            rows: (0..schedule.warps()).map(|warp| schedule.warp(warp)).collect(),
            lasting: schedule.is_lasting().then_some(schedule),
            placed: vec![schedule.length(); schedule.warps()],
            end: schedule.makespan(),
            ineligible: OnceCell::new(),
        }
    }

    /// Those of a construction in which every instruction takes a cycle, up to a last cycle.
    pub fn of_rows(kernel: &'a Kernel, machine: &'a Machine, rows: &'a [Vec<u32>], end: u32) -> Self {
        Self {
            kernel,
            machine,
            held: false,
            rows: rows.iter().map(Vec::as_slice).collect(),
            lasting: None,
            placed: rows.iter().map(Vec::len).collect(),
            end,
            ineligible: OnceCell::new(),
        }
    }

    /// The same where only so many instructions of each warp are placed. Why those wait is told as the schedule
    /// stands in the end.
    #[must_use]
    pub fn up_to(self, placed: Vec<usize>) -> Self {
        Self { placed, ineligible: OnceCell::new(), ..self }
    }

    /// For each cycle, 0 among them, whether it has no eligible warp: no instruction starts, and none could. In a
    /// work-conserving schedule those are the cycles without a start; while some instructions are not placed yet, nobody
    /// can tell.
    pub fn ineligible(&self) -> &[bool] {
        self.ineligible.get_or_init(|| {
            let whole = self.placed.iter().all(|&placed| placed == self.kernel.units().len());
            let mut none = vec![whole; self.end as usize + 1];
            for &start in self.rows.iter().copied().flatten() {
                if let Some(none) = none.get_mut(start as usize) {
                    *none = false;
                }
            }
            if let Some(before) = none.first_mut() {
                *before = false;
            }
            none
        })
    }

    /// How many warps there are.
    pub fn warps(&self) -> usize {
        self.rows.len()
    }

    /// The cycles in which a warp's instructions start, as far as they are placed.
    pub fn row(&self, warp: usize) -> &'a [u32] {
        &self.rows[warp][..self.placed[warp]]
    }

    /// The cycle in which an instruction starts, placed or not.
    pub fn start(&self, warp: usize, instruction: usize) -> u32 {
        self.rows[warp][instruction]
    }

    /// How many cycles an instruction takes.
    pub fn lasts(&self, warp: usize, instruction: usize) -> u32 {
        self.lasting.map_or(1, |schedule| schedule.lasts(warp, instruction))
    }

    /// In how many cycles it takes a place of its unit.
    pub fn takes(&self, warp: usize, instruction: usize) -> u32 {
        if self.held { self.lasts(warp, instruction) } else { 1 }
    }

    /// What a warp does in a cycle.
    pub fn at(&self, warp: usize, cycle: u32) -> Cell {
        let row = self.row(warp);
        let next = row.partition_point(|&start| start <= cycle);
        if let Some(last) = next.checked_sub(1) {
            let since = cycle - row[last];
            if since < self.takes(warp, last) {
                return Cell::Executes(last);
            }
            if since < self.lasts(warp, last) {
                return Cell::Waits(Waiting::Data, last);
            }
        }
        let waiting = match self.kernel.units().get(next) {
            None => Waiting::Done,
            Some(_) if next == row.len() => Waiting::Unplaced,
            Some(&unit) => self.in_the_way(unit, cycle),
        };
        Cell::Waits(waiting, next)
    }

    /// The first cycle in which an instruction could start; for one past the last, that in which nothing is left.
    pub fn ready(&self, warp: usize, instruction: usize) -> u32 {
        match instruction.checked_sub(1) {
            None => 1,
            Some(before) => self.row(warp)[before] + self.lasts(warp, before),
        }
    }

    /// Who takes a place of any unit in a cycle: warps and instructions.
    pub fn executing(&self, cycle: u32) -> impl Iterator<Item = (usize, usize)> {
        self.rows.iter().enumerate().filter_map(move |(warp, row)| {
            let last = row.partition_point(|&start| start <= cycle).checked_sub(1)?;
            (cycle - row[last] < self.takes(warp, last)).then_some((warp, last))
        })
    }

    /// Who takes a place of a unit in a cycle.
    pub fn on(&self, unit: Unit, cycle: u32) -> Vec<(usize, usize)> {
        self.executing(cycle).filter(|&(_, instruction)| self.kernel.units()[instruction] == unit).collect()
    }

    /// Who takes an issue slot in a cycle.
    pub fn issuing(&self, cycle: u32) -> Vec<(usize, usize)> {
        self.executing(cycle).filter(|&(warp, instruction)| self.rows[warp][instruction] == cycle).collect()
    }

    fn in_the_way(&self, unit: Unit, cycle: u32) -> Waiting {
        self.reason(unit, self.on(unit, cycle).len() as u32, self.issuing(cycle).len() as u32)
    }

    fn reason(&self, unit: Unit, taken: u32, issued: u32) -> Waiting {
        if taken >= self.machine.capacity[unit] {
            Waiting::Unit
        } else if issued >= self.machine.issue_limit() {
            Waiting::Slot
        } else {
            Waiting::Free
        }
    }

    /// The cycles in which a warp executes nothing, up to the end.
    pub fn gaps(&self, warp: usize) -> Vec<Gap> {
        let units = self.kernel.units();
        let mut gaps: Vec<Gap> = Vec::new();
        let mut add = |from: u32, to: u32, instruction, cause| {
            if from <= to {
                gaps.push(Gap { from, to, instruction, cause });
            }
        };
        let mut ready = 1;
        for (i, &start) in self.row(warp).iter().enumerate() {
            add(ready, start - 1, i, Cause::Ready(units[i]));
            ready = start + self.lasts(warp, i);
            add(start + self.takes(warp, i), (ready - 1).min(self.end), i, Cause::Always(Waiting::Data));
        }
        let next = self.placed[warp];
        let rest = if next < units.len() { Waiting::Unplaced } else { Waiting::Done };
        add(ready, self.end, next, Cause::Always(rest));
        gaps
    }

    /// What keeps warps from the units they could run on, given the gaps of all warps.
    pub fn reasons(&self, gaps: &[Vec<Gap>]) -> Reasons {
        let cycles = self.end as usize + 2;
        // For each cycle how many places of each unit are taken, and issue slots; a warp takes no more than one of them,
        // and there are 64 warps at the most.
        let mut taken = vec![PerUnit([0u8; 4]); cycles];
        let mut issued = vec![0u8; cycles];
        for (warp, row) in self.rows.iter().enumerate() {
            for (i, (&start, &unit)) in row.iter().zip(self.kernel.units()).enumerate() {
                issued[start as usize] += 1;
                for cycle in start..start + self.takes(warp, i) {
                    taken[cycle as usize][unit] += 1;
                }
            }
        }
        // For each cycle how many warps more than in the one before could run on each unit.
        let mut more = vec![PerUnit([0i8; 4]); cycles];
        for gap in gaps.iter().flatten() {
            if let Cause::Ready(unit) = gap.cause {
                more[gap.from as usize][unit] += 1;
                more[gap.to as usize + 1][unit] -= 1;
            }
        }
        Reasons(PerUnit::from_fn(|unit| {
            let mut runs: Vec<(u32, Waiting)> = Vec::new();
            let mut waiting = 0i32;
            for cycle in 1..=self.end {
                let at = cycle as usize;
                waiting += i32::from(more[at][unit]);
                if waiting > 0 {
                    let reason = self.reason(unit, taken[at][unit].into(), issued[at].into());
                    if runs.last().is_none_or(|last| last.1 != reason) {
                        runs.push((cycle, reason));
                    }
                }
            }
            runs
        }))
    }
}

#[cfg(test)]
mod tests;
