//! Two schedules of one kernel, cycle by cycle: the one on the screen and one that was kept.
//!
//! All warps execute the same string, so their names mean nothing: a schedule with its warps renamed is the
//! same schedule. The kept one's warps therefore take the names of warps here before anything is compared:
//! of all renamings one with the most instructions in the same cycle, and of those one that keeps the most
//! names. Schedules that are equal up to renaming come out equal.

mod pairing;
#[cfg(test)]
mod tests;

use super::Shown;
use super::shown::Selected;
use crate::export::csv::Difference;
use base::people;
use warps::{Kernel, Machine, PerUnit, Schedule, Unit};

/// An instruction with its cycle, ordered by cycle.
type Placed = (u32, Selected);

/// What differs. Warps are told by their names here, those of the kept schedule as they are drawn there.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    kernel: Kernel,
    /// For each warp of the kept schedule, the warp here whose name it takes.
    pub names: Vec<u32>,
    /// The schedule on the screen.
    pub here: Side,
    /// The kept one.
    pub kept: Side,
    /// The cycles in which something differs, ascending.
    pub cycles: Vec<u32>,
    /// Warps that only the one on the screen has, and those that only the kept one has, by its own numbers.
    pub alone: (Vec<u32>, Vec<u32>),
    /// How many instructions of warps that both have run in another cycle.
    moved: usize,
}

/// One of the two schedules.
#[derive(Debug, Clone, PartialEq)]
pub struct Side {
    /// Its machine.
    pub machine: Machine,
    /// Its makespan.
    pub makespan: u32,
    /// For each kind of unit, how many warps more it could have served over the makespan.
    pub idle: PerUnit<u64>,
    /// The kind of unit that the kernel keeps busy longest.
    pub scarce: Unit,
    /// The cycles in which that unit could have served another warp.
    pub scarce_idle: Vec<u32>,
    /// Instructions that run in another cycle in the other schedule.
    only: Vec<Placed>,
}

impl Comparison {
    /// Compares what is on the screen with what was kept; a sentence where that makes no sense.
    pub fn of(here: &Shown, kept: &Shown) -> Result<Self, String> {
        let (a, b) = (&here.warps, &kept.warps);
        if a.kernel != b.kernel {
            let strings =
                format!("the pinned one {}, this one {}", shortened(&b.kernel), shortened(&a.kernel));
            return Err(format!("The schedules cannot be compared, their kernels differ: {strings}."));
        }
        if a.memory.is_some() || b.memory.is_some() {
            return Err("Schedules whose loads take their time cannot be compared.".to_owned());
        }
        let machines = (&a.normalised.machine, &b.normalised.machine);
        Ok(Self::between(&a.kernel, (machines.0, &here.schedule), (machines.1, &kept.schedule)))
    }

    /// Compares two schedules. Where one has more warps, those that fit worst have no counterpart.
    fn between(kernel: &Kernel, here: (&Machine, &Schedule), kept: (&Machine, &Schedule)) -> Self {
        let names = names(here.1, kept.1);
        let (mut only_here, mut only_kept) = (Vec::new(), Vec::new());
        let mut alone = (Vec::new(), Vec::new());
        let all = |row: &[u32], name: u32| -> Vec<Placed> {
            (0..).zip(row).map(|(instruction, &cycle)| (cycle, (name, instruction))).collect()
        };
        let mut moved = 0;
        for (warp, &name) in names.iter().enumerate() {
            if name as usize >= here.1.warps() {
                alone.1.push(warp as u32);
                only_kept.extend(all(kept.1.warp(warp), name));
                continue;
            }
            let rows = here.1.warp(name as usize).iter().zip(kept.1.warp(warp));
            for (instruction, (&a, &b)) in (0..).zip(rows) {
                if a != b {
                    moved += 1;
                    only_here.push((a, (name, instruction)));
                    only_kept.push((b, (name, instruction)));
                }
            }
        }
        for name in (0..here.1.warps() as u32).filter(|name| !names.contains(name)) {
            alone.0.push(name);
            only_here.extend(all(here.1.warp(name as usize), name));
        }
        let mut cycles: Vec<u32> = only_here.iter().chain(&only_kept).map(|&(cycle, _)| cycle).collect();
        cycles.sort_unstable();
        cycles.dedup();
        Self {
            kernel: kernel.clone(),
            names,
            here: Side::new(kernel, here, only_here),
            kept: Side::new(kernel, kept, only_kept),
            cycles,
            alone,
            moved,
        }
    }

    /// How many instructions of warps that both have run in another cycle.
    pub fn moved(&self) -> usize {
        self.moved
    }

    /// The instructions that run in another cycle, here and in the kept one by its own warps, ascending.
    pub fn differing(&self) -> (Vec<Selected>, Vec<Selected>) {
        let most = self.names.iter().max().map_or(0, |name| *name as usize + 1);
        let mut own = vec![0; most];
        (0..).zip(&self.names).for_each(|(warp, &name)| own[name as usize] = warp);
        let mut here: Vec<Selected> = self.here.only.iter().map(|&(_, this)| this).collect();
        let kept = self.kept.only.iter().map(|&(_, (name, instruction))| (own[name as usize], instruction));
        let mut kept: Vec<Selected> = kept.collect();
        here.sort_unstable();
        kept.sort_unstable();
        (here, kept)
    }

    /// How many instructions differ in each cycle in which any does.
    pub fn counts(&self) -> Vec<(u32, usize)> {
        let count = |&cycle: &u32| (cycle, self.here.only_in(cycle).len() + self.kept.only_in(cycle).len());
        self.cycles.iter().map(count).collect()
    }

    /// The row of the cycle nearest to one; of two as near, the earlier.
    pub fn nearest(&self, cycle: u32) -> Option<usize> {
        let after = self.cycles.partition_point(|&c| c < cycle);
        let near = [after.saturating_sub(1), after].into_iter().filter(|&i| i < self.cycles.len());
        near.min_by_key(|&i| self.cycles[i].abs_diff(cycle))
    }

    /// Cycle, what runs in it only in the kept schedule, and what only in this one, as text.
    pub fn row(&self, i: usize) -> Option<[String; 3]> {
        let &cycle = self.cycles.get(i)?;
        let cell = |of_kept| self.text(of_kept, cycle).unwrap_or_else(|| "—".to_owned());
        Some([people::grouped(cycle.into()), cell(true), cell(false)])
    }

    /// `L of warp 3 (instruction 5)` for each instruction that only this side has in a cycle.
    /// Warps of the kept one have the names that they have in its picture.
    fn text(&self, of_kept: bool, cycle: u32) -> Option<String> {
        let side = if of_kept { &self.kept } else { &self.here };
        let drawn = |name: u32| if of_kept { self.own(name) } else { name };
        let texts: Vec<String> = side
            .only_in(cycle)
            .iter()
            .map(|&(_, (warp, instruction))| {
                let letter = self.kernel.units()[instruction as usize].letter();
                format!("{letter} of warp {} (instruction {})", drawn(warp) + 1, instruction + 1)
            })
            .collect();
        (!texts.is_empty()).then(|| texts.join(", "))
    }

    /// The warp of the kept schedule that goes by a name here.
    fn own(&self, name: u32) -> u32 {
        (0..).zip(&self.names).find(|(_, known)| **known == name).map_or(name, |(warp, _)| warp)
    }

    /// Everything there is to say about a row.
    pub fn row_told(&self, i: usize) -> Option<String> {
        let &cycle = self.cycles.get(i)?;
        let part = |of_kept| self.text(of_kept, cycle).unwrap_or_else(|| "nothing".to_owned());
        let end = if cycle > self.here.makespan { ", after the end of this one" } else { "" };
        let (cycle, kept, here) = (people::grouped(cycle.into()), part(true), part(false));
        Some(format!("Cycle {cycle}{end}. Only in the pinned one: {kept}. Only in this one: {here}."))
    }

    /// The totals as one sentence.
    pub fn told(&self) -> String {
        let (Some(first), Some(last)) = (self.cycles.first(), self.cycles.last()) else {
            let but = if self.names.is_sorted() { "" } else { ", but for the names of its warps" };
            return format!("Every instruction runs in the same cycle as in the pinned one{but}.");
        };
        let grouped = |n: u32| people::grouped(n.into());
        let all = (self.names.len() - self.alone.1.len()) * self.kernel.len();
        let (here, kept) = (self.here.makespan, self.kept.makespan);
        let difference = grouped(here.abs_diff(kept));
        let lengths = match here.cmp(&kept) {
            std::cmp::Ordering::Equal => format!("both take {}", people::counted(here as usize, "cycle")),
            longer => format!(
                "the pinned one takes {}, this one {}, {difference} {}",
                people::counted(kept as usize, "cycle"),
                grouped(here),
                if longer.is_gt() { "more" } else { "fewer" }
            ),
        };
        let alone = |warps: &[u32], of: &str| match warps.len() {
            0 => String::new(),
            1 => format!(" 1 warp is only in {of}."),
            many => format!(" {} warps are only in {of}.", people::grouped(many as u128)),
        };
        let alone = alone(&self.alone.0, "this one") + &alone(&self.alone.1, "the pinned one");
        format!(
            "{} of {} {} in another cycle, between cycles {} and {}; {lengths}.{alone}",
            people::grouped(self.moved() as u128),
            people::counted(all, "instruction"),
            if self.moved() == 1 { "runs" } else { "run" },
            grouped(*first),
            grouped(*last)
        )
    }

    /// What the units leave unused in both, as sentences.
    pub fn idle_told(&self) -> String {
        let (here, kept) = (&self.here, &self.kept);
        let totals = self.kernel.totals();
        let grouped = |n: u64| people::grouped(n.into());
        let used = Unit::ALL.into_iter().filter(|&unit| totals[unit] > 0);
        let part = |(i, unit): (usize, Unit)| {
            let [of_kept, of_this] = if i == 0 { [" in the pinned one", " in this one"] } else { ["", ""] };
            let (kept, here) = (grouped(kept.idle[unit]), grouped(here.idle[unit]));
            format!("{} {kept}{of_kept} and {here}{of_this}", unit.letter())
        };
        let parts: Vec<String> = used.enumerate().map(part).collect();
        let cycles = |side: &Side| people::counted(side.scarce_idle.len(), "cycle");
        let letters = (kept.scarce.letter(), here.scarce.letter());
        let scarce = if letters.0 == letters.1 {
            let letter = letters.0;
            format!(
                "{letter}, the scarcest unit, has room in {} of the pinned one and in {} of this one",
                cycles(kept),
                cycles(here)
            )
        } else {
            format!(
                "{}, the scarcest unit of the pinned one, has room in {}; {}, that of this one, in {}",
                letters.0,
                cycles(kept),
                letters.1,
                cycles(here)
            )
        };
        let machines = if here.machine == kept.machine { "" } else { "The machines differ. " };
        format!("{machines}Unused over all cycles: {}. {scarce}.", parts.join(", "))
    }

    /// That warps are compared with others than those of their names; nothing where none is.
    pub fn names_told(&self) -> Option<String> {
        let both = || (0_u32..).zip(&self.names).filter(|(warp, _)| !self.alone.1.contains(warp));
        let renamed = both().filter(|(warp, name)| warp != *name).count();
        let (warp, name) = both().find(|(warp, name)| warp != *name)?;
        Some(format!(
            "Warps all execute the same, so each of the pinned one is compared with the warp here that fits best: for {} of them that is another one, for warp {} of the pinned one it is warp {} here.",
            people::grouped(renamed as u128),
            warp + 1,
            name + 1
        ))
    }

    /// A line per difference, cycle by cycle, the kept schedule's first.
    pub fn lines(&self) -> Vec<Difference> {
        let line = |only_in, &(cycle, (warp, instruction)): &Placed, own_warp: u32| Difference {
            cycle,
            only_in,
            warp,
            instruction,
            own_warp,
        };
        let of_cycle = |&cycle: &u32| {
            let kept = self.kept.only_in(cycle).iter().map(|p| line("kept", p, self.own(p.1.0)));
            kept.chain(self.here.only_in(cycle).iter().map(|p| line("shown", p, p.1.0))).collect::<Vec<_>>()
        };
        self.cycles.iter().flat_map(of_cycle).collect()
    }

    /// The string both execute.
    pub fn kernel(&self) -> &Kernel {
        &self.kernel
    }
}

impl Side {
    fn new(kernel: &Kernel, (machine, schedule): (&Machine, &Schedule), mut only: Vec<Placed>) -> Self {
        only.sort_unstable();
        let (totals, makespan) = (kernel.totals(), schedule.makespan());
        let idle = PerUnit::from_fn(|unit| {
            let offered = u64::from(machine.capacity[unit]) * u64::from(makespan);
            offered.saturating_sub(u64::from(totals[unit]) * schedule.warps() as u64)
        });
        let serves = |unit: Unit| u64::from(machine.serves(unit).max(1));
        let longer = |a: Unit, b: Unit| {
            let busy = |unit: Unit, other: Unit| u64::from(totals[unit]) * serves(other);
            if busy(b, a) > busy(a, b) { b } else { a }
        };
        let scarce = Unit::ALL.into_iter().fold(Unit::LoadStore, longer);
        let mut running = vec![0u64; makespan as usize];
        for warp in 0..schedule.warps() {
            for (&cycle, &unit) in schedule.warp(warp).iter().zip(kernel.units()) {
                running[cycle as usize - 1] += u64::from(unit == scarce);
            }
        }
        let room = (1..).zip(running).filter(|&(_, running)| running < serves(scarce));
        let scarce_idle = room.map(|(cycle, _)| cycle).collect();
        Self { machine: *machine, makespan, idle, scarce, scarce_idle, only }
    }

    /// The instructions of a cycle that run in another one in the other schedule, by warp.
    pub fn only_in(&self, cycle: u32) -> &[Placed] {
        let first = self.only.partition_point(|&(c, _)| c < cycle);
        let last = self.only.partition_point(|&(c, _)| c <= cycle);
        &self.only[first..last]
    }
}

/// For each warp of the kept schedule, the warp here that it is called after.
fn names(here: &Schedule, kept: &Schedule) -> Vec<u32> {
    // As many rows as columns: whoever has none of the other side is compared with nothing.
    let warps = kept.warps().max(here.warps());
    let same = |a: &[u32], b: &[u32]| a.iter().zip(b).map(|(a, b)| u32::from(a == b)).sum::<u32>();
    // One more instruction counts more than all names together.
    let scale = i64::from(warps as u32) + 1;
    let weight = |warp: usize, name: usize| {
        if warp >= kept.warps() || name >= here.warps() {
            return 0;
        }
        i64::from(same(kept.warp(warp), here.warp(name))) * scale + i64::from(warp == name)
    };
    let weights: Vec<Vec<i64>> =
        (0..warps).map(|warp| (0..warps).map(|name| weight(warp, name)).collect()).collect();
    pairing::heaviest(&weights).into_iter().take(kept.warps()).map(|name| name as u32).collect()
}

/// A kernel string that fits into a sentence.
fn shortened(kernel: &Kernel) -> String {
    const LONGEST: usize = 40;
    let text = kernel.to_string();
    match text.get(..LONGEST) {
        Some(start) => format!("{start}…"),
        None => text,
    }
}
