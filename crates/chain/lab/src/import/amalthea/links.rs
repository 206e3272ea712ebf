//! Tasks of a chain that activate others and wait for them: the tasks of the model by their numbers in the chain.
//!
//! A task that nothing keeps, as nothing it does takes time, is neither activated nor waited for: lower sides hold, as is said where it is
//! left out. One whose activation is not in the chain after all says so.

use super::activation::late;
use super::mapped::{Deed, HostTask, Kept, Mapper};
use super::questions::Asked;
use base::Nanos;
use base::people::counted;
use chain::{Code, Safe};

impl Mapper<'_> {
    /// Whom a task activates through a stimulus, of those whose activation is in the chain.
    pub(super) fn activates(&self, task: usize, stimulus: usize) -> Vec<usize> {
        let through = |other: usize| {
            let stimuli = self.model.tasks.get(other).into_iter().flat_map(|other| &other.stimuli);
            stimuli.filter_map(|one| self.model.stimuli.find(one)).any(|one| one == stimulus)
        };
        let all = self.activated.iter().filter(|&(_, by)| *by == task);
        all.map(|(&other, _)| other).filter(|&other| through(other)).collect()
    }

    /// Tasks by their numbers in the chain.
    pub(super) fn links(&mut self, kept: &[Kept], tasks: &mut [HostTask]) {
        let place = |task: usize| kept.iter().position(|kept| kept.task == task);
        let mut by: Vec<Option<usize>> = vec![None; tasks.len()];
        for (number, task) in tasks.iter_mut().enumerate() {
            let mut segments = std::mem::take(&mut task.segments);
            let all = segments.len();
            segments.retain_mut(|segment| match &mut segment.act {
                Deed::Activate(other) | Deed::Await(other) => match place(*other) {
                    Some(at) => {
                        *other = at;
                        true
                    }
                    None => false,
                },
                _ => true,
            });
            if segments.len() < all {
                segments.dedup_by(|next, before| match (&next.act, &mut before.act) {
                    (Deed::Ticks(more), Deed::Ticks(ticks)) => {
                        *ticks = ticks.saturating_add(*more);
                        true
                    }
                    _ => false,
                });
            }
            for segment in &segments {
                if let Deed::Activate(other) = segment.act {
                    by[other] = Some(number);
                }
            }
            task.segments = segments;
        }
        for (number, kept) in kept.iter().enumerate() {
            if !self.activated.contains_key(&kept.task) {
                continue;
            }
            if let Some(by) = by[number] {
                // The same, unless a period had to be taken.
                tasks[number].period = tasks[by].period;
                tasks[number].deadline = tasks[number].deadline.min(tasks[by].period);
                let is_awaited = tasks[by].segments.iter().any(|segment| segment.act == Deed::Await(number));
                if !is_awaited {
                    self.lost(kept.task, number);
                }
                continue;
            }
            let Some(said) = self.model.tasks.get(kept.task) else { continue };
            let stimulus = said.stimuli.first().map(|stimulus| stimulus.name()).unwrap_or_default();
            let what = format!("the period of {}", said.name);
            let value = Nanos(tasks[number].period).to_string();
            let path = format!("chain.tasks[{number}].period");
            self.questions.add(Asked::new(Code::Jitter, path, what, value, late(&stimulus)));
        }
    }
    /// Activations that come too close upon each other may be lost: in the chain they wait.
    fn lost(&mut self, task: usize, number: usize) {
        let Some(said) = self.model.tasks.get(task).filter(|said| said.jobs > 0) else { return };
        let what = format!("how many activations of {} may wait", said.name);
        let jobs = counted(usize::try_from(said.jobs).unwrap_or(usize::MAX), "job");
        let why = format!(
            "{}: at most {jobs} of it may be there at once, and further activations are lost",
            said.place
        );
        let path = format!("chain.tasks[{number}].activation");
        self.questions.add(Asked::new(Code::Jitter, path, what, "any number", why).safe(Safe::Upper));
    }
}
