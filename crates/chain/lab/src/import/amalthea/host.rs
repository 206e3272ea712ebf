//! The host's side of a plan: cores, who is on them, priorities, and the GPU's frame.

use std::collections::{BTreeMap, BTreeSet};

use super::mapped::{CORE_HERTZ, Core, Deed, GPU_HERTZ, HostTask, Kept, Mapper};
use super::meta::{self, Fate, Within};
use super::model::UnitKind;
use super::placing::Placed;
use super::platform::Facts;
use super::questions::{Asked, Grid, grid};
use base::people::counted;
use chain::{Code, Safe};

/// The most cores that are listed though no task is on them.
const MOST_IDLE: usize = 16;
/// The slowest clock that a chain has.
const SLOWEST: u64 = 1_000_000;

impl Mapper<'_> {
    fn ask(&mut self, code: Code, path: &str, what: String, value: &str, why: String) {
        self.questions.add(Asked::new(code, path, what, value, why));
    }

    /// The GPU's clock; asks for what a model never says of the GPU.
    pub(super) fn device(&mut self) -> u64 {
        let gpus: Vec<usize> = self.platform.of_kind(UnitKind::Gpu).collect();
        let unit = gpus.first().and_then(|&unit| self.platform.units.get(unit).cloned());
        // Without a GPU nothing runs on it.
        let (Some(unit), Some(&first)) = (unit, gpus.first()) else { return GPU_HERTZ };
        self.sms = self.platform.multiprocessors(self.model, first);
        let gpu = vec!["chain.machine".to_owned()];
        let said = match self.sms {
            Some(sms) => format!(
                "{} are the model's",
                counted(usize::try_from(sms).unwrap_or(usize::MAX), "multiprocessor")
            ),
            None => "AMALTHEA does not say what a GPU can hold".to_owned(),
        };
        let why = format!("{said}; the model calls it {}", unit.name);
        // Without grids a kernel alone takes what the model says, whatever the GPU is.
        let safe = if self.says_grids() { Safe::Neither } else { Safe::Lower };
        let asked = Asked::new(Code::Gpu, "chain.device", "the GPU", "jetson-tx2", why);
        self.questions.add(asked.touching(gpu.clone()).safe(safe));
        let why =
            "AMALTHEA does not say what one does in a cycle; it is not used where kernels say their cycles";
        let asked = Asked::new(Code::Gpu, "chain.machine", "its multiprocessors", "cc-6.2", why);
        self.questions.add(asked.safe(safe));
        if gpus.len() > 1 {
            let what = format!("which of {} GPUs", gpus.len());
            let asked = Asked::new(
                Code::Gpu,
                "chain.device",
                what,
                "the first, for all kernels",
                "a chain has one GPU",
            );
            self.questions.add(asked.touching(gpu.clone()));
        }
        if !unit.kind_is_said {
            let why = format!("{}: its definition says no puType; its name does", unit.place);
            self.ask(Code::Gpu, "chain.device", format!("whether {} is a GPU", unit.name), "it is", why);
        }
        self.clock(&unit, "chain.clock", "the GPU's clock".to_owned(), GPU_HERTZ)
    }

    /// Whether anything says how many blocks or threads a kernel has.
    fn says_grids(&self) -> bool {
        let tasks = self.model.tasks.iter().map(|task| &task.custom);
        let runnables = self.model.runnables.iter().map(|runnable| &runnable.custom);
        tasks.chain(runnables).any(|custom| grid(custom.iter()) != Grid::default())
    }

    /// A unit's clock, or one to go on with.
    fn clock(&mut self, unit: &Facts, path: &str, what: String, otherwise: u64) -> u64 {
        let Some(hertz) = unit.hertz else {
            let why = format!("{}: no frequency in the model", unit.place);
            self.ask(Code::Clock, path, what, &format!("{otherwise} Hz"), why);
            return otherwise;
        };
        if !unit.clock_is_sure {
            let why =
                format!("{}: it is no whole number of hertz, or one of several frequencies", unit.place);
            self.ask(Code::Clock, path, what, &format!("{hertz} Hz"), why);
        }
        hertz
    }

    /// Asks about tasks that could run on a GPU or elsewhere.
    pub(super) fn chosen(&mut self, tasks: impl Iterator<Item = usize>) {
        for task in tasks.filter_map(|task| self.model.tasks.get(task)) {
            let why =
                format!("{}: its work is told for GPUs and for others, and nothing maps it", task.place);
            let what = format!("where {} runs", task.name);
            self.ask(Code::Core, "chain.kernels", what, "on the GPU", why);
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
            let Some(facts) = self.platform.units.get(unit).cloned() else { continue };
            let path = format!("chain.cores[{}]", cores.len());
            let on: Vec<usize> = hosts
                .iter()
                .copied()
                .filter(|task| placed.get(task).and_then(|placed| placed.unit) == Some(unit))
                .collect();
            let order = self.scheduling(&facts, &on, &format!("{path}.scheduler"));
            if facts.kind == UnitKind::Accelerator {
                let why = format!("{}: it is neither a core nor a GPU", facts.place);
                self.ask(Code::Core, &path, format!("what {} is", facts.name), "a core", why);
            }
            let what = format!("the clock of {}", facts.name);
            let hertz = self.clock(&facts, &format!("{path}.clock"), what, CORE_HERTZ);
            cores.push(Core { name: facts.name.clone(), hertz, order });
        }
        if cores.is_empty() {
            let value = format!("one, at {CORE_HERTZ} Hz");
            self.ask(
                Code::Core,
                "chain.cores",
                "the host's cores".to_owned(),
                &value,
                "the model has none".to_owned(),
            );
            cores.push(Core { name: "cpu".to_owned(), hertz: CORE_HERTZ, order: Order::Priority });
        }
        let number = |unit: usize| listed.iter().position(|&one| one == unit);
        let of = |task: &usize| Some((*task, number(placed.get(task)?.unit?)?));
        (cores, hosts.iter().filter_map(of).collect())
    }

    /// How a core chooses among its tasks, by the schedulers that these have.
    fn scheduling(&mut self, core: &Facts, on: &[usize], path: &str) -> Order {
        let schedulers: BTreeSet<usize> =
            on.iter().flat_map(|&task| &self.platform.schedulers[task]).copied().collect();
        let said: Vec<_> =
            schedulers.iter().filter_map(|&scheduler| self.model.schedulers.get(scheduler)).collect();
        // Controllers of interrupts go before schedulers of tasks.
        let mut of_tasks: Vec<&str> = Vec::new();
        for (&task, scheduler) in
            on.iter().flat_map(|task| self.platform.schedulers[*task].iter().map(move |s| (task, s)))
        {
            let is_interrupt = self.model.tasks.get(task).is_some_and(|task| task.is_interrupt);
            if let Some(scheduler) = self.model.schedulers.get(*scheduler).filter(|_| !is_interrupt) {
                of_tasks.push(&scheduler.algorithm);
            }
        }
        let algorithms: BTreeSet<&str> = of_tasks.iter().copied().collect();
        let algorithm = algorithms.first().copied().unwrap_or_default().to_owned();
        let order = Order::of(&algorithm);
        let value = if order == Order::Edf { "edf" } else { "fixed-priority" };
        let mut doubts: Vec<String> = Vec::new();
        if algorithms.len() > 1 {
            doubts.push("tasks of several schedulers with different algorithms are on it".to_owned());
        }
        if said.iter().any(|scheduler| scheduler.has_parent) {
            doubts.push("another scheduler decides before its scheduler, which is not analysed".to_owned());
        }
        for algorithm in algorithms {
            if algorithm.is_empty() {
                continue;
            }
            if meta::fate(Within::Scheduler, algorithm) != Some(Fate::Modelled) {
                doubts.push(format!("the model says {algorithm:.100}, which is not analysed"));
            }
        }
        if algorithm.is_empty() && on.len() > 1 {
            doubts.push("the model does not say how it chooses among its tasks".to_owned());
        }
        let interrupts = |task: &usize| self.model.tasks.get(*task).is_some_and(|task| task.is_interrupt);
        if order == Order::Edf && on.iter().any(interrupts) && on.len() > 1 {
            doubts.push("interrupts go before tasks, whatever their deadlines".to_owned());
        }
        for why in doubts {
            self.ask(Code::Scheduling, path, format!("the scheduler of {}", core.name), value, why);
        }
        order
    }

    /// Asks for a task's core where the model leaves a choice.
    pub(super) fn ask_core(&mut self, at: &str, placed: &Placed, core: Option<&Core>, is_on_gpu: bool) {
        let Some(core) = core.filter(|_| placed.unit.is_some()) else { return };
        let path = format!("{at}.core");
        if is_on_gpu {
            let why = "it is a task of the GPU that no other task activates; a core launches it".to_owned();
            self.ask(Code::Core, &path, "who launches it".to_owned(), &core.name, why);
        } else if placed.choices > 1 {
            let choices = counted(placed.choices, "core");
            let why = match placed.is_allocated {
                true => format!("the model allows {choices}; the one with the least to do so far"),
                false => format!("no allocation; of {choices} the one with the least to do so far"),
            };
            self.ask(Code::Core, &path, "its core".to_owned(), &core.name, why);
        }
    }

    /// Ranks of the tasks on each core, where all of them have a priority.
    pub(super) fn priorities(&mut self, kept: &[Kept], cores: &[Core], tasks: &mut [HostTask]) {
        let mut ranked: Vec<String> = Vec::new();
        for (number, core) in cores.iter().enumerate().filter(|(_, core)| core.order != Order::Edf) {
            let on: Vec<usize> = (0..tasks.len()).filter(|&index| tasks[index].core == number).collect();
            let places = |on: &[usize]| {
                on.iter().map(|index| format!("chain.tasks[{index}].priority")).collect::<Vec<_>>()
            };
            let is_interrupt = |index: usize| {
                let task = kept.get(index).and_then(|kept| self.model.tasks.get(kept.task));
                task.is_some_and(|task| task.is_interrupt)
            };
            let priority =
                |index: usize| kept.get(index).and_then(|kept| self.platform.priorities[kept.task]);
            self.groups(kept, &on);
            let (interrupts, others): (Vec<usize>, Vec<usize>) =
                on.iter().partition(|&&index| is_interrupt(index));
            let without = others.iter().filter(|&&index| priority(index).is_none()).count();
            let by_priority = core.order == Order::Priority && without == 0;
            if interrupts.is_empty() && !by_priority && core.order != Order::Rate {
                // Shorter deadlines first, which a document without priorities says.
                if core.order == Order::Priority && on.len() > 1 {
                    let what = format!("priorities on {}", core.name);
                    let why = format!("{without} of its tasks have none");
                    let asked =
                        Asked::new(Code::Priority, "chain.tasks", what, "shorter deadlines first", why);
                    self.questions.add(asked.touching(places(&on)));
                }
                continue;
            }
            // Smaller first: interrupts, then as the core says, then shorter deadlines.
            let key = |index: usize| -> (bool, i128) {
                let urgent = match (core.order, priority(index)) {
                    (Order::Rate, _) if !is_interrupt(index) => i128::from(tasks[index].period),
                    (Order::Priority, Some(priority)) if by_priority || is_interrupt(index) => {
                        -i128::from(priority)
                    }
                    _ => i128::from(tasks[index].deadline),
                };
                (!is_interrupt(index), urgent)
            };
            let mut own: Vec<((bool, i128), u64, usize)> =
                on.iter().map(|&index| (key(index), tasks[index].deadline, index)).collect();
            base::sort::sort(&mut own);
            if !interrupts.is_empty() && !others.is_empty() {
                let what = format!("interrupts on {}", core.name);
                let why = "their priorities are not those of tasks";
                let asked = Asked::new(Code::Priority, "chain.tasks", what, "before all tasks", why);
                self.questions.add(asked.touching(places(&interrupts)));
            }
            let differ = own.windows(2).any(|pair| pair[0].0 != pair[1].0 && pair[0].0.0 == pair[1].0.0);
            if differ && core.order == Order::Priority && !core.is_osek(self, kept, &on) {
                ranked.extend(places(&on));
            }
            // Equal ones share a rank: any of them may go first.
            let (mut rank, mut last) = (0, None);
            for (key, _, index) in own {
                rank += u64::from(last != Some(key));
                last = Some(key);
                tasks[index].priority = Some(rank);
            }
        }
        if !ranked.is_empty() {
            let why = "AMALTHEA leaves it to the operating system; OSEK and AUTOSAR have it so";
            let what = "which priority is the more urgent one";
            let asked = Asked::new(Code::Priority, "chain.tasks", what, "the larger number", why);
            self.questions.add(asked.touching(ranked));
        }
    }

    /// Tasks of one group do not preempt each other, which ranks do not say.
    fn groups(&mut self, kept: &[Kept], on: &[usize]) {
        let group = |index: usize| {
            let task = kept.get(index).and_then(|kept| self.model.tasks.get(kept.task));
            task.map(|task| task.group).filter(|&group| group > 0)
        };
        let shared: Vec<usize> = on
            .iter()
            .copied()
            .filter(|&index| {
                group(index).is_some_and(|own| on.iter().filter(|&&o| group(o) == Some(own)).count() > 1)
            })
            .collect();
        if !shared.is_empty() {
            let touches = shared.iter().map(|index| format!("chain.tasks[{index}].preemptive"));
            let why = "tasks of one OSEK group do not preempt each other";
            let what = "groups of tasks";
            let asked = Asked::new(Code::Scheduling, "chain.tasks", what, "none", why).touching(touches);
            self.questions.add(asked);
        }
    }
}

impl Core {
    /// Whether its tasks are scheduled by OSEK, whose larger priorities are the more urgent ones.
    fn is_osek(&self, mapper: &Mapper<'_>, kept: &[Kept], on: &[usize]) -> bool {
        on.iter().filter_map(|&index| kept.get(index)).all(|kept| {
            let mut all = mapper.platform.schedulers[kept.task].iter();
            let of = |scheduler: &usize| mapper.model.schedulers.get(*scheduler);
            let is_interrupt = mapper.model.tasks.get(kept.task).is_some_and(|task| task.is_interrupt);
            is_interrupt || all.any(|scheduler| of(scheduler).is_some_and(|of| of.algorithm == "OSEK"))
        })
    }
}

/// How a core chooses among its tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// By priorities.
    Priority,
    /// Shorter deadlines first.
    Deadline,
    /// Shorter periods first.
    Rate,
    /// The next deadline first.
    Edf,
}

impl Order {
    fn of(algorithm: &str) -> Self {
        match algorithm {
            "DeadlineMonotonic" => Self::Deadline,
            "RateMonotonic" => Self::Rate,
            "EarliestDeadlineFirst" | "EDF" => Self::Edf,
            _ => Self::Priority,
        }
    }
}

/// Clocks slower than any a chain has become so many times faster, and all ticks on them so many times as many.
pub(super) fn slow_clocks(cores: &mut [Core], tasks: &mut [HostTask]) {
    for (number, core) in cores.iter_mut().enumerate().filter(|(_, core)| core.hertz < SLOWEST) {
        let factor = SLOWEST.div_ceil(core.hertz.max(1));
        core.hertz = core.hertz.saturating_mul(factor);
        for segment in tasks.iter_mut().filter(|task| task.core == number).flat_map(|task| &mut task.segments)
        {
            if let Deed::Ticks(ticks) = &mut segment.act {
                *ticks = ticks.saturating_mul(factor);
            }
        }
    }
}
