//! Why an instruction runs when it does: the cycles it had to wait through, and who was in its way.

use super::construct::{Construction, Placement};
use super::kernel::Kernel;
use super::machine::Machine;
use super::memory::Mode;
use super::order::Order;
use super::schedule::Schedule;
use super::unit::Unit;

/// What was full in a cycle an instruction could not use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Obstacle {
    /// All units of the kind are busy; this many.
    UnitBusy(Unit, u32),
    /// All units of the kind are busy, some of them with loads from before; this many.
    UnitHeld(Unit, u32),
    /// As many warps issue as may; this many.
    IssueFull(u32),
}

impl Obstacle {
    /// `all 4 CUDA cores are busy`.
    pub fn text(self) -> String {
        match self {
            Obstacle::UnitBusy(unit, 1) => format!("the {} is busy", unit.called()),
            Obstacle::UnitBusy(unit, n) => format!("all {n} {}s are busy", unit.called()),
            Obstacle::UnitHeld(unit, 1) => format!("the {} is held by a load", unit.called()),
            Obstacle::UnitHeld(unit, n) => format!("all {n} {}s are busy or held by loads", unit.called()),
            Obstacle::IssueFull(1) => "the issue slot is taken".to_owned(),
            Obstacle::IssueFull(n) => format!("all {n} issue slots are taken"),
        }
    }
}

/// Cycles in a row with the same obstacle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wait {
    /// First cycle.
    pub from: u32,
    /// Last cycle.
    pub to: u32,
    /// What was full.
    pub obstacle: Obstacle,
}

/// Why a finished schedule's instruction did not run earlier.
pub fn waits(
    kernel: &Kernel,
    machine: &Machine,
    mode: Option<Mode>,
    schedule: &Schedule,
    warp: usize,
    instruction: usize,
) -> Vec<Wait> {
    let unit = kernel.units()[instruction];
    let ready = schedule.ready(warp, instruction);
    let cycle = schedule.warp(warp)[instruction];
    let mut used = vec![(0u32, 0u32); (cycle - ready) as usize];
    // Places that loads hold beyond the cycle they start in.
    let mut held = vec![0u32; used.len()];
    for other in 0..schedule.warps() {
        let row = schedule.warp(other);
        for i in row.partition_point(|&c| c < ready)..row.partition_point(|&c| c < cycle) {
            let slot = &mut used[(row[i] - ready) as usize];
            slot.1 += 1;
            slot.0 += u32::from(kernel.units()[i] == unit);
        }
        if unit == Unit::LoadStore && mode == Some(Mode::Held) {
            for (i, &start) in row.iter().enumerate().filter(|&(i, _)| kernel.units()[i] == unit) {
                let over = start + schedule.lasts(other, i);
                for c in (start + 1).max(ready)..over.min(cycle) {
                    held[(c - ready) as usize] += 1;
                }
            }
        }
    }
    merge((ready..cycle).zip(used).zip(held).filter_map(|((c, (same, all)), held)| {
        let obstacle = obstacle(machine, unit, same + held, all)?;
        Some((
            c,
            match obstacle {
                Obstacle::UnitBusy(unit, n) if held > 0 => Obstacle::UnitHeld(unit, n),
                _ => obstacle,
            },
        ))
    }))
}

/// ` to 8`, where an instruction takes more than a cycle; and that it waited for its warp's load, where the one before
/// it does.
pub fn lasting(schedule: &Schedule, warp: usize, instruction: usize) -> String {
    let cycles = |instruction| schedule.lasts(warp, instruction);
    let own = match cycles(instruction) {
        1 => String::new(),
        n => format!(" to {}", schedule.warp(warp)[instruction] + n - 1),
    };
    match instruction.checked_sub(1).map(cycles) {
        Some(n) if n > 1 => {
            format!("{own}; waited for its load until {}", schedule.ready(warp, instruction) - 1)
        }
        _ => own,
    }
}

/// One step of a construction, and why the instruction went where it did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Which warp was read and where its instruction went.
    pub placement: Placement,
    /// Cycles it could not use, given what had been placed before.
    pub waits: Vec<Wait>,
}

/// The construction after `steps` entries of the order, with the last of them explained.
pub fn replay(
    kernel: &Kernel,
    machine: &Machine,
    order: &Order,
    warps: usize,
    steps: usize,
) -> (Construction, Option<Step>) {
    let mut construction = Construction::start(kernel, machine, warps);
    let steps = steps.min(order.ids().len());
    let Some((&last, before)) = order.ids()[..steps].split_last() else {
        return (construction, None);
    };
    for &warp in before {
        construction.place(usize::from(warp));
    }
    let placed = construction.place(usize::from(last));
    let step = placed.map(|placement| {
        // The placement has changed nothing in the cycles before its own.
        let full = |cycle| {
            let (same, all) = (construction.used(placement.unit, cycle), construction.issued(cycle));
            Some((cycle, obstacle(machine, placement.unit, same, all)?))
        };
        Step { placement, waits: merge((placement.ready..placement.cycle).filter_map(full)) }
    });
    (construction, step)
}

fn obstacle(machine: &Machine, unit: Unit, same: u32, all: u32) -> Option<Obstacle> {
    if same >= machine.capacity[unit] {
        Some(Obstacle::UnitBusy(unit, machine.capacity[unit]))
    } else {
        (all >= machine.issue_limit()).then(|| Obstacle::IssueFull(machine.issue_limit()))
    }
}

fn merge(cycles: impl Iterator<Item = (u32, Obstacle)>) -> Vec<Wait> {
    let mut waits: Vec<Wait> = Vec::new();
    for (cycle, obstacle) in cycles {
        match waits.last_mut() {
            Some(wait) if wait.obstacle == obstacle && wait.to + 1 == cycle => wait.to = cycle,
            _ => waits.push(Wait { from: cycle, to: cycle, obstacle }),
        }
    }
    waits
}

/// `could not run in 40: all 4 CUDA cores are busy`, or that it ran at once.
pub fn sentence(waits: &[Wait]) -> String {
    let part = |wait: &Wait| {
        let span = if wait.from == wait.to {
            format!("{}", wait.from)
        } else {
            format!("{} to {}", wait.from, wait.to)
        };
        format!("{span}: {}", wait.obstacle.text())
    };
    match waits {
        [] => "ran as soon as it could".to_owned(),
        _ => format!("could not run in {}", waits.iter().map(part).collect::<Vec<_>>().join("; in ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PerUnit, Start, construct};
    use expect_test::{Expect, expect};

    fn figure_6() -> (Kernel, Machine, Order) {
        let Ok(kernel) = Kernel::parse("LCCL") else { unreachable!("parses") };
        let machine = Machine { capacity: PerUnit([1, 1, 0, 0]), issue: None };
        let order = Start::FixedPriority.order(&kernel, &machine, 3);
        (kernel, machine, order)
    }

    #[test]
    fn every_wait_of_a_finished_schedule_has_its_reason() {
        let (kernel, machine, order) = figure_6();
        let Some(schedule) = construct(&kernel, &machine, &order, 3) else { unreachable!("complete") };
        let why = |warp, instruction, expected: Expect| {
            expected.assert_eq(&sentence(&waits(&kernel, &machine, None, &schedule, warp, instruction)));
        };
        why(0, 3, expect!["ran as soon as it could"]);
        why(1, 1, expect!["could not run in 3: the CUDA core is busy"]);
        why(2, 0, expect!["could not run in 1 to 2: the load/store unit is busy"]);
        why(2, 1, expect!["could not run in 4 to 5: the CUDA core is busy"]);
    }

    #[test]
    fn a_replayed_step_sees_only_what_was_placed_before() {
        let (kernel, machine, order) = figure_6();
        let (construction, step) = replay(&kernel, &machine, &order, 3, 9);
        let Some(step) = step else { unreachable!("nine steps") };
        assert_eq!((step.placement.warp, step.placement.instruction, step.placement.cycle), (2, 0, 3));
        assert_eq!(sentence(&step.waits), "could not run in 1 to 2: the load/store unit is busy");
        assert_eq!(construction.rows()[2], [3]);
        assert_eq!(replay(&kernel, &machine, &order, 3, 0).1, None);
    }

    #[test]
    fn the_issue_limit_is_named() {
        let (kernel, _, _) = figure_6();
        let machine = Machine { capacity: PerUnit([2, 2, 0, 0]), issue: Some(1) };
        let order = Start::FixedPriority.order(&kernel, &machine, 2);
        let (_, step) = replay(&kernel, &machine, &order, 2, 5);
        let text = step.map(|step| sentence(&step.waits));
        assert_eq!(text.as_deref(), Some("could not run in 1 to 4: the issue slot is taken"));
    }
}
