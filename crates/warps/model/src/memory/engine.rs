//! Incremental evaluation of orders with loads that last, from snapshots.
//!
//! The schedule is played cycle by cycle as in [`super::construct`], which is the naive twin of this. States of the
//! present order are kept as it is played, so that a changed one is played from the last of them before the first
//! cycle in which anything can differ: that in which an instruction becomes possible whose place in the order has
//! changed, or in which a load starts that takes another time. Until then the warps that can be asked stand in the
//! same sequence. Nothing is allocated after the start.

use super::{Mode, Problem};
use crate::{PerUnit, Unit};

/// The most bytes that kept states may take.
const MOST_KEPT: usize = 4 << 20;

/// An order with the schedule it makes, and another one that is tried.
#[derive(Debug, Clone)]
pub struct Engine {
    units: Vec<Unit>,
    warps: usize,
    capacity: PerUnit<u32>,
    issue: u32,
    held: bool,
    /// Warp by warp: the place of each instruction in the order, and the cycles it takes.
    places: Vec<u32>,
    lasts: Vec<u32>,
    /// The instruction of each place.
    nth: Vec<u16>,
    /// States are kept every so many steps.
    every: usize,
    present: Played,
    tried: Played,
    /// The state and the cycle that are played.
    next: Vec<u16>,
    ready: Vec<u32>,
    pending: Vec<u64>,
    count: Vec<u16>,
}

/// A schedule and states on the way to it.
#[derive(Debug, Clone, Default)]
struct Played {
    makespan: u32,
    /// Warp by warp: the cycle in which each instruction starts.
    starts: Vec<u32>,
    /// Of each state kept: the cycle, then what each warp has started and from when on it may go on. Of what is tried
    /// only those that it does not share with the present.
    cycles: Vec<u32>,
    next: Vec<u16>,
    ready: Vec<u32>,
    /// How many states are shared, and the first instruction of each warp that may differ.
    from: usize,
    first: Vec<u16>,
}

impl Engine {
    /// The engine of an order, in which the loads miss that are marked, warp by warp; `None` if the kernel needs a
    /// unit that is not there.
    pub fn new(problem: &Problem, order: &[u8], missed: &[bool]) -> Option<Self> {
        let (units, warps) = (problem.kernel.units().to_vec(), problem.warps);
        if !problem.machine.has_units_for(problem.kernel.totals()) {
            return None;
        }
        let size = units.len() * warps;
        let cycles = |(i, &missed): (usize, &bool)| {
            if units[i % units.len()] == Unit::LoadStore { problem.memory.cycles(missed) } else { 1 }
        };
        let lasts: Vec<u32> = missed.iter().enumerate().map(cycles).collect();
        // In each step something starts, or a load was waited for: at most two for each instruction.
        let every = (2 * size * (6 * warps + 4) * 2).div_ceil(MOST_KEPT).max(1);
        let kept = 2 * size / every + 2;
        let played = Played {
            starts: vec![0; size],
            cycles: Vec::with_capacity(kept),
            next: Vec::with_capacity(kept * warps),
            ready: Vec::with_capacity(kept * warps),
            first: vec![0; warps],
            ..Played::default()
        };
        let mut engine = Self {
            warps,
            capacity: problem.machine.capacity,
            issue: problem.machine.issue_limit(),
            held: problem.memory.mode == Mode::Held,
            places: vec![0; size],
            lasts,
            nth: vec![0; size],
            every,
            present: played.clone(),
            tried: played,
            next: vec![0; warps],
            ready: vec![1; warps],
            pending: Vec::with_capacity(warps),
            count: vec![0; warps],
            units,
        };
        engine.index(0, order);
        engine.play(0);
        engine.accept();
        Some(engine)
    }

    /// The makespan of the present order.
    pub fn makespan(&self) -> u32 {
        self.present.makespan
    }

    /// How many instructions of a warp stand before a place.
    pub fn before(&self, warp: usize, place: usize) -> usize {
        let length = self.units.len();
        self.places[warp * length..(warp + 1) * length].partition_point(|&at| (at as usize) < place)
    }

    /// Tries the order in which these entries stand from a place on; the makespan.
    pub fn replace(&mut self, from: usize, entries: &[u8], old: &[u8]) -> u32 {
        let cycle = self.reindex(from, entries, old);
        if cycle == u32::MAX { self.same() } else { self.play(cycle) }
    }

    /// Takes such a change back.
    pub fn undo_replace(&mut self, from: usize, entries: &[u8], tried: &[u8]) {
        self.reindex(from, entries, tried);
    }

    /// Tries another time for loads; each is given by its warp and instruction in one number. The makespan.
    pub fn retime(&mut self, loads: &[(u32, u32)]) -> u32 {
        let from = loads.iter().map(|&(load, _)| self.present.starts[load as usize]).min();
        for &(load, cycles) in loads {
            self.lasts[load as usize] = cycles;
        }
        match from {
            None => self.same(),
            Some(cycle) => self.play(cycle),
        }
    }

    /// Takes such a change back.
    pub fn undo_retime(&mut self, loads: &[(u32, u32)]) {
        for &(load, cycles) in loads {
            self.lasts[load as usize] = cycles;
        }
    }

    /// Makes what was tried the present.
    pub fn accept(&mut self) {
        let (warps, length, from) = (self.warps, self.units.len(), self.tried.from);
        let (present, tried) = (&mut self.present, &self.tried);
        present.makespan = tried.makespan;
        present.cycles.truncate(from);
        present.cycles.extend_from_slice(&tried.cycles);
        present.next.truncate(from * warps);
        present.next.extend_from_slice(&tried.next);
        present.ready.truncate(from * warps);
        present.ready.extend_from_slice(&tried.ready);
        for (warp, &first) in tried.first.iter().enumerate() {
            let range = warp * length + usize::from(first)..(warp + 1) * length;
            present.starts[range.clone()].copy_from_slice(&tried.starts[range]);
        }
    }

    /// What was tried is what there is.
    fn same(&mut self) -> u32 {
        self.begin(self.present.cycles.len());
        self.tried.first.fill(self.units.len() as u16);
        self.tried.makespan = self.present.makespan;
        self.tried.makespan
    }

    /// What is tried has the first so many kept states of the present.
    fn begin(&mut self, from: usize) {
        let tried = &mut self.tried;
        tried.from = from;
        tried.cycles.clear();
        tried.next.clear();
        tried.ready.clear();
    }

    /// Notes where entries stand from a place on.
    fn index(&mut self, from: usize, entries: &[u8]) {
        for (place, &warp) in (from..).zip(entries) {
            let warp = usize::from(warp);
            self.nth[place] = self.count[warp];
            self.places[warp * self.units.len() + usize::from(self.count[warp])] = place as u32;
            self.count[warp] += 1;
        }
    }

    /// The same for entries that take the places of others; the first cycle in which that can matter.
    fn reindex(&mut self, from: usize, entries: &[u8], old: &[u8]) -> u32 {
        // How many of each warp stand before: what the first of the old ones was.
        for (offset, &warp) in old.iter().enumerate().rev() {
            self.count[usize::from(warp)] = self.nth[from + offset];
        }
        let mut cycle = u32::MAX;
        for (place, &warp) in (from..).zip(entries) {
            let warp = usize::from(warp);
            let instruction = self.count[warp];
            self.count[warp] += 1;
            self.nth[place] = instruction;
            let index = warp * self.units.len() + usize::from(instruction);
            if self.places[index] != place as u32 {
                self.places[index] = place as u32;
                let ready = match instruction {
                    0 => 1,
                    _ => self.present.starts[index - 1] + self.lasts[index - 1],
                };
                cycle = cycle.min(ready);
            }
        }
        cycle
    }

    /// Plays from the last state kept no later than a cycle; the makespan.
    fn play(&mut self, cycle: u32) -> u32 {
        let (warps, length) = (self.warps, self.units.len());
        let kept = self.present.cycles.partition_point(|&at| at <= cycle);
        let (mut step, mut now) = match kept.checked_sub(1) {
            None => {
                self.next.fill(0);
                self.ready.fill(1);
                (0, 1)
            }
            Some(last) => {
                self.next.copy_from_slice(&self.present.next[last * warps..kept * warps]);
                self.ready.copy_from_slice(&self.present.ready[last * warps..kept * warps]);
                (last * self.every, self.present.cycles[last])
            }
        };
        self.begin(kept.saturating_sub(1));
        self.tried.first.copy_from_slice(&self.next);
        let mut left: usize = self.next.iter().map(|&next| length - usize::from(next)).sum();
        while left > 0 {
            if step % self.every == 0 {
                self.tried.cycles.push(now);
                self.tried.next.extend_from_slice(&self.next);
                self.tried.ready.extend_from_slice(&self.ready);
            }
            step += 1;
            let (started, later) = self.cycle(now);
            left -= started;
            now = if started > 0 { now + 1 } else { later };
        }
        self.tried.makespan = self.ready.iter().map(|&ready| ready - 1).max().unwrap_or(0);
        self.tried.makespan
    }

    /// Plays one cycle: how many start, and when the next load is complete.
    fn cycle(&mut self, now: u32) -> (usize, u32) {
        let length = self.units.len();
        let (mut free, mut slots) = (self.capacity, self.issue);
        let mut later = u32::MAX;
        self.pending.clear();
        for (warp, (&next, &ready)) in self.next.iter().zip(&self.ready).enumerate() {
            if ready > now {
                // It waits for its load, which may hold a place.
                later = later.min(ready);
                if self.held {
                    free[Unit::LoadStore] = free[Unit::LoadStore].saturating_sub(1);
                }
            } else if usize::from(next) < length {
                let place = self.places[warp * length + usize::from(next)];
                self.pending.push(u64::from(place) << 16 | warp as u64);
            }
        }
        self.pending.sort_unstable();
        let mut started = 0;
        for &pending in &self.pending {
            let warp = (pending & 0xffff) as usize;
            let next = usize::from(self.next[warp]);
            let unit = self.units[next];
            if free[unit] == 0 {
                continue;
            }
            free[unit] -= 1;
            let index = warp * length + next;
            self.tried.starts[index] = now;
            self.next[warp] += 1;
            self.ready[warp] = now + self.lasts[index];
            started += 1;
            slots -= 1;
            if slots == 0 {
                break;
            }
        }
        (started, later)
    }
}
