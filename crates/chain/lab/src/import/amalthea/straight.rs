//! What a task does once and in any case: on no branch, in no loop, before nothing that may end it.
//!
//! Invariant: what is not sure is on the other list, and a task of which not all was looked at has nothing that is sure.

use std::collections::{BTreeMap, BTreeSet};

use super::flatten::{DEEPEST, MOST_ITEMS};
use super::graph::Graph;
use super::model::{Act, Arrival, By, Item, Model};
use super::notes::Place;
use super::refs::Ref;
use super::waits::Sets;

/// What one task does so.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Straight {
    /// The stimuli it triggers, each once.
    pub(super) triggers: BTreeSet<usize>,
    /// The places where it waits.
    pub(super) waits: BTreeSet<Place>,
    /// The events it sets when nothing is left to do.
    pub(super) sets: Sets,
}

/// A walk through what a task does.
struct Walk<'m> {
    model: &'m Model,
    triggers: BTreeMap<usize, u32>,
    unsure: BTreeSet<usize>,
    waits: BTreeSet<Place>,
    sets: Sets,
    /// Set on a branch, or before something else that takes time.
    early: Sets,
    /// Whether nothing has ended the task, or taken it elsewhere.
    goes_on: bool,
    left: u64,
}

impl Straight {
    /// Looks at a task.
    pub(super) fn of(model: &Model, task: usize) -> Self {
        let mut walk = Walk {
            model,
            triggers: BTreeMap::new(),
            unsure: BTreeSet::new(),
            waits: BTreeSet::new(),
            sets: Sets::new(),
            early: Sets::new(),
            goes_on: true,
            left: MOST_ITEMS,
        };
        let items = model.tasks.get(task).map_or(&[][..], |task| &task.items);
        if walk.all(items, Sure::Yes, 0).is_none() {
            return Self::default();
        }
        let Walk { triggers, unsure, waits, sets, early, .. } = walk;
        let once =
            |(stimulus, times): (usize, u32)| (times == 1 && !unsure.contains(&stimulus)).then_some(stimulus);
        let is_early = |(event, _): &(String, Option<usize>)| early.iter().any(|(other, _)| other == event);
        Self {
            triggers: triggers.into_iter().filter_map(once).collect(),
            waits,
            sets: sets.into_iter().filter(|set| !is_early(set)).collect(),
        }
    }
}

/// Whether something is done in any case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sure {
    Yes,
    No,
}

impl Walk<'_> {
    /// Nothing where it is too much to look at.
    fn all(&mut self, items: &[Item], sure: Sure, depth: usize) -> Option<()> {
        items.iter().try_for_each(|item| self.one(item, sure, depth))
    }

    fn one(&mut self, item: &Item, sure: Sure, depth: usize) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        if depth > DEEPEST {
            return None;
        }
        let sure = if item.is_counted || !self.goes_on { Sure::No } else { sure };
        if !matches!(
            item.act,
            Act::Set { .. } | Act::Clear(_) | Act::Nothing | Act::Access { .. } | Act::Group { .. }
        ) {
            // What was set before goes on before the end.
            self.early.append(&mut self.sets);
        }
        match &item.act {
            Act::Group { items, is_ordered } => {
                let inner = if *is_ordered || items.len() < 2 { sure } else { Sure::No };
                self.all(items, inner, depth + 1)?;
            }
            Act::Call { runnable, by } => {
                let found = runnable.as_ref().and_then(|one| self.model.runnables.at(one));
                let inner = if *by == By::Caller { sure } else { Sure::No };
                if let Some((_, runnable)) = found {
                    self.all(&runnable.items, inner, depth + 1)?;
                }
            }
            Act::Switch(branches) => {
                for branch in branches {
                    self.all(&branch.items, Sure::No, depth + 1)?;
                }
            }
            Act::Loop { items, .. } | Act::Unknown { items, .. } => self.all(items, Sure::No, depth + 1)?,
            Act::Trigger(stimulus) => {
                if let Some(stimulus) = stimulus.as_ref().and_then(|one| self.model.stimuli.find(one)) {
                    *self.triggers.entry(stimulus).or_default() += 1;
                    if sure == Sure::No {
                        self.unsure.insert(stimulus);
                    }
                }
            }
            Act::Wait { .. } if sure == Sure::Yes => {
                self.waits.insert(item.place);
            }
            Act::Set { events, task } => {
                let task = task.as_ref().and_then(|task| self.model.tasks.find(task));
                let set = if sure == Sure::Yes { &mut self.sets } else { &mut self.early };
                set.extend(events.iter().map(|event| (Ref::name(event), task)));
            }
            Act::End | Act::Migrate => self.goes_on = false,
            _ => {}
        }
        Some(())
    }
}

/// For each task on a core that exactly one other task on a core activates, once in each of its jobs and in any case, that task. Nobody
/// leads back to itself.
pub(super) fn activated(
    model: &Model,
    graph: &Graph,
    straight: &[Straight],
    on_gpu: &BTreeSet<usize>,
) -> BTreeMap<usize, usize> {
    let triggers: Vec<BTreeSet<usize>> = (0..model.tasks.len()).map(|task| graph.triggers(task)).collect();
    let by = |task: usize| -> Option<usize> {
        let [stimulus] = &model.tasks.get(task)?.stimuli[..] else { return None };
        let (index, stimulus) = model.stimuli.at(stimulus)?;
        if stimulus.arrival != Arrival::Triggered || !stimulus.conditions.is_empty() {
            return None;
        }
        let mut sources = (0..triggers.len()).filter(|&source| triggers[source].contains(&index));
        let (source, None) = (sources.next()?, sources.next()) else { return None };
        let is_sure = straight.get(source)?.triggers.contains(&index);
        (source != task && is_sure && !on_gpu.contains(&source) && !on_gpu.contains(&task)).then_some(source)
    };
    let all: BTreeMap<usize, usize> =
        (0..model.tasks.len()).filter_map(|task| Some((task, by(task)?))).collect();
    let leads_back = |task: usize| {
        let mut at = task;
        for _ in 0..=all.len() {
            match all.get(&at) {
                None => return false,
                Some(&by) => at = by,
            }
        }
        true
    };
    all.iter().map(|(&task, &by)| (task, by)).filter(|&(task, _)| !leads_back(task)).collect()
}
