//! The schedule of a report as rows: the warps of each partition with what they waited for, beneath them the units that
//! these hold; what all partitions share comes last.
//!
//! Invariant: bars and waits of a row ascend and never overlap; every entry of the schedule has one bar in its warp's row.

use std::collections::BTreeMap;

use crate::report::{CodeReport, Kind};
use kit::timeline::Class;

/// What a row is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lane {
    /// A heading.
    Heading,
    /// A warp, by its number from 1.
    Warp(usize),
    /// A place of a unit.
    Unit,
}

/// An instruction in a row, in cycles from 0: cycle `c` of a report lasts from `c - 1` to `c`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bar {
    /// Where it begins.
    pub from: u32,
    /// Where it ends.
    pub to: u32,
    /// Its place in the schedule of the report.
    pub entry: u32,
}

/// Cycles in which a warp waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wait {
    /// Where it begins.
    pub from: u32,
    /// Where it ends.
    pub to: u32,
    /// What for.
    pub kind: Kind,
    /// The entry of the schedule that waits.
    pub entry: u32,
    /// Which of its waits this is.
    pub part: u32,
}

/// Colours that lines have; the last is of those that hold no unit.
const COLOURS: usize = 6;

/// The colour of each unit of the tables, the same in every kernel. There are more units than colours: those of like work
/// share one, and branches have that of what holds no unit.
const OF_UNITS: [(&str, Class); 10] = [
    ("fma", 0),
    ("double", 0),
    ("alu", 1),
    ("uniform", 1),
    ("global", 2),
    ("texture", 2),
    ("special", 3),
    ("tensor", 3),
    ("constant", 4),
    ("branch", 5),
];

/// A row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// What stands beside it.
    pub label: String,
    /// What it is.
    pub lane: Lane,
    /// What is issued or held.
    pub bars: Vec<Bar>,
    /// What is waited for.
    pub waits: Vec<Wait>,
}

/// A whole picture.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Timeline {
    /// Rows from top to bottom.
    pub rows: Vec<Row>,
    /// The makespan.
    pub end: u32,
    /// The colour of each line: that of its unit.
    pub classes: Vec<Class>,
    /// The row of each warp, by its number from 0.
    pub of_warp: Vec<usize>,
    /// The entries of each warp in the order of its way.
    pub entries: Vec<Vec<u32>>,
}

impl Row {
    fn new(label: String, lane: Lane) -> Self {
        Self { label, lane, bars: Vec::new(), waits: Vec::new() }
    }

    /// The bars that touch the stretch from `t0` to `t1`.
    pub fn bars_within(&self, t0: f64, t1: f64) -> &[Bar] {
        let first = self.bars.partition_point(|bar| f64::from(bar.to) <= t0);
        let last = self.bars.partition_point(|bar| f64::from(bar.from) < t1);
        &self.bars[first..last.max(first)]
    }

    /// The waits that do.
    pub fn waits_within(&self, t0: f64, t1: f64) -> &[Wait] {
        let first = self.waits.partition_point(|wait| f64::from(wait.to) <= t0);
        let last = self.waits.partition_point(|wait| f64::from(wait.from) < t1);
        &self.waits[first..last.max(first)]
    }
}

impl Timeline {
    /// The rows of a report.
    pub fn of(report: &CodeReport) -> Self {
        let mut entries = vec![Vec::new(); report.count];
        for (entry, row) in report.schedule.iter().enumerate() {
            if let Some(own) = row.0.checked_sub(1).and_then(|warp| entries.get_mut(warp)) {
                own.push(entry as u32);
            }
        }
        let partitions = report.machine.partitions.max(1) as usize;
        let held = held(report, partitions);
        let mut made = Self {
            rows: Vec::new(),
            end: report.makespan,
            classes: classes(report),
            of_warp: vec![0; report.count],
            entries,
        };
        for partition in 0..partitions.min(report.count) {
            if partitions > 1 {
                made.rows.push(Row::new(format!("Partition {}", partition + 1), Lane::Heading));
            }
            for warp in (partition..report.count).step_by(partitions) {
                made.of_warp[warp] = made.rows.len();
                let row = warp_row(report, warp, &made.entries[warp]);
                made.rows.push(row);
            }
            made.rows.extend(units(report, &held, Some(partition)));
        }
        let shared = units(report, &held, None);
        if !shared.is_empty() && partitions > 1 {
            made.rows.push(Row::new("Shared".to_owned(), Lane::Heading));
        }
        made.rows.extend(shared);
        made
    }

    /// The colour of a line.
    pub fn class(&self, line: usize) -> Class {
        self.classes.get(line).copied().unwrap_or_default()
    }

    /// The row and the bar of an entry of the schedule.
    pub fn find(&self, report: &CodeReport, entry: u32) -> Option<(usize, Bar)> {
        let warp = report.schedule.get(entry as usize)?.0.checked_sub(1)?;
        let row = *self.of_warp.get(warp)?;
        let place = self.place(report, entry)?;
        Some((row, *self.rows[row].bars.get(place)?))
    }

    /// The place of an entry in the way of its warp.
    pub fn place(&self, report: &CodeReport, entry: u32) -> Option<usize> {
        let warp = report.schedule.get(entry as usize)?.0.checked_sub(1)?;
        self.entries.get(warp)?.binary_search(&entry).ok()
    }

    /// The entry of a warp, from 1, at a place in its way.
    pub fn entry(&self, warp: usize, place: usize) -> Option<u32> {
        self.entries.get(warp.checked_sub(1)?)?.get(place).copied()
    }
}

/// The colour of a unit of the tables; none of another one.
pub fn colour_of(unit: &str) -> Option<Class> {
    OF_UNITS.iter().find(|(name, _)| *name == unit).map(|own| own.1)
}

/// The colour of each line: that of its unit; where the machine has others than tables have, units that are held have
/// colours in its order.
fn classes(report: &CodeReport) -> Vec<Class> {
    const NONE: Class = (COLOURS - 1) as Class;
    if report.machine.units.iter().all(|unit| colour_of(&unit.0).is_some()) {
        let colour = |line: &crate::report::Line| line.unit.as_deref().and_then(colour_of).unwrap_or(NONE);
        return report.code.iter().map(colour).collect();
    }
    let unit = |line: &crate::report::Line| unit_of(report, line.unit.as_deref());
    let mut used: Vec<usize> = report.code.iter().filter_map(unit).collect();
    used.sort_unstable();
    used.dedup();
    let rank = |unit: Option<usize>| unit.and_then(|unit| used.binary_search(&unit).ok());
    let class = |line| rank(unit(line)).map_or(NONE, |rank| (rank % (COLOURS - 1)) as Class);
    report.code.iter().map(class).collect()
}

fn warp_row(report: &CodeReport, warp: usize, entries: &[u32]) -> Row {
    let mut row = Row::new(format!("Warp {}", warp + 1), Lane::Warp(warp + 1));
    for &entry in entries {
        let (_, _, issued, _) = report.schedule[entry as usize];
        row.bars.push(Bar { from: issued.saturating_sub(1), to: issued, entry });
        for (part, &(from, to, (kind, ..))) in
            report.waits.get(entry as usize).into_iter().flatten().enumerate()
        {
            row.waits.push(Wait { from: from.saturating_sub(1), to, kind, entry, part: part as u32 });
        }
    }
    row
}

/// Entries by unit and by the partition whose place they hold; none where all share it.
type Held = BTreeMap<(usize, Option<usize>), Vec<u32>>;

fn held(report: &CodeReport, partitions: usize) -> Held {
    let mut held = Held::new();
    let unit_of: Vec<Option<usize>> =
        report.code.iter().map(|line| unit_of(report, line.unit.as_deref())).collect();
    for (entry, &(warp, at, ..)) in report.schedule.iter().enumerate() {
        let Some(unit) = unit_of.get(at as usize).copied().flatten() else { continue };
        let own = report.machine.units[unit].1 == "partition";
        let partition = own.then(|| warp.saturating_sub(1) % partitions);
        held.entry((unit, partition)).or_default().push(entry as u32);
    }
    held
}

/// The place of a unit in the machine.
pub fn unit_of(report: &CodeReport, name: Option<&str>) -> Option<usize> {
    report.machine.units.iter().position(|unit| Some(&unit.0[..]) == name)
}

/// Rows of the units that a partition has for itself, or of those that all share: a row for each place that is ever held.
fn units(report: &CodeReport, held: &Held, partition: Option<usize>) -> Vec<Row> {
    let mut rows = Vec::new();
    for ((unit, of), entries) in held {
        if *of != partition {
            continue;
        }
        let name = crate::page::says::unit_short(&report.machine.units[*unit].0);
        let mut places: Vec<Row> = Vec::new();
        for &entry in entries {
            let (_, at, issued, _) = report.schedule[entry as usize];
            let (from, hold) = (issued.saturating_sub(1), report.code[at as usize].hold.max(1));
            let bar = Bar { from, to: from + hold, entry };
            let free = places.iter_mut().find(|row| row.bars.last().is_none_or(|last| last.to <= from));
            match free {
                Some(row) => row.bars.push(bar),
                None => {
                    let mut row = Row::new(name.to_owned(), Lane::Unit);
                    row.bars.push(bar);
                    places.push(row);
                }
            }
        }
        let several = places.len() > 1;
        for (place, row) in places.iter_mut().enumerate().filter(|_| several) {
            row.label = format!("{name} {}", place + 1);
        }
        rows.extend(places);
    }
    rows
}
