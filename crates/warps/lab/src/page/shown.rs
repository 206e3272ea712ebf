//! A result on the screen: the scenario and report it came from, and everything derived from them.

use serde_json::Value;

use crate::report::{ChainReport, Found, WarpsReport, warps_report};
use crate::scenario::WarpsScenario;
use kit::import::json;
use kit::page::Stretch;
use kit::scenario::Scenario;
use kit::timeline::{Timeline, WaitKind};
use warps::explain;
use warps::explain::Wait;
use warps::memory::MOST_CYCLES;
use warps::{Kernel, Order, Schedule, Unit, construct};

pub use super::picture::timeline_of;

/// A finished warps run.
#[derive(Debug, Clone, PartialEq)]
pub struct Shown {
    /// The title.
    pub title: String,
    /// The notes.
    pub notes: String,
    /// The document that was run.
    pub text: String,
    /// The validated scenario.
    pub warps: WarpsScenario,
    /// The report.
    pub report: WarpsReport,
    /// The schedule in the report.
    pub schedule: Schedule,
    /// The order in the report.
    pub order: Order,
    /// Which instruction each entry of the order stands for.
    pub positions: Vec<Selected>,
}

/// An instruction of a warp, both from 0.
pub type Selected = (u32, u32);

/// The four directions a selection moves in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// The warp's previous instruction.
    Left,
    /// The warp's next instruction.
    Right,
    /// The warp above, at about the same cycle.
    Up,
    /// The warp below, at about the same cycle.
    Down,
}

impl Shown {
    /// Joins a document and the report line a worker made of it; `None` if they do not fit each other.
    pub fn new(text: &str, line: &str) -> Option<Self> {
        Self::made(text, kit::scenario::read(crate::LABS, text).ok()?, line)
    }

    /// The same in a program that has PTX read by another one.
    pub fn quick(text: &str, line: &str) -> Option<Self> {
        Self::made(text, kit::scenario::read(crate::QUICK, text).ok()?, line)
    }

    /// The same where the document has been read.
    pub fn made(text: &str, scenario: Scenario, line: &str) -> Option<Self> {
        let warps = scenario.asked::<WarpsScenario>()?;
        let told = json::parse(line).ok()?;
        let (ids, schedule) = told_schedule(&told, &warps.kernel, warps.count)?;
        let order = Order::new(ids, warps.count, warps.kernel.len()).ok()?;
        let mut report = warps_report(&scenario, warps, &order, &schedule);
        if warps.memory.is_some() {
            report.note_told(&told);
        }
        if let Some(found) = Found::read(&told, warps) {
            report.note_search(found);
        }
        if told.get("kernel")?.as_str()? != report.kernel {
            return None;
        }
        let seconds = told.get("seconds")?.as_f64()?;
        Self::of(text, scenario, WarpsReport { seconds, ..report }, order, schedule)
    }

    /// What a search over this document has come to: an order, and the report of all chains. `None` if the
    /// order does not fit the document.
    pub fn found(text: &str, order: Order, chains: Vec<ChainReport>) -> Option<Self> {
        let scenario = kit::scenario::read(crate::QUICK, text).ok()?;
        let warps = scenario.asked::<WarpsScenario>()?;
        let schedule = construct(&warps.kernel, &warps.normalised.machine, &order, warps.count)?;
        let mut report = warps_report(&scenario, warps, &order, &schedule);
        report.note_chains(chains);
        Self::of(text, scenario, report, order, schedule)
    }

    fn of(
        text: &str,
        scenario: Scenario,
        report: WarpsReport,
        order: Order,
        schedule: Schedule,
    ) -> Option<Self> {
        let warps = scenario.asked::<WarpsScenario>().cloned()?;
        Some(Self {
            text: text.to_owned(),
            positions: positions(&order, warps.count),
            warps,
            report,
            title: scenario.title,
            notes: scenario.notes,
            schedule,
            order,
        })
    }

    /// The same result of a document that asks the same under another title or with other notes.
    pub fn retold(&self, text: &str, scenario: &Scenario) -> Self {
        let mut shown = Self {
            title: scenario.title.clone(),
            notes: scenario.notes.clone(),
            text: text.to_owned(),
            ..self.clone()
        };
        shown.report.scenario.clone_from(&scenario.title);
        shown
    }

    /// Steps of its construction.
    pub fn steps(&self) -> usize {
        self.order.ids().len()
    }

    pub(super) fn waits(&self, (warp, instruction): Selected) -> Vec<Wait> {
        let (kernel, machine) = (&self.warps.kernel, &self.warps.normalised.machine);
        explain::waits(kernel, machine, self.mode(), &self.schedule, warp as usize, instruction as usize)
    }

    /// Whether there is such an instruction.
    pub fn has(&self, (warp, instruction): Selected) -> bool {
        (warp as usize) < self.warps.count && (instruction as usize) < self.warps.kernel.len()
    }

    /// Its cycle.
    pub fn cycle(&self, (warp, instruction): Selected) -> u32 {
        self.schedule.warp(warp as usize)[instruction as usize]
    }

    /// The first and last cycle it waited through; `None` if it ran at once.
    pub fn waited(&self, selected: Selected) -> Option<(u32, u32)> {
        let ready = self.schedule.ready(selected.0 as usize, selected.1 as usize);
        let cycle = self.cycle(selected);
        (ready < cycle).then(|| (ready, cycle - 1))
    }

    /// Everything there is to say about an instruction.
    pub fn details(&self, (warp, instruction): Selected) -> String {
        let kernel = &self.warps.kernel;
        let (w, i) = (warp as usize, instruction as usize);
        let waits = self.waits((warp, instruction));
        format!(
            "warp {}, instruction {} of {}, {} ({}), cycle {}{}; {}",
            warp + 1,
            instruction + 1,
            kernel.len(),
            kernel.units()[i].letter(),
            kernel.units()[i].name(),
            self.cycle((warp, instruction)),
            explain::lasting(&self.schedule, w, i),
            explain::sentence(&waits)
        )
    }

    /// The instruction next to a selected one; the first of all where nothing is selected.
    pub fn neighbour(&self, from: Option<Selected>, direction: Direction) -> Selected {
        let Some((warp, instruction)) = from.filter(|&selected| self.has(selected)) else { return (0, 0) };
        let (last_warp, last) = (self.warps.count as u32 - 1, self.warps.kernel.len() as u32 - 1);
        let other = match direction {
            Direction::Left => return (warp, instruction.saturating_sub(1)),
            Direction::Right => return (warp, (instruction + 1).min(last)),
            Direction::Up => warp.saturating_sub(1),
            Direction::Down => (warp + 1).min(last_warp),
        };
        if other == warp {
            return (warp, instruction);
        }
        self.nearest(other, self.cycle((warp, instruction)))
    }

    /// The instruction next to a cell in which its warp does nothing.
    pub fn beside_idle(&self, (warp, cycle): (u32, u32), direction: Direction) -> Selected {
        let last_warp = self.warps.count as u32 - 1;
        let row = self.schedule.warp(warp.min(last_warp) as usize);
        let after = row.partition_point(|&c| c < cycle);
        match direction {
            Direction::Left => (warp.min(last_warp), after.saturating_sub(1) as u32),
            Direction::Right => (warp.min(last_warp), after.min(row.len() - 1) as u32),
            Direction::Up => self.nearest(warp.saturating_sub(1), cycle),
            Direction::Down => self.nearest((warp + 1).min(last_warp), cycle),
        }
    }

    /// The instruction of a warp that runs nearest to a cycle.
    fn nearest(&self, warp: u32, cycle: u32) -> Selected {
        let row = self.schedule.warp(warp as usize);
        let after = row.partition_point(|&c| c < cycle);
        let nearest = |i: &usize| row[*i].abs_diff(cycle);
        let best = [after.saturating_sub(1), after.min(row.len() - 1)].into_iter().min_by_key(nearest);
        (warp, best.unwrap_or(0) as u32)
    }

    /// What runs between two cycles, both included, of what is placed after so many steps: instructions of each kind, of
    /// all warps or of some, from 0; and in a schedule beneath, which has a name.
    pub fn totals(
        &self,
        (from, to): (u32, u32),
        warps: Option<(usize, usize)>,
        steps: usize,
        beneath: Option<(&str, &Self)>,
    ) -> String {
        let cycles = base::people::counted((to + 1 - from) as usize, "cycle");
        let of = match warps {
            None => String::new(),
            Some((one, other)) if one == other => format!(", warp {}", one + 1),
            Some((first, last)) => format!(", warps {} to {}", first + 1, last + 1),
        };
        let so_far = if steps < self.steps() { ", placed so far" } else { "" };
        let own =
            format!("cycles {from} to {to}, {cycles}{of}{so_far}: {}", self.runs(from, to, warps, steps));
        match beneath {
            None => own,
            Some((name, beneath)) => format!("{own}. {name}: {}", beneath.runs(from, to, warps, steps)),
        }
    }

    /// How long warps wait between two cycles, by what for, as a picture of them shows it.
    pub fn waited_in(picture: &Timeline, stretch: &Stretch) -> String {
        let sums = picture.waited(stretch);
        let kinds = picture.wait_legend.iter().map(|(kind, name)| (sums[*kind as usize], *kind, name));
        let kinds = || kinds.clone().filter(|(sum, kind, _)| *sum > 0.0 && *kind != WaitKind::Done);
        let total: f64 = kinds().map(|(sum, ..)| sum).sum();
        let mut said = String::new();
        for (sum, _, name) in kinds() {
            said += if said.is_empty() { ". Warps wait: " } else { ", " };
            said += &format!("{name} {}", base::people::percent(sum / total));
        }
        said
    }

    /// How many instructions of each kind run between two cycles, and how busy that keeps their units.
    fn runs(&self, from: u32, to: u32, warps: Option<(usize, usize)>, steps: usize) -> String {
        let totals = self.warps.kernel.totals();
        let (first, last) = warps.unwrap_or((0, usize::MAX));
        let meant = |this: &&Selected| {
            (first..=last).contains(&(this.0 as usize)) && (from..=to).contains(&self.cycle(**this))
        };
        let mut parts = Vec::new();
        for unit in warps::Unit::ALL.into_iter().filter(|&unit| totals[unit] > 0) {
            let capacity = u64::from(self.warps.normalised.machine.capacity[unit]);
            let placed = self.positions.iter().take(steps).filter(meant);
            let count = placed.filter(|this| self.warps.kernel.units()[this.1 as usize] == unit).count();
            let offered = capacity * u64::from(to + 1 - from);
            let share = base::people::percent(count as f64 / offered as f64);
            parts.push(format!("{count} {} {} ({share} busy)", unit.letter(), unit.name()));
        }
        parts.join(", ")
    }
}

/// The order of a report, warps from 0, and its schedule with the time that its loads take.
pub(super) fn told_schedule(told: &Value, kernel: &Kernel, count: usize) -> Option<(Vec<u16>, Schedule)> {
    let ids: Vec<u16> = numbers(told, "order")?
        .into_iter()
        .map(|id| u16::try_from(id).ok()?.checked_sub(1))
        .collect::<Option<_>>()?;
    let cycles: Vec<u32> = numbers(told, "cycles")?;
    // No schedule is longer, and what is kept for each cycle of a picture has its bounds.
    if cycles.iter().any(|&cycle| u64::from(cycle) > MOST_CYCLES) {
        return None;
    }
    let schedule = Schedule::from_order(&ids, &cycles, count)?;
    let Some(memory) = told.get("memory") else { return Some((ids, schedule)) };
    let (hit, miss) = (number(memory, "hit")?, number(memory, "miss")?);
    let lasts = |unit: &Unit| if *unit == Unit::LoadStore { hit as u16 } else { 1 };
    let mut lasts = kernel.units().iter().map(lasts).collect::<Vec<u16>>().repeat(count);
    for pair in memory.get("missed")?.as_array()? {
        let place = |i| usize::try_from(pair.get(i)?.as_u64()?.checked_sub(1)?).ok();
        *lasts.get_mut(place(0)?.checked_mul(kernel.len())?.checked_add(place(1)?)?)? = miss as u16;
    }
    Some((ids, schedule.lasting(lasts)?))
}

/// A number in a part of a report.
pub(super) fn number(told: &Value, key: &str) -> Option<u32> {
    u32::try_from(told.get(key)?.as_u64()?).ok()
}

/// A list of numbers in a report.
fn numbers(told: &Value, key: &str) -> Option<Vec<u32>> {
    told.get(key)?.as_array()?.iter().map(|n| u32::try_from(n.as_u64()?).ok()).collect()
}

/// The warp and instruction of every entry of an order.
pub(super) fn positions(order: &Order, warps: usize) -> Vec<Selected> {
    let mut next = vec![0u32; warps];
    let step = |&warp: &u16| {
        let next = &mut next[usize::from(warp)];
        *next += 1;
        (u32::from(warp), *next - 1)
    };
    order.ids().iter().map(step).collect()
}

/// `3:5` for warp 3, instruction 5, as links and the search field write it.
pub fn selection_text((warp, instruction): Selected) -> String {
    format!("{}:{}", warp + 1, instruction + 1)
}

/// Reads `3:5`.
pub fn parse_selection(text: &str) -> Option<Selected> {
    let (warp, instruction) = text.trim().split_once(':')?;
    let number = |text: &str| text.trim().parse::<u32>().ok()?.checked_sub(1);
    Some((number(warp)?, number(instruction)?))
}

/// A cell in which nothing is executed, as links write it: `3@17` is row 3 in cycle 17.
pub fn cell_text((row, cycle): (usize, u32)) -> String {
    format!("{}@{cycle}", row + 1)
}

/// Reads `3@17`.
pub fn parse_cell(text: &str) -> Option<(usize, u32)> {
    let (row, cycle) = text.trim().split_once('@')?;
    let cycle = cycle.trim().parse().ok().filter(|&cycle| cycle > 0)?;
    Some((row.trim().parse::<usize>().ok()?.checked_sub(1)?, cycle))
}

#[cfg(test)]
pub(super) mod tests;
