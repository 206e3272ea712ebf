//! The job of a study: cell after cell of a share of it, every row told as news.
//!
//! News are lines of JSON, first `{"study": ...}` with what there is to come, then `{"rows": [...]}` with the rows
//! that were added since.

use base::{Control, StopReason};
use kit::job::{Job, Progress, Step};
use kit::report::Report;

use crate::report::{Gathered, StudyReport, head};
use crate::{CellRun, Study};

/// Some of the cells of a study: `first`, `first + step` and so on before `end`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    /// The first one.
    pub first: u64,
    /// None from here on.
    pub end: u64,
    /// From one to the next; at least 1.
    pub step: u64,
}

impl Share {
    /// All of them.
    pub const ALL: Self = Self { first: 0, end: u64::MAX, step: 1 };

    /// The share of one of several workers, who take turns.
    pub fn of(worker: u64, workers: u64) -> Self {
        Self { first: worker, end: u64::MAX, step: workers.max(1) }
    }

    /// Its cells of a study with so many.
    pub fn cells(self, of: u64) -> impl Iterator<Item = u64> + use<> {
        let mut next = Some(self.first);
        std::iter::from_fn(move || {
            let cell = next.filter(|cell| *cell < self.end.min(of))?;
            next = cell.checked_add(self.step.max(1));
            Some(cell)
        })
    }

    /// How many these are.
    pub fn count(self, of: u64) -> u64 {
        self.end.min(of).saturating_sub(self.first).div_ceil(self.step.max(1))
    }
}

/// Computes a share of a study.
pub struct StudyJob {
    title: String,
    study: Study,
    share: Share,
    cells: Box<dyn Iterator<Item = u64>>,
    run: Option<CellRun>,
    done: u64,
    gathered: Gathered,
    fresh: Vec<String>,
    begun: bool,
}

impl StudyJob {
    /// The job of a share of a study.
    pub fn new(title: &str, study: &Study, share: Share) -> Self {
        Self {
            title: title.to_owned(),
            study: study.clone(),
            share,
            cells: Box::new(share.cells(study.cells())),
            run: None,
            done: 0,
            gathered: Gathered::new(study),
            fresh: Vec::new(),
            begun: false,
        }
    }

    fn report(&self) -> StudyReport {
        self.gathered.report(&self.title, &self.study)
    }
}

impl Job for StudyJob {
    fn step(&mut self, control: &mut Control) -> Step {
        loop {
            if self.run.is_none() {
                self.run = self.cells.next().and_then(|cell| self.study.cell(cell)).map(CellRun::start);
            }
            let Some(run) = &mut self.run else { return Step::Done(Report::new(self.report())) };
            let before = run.spent();
            // The slice is the driver's; what the cell took is known only after it.
            let mut slice = Control::slice(STEP);
            let row = run.step(&mut slice);
            let spent = run.spent() - before;
            if let Some(row) = row {
                self.gathered.add(&self.study, &run.cell().place.clone(), &row);
                self.fresh.push(row);
                self.run = None;
                self.done += 1;
            }
            if !control.spend(spent) {
                let total = self.share.count(self.study.cells());
                return Step::More(Progress { done: self.done, total, best: None, bracket: None });
            }
        }
    }

    fn news(&mut self) -> Option<String> {
        if !std::mem::replace(&mut self.begun, true) {
            return Some(head(&self.title, &self.study, self.share));
        }
        let rows = std::mem::take(&mut self.fresh);
        (!rows.is_empty()).then(|| format!("{{\"rows\":[{}]}}", rows.join(",")))
    }

    fn stop(&mut self, _reason: StopReason) -> Option<Report> {
        Some(Report::new(self.report()))
    }
}

/// Units of work between two looks at the driver's slice.
const STEP: u64 = 100_000;
