//! Which tasks run on a GPU, and which core each of the others runs on.
//!
//! Where a model allows several cores, or says nothing, each task in turn goes to the one that has the least to do so
//! far, counted by what the task comes to on that core.

use std::collections::BTreeMap;

use super::flatten::Flattener;
use super::graph::{ForGpus, Graph};
use super::model::{Model, UnitKind};
use super::platform::Platform;
use base::Problem;

/// The most different kinds of cores that are tried.
const MOST_KINDS: usize = 16;

/// A task's core.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Placed {
    /// The unit; nothing in a model without cores.
    pub unit: Option<usize>,
    /// How many units it could have been.
    pub choices: usize,
    /// Whether the model allows these by an allocation.
    pub is_allocated: bool,
}

/// Tasks that run on a GPU: by their allocation; or, where it leaves a choice or there is none, because all that they
/// do is told for GPUs. With each, whether the model left it open.
pub fn on_gpu(platform: &Platform, graph: &Graph) -> BTreeMap<usize, Open> {
    let is_gpu = |unit: &usize| platform.kind(*unit) == Some(UnitKind::Gpu);
    let is = |(index, allowed): (usize, &Vec<usize>)| {
        let may = allowed.is_empty() || allowed.iter().any(is_gpu);
        let must = !allowed.is_empty() && allowed.iter().all(is_gpu);
        match (must, graph.for_gpus(index).filter(|_| may)) {
            (true, _) | (_, Some(ForGpus::Alone)) => Some((index, Open::No)),
            (false, Some(ForGpus::AndOthers)) => Some((index, Open::Yes)),
            (false, None) => None,
        }
    };
    platform.allowed.iter().enumerate().filter_map(is).collect()
}

/// Whether a model left something open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Open {
    /// It is said.
    No,
    /// It had to be chosen.
    Yes,
}

/// Gives each host task a core. `periods` are in picoseconds.
pub fn place(
    model: &Model,
    platform: &Platform,
    hosts: &[usize],
    periods: &BTreeMap<usize, u64>,
    launched: &BTreeMap<usize, u128>,
) -> Result<BTreeMap<usize, Placed>, Vec<Problem>> {
    let is_core = |unit: &usize| platform.kind(*unit) != Some(UnitKind::Gpu);
    let cores: Vec<usize> = (0..platform.units.len()).filter(is_core).collect();
    let mut flatteners: BTreeMap<(Option<usize>, Option<u64>), Flattener<'_>> = BTreeMap::new();
    let mut load: BTreeMap<usize, u128> = BTreeMap::new();
    let mut placed = BTreeMap::new();
    let mut problems = Vec::new();
    for &task in hosts {
        let allowed: Vec<usize> = platform.allowed[task].iter().copied().filter(is_core).collect();
        let is_allocated = !allowed.is_empty();
        let choices = if is_allocated { &allowed } else { &cores };
        let mut best: Option<(u128, usize)> = None;
        let mut times = BTreeMap::new();
        for &unit in choices {
            let Some(facts) = platform.units.get(unit) else { continue };
            let kind = (facts.definition, facts.hertz);
            if flatteners.len() >= MOST_KINDS && !flatteners.contains_key(&kind) {
                continue;
            }
            let flattener =
                flatteners.entry(kind).or_insert_with(|| Flattener::new(model, platform, unit, launched));
            let time = match times.get(&kind).copied().map_or_else(|| flattener.time(task), Ok) {
                Ok(time) => time,
                Err(problem) => {
                    problems.push(problem);
                    break;
                }
            };
            times.insert(kind, time);
            let period = periods.get(&task).copied().unwrap_or(u64::MAX).max(1);
            let more = time.saturating_mul(1_000_000) / u128::from(period);
            let all = load.get(&unit).copied().unwrap_or_default().saturating_add(more);
            if best.is_none_or(|(least, _)| all < least) {
                best = Some((all, unit));
            }
        }
        if let Some((all, unit)) = best {
            load.insert(unit, all);
        }
        let unit = best.map(|(_, unit)| unit);
        placed.insert(task, Placed { unit, choices: choices.len(), is_allocated });
    }
    if problems.is_empty() { Ok(placed) } else { Err(problems) }
}
