//! Segments of tasks: what cores do, what is copied, what the GPU runs for whoever activates it.

use super::flatten::Flattener;
use super::pattern::{Part, parts};
use super::plan::{BLOCKS, Deed, Kernel, MOST_SEGMENTS, Planner, Segment, THREADS, gpu_of};
use super::platform::own_name;
use super::questions::grid;
use crate::base::Problem;
use crate::base::people::counted;
use crate::base::problem::quoted;

impl Planner<'_> {
    /// The segments of a task on its unit, with those of tasks on a GPU that it activates.
    pub(super) fn segments(
        &mut self,
        task: usize,
        unit: Option<usize>,
        at: &str,
    ) -> Result<Vec<Segment>, Problem> {
        if self.on_gpu.contains(&task) {
            return self.of_gpu(task, &mut Vec::new());
        }
        let mut flattener =
            Flattener::new(self.model, self.platform, unit.unwrap_or(usize::MAX), self.launched);
        let flat = flattener.task(task)?;
        self.gaps(task, &flat.gaps, at);
        let parts = parts(&flat.steps, &self.sides, false);
        let mut segments = Vec::new();
        for part in &parts {
            match part {
                Part::Trigger { stimulus } => {
                    for gpu_task in self.waiting_for(*stimulus) {
                        segments.extend(self.of_gpu(gpu_task, &mut Vec::new())?);
                        self.not_too_many(task, &segments)?;
                    }
                }
                other => self.segment(other, task, parts.len(), at, &mut segments),
            }
        }
        self.not_too_many(task, &segments)?;
        Ok(segments)
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

    /// The segments of a task on a GPU, with those of tasks on a GPU that it activates.
    fn of_gpu(&mut self, task: usize, open: &mut Vec<usize>) -> Result<Vec<Segment>, Problem> {
        let Some(said) = self.model.tasks.get(task) else { return Ok(Vec::new()) };
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
        let parts = parts(&flat.steps, &self.sides, true);
        let kernels = parts.iter().filter(|part| matches!(part, Part::Kernel { .. })).count();
        let mut segments = Vec::new();
        for part in &parts {
            if let Part::Trigger { stimulus } = part {
                for next in self.waiting_for(*stimulus) {
                    segments.extend(self.of_gpu(next, open)?);
                    self.not_too_many(task, &segments)?;
                }
            } else {
                self.segment(part, task, kernels, "chain.kernels", &mut segments);
            }
        }
        self.not_too_many(task, &segments)?;
        open.pop();
        self.made.insert(task, segments.clone());
        Ok(segments)
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
            Part::Trigger { .. } => {}
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
        if grid.blocks.is_none() || grid.threads.is_none() {
            let value = format!(
                "{} of {}",
                counted(usize::try_from(grid.blocks.unwrap_or(BLOCKS)).unwrap_or(usize::MAX), "block"),
                counted(usize::try_from(grid.threads.unwrap_or(THREADS)).unwrap_or(usize::MAX), "thread"),
            );
            let why = "AMALTHEA has no grids; these fill the default device in one wave, so that the kernel alone takes what the model says";
            self.questions.ask(&path, format!("blocks and threads of {name}"), value, why);
        }
        let (blocks, threads) = (grid.blocks.unwrap_or(BLOCKS), grid.threads.unwrap_or(THREADS));
        self.kernels.push(Kernel { name, cycles: ticks.max(1), blocks, threads });
        index
    }

    fn unsized_labels(&mut self, labels: &[usize], at: &str) {
        for label in labels.iter().filter_map(|&label| self.model.labels.get(label)) {
            let why = format!("{}: the label has no size", label.place);
            self.questions.ask(at, format!("the size of {}", label.name), "0 bytes", why);
        }
    }
}
