//! The job of the blocks lab: simulate, analyse, check what was measured.
//! Left out of the page's own wasm, which simulates nothing.

use super::{Job, Progress, Step};
use crate::base::{Control, StopReason};
use crate::blocks::Run;
use crate::blocks::sim::Simulation;
use crate::report::{Report, blocks_report};
use crate::scenario::{BlocksScenario, Scenario};

/// Simulates a workload.
pub struct BlocksJob {
    scenario: Scenario,
    asked: BlocksScenario,
    simulation: Option<Simulation>,
}

impl BlocksJob {
    /// The job of a blocks scenario.
    pub fn new(scenario: Scenario, asked: BlocksScenario) -> Self {
        let simulation = asked.workload.as_ref().map(Simulation::new);
        Self { scenario, asked, simulation }
    }

    fn report(&self, run: Option<&Run>) -> Report {
        Report::Blocks(Box::new(blocks_report(&self.scenario, &self.asked, run)))
    }
}

impl Job for BlocksJob {
    fn step(&mut self, control: &mut Control) -> Step {
        if let Some(simulation) = &mut self.simulation
            && simulation.step(control)
        {
            let (done, total) = (simulation.done_blocks(), simulation.launched_blocks());
            return Step::More(Progress { done, total, best: None, bracket: None });
        }
        let run = self.simulation.take().map(Simulation::finish);
        Step::Done(self.report(run.as_ref()))
    }

    fn stop(&mut self, _reason: StopReason) -> Option<Report> {
        let run = self.simulation.take().map(Simulation::stop);
        Some(self.report(run.as_ref()))
    }
}
