//! How much work a study is, from a few of its cells.

use base::{Control, people};
use serde::Deserialize;

use crate::{CellRun, Study};

/// So many cells are tried, evenly spread.
const TRIED: u64 = 5;
/// And each for so many units at most.
const MOST: u64 = 20_000_000;

/// How much work a study is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Estimate {
    /// Cells.
    pub cells: u64,
    /// Units of work of all of them, some tens of nanoseconds each.
    pub units: u64,
    /// Whether a cell took longer than it was tried: it is at least so much.
    pub at_least: bool,
    /// Units of work that it took to tell.
    pub spent: u64,
}

/// About how much work a study is, and how long some of it took here.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub struct Took {
    /// Units of work of all cells.
    pub units: u64,
    /// Whether it is at least so much.
    pub at_least: bool,
    /// Units that were tried.
    pub spent: u64,
    /// The seconds that these took.
    pub seconds: f64,
}

impl Took {
    /// Of an estimate that took so many seconds.
    pub fn new(estimate: &Estimate, seconds: f64) -> Self {
        let Estimate { units, at_least, spent, cells: _ } = *estimate;
        Self { units, at_least, spent, seconds }
    }

    /// About how many seconds all of it takes so many at once; none where nothing could be tried.
    pub fn all(&self, at_once: u64) -> Option<f64> {
        let tried = (self.spent > 0).then_some(self.spent)?;
        Some(self.seconds * (self.units as f64 / tried as f64) / at_once.max(1) as f64)
    }

    /// The same in words: of so short a time nothing can be said but that it is short.
    pub fn words(&self, at_once: u64) -> Option<String> {
        let least = if self.at_least { "at least" } else { "about" };
        Some(match self.all(at_once)? {
            seconds if seconds < 1.0 => "less than a second".to_owned(),
            seconds => format!("{least} {}", rough(seconds)),
        })
    }
}

/// Seconds as people say them of what is not known exactly.
pub fn rough(seconds: f64) -> String {
    let counted = |n: f64, one: &str| people::counted(n.round().max(1.0) as usize, one);
    match seconds {
        s if s < 90.0 => counted(s, "second"),
        s if s < 5_400.0 => counted(s / 60.0, "minute"),
        s if s < 172_800.0 => counted(s / 3_600.0, "hour"),
        s => counted(s / 86_400.0, "day"),
    }
}

/// An estimate while it is made.
pub struct Estimating {
    study: Study,
    tried: Vec<u64>,
    next: usize,
    run: Option<CellRun>,
    spent: u64,
    at_least: bool,
}

impl Estimating {
    /// Of a study, of which nothing is known yet.
    pub fn new(study: &Study) -> Self {
        let last = study.cells().saturating_sub(1);
        let mut tried: Vec<u64> = (0..TRIED).map(|i| last * i / (TRIED - 1)).collect();
        tried.dedup();
        Self { study: study.clone(), tried, next: 0, run: None, spent: 0, at_least: false }
    }

    /// Tries until the slice is over, or says how much work it is.
    pub fn step(&mut self, control: &mut Control) -> Option<Estimate> {
        while let Some(cell) = self.tried.get(self.next) {
            if self.run.is_none() {
                self.run = self.study.cell(*cell).map(CellRun::start);
            }
            let Some(run) = &mut self.run else {
                self.next += 1;
                continue;
            };
            let before = run.spent();
            let done = run.step(&mut Control::slice(MOST / 100)).is_some();
            let spent = run.spent() - before;
            self.spent += spent;
            if done || run.spent() >= MOST {
                self.at_least |= !done;
                self.run = None;
                self.next += 1;
            }
            if !control.spend(spent) && self.next < self.tried.len() {
                return None;
            }
        }
        let cells = self.study.cells();
        let units = u128::from(self.spent) * u128::from(cells) / self.tried.len().max(1) as u128;
        let units = u64::try_from(units).unwrap_or(u64::MAX);
        Some(Estimate { cells, units, at_least: self.at_least, spent: self.spent })
    }

    /// How many cells were tried, and how many are to be.
    pub fn so_far(&self) -> (u64, u64) {
        (self.next as u64, self.tried.len() as u64)
    }
}

impl Study {
    /// Tries some of its cells: the first, the last and some between.
    pub fn estimate(&self) -> Estimate {
        let mut estimating = Estimating::new(self);
        loop {
            if let Some(estimate) = estimating.step(&mut Control::unlimited()) {
                return estimate;
            }
        }
    }
}
