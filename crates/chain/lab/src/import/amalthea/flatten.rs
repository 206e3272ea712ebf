//! What a task does in the worst case, as a list of steps on a unit.
//!
//! Runnables take the place of their calls. Of a switch the branch is taken that takes longest; of equal ones the one
//! that accesses more data, then the first. A loop turns as often as its custom property says, else once, which is
//! reported. Work without an upper bound gets a number to go on with, marked as no bound. A runnable that calls itself,
//! on whatever way, is a problem, as are calls and branches nested too deep and tasks with too many steps: sizes are
//! found before anything is expanded, so that calls which double cost nothing. A switch without a default branch may also
//! do nothing, which is never the worst.

use std::collections::{BTreeMap, BTreeSet};

use super::cost::Cost;
use super::model::{Act, Branch, By, Item, Model, Turns, UnitKind, Waiting, Way};
use super::notes::Place;
use super::platform::Platform;
use super::refs::Ref;
use base::Problem;
use base::problem::quoted;

/// The most items of one task, with those of all that it calls, each as often as it is called.
pub const MOST_ITEMS: u64 = 200_000;
/// The deepest nesting of calls, groups, branches and loops.
pub const DEEPEST: usize = 300;

/// One step of a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Where it is in the text.
    pub place: Place,
    /// The runnable it is part of, by its number.
    pub runnable: Option<usize>,
    /// Which call of the task it comes from: steps of one run of a runnable share it.
    pub call: u32,
    /// What is done.
    pub what: What,
}

/// What a step is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum What {
    /// A unit works.
    Work {
        /// Ticks in the worst case, or a number to go on with.
        ticks: u64,
        /// Whether that number is an upper bound.
        is_bound: bool,
        /// Whether a GPU does it.
        on_gpu: bool,
    },
    /// Data are read or written.
    Access {
        /// The label, by its number.
        label: usize,
        /// How.
        way: Way,
        /// Its size times how often, in bits; nothing for a label without a size.
        bits: Option<u64>,
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
    },
    /// Events are set.
    Set {
        /// Their names.
        events: Vec<String>,
        /// The task they are set for, by its number; all where none is named.
        task: Option<usize>,
    },
}

/// Something that a model leaves open and that matters to a task, or that a chain cannot have.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gap {
    /// Work without an upper bound: ticks taken, and what they are.
    Unbounded(u64, &'static str),
    /// A loop without a count.
    Turns,
    /// A call that is made so often, nobody says at most.
    About(u64),
    /// Instructions on a unit that does not say how many a tick does.
    PerTick(String),
    /// Instructions that end within a tick.
    Rounded,
    /// Work that says nothing for the unit.
    NoWork,
    /// A server whose runnable somebody else may run.
    Server,
    /// A call that the caller does not wait for, taken as one that it does.
    Asynchronous,
    /// A reference that leads nowhere and is left out.
    Missing(String),
    /// The same, to what others are activated by.
    MissingStimulus(String),
    /// An access that does not say whether it reads or writes, taken as a read.
    Way,
    /// An access with instructions of its own.
    Instructions,
    /// Something that is done every so many times only.
    Counted,
    /// A branch that may be taken never, or never together with others.
    Branch,
    /// The same, where branches differ in what a GPU does.
    BranchAtGpu,
    /// A branch that is not taken, but waits.
    BranchWaits,
    /// A group without order.
    Order,
    /// The end of a task before its end.
    End,
    /// Going to another core.
    Migrate,
    /// A schedule point of a task that is not preempted.
    Yield,
    /// Something of a type that is not known, and whether something is in it.
    Unknown(String, bool),
}

/// A task's steps.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Flat {
    /// What it does, one after another.
    pub steps: Vec<Step>,
    /// What was open, and where first.
    pub gaps: BTreeMap<Gap, Place>,
    /// Whether the task has ended on the way here.
    has_ended: bool,
}

impl Flat {
    fn gap(&mut self, gap: Gap, place: Place) {
        self.gaps.entry(gap).or_insert(place);
    }
}

/// Makes steps of what the tasks of a model do on units.
pub struct Flattener<'m> {
    pub(super) model: &'m Model,
    pub(super) platform: &'m Platform,
    /// The unit the task runs on.
    pub(super) unit: usize,
    /// The GPU, for work that only a GPU can do.
    pub(super) gpu: Option<usize>,
    /// Picoseconds that a GPU works for each stimulus.
    pub(super) launched: &'m BTreeMap<usize, u128>,
    pub(super) costs: BTreeMap<usize, Cost>,
    pub(super) open: BTreeSet<usize>,
    pub(super) depth: usize,
    pub(super) task: String,
    calls: u32,
    is_preempted: bool,
}

impl<'m> Flattener<'m> {
    /// For tasks on a unit, with what a GPU does for each stimulus.
    pub fn new(
        model: &'m Model,
        platform: &'m Platform,
        unit: usize,
        launched: &'m BTreeMap<usize, u128>,
    ) -> Self {
        let gpu = platform.of_kind(UnitKind::Gpu).next();
        let (costs, open) = (BTreeMap::new(), BTreeSet::new());
        let (task, is_preempted) = (String::new(), true);
        Self { model, platform, unit, gpu, launched, costs, open, depth: 0, task, calls: 0, is_preempted }
    }

    /// The steps of a task, by its number.
    pub fn task(&mut self, task: usize) -> Result<Flat, Problem> {
        let mut flat = Flat::default();
        self.time(task)?;
        if let Some(task) = self.model.tasks.get(task) {
            self.is_preempted = !matches!(task.preemption.as_str(), "non_preemptive" | "cooperative");
            self.expand_all(&task.items, (None, 0), &mut flat)?;
        }
        Ok(flat)
    }

    /// Picoseconds that a task works in the worst case, with what a GPU does for it.
    pub fn time(&mut self, task: usize) -> Result<u128, Problem> {
        let Some(task) = self.model.tasks.get(task) else { return Ok(0) };
        self.task.clone_from(&task.name);
        (self.depth, self.calls) = (0, 0);
        self.open.clear();
        let cost = self.cost_of_all(&task.items)?;
        if cost.items > MOST_ITEMS {
            let what =
                format!("the task {} comes to {} items with all its calls", quoted(&task.name), cost.items);
            return Err(Problem::at(task.place.to_string(), what, format!("at most {MOST_ITEMS}")));
        }
        Ok(cost.time)
    }

    fn expand_all(&mut self, items: &[Item], of: Of, flat: &mut Flat) -> Result<(), Problem> {
        items.iter().try_for_each(|item| self.expand(item, of, flat))
    }

    fn expand(&mut self, item: &Item, of: Of, flat: &mut Flat) -> Result<(), Problem> {
        self.deeper(item.place)?;
        if item.is_counted {
            flat.gap(Gap::Counted, item.place);
        }
        match &item.act {
            Act::Group { items, is_ordered } => {
                let from = flat.steps.len();
                self.expand_all(items, of, flat)?;
                let is_more = |step: &Step| !matches!(step.what, What::Work { on_gpu: false, .. });
                let matters = self.gpu.is_some() && flat.steps.iter().skip(from).any(is_more);
                if !is_ordered && items.len() > 1 && matters {
                    flat.gap(Gap::Order, item.place);
                }
            }
            Act::Unknown { kind, items } => {
                flat.gap(Gap::Unknown(format!("{kind:.100}"), !items.is_empty()), item.place);
                self.expand_all(items, of, flat)?;
            }
            Act::Call { runnable, by } => {
                match by {
                    By::Caller => {}
                    By::Server => flat.gap(Gap::Server, item.place),
                    By::Beside => flat.gap(Gap::Asynchronous, item.place),
                }
                match runnable {
                    Some(_) => self.expand_call(item, flat)?,
                    None => flat.gap(Gap::Missing("a runnable".to_owned()), item.place),
                }
            }
            Act::Switch(branches) => self.expand_switch(branches, item.place, of, flat)?,
            Act::Loop { items, turns } => {
                match turns {
                    Turns::AtMost(_) => {}
                    Turns::About(turns) => flat.gap(Gap::About(*turns), item.place),
                    Turns::Unsaid => flat.gap(Gap::Turns, item.place),
                }
                self.expand_loop(items, turns.count(), of, flat)?;
            }
            Act::End => flat.has_ended = true,
            Act::Migrate => flat.gap(Gap::Migrate, item.place),
            Act::Yield if !self.is_preempted => flat.gap(Gap::Yield, item.place),
            Act::Yield | Act::Nothing | Act::Clear(_) | Act::Semaphore(_) => {}
            _ => {
                if let Some(what) = self.step(item, flat) {
                    self.push(Step { place: item.place, runnable: of.0, call: of.1, what }, flat);
                }
            }
        }
        self.depth -= 1;
        Ok(())
    }

    fn push(&self, step: Step, flat: &mut Flat) {
        if flat.has_ended {
            flat.gap(Gap::End, step.place);
        }
        flat.steps.push(step);
    }

    /// What an item without items of its own does.
    fn step(&self, item: &Item, flat: &mut Flat) -> Option<What> {
        let named = |what: &str, link: &Option<Ref>| match link {
            Some(link) => format!("the {what} {}", quoted(&link.name())),
            None => format!("a {what}"),
        };
        match &item.act {
            Act::Work(work) => {
                let Some(amount) = self.amount(work) else {
                    flat.gap(Gap::NoWork, item.place);
                    return None;
                };
                for gap in amount.gaps {
                    flat.gap(gap, item.place);
                }
                let on_gpu = self.platform.kind(amount.unit) == Some(UnitKind::Gpu);
                Some(What::Work { ticks: amount.ticks, is_bound: amount.is_bound, on_gpu })
            }
            Act::Access { label, way, times, has_instructions } => {
                let Some((index, said)) = label.as_ref().and_then(|label| self.model.labels.at(label)) else {
                    flat.gap(Gap::Missing(named("label", label)), item.place);
                    return None;
                };
                if *way == Way::Unsaid && self.gpu.is_some() {
                    flat.gap(Gap::Way, item.place);
                }
                if *has_instructions {
                    flat.gap(Gap::Instructions, item.place);
                }
                let bits = said.bits.map(|bits| bits.saturating_mul(*times));
                Some(What::Access { label: index, way: *way, bits })
            }
            Act::Trigger(stimulus) => {
                let found = stimulus.as_ref().and_then(|one| self.model.stimuli.find(one));
                if found.is_none() {
                    flat.gap(Gap::MissingStimulus(named("stimulus", stimulus)), item.place);
                }
                found.map(|stimulus| What::Trigger { stimulus })
            }
            Act::Wait { events, is_any, waiting } => {
                Some(What::Wait { events: names(events), is_any: *is_any, waiting: *waiting })
            }
            Act::Set { events, task } => {
                let task = task.as_ref().and_then(|task| self.model.tasks.find(task));
                Some(What::Set { events: names(events), task })
            }
            _ => None,
        }
    }

    /// The longest branch; what others leave open is open, too, as the choice rests on it.
    fn expand_switch(
        &mut self,
        branches: &[Branch],
        place: Place,
        of: Of,
        flat: &mut Flat,
    ) -> Result<(), Problem> {
        let worst = self.worst(branches)?.0;
        for (index, branch) in branches.iter().enumerate() {
            if index == worst {
                let had_ended = flat.has_ended;
                self.expand_all(&branch.items, of, flat)?;
                flat.has_ended |= had_ended;
                continue;
            }
            let mut aside = Flat::default();
            self.expand_all(&branch.items, of, &mut aside)?;
            if aside.steps.iter().any(|step| matches!(step.what, What::Wait { .. })) {
                flat.gap(Gap::BranchWaits, place);
            }
            for (gap, place) in aside.gaps {
                flat.gap(gap, place);
            }
        }
        if branches.len() > 1 && self.touches_gpu(branches) {
            flat.gap(Gap::BranchAtGpu, place);
        } else if branches.get(worst).is_some_and(|branch| !branch.is_possible && !branch.items.is_empty()) {
            flat.gap(Gap::Branch, place);
        }
        Ok(())
    }

    fn expand_call(&mut self, item: &Item, flat: &mut Flat) -> Result<(), Problem> {
        let index = self.callee(item)?;
        let model = self.model;
        let Some(runnable) = model.runnables.get(index) else { return Ok(()) };
        self.calls = self.calls.saturating_add(1);
        self.expand_all(&runnable.items, (Some(index), self.calls), flat)
    }

    /// A body once with all amounts times the turns; or again and again where it activates tasks or waits.
    fn expand_loop(&mut self, items: &[Item], turns: u64, of: Of, flat: &mut Flat) -> Result<(), Problem> {
        let from = flat.steps.len();
        if self.cost_of_all(items)?.activates {
            return (0..turns).try_for_each(|_| self.expand_all(items, of, flat));
        }
        self.expand_all(items, of, flat)?;
        for step in flat.steps.iter_mut().skip(from) {
            match &mut step.what {
                What::Work { ticks, .. } => *ticks = ticks.saturating_mul(turns),
                What::Access { bits, .. } => *bits = bits.map(|bits| bits.saturating_mul(turns)),
                What::Trigger { .. } | What::Wait { .. } | What::Set { .. } => {}
            }
        }
        if turns == 0 {
            flat.steps.truncate(from);
        }
        Ok(())
    }
}

/// The runnable that is expanded, and which call it is.
type Of = (Option<usize>, u32);

/// The names of events; whoever names one in the same way means the same.
fn names(events: &[Ref]) -> Vec<String> {
    events.iter().map(Ref::name).collect()
}
