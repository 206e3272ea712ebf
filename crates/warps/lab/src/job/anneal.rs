//! Annealing as the page, the workers and the command line hand it to each other: how far a chain is, and
//! what the report says of all of them. What advances chains is in `chains`.

use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;

use super::checkpoint;
use crate::report::{ChainReport, WarpsReport, warps_report};
use crate::scenario::{Anneal, Method, WarpsScenario};
use kit::report::micro;
use kit::scenario::Scenario;
use warps::{Order, construct};

/// How far a chain is, and enough to go on from there: what page and worker hand to each other.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChainState {
    /// Iterations done.
    pub iterations: u64,
    /// Seconds computed.
    pub seconds: f64,
    /// The longest makespan so far.
    pub best: u32,
    /// Iteration, seconds and makespan of the start and of every improvement.
    pub improvements: Vec<(u64, f64, u32)>,
    /// The chain itself, in bytes; see [`checkpoint`].
    pub checkpoint: ByteBuf,
}

impl ChainState {
    /// What the report says of the chain.
    pub fn report(&self, start: &str) -> ChainReport {
        ChainReport {
            start: start.to_owned(),
            best: self.best,
            iterations: self.iterations,
            seconds: micro(self.seconds),
            improvements: self.improvements.iter().map(|&(i, seconds, m)| (i, micro(seconds), m)).collect(),
        }
    }

    /// The order of its longest makespan.
    pub fn best_order(&self) -> Option<Order> {
        let at = checkpoint::decode(&self.checkpoint)?;
        let warps = at.best_order.iter().max().map_or(0, |&warp| usize::from(warp) + 1);
        let length = at.best_order.len().checked_div(warps)?;
        Order::new(at.best_order.iter().map(|&warp| u16::from(warp)).collect(), warps, length).ok()
    }
}

/// The report of a scenario whose chains have come so far; those that have not begun are left out of the
/// estimate, but not of the list. `None` if none has begun.
pub fn assemble(
    scenario: &Scenario,
    warps: &WarpsScenario,
    states: &[Option<ChainState>],
) -> Option<WarpsReport> {
    let Method::Anneal(anneal) = &warps.method else { return None };
    let order = best_of(states)?.best_order()?;
    let schedule = construct(&warps.kernel, &warps.normalised.machine, &order, warps.count)?;
    let mut report = warps_report(scenario, warps, &order, &schedule);
    report.note_chains(chain_reports(anneal, states));
    Some(report)
}

/// The chain with the longest makespan, the first of several.
pub fn best_of(states: &[Option<ChainState>]) -> Option<&ChainState> {
    states.iter().flatten().rev().max_by_key(|state| state.best)
}

/// What the report says of all chains: also of those that have not begun, so that each keeps its number.
pub fn chain_reports(anneal: &Anneal, states: &[Option<ChainState>]) -> Vec<ChainReport> {
    anneal
        .starts
        .iter()
        .zip(states)
        .map(|(start, state)| match state {
            Some(state) => state.report(start.name()),
            None => ChainReport::not_begun(start.name()),
        })
        .collect()
}
