//! What a model's hardware comes to: units with kind and clock, and the units each task may run on.

use std::collections::BTreeSet;

use super::model::{Feature, Measure, Model, UnitKind, Work};
use super::notes::Place;
use super::quantities::Decimal;
use super::ticks::Spread;
use base::problem::quoted;

/// The most multiprocessors and bits per second that are believed: no GPU has more.
const MOST_SMS: u64 = 256;
const FASTEST: u64 = 1 << 50;

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
    /// Whether that is exactly its clock, and its only one.
    pub clock_is_sure: bool,
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
    /// For each task the schedulers that it is allocated to, by their numbers.
    pub schedulers: Vec<BTreeSet<usize>>,
    /// Labels that are the GPU's.
    pub device_labels: BTreeSet<usize>,
    /// What was read in one of several ways: where, and what.
    pub doubts: Vec<(Place, String)>,
}

impl Platform {
    /// Gathers what a model says.
    pub fn of(model: &Model) -> Self {
        let mut platform = Self { units: units(model), ..Self::default() };
        let count = model.tasks.len();
        platform.allowed = vec![Vec::new(); count];
        platform.priorities = model.tasks.iter().map(|task| task.priority).collect();
        platform.schedulers = vec![BTreeSet::new(); count];
        let mut ranked: Vec<Option<i64>> = vec![None; count];
        for allocation in &model.allocations {
            let mut doubt = |what: String| platform.doubts.push((allocation.place, what));
            let Some(task) = allocation.task.as_ref().and_then(|task| model.tasks.find(task)) else {
                doubt("an allocation of no task that is in the model is left out".to_owned());
                continue;
            };
            let scheduler =
                allocation.scheduler.as_ref().and_then(|scheduler| model.schedulers.at(scheduler));
            let given = scheduler.map(|(_, scheduler)| scheduler.units.as_slice()).unwrap_or_default();
            let named = if allocation.affinity.is_empty() { given } else { &allocation.affinity };
            for unit in named {
                match model.units.find(unit) {
                    Some(unit) if platform.allowed[task].contains(&unit) => {}
                    Some(unit) => platform.allowed[task].push(unit),
                    None => doubt(format!(
                        "the unit {}, which is not in the model, is left out",
                        quoted(&unit.name())
                    )),
                }
            }
            match (ranked[task], allocation.priority) {
                (Some(one), Some(other)) if one != other => {
                    doubt(format!("of two priorities, {one} and {other}, the second one is taken"));
                }
                _ => {}
            }
            ranked[task] = allocation.priority.or(ranked[task]);
            platform.priorities[task] = ranked[task].or(platform.priorities[task]);
            platform.schedulers[task].extend(scheduler.map(|(index, _)| index));
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

    /// How many multiprocessors a unit has, where a feature of its definition says so.
    pub fn multiprocessors(&self, model: &Model, unit: usize) -> Option<u64> {
        let definition = model.definitions.get(self.units.get(unit)?.definition?)?;
        let features = definition.features.iter().filter_map(|feature| model.features.at(feature));
        let is_count = |feature: &&Feature| {
            let word: String = feature.category.chars().filter(|c| c.is_alphanumeric()).collect();
            matches!(
                word.to_lowercase().as_str(),
                "sm" | "sms" | "multiprocessors" | "streamingmultiprocessors"
            )
        };
        let said: Vec<&Feature> = features.map(|(_, feature)| feature).filter(is_count).collect();
        match said[..] {
            [one] => {
                let whole = one.value.filter(|value| value.up() == value.down())?;
                whole.up().filter(|count| (1..=MOST_SMS).contains(count))
            }
            _ => None,
        }
    }

    /// The bits per second that a unit has to memory, where all ways that say so say the same.
    pub fn rate(&self, model: &Model, unit: usize) -> Option<u64> {
        let reaches = model.units.get(unit)?.reaches.iter().filter_map(|access| access.rate);
        let rates: BTreeSet<u64> = reaches.filter(|rate| (8..=FASTEST).contains(rate)).collect();
        rates.iter().copied().next().filter(|_| rates.len() == 1)
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
            let scaled = clock.and_then(|(_, clock)| clock.hertz).and_then(|hertz| scaled(hertz, unit.ratio));
            Facts {
                name: own_name(&mut names, &unit.name, unit.within.last()),
                place: unit.place,
                kind: said.unwrap_or(guessed),
                kind_is_said: said.is_some(),
                hertz: scaled.map(|(hertz, _)| hertz),
                clock_is_sure: scaled.is_none_or(|(_, exact)| exact)
                    && clock.is_none_or(|(_, clock)| clock.is_sure),
                definition: definition.map(|(index, _)| index),
            }
        })
        .collect()
}

/// A frequency times a ratio, rounded down: a slower clock is the worse one; and whether that is exactly it.
fn scaled(hertz: u64, ratio: Option<Decimal>) -> Option<(u64, bool)> {
    // A ratio of nothing is one that nobody has set.
    let Some(ratio) = ratio.filter(|ratio| ratio.times(1, 1).is_some_and(|(up, _)| up > 0)) else {
        return Some((hertz, true));
    };
    let (up, exact) = ratio.times(u128::from(hertz), 1)?;
    Some((if exact { up } else { up - 1 }, exact)).filter(|&(hertz, _)| hertz > 0)
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
