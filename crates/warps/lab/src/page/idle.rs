//! What there is to say about a cell of a picture: what a warp executes in a cycle, or what it waits for and who has
//! it; and what warps do while a unit has room.

mod moment;

use super::shown::{Shown, selection_text};
use crate::draw::gantt::Target;
use base::people;
use kit::timeline::Timeline;
use warps::idle::{Cell, Cells, Waiting};
use warps::{Fairness, Unit};

/// At most so many instructions are listed in a sentence.
const MOST_NAMED: usize = 6;

impl Shown {
    /// Why a warp, from 0, executes nothing in a cycle of the whole schedule; or what it executes.
    pub fn why_idle(&self, warp: usize, cycle: u32) -> String {
        self.of_warp(&self.cells(), warp, cycle)
    }

    /// In how many cycles of the whole schedule no warp can run, in words; nothing where in each some can.
    pub fn without_eligible(&self) -> Option<String> {
        let none = self.cells().ineligible().iter().filter(|none| **none).count();
        (none > 0).then(|| format!("no eligible warp: {}", people::counted(none, "cycle")))
    }

    /// What is at a place of a picture after so many steps, in a sentence; `None` where there is no such place.
    pub fn hovered(&self, picture: &Timeline, steps: usize, target: Target) -> Option<String> {
        let (row, cycle) = match target {
            Target::Span { id, .. } => {
                let place = (id.0 as usize, id.1 as usize);
                return self.has(id).then(|| self.executes(&self.cells(), place));
            }
            Target::Idle { row, cycle } if (1..=self.schedule.makespan()).contains(&cycle) => (row, cycle),
            Target::Idle { .. } => return None,
        };
        let tell = |cells: &Cells<'_>| match picture.is_lane(row) {
            true => self.of_unit(cells, self.unit_of(picture, row)?, cycle),
            false => (row < cells.warps()).then(|| self.of_warp(cells, row, cycle)),
        };
        self.after_steps(steps, tell)
    }

    /// Everything there is to say about what is selected in a picture after so many steps.
    pub fn details_of(&self, picture: &Timeline, steps: usize, target: Target) -> Option<String> {
        match target.id() {
            Some(id) => self.has(id).then(|| self.details(id)),
            None => self.hovered(picture, steps, target),
        }
    }

    /// The unit that a lane of a picture is of: each lane shows something.
    fn unit_of(&self, picture: &Timeline, row: usize) -> Option<Unit> {
        let shown = picture.tracks.get(row)?.spans.first()?;
        self.warps.kernel.units().get(shown.id.1 as usize).copied()
    }

    fn of_warp(&self, cells: &Cells<'_>, warp: usize, cycle: u32) -> String {
        let name = warp + 1;
        let (waiting, instruction) = match cells.at(warp, cycle) {
            Cell::Executes(instruction) => return self.executes(cells, (warp, instruction)),
            Cell::Waits(waiting, instruction) => (waiting, instruction),
        };
        let ready = cells.ready(warp, instruction + usize::from(waiting == Waiting::Data));
        let text = text_of((warp, instruction));
        let Some(&unit) = self.warps.kernel.units().get(instruction) else {
            return format!(
                "Cycle {}: warp {name} has nothing left since cycle {}.",
                people::grouped(cycle.into()),
                people::grouped(ready.into())
            );
        };
        let next = format!("Its next instruction {text} ({})", unit.letter());
        let could = match ready == cycle {
            true => format!("{next} could run"),
            false => format!("{next} could run since cycle {ready}"),
        };
        let why = match waiting {
            Waiting::Data => {
                let alone = if no_eligible(cells, cycle) { " The cycle has no eligible warp." } else { "" };
                format!("It waits until cycle {} for the data of its load {text}.{alone}", ready - 1)
            }
            Waiting::Unit => {
                let (places, have) = all(self.capacity(unit), &unit.called(), ("executes", "execute"));
                let others = cells.on(unit, cycle);
                let who = self.listed(cells, &others, cycle);
                format!("{could}, but {places} {have} {who}.{}", self.first(instruction, &others))
            }
            Waiting::Slot => {
                let limit = self.warps.normalised.machine.issue_limit();
                let (slots, have) = all(limit, "issue slot", ("is", "are"));
                let others = cells.issuing(cycle);
                let who = self.listed(cells, &others, 0);
                let room = format!("{could} and {} has room", the(self.capacity(unit), unit));
                format!("{room}, but {slots} {have} taken by {who}.{}", self.first(instruction, &others))
            }
            Waiting::Free => format!(
                "{could}: {} has room and so has the issue. The schedule lets it wait all the same.",
                the(self.capacity(unit), unit)
            ),
            Waiting::Unplaced => format!("{next} is not placed yet."),
            Waiting::Done => String::new(),
        };
        format!("Cycle {}: warp {name} is idle. {why}", people::grouped(cycle.into()))
    }

    /// That an instruction executes, in all cycles in which it does; of loads that leave their place also until when
    /// they are under way.
    fn executes(&self, cells: &Cells<'_>, (warp, instruction): (usize, usize)) -> String {
        let unit = self.warps.kernel.units()[instruction];
        let start = cells.start(warp, instruction);
        let (takes, lasts) = (cells.takes(warp, instruction), cells.lasts(warp, instruction));
        let when = match takes {
            1 => format!("Cycle {}", people::grouped(start.into())),
            _ => format!("Cycles {start} to {}", start + takes - 1),
        };
        let data = match lasts > takes {
            true => format!("; its data is there after cycle {}", start + lasts - 1),
            false => String::new(),
        };
        let text = text_of((warp, instruction));
        format!("{when}: warp {} executes {text} ({}, {}){data}.", warp + 1, unit.letter(), unit.name())
    }

    fn capacity(&self, unit: Unit) -> u32 {
        self.warps.normalised.machine.capacity[unit]
    }

    /// Instructions, and until when those hold their place that go on after the cycle; none do after cycle 0.
    fn listed(&self, cells: &Cells<'_>, others: &[(usize, usize)], cycle: u32) -> String {
        let name = |&(warp, instruction): &(usize, usize)| {
            let text = text_of((warp, instruction));
            let last = cells.start(warp, instruction) + cells.takes(warp, instruction) - 1;
            let goes_on = cycle > 0 && cells.takes(warp, instruction) > 1;
            if goes_on { format!("{text} (until cycle {last})") } else { text }
        };
        let mut names: Vec<String> = others.iter().take(MOST_NAMED).map(name).collect();
        if others.len() > MOST_NAMED {
            names.push(format!("{} more", others.len() - MOST_NAMED));
        }
        people::listed(&names)
    }

    /// That those who execute go first, where sub-blocks are fair and theirs are all earlier.
    fn first(&self, instruction: usize, others: &[(usize, usize)]) -> &'static str {
        if self.warps.fairness == Fairness::WorkConserving {
            return "";
        }
        let blocks = self.warps.fairness.blocks(self.warps.kernel.len());
        let earlier = others.iter().all(|&(_, other)| blocks[other] < blocks[instruction]);
        if earlier { " Earlier sub-blocks go first." } else { "" }
    }

    /// What warps do while a unit has room; `None` where it has none.
    fn of_unit(&self, cells: &Cells<'_>, unit: Unit, cycle: u32) -> Option<String> {
        let doing = self.doing(cells, cycle);
        // What is not placed yet takes no place.
        let taken =
            doing.iter().find(|(does, _)| *does == Doing::Executes(unit)).map_or(0, |(_, warps)| *warps);
        let capacity = self.capacity(unit);
        let free = capacity.checked_sub(taken as u32).filter(|&free| free > 0)?;
        let said = doing.iter().enumerate().map(|(i, &(does, warps))| {
            let who = if i == 0 { people::counted(warps, "warp") } else { warps.to_string() };
            format!("{who} {}", self.text(does, warps == 1))
        });
        let said = said.collect::<Vec<_>>().join(", ");
        let idles = match free {
            _ if capacity == 1 => format!("the {} idles", unit.called()),
            _ if free == capacity => format!("{} idle", all(capacity, &unit.called(), ("", "")).0),
            1 => format!("1 of {capacity} {}s idles", unit.called()),
            _ => format!("{free} of {capacity} {}s idle", unit.called()),
        };
        let alone = if no_eligible(cells, cycle) { ", no eligible warp" } else { "" };
        Some(format!("Cycle {}: {idles}{alone}: {said}.", people::grouped(cycle.into())))
    }

    /// What a warp waits for in a cycle in which it executes nothing.
    pub(super) fn waits_for(&self, cells: &Cells<'_>, warp: usize, cycle: u32) -> String {
        match cells.at(warp, cycle) {
            Cell::Executes(_) => String::new(),
            Cell::Waits(Waiting::Unit, instruction) => match self.warps.kernel.units().get(instruction) {
                Some(&unit) => self.text(Doing::Needs(unit), true),
                None => String::new(),
            },
            Cell::Waits(waiting, _) => self.text(Doing::Waits(waiting), true),
        }
    }

    /// What one warp or several do.
    fn text(&self, doing: Doing, one: bool) -> String {
        let number = |singular: &str, plural: &str| if one { singular.to_owned() } else { plural.to_owned() };
        let waits = number("waits", "wait");
        match doing {
            Doing::Needs(unit) => format!("{waits} for {}", the(self.capacity(unit), unit)),
            Doing::Executes(unit) => {
                format!("{} on {}", number("executes", "execute"), the(self.capacity(unit), unit))
            }
            Doing::Waits(Waiting::Data) => format!("{waits} for data"),
            Doing::Waits(Waiting::Unit) => format!("{waits} for a unit"),
            Doing::Waits(Waiting::Slot) => format!("{waits} for an issue slot"),
            Doing::Waits(Waiting::Free) => format!("could run and {waits} all the same"),
            Doing::Waits(Waiting::Unplaced) => number("is not placed yet", "are not placed yet"),
            Doing::Waits(Waiting::Done) => number("has nothing left", "have nothing left"),
        }
    }
}

/// What a warp does while a unit has room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Doing {
    /// It waits for another unit.
    Needs(Unit),
    /// It waits for something else, or has nothing left.
    Waits(Waiting),
    /// It executes on a unit.
    Executes(Unit),
}

impl Doing {
    /// What is told first: what is waited for, and last who has nothing left.
    fn rank(self) -> u8 {
        match self {
            Doing::Waits(Waiting::Data) => 0,
            Doing::Needs(unit) => 1 + unit as u8,
            Doing::Waits(Waiting::Done) => 20,
            Doing::Waits(waiting) => 5 + waiting as u8,
            Doing::Executes(unit) => 12 + unit as u8,
        }
    }
}

/// Whether no warp can run in a cycle.
pub(super) fn no_eligible(cells: &Cells<'_>, cycle: u32) -> bool {
    cells.ineligible().get(cycle as usize) == Some(&true)
}

/// `3:5`, from 0 and 4.
fn text_of((warp, instruction): (usize, usize)) -> String {
    selection_text((warp as u32, instruction as u32))
}

/// `the load/store unit`, `a load/store unit`.
fn the(capacity: u32, unit: Unit) -> String {
    format!("{} {}", if capacity == 1 { "the" } else { "a" }, unit.called())
}

/// `the only issue slot` or `all 2 issue slots`, and the verb that goes with it.
fn all<'a>(count: u32, thing: &str, (one, many): (&'a str, &'a str)) -> (String, &'a str) {
    match count {
        1 => (format!("the only {thing}"), one),
        2 => (format!("both {thing}s"), many),
        _ => (format!("all {count} {thing}s"), many),
    }
}

#[cfg(test)]
mod tests;
