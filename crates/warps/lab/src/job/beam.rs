//! The job of a beam: one search, stepped to its end.

use super::{longest_start, problem};
use crate::report::{Found, warps_report};
use crate::scenario::{Beam as Settings, WarpsScenario};
use base::{Control, StopReason};
use kit::job::{BracketLine, Job, Progress, Step};
use kit::report::Report;
use kit::scenario::Scenario;
use warps::beam::Beam;
use warps::bounds;

/// Fuel between two looks at the budget.
const BATCH: u64 = 1 << 12;

/// A beam over a scenario.
pub struct BeamJob {
    scenario: Scenario,
    warps: WarpsScenario,
    beam: Beam,
    over: bool,
}

impl BeamJob {
    /// The job of a scenario; `None` if the machine lacks a unit that the kernel needs.
    pub fn new(scenario: Scenario, warps: WarpsScenario, settings: Settings) -> Option<Self> {
        let beam = Beam::new(&problem(&warps), settings.width as usize, settings.guided)?;
        Some(Self { scenario, warps, beam, over: false })
    }

    fn progress(&self) -> Progress {
        let upper =
            bounds::blocked_cycles(&self.warps.kernel, &self.warps.normalised.machine, self.warps.count);
        let line = BracketLine {
            phase: "beam search".to_owned(),
            best_case: false,
            layer: self.beam.layer(),
            states: 0,
            lower: self.beam.best(),
            upper,
        };
        Progress {
            done: line.layer.into(),
            total: upper.unwrap_or(line.layer).into(),
            best: (line.lower > 0).then_some(line.lower),
            bracket: Some(line),
        }
    }

    fn report(&self, stop: StopReason) -> Option<Report> {
        let schedule = self.beam.witness().or_else(|| longest_start(&self.warps))?;
        let mut report = warps_report(&self.scenario, &self.warps, &schedule.to_order(), &schedule);
        report.note_search(Found {
            lower: schedule.makespan(),
            upper: None,
            states: None,
            bracket: None,
            shortest: None,
            starts: Vec::new(),
            stop,
        });
        Some(Report::new(report))
    }
}

impl Job for BeamJob {
    fn step(&mut self, control: &mut Control) -> Step {
        while !self.over {
            self.over = !self.beam.step(BATCH);
            if !control.spend(BATCH) && !self.over {
                return Step::More(self.progress());
            }
        }
        match self.report(StopReason::Done) {
            Some(report) => Step::Done(report),
            None => unreachable!("there is always a schedule"),
        }
    }

    fn stop(&mut self, reason: StopReason) -> Option<Report> {
        self.report(reason)
    }
}
