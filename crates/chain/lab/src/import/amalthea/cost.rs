//! What items come to, before anything is expanded: time for the choice of branches, and sizes, so that calls which double
//! cost nothing.

use super::flatten::{DEEPEST, Flattener, Gap};
use super::model::{Act, Branch, Item, Turns, UnitKind, Work};
use super::notes::Place;
use base::Problem;
use base::problem::quoted;

/// What items come to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Cost {
    /// Picoseconds of work; branches are compared by this first.
    pub(super) time: u128,
    /// Bits that are read and written.
    pub(super) bits: u128,
    /// Items that are looked at on the way.
    pub(super) items: u64,
    /// Whether tasks are activated, or waited for.
    pub(super) activates: bool,
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

/// Work on the unit that does it.
pub(super) struct Amount {
    pub(super) unit: usize,
    pub(super) ticks: u64,
    pub(super) is_bound: bool,
    pub(super) gaps: Vec<Gap>,
}

impl Turns {
    /// The number to go on with.
    pub(super) fn count(self) -> u64 {
        match self {
            Turns::AtMost(turns) | Turns::About(turns) => turns,
            Turns::Unsaid => 1,
        }
    }
}

impl Flattener<'_> {
    pub(super) fn problem(&self, place: Place, what: String, expected: &str) -> Problem {
        Problem::at(format!("{place}, in task {}", quoted(&self.task)), what, expected)
    }

    pub(super) fn deeper(&mut self, place: Place) -> Result<(), Problem> {
        self.depth += 1;
        if self.depth <= DEEPEST {
            return Ok(());
        }
        let what = format!("calls and branches nested more than {DEEPEST} deep");
        Err(self.problem(place, what, "fewer calls within calls"))
    }

    pub(super) fn cost_of_all(&mut self, items: &[Item]) -> Result<Cost, Problem> {
        let mut cost = Cost::default();
        for item in items {
            cost = cost.and(self.cost(item)?);
        }
        Ok(cost)
    }

    fn cost(&mut self, item: &Item) -> Result<Cost, Problem> {
        self.deeper(item.place)?;
        let mut cost = match &item.act {
            Act::Group { items, .. } | Act::Unknown { items, .. } => self.cost_of_all(items)?,
            Act::Work(work) => self.cost_of_work(work),
            Act::Access { label, times, .. } => {
                let label = label.as_ref().and_then(|label| self.model.labels.at(label));
                let bits = label.and_then(|(_, label)| label.bits).unwrap_or_default();
                let bits = u128::from(bits).saturating_mul(u128::from(*times));
                Cost { bits, ..Cost::default() }
            }
            Act::Call { runnable: Some(_), .. } => self.cost_of_call(item)?,
            Act::Trigger(stimulus) => {
                let stimulus = stimulus.as_ref().and_then(|stimulus| self.model.stimuli.find(stimulus));
                let time = stimulus.and_then(|stimulus| self.launched.get(&stimulus)).copied();
                Cost { time: time.unwrap_or_default(), activates: true, ..Cost::default() }
            }
            Act::Switch(branches) => self.worst(branches)?.1,
            Act::Loop { items, turns } => self.cost_of_all(items)?.times(turns.count()),
            Act::Wait { .. } | Act::Set { .. } => Cost { activates: true, ..Cost::default() },
            Act::Call { runnable: None, .. }
            | Act::Clear(_)
            | Act::Semaphore(_)
            | Act::End
            | Act::Migrate
            | Act::Yield
            | Act::Nothing => Cost::default(),
        };
        cost.items = cost.items.saturating_add(1);
        self.depth -= 1;
        Ok(cost)
    }

    fn cost_of_work(&self, work: &Work) -> Cost {
        let (unit, ticks) = self.amount(work).map_or((self.unit, 0), |amount| (amount.unit, amount.ticks));
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

    pub(super) fn callee(&self, item: &Item) -> Result<usize, Problem> {
        let Act::Call { runnable: Some(runnable), .. } = &item.act else { return Ok(usize::MAX) };
        self.model.runnables.find(runnable).ok_or_else(|| {
            let what = format!("the runnable {}, which is not in the model", quoted(&runnable.name()));
            self.problem(item.place, what, "a runnable of the model")
        })
    }

    /// The branch that costs most, and what it costs. All branches are looked at, and each may activate tasks.
    pub(super) fn worst(&mut self, branches: &[Branch]) -> Result<(usize, Cost), Problem> {
        let mut worst = (0, Cost::default());
        let mut all = Cost::default();
        for (index, branch) in branches.iter().enumerate() {
            let cost = self.cost_of_all(&branch.items)?;
            all = all.and(cost);
            if (cost.time, cost.bits) > (worst.1.time, worst.1.bits) {
                worst = (index, cost);
            }
        }
        Ok((worst.0, Cost { items: all.items, activates: all.activates, ..worst.1 }))
    }

    /// Work on the task's unit, or on the GPU where it is told for that alone; nothing where it is told for neither.
    pub(super) fn amount(&self, work: &Work) -> Option<Amount> {
        let only_gpu = || {
            let gpu = self.gpu.filter(|&gpu| gpu != self.unit)?;
            Some((gpu, self.platform.own(self.model, work, gpu)?))
        };
        let here = self.platform.spread(self.model, work, self.unit).map(|spread| (self.unit, spread));
        let (unit, spread) = here.or_else(only_gpu)?;
        let (amount, is_bound) = spread.most.map_or((spread.guess(), false), |most| (most, true));
        let per_tick = self.platform.per_tick(self.model, &work.measure, unit);
        let (mut ticks, mut gaps) = (amount, Vec::new());
        if let Some((over, under)) = per_tick.and_then(|per_tick| per_tick.fraction()) {
            let all = u128::from(amount).saturating_mul(under);
            ticks = u64::try_from(all.div_ceil(over.max(1))).unwrap_or(u64::MAX);
            if all % over.max(1) != 0 {
                gaps.push(Gap::Rounded);
            }
        }
        if !is_bound {
            gaps.push(Gap::Unbounded(ticks, spread.guess_is()));
        }
        if per_tick.is_none() {
            gaps.extend(self.platform.units.get(unit).map(|unit| Gap::PerTick(unit.name.clone())));
        }
        Some(Amount { unit, ticks, is_bound, gaps })
    }

    /// Whether work of items is done by a GPU, on any way: then branches are worse for others in more ways than one.
    pub(super) fn touches_gpu(&mut self, branches: &[Branch]) -> bool {
        let mut open: Vec<&Item> = branches.iter().flat_map(|branch| &branch.items).collect();
        let mut seen = std::collections::BTreeSet::new();
        while let Some(item) = open.pop() {
            match &item.act {
                Act::Group { items, .. } | Act::Unknown { items, .. } | Act::Loop { items, .. } => {
                    open.extend(items);
                }
                Act::Switch(branches) => open.extend(branches.iter().flat_map(|branch| &branch.items)),
                Act::Trigger(Some(stimulus)) => {
                    let found = self.model.stimuli.find(stimulus);
                    if found.is_some_and(|stimulus| self.launched.contains_key(&stimulus)) {
                        return true;
                    }
                }
                Act::Work(work) => {
                    let unit = self.amount(work).map(|amount| amount.unit);
                    if unit.and_then(|unit| self.platform.kind(unit)) == Some(UnitKind::Gpu) {
                        return true;
                    }
                }
                Act::Access { label: Some(label), .. } => {
                    let found = self.model.labels.find(label);
                    if found.is_some_and(|label| self.platform.device_labels.contains(&label)) {
                        return true;
                    }
                }
                Act::Call { runnable: Some(runnable), .. } => {
                    let found = self.model.runnables.at(runnable);
                    open.extend(
                        found
                            .filter(|(index, _)| seen.insert(*index))
                            .into_iter()
                            .flat_map(|(_, of)| &of.items),
                    );
                }
                _ => {}
            }
        }
        false
    }
}
