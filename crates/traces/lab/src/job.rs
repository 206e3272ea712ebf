//! The job of a recorded run: the report of it, and of what becomes of it with the changes that a document wants.

use crate::report::{CANDIDATES, Changed, Detail, Report, report_of};
use crate::scenario::change::changes;
use crate::scenario::{Given, Named, TraceScenario};
use base::{Control, StopReason};
use kit::job::{Job, Step};
use kit::report::{Report as AnyReport, Told, Waits};
use kit::scenario::Scenario;
use traces::leads::leads;
use traces::replay::Replay;
use traces::{Causes, Trace};

/// The job of a scenario, if it asks about a recorded run.
pub fn start(scenario: &Scenario) -> Option<Box<dyn Job>> {
    let asked = scenario.asked::<TraceScenario>()?.clone();
    Some(Box::new(TracesJob { title: scenario.title.clone(), asked }))
}

struct TracesJob {
    title: String,
    asked: TraceScenario,
}

impl TracesJob {
    fn report(&self) -> AnyReport {
        match &self.asked.given {
            Given::Files(files) => {
                AnyReport::new(Waits { scenario: self.title.clone(), lab: "traces", waits_for: names(files) })
            }
            Given::Recorded(trace) => {
                AnyReport::new(report_with(&self.title, trace, &self.asked, Detail::Operations))
            }
        }
    }
}

impl Job for TracesJob {
    fn step(&mut self, _control: &mut Control) -> Step {
        Step::Done(self.report())
    }

    fn stop(&mut self, _reason: StopReason) -> Option<AnyReport> {
        None
    }
}

/// The report of a run, changed as a document wants; what the run does not have is left out of that.
pub fn report_with(title: &str, trace: &Trace, asked: &TraceScenario, detail: Detail) -> Report {
    let causes = Causes::of(trace);
    let replay = Replay::of(&causes);
    let changed = changes(trace, &asked.changes).ok().filter(|changes| !changes.is_empty());
    let changed = changed.map(|changes| changed_run(&replay, &replay.replay(&changes)));
    let report = report_of(title, &causes, detail).with_replays(&replay, &leads(&replay, CANDIDATES));
    Report { changed, ..report }
}

/// What came of changes, in numbers.
pub fn changed_run(replay: &Replay, after: &traces::replay::Replayed) -> Changed {
    let begins = replay.causes.trace.operations.first().map_or(0, |own| own.start);
    let before = replay.end().unwrap_or(begins);
    Changed {
        end: after.end.saturating_sub(begins),
        sooner: before.saturating_sub(after.end),
        moved: after.moved.len(),
        turned: after.turned,
    }
}

fn names(files: &[Named]) -> Vec<String> {
    files.iter().map(|file| file.name.clone()).collect()
}

impl Told for Report {
    fn line(&self) -> String {
        Report::line(self)
    }

    /// A recorded run has nothing to note: what was left out is told in `left_out`.
    fn note(&mut self, _text: String) {}

    fn took(&mut self, seconds: f64) {
        self.seconds = kit::report::micro(seconds);
    }
}
