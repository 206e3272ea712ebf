//! How often tasks are activated: the least time between two activations, through all triggers.
//!
//! A stimulus with jitter comes as much sooner as it may be late. A task that others activate has their least time. Where it is one
//! other that does so once in each job, the chain has the activation, and computes how late it is; else what rests on it
//! says so. Several sources add their rates up, which is no bound
//! where they meet. What is activated once, or in a way that is not read, has no period.

use std::collections::{BTreeMap, BTreeSet};

use super::model::{Arrival, Condition, Model};
use base::problem::quoted;
use chain::{Code, Safe};

/// How often a task is activated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Activation {
    /// The least time between two activations in picoseconds; nothing where the model does not say.
    pub period: Option<u64>,
    /// What the period rests on, and which side holds all the same.
    pub remarks: Vec<(Code, Safe, String)>,
}

/// Finds out how often tasks are activated.
pub struct Activations<'m> {
    model: &'m Model,
    /// For each task that another one activates in the chain, too, that one.
    activated: &'m BTreeMap<usize, usize>,
    /// For each stimulus the tasks that trigger it.
    sources: BTreeMap<usize, Vec<usize>>,
    open: BTreeSet<usize>,
    /// What was found out already.
    known: BTreeMap<usize, Option<u64>>,
}

impl<'m> Activations<'m> {
    /// For a model whose tasks trigger these stimuli, and what of that is in the chain.
    pub fn new(
        model: &'m Model,
        triggers: &[BTreeSet<usize>],
        activated: &'m BTreeMap<usize, usize>,
    ) -> Self {
        let mut sources: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (task, stimuli) in triggers.iter().enumerate() {
            for &stimulus in stimuli {
                sources.entry(stimulus).or_default().push(task);
            }
        }
        Self { model, activated, sources, open: BTreeSet::new(), known: BTreeMap::new() }
    }

    /// How often a task is activated.
    pub fn of(&mut self, task: usize) -> Activation {
        let mut remarks = Vec::new();
        let mut periods = Vec::new();
        let Some(said) = self.model.tasks.get(task) else { return Activation { period: None, remarks } };
        if !self.open.insert(task) {
            return Activation { period: None, remarks };
        }
        if let Some(&by) = self.activated.get(&task) {
            // It is as often as that one, and what that rests on counts here, too.
            let by = self.of(by);
            self.open.remove(&task);
            self.known.insert(task, by.period);
            return by;
        }
        for stimulus in &said.stimuli {
            match self.model.stimuli.at(stimulus) {
                Some((index, _)) => periods.extend(self.stimulus(index, &mut remarks)),
                None => {
                    let name = quoted(&stimulus.name());
                    remarks.push(doubt(format!("the stimulus {name} is not in the model")));
                }
            }
        }
        self.open.remove(&task);
        if periods.len() > 1 {
            let what = format!(
                "{} sources activate it; their rates are added up, as if they never met",
                periods.len()
            );
            remarks.push(doubt(what));
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
    fn stimulus(&mut self, index: usize, remarks: &mut Vec<(Code, Safe, String)>) -> Vec<u64> {
        let Some(stimulus) = self.model.stimuli.get(index) else { return Vec::new() };
        let name = &stimulus.name;
        for condition in &stimulus.conditions {
            remarks.push(match condition {
                Condition::Fewer(what) => {
                    (Code::Period, Safe::Upper, format!("{name} has a {what}, and may come less often"))
                }
                Condition::Clock => doubt(format!("{name} follows a clock of its own, taken as real time")),
            });
        }
        match &stimulus.arrival {
            Arrival::Periodic { period, jitter, offset } => {
                let Some(period) = *period else {
                    remarks.push(doubt(format!("{name} has no recurrence")));
                    return Vec::new();
                };
                if *offset > 0 {
                    let what = format!("{name} has an offset; it is taken to come together with others");
                    remarks.push((Code::Period, Safe::Upper, what));
                }
                match jitter {
                    Some(0) => return vec![period],
                    Some(jitter) if *jitter < period => {
                        let what =
                            format!("{name} has jitter, which shortens the least time between activations");
                        remarks.push((Code::Jitter, Safe::Upper, what));
                        return vec![period - jitter];
                    }
                    Some(_) => {
                        remarks.push((
                            Code::Jitter,
                            Safe::Neither,
                            format!("{name} may be later than a period"),
                        ));
                    }
                    None => {
                        let what = format!("{name} has jitter without a bound, which is left out");
                        remarks.push((Code::Jitter, Safe::Neither, what));
                    }
                }
                vec![period]
            }
            Arrival::Sporadic { gap } => {
                if gap.is_none() {
                    remarks.push(doubt(format!("{name} has no least distance")));
                }
                gap.iter().copied().collect()
            }
            Arrival::Burst { period, count, gap } => {
                if gap.is_some() || *count == 1 && period.is_some() {
                    let what = format!("{name} comes {count} times a period, taken at its least distance");
                    remarks.push((Code::Period, Safe::Upper, what));
                    return gap.or(*period).into_iter().collect();
                }
                let what = format!("{name} comes {count} times a period, and no least distance is said");
                remarks.push(doubt(what));
                period.map(|period| (period / (*count).max(1)).max(1)).into_iter().collect()
            }
            Arrival::Single { .. } => {
                remarks.push(doubt(format!("{name} comes once")));
                Vec::new()
            }
            Arrival::Other(kind) => {
                remarks.push(doubt(format!("{name} is of {kind}")));
                Vec::new()
            }
            Arrival::Triggered => {
                let sources = self.sources.get(&index).cloned().unwrap_or_default();
                if sources.is_empty() {
                    remarks.push(doubt(format!("no task triggers {name}")));
                }
                let periods: Vec<u64> = sources.iter().filter_map(|&task| self.period(task)).collect();
                if !periods.is_empty() {
                    remarks.push((Code::Jitter, Safe::Neither, late(name)));
                }
                if periods.len() < sources.len() {
                    remarks.push(doubt(format!("{name} is triggered by tasks of which no period is known")));
                }
                periods
            }
        }
    }
}

/// What is not known of a task that others activate through a stimulus.
pub fn late(stimulus: &str) -> String {
    format!("it is activated through {stimulus}; how late, and how many times at once, is not looked at")
}

/// A remark on which both sides rest.
fn doubt(what: String) -> (Code, Safe, String) {
    (Code::Period, Safe::Neither, what)
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
