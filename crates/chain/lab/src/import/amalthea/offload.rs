//! Segments of tasks: what cores do, what is copied, what the GPU runs for whoever activates it.

use super::flatten::{Flattener, What};
use super::mapped::{BLOCKS, Deed, Kernel, MOST_SEGMENTS, Mapper, Segment, THREADS, gpu_of};
use super::pattern::{Part, parts};
use super::platform::own_name;
use super::questions::{Asked, grid};
use super::waits::{Signals, Waits};
use base::Problem;
use base::people::counted;
use base::problem::quoted;
use chain::{Code, Safe, Wait};

/// What a task does.
pub(super) struct Does {
    /// Its segments.
    pub(super) segments: Vec<Segment>,
    /// What its core does while it waits for the GPU.
    pub(super) wait: Wait,
    /// Whether it reads or writes labels on a core.
    pub(super) accesses: bool,
}

/// The segments of a task on a GPU, and the events it sets.
pub(super) type Made = (Vec<Segment>, Signals);

impl Mapper<'_> {
    /// What a task does on its unit, with what tasks on a GPU do that it activates.
    pub(super) fn segments(&mut self, task: usize, unit: Option<usize>, at: &str) -> Result<Does, Problem> {
        let mut waits = Waits::new(self, task, at);
        if self.on_gpu.contains(&task) {
            // A task of the host launches it and does nothing else.
            let (segments, _) = self.of_gpu(task, &mut Vec::new())?;
            return Ok(Does { segments, wait: Wait::Suspend, accesses: false });
        }
        let mut flattener =
            Flattener::new(self.model, self.platform, unit.unwrap_or(usize::MAX), self.launched);
        let flat = flattener.task(task)?;
        self.gaps(task, &flat.gaps, at);
        let accesses = flat.steps.iter().any(|step| matches!(step.what, What::Access { .. }));
        let parts = parts(&flat.steps, &self.sides, false);
        let mut segments = Vec::new();
        for part in &parts {
            match part {
                Part::Trigger { stimulus } => {
                    for other in self.activates(task, *stimulus) {
                        segments.push(Segment { label: String::new(), act: Deed::Activate(other) });
                        waits.activates(other);
                        self.not_too_many(task, &segments)?;
                    }
                    for gpu_task in self.waiting_for(*stimulus) {
                        let (more, signals) = self.of_gpu(gpu_task, &mut Vec::new())?;
                        segments.extend(more);
                        waits.launches(gpu_task, signals);
                        self.not_too_many(task, &segments)?;
                    }
                }
                Part::Wait { events, is_any, waiting, place } => {
                    let awaited = waits.waits(self, events, (*is_any, *waiting, *place));
                    let act = awaited.map(Deed::Await);
                    segments.extend(act.map(|act| Segment { label: String::new(), act }));
                    self.not_too_many(task, &segments)?;
                }
                Part::Set { .. } => {}
                other => {
                    match other {
                        Part::Host { .. } => waits.works(),
                        _ => waits.uses_gpu(),
                    }
                    self.segment(other, task, parts.len(), at, &mut segments);
                }
            }
        }
        self.not_too_many(task, &segments)?;
        let (wait, asked) = waits.end(self);
        for asked in asked {
            self.questions.add(asked);
        }
        Ok(Does { segments, wait, accesses })
    }

    fn not_too_many(&self, task: usize, segments: &[Segment]) -> Result<(), Problem> {
        let Some(task) = self.model.tasks.get(task).filter(|_| segments.len() > MOST_SEGMENTS) else {
            return Ok(());
        };
        let what = format!("the task {} has more than {MOST_SEGMENTS} segments", quoted(&task.name));
        Err(Problem::at(task.place.to_string(), what, "fewer turns between cores and GPU"))
    }

    /// Tasks on a GPU that a stimulus activates.
    fn waiting_for(&self, stimulus: usize) -> Vec<usize> {
        let waits = |task: &usize| {
            let said = self.model.tasks.get(*task).into_iter().flat_map(|task| &task.stimuli);
            said.filter_map(|one| self.model.stimuli.find(one)).any(|one| one == stimulus)
        };
        self.on_gpu.iter().copied().filter(waits).collect()
    }

    /// The segments of a task on a GPU, with those of tasks on a GPU that it activates, and the events it sets.
    fn of_gpu(&mut self, task: usize, open: &mut Vec<usize>) -> Result<Made, Problem> {
        let Some(said) = self.model.tasks.get(task) else { return Ok(Made::default()) };
        if open.contains(&task) {
            let what = format!("the task {} activates itself on the GPU", quoted(&said.name));
            return Err(Problem::at(said.place.to_string(), what, "activations that end"));
        }
        self.inlined.insert(task);
        if let Some(made) = self.made.get(&task) {
            return Ok(made.clone());
        }
        open.push(task);
        let mut flattener =
            Flattener::new(self.model, self.platform, gpu_of(self.platform, task), self.launched);
        let flat = flattener.task(task)?;
        self.gaps(task, &flat.gaps, "chain.kernels");
        self.gpu_accesses |= flat.steps.iter().any(|step| matches!(step.what, What::Access { .. }));
        let parts = parts(&flat.steps, &self.sides, true);
        let kernels = parts.iter().filter(|part| matches!(part, Part::Kernel { .. })).count();
        let (mut segments, mut signals) = (Vec::new(), Signals::default());
        for part in &parts {
            signals.hear(part);
            match part {
                Part::Trigger { stimulus } => {
                    for next in self.waiting_for(*stimulus) {
                        let (more, others) = self.of_gpu(next, open)?;
                        segments.extend(more);
                        signals.join(&others);
                        self.not_too_many(task, &segments)?;
                    }
                }
                Part::Wait { place, .. } => {
                    let what = format!("how long {} waits for events", said.name);
                    let why = format!("{place}: a chain has no waiting on a GPU");
                    let asked = Asked::new(Code::Waiting, "chain.kernels", what, "not at all", why);
                    self.questions.add(asked.safe(Safe::Lower));
                }
                Part::Set { .. } => {}
                part => self.segment(part, task, kernels, "chain.kernels", &mut segments),
            }
        }
        self.not_too_many(task, &segments)?;
        open.pop();
        self.made.insert(task, (segments.clone(), signals.clone()));
        Ok((segments, signals))
    }

    fn segment(&mut self, part: &Part, task: usize, kernels: usize, at: &str, segments: &mut Vec<Segment>) {
        let name = |runnable: &Option<usize>| {
            let runnable = runnable.and_then(|runnable| self.model.runnables.get(runnable));
            let task = self.model.tasks.get(task).map_or("", |task| task.name.as_str());
            runnable.map_or(task, |runnable| runnable.name.as_str()).to_owned()
        };
        match part {
            Part::Host { ticks, runnables, .. } => {
                let first = runnables.first().copied();
                let more = runnables.len().saturating_sub(1);
                let label = if more > 0 { format!("{} and {more} more", name(&first)) } else { name(&first) };
                // What stood between them, such as the activation of another task of the host, is no segment.
                if let Some(Segment { act: Deed::Ticks(before), .. }) = segments.last_mut() {
                    *before = before.saturating_add(*ticks);
                } else if *ticks > 0 {
                    segments.push(Segment { label, act: Deed::Ticks(*ticks) });
                }
            }
            Part::CopyIn { bytes, runnable, unsized_labels } => {
                let label = name(runnable);
                self.unsized_labels(unsized_labels, at);
                segments.extend((*bytes > 0).then_some(Segment { label, act: Deed::CopyIn(*bytes) }));
            }
            Part::CopyOut { bytes, runnable, unsized_labels } => {
                let label = name(runnable);
                self.unsized_labels(unsized_labels, at);
                segments.extend((*bytes > 0).then_some(Segment { label, act: Deed::CopyOut(*bytes) }));
            }
            Part::Kernel { ticks, runnable, .. } => {
                let label = name(runnable);
                let kernel = self.kernel(*ticks, *runnable, task, kernels);
                segments.push(Segment { label, act: Deed::Launch(kernel) });
            }
            Part::Trigger { .. } | Part::Wait { .. } | Part::Set { .. } => {}
        }
    }

    fn kernel(&mut self, ticks: u64, runnable: Option<usize>, task: usize, kernels: usize) -> usize {
        let index = self.kernels.len();
        let task = self.model.tasks.get(task);
        let runnable = runnable.and_then(|runnable| self.model.runnables.get(runnable));
        let of_task = task.map_or("kernel", |task| task.name.as_str());
        let wanted = match runnable {
            Some(runnable) if kernels > 1 => runnable.name.as_str(),
            _ => of_task,
        };
        let name = own_name(&mut self.kernel_names, wanted, None);
        let custom = runnable.into_iter().flat_map(|runnable| &runnable.custom);
        let grid = grid(task.into_iter().flat_map(|task| &task.custom).chain(custom));
        let path = format!("chain.kernels[{index}]");
        // Two blocks of 1,024 threads fill a multiprocessor.
        let default = self.sms.map_or(BLOCKS, |sms| sms.saturating_mul(2));
        if grid.blocks.is_none() || grid.threads.is_none() {
            let value = format!(
                "{} of {}",
                counted(usize::try_from(grid.blocks.unwrap_or(default)).unwrap_or(usize::MAX), "block"),
                counted(usize::try_from(grid.threads.unwrap_or(THREADS)).unwrap_or(usize::MAX), "thread"),
            );
            let why = "AMALTHEA has no grids; these fill the device in one wave, so that the kernel alone takes what the model says";
            // Both of one wave: alone it takes what the model says in any case.
            let is_said = grid.blocks.is_some() || grid.threads.is_some();
            let safe = if is_said { Safe::Neither } else { Safe::Lower };
            let what = format!("blocks and threads of {name}");
            self.questions.add(Asked::new(Code::Gpu, path, what, value, why).safe(safe));
        }
        let (blocks, threads) = (grid.blocks.unwrap_or(default), grid.threads.unwrap_or(THREADS));
        self.kernels.push(Kernel { name, cycles: ticks.max(1), blocks, threads });
        index
    }

    fn unsized_labels(&mut self, labels: &[usize], at: &str) {
        for label in labels.iter().filter_map(|&label| self.model.labels.get(label)) {
            let why = format!("{}: the label has no size", label.place);
            let what = format!("the size of {}", label.name);
            self.questions.add(Asked::new(Code::Size, at, what, "0 bytes", why).safe(Safe::Lower));
        }
    }
}
