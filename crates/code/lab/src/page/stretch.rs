//! What a stretch of a schedule holds: what was issued, what warps waited for, how busy units were.

use std::collections::BTreeMap;

use base::people::{counted, grouped, percent};

use super::Seen;
use super::says::{called, name};
use crate::draw::ink_of;
use crate::report::Kind;
use crate::timeline::{Lane, Row};
use kit::draw::Hatch;
use kit::page::Stretch;
use kit::page::sums::{self, Line, Sum};
use kit::page::window::whole_cycles;

/// So many of the busiest units are named.
const UNITS: usize = 3;

/// So many instructions of one cycle are named.
const NAMED: usize = 4;

/// What happens in a cycle: which instructions issue, then its sums.
pub fn moment(seen: &Seen, cycle: u32) -> String {
    let sums = Sums::of(seen, &Stretch::new(f64::from(cycle) - 1.0, f64::from(cycle)));
    let issue = seen.report.schedule.iter().filter(|row| row.2 == cycle);
    let named = |row: &(usize, u32, u32, u32)| {
        let line = seen.report.code.get(row.1 as usize)?;
        Some(format!("{} of warp {}", name(line, row.1 as usize), row.0))
    };
    let mut all: Vec<String> = issue.filter_map(named).collect();
    let more = all.len().saturating_sub(NAMED);
    all.truncate(NAMED);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    let issued = if all.is_empty() { String::new() } else { format!(" Issued: {}{rest}.", all.join(", ")) };
    sums.said(seen) + &issued
}

/// What a line of the tables of a stretch is of: an instruction by its name, or a wait by its reason.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Named {
    Issued(String),
    Waited(Kind),
}

/// What adds up in a stretch, by name, with the entries that it is of.
fn named(seen: &Seen, stretch: &Stretch) -> BTreeMap<Named, (Sum, Vec<u32>)> {
    let (t0, t1) = whole_cycles(f64::from(seen.timeline.end), stretch.from, stretch.to);
    let mut all: BTreeMap<Named, (Sum, Vec<u32>)> = BTreeMap::new();
    let mut add = |name: Named, from: u32, to: u32, entry: u32| {
        let within = f64::from(to).min(t1) - f64::from(from).max(t0);
        let (sum, entries) = all.entry(name).or_default();
        sum.add(within, entry.into());
        entries.push(entry);
    };
    let rows = seen.timeline.rows.iter().enumerate().filter(|(at, _)| stretch.holds(*at));
    let warps = |row: &&Row| matches!(row.lane, Lane::Warp(_));
    for row in rows.map(|(_, row)| row).filter(warps) {
        for bar in row.bars_within(t0, t1) {
            let line = seen.line(bar.entry).and_then(|line| seen.report.code.get(line));
            let name = line.map(issued).unwrap_or_default();
            add(Named::Issued(name), bar.from, bar.to, bar.entry);
        }
        for wait in row.waits_within(t0, t1) {
            add(Named::Waited(wait.kind), wait.from, wait.to, wait.entry);
        }
    }
    all
}

/// What an instruction is summed up under: its opcode with its modifiers, or what it does where nobody has a text.
fn issued(line: &crate::report::Line) -> String {
    let opcode = line.text.split_whitespace().find(|word| !word.starts_with('@'));
    opcode.map_or_else(|| line.words.clone(), |opcode| opcode.trim_end_matches(';').to_owned())
}

/// The tables of a stretch: what warps execute, and what they wait for.
pub fn tables(seen: &Seen, stretch: &Stretch) -> Vec<sums::Sums> {
    let (mut issued, mut waited) = (Vec::new(), Vec::new());
    for (key, (name, (sum, _))) in (0..).zip(named(seen, stretch)) {
        match name {
            Named::Issued(name) => issued.push((sum, Line { key, name, ..Line::default() })),
            Named::Waited(kind) => {
                let (name, look) = (called(kind).to_owned(), Some((ink_of(kind), Hatch::None)));
                waited.push((sum, Line { key, name, look, ..Line::default() }));
            }
        }
    }
    let words = |cycles: f64| grouped(cycles as u128);
    let table = |name, lines| sums::table(name, ["Count", "Cycles", "Share", "Longest"], lines, words);
    [table("Executed", issued), table("Waited for", waited)].into_iter().flatten().collect()
}

/// The entries that a line of those tables is of.
pub fn of_line(seen: &Seen, stretch: &Stretch, key: u64) -> Vec<u32> {
    let own = named(seen, stretch).into_values().nth(key as usize);
    own.map(|(_, entries)| entries).unwrap_or_default()
}

/// The sums of a stretch of cycles.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sums {
    /// The first cycle.
    pub first: u32,
    /// The last one.
    pub last: u32,
    /// How many warps are summed up, where those are not all.
    pub warps: Option<usize>,
    /// Instructions that issue in it.
    pub issued: u64,
    /// Cycles that warps wait in it, by reason, the most first.
    pub waited: Vec<(Kind, u64)>,
    /// Cycles for which places of units are held in it, and how many places are ever held.
    pub held: BTreeMap<String, (u64, u64)>,
}

impl Sums {
    /// Of the cycles that a stretch of the axis touches, in its rows.
    pub fn of(seen: &Seen, stretch: &Stretch) -> Self {
        let (t0, t1) = whole_cycles(f64::from(seen.timeline.end), stretch.from, stretch.to);
        let mut sums = Self { first: t0 as u32 + 1, last: t1 as u32, ..Self::default() };
        let within = |from: u32, to: u32| u64::from(to.min(t1 as u32).saturating_sub(from.max(t0 as u32)));
        let mut waited = BTreeMap::new();
        let mut warps = 0;
        let rows = seen.timeline.rows.iter().enumerate().filter(|(at, _)| stretch.holds(*at));
        for (_, row) in rows {
            let bars = row.bars_within(t0, t1);
            match row.lane {
                Lane::Warp(_) => {
                    warps += 1;
                    sums.issued += bars.len() as u64;
                    for wait in row.waits_within(t0, t1) {
                        *waited.entry(wait.kind).or_insert(0) += within(wait.from, wait.to);
                    }
                }
                Lane::Unit => {
                    let of = |bar: &crate::timeline::Bar| {
                        let line = seen.report.code.get(seen.line(bar.entry)?)?;
                        line.unit.clone()
                    };
                    let Some(unit) = row.bars.first().and_then(of) else { continue };
                    let (held, places) = sums.held.entry(unit).or_default();
                    *held += bars.iter().map(|bar| within(bar.from, bar.to)).sum::<u64>();
                    *places += 1;
                }
                Lane::Heading => {}
            }
        }
        sums.warps = (warps < seen.report.count).then_some(warps);
        sums.waited = waited.into_iter().collect();
        base::sort::sort_by_key(&mut sums.waited, |(_, cycles)| std::cmp::Reverse(*cycles));
        sums
    }

    /// How many cycles it has.
    pub fn cycles(&self) -> u64 {
        u64::from(self.last + 1 - self.first)
    }

    /// In sentences.
    pub fn said(&self, seen: &Seen) -> String {
        let machine = &seen.report.machine;
        let slots = self.cycles() * u64::from(machine.partitions) * u64::from(machine.issue);
        let share = |part: u64, whole: u64| percent(part as f64 / whole.max(1) as f64);
        let issued = counted(self.issued as usize, "instruction");
        let cycles = match self.cycles() {
            1 => format!("Cycle {}", grouped(self.first.into())),
            _ => format!("Cycles {} to {}", grouped(self.first.into()), grouped(self.last.into())),
        };
        let of = self
            .warps
            .map_or(String::new(), |warps| format!(" in {warps} of {}", counted(seen.report.count, "warp")));
        let mut said = match self.warps {
            Some(0) if self.held.values().all(|(held, _)| *held == 0) => {
                vec![format!("{cycles}: nobody holds these units.")]
            }
            Some(0) => vec![format!("{cycles}.")],
            _ => vec![format!("{cycles}{of}: {issued}, {} of the issue slots.", share(self.issued, slots))],
        };
        let total: u64 = self.waited.iter().map(|(_, cycles)| cycles).sum();
        if total > 0 {
            let part = |(kind, cycles): &(Kind, u64)| {
                format!("{} {}", called(*kind).to_lowercase(), share(*cycles, total))
            };
            let parts: Vec<String> = self.waited.iter().map(part).collect();
            said.push(format!(
                "Warps wait for {} in all: {}.",
                counted(total as usize, "cycle"),
                parts.join(", ")
            ));
        }
        let mut busy: Vec<(&String, &(u64, u64))> =
            self.held.iter().filter(|(_, (held, _))| *held > 0).collect();
        base::sort::sort_by(&mut busy, |(_, a), (_, b)| (b.0 * a.1).cmp(&(a.0 * b.1)));
        if !busy.is_empty() {
            let part = |(unit, (held, places)): &(&String, &(u64, u64))| {
                format!("{} {}", super::says::unit_short(unit), share(*held, places * self.cycles()))
            };
            let parts: Vec<String> = busy.iter().take(UNITS).map(part).collect();
            said.push(format!("Busiest units: {}.", parts.join(", ")));
        }
        said.join(" ")
    }
}
