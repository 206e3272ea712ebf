//! The job of a certificate: run the scenario, then derive its bound again without what found it.

use crate::report::WarpsReport;
use crate::report::certificate::{self, Certified, Written};
use crate::scenario::WarpsScenario;
use base::{Control, Problem, StopReason};
use kit::job::{BracketLine, Job, Progress, Step};
use kit::lab::Linked;
use kit::report::Report;
use kit::scenario::Scenario;
use warps::certificate::{Limits, Model};

/// Runs a scenario and writes the certificate of its result.
pub struct CertifyJob {
    scenario: Scenario,
    search: Box<dyn Job>,
    found: Option<Report>,
}

impl CertifyJob {
    /// The certificate of a scenario's result.
    pub fn new(linked: &Linked, scenario: Scenario) -> Self {
        Self { search: linked.start(&scenario), scenario, found: None }
    }
}

/// The scenario, unless there are no certificates of its kind.
pub fn certifiable(scenario: Scenario) -> Result<Scenario, Vec<Problem>> {
    match scenario.asked::<WarpsScenario>() {
        Some(warps) if warps.memory.is_some() => Err(vec![Problem::at(
            "warps.memory",
            "there are no certificates where loads take their time",
            "a scenario without \"memory\"; its report holds the schedule and the bound",
        )]),
        _ => Ok(scenario),
    }
}

/// The certificate of what a scenario has come to.
pub fn written(report: &WarpsReport, warps: &WarpsScenario) -> Written {
    let model = Model {
        kernel: &warps.kernel,
        machine: &warps.normalised.machine,
        fairness: &warps.fairness,
        warps: warps.count,
    };
    certificate::certify(report, &model, Limits::default())
}

impl Job for CertifyJob {
    fn step(&mut self, control: &mut Control) -> Step {
        let Some(report) = self.found.take() else {
            return match self.search.step(control) {
                Step::More(progress) => Step::More(progress),
                Step::Done(report) => {
                    // Told first: deriving the bound is one long step.
                    let progress = deriving(&report);
                    self.found = Some(report);
                    Step::More(progress)
                }
            };
        };
        Step::Done(match (report.of::<WarpsReport>(), self.scenario.asked::<WarpsScenario>()) {
            (Some(report), Some(warps)) => Report::new(Certified(written(report, warps).text)),
            // What is no schedule has no certificate.
            _ => report,
        })
    }

    fn took(&mut self, seconds: f64) {
        if self.found.is_none() {
            self.search.took(seconds);
        }
    }

    fn stop(&mut self, _reason: StopReason) -> Option<Report> {
        None // half a certificate certifies nothing
    }
}

fn deriving(report: &Report) -> Progress {
    let bracket = report.of::<WarpsReport>().map(|report| BracketLine {
        phase: "deriving the bound again".to_owned(),
        best_case: false,
        layer: 0,
        states: 0,
        lower: report.lower,
        upper: report.upper,
    });
    Progress { done: 1, total: 2, best: None, bracket }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::certificate as document;

    #[test]
    fn a_certificate_is_that_of_the_command_line_and_is_accepted() {
        let text = r#"{"warpspan":1,"title":"t","warps":{"kernel":"LCL","count":3,"machine":{"L":1,"C":1},"method":{"exact":{}}}}"#;
        let Ok(scenario) = crate::LINKED.read(text) else { unreachable!("valid") };
        let mut job = CertifyJob::new(&crate::LINKED, scenario);
        let written = loop {
            match job.step(&mut Control::slice(1)) {
                Step::More(_) => assert_eq!(job.stop(StopReason::Cancelled), None),
                Step::Done(report) => break report.line(),
            }
        };
        let Ok(read) = document::read(&written) else { unreachable!("a certificate: {written}") };
        let verdict = certificate::judge(&read, Limits::default());
        assert!(verdict.accepted && read.exact, "{verdict:?}");
    }
}
