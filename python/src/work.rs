//! A job driven to its end with the interpreter let go, as long as nobody presses Ctrl-C.

#![allow(clippy::disallowed_methods)] // whoever drives a job owns the clock

use std::time::Instant;

use pyo3::prelude::*;

use warpspan::base::control::Pacer;
use warpspan::job::{self, Step};
use warpspan::report::Report;
use warpspan::scenario::Scenario;

/// Slices take about so many milliseconds: so soon Ctrl-C is heard.
const SLICE_MS: f64 = 50.0;

/// Whether to go on; an error once somebody has pressed Ctrl-C.
pub fn asked() -> PyResult<()> {
    Python::attach(|py| py.check_signals())
}

/// Runs a scenario.
pub fn to_end(scenario: Scenario) -> PyResult<Report> {
    let begun = Instant::now();
    let mut job = job::start(scenario);
    let mut pacer = Pacer::new(SLICE_MS);
    loop {
        let before = begun.elapsed();
        if let Step::Done(mut report) = job.step(&mut pacer.next()) {
            report.took(begun.elapsed().as_secs_f64());
            return Ok(report);
        }
        let took = (begun.elapsed() - before).as_secs_f64();
        job.took(took);
        pacer.took(took * 1000.0);
        asked()?;
    }
}
