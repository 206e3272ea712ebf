//! How often tasks are activated: the least time between two activations, through all triggers.
//!
//! A stimulus with jitter comes as much sooner as it may be late. A task that others activate has their least time;
//! several sources add their rates up. What is activated once, or in a way that is not read, has no period.

use std::collections::{BTreeMap, BTreeSet};

use super::model::{Arrival, Model};
use crate::base::problem::quoted;

/// How often a task is activated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Activation {
    /// The least time between two activations in picoseconds; nothing where the model does not say.
    pub period: Option<u64>,
    /// Remarks that the reader of a result should know.
    pub remarks: Vec<String>,
}

/// Finds out how often tasks are activated.
pub struct Activations<'m> {
    model: &'m Model,
    /// For each stimulus the tasks that trigger it.
    sources: BTreeMap<usize, Vec<usize>>,
    open: BTreeSet<usize>,
    /// What was found out already.
    known: BTreeMap<usize, Option<u64>>,
}

impl<'m> Activations<'m> {
    /// For a model whose tasks trigger these stimuli.
    pub fn new(model: &'m Model, triggers: &[BTreeSet<usize>]) -> Self {
        let mut sources: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (task, stimuli) in triggers.iter().enumerate() {
            for &stimulus in stimuli {
                sources.entry(stimulus).or_default().push(task);
            }
        }
        Self { model, sources, open: BTreeSet::new(), known: BTreeMap::new() }
    }

    /// How often a task is activated.
    pub fn of(&mut self, task: usize) -> Activation {
        let mut remarks = Vec::new();
        let mut periods = Vec::new();
        let Some(said) = self.model.tasks.get(task) else { return Activation { period: None, remarks } };
        if !self.open.insert(task) {
            return Activation { period: None, remarks };
        }
        for stimulus in &said.stimuli {
            match self.model.stimuli.at(stimulus) {
                Some((index, _)) => periods.extend(self.stimulus(index, &mut remarks)),
                None => {
                    remarks.push(format!("the stimulus {} is not in the model", quoted(&stimulus.name())))
                }
            }
        }
        self.open.remove(&task);
        if periods.len() > 1 {
            remarks.push(format!("{} sources activate it; their rates are added up", periods.len()));
        }
        let period = together(&periods);
        self.known.insert(task, period);
        Activation { period, remarks }
    }

    fn period(&mut self, task: usize) -> Option<u64> {
        match self.known.get(&task) {
            Some(&period) => period,
            None => self.of(task).period,
        }
    }

    /// The least times between occurrences of a stimulus, one for each source.
    fn stimulus(&mut self, index: usize, remarks: &mut Vec<String>) -> Vec<u64> {
        let Some(stimulus) = self.model.stimuli.get(index) else { return Vec::new() };
        let name = &stimulus.name;
        match &stimulus.arrival {
            Arrival::Periodic { period, jitter, .. } => {
                let Some(period) = *period else {
                    remarks.push(format!("{name} has no recurrence"));
                    return Vec::new();
                };
                if *jitter == 0 {
                    return vec![period];
                }
                remarks.push(format!("{name} has jitter, which shortens the least time between activations"));
                vec![period.saturating_sub(*jitter)]
            }
            Arrival::Sporadic { gap } => {
                if gap.is_none() {
                    remarks.push(format!("{name} has no least distance"));
                }
                gap.iter().copied().collect()
            }
            Arrival::Burst { period, count, gap } => {
                let even = period.map(|period| period / (*count).max(1));
                remarks.push(format!("{name} comes {count} times a period, taken at its least distance"));
                gap.or(even).into_iter().collect()
            }
            Arrival::Single { .. } => {
                remarks.push(format!("{name} comes once"));
                Vec::new()
            }
            Arrival::Other(kind) => {
                remarks.push(format!("{name} is of {kind}"));
                Vec::new()
            }
            Arrival::Triggered => {
                let sources = self.sources.get(&index).cloned().unwrap_or_default();
                if sources.is_empty() {
                    remarks.push(format!("no task triggers {name}"));
                }
                let periods: Vec<u64> = sources.iter().filter_map(|&task| self.period(task)).collect();
                if !periods.is_empty() {
                    remarks.push(format!(
                        "it is activated through {name}; how late that may be is not looked at"
                    ));
                }
                periods
            }
        }
    }
}

/// The least time between activations from several sources: their rates added up, rounded down.
fn together(periods: &[u64]) -> Option<u64> {
    match periods {
        [] => None,
        [one] => Some(*one),
        // 1 / (1/a + 1/b + ...) with a common scale; what is too large for it is as good as never.
        all => {
            const SCALE: u128 = 1 << 100;
            let rate: u128 =
                all.iter().map(|&period| (SCALE / u128::from(period.max(1))).saturating_add(1)).sum();
            u64::try_from(SCALE / rate.max(1)).ok()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_add_up() {
        assert_eq!(together(&[]), None);
        assert_eq!(together(&[10]), Some(10));
        assert_eq!(together(&[1_000_000, 1_000_000]), Some(499_999));
        assert_eq!(together(&[3_000, 6_000]), Some(1_999));
    }
}
