//! What a task does in the worst case, as a list of steps on a unit.
//!
//! Runnables take the place of their calls. Of a switch the branch is taken that takes longest; of equal ones the one
//! that accesses more data, then the first. A loop turns as often as its custom property says, else once, which is
//! reported. Work without an upper bound gets a number to go on with, marked as no bound. A runnable that calls itself,
//! on whatever way, is a problem, as are calls and branches nested too deep and tasks with too many steps: sizes are
//! found before anything is expanded, so that calls which double cost nothing. A switch without a default branch may also
//! do nothing, which is never the worst.

use std::collections::{BTreeMap, BTreeSet};

use super::model::{Act, Item, Model, UnitKind, Way, Work};
use super::notes::Place;
use super::platform::Platform;
use crate::base::Problem;
use crate::base::problem::quoted;

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
}

/// Something that a model leaves open and that matters to a task.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gap {
    /// Work without an upper bound: ticks taken, and what they are.
    Unbounded(u64, &'static str),
    /// A loop without a count.
    Turns,
    /// Instructions on a unit that does not say how many a tick does.
    PerTick(String),
    /// Work that says nothing for the unit.
    NoWork,
    /// A call that the caller does not wait for, taken as one that it does.
    Asynchronous,
    /// A reference that leads nowhere and is left out.
    Missing(String),
    /// An access that does not say whether it reads or writes, taken as a read.
    Way,
}

/// A task's steps.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Flat {
    /// What it does, one after another.
    pub steps: Vec<Step>,
    /// What was open, and where first.
    pub gaps: BTreeMap<Gap, Place>,
}

/// What items come to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Cost {
    /// Picoseconds of work; branches are compared by this first.
    time: u128,
    /// Bits that are read and written.
    bits: u128,
    /// Items that are looked at on the way.
    items: u64,
    /// Whether tasks are activated.
    activates: bool,
}

impl Cost {
    fn and(self, other: Self) -> Self {
        Self {
            time: self.time.saturating_add(other.time),
            bits: self.bits.saturating_add(other.bits),
            items: self.items.saturating_add(other.items),
            activates: self.activates || other.activates,
        }
    }

    fn times(self, turns: u64) -> Self {
        Self {
            time: self.time.saturating_mul(u128::from(turns)),
            bits: self.bits.saturating_mul(u128::from(turns)),
            // A body that activates tasks is repeated as it is.
            items: if self.activates { self.items.saturating_mul(turns) } else { self.items },
            activates: self.activates,
        }
    }
}

/// Makes steps of what the tasks of a model do on units.
pub struct Flattener<'m> {
    model: &'m Model,
    platform: &'m Platform,
    /// The unit the task runs on.
    unit: usize,
    /// The GPU, for work that only a GPU can do.
    gpu: Option<usize>,
    /// Picoseconds that a GPU works for each stimulus.
    launched: &'m BTreeMap<usize, u128>,
    costs: BTreeMap<usize, Cost>,
    open: BTreeSet<usize>,
    depth: usize,
    task: String,
    calls: u32,
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
        Self { model, platform, unit, gpu, launched, costs, open, depth: 0, task: String::new(), calls: 0 }
    }

    /// The steps of a task, by its number.
    pub fn task(&mut self, task: usize) -> Result<Flat, Problem> {
        let mut flat = Flat::default();
        self.time(task)?;
        if let Some(task) = self.model.tasks.get(task) {
            self.expand_all(&task.items, None, 0, &mut flat)?;
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

    fn problem(&self, place: Place, what: String, expected: &str) -> Problem {
        Problem::at(format!("{place}, in task {}", quoted(&self.task)), what, expected)
    }

    fn deeper(&mut self, place: Place) -> Result<(), Problem> {
        self.depth += 1;
        if self.depth <= DEEPEST {
            return Ok(());
        }
        let what = format!("calls and branches nested more than {DEEPEST} deep");
        Err(self.problem(place, what, "fewer calls within calls"))
    }

    fn cost_of_all(&mut self, items: &[Item]) -> Result<Cost, Problem> {
        let mut cost = Cost::default();
        for item in items {
            cost = cost.and(self.cost(item)?);
        }
        Ok(cost)
    }

    fn cost(&mut self, item: &Item) -> Result<Cost, Problem> {
        self.deeper(item.place)?;
        let mut cost = match &item.act {
            Act::Group(items) => self.cost_of_all(items)?,
            Act::Work(work) => self.cost_of_work(work),
            Act::Access { label, times, .. } => {
                let label = label.as_ref().and_then(|label| self.model.labels.at(label));
                let bits = label.and_then(|(_, label)| label.bits).unwrap_or_default();
                Cost { bits: u128::from(bits) * u128::from(*times), ..Cost::default() }
            }
            Act::Call { runnable: Some(_), .. } => self.cost_of_call(item)?,
            Act::Trigger(stimulus) => {
                let stimulus = stimulus.as_ref().and_then(|stimulus| self.model.stimuli.find(stimulus));
                let time = stimulus.and_then(|stimulus| self.launched.get(&stimulus)).copied();
                Cost { time: time.unwrap_or_default(), activates: true, ..Cost::default() }
            }
            Act::Switch(branches) => self.worst(branches)?.1,
            Act::Loop { items, turns } => self.cost_of_all(items)?.times(turns.unwrap_or(1)),
            Act::Call { runnable: None, .. } | Act::Other(_) => Cost::default(),
        };
        cost.items = cost.items.saturating_add(1);
        self.depth -= 1;
        Ok(cost)
    }

    fn cost_of_work(&self, work: &Work) -> Cost {
        let (unit, ticks) = self.amount(work).map_or((self.unit, 0), |(unit, ticks, _, _)| (unit, ticks));
        let hertz = self.platform.units.get(unit).and_then(|unit| unit.hertz).unwrap_or(1_000_000_000);
        let time = (u128::from(ticks) * 1_000_000_000_000).div_ceil(u128::from(hertz.max(1)));
        Cost { time, ..Cost::default() }
    }

    fn cost_of_call(&mut self, item: &Item) -> Result<Cost, Problem> {
        let index = self.callee(item)?;
        if let Some(&cost) = self.costs.get(&index) {
            return Ok(cost);
        }
        let Some(runnable) = self.model.runnables.get(index) else { return Ok(Cost::default()) };
        if !self.open.insert(index) {
            let what = format!("the runnable {} calls itself", quoted(&runnable.name));
            return Err(self.problem(item.place, what, "calls that end"));
        }
        let cost = self.cost_of_all(&runnable.items)?;
        self.open.remove(&index);
        self.costs.insert(index, cost);
        Ok(cost)
    }

    fn callee(&self, item: &Item) -> Result<usize, Problem> {
        let Act::Call { runnable: Some(runnable), .. } = &item.act else { return Ok(usize::MAX) };
        self.model.runnables.find(runnable).ok_or_else(|| {
            let what = format!("the runnable {}, which is not in the model", quoted(&runnable.name()));
            self.problem(item.place, what, "a runnable of the model")
        })
    }

    /// The branch that costs most, and what it costs. All branches are looked at, and each may activate tasks.
    fn worst(&mut self, branches: &[Vec<Item>]) -> Result<(usize, Cost), Problem> {
        let mut worst = (0, Cost::default());
        let mut all = Cost::default();
        for (index, items) in branches.iter().enumerate() {
            let cost = self.cost_of_all(items)?;
            all = all.and(cost);
            if (cost.time, cost.bits) > (worst.1.time, worst.1.bits) {
                worst = (index, cost);
            }
        }
        Ok((worst.0, Cost { items: all.items, activates: all.activates, ..worst.1 }))
    }

    /// Ticks of work with the unit that does it, whether they are a bound, and a gap if there is one.
    fn amount(&self, work: &Work) -> Option<(usize, u64, bool, Option<Gap>)> {
        let only_gpu = || {
            let gpu = self.gpu.filter(|&gpu| gpu != self.unit)?;
            Some((gpu, self.platform.own(self.model, work, gpu)?))
        };
        let here = self.platform.spread(self.model, work, self.unit).map(|spread| (self.unit, spread));
        let (unit, spread) = here.or_else(only_gpu)?;
        let (amount, is_bound) = spread.most.map_or((spread.guess(), false), |most| (most, true));
        let per_tick = self.platform.per_tick(self.model, &work.measure, unit);
        let ticks = match per_tick.and_then(|per_tick| per_tick.fraction()) {
            Some((over, under)) => {
                let ticks = u128::from(amount).saturating_mul(under).div_ceil(over.max(1));
                u64::try_from(ticks).unwrap_or(u64::MAX)
            }
            None => amount,
        };
        let gap = match (is_bound, per_tick) {
            (false, _) => Some(Gap::Unbounded(ticks, spread.guess_is())),
            (true, None) => self.platform.units.get(unit).map(|unit| Gap::PerTick(unit.name.clone())),
            (true, Some(_)) => None,
        };
        Some((unit, ticks, is_bound, gap))
    }

    fn expand_all(
        &mut self,
        items: &[Item],
        of: Option<usize>,
        call: u32,
        flat: &mut Flat,
    ) -> Result<(), Problem> {
        items.iter().try_for_each(|item| self.expand(item, of, call, flat))
    }

    fn expand(&mut self, item: &Item, of: Option<usize>, call: u32, flat: &mut Flat) -> Result<(), Problem> {
        self.deeper(item.place)?;
        let mut gap = |gap: Gap| {
            flat.gaps.entry(gap).or_insert(item.place);
        };
        let mut what = None;
        match &item.act {
            Act::Group(items) => self.expand_all(items, of, call, flat)?,
            Act::Work(work) => match self.amount(work) {
                Some((unit, ticks, is_bound, open)) => {
                    open.map(&mut gap);
                    let on_gpu = self.platform.kind(unit) == Some(UnitKind::Gpu);
                    what = Some(What::Work { ticks, is_bound, on_gpu });
                }
                None => gap(Gap::NoWork),
            },
            Act::Access { label, way, times } => {
                if *way == Way::Unsaid {
                    gap(Gap::Way);
                }
                match label.as_ref().map(|label| (label, self.model.labels.at(label))) {
                    Some((_, Some((label, said)))) => {
                        let bits = said.bits.map(|bits| bits.saturating_mul(*times));
                        what = Some(What::Access { label, way: *way, bits });
                    }
                    Some((label, None)) => gap(Gap::Missing(format!("the label {}", quoted(&label.name())))),
                    None => gap(Gap::Missing("a label".to_owned())),
                }
            }
            Act::Call { runnable, is_asynchronous } => {
                if *is_asynchronous {
                    gap(Gap::Asynchronous);
                }
                match runnable {
                    Some(_) => self.expand_call(item, flat)?,
                    None => gap(Gap::Missing("a runnable".to_owned())),
                }
            }
            Act::Trigger(stimulus) => {
                match stimulus.as_ref().map(|one| (one, self.model.stimuli.find(one))) {
                    Some((_, Some(stimulus))) => what = Some(What::Trigger { stimulus }),
                    Some((one, None)) => gap(Gap::Missing(format!("the stimulus {}", quoted(&one.name())))),
                    None => gap(Gap::Missing("a stimulus".to_owned())),
                }
            }
            Act::Switch(branches) => {
                let worst = self.worst(branches)?.0;
                if let Some(items) = branches.get(worst) {
                    self.expand_all(items, of, call, flat)?;
                }
            }
            Act::Loop { items, turns } => {
                if turns.is_none() {
                    gap(Gap::Turns);
                }
                self.expand_loop(items, turns.unwrap_or(1), (of, call), flat)?;
            }
            Act::Other(_) => {}
        }
        flat.steps.extend(what.map(|what| Step { place: item.place, runnable: of, call, what }));
        self.depth -= 1;
        Ok(())
    }

    fn expand_call(&mut self, item: &Item, flat: &mut Flat) -> Result<(), Problem> {
        let index = self.callee(item)?;
        let model = self.model;
        let Some(runnable) = model.runnables.get(index) else { return Ok(()) };
        self.calls = self.calls.saturating_add(1);
        let call = self.calls;
        self.expand_all(&runnable.items, Some(index), call, flat)
    }

    /// A body once with all amounts times the turns; or again and again where it activates tasks.
    fn expand_loop(
        &mut self,
        items: &[Item],
        turns: u64,
        (of, call): (Option<usize>, u32),
        flat: &mut Flat,
    ) -> Result<(), Problem> {
        let from = flat.steps.len();
        if self.cost_of_all(items)?.activates {
            return (0..turns).try_for_each(|_| self.expand_all(items, of, call, flat));
        }
        self.expand_all(items, of, call, flat)?;
        for step in flat.steps.iter_mut().skip(from) {
            match &mut step.what {
                What::Work { ticks, .. } => *ticks = ticks.saturating_mul(turns),
                What::Access { bits, .. } => *bits = bits.map(|bits| bits.saturating_mul(turns)),
                What::Trigger { .. } => {}
            }
        }
        Ok(())
    }
}
