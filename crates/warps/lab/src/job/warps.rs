//! The job of the warps lab: construct the schedule of an order, slice by slice.

use crate::report::warps_report;
use crate::scenario::WarpsScenario;
use base::{Control, StopReason};
use kit::job::{Job, Progress, Step};
use kit::report::Report;
use kit::scenario::Scenario;
use warps::{Construction, Order, Schedule};

/// Placements between two looks at the budget.
const BATCH: usize = 1024;

/// Builds a schedule from an order, or takes the one that is given.
pub struct WarpsJob {
    scenario: Scenario,
    warps: WarpsScenario,
    order: Order,
    construction: Construction,
    placed: usize,
}

impl WarpsJob {
    /// Constructs the schedule of an order.
    pub fn new(scenario: Scenario, warps: WarpsScenario, order: Order) -> Self {
        let construction = Construction::start(&warps.kernel, &warps.normalised.machine, warps.count);
        Self { scenario, warps, order, construction, placed: 0 }
    }

    fn report(&self, schedule: &Schedule) -> Report {
        Report::new(warps_report(&self.scenario, &self.warps, &self.order, schedule))
    }
}

impl Job for WarpsJob {
    fn step(&mut self, control: &mut Control) -> Step {
        let total = self.order.ids().len();
        while self.placed < total {
            let end = (self.placed + BATCH).min(total);
            for &warp in &self.order.ids()[self.placed..end] {
                let placed = self.construction.place(usize::from(warp));
                debug_assert!(placed.is_some(), "a validated scenario has a unit for every instruction");
            }
            self.placed = end;
            if !control.spend(BATCH as u64) && self.placed < total {
                return Step::More(Progress {
                    done: self.placed as u64,
                    total: total as u64,
                    best: None,
                    bracket: None,
                });
            }
        }
        match self.construction.finish() {
            Some(schedule) => Step::Done(self.report(&schedule)),
            None => unreachable!("every entry of the order is placed"),
        }
    }

    fn stop(&mut self, _reason: StopReason) -> Option<Report> {
        None // half a schedule proves nothing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_add_up_to_the_same_report() {
        let text = r#"{"warpspan":1,"warps":{"kernel":"400(LCC)","count":32,"machine":{"L":1,"C":4},"method":{"initial":"random","seed":3}}}"#;
        let Ok(scenario) = crate::LINKED.read(text) else { unreachable!("valid") };
        let whole = crate::LINKED.run(&scenario);
        let mut job = crate::LINKED.start(&scenario);
        let mut seen = 0;
        let sliced = loop {
            match job.step(&mut Control::slice(1)) {
                Step::More(progress) => {
                    assert!(progress.done > seen && progress.done < progress.total);
                    seen = progress.done;
                    assert_eq!(job.stop(StopReason::Cancelled), None);
                }
                Step::Done(report) => break report,
            }
        };
        assert!(seen > 30_000);
        assert_eq!(whole, sliced);
    }
}
