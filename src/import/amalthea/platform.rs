//! What a model's hardware comes to: units with kind and clock, and the units each task may run on.

use std::collections::BTreeSet;

use super::model::{Feature, Measure, Model, UnitKind, Work};
use super::notes::Place;
use super::quantities::Decimal;
use super::ticks::Spread;

/// A processing unit with what the model says of it in several places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    /// A name that no other unit has.
    pub name: String,
    /// Where it begins.
    pub place: Place,
    /// What it is.
    pub kind: UnitKind,
    /// Whether the model says what it is, not a name alone.
    pub kind_is_said: bool,
    /// Its clock in hertz.
    pub hertz: Option<u64>,
    /// Its definition's number.
    pub definition: Option<usize>,
}

/// The units of a model, and which of them each task may run on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Platform {
    /// All units, in the order of the model.
    pub units: Vec<Facts>,
    /// For each task the units that its allocation allows; empty where there is none.
    pub allowed: Vec<Vec<usize>>,
    /// For each task the priority that its allocation says.
    pub priorities: Vec<Option<i64>>,
    /// For each task the algorithm of its scheduler; empty where it is not said.
    pub algorithms: Vec<String>,
}

impl Platform {
    /// Gathers what a model says.
    pub fn of(model: &Model) -> Self {
        let mut platform = Self { units: units(model), ..Self::default() };
        let count = model.tasks.len();
        platform.allowed = vec![Vec::new(); count];
        platform.priorities = model.tasks.iter().map(|task| task.priority).collect();
        platform.algorithms = vec![String::new(); count];
        for allocation in &model.allocations {
            let Some(task) = allocation.task.as_ref().and_then(|task| model.tasks.find(task)) else {
                continue;
            };
            let scheduler =
                allocation.scheduler.as_ref().and_then(|scheduler| model.schedulers.at(scheduler));
            let scheduler = scheduler.map(|(_, scheduler)| scheduler);
            let given = scheduler.map(|scheduler| scheduler.units.as_slice()).unwrap_or_default();
            let named = if allocation.affinity.is_empty() { given } else { &allocation.affinity };
            for unit in named.iter().filter_map(|unit| model.units.find(unit)) {
                if !platform.allowed[task].contains(&unit) {
                    platform.allowed[task].push(unit);
                }
            }
            platform.priorities[task] = allocation.priority.or(platform.priorities[task]);
            if let Some(scheduler) = scheduler {
                platform.algorithms[task].clone_from(&scheduler.algorithm);
            }
        }
        platform
    }

    /// The units of a kind.
    pub fn of_kind(&self, kind: UnitKind) -> impl Iterator<Item = usize> {
        self.units.iter().enumerate().filter(move |(_, unit)| unit.kind == kind).map(|(index, _)| index)
    }

    /// The kind of a unit.
    pub fn kind(&self, unit: usize) -> Option<UnitKind> {
        self.units.get(unit).map(|unit| unit.kind)
    }

    /// What a piece of work comes to on a unit: the entry for the unit's definition or the unit itself, else the
    /// default.
    pub fn spread<'m>(&self, model: &Model, work: &'m Work, unit: usize) -> Option<&'m Spread> {
        self.own(model, work, unit).or(work.default.as_ref())
    }

    /// The entry for a unit's definition or the unit itself.
    pub fn own<'m>(&self, model: &Model, work: &'m Work, unit: usize) -> Option<&'m Spread> {
        let definition = self.units.get(unit)?.definition;
        let fits = |key: &super::refs::Ref| {
            definition.is_some() && model.definitions.find(key) == definition
                || model.units.find(key) == Some(unit)
        };
        work.extended.iter().find(|(key, _)| fits(key)).map(|(_, spread)| spread)
    }

    /// How many instructions of a measure a unit does in a tick; nothing where the model does not say.
    pub fn per_tick(&self, model: &Model, measure: &Measure, unit: usize) -> Option<Decimal> {
        let Measure::Instructions(category) = measure else { return Some(Decimal::whole(1)) };
        let definition = model.definitions.get(self.units.get(unit)?.definition?)?;
        let features = definition.features.iter().filter_map(|feature| model.features.at(feature));
        let all: Vec<&Feature> = features.map(|(_, feature)| feature).collect();
        // Before there were categories there were instructions alone.
        let fits = |feature: &&&Feature| match category.as_str() {
            "" => all.len() == 1 || ["Instructions", "IPC"].contains(&feature.category.as_str()),
            category => feature.category == category,
        };
        let fitting = all.iter().filter(fits);
        let slowest =
            fitting.filter_map(|feature| feature.value).reduce(|a, b| if a.larger(b) == a { b } else { a });
        slowest.or(definition.per_tick).filter(|value| value.up().is_some_and(|up| up > 0))
    }
}

fn units(model: &Model) -> Vec<Facts> {
    let mut names = BTreeSet::new();
    model
        .units
        .iter()
        .map(|unit| {
            let definition = unit.definition.as_ref().and_then(|definition| model.definitions.at(definition));
            let said = definition.and_then(|(_, definition)| definition.kind);
            let of_name = definition.map_or(String::new(), |(_, definition)| definition.name.clone());
            let looks_like_gpu =
                [&of_name, &unit.name].iter().any(|name| name.to_lowercase().contains("gpu"));
            let guessed = if looks_like_gpu { UnitKind::Gpu } else { UnitKind::Cpu };
            let clock = unit.clock.as_ref().and_then(|clock| model.clocks.at(clock));
            let hertz = clock.and_then(|(_, clock)| clock.hertz).and_then(|hertz| scaled(hertz, unit.ratio));
            Facts {
                name: own_name(&mut names, &unit.name, unit.within.last()),
                place: unit.place,
                kind: said.unwrap_or(guessed),
                kind_is_said: said.is_some(),
                hertz,
                definition: definition.map(|(index, _)| index),
            }
        })
        .collect()
}

/// A frequency times a ratio, rounded down: a slower clock is the worse one.
fn scaled(hertz: u64, ratio: Option<Decimal>) -> Option<u64> {
    // A ratio of nothing is one that nobody has set.
    let Some(ratio) = ratio.filter(|ratio| ratio.times(1, 1).is_some_and(|(up, _)| up > 0)) else {
        return Some(hertz);
    };
    let (up, exact) = ratio.times(u128::from(hertz), 1)?;
    Some(if exact { up } else { up - 1 }).filter(|&hertz| hertz > 0)
}

/// A name that is not taken: as it is, with the structure around it, or with a number.
pub fn own_name(taken: &mut BTreeSet<String>, name: &str, around: Option<&String>) -> String {
    let name = if name.is_empty() { "unnamed" } else { name };
    let with_structure = around.filter(|around| !around.is_empty()).map(|around| format!("{around}/{name}"));
    let counted = (2_u32..).map(|count| format!("{name} ({count})"));
    let mut names = std::iter::once(name.to_owned()).chain(with_structure).chain(counted);
    let free = names.find(|name| !taken.contains(name)).unwrap_or_default();
    taken.insert(free.clone());
    free
}
