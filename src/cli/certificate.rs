//! `certify` and `check`: a result with all it takes to check it, and the check.

use super::progress::ProgressLine;
use super::through::Through;
use super::{ExitCodeNumber, answer, drive, read, tell, tree, warn, work};
use crate::base::Problem;
use crate::import::json;
use crate::job;
use crate::report::{WarpsReport, certificate as written};
use crate::scenario::{self, WarpsScenario, certificate as document};
use crate::warps::certificate::Limits;
use code_lab::certificate::Certified;

/// The status of a certificate that claims something wrong.
const REFUSED: ExitCodeNumber = 1;

/// Runs a scenario and prints the certificate of its result.
pub fn certify(file: &str, through: &Through) -> ExitCodeNumber {
    answer(file, || {
        let text = read(file)?;
        let scenario = scenario::from_tree(&through.applied(&text, tree(&text)?)?)?;
        warn(file, &scenario);
        if let Some(job) = code_lab::certificate::start(&scenario) {
            let certified =
                drive(job, &scenario.title).into::<Certified>().ok_or_else(|| vec![no_schedule()])?;
            if let Some(note) = certified.note {
                tell(&format!("{file}: {note}"));
            }
            return Ok(certified.text);
        }
        let Some(warps) = scenario.asked::<WarpsScenario>().cloned() else { return Err(vec![no_schedule()]) };
        let report = work(scenario, None).into::<WarpsReport>().ok_or_else(|| vec![no_schedule()])?;
        let certificate = job::certify::written(&report, &warps);
        if let Some(note) = certificate.note {
            tell(&format!("{file}: {note}"));
        }
        Ok(certificate.text)
    })
}

/// What is said of a scenario whose result is no schedule.
fn no_schedule() -> Problem {
    Problem::at(
        "conjecture",
        "its result is no schedule",
        "a \"warps\" scenario, such as one of its refutations",
    )
}

/// Checks a certificate and prints what came of it.
pub fn check(file: &str, text: &str) -> ExitCodeNumber {
    let mut accepted = true;
    let status = answer(file, || {
        let tree = json::parse(text).map_err(|problem| vec![problem])?;
        if code_lab::certificate::is_certificate(&tree) {
            let line = ProgressLine::start("certificate");
            let mut verdict = code_lab::certificate::checked(text)?;
            verdict.seconds = (line.seconds() * 1e6).round() / 1e6;
            accepted = verdict.accepted;
            return Ok(verdict.line() + "\n");
        }
        let certificate = document::read(text)?;
        let line = ProgressLine::start(&certificate.title);
        let mut verdict = written::judge(&certificate, Limits::default());
        verdict.seconds = (line.seconds() * 1e6).round() / 1e6;
        accepted = verdict.accepted;
        Ok(verdict.line() + "\n")
    });
    if status == 0 && !accepted { REFUSED } else { status }
}
