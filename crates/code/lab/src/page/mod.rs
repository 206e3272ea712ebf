//! What the page shows of a report, as plain values: numbers, sentences, edits of the document.

pub mod chained;
pub mod compared;
pub mod edits;
pub mod listed;
pub mod occupancy;
pub mod proof;
pub mod rests;
pub mod says;
pub mod seek;
pub mod sources;
pub mod stretch;
pub mod summary;

use crate::report::{CodeReport, Line};
use crate::timeline::Timeline;

/// A report with its picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Seen {
    /// The report.
    pub report: CodeReport,
    /// Its rows.
    pub timeline: Timeline,
}

impl Seen {
    /// Reads a report again from its line.
    pub fn new(line: &str) -> Option<Self> {
        let report: CodeReport = serde_json::from_str(line).ok()?;
        // Whatever follows may rely on places that exist.
        let sound = report.schedule.iter().all(|row| (row.1 as usize) < report.code.len());
        sound.then(|| Self { timeline: Timeline::of(&report), report })
    }

    /// Whether another one is of the same code.
    pub fn is_of_code(&self, other: &Self) -> bool {
        let (own, other) = (&self.report.code, &other.report.code);
        own.len() == other.len() && own.iter().zip(other).all(|(own, other)| own.text == other.text)
    }

    /// The instruction of a warp that is an entry of another schedule, in this one.
    pub fn again(&self, other: &Self, entry: u32) -> Option<u32> {
        let warp = other.report.schedule.get(entry as usize)?.0;
        self.timeline.entry(warp, other.timeline.place(&other.report, entry)?)
    }

    /// The line of code of an entry of the schedule.
    pub fn line(&self, entry: u32) -> Option<usize> {
        Some(self.report.schedule.get(entry as usize)?.1 as usize)
    }

    /// The lines that have a text in them, in their unit or their address, ascending.
    pub fn found(&self, text: &str) -> Vec<usize> {
        let wanted = text.trim().to_lowercase();
        let has = |line: &Line| {
            let unit = line.unit.as_deref().unwrap_or_default();
            [says::text(line), unit, says::unit_short(unit), &format!("0x{:04x}", line.address)]
                .iter()
                .any(|own| own.to_lowercase().contains(&wanted))
        };
        let lines = self.report.code.iter().enumerate();
        lines.filter(|(_, line)| !wanted.is_empty() && has(line)).map(|(at, _)| at).collect()
    }

    /// The first entry of a line at a cycle or later, else the first of all.
    pub fn first_of(&self, line: usize, from: f64) -> Option<u32> {
        let of = |entry: &usize| self.report.schedule[*entry].1 as usize == line;
        let mut all = (0..self.report.schedule.len()).filter(of);
        let first = all.next()?;
        let begins = |entry: &usize| f64::from(self.report.schedule[*entry].2) > from;
        let seen = Some(first).filter(begins).or_else(|| all.find(begins));
        u32::try_from(seen.unwrap_or(first)).ok()
    }

    /// The entry that is so many further in the way of the same warp.
    pub fn along(&self, entry: u32, by: isize) -> Option<u32> {
        let warp = self.report.schedule.get(entry as usize)?.0;
        let place = self.timeline.place(&self.report, entry)?;
        self.timeline.entry(warp, place.saturating_add_signed(by)).or(Some(entry))
    }

    /// The entry of the warp so many rows further that issues at about the same time.
    pub fn across(&self, entry: u32, by: isize) -> Option<u32> {
        let &(warp, _, issued, _) = self.report.schedule.get(entry as usize)?;
        let here = *self.timeline.of_warp.get(warp.checked_sub(1)?)?;
        let mut warps: Vec<(usize, usize)> =
            self.timeline.of_warp.iter().enumerate().map(|(warp, row)| (*row, warp)).collect();
        warps.sort_unstable();
        let at = warps.iter().position(|(row, _)| *row == here)?;
        let (row, other) = *warps.get(at.saturating_add_signed(by).min(warps.len() - 1))?;
        let bars = &self.timeline.rows[row].bars;
        let next = bars.partition_point(|bar| bar.from + 1 < issued).min(bars.len().checked_sub(1)?);
        let place = if other + 1 == warp { return Some(entry) } else { next };
        self.timeline.entry(other + 1, place)
    }
}
