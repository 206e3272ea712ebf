//! The host's side of a plan: cores, who is on them, priorities, and what holds for the whole chain.

use std::collections::BTreeMap;

use super::model::UnitKind;
use super::pattern::{Because, Side};
use super::placing::Placed;
use super::plan::{CORE_HERTZ, Core, GPU_HERTZ, HostTask, Planner};
use crate::base::people::counted;

/// The most cores that are listed though no task is on them.
const MOST_IDLE: usize = 16;

impl Planner<'_> {
    /// The GPU's clock; asks for what a model never says of the GPU.
    pub(super) fn device(&mut self) -> u64 {
        let gpus: Vec<usize> = self.platform.of_kind(UnitKind::Gpu).collect();
        let unit = gpus.first().and_then(|&unit| self.platform.units.get(unit));
        // Without a GPU nothing runs on it.
        let Some(named) = unit.map(|unit| format!("the model calls it {}", unit.name)) else {
            return GPU_HERTZ;
        };
        let why = format!("AMALTHEA does not say what a GPU can hold; {named}");
        self.questions.ask("chain.device", "the GPU", "jetson-tx2", why);
        let why =
            "AMALTHEA does not say what one does in a cycle; it is not used where kernels say their cycles";
        self.questions.ask("chain.machine", "its multiprocessors", "cc-6.2", why);
        if gpus.len() > 1 {
            let what = format!("which of {} GPUs", gpus.len());
            self.questions.ask("chain.device", what, "the first, for all kernels", "a chain has one GPU");
        }
        if let Some(unit) = unit.filter(|unit| !unit.kind_is_said) {
            let why = format!("{}: its definition says no puType; its name does", unit.place);
            self.questions.ask("chain.device", format!("whether {} is a GPU", unit.name), "it is", why);
        }
        match unit.and_then(|unit| unit.hertz) {
            Some(hertz) => hertz,
            None => {
                let value = format!("{GPU_HERTZ} Hz");
                self.questions.ask("chain.clock", "the GPU's clock", value, "no frequency in the model");
                GPU_HERTZ
            }
        }
    }

    /// Asks about tasks that could run on a GPU or elsewhere.
    pub(super) fn chosen(&mut self, tasks: impl Iterator<Item = usize>) {
        for task in tasks.filter_map(|task| self.model.tasks.get(task)) {
            let why =
                format!("{}: its work is told for GPUs and for others, and nothing maps it", task.place);
            self.questions.ask("chain.kernels", format!("where {} runs", task.name), "on the GPU", why);
        }
    }

    /// The cores of the host, and for each task the number of its own.
    pub(super) fn cores(
        &mut self,
        hosts: &[usize],
        placed: &BTreeMap<usize, Placed>,
    ) -> (Vec<Core>, BTreeMap<usize, usize>) {
        let used: Vec<usize> = hosts.iter().filter_map(|task| placed.get(task)?.unit).collect();
        let is_core = |unit: &usize| self.platform.kind(*unit) != Some(UnitKind::Gpu);
        let all: Vec<usize> = (0..self.platform.units.len()).filter(is_core).collect();
        let few = all.len() <= MOST_IDLE;
        let listed: Vec<usize> = all.into_iter().filter(|unit| few || used.contains(unit)).collect();
        let mut cores = Vec::new();
        for &unit in &listed {
            let Some(facts) = self.platform.units.get(unit) else { continue };
            let path = format!("chain.cores[{}]", cores.len());
            let is_of = |task: &&usize| placed.get(*task).and_then(|placed| placed.unit) == Some(unit);
            let algorithms = hosts.iter().filter(is_of).map(|&task| self.platform.algorithms[task].as_str());
            let algorithm = algorithms.fold("", |first, next| if first.is_empty() { next } else { first });
            let is_edf = is_edf(algorithm);
            if !is_edf && !algorithm.is_empty() && !is_by_priority(algorithm) {
                let what = format!("the scheduler of {}", facts.name);
                let why = format!("the model says {algorithm:.100}, which is not analysed");
                self.questions.ask(&format!("{path}.scheduler"), what, "fixed-priority", why);
            }
            if facts.kind == UnitKind::Accelerator {
                let why = format!("{}: it is neither a core nor a GPU", facts.place);
                self.questions.ask(&path, format!("what {} is", facts.name), "a core", why);
            }
            let hertz = facts.hertz.unwrap_or(CORE_HERTZ);
            if facts.hertz.is_none() {
                let why = format!("{}: no frequency in the model", facts.place);
                let value = format!("{CORE_HERTZ} Hz");
                self.questions.ask(
                    &format!("{path}.clock"),
                    format!("the clock of {}", facts.name),
                    value,
                    why,
                );
            }
            cores.push(Core { name: facts.name.clone(), hertz, is_edf });
        }
        if cores.is_empty() {
            let value = format!("one, at {CORE_HERTZ} Hz");
            self.questions.ask("chain.cores", "the host's cores", value, "the model has none");
            cores.push(Core { name: "cpu".to_owned(), hertz: CORE_HERTZ, is_edf: false });
        }
        let number = |unit: usize| listed.iter().position(|&one| one == unit);
        let of = |task: &usize| Some((*task, number(placed.get(task)?.unit?)?));
        (cores, hosts.iter().filter_map(of).collect())
    }

    /// Asks for a task's core where the model leaves a choice.
    pub(super) fn ask_core(&mut self, at: &str, placed: &Placed, core: Option<&Core>, is_on_gpu: bool) {
        let Some(core) = core.filter(|_| placed.unit.is_some()) else { return };
        let path = format!("{at}.core");
        if is_on_gpu {
            let why = "it is a task of the GPU that no other task activates; a core launches it";
            self.questions.ask(&path, "who launches it", core.name.as_str(), why);
        } else if placed.choices > 1 {
            let choices = counted(placed.choices, "core");
            let why = match placed.is_allocated {
                true => format!("the model allows {choices}; the one with the least to do so far"),
                false => format!("no allocation; of {choices} the one with the least to do so far"),
            };
            self.questions.ask(&path, "its core", core.name.as_str(), why);
        }
    }

    /// Ranks of the tasks on each core, where all of them have a priority.
    pub(super) fn priorities(&mut self, hosts: &[usize], cores: &[Core], tasks: &mut [HostTask]) {
        let mut ranked = false;
        for (number, core) in cores.iter().enumerate().filter(|(_, core)| !core.is_edf) {
            let mut own: Vec<(i64, u64, usize)> = Vec::new();
            let mut without = 0;
            for (index, (&task, host)) in hosts.iter().zip(tasks.iter()).enumerate() {
                if host.core != number {
                    continue;
                }
                match self.platform.priorities[task] {
                    Some(priority) => own.push((priority.saturating_neg(), host.deadline, index)),
                    None => without += 1,
                }
            }
            if own.is_empty() || without > 0 {
                if !own.is_empty() {
                    let what = format!("priorities on {}", core.name);
                    let why = format!("{without} of its tasks have none");
                    self.questions.ask("chain.tasks", what, "shorter deadlines first", why);
                }
                continue;
            }
            own.sort_unstable();
            if own.windows(2).any(|pair| pair[0].0 == pair[1].0) {
                let what = format!("equal priorities on {}", core.name);
                self.questions.ask(
                    "chain.tasks",
                    what,
                    "shorter deadlines first",
                    "a rank belongs to one task",
                );
            }
            ranked |= own.len() > 1;
            for (rank, &(_, _, index)) in (1..).zip(&own) {
                tasks[index].priority = Some(rank);
            }
        }
        if ranked {
            let why = "AMALTHEA leaves it to the operating system; OSEK and AUTOSAR have it so";
            self.questions.ask(
                "chain.tasks",
                "which priority is the more urgent one",
                "the larger number",
                why,
            );
        }
    }

    /// What holds for all tasks.
    pub(super) fn about_all(&mut self, tasks: &[HostTask]) {
        if tasks.is_empty() {
            return;
        }
        if !self.kernels.is_empty() {
            let why = "AMALTHEA does not say what a core does while a task waits for the GPU";
            self.questions.ask("chain.tasks", "waiting for the GPU", "suspend", why);
        }
        let why = "what cores read and write is taken to be part of their ticks";
        self.questions.ask("chain.tasks", "time of label accesses of the host", "none of its own", why);
        let by_use = self.sides.iter().filter(|side| **side == (Side::Device, Because::Use)).count();
        if by_use > 0 {
            let what =
                format!("whose memory {} in", if by_use == 1 { "1 label is" } else { "some labels are" });
            let why =
                format!("{by_use} without a mapping or a telling name, which only tasks of the GPU use");
            self.questions.ask("chain.tasks", what, "the GPU's", why);
        }
    }
}

fn is_edf(algorithm: &str) -> bool {
    algorithm.contains("EarliestDeadlineFirst") || algorithm == "EDF"
}

fn is_by_priority(algorithm: &str) -> bool {
    ["FixedPriority", "OSEK", "RateMonotonic", "DeadlineMonotonic", "PriorityBased"]
        .iter()
        .any(|known| algorithm.contains(known))
}
