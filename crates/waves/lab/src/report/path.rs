//! The critical chain of a shader engine: its cycles by cause, and where on it most of them went.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value};

use waves::{Account, Cause, critical};

use super::by_cause;

/// How many stretches are told.
const MOST: usize = 20;

/// A chain.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Chain {
    /// The shader engine.
    pub se: u32,
    /// Its first cycle.
    pub begin: i64,
    /// Its last one.
    pub end: i64,
    /// The cycles between by cause; they add up to it.
    pub causes: Map<String, Value>,
    /// How many steps it has.
    pub steps: usize,
    /// What took most on it, by cause and line; the most first, as far as it is worth a line.
    pub most: Vec<Stretch>,
}

/// Cycles of a chain that went to one cause at one line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Stretch {
    /// The cause.
    pub cause: &'static str,
    /// The line that waited.
    pub line: Option<u32>,
    /// The line to blame.
    pub witness: Option<u32>,
    /// Cycles.
    pub cycles: u64,
    /// In how many steps.
    pub steps: u64,
}

/// A cause, the line that waited, the line to blame.
type Place = (Cause, Option<u32>, Option<u32>);

/// A chain as it is reported.
pub(super) fn chain(account: &Account, chain: &critical::Chain) -> Chain {
    let number = |wave, item| {
        let instr = account.capture.instr(wave, item)?;
        account.capture.line(instr).map(|line| line.number)
    };
    let mut sums: BTreeMap<Place, (u64, u64)> = BTreeMap::new();
    for step in &chain.steps {
        let line = step.item.and_then(|item| number(step.wave, item));
        let witness = step.witness.and_then(|witness| number(witness.wave, witness.item));
        let sum = sums.entry((step.cause, line, witness)).or_default();
        *sum = (sum.0 + step.to.abs_diff(step.from), sum.1 + 1);
    }
    let mut most: Vec<Stretch> = sums
        .into_iter()
        .map(|((cause, line, witness), (cycles, steps))| Stretch {
            cause: cause.name(),
            line,
            witness,
            cycles,
            steps,
        })
        .collect();
    most.sort_by_key(|stretch| std::cmp::Reverse(stretch.cycles));
    most.truncate(MOST);
    let (se, begin, end) = (chain.se, chain.begin, chain.end);
    Chain { se, begin, end, causes: by_cause(&chain.sums()), steps: chain.steps.len(), most }
}
