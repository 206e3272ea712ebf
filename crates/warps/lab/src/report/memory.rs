//! What a report says of loads that take their time.
//!
//! The page's own wasm, which runs no such scenario, takes bounds and assumptions from the report it is told.

use serde::Serialize;

use crate::scenario::WarpsScenario;
use warps::ASSUMPTIONS;
use warps::memory::{Problem, bounds};
use warps::{Kernel, Memory, Misses, Schedule};

/// How long loads take, and which of them miss.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MemoryReport {
    /// `held` or `pipelined`.
    pub mode: String,
    /// Cycles of a load that hits.
    pub hit: u32,
    /// Cycles of a load that misses.
    pub miss: u32,
    /// How many may miss.
    pub misses: MissesReport,
    /// How the loads that miss were chosen, where an order or a start is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub placement: Option<String>,
    /// Those that miss in the schedule: warp and instruction, both from 1.
    pub missed: Vec<(u16, u16)>,
}

/// `none`, `all` or `given`; or a number.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum MissesReport {
    /// So many at the most.
    AtMost(u32),
    /// In a word.
    Word(String),
}

impl MemoryReport {
    /// That of a schedule.
    pub fn new(memory: &Memory, kernel: &Kernel, schedule: &Schedule) -> Self {
        let word = |word: &str| MissesReport::Word(word.to_owned());
        let missed = memory.missed(kernel, schedule);
        Self {
            mode: memory.mode.name().to_owned(),
            hit: memory.hit,
            miss: memory.miss,
            misses: match (&memory.missing, memory.misses) {
                (Some(_), _) => word("given"),
                (None, Misses::None) => word("none"),
                (None, Misses::All) => word("all"),
                (None, Misses::AtMost(most)) => MissesReport::AtMost(most),
            },
            placement: None,
            missed: missed.into_iter().map(|(warp, load)| (warp + 1, load + 1)).collect(),
        }
    }
}

/// The upper bound that a formula proves, and its name.
pub(super) fn bound(warps: &WarpsScenario, memory: &Memory) -> (Option<u32>, &'static str) {
    let (kernel, machine) = (&warps.kernel, &warps.normalised.machine);
    let problem = Problem { kernel, machine, memory, warps: warps.count };
    (bounds::Bounds::new(&problem).map(|bounds| bounds.whole(&problem)), bounds::BLOCKED_CYCLES)
}

/// What the result takes for granted.
pub(super) fn assumptions(memory: &Memory) -> Vec<String> {
    let one = "Every other instruction takes one cycle after normalisation and is never interrupted.";
    let [ready, _, _, issue, conserving] = ASSUMPTIONS.map(str::to_owned);
    let [time, which] = memory.assumptions();
    vec![ready, time, one.to_owned(), which, issue, conserving]
}
