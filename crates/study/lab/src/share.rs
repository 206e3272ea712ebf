//! What workers of the page do of a study: say what there is to come and how long it takes, compute a share of the
//! cells, write down the document of one.
//!
//! Rows are told as they are written, a line each, so that whoever collects them has what the command line prints.

use base::{Control, Problem, StopReason};
use kit::import::json;
use kit::job::{Job, Progress, Step};
use kit::report::{Report, Told, micro};
use serde::{Deserialize, Serialize};

use crate::estimate::{Estimate, Estimating};
use crate::report::head;
use crate::{CellRun, Share, Study};

/// Units of work between two looks at the driver's slice.
const STEP: u64 = 100_000;

/// What is to be done of a study.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Asked {
    /// Say what there is to come, and about how much work it is.
    Plan,
    /// Compute cells: one in `step`, from `first` on.
    Cells {
        /// The first of them.
        first: u64,
        /// From one to the next.
        step: u64,
    },
    /// Write down the document of a cell.
    Document {
        /// Which one.
        cell: u64,
    },
}

impl Asked {
    /// The job that does it.
    ///
    /// # Errors
    /// What is wrong with the cell whose document is to be written.
    pub fn job(self, title: &str, study: &Study) -> Result<Box<dyn Job>, Vec<Problem>> {
        match self {
            Self::Plan => Ok(Box::new(PlanJob::new(title, study))),
            Self::Cells { first, step } => Ok(Box::new(ShareJob::new(study, first, step))),
            Self::Document { cell } => {
                let none = || vec![Problem::at("cell", cell.to_string(), "a cell of the study")];
                let document = study.cell(cell).ok_or_else(none)?.document()?;
                Ok(Box::new(Written(document)))
            }
        }
    }
}

/// A report that is a text.
struct Text(String);

impl Told for Text {
    fn line(&self) -> String {
        self.0.clone()
    }

    fn note(&mut self, _text: String) {}

    fn took(&mut self, _seconds: f64) {}
}

/// What is known of a study before it runs; its only news is what there is to come.
struct PlanJob {
    head: String,
    told: bool,
    estimating: Estimating,
}

impl PlanJob {
    fn new(title: &str, study: &Study) -> Self {
        Self { head: head(title, study, Share::ALL), told: false, estimating: Estimating::new(study) }
    }
}

impl Job for PlanJob {
    fn step(&mut self, control: &mut Control) -> Step {
        match self.estimating.step(control) {
            Some(estimate) => {
                let head = std::mem::take(&mut self.head);
                Step::Done(Report::new(PlanReport { head, estimate, seconds: 0.0 }))
            }
            None => {
                let (done, total) = self.estimating.so_far();
                Step::More(Progress { done, total, best: None, bracket: None })
            }
        }
    }

    fn news(&mut self) -> Option<String> {
        (!std::mem::replace(&mut self.told, true)).then(|| self.head.clone())
    }

    fn stop(&mut self, _reason: StopReason) -> Option<Report> {
        None
    }
}

/// What there is to come, and about how much work it is.
struct PlanReport {
    head: String,
    estimate: Estimate,
    seconds: f64,
}

impl Told for PlanReport {
    fn line(&self) -> String {
        let Estimate { cells, units, at_least, spent } = self.estimate;
        let seconds = self.seconds;
        let estimate = json::line(&serde_json::json!({
            "cells": cells, "units": units, "at_least": at_least, "spent": spent, "seconds": seconds,
        }));
        let head = self.head.strip_suffix('}').unwrap_or_default();
        format!("{head},\"estimate\":{estimate}}}")
    }

    fn note(&mut self, _text: String) {}

    fn took(&mut self, seconds: f64) {
        self.seconds = micro(seconds);
    }
}

/// Some cells of a study, one after the other: their rows are the news, and the last ones the report.
pub struct ShareJob {
    study: Study,
    cells: Box<dyn Iterator<Item = u64>>,
    run: Option<CellRun>,
    done: u64,
    total: u64,
    fresh: Vec<String>,
}

impl ShareJob {
    /// The cells from one on, one in so many.
    pub fn new(study: &Study, first: u64, step: u64) -> Self {
        let (share, of) = (Share { first, end: u64::MAX, step }, study.cells());
        Self {
            study: study.clone(),
            cells: Box::new(share.cells(of)),
            run: None,
            done: 0,
            total: share.count(of),
            fresh: Vec::new(),
        }
    }

    fn rows(&mut self) -> String {
        std::mem::take(&mut self.fresh).join("\n")
    }
}

impl Job for ShareJob {
    fn step(&mut self, control: &mut Control) -> Step {
        loop {
            if self.run.is_none() {
                self.run = self.cells.next().and_then(|cell| self.study.cell(cell)).map(CellRun::start);
            }
            let Some(run) = &mut self.run else { return Step::Done(Report::new(Text(self.rows()))) };
            let before = run.spent();
            let row = run.step(&mut Control::slice(STEP));
            let spent = run.spent() - before;
            if let Some(row) = row {
                self.fresh.push(row);
                self.run = None;
                self.done += 1;
            }
            if !control.spend(spent) {
                let (done, total) = (self.done, self.total);
                return Step::More(Progress { done, total, best: None, bracket: None });
            }
        }
    }

    fn news(&mut self) -> Option<String> {
        (!self.fresh.is_empty()).then(|| self.rows())
    }

    fn stop(&mut self, _reason: StopReason) -> Option<Report> {
        Some(Report::new(Text(self.rows())))
    }
}

/// What is done at once.
struct Written(String);

impl Job for Written {
    fn step(&mut self, _control: &mut Control) -> Step {
        Step::Done(Report::new(Text(std::mem::take(&mut self.0))))
    }

    fn stop(&mut self, _reason: StopReason) -> Option<Report> {
        None
    }
}
