//! What each task and each runnable does itself, by numbers, so that who reaches what is found fast.
//!
//! Items are looked at once, without recursion; calls are followed by number, each runnable once for a question.

use std::collections::BTreeSet;

use super::model::{Act, Item, Model, UnitKind, Way, Work};
use super::platform::Platform;
use super::refs::Ref;

/// What the items of one task or runnable do, not counting what they call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Node {
    /// The runnables it calls, on any branch.
    pub calls: Vec<usize>,
    /// The stimuli it triggers, on any branch.
    pub triggers: BTreeSet<usize>,
    /// The labels it reads.
    pub reads: BTreeSet<usize>,
    /// The labels it writes.
    pub writes: BTreeSet<usize>,
    /// Whether it works at all.
    pub works: bool,
    /// Whether some of its work is not told for GPUs.
    pub works_not_there: bool,
    /// Whether some of its work is told for other units than GPUs.
    pub works_elsewhere: bool,
    /// The semaphores it asks for, by their names.
    pub semaphores: BTreeSet<String>,
    /// The events it sets, and for which task; for all where none is named.
    pub sets: BTreeSet<(String, Option<usize>)>,
    /// The events it clears.
    pub clears: BTreeSet<String>,
}

/// All tasks and runnables.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Graph {
    /// Tasks, by number.
    pub tasks: Vec<Node>,
    runnables: Vec<Node>,
}

impl Graph {
    /// Looks at a model once.
    pub fn of(model: &Model, platform: &Platform) -> Self {
        let of = |is_gpu: bool| -> (BTreeSet<usize>, BTreeSet<usize>) {
            let units = platform.units.iter().enumerate();
            let units = units.filter(|(_, unit)| (unit.kind == UnitKind::Gpu) == is_gpu);
            let (numbers, definitions): (BTreeSet<usize>, Vec<Option<usize>>) =
                units.map(|(index, unit)| (index, unit.definition)).unzip();
            (numbers, definitions.into_iter().flatten().collect())
        };
        let gpus = of(true);
        let told = |work: &Work| {
            let is_gpu = |key: &Ref| {
                let definition = model.definitions.find(key).is_some_and(|found| gpus.1.contains(&found));
                definition || model.units.find(key).is_some_and(|found| gpus.0.contains(&found))
            };
            let there = work.extended.iter().filter(|(key, _)| is_gpu(key)).count();
            Told { there: there > 0, elsewhere: work.default.is_some() || there < work.extended.len() }
        };
        let node = |items: &[Item]| node(model, items, &told);
        Self {
            tasks: model.tasks.iter().map(|task| node(&task.items)).collect(),
            runnables: model.runnables.iter().map(|runnable| node(&runnable.items)).collect(),
        }
    }

    /// Looks at a task and all it reaches; runnables that were seen already are left out.
    pub fn visit<'g>(&'g self, task: usize, seen: &mut BTreeSet<usize>, look: &mut dyn FnMut(&'g Node)) {
        let mut open: Vec<&Node> = self.tasks.get(task).into_iter().collect();
        while let Some(node) = open.pop() {
            look(node);
            for &call in &node.calls {
                if seen.insert(call) {
                    open.extend(self.runnables.get(call));
                }
            }
        }
    }

    /// Whether a runnable works itself.
    pub fn works(&self, runnable: usize) -> bool {
        self.runnables.get(runnable).is_some_and(|node| node.works)
    }

    /// The stimuli that a task may trigger, on any branch.
    pub fn triggers(&self, task: usize) -> BTreeSet<usize> {
        let mut stimuli = BTreeSet::new();
        self.visit(task, &mut BTreeSet::new(), &mut |node| stimuli.extend(&node.triggers));
        stimuli
    }

    /// Whether a task works, and for whom that is told; nothing for one whose work is not all told for GPUs.
    pub fn for_gpus(&self, task: usize) -> Option<ForGpus> {
        let (mut works, mut not_there, mut elsewhere) = (false, false, false);
        self.visit(task, &mut BTreeSet::new(), &mut |node| {
            works |= node.works;
            not_there |= node.works_not_there;
            elsewhere |= node.works_elsewhere;
        });
        let whose = if elsewhere { ForGpus::AndOthers } else { ForGpus::Alone };
        (works && !not_there).then_some(whose)
    }
}

/// Whom the work of a task is told for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ForGpus {
    /// For GPUs alone.
    Alone,
    /// For GPUs and for other units.
    AndOthers,
}

/// Whom a piece of work is told for.
struct Told {
    there: bool,
    elsewhere: bool,
}

fn node(model: &Model, items: &[Item], told: &dyn Fn(&Work) -> Told) -> Node {
    let mut node = Node::default();
    let mut calls = BTreeSet::new();
    let mut open: Vec<&Item> = items.iter().collect();
    while let Some(item) = open.pop() {
        match &item.act {
            Act::Group { items, .. } | Act::Loop { items, .. } | Act::Unknown { items, .. } => {
                open.extend(items)
            }
            Act::Switch(branches) => open.extend(branches.iter().flat_map(|branch| &branch.items)),
            Act::Call { runnable, .. } => {
                calls.extend(runnable.as_ref().and_then(|runnable| model.runnables.find(runnable)));
            }
            Act::Trigger(stimulus) => {
                node.triggers.extend(stimulus.as_ref().and_then(|stimulus| model.stimuli.find(stimulus)));
            }
            Act::Access { label, way, .. } => {
                let labels = if *way == Way::Write { &mut node.writes } else { &mut node.reads };
                labels.extend(label.as_ref().and_then(|label| model.labels.find(label)));
            }
            Act::Work(work) => {
                let told = told(work);
                node.works = true;
                node.works_not_there |= !told.there;
                node.works_elsewhere |= told.elsewhere;
            }
            Act::Semaphore(semaphore) => {
                // One that leads nowhere is one of its own.
                node.semaphores.insert(semaphore.as_ref().map_or(String::new(), Ref::name));
            }
            Act::Set { events, task } => {
                let task = task.as_ref().and_then(|task| model.tasks.find(task));
                node.sets.extend(events.iter().map(|event| (event.name(), task)));
            }
            Act::Clear(events) => node.clears.extend(events.iter().map(Ref::name)),
            Act::Wait { .. } | Act::End | Act::Migrate | Act::Yield | Act::Nothing => {}
        }
    }
    node.calls = calls.into_iter().collect();
    node
}
