//! Reports for tests: a camera task that launches two kernels, a task without any, and a kernel nobody launches.

use crate::report::chain::{Bracket, Evidence, WholeReport};

/// Open: one bound is above its deadline.
pub fn open() -> WholeReport {
    serde_json::from_str(include_str!("sample.json")).unwrap_or_else(|error| unreachable!("{error}"))
}

/// Every deadline is met if what was simulated holds.
pub fn meets() -> WholeReport {
    let mut report = open();
    report.tasks[1].deadline = 20_000;
    report.tasks[1].meets = Some(true);
    report.verdict.schedulable = Some(true);
    report.verdict.kind = Evidence::Simulated;
    report.verdict.because = "every response is below its deadline".to_owned();
    report.verdict.weakest = Some("edges".to_owned());
    report
}

/// A deadline that was seen to be missed.
pub fn missed() -> WholeReport {
    let mut report = open();
    let task = &mut report.tasks[1];
    task.deadline = 5_000;
    task.meets = Some(false);
    task.kind = Evidence::Lower;
    report.verdict.schedulable = Some(false);
    report.verdict.kind = Evidence::Lower;
    report.verdict.because = "log takes 6,000 ns alone, and its deadline is 5,000 ns".to_owned();
    report
}

/// The first line of a run: what is given is known, and one makespan.
pub fn begun() -> WholeReport {
    let mut report = open();
    for (place, kernel) in report.kernels.iter_mut().enumerate() {
        if place > 0 {
            (kernel.makespan, kernel.block) = (Bracket::default(), Bracket::default());
        }
        (kernel.alone, kernel.completion) = (Bracket::default(), Bracket::default());
        kernel.grids.clear();
    }
    for task in &mut report.tasks {
        (task.gpu, task.response, task.meets) = (Bracket::default(), Bracket::default(), None);
    }
    report.verdict = Default::default();
    report.sensitivity.clear();
    report
}
