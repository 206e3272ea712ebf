//! The job of the blocks lab: simulate, look for the worst launch orders, check what was measured.
//! Left out of the page's own wasm, which simulates nothing.
//!
//! Where the analysis' assumptions hold, launch orders are searched with a limited effort. What is found by then is
//! told as found, and as proven only where it is.

use crate::report::blocks_report;
use crate::scenario::BlocksScenario;
use base::{Control, StopReason};
use blocks::analysis::orders;
use blocks::analysis::orders::{Effort, Search};
use blocks::analysis::{Worst, examine};
use blocks::sim::Simulation;
use blocks::{Run, Workload};
use kit::job::{Job, Progress, Step};
use kit::report::Report;
use kit::scenario::Scenario;

/// How much the search for the worst orders tries: about two seconds of work.
const EFFORT: Effort = Effort { changes: 6_000_000, states: 3_000_000 };
/// The most kernels whose orders are searched: results hold an order for every kernel.
const MOST_KERNELS: usize = 64;

/// Simulates a workload and looks for its worst launch orders.
pub struct BlocksJob {
    scenario: Scenario,
    asked: BlocksScenario,
    work: Work,
}

/// What is done next.
enum Work {
    Simulate(Box<Simulation>),
    Search(Run, Box<Search>),
    Report,
}

impl BlocksJob {
    /// The job of a blocks scenario.
    pub fn new(scenario: Scenario, asked: BlocksScenario) -> Self {
        let simulation = asked.workload.as_ref().map(Simulation::new);
        let work = simulation.map_or(Work::Report, |simulation| Work::Simulate(Box::new(simulation)));
        Self { scenario, asked, work }
    }

    fn report(&self, run: Option<&Run>, worst: Option<&[Worst]>) -> Report {
        Report::new(blocks_report(&self.scenario, &self.asked, run, worst))
    }

    /// Goes on with something, having done so much.
    fn more(&mut self, work: Work, done: u64, total: u64) -> Step {
        self.work = work;
        Step::More(Progress { done, total, best: None, bracket: None })
    }
}

/// The search for the worst launch orders of a workload, where there is one.
fn search(workload: &Workload) -> Option<Search> {
    let case = examine(workload).case.filter(|case| case.tasks.len() <= MOST_KERNELS)?;
    let places = case.places.all();
    Search::new(case.tasks, places, EFFORT)
}

impl Job for BlocksJob {
    /// While it simulates there is always something left; during the search all blocks are done.
    fn step(&mut self, control: &mut Control) -> Step {
        match std::mem::replace(&mut self.work, Work::Report) {
            Work::Simulate(mut simulation) => {
                let goes_on = simulation.step(control);
                let (done, launched) = (simulation.done_blocks(), simulation.launched_blocks());
                if goes_on {
                    return self.more(Work::Simulate(simulation), done, launched.max(done + 1));
                }
                let run = simulation.finish();
                match self.asked.workload.as_ref().and_then(search) {
                    Some(search) => self.more(Work::Search(run, Box::new(search)), done, done),
                    None => Step::Done(self.report(Some(&run), None)),
                }
            }
            Work::Search(run, mut search) => {
                if search.step(control) == orders::Progress::More {
                    let done = run.trace.blocks.len() as u64;
                    return self.more(Work::Search(run, search), done, done);
                }
                Step::Done(self.report(Some(&run), Some(&search.worst())))
            }
            Work::Report => Step::Done(self.report(None, None)),
        }
    }

    fn stop(&mut self, _reason: StopReason) -> Option<Report> {
        Some(match std::mem::replace(&mut self.work, Work::Report) {
            Work::Simulate(simulation) => self.report(Some(&simulation.stop()), None),
            Work::Search(run, search) => self.report(Some(&run), Some(&search.worst())),
            Work::Report => self.report(None, None),
        })
    }
}
