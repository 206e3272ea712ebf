//! What is copied for a GPU, what it runs, and what is copied back (P: Paredes 2019, section 1.4, figure 1.3).
//!
//! A copy to the GPU is modelled as data read from the host's memory and written to the GPU's, before the GPU works; a
//! copy back the other way round, after it. So the steps of one runnable between two pieces of work are looked at
//! together: host data read and GPU data written make a copy in of what is written, GPU data read and host data
//! written a copy out. A model without labels of the GPU's own copies what a GPU's task reads before its first work, and
//! what it writes after its last. Whose a label is say, in this order: the memory it is in, if that is in a
//! structure with a GPU alone or reached by GPUs alone; its name; and who uses it, as data that the GPU's tasks
//! write and read and no other touches are the GPU's.

use std::collections::BTreeSet;

use super::flatten::{Step, What};
use super::graph::Graph;
use super::model::{Model, UnitKind, Waiting, Way};
use super::notes::Place;
use super::platform::Platform;
use super::refs::Ref;

/// Whose memory a label is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    /// The host's.
    Host,
    /// The GPU's.
    Device,
}

/// What makes a label the one's or the other's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Because {
    /// The memory it is in.
    Memory,
    /// Its name.
    Name,
    /// Who reads and writes it.
    Use,
}

/// A part of what a task does: on its core, for a GPU, or on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// A core works for so many ticks.
    Host {
        /// Ticks.
        ticks: u64,
        /// Whether they are an upper bound.
        is_bound: bool,
        /// The runnables, by their numbers.
        runnables: Vec<usize>,
    },
    /// Data go to the GPU.
    CopyIn {
        /// Bytes, without labels whose size is not said.
        bytes: u64,
        /// The runnable, by its number.
        runnable: Option<usize>,
        /// Labels whose size is not said.
        unsized_labels: Vec<usize>,
    },
    /// The GPU works for so many ticks.
    Kernel {
        /// Ticks.
        ticks: u64,
        /// Whether they are an upper bound.
        is_bound: bool,
        /// The runnable, by its number.
        runnable: Option<usize>,
    },
    /// Data come back.
    CopyOut {
        /// Bytes, without labels whose size is not said.
        bytes: u64,
        /// The runnable, by its number.
        runnable: Option<usize>,
        /// Labels whose size is not said.
        unsized_labels: Vec<usize>,
    },
    /// Tasks that wait for a stimulus are activated.
    Trigger {
        /// The stimulus, by its number.
        stimulus: usize,
    },
    /// The task waits for events.
    Wait {
        /// Their names.
        events: Vec<String>,
        /// Whether one of them is enough.
        is_any: bool,
        /// What its core does meanwhile.
        waiting: Waiting,
        /// Where that stands.
        place: Place,
    },
    /// Events are set.
    Set {
        /// Their names.
        events: Vec<String>,
        /// The task they are set for, by its number; all where none is named.
        task: Option<usize>,
    },
}

/// For each label whose it is, and why. Without a GPU all are the host's.
pub fn sides(
    model: &Model,
    platform: &Platform,
    graph: &Graph,
    on_gpu: &BTreeSet<usize>,
) -> Vec<(Side, Because)> {
    if platform.of_kind(UnitKind::Gpu).next().is_none() {
        return vec![(Side::Host, Because::Memory); model.labels.len()];
    }
    let used = |of_gpu: bool| {
        let mut seen = BTreeSet::new();
        let (mut reads, mut writes) = (BTreeSet::new(), BTreeSet::new());
        for task in (0..model.tasks.len()).filter(|task| on_gpu.contains(task) == of_gpu) {
            graph.visit(task, &mut seen, &mut |node| {
                reads.extend(node.reads.iter().copied());
                writes.extend(node.writes.iter().copied());
            });
        }
        (reads, writes)
    };
    let (host, gpu): ([BTreeSet<usize>; 2], [BTreeSet<usize>; 2]) = (used(false).into(), used(true).into());
    let memories = device_memories(model, platform);
    let mut placed: Vec<Option<usize>> = vec![None; model.labels.len()];
    for placement in &model.placements {
        if let Some(label) = model.labels.find(&placement.label) {
            placed[label] = model.memories.find(&placement.memory);
        }
    }
    model
        .labels
        .iter()
        .enumerate()
        .map(|(index, label)| {
            if let Some(memory) = placed[index]
                && !memories.is_empty()
            {
                let side = if memories.contains(&memory) { Side::Device } else { Side::Host };
                return (side, Because::Memory);
            }
            if let Some(side) = by_name(&label.name) {
                return (side, Because::Name);
            }
            // Data that are only read come from elsewhere, and data that are only written go there.
            let alone =
                gpu.iter().all(|set| set.contains(&index)) && !host.iter().any(|set| set.contains(&index));
            (if alone { Side::Device } else { Side::Host }, Because::Use)
        })
        .collect()
}

/// What a label's name says about its place.
fn by_name(name: &str) -> Option<Side> {
    let words: Vec<String> = words(name);
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    match (has(&["host", "cpu"]), has(&["device", "dev", "gpu"])) {
        (true, false) => Some(Side::Host),
        (false, true) => Some(Side::Device),
        _ => None,
    }
}

/// The words of a name: `Cloud_map_host` and `cloudMapHost` have three.
pub fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before_was_small = false;
    for c in name.chars() {
        if !c.is_alphanumeric() || c.is_uppercase() && before_was_small {
            words.push(String::new());
        }
        if let (true, Some(word)) = (c.is_alphanumeric(), words.last_mut()) {
            word.extend(c.to_lowercase());
        }
        before_was_small = c.is_lowercase() || c.is_numeric();
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Memories of the GPU alone: in a structure that has a GPU and no core, or reached by GPUs and by no core.
fn device_memories(model: &Model, platform: &Platform) -> BTreeSet<usize> {
    let kinds = |unit: usize| platform.kind(unit).unwrap_or(UnitKind::Cpu);
    let mut reached: Vec<(bool, bool)> = vec![(false, false); model.memories.len()];
    for (index, unit) in model.units.iter().enumerate() {
        let is_gpu = kinds(index) == UnitKind::Gpu;
        let find = |memory: &Ref| model.memories.find(memory);
        for memory in unit.reaches.iter().filter_map(|access| access.memory.as_ref().and_then(find)) {
            if is_gpu { reached[memory].0 = true } else { reached[memory].1 = true }
        }
    }
    let structures = |is_gpu: bool| -> BTreeSet<&str> {
        let units =
            model.units.iter().enumerate().filter(|(index, _)| (kinds(*index) == UnitKind::Gpu) == is_gpu);
        units.filter_map(|(_, unit)| unit.within.last().map(String::as_str)).collect()
    };
    let (of_gpus, of_cores) = (structures(true), structures(false));
    let is_alone = |(index, memory): (usize, &super::model::Memory)| {
        let structure = memory.within.last().map_or("", String::as_str);
        let within = of_gpus.contains(structure) && !of_cores.contains(structure);
        let is = match reached[index] {
            (true, false) => true,
            (false, false) => within,
            (_, true) => false,
        };
        is.then_some(index)
    };
    model.memories.iter().enumerate().filter_map(is_alone).collect()
}

/// Data that steps between two pieces of work read and write.
#[derive(Debug, Default)]
struct Moved {
    runnable: Option<usize>,
    read: [Data; 2],
    written: [Data; 2],
}

#[derive(Debug, Clone, Default)]
struct Data {
    bits: u64,
    any: bool,
    unsized_labels: Vec<usize>,
}

impl Data {
    fn add(&mut self, label: usize, bits: Option<u64>) {
        self.any = true;
        match bits {
            Some(bits) => self.bits = self.bits.saturating_add(bits),
            None if self.unsized_labels.contains(&label) => {}
            None => self.unsized_labels.push(label),
        }
    }
}

/// The parts of a task's steps, on a GPU or on a core.
pub fn parts(steps: &[Step], sides: &[(Side, Because)], is_on_gpu: bool) -> Vec<Part> {
    let works = |step: &Step| matches!(step.what, What::Work { .. });
    let (first, last) = (steps.iter().position(works), steps.iter().rposition(works));
    let has_device_labels = steps.iter().any(|step| match step.what {
        What::Access { label, .. } => side(sides, label) == Side::Device,
        _ => false,
    });
    let mut parts = Vec::new();
    let mut at = 0;
    while let Some(step) = steps.get(at) {
        let next = steps[at..]
            .iter()
            .position(|other| !matches!(other.what, What::Access { .. }) || other.call != step.call);
        let until = next.map_or(steps.len(), |next| at + next.max(1));
        if matches!(step.what, What::Access { .. }) {
            // Where the GPU's own data are not in the model, what is read first goes there and what is written last
            // comes back.
            let is_first = is_on_gpu && !has_device_labels && first.is_none_or(|first| at < first);
            let is_last = is_on_gpu && !has_device_labels && last.is_some_and(|last| at > last);
            copies(&moved(&steps[at..until], sides), is_first, is_last, &mut parts);
        } else {
            one(step, is_on_gpu, &mut parts);
        }
        at = until;
    }
    parts
}

fn side(sides: &[(Side, Because)], label: usize) -> Side {
    sides.get(label).map_or(Side::Host, |(side, _)| *side)
}

fn moved(steps: &[Step], sides: &[(Side, Because)]) -> Moved {
    let mut moved = Moved { runnable: steps.first().and_then(|step| step.runnable), ..Moved::default() };
    for step in steps {
        if let What::Access { label, way, bits } = step.what {
            let side = usize::from(side(sides, label) == Side::Device);
            let data = if way == Way::Write { &mut moved.written[side] } else { &mut moved.read[side] };
            data.add(label, bits);
        }
    }
    moved
}

fn copies(moved: &Moved, is_first: bool, is_last: bool, parts: &mut Vec<Part>) {
    let [host_read, device_read] = &moved.read;
    let [host_written, device_written] = &moved.written;
    let runnable = moved.runnable;
    let back = if host_written.any && (device_read.any || is_last) { Some(host_written) } else { None };
    let there = match (device_written.any && host_read.any, host_read.any && is_first) {
        (true, _) => Some(device_written),
        (false, true) => Some(host_read),
        (false, false) => None,
    };
    if let Some(data) = there {
        let (bytes, unsized_labels) = copied(data, host_read);
        parts.push(Part::CopyIn { bytes, runnable, unsized_labels });
    }
    if let Some(data) = back {
        let (bytes, unsized_labels) = copied(data, device_read);
        parts.push(Part::CopyOut { bytes, runnable, unsized_labels });
    }
}

/// Bytes of a copy: of what is written, or of what is read for it where that has sizes and the other has not.
fn copied(written: &Data, read: &Data) -> (u64, Vec<usize>) {
    let is_better = !written.unsized_labels.is_empty() && read.any && read.bits >= written.bits;
    let data = if is_better { read } else { written };
    (data.bits.div_ceil(8), data.unsized_labels.clone())
}

fn one(step: &Step, is_on_gpu: bool, parts: &mut Vec<Part>) {
    match &step.what {
        &What::Work { ticks, is_bound, on_gpu } if on_gpu || is_on_gpu => {
            parts.push(Part::Kernel { ticks, is_bound, runnable: step.runnable });
        }
        &What::Work { ticks, is_bound, .. } => {
            if let Some(Part::Host { ticks: before, is_bound: all, runnables }) = parts.last_mut() {
                *before = before.saturating_add(ticks);
                *all &= is_bound;
                if runnables.last().copied() != step.runnable {
                    runnables.extend(step.runnable);
                }
            } else {
                let runnables = step.runnable.into_iter().collect();
                parts.push(Part::Host { ticks, is_bound, runnables });
            }
        }
        &What::Trigger { stimulus } => parts.push(Part::Trigger { stimulus }),
        What::Wait { events, is_any, waiting } => {
            let (events, is_any, waiting) = (events.clone(), *is_any, *waiting);
            parts.push(Part::Wait { events, is_any, waiting, place: step.place });
        }
        What::Set { events, task } => parts.push(Part::Set { events: events.clone(), task: *task }),
        What::Access { .. } => {}
    }
}
