//! A model as a chain: host tasks with their segments, kernels they launch, cores, and all that had to be asked.
//!
//! A task on a GPU becomes segments of the task that activates it: what is copied in, what runs, what is copied out,
//! where the activation stands; that task waits for it. One that is activated by time alone gets a host task that does
//! nothing else. Periods and deadlines are rounded down to whole nanoseconds, as shorter ones are worse.

use std::collections::{BTreeMap, BTreeSet};

use super::activation::{Activation, Activations};
use super::flatten::{Flattener, Gap};
use super::graph::Graph;
use super::model::{Model, UnitKind};
use super::notes::Place;
use super::pattern::{Because, Side, sides};
use super::placing::{Open, on_gpu, place};
use super::platform::{Platform, own_name};
use super::questions::{Asked, Questions};
use crate::base::Problem;
use crate::base::people::counted;

/// The most tasks of a model that is made a chain.
pub const MOST_TASKS: usize = 200;
/// The most segments of one task.
pub const MOST_SEGMENTS: usize = 100;
/// A core's clock where the model has none: 1 GHz.
pub const CORE_HERTZ: u64 = 1_000_000_000;
/// The GPU's clock where the model has none: that of the Jetson TX2.
pub const GPU_HERTZ: u64 = 1_300_000_000;
/// A kernel's grid where the model says nothing: it fills the Jetson TX2 in one wave.
pub const BLOCKS: u64 = 4;
/// Threads of a block, likewise.
pub const THREADS: u64 = 1_024;
/// A period in nanoseconds where nothing in the model has one: 100 ms.
const PERIOD: u64 = 100_000_000;

/// A chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// Cores that tasks run on.
    pub cores: Vec<Core>,
    /// Kernels that tasks launch.
    pub kernels: Vec<Kernel>,
    /// Host tasks.
    pub tasks: Vec<HostTask>,
    /// The GPU's clock in hertz.
    pub gpu_hertz: u64,
    /// What was asked.
    pub asked: Vec<Asked>,
}

/// A core.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Core {
    /// Its name.
    pub name: String,
    /// Its clock.
    pub hertz: u64,
    /// Whether deadlines, not priorities, say who runs.
    pub is_edf: bool,
}

/// A kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kernel {
    /// Its name.
    pub name: String,
    /// GPU cycles of the whole kernel alone, taken as those of each block of one wave.
    pub cycles: u64,
    /// Blocks.
    pub blocks: u64,
    /// Threads of a block.
    pub threads: u64,
}

/// A host task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostTask {
    /// Its name.
    pub name: String,
    /// Its core, by its number.
    pub core: usize,
    /// The least time between activations, in nanoseconds.
    pub period: u64,
    /// Nanoseconds from activation.
    pub deadline: u64,
    /// 1 is the most urgent on its core.
    pub priority: Option<u64>,
    /// Whether others may take its core from it.
    pub preemptive: bool,
    /// What it does.
    pub segments: Vec<Segment>,
}

/// What a task does for a while.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    /// What it is about.
    pub label: String,
    /// What is done.
    pub act: Deed,
}

/// What is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Deed {
    /// Its core works, in ticks.
    Ticks(u64),
    /// Bytes go to the GPU.
    CopyIn(u64),
    /// Bytes come back.
    CopyOut(u64),
    /// A kernel runs, by its number.
    Launch(usize),
}

/// Makes a chain of a model, or says why it cannot be one.
pub fn plan(model: &Model) -> Result<Plan, Vec<Problem>> {
    let wrong = |what: String, expected: String| Err(vec![Problem::at("swModel", what, expected)]);
    if model.tasks.is_empty() {
        return wrong("no task".to_owned(), "at least one task or interrupt routine".to_owned());
    }
    if model.tasks.len() > MOST_TASKS {
        return wrong(counted(model.tasks.len(), "task"), format!("at most {MOST_TASKS}"));
    }
    let platform = Platform::of(model);
    let graph = Graph::of(model, &platform);
    let chosen = on_gpu(&platform, &graph);
    let on_gpu: BTreeSet<usize> = chosen.keys().copied().collect();
    let triggers: Vec<BTreeSet<usize>> = (0..model.tasks.len()).map(|task| graph.triggers(task)).collect();
    let launched = launched(model, &platform, &on_gpu)?;
    let mut planner = Planner {
        model,
        sides: sides(model, &platform, &graph, &on_gpu),
        platform: &platform,
        triggers: &triggers,
        on_gpu: &on_gpu,
        launched: &launched,
        questions: Questions::default(),
        kernels: Vec::new(),
        kernel_names: BTreeSet::new(),
        made: BTreeMap::new(),
        inlined: BTreeSet::new(),
    };
    planner.chosen(chosen.iter().filter(|(_, open)| **open == Open::Yes).map(|(task, _)| *task));
    planner.run()
}

/// Picoseconds that a GPU works for each stimulus.
fn launched(
    model: &Model,
    platform: &Platform,
    on_gpu: &BTreeSet<usize>,
) -> Result<BTreeMap<usize, u128>, Vec<Problem>> {
    let none = BTreeMap::new();
    let mut launched: BTreeMap<usize, u128> = BTreeMap::new();
    let mut problems = Vec::new();
    for &task in on_gpu {
        let mut flattener = Flattener::new(model, platform, gpu_of(platform, task), &none);
        let time = flattener.time(task).map_err(|problem| problems.push(problem)).unwrap_or_default();
        for stimulus in model.tasks.get(task).into_iter().flat_map(|task| &task.stimuli) {
            if let Some(stimulus) = model.stimuli.find(stimulus) {
                let all = launched.entry(stimulus).or_default();
                *all = all.saturating_add(time);
            }
        }
    }
    if problems.is_empty() { Ok(launched) } else { Err(problems) }
}

/// The GPU of a task.
pub(super) fn gpu_of(platform: &Platform, task: usize) -> usize {
    let gpu = |unit: &&usize| platform.kind(**unit) == Some(UnitKind::Gpu);
    let allowed = platform.allowed.get(task).and_then(|units| units.iter().find(gpu)).copied();
    allowed.or_else(|| platform.of_kind(UnitKind::Gpu).next()).unwrap_or(usize::MAX)
}

pub(super) struct Planner<'m> {
    pub(super) model: &'m Model,
    pub(super) platform: &'m Platform,
    pub(super) sides: Vec<(Side, Because)>,
    triggers: &'m [BTreeSet<usize>],
    pub(super) on_gpu: &'m BTreeSet<usize>,
    pub(super) launched: &'m BTreeMap<usize, u128>,
    pub(super) questions: Questions,
    pub(super) kernels: Vec<Kernel>,
    pub(super) kernel_names: BTreeSet<String>,
    /// Segments of tasks on a GPU that were made already.
    pub(super) made: BTreeMap<usize, Vec<Segment>>,
    /// Tasks on a GPU that a host task waits for.
    pub(super) inlined: BTreeSet<usize>,
}

impl Planner<'_> {
    fn run(&mut self) -> Result<Plan, Vec<Problem>> {
        let mut activations = Activations::new(self.model, self.triggers);
        let all: Vec<Activation> = (0..self.model.tasks.len()).map(|task| activations.of(task)).collect();
        let hosts = self.hosts();
        let known = |task: &usize| all[*task].period.map(|period| (*task, period));
        let periods: BTreeMap<usize, u64> = hosts.iter().filter_map(known).collect();
        let placed = place(self.model, self.platform, &hosts, &periods, self.launched)?;
        let gpu_hertz = self.device();
        let (cores, core_of) = self.cores(&hosts, &placed);
        let longest = periods.values().max().map(|period| period / 1_000);
        let (mut tasks, mut kept) = (Vec::new(), Vec::new());
        let mut problems = Vec::new();
        let mut names = BTreeSet::new();
        for &task in &hosts {
            let Some(said) = self.model.tasks.get(task) else { continue };
            let at = format!("chain.tasks[{}]", tasks.len());
            let name = own_name(&mut names, &said.name, None);
            match self.segments(task, placed.get(&task).and_then(|placed| placed.unit), &at) {
                Ok(segments) if segments.is_empty() => {
                    let why = format!("{}: nothing it does takes time", said.place);
                    self.questions.ask("chain.tasks", format!("what {name} does"), "left out", why);
                }
                Ok(segments) => {
                    kept.push(task);
                    let core = core_of.get(&task).copied().unwrap_or_default();
                    let (period, deadline) = self.times(task, &all[task], longest, &at);
                    if let Some(placed) = placed.get(&task) {
                        self.ask_core(&at, placed, cores.get(core), self.on_gpu.contains(&task));
                    }
                    let preemptive = !matches!(said.preemption.as_str(), "non_preemptive" | "cooperative");
                    if said.preemption == "cooperative" {
                        let what = format!("whether {name} is preempted");
                        let why = format!("{}: it gives its core away between runnables", said.place);
                        self.questions.ask(&format!("{at}.preemptive"), what, "not while it computes", why);
                    }
                    tasks.push(HostTask {
                        name,
                        core,
                        period,
                        deadline,
                        priority: None,
                        preemptive,
                        segments,
                    });
                }
                Err(problem) => problems.push(problem),
            }
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        self.priorities(&kept, &cores, &mut tasks);
        self.left_out(&hosts);
        self.about_all(&tasks);
        let kernels = std::mem::take(&mut self.kernels);
        let asked = std::mem::take(&mut self.questions).into_list();
        Ok(Plan { cores, kernels, tasks, gpu_hertz, asked })
    }

    /// Tasks that are tasks of the host: all but those on a GPU that another one activates.
    fn hosts(&self) -> Vec<usize> {
        let stimuli = |task: usize| {
            let said = self.model.tasks.get(task).into_iter().flat_map(|task| &task.stimuli);
            said.filter_map(|stimulus| self.model.stimuli.find(stimulus)).collect::<Vec<usize>>()
        };
        let is_waited_for = |task: usize| {
            let of_task = stimuli(task);
            let by = |(other, triggered): (usize, &BTreeSet<usize>)| {
                other != task && of_task.iter().any(|stimulus| triggered.contains(stimulus))
            };
            self.triggers.iter().enumerate().any(by)
        };
        (0..self.model.tasks.len())
            .filter(|task| !self.on_gpu.contains(task) || !is_waited_for(*task))
            .collect()
    }

    pub(super) fn gaps(&mut self, task: usize, gaps: &BTreeMap<Gap, Place>, at: &str) {
        let task = self.model.tasks.get(task).map_or("", |task| task.name.as_str());
        for (gap, place) in gaps {
            let (what, value, why) = super::words::of(gap, task);
            self.questions.ask(at, what, value, format!("{place}: {why}"));
        }
    }

    /// Tasks on a GPU that nothing in the chain waits for, and activations that are on no worst branch.
    fn left_out(&mut self, hosts: &[usize]) {
        for &task in self.on_gpu.iter().filter(|task| !hosts.contains(task)) {
            if !self.inlined.contains(&task)
                && let Some(task) = self.model.tasks.get(task)
            {
                let why = format!("{}: it is activated on a branch that is not the worst one", task.place);
                self.questions.ask("chain.tasks", format!("when {} runs", task.name), "never", why);
            }
        }
    }

    fn times(&mut self, task: usize, activation: &Activation, longest: Option<u64>, at: &str) -> (u64, u64) {
        let name = self.model.tasks.get(task).map_or("", |task| task.name.as_str());
        let remarks = activation.remarks.join("; ");
        // Shorter is worse.
        let said = activation.period.map(|period| period / 1_000).filter(|&period| period > 0);
        let period = said.unwrap_or(longest.unwrap_or(PERIOD).max(1));
        let shown = crate::base::Nanos(period).to_string();
        if said.is_none() {
            let reason = if remarks.is_empty() { "no stimulus activates it" } else { remarks.as_str() };
            let why = format!("{reason}; the longest period of the model, or 100 ms");
            self.questions.ask(&format!("{at}.period"), format!("the period of {name}"), shown, why);
        } else if !remarks.is_empty() {
            self.questions.ask(&format!("{at}.period"), format!("the period of {name}"), shown, remarks);
        }
        let required =
            self.model.deadlines.iter().filter(|one| self.model.tasks.find(&one.task) == Some(task));
        let required = required.map(|one| one.within / 1_000).min().map(|deadline| deadline.max(1));
        match required {
            Some(deadline) if deadline > period => {
                let why =
                    "the model requires a response later than the next activation, which is not looked at";
                let value = crate::base::Nanos(period).to_string();
                self.questions.ask(&format!("{at}.deadline"), format!("the deadline of {name}"), value, why);
                (period, period)
            }
            Some(deadline) => (period, deadline),
            None => (period, period),
        }
    }
}
