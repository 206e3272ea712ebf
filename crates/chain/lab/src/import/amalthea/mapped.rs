//! A model as a chain: host tasks with their segments, kernels they launch, cores, and all that had to be asked.
//!
//! A task on a GPU becomes segments of the task that activates it: what is copied in, what runs, what is copied out,
//! where the activation stands; that task waits for it. One that is activated by time alone gets a host task that does
//! nothing else. Periods and deadlines are rounded down to whole nanoseconds, as shorter ones are worse.

use std::collections::{BTreeMap, BTreeSet};

use super::activation::{Activation, Activations};
use super::flatten::{Flattener, Gap};
use super::graph::Graph;
pub use super::host::Order;
use super::model::{Arrival, Model, UnitKind};
use super::notes::Place;
use super::offload::{Does, Made};
use super::pattern::{Because, Side, sides};
use super::placing::{Open, on_gpu, place};
use super::platform::{Platform, own_name};
use super::questions::{Asked, Questions};
use super::straight::{Straight, activated};
use base::Problem;
use base::people::counted;
use base::problem::quoted;
use chain::{Code, Safe, Wait};

/// The most tasks of a model, with those of the GPU.
pub const MOST_TASKS: usize = 200;
/// The most tasks of a chain: of the model's tasks those of cores that take time.
pub const MOST_HOSTS: usize = 50;
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

/// A chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mapped {
    /// Cores that tasks run on.
    pub cores: Vec<Core>,
    /// Kernels that tasks launch.
    pub kernels: Vec<Kernel>,
    /// Host tasks.
    pub tasks: Vec<HostTask>,
    /// The GPU's clock in hertz.
    pub gpu_hertz: u64,
    /// How many multiprocessors the GPU has, where the model says so.
    pub sms: Option<u64>,
    /// How many bytes a second are copied, where the model says so.
    pub copy_rate: Option<u64>,
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
    /// How it chooses among its tasks.
    pub order: Order,
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
    /// What its core does while it waits.
    pub wait: Wait,
    /// What it does. Other tasks are meant by their numbers here.
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
    /// Another task is activated.
    Activate(usize),
    /// The task waits for the end of another one that it has activated.
    Await(usize),
}

impl Deed {
    /// Whether it takes time by itself.
    pub fn takes_time(&self) -> bool {
        !matches!(self, Self::Activate(_) | Self::Await(_))
    }
}

/// Makes a chain of a model, or says why it cannot be one.
pub fn mapped(model: &Model) -> Result<Mapped, Vec<Problem>> {
    let wrong = |what: String, expected: String| Err(vec![Problem::at("swModel", what, expected)]);
    if model.tasks.is_empty() {
        return wrong("no task".to_owned(), "at least one task or interrupt routine".to_owned());
    }
    if model.tasks.len() > MOST_TASKS {
        return wrong(counted(model.tasks.len(), "task"), format!("at most {MOST_TASKS}"));
    }
    let mut platform = Platform::of(model);
    let graph = Graph::of(model, &platform);
    let chosen = on_gpu(&platform, &graph);
    let on_gpu: BTreeSet<usize> = chosen.keys().copied().collect();
    let triggers: Vec<BTreeSet<usize>> = (0..model.tasks.len()).map(|task| graph.triggers(task)).collect();
    let sides = sides(model, &platform, &graph, &on_gpu);
    let of_gpu = |(label, (side, _)): (usize, &(Side, Because))| (*side == Side::Device).then_some(label);
    platform.device_labels = sides.iter().enumerate().filter_map(of_gpu).collect();
    let launched = launched(model, &platform, &on_gpu)?;
    let straight: Vec<Straight> = (0..model.tasks.len()).map(|task| Straight::of(model, task)).collect();
    let activated = activated(model, &graph, &straight, &on_gpu);
    let mut mapper = Mapper {
        model,
        straight: &straight,
        activated: &activated,
        sides,
        graph: &graph,
        platform: &platform,
        triggers: &triggers,
        on_gpu: &on_gpu,
        launched: &launched,
        questions: Questions::default(),
        kernels: Vec::new(),
        kernel_names: BTreeSet::new(),
        made: BTreeMap::new(),
        inlined: BTreeSet::new(),
        sms: None,
        gpu_accesses: false,
    };
    mapper.chosen(chosen.iter().filter(|(_, open)| **open == Open::Yes).map(|(task, _)| *task));
    mapper.run()
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

pub(super) struct Mapper<'m> {
    pub(super) model: &'m Model,
    /// What each task does in any case.
    pub(super) straight: &'m [Straight],
    /// For each task that one other activates, that one.
    pub(super) activated: &'m BTreeMap<usize, usize>,
    pub(super) platform: &'m Platform,
    pub(super) graph: &'m Graph,
    pub(super) sides: Vec<(Side, Because)>,
    triggers: &'m [BTreeSet<usize>],
    pub(super) on_gpu: &'m BTreeSet<usize>,
    pub(super) launched: &'m BTreeMap<usize, u128>,
    pub(super) questions: Questions,
    pub(super) kernels: Vec<Kernel>,
    pub(super) kernel_names: BTreeSet<String>,
    /// Segments of tasks on a GPU that were made already.
    pub(super) made: BTreeMap<usize, Made>,
    /// Tasks on a GPU that a host task waits for.
    pub(super) inlined: BTreeSet<usize>,
    /// How many multiprocessors the GPU has, where the model says so.
    pub(super) sms: Option<u64>,
    /// Whether tasks on a GPU read or write labels.
    pub(super) gpu_accesses: bool,
}

impl Mapper<'_> {
    fn run(&mut self) -> Result<Mapped, Vec<Problem>> {
        let mut activations = Activations::new(self.model, self.triggers, self.activated);
        let all: Vec<Activation> = (0..self.model.tasks.len()).map(|task| activations.of(task)).collect();
        let hosts = self.hosts();
        let known = |task: &usize| all[*task].period.map(|period| (*task, period));
        let periods: BTreeMap<usize, u64> = hosts.iter().filter_map(known).collect();
        let placed = place(self.model, self.platform, &hosts, &periods, self.launched)?;
        let gpu_hertz = self.device();
        let (mut cores, core_of) = self.cores(&hosts, &placed);
        let longest = periods.values().max().map(|period| period / 1_000);
        let (mut tasks, mut kept): (Vec<HostTask>, Vec<Kept>) = (Vec::new(), Vec::new());
        let mut problems = Vec::new();
        let mut names = BTreeSet::new();
        for &task in &hosts {
            let Some(said) = self.model.tasks.get(task) else { continue };
            let at = format!("chain.tasks[{}]", tasks.len());
            let name = own_name(&mut names, &said.name, None);
            match self.segments(task, placed.get(&task).and_then(|placed| placed.unit), &at) {
                Ok(does) if !does.segments.iter().any(|segment| segment.act.takes_time()) => {
                    names.remove(&name);
                    self.without_work(task, &name);
                }
                Ok(Does { segments, wait, accesses }) => {
                    let number = core_of.get(&task).copied().unwrap_or_default();
                    let (period, deadline) = self.times(task, &all[task], longest, &at);
                    if let Some(placed) = placed.get(&task) {
                        self.ask_core(&at, placed, cores.get(number), self.on_gpu.contains(&task));
                    }
                    let preemptive = !matches!(said.preemption.as_str(), "non_preemptive" | "cooperative");
                    if said.preemption == "cooperative" {
                        let what = format!("whether {name} is preempted");
                        let why = format!("{}: it gives its core away between runnables", said.place);
                        let path = format!("{at}.preemptive");
                        let asked = Asked::new(Code::Scheduling, path, what, "not while it computes", why);
                        self.questions.add(asked.safe(Safe::Upper));
                    }
                    kept.push(Kept { task, accesses });
                    let (core, priority) = (number, None);
                    tasks.push(HostTask {
                        name,
                        core,
                        period,
                        deadline,
                        priority,
                        preemptive,
                        wait,
                        segments,
                    });
                }
                Err(problem) => problems.push(problem),
            }
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        self.not_too_many_tasks(&tasks)?;
        self.links(&kept, &mut tasks);
        self.priorities(&kept, &cores, &mut tasks);
        self.left_out(&hosts);
        self.about_all(&kept, &tasks);
        super::host::slow_clocks(&mut cores, &mut tasks);
        let copy_rate = self.copy_rate(&tasks);
        let kernels = std::mem::take(&mut self.kernels);
        let asked = std::mem::take(&mut self.questions).into_list();
        Ok(Mapped { cores, kernels, tasks, gpu_hertz, sms: self.sms, copy_rate, asked })
    }

    /// A task of which nothing takes time: it is left out. What it waits for or holds is asked elsewhere.
    fn without_work(&mut self, task: usize, name: &str) {
        let place = self.model.tasks.get(task).map_or(Place::FIRST, |task| task.place);
        let why = format!("{place}: nothing it does takes time");
        let asked = Asked::new(Code::Work, "chain.tasks", format!("what {name} does"), "left out", why);
        self.questions.add(asked.safe(Safe::Lower));
    }

    fn not_too_many_tasks(&self, tasks: &[HostTask]) -> Result<(), Vec<Problem>> {
        let place = self.model.tasks.get(0).map_or(Place::FIRST, |task| task.place);
        let wrong = |what: String, expected: String| {
            Err(vec![Problem::at(format!("{place}, in swModel"), what, expected)])
        };
        if tasks.len() > MOST_HOSTS {
            let what = format!("{} of cores that take time", counted(tasks.len(), "task"));
            return wrong(what, format!("at most {MOST_HOSTS}"));
        }
        if tasks.is_empty() {
            let all = counted(self.model.tasks.len(), "task");
            let labels = match self.model.labels.is_empty() {
                true => "",
                false => "; what labels take to read and write is not modelled",
            };
            let what = format!("{all}, of which none works: there are no ticks, instructions or needs");
            return wrong(what, format!("a task that works{labels}"));
        }
        Ok(())
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
            let asked = super::words::of(gap, task, at, &place.to_string());
            // How often something is triggered, and by whom, matters to those that are.
            let is_for_all = matches!(gap, Gap::Counted | Gap::Unknown(..) | Gap::MissingStimulus(_));
            let touches = is_for_all.then(|| "chain".to_owned());
            self.questions.add(asked.touching(touches));
        }
    }

    /// Tasks on a GPU that nothing in the chain waits for, and activations that are on no worst branch.
    fn left_out(&mut self, hosts: &[usize]) {
        for &task in self.on_gpu.iter().filter(|task| !hosts.contains(task)) {
            if !self.inlined.contains(&task)
                && let Some(task) = self.model.tasks.get(task)
            {
                let why = format!("{}: it is activated on a branch that is not the worst one", task.place);
                let what = format!("when {} runs", task.name);
                self.questions.add(Asked::new(Code::Work, "chain.tasks", what, "never", why));
            }
            self.other_activations(task);
        }
    }

    /// A task on a GPU is part of those that activate it; whatever else activates it is left out.
    fn other_activations(&mut self, task: usize) {
        let Some(said) = self.model.tasks.get(task) else { return };
        let is_other = |stimulus: &&super::refs::Ref| {
            let found = self.model.stimuli.at(stimulus);
            !found
                .is_some_and(|(_, found)| found.arrival == Arrival::Triggered && found.conditions.is_empty())
        };
        let others: Vec<String> =
            said.stimuli.iter().filter(is_other).map(|one| quoted(&one.name())).collect();
        if !others.is_empty() {
            let what = format!("when else {} is activated", said.name);
            let why = format!(
                "{}: it has the stimuli {}, which are no activations by tasks alone",
                said.place,
                others.join(", ")
            );
            self.questions.add(Asked::new(
                Code::Period,
                "chain",
                what,
                "only by the tasks that activate it",
                why,
            ));
        }
    }
}

/// A task of the model that is a task of the chain.
pub(super) struct Kept {
    /// Its number in the model.
    pub(super) task: usize,
    /// Whether it reads or writes labels on a core.
    pub(super) accesses: bool,
}
