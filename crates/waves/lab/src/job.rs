//! The job of a thread trace: its report, or what it waits for where whoever runs the document does not have it.

use base::{Control, Problem, StopReason};
use kit::job::{Job, Step};
use kit::report::{Report as AnyReport, Told, Waits};
use kit::scenario::Scenario;
use waves::Capture;

use crate::captures;
use crate::report::{Detail, Report, report};
use crate::scenario::{Given, WavesScenario};

/// The job of a scenario, if it asks about a thread trace.
pub fn start(scenario: &Scenario) -> Option<Box<dyn Job>> {
    let asked = scenario.asked::<WavesScenario>()?.clone();
    Some(Box::new(WavesJob { title: scenario.title.clone(), asked }))
}

struct WavesJob {
    title: String,
    asked: WavesScenario,
}

impl Job for WavesJob {
    fn step(&mut self, _control: &mut Control) -> Step {
        Step::Done(match shipped(&self.asked.given) {
            Some(Ok(capture)) => AnyReport::new(report(&self.title, &capture, Detail::Summary)),
            // A shipped capture is sound: a test reads them all.
            Some(Err(_)) | None => AnyReport::new(Waits {
                scenario: self.title.clone(),
                lab: "waves",
                waits_for: vec![self.asked.given.name().to_owned()],
            }),
        })
    }

    fn stop(&mut self, _reason: StopReason) -> Option<AnyReport> {
        None
    }
}

/// The capture of a document that names one of those that ship; none where it names something else.
pub fn shipped(given: &Given) -> Option<Result<Capture, Vec<Problem>>> {
    let Given::Shipped(name) = given else { return None };
    Some(waves_read::read_packed(captures::file(name)?, &mut |_| true))
}

impl Told for Report {
    fn line(&self) -> String {
        Report::line(self)
    }

    /// There is nothing to note: what was left out is told in `left_out`.
    fn note(&mut self, _text: String) {}

    fn took(&mut self, seconds: f64) {
        self.seconds = kit::report::micro(seconds);
    }
}
