//! What all warps do in a cycle: what a cursor through the whole picture stands at.

use super::{Doing, MOST_NAMED, no_eligible, text_of};
use crate::page::shown::Shown;
use base::people;
use warps::idle::{Cell, Cells, Waiting};
use warps::{PerUnit, Unit};

impl Shown {
    /// What all warps do in a cycle after so many steps, in a sentence; `None` outside the schedule.
    pub fn moment(&self, steps: usize, cycle: u32) -> Option<String> {
        let inside = (1..=self.schedule.makespan()).contains(&cycle);
        inside.then(|| self.after_steps(steps, |cells| self.of_all(cells, cycle)))
    }

    /// Which instructions execute in a cycle after so many steps, of whichever warp: each once, ascending.
    pub fn running(&self, steps: usize, cycle: u32) -> Vec<u32> {
        let executes = |cells: &Cells<'_>, warp| match cells.at(warp, cycle) {
            Cell::Executes(instruction) => u32::try_from(instruction).ok(),
            Cell::Waits(..) => None,
        };
        let mut running: Vec<u32> = self.after_steps(steps, |cells| {
            (0..cells.warps()).filter_map(|warp| executes(cells, warp)).collect()
        });
        base::sort::sort(&mut running);
        running.dedup();
        running
    }

    /// Tells of the cells after so many steps.
    pub(super) fn after_steps<T>(&self, steps: usize, tell: impl FnOnce(&Cells<'_>) -> T) -> T {
        if steps < self.steps() { self.after(steps, |cells, _| tell(cells)) } else { tell(&self.cells()) }
    }

    /// What warps do in a cycle and how many of them, in the order in which it is first met.
    pub(super) fn doing(&self, cells: &Cells<'_>, cycle: u32) -> Vec<(Doing, usize)> {
        let units = self.warps.kernel.units();
        let mut doing: Vec<(Doing, usize)> = Vec::new();
        for warp in 0..cells.warps() {
            let does = match cells.at(warp, cycle) {
                Cell::Executes(instruction) => Doing::Executes(units[instruction]),
                Cell::Waits(Waiting::Unit, instruction) => Doing::Needs(units[instruction]),
                Cell::Waits(waiting, _) => Doing::Waits(waiting),
            };
            match doing.iter_mut().find(|(same, _)| *same == does) {
                Some((_, warps)) => *warps += 1,
                None => doing.push((does, 1)),
            }
        }
        base::sort::sort_by_key(&mut doing, |(does, _)| does.rank());
        doing
    }

    fn of_all(&self, cells: &Cells<'_>, cycle: u32) -> String {
        let mut on = PerUnit::<Vec<(usize, usize)>>::default();
        for warp in 0..cells.warps() {
            if let Cell::Executes(instruction) = cells.at(warp, cycle) {
                on[self.warps.kernel.units()[instruction]].push((warp, instruction));
            }
        }
        let named = |unit: Unit| {
            let here = &on[unit];
            let mut names: Vec<String> = here.iter().take(MOST_NAMED).map(|&place| text_of(place)).collect();
            if here.len() > MOST_NAMED {
                names.push(format!("{} more", here.len() - MOST_NAMED));
            }
            (!here.is_empty()).then(|| format!("{} on {}", people::listed(&names), unit.letter()))
        };
        let executing: Vec<String> = Unit::ALL.into_iter().filter_map(named).collect();
        let executing = match executing.is_empty() {
            true if no_eligible(cells, cycle) => "nothing executes, no eligible warp".to_owned(),
            true => "nothing executes".to_owned(),
            false => format!("executing {}", executing.join(", ")),
        };
        let mut said = format!("Cycle {}: {executing}", people::grouped(cycle.into()));
        let idle =
            self.doing(cells, cycle).into_iter().filter(|(does, _)| !matches!(does, Doing::Executes(_)));
        for (i, (does, warps)) in idle.enumerate() {
            let (sign, who) = match i {
                0 => (';', people::counted(warps, "warp")),
                _ => (',', warps.to_string()),
            };
            said += &format!("{sign} {who} {}", self.text(does, warps == 1));
        }
        said + "."
    }
}
