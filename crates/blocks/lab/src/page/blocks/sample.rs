//! Results for tests: documents run as a worker runs them.

use std::sync::Arc;

use super::{Runs, Seen};
use crate::report::CheckReport;
use crate::report::blocks::MeasuredReport;
use crate::timeline::blocks::Measure;

/// The result of a document.
pub fn seen(text: &str) -> Arc<Seen> {
    let Ok(scenario) = crate::LINKED.read(text) else { unreachable!("a valid document: {text}") };
    match Seen::new(&crate::LINKED.run(&scenario).line()) {
        Some(seen) => Arc::new(seen),
        None => unreachable!("a report of blocks"),
    }
}

/// The four kernels of a worked example on two SMs.
pub fn runs() -> Runs {
    Runs::new(seen(include_str!("../../../../../../www/scenarios/paredes-example.json")), Measure::Threads)
}

/// The same example as if it had been measured as well.
pub fn both() -> Runs {
    let mut seen = Seen::clone(&seen(include_str!("../../../../../../www/scenarios/paredes-example.json")));
    seen.measured = seen.simulated.clone();
    let check = CheckReport {
        scenario: String::new(),
        lab: "blocks".to_owned(),
        seconds: 0.0,
        conforms: true,
        device: String::new(),
        device_by: String::new(),
        tolerance: 0,
        clocks: 0,
        kernels: 0,
        blocks: 0,
        violations: Vec::new(),
        inconsistencies: Vec::new(),
        remarks: Vec::new(),
        left_out: 0,
        warnings: Vec::new(),
        ..CheckReport::default()
    };
    seen.report.measured = Some(MeasuredReport {
        device: seen.report.device.clone(),
        device_by: String::new(),
        streams: seen.report.streams.clone(),
        end: seen.report.end,
        kernels: seen.report.kernels.clone(),
        check,
    });
    Runs::new(Arc::new(seen), Measure::Threads)
}

/// A run that was measured and breaks rules.
pub fn measured() -> Runs {
    Runs::new(seen(include_str!("../../../../../../www/scenarios/measured-run.json")), Measure::Threads)
}

/// Kernels and copies with odd and repeated labels.
pub fn odd() -> Runs {
    let text = r#"{"warpspan": 1, "blocks": {"device": {"sms": 1, "threads": 64}, "streams": [{"operations": [
        {"kernel": "a & b: c", "blocks": 2, "threads": 32, "duration": 10},
        {"kernel": "twice", "blocks": 2, "threads": 32, "duration": 10},
        {"kernel": "twice", "blocks": 2, "threads": 32, "duration": 10},
        {"kernel": "plain-1", "blocks": 2, "threads": 32, "duration": 10},
        {"copy": "in", "duration": 5}
    ]}]}}"#;
    Runs::new(seen(text), Measure::Threads)
}
