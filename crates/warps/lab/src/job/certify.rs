//! The job of a certificate: run the scenario, then derive its bound again without what found it.

use crate::report::WarpsReport;
use crate::report::certificate::{self, Certified, Written};
use crate::scenario::WarpsScenario;
use base::{Control, StopReason};
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

/// The certificate of what a scenario has come to.
pub fn written(report: &WarpsReport, warps: &WarpsScenario) -> Written {
    let model = Model {
        kernel: &warps.kernel,
        machine: &warps.normalised.machine,
        fairness: &warps.fairness,
        warps: warps.count,
    };
    certificate::certify(report, &model, warps.memory.as_ref(), Limits::default())
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

    /// Where loads take longer the certificate has them, and nothing less than the worst case is accepted.
    #[test]
    fn loads_that_take_longer_are_certified() {
        for (memory, method) in [
            (r#"{"mode":"held","hit":1,"miss":4,"misses":2}"#, r#"{"exact":{}}"#),
            (r#"{"mode":"pipelined","hit":2,"miss":5,"misses":"all"}"#, r#"{"exact":{}}"#),
            (r#"{"mode":"pipelined","miss":4,"missing":[[1,1],[2,4]]}"#, r#"{"initial":"round-robin"}"#),
        ] {
            let text = format!(
                r#"{{"warpspan":1,"title":"t","warps":{{"kernel":"LCCL","count":3,"machine":{{"L":1,"C":2}},"memory":{memory},"method":{method}}}}}"#
            );
            let Ok(scenario) = crate::LINKED.read(&text) else { unreachable!("valid: {text}") };
            let mut job = CertifyJob::new(&crate::LINKED, scenario);
            let written = loop {
                if let Step::Done(report) = job.step(&mut Control::unlimited()) {
                    break report.line();
                }
            };
            let Ok(mut read) = document::read(&written) else { unreachable!("a certificate: {written}") };
            let verdict = certificate::judge(&read, Limits::default());
            assert!(verdict.accepted && read.exact == method.contains("exact"), "{verdict:?} {written}");
            if let Some(claim) = &mut read.upper {
                claim.bound = read.lower.makespan - 1;
            }
            assert!(!certificate::judge(&read, Limits::default()).accepted);
            read.lower.missed.push((0, 1));
            let verdict = certificate::judge(&read, Limits::default());
            assert!(verdict.reasons[0].starts_with("lower: "), "{verdict:?}");
        }
    }

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
