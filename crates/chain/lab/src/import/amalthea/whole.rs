//! What holds for a whole plan: semaphores, overheads, what labels cost, how copies and the GPU go, what is in doubt.

use std::collections::{BTreeMap, BTreeSet};

use super::mapped::{Deed, HostTask, Kept, Mapper};
use super::model::{Runnable, UnitKind};
use super::pattern::{Because, Side};
use super::questions::Asked;
use base::people::{counted, listed};
use base::problem::quoted;
use chain::{Code, Safe};

impl Mapper<'_> {
    /// What holds for all tasks.
    pub(super) fn about_all(&mut self, kept: &[Kept], tasks: &[HostTask]) {
        self.semaphores(kept);
        self.uncalled();
        self.other_deadlines(kept);
        self.overheads();
        self.labels(kept);
        self.sharing(tasks);
        let by_use = self.sides.iter().filter(|side| **side == (Side::Device, Because::Use)).count();
        if by_use > 0 {
            let what =
                format!("whose memory {} in", if by_use == 1 { "1 label is" } else { "some labels are" });
            let why =
                format!("{by_use} without a mapping or a telling name, which only tasks of the GPU use");
            self.questions.add(Asked::new(Code::Size, "chain.tasks", what, "the GPU's", why));
        }
        let doubts = self.model.doubts.iter().map(|doubt| (doubt.place, doubt.text.clone()));
        for (place, text) in doubts.chain(self.platform.doubts.iter().cloned()).collect::<Vec<_>>() {
            let asked = Asked::new(Code::Other, "chain", "what the model means", text, place.to_string());
            self.questions.add(asked);
        }
        if self.model.more_doubts > 0 {
            let what = format!("{} more such things", self.model.more_doubts);
            self.questions.add(Asked::new(Code::Other, "chain", what, "as above", "only so many are listed"));
        }
    }

    /// Semaphores that several tasks ask for: who holds one holds others up.
    fn semaphores(&mut self, kept: &[Kept]) {
        let mut users: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for task in 0..self.model.tasks.len() {
            let mut asks_for = BTreeSet::new();
            self.graph.visit(task, &mut BTreeSet::new(), &mut |node| {
                asks_for.extend(node.semaphores.iter().cloned());
            });
            for semaphore in asks_for {
                users.entry(semaphore).or_default().push(task);
            }
        }
        for (semaphore, users) in users {
            let said = self.model.semaphores.iter().find(|said| said.name == semaphore);
            if users.len() < 2 && said.is_some_and(|said| !said.is_taken) {
                continue;
            }
            let places: Option<Vec<String>> = users
                .iter()
                .map(|user| kept.iter().position(|kept| kept.task == *user))
                .map(|index| index.map(|index| format!("chain.tasks[{index}].priority")))
                .collect();
            let names: Vec<String> = users
                .iter()
                .filter_map(|&user| self.model.tasks.get(user))
                .map(|task| task.name.clone())
                .collect();
            let names: Vec<&str> = names.iter().map(String::as_str).take(5).collect();
            let named = if semaphore.is_empty() {
                "a semaphore".to_owned()
            } else {
                format!("the semaphore {}", quoted(&semaphore))
            };
            let what = format!("who waits for {named}");
            let why = match said {
                Some(said) => format!("{}: {} ask for it, and a chain has none", said.place, listed(&names)),
                None => {
                    format!("{} ask for it; it is not in the model, and a chain has none", listed(&names))
                }
            };
            // What its tasks do by themselves stays as it is: only who goes before whom is not known.
            let asked = Asked::new(Code::Resource, "chain.tasks", what, "nobody", why);
            self.questions.add(asked.touching(places.unwrap_or_default()));
        }
    }

    /// Runnables with work that no task calls: something else may run them.
    fn uncalled(&mut self) {
        let mut called = BTreeSet::new();
        for task in 0..self.model.tasks.len() {
            self.graph.visit(task, &mut called, &mut |_| {});
        }
        let idle: Vec<&Runnable> = self
            .model
            .runnables
            .iter()
            .enumerate()
            .filter(|(index, _)| !called.contains(index) && self.graph.works(*index))
            .map(|(_, runnable)| runnable)
            .collect();
        if let Some(first) = idle.first() {
            let what = format!("{} that no task calls", counted(idle.len(), "runnable"));
            let why = format!("{}: {} is the first of them, and it has work", first.place, first.name);
            let asked = Asked::new(Code::Work, "chain.tasks", what, "never run", why);
            self.questions.add(asked.safe(Safe::Lower));
        }
    }

    /// Responses that are required of what is no task of the chain, such as a task on a GPU that others activate.
    fn other_deadlines(&mut self, kept: &[Kept]) {
        let is_judged = |task: usize| kept.iter().any(|kept| kept.task == task);
        let required = self.model.deadlines.iter().filter_map(|one| self.model.tasks.find(&one.task));
        let own = (0..self.model.tasks.len())
            .filter(|&task| self.model.tasks.get(task).is_some_and(|task| task.within.is_some()));
        let others: BTreeSet<usize> = required.chain(own).filter(|&task| !is_judged(task)).collect();
        for task in others.into_iter().filter_map(|task| self.model.tasks.get(task)) {
            let what = format!("the deadline of {}", task.name);
            let why = format!("{}: it is no task of its own in the chain", task.place);
            // The verdict of all rests on it; the first task stands for that.
            let asked = Asked::new(Code::Deadline, "chain.tasks", what, "not looked at", why);
            self.questions.add(asked.touching(["chain.tasks[0].deadline".to_owned()]));
        }
    }

    /// What takes time in no task.
    fn overheads(&mut self) {
        for overhead in self.model.overheads.iter().take(50) {
            let why = format!("{}: {}", overhead.place, overhead.why);
            let (code, safe) = match overhead.is_time {
                true => (Code::Work, Safe::Lower),
                false => (Code::Resource, Safe::Neither),
            };
            self.questions.add(Asked::new(code, "chain.tasks", &overhead.what, "none", why).safe(safe));
        }
    }

    /// What it takes to read and write labels.
    fn labels(&mut self, kept: &[Kept]) {
        let of_tasks = kept.iter().enumerate().filter(|(_, kept)| kept.accesses);
        let mut touches: Vec<String> = of_tasks.map(|(index, _)| format!("chain.tasks[{index}]")).collect();
        if self.gpu_accesses {
            touches.push("chain.machine".to_owned());
        }
        if touches.is_empty() {
            return;
        }
        let why = "what is read and written is taken to be part of the ticks";
        let asked = Asked::new(Code::Work, "chain.tasks", "time of label accesses", "none of its own", why);
        self.questions.add(asked.safe(Safe::Lower).touching(touches));
    }

    /// How the GPU goes from task to task.
    fn sharing(&mut self, tasks: &[HostTask]) {
        let launches = |task: &&HostTask| task.segments.iter().any(|one| matches!(one.act, Deed::Launch(_)));
        let users = tasks.iter().filter(launches).count();
        let mut said: Vec<String> = Vec::new();
        for &task in self.on_gpu {
            for scheduler in
                self.platform.schedulers[task].iter().filter_map(|&one| self.model.schedulers.get(one))
            {
                let what = match scheduler.algorithm.as_str() {
                    "" => continue,
                    algorithm => format!("{} is {algorithm:.100}", scheduler.name),
                };
                if !said.contains(&what) {
                    said.push(what);
                }
            }
        }
        if users < 2 && said.is_empty() || users == 0 {
            return;
        }
        let why = match said[..] {
            [] => "AMALTHEA does not say how tasks share a GPU".to_owned(),
            _ => format!("{}, which is not analysed", said.join("; ")),
        };
        let asked = Asked::new(
            Code::Sharing,
            "chain.sharing",
            "how tasks share the GPU",
            "in the order of their launches",
            why,
        );
        self.questions.add(asked);
    }

    /// How many bytes a second are copied, where the model has a rate.
    pub(super) fn copy_rate(&mut self, tasks: &[HostTask]) -> Option<u64> {
        let copies = |task: &HostTask| {
            task.segments.iter().any(|one| matches!(one.act, Deed::CopyIn(_) | Deed::CopyOut(_)))
        };
        let gpu = self.platform.of_kind(UnitKind::Gpu).next()?;
        let rate = self.platform.rate(self.model, gpu).map(|bits| bits / 8).filter(|&rate| rate > 0)?;
        if !tasks.iter().any(copies) {
            return None;
        }
        let bytes = counted(usize::try_from(rate).unwrap_or(usize::MAX), "byte");
        let why = "the data rate of the GPU's access to memory; its latencies, and what else is on the way, are not counted";
        let asked = Asked::new(
            Code::CopyRate,
            "chain.device.copy_rate",
            "how fast copies are",
            format!("{bytes} a second"),
            why,
        );
        self.questions.add(asked);
        Some(rate)
    }
}
