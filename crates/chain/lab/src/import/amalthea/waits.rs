//! What a task waits for: kernels of the tasks on a GPU that it activated, and events that other tasks set.
//!
//! A wait for an event that a task on the GPU sets at its end is the wait for that task, which a chain has; what a core
//! does meanwhile says `waitingBehaviour`. So is the wait for a task of a core, where the one that waits has activated it, in
//! any case and alone, and it sets the event in any case and last. Any other wait is no part of a chain: it is left out, which is no
//! worse than what is true, and so lower sides hold.

use std::collections::BTreeSet;

use super::mapped::Mapper;
use super::model::Waiting;
use super::notes::Place;
use super::pattern::Part;
use super::questions::Asked;
use base::problem::quoted;
use chain::{Code, Safe, Wait};

/// Events that tasks set, and for whom: for all where nobody is named.
pub(super) type Sets = BTreeSet<(String, Option<usize>)>;

/// What parts of a task on a GPU say of its events.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Signals {
    /// The events it sets on its way.
    pub(super) sets: Sets,
    /// Whether something is done after that.
    pub(super) goes_on: bool,
}

impl Signals {
    /// The next part of the task.
    pub(super) fn hear(&mut self, part: &Part) {
        match part {
            Part::Set { events, task } => self.sets.extend(events.iter().map(|event| (event.clone(), *task))),
            _ => self.goes_on |= !self.sets.is_empty(),
        }
    }

    /// Those of a task that this one activates.
    pub(super) fn join(&mut self, other: &Self) {
        self.sets.extend(other.sets.iter().cloned());
        self.goes_on |= other.goes_on;
    }
}

/// A task on a GPU that was activated and is not waited for yet.
struct Launched {
    task: usize,
    signals: Signals,
    /// Whether the core worked or activated something since.
    worked: bool,
}

/// The waits of one task, as its parts go by.
pub(super) struct Waits {
    task: usize,
    launched: Vec<Launched>,
    /// Tasks on cores that it has activated and that it does not wait for yet.
    activated: Vec<usize>,
    /// Whether it waits for such a task.
    awaits: bool,
    kinds: BTreeSet<Waiting>,
    asked: Vec<Asked>,
    name: String,
    at: String,
}

impl Waits {
    pub(super) fn new(mapper: &Mapper<'_>, task: usize, at: &str) -> Self {
        let name = mapper.model.tasks.get(task).map_or(String::new(), |task| task.name.clone());
        let (launched, kinds, asked) = (Vec::new(), BTreeSet::new(), Vec::new());
        let (activated, awaits, at) = (Vec::new(), false, at.to_owned());
        Self { task, launched, activated, awaits, kinds, asked, name, at }
    }

    /// The core does something.
    pub(super) fn works(&mut self) {
        for launched in &mut self.launched {
            launched.worked = true;
        }
    }

    /// The task itself copies or launches, and goes on when that is done.
    pub(super) fn uses_gpu(&mut self) {
        self.works();
        self.kinds.insert(Waiting::Unsaid);
    }

    /// A task on a GPU is activated.
    pub(super) fn launches(&mut self, task: usize, signals: Signals) {
        self.works();
        self.launched.push(Launched { task, signals, worked: false });
    }

    /// A task on a core is activated.
    pub(super) fn activates(&mut self, task: usize) {
        self.works();
        self.activated.push(task);
    }

    /// The task on a core that is waited for, where it is one, as long as it takes.
    fn of_core(
        &mut self,
        mapper: &Mapper<'_>,
        events: &[String],
        (is_any, waiting, place): (bool, Waiting, Place),
    ) -> Option<usize> {
        let is_sure = mapper.straight.get(self.task)?.waits.contains(&place);
        if !is_sure || events.is_empty() || is_any && events.len() > 1 {
            return None;
        }
        let sets_all = |task: usize| {
            let sets = mapper.straight.get(task).map(|straight| &straight.sets);
            let is_set = |event: &String| {
                let fits = |(set, whom): &(String, Option<usize>)| {
                    set == event && whom.is_none_or(|whom| whom == self.task)
                };
                sets.is_some_and(|sets| sets.iter().any(fits))
            };
            events.iter().all(is_set)
        };
        let at = self.activated.iter().position(|&task| sets_all(task))?;
        let other = self.activated.remove(at);
        self.works();
        self.awaits = true;
        self.kinds.insert(waiting);
        self.doubts(mapper, other, events, place);
        Some(other)
    }

    /// The task waits for events. The task on a core that this is a wait for, if it is one.
    pub(super) fn waits(
        &mut self,
        mapper: &Mapper<'_>,
        events: &[String],
        (is_any, waiting, place): (bool, Waiting, Place),
    ) -> Option<usize> {
        if let Some(other) = self.of_core(mapper, events, (is_any, waiting, place)) {
            return Some(other);
        }
        let own = self.task;
        let is_set = |launched: &Launched, event: &str| {
            let sets = &launched.signals.sets;
            sets.iter().any(|(set, whom)| set == event && whom.is_none_or(|whom| whom == own))
        };
        let missing: Vec<&String> =
            events.iter().filter(|event| !self.launched.iter().any(|one| is_set(one, event))).collect();
        if !missing.is_empty() || events.is_empty() || is_any && events.len() > 1 {
            let of: Vec<String> = missing.iter().map(|event| quoted(event)).collect();
            let setters = mapper.setters(self.task, events);
            let what = match of[..] {
                [] if events.is_empty() => format!("what {} waits for", self.name),
                [] => format!("which of several events {} waits for", self.name),
                _ => format!("how long {} waits for {}", self.name, of.join(", ")),
            };
            let why = match setters.is_empty() {
                true => {
                    format!("{place}: nothing that the GPU does for it sets that, nor does any other task")
                }
                false => format!("{place}: {} that; a chain has no such wait", setters),
            };
            // One of several may come before the GPU is done.
            let safe = if is_any && events.len() > 1 { Safe::Neither } else { Safe::Lower };
            self.asked.push(Asked::new(Code::Waiting, &self.at, what, "not at all", why).safe(safe));
        }
        let mut awaited: Vec<Launched> = Vec::new();
        for one in std::mem::take(&mut self.launched) {
            let is_waited_for = events.iter().any(|event| is_set(&one, event));
            if is_waited_for { awaited.push(one) } else { self.launched.push(one) }
        }
        if !awaited.is_empty() {
            self.kinds.insert(waiting);
        }
        for one in awaited {
            self.awaited(mapper, &one, events, place);
        }
        None
    }

    fn awaited(&mut self, mapper: &Mapper<'_>, one: &Launched, events: &[String], place: Place) {
        let gpu_task = mapper.model.tasks.get(one.task).map_or("", |task| task.name.as_str());
        if one.worked {
            let what = format!("what {} does while {gpu_task} runs", self.name);
            let why = format!("{place}: it goes on before it waits; taken as one after the other");
            self.asked
                .push(Asked::new(Code::Waiting, &self.at, what, "it waits first", why).safe(Safe::Upper));
        }
        if one.signals.goes_on {
            self.doubt(gpu_task, format!("{place}: {gpu_task} goes on after it has set the event"));
        }
        self.doubts(mapper, one.task, events, place);
    }

    fn doubt(&mut self, other: &str, why: String) {
        let what = format!("whether {} waits for {other} at all, and to its end", self.name);
        self.asked.push(Asked::new(Code::Waiting, &self.at, what, "it does", why));
    }

    /// Whether events of another task may come in another way.
    fn doubts(&mut self, mapper: &Mapper<'_>, other: usize, events: &[String], place: Place) {
        let name = mapper.model.tasks.get(other).map_or("", |task| task.name.as_str());
        let cleared = mapper.clears(self.task);
        if events.iter().any(|event| !cleared.contains(event)) {
            let why = format!("{place}: it does not clear the event, so that the next wait may find it set");
            self.doubt(name, why);
        }
        let others = mapper.setters_besides(self.task, other, events);
        if !others.is_empty() {
            self.doubt(name, format!("{place}: {others} the event, too"));
        }
    }

    /// The task has ended: what its core does while it waits, and all that had to be asked.
    pub(super) fn end(mut self, mapper: &Mapper<'_>) -> (Wait, Vec<Asked>) {
        for one in std::mem::take(&mut self.launched) {
            let gpu_task = mapper.model.tasks.get(one.task).map_or("", |task| task.name.as_str());
            let what = format!("whether {} waits for {gpu_task}", self.name);
            let why = "no wait for an event of it follows where it is activated";
            self.asked.push(Asked::new(Code::Waiting, &self.at, what, "it does, at once", why));
            self.kinds.insert(Waiting::Unsaid);
        }
        let kinds: Vec<Waiting> = self.kinds.iter().copied().collect();
        let path = format!("{}.wait", self.at);
        let whom = if self.awaits { "" } else { " for the GPU" };
        let what = format!("what the core does while {} waits{whom}", self.name);
        let wait = match kinds[..] {
            [] | [Waiting::Passive] => Wait::Suspend,
            [Waiting::Active] => Wait::Spin,
            [Waiting::Unsaid] => {
                let why = "the model does not say whether it waits actively";
                self.asked.push(Asked::new(Code::Wait, path, what, "suspend", why));
                Wait::Suspend
            }
            _ => {
                let why = "it waits in one way here and in another one there, or does not say how";
                self.asked.push(Asked::new(Code::Wait, path, what, "spin", why));
                Wait::Spin
            }
        };
        (wait, self.asked)
    }
}

impl Mapper<'_> {
    /// Who sets events for a task, in words; nothing where nobody does.
    fn setters(&self, task: usize, events: &[String]) -> String {
        self.who_sets(task, events, &BTreeSet::new())
    }

    fn setters_besides(&self, task: usize, known: usize, events: &[String]) -> String {
        self.who_sets(task, events, &BTreeSet::from([known]))
    }

    fn who_sets(&self, task: usize, events: &[String], known: &BTreeSet<usize>) -> String {
        let mut names = Vec::new();
        for (setter, said) in
            self.model.tasks.iter().enumerate().filter(|(setter, _)| !known.contains(setter))
        {
            let mut sets = false;
            self.graph.visit(setter, &mut BTreeSet::new(), &mut |node| {
                let fits = |(event, whom): &(String, Option<usize>)| {
                    events.contains(event) && whom.is_none_or(|whom| whom == task)
                };
                sets |= node.sets.iter().any(fits);
            });
            if sets {
                names.push(said.name.as_str());
            }
        }
        match names[..] {
            [] => String::new(),
            [one] => format!("{one} sets"),
            [one, ..] => format!("{one} and {} more set", names.len() - 1),
        }
    }

    /// The events that a task clears.
    fn clears(&self, task: usize) -> BTreeSet<String> {
        let mut clears = BTreeSet::new();
        self.graph.visit(task, &mut BTreeSet::new(), &mut |node| clears.extend(node.clears.iter().cloned()));
        clears
    }
}
