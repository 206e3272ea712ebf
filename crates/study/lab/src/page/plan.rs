//! What a worker says of a study before it runs: its axes and measures, how many cells there are, about how long it
//! takes.

use base::people;
use kit::import::json;
use serde::Deserialize;
use serde_json::{Map, Value};
use study::{Grid, Place};

use crate::scenario::{Drawing, Kind};

/// The most cells that the page keeps rows of.
pub const MOST_CELLS: u64 = 1_000_000;
/// The most values of measures that it keeps.
pub const MOST_VALUES: u64 = 10_000_000;

/// A study before it runs.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Plan {
    /// The document's title.
    pub scenario: String,
    /// How many cells there are.
    pub cells: u64,
    /// How many of them each point has.
    pub samples: u64,
    /// The study's seed.
    pub seed: u64,
    /// What changes.
    pub axes: Vec<Named>,
    /// What is measured: names and formulas.
    pub measures: Map<String, Value>,
    /// What the document has drawn.
    pub draw: Vec<Drawing>,
    /// About how much work it is, once that is known.
    #[serde(skip)]
    pub estimate: Option<Took>,
}

/// An axis as points speak of it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Named {
    /// Its name.
    pub name: String,
    /// The place in the base.
    pub path: String,
    /// What points call its values.
    pub values: Vec<Value>,
}

/// About how much work a study is, and how long some of it took here.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub struct Took {
    /// Units of work of all cells.
    pub units: u64,
    /// Whether it is at least so much.
    pub at_least: bool,
    /// Units that were tried.
    pub spent: u64,
    /// The seconds that these took.
    pub seconds: f64,
}

#[derive(Deserialize)]
struct Line {
    study: Plan,
    estimate: Option<Took>,
}

impl Named {
    /// Its values as numbers, if all of them are.
    pub fn numbers(&self) -> Option<Vec<f64>> {
        self.values.iter().map(Value::as_f64).collect()
    }

    /// What a legend says of a value: a number with the name of the axis.
    pub fn entry(&self, at: usize) -> String {
        let number = self.values.get(at).is_some_and(Value::is_number);
        if number { format!("{} = {}", self.name, self.word(at)) } else { self.word(at) }
    }

    /// A value in words.
    pub fn word(&self, at: usize) -> String {
        self.values.get(at).map(word).unwrap_or_default()
    }
}

/// A value as people read it.
pub fn word(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        value => json::line(value),
    }
}

impl Plan {
    /// What a worker's line says; none if it is no plan.
    pub fn new(line: &str) -> Option<Self> {
        let Line { study, estimate } = serde_json::from_str(line).ok()?;
        let plan = Self { estimate, ..study };
        (plan.grid()?.cells() == plan.cells).then_some(plan)
    }

    /// Which cells are where.
    pub fn grid(&self) -> Option<Grid> {
        Grid::new(self.axes.iter().map(|axis| axis.values.len() as u64).collect(), self.samples)
    }

    /// Names of the measures, in the order of the rows.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.measures.keys().map(String::as_str)
    }

    /// Which of the measures has a name.
    pub fn measure(&self, name: &str) -> Option<usize> {
        self.names().position(|known| known == name)
    }

    /// Which of the axes has a name.
    pub fn axis(&self, name: &str) -> Option<usize> {
        self.axes.iter().position(|axis| axis.name == name)
    }

    /// Why the page does not run it, where it does not.
    pub fn too_large(&self) -> Option<String> {
        let values = self.cells.saturating_mul(self.measures.len() as u64);
        let (most, what) = match (self.cells > MOST_CELLS, values > MOST_VALUES) {
            (true, _) => (MOST_CELLS, "cells"),
            (false, true) => (MOST_VALUES, "values"),
            (false, false) => return None,
        };
        let most = people::grouped(most.into());
        Some(format!("The page keeps at most {most} {what}: warpspan study computes all of them."))
    }

    /// What there is to compute, in a sentence: `64 values of warps × 5 of scheduler`.
    pub fn size(&self) -> String {
        let mut parts: Vec<String> = self
            .axes
            .iter()
            .map(|axis| format!("{} of {}", people::grouped(axis.values.len() as u128), axis.name))
            .collect();
        if self.samples > 1 {
            parts.push(people::counted(usize::try_from(self.samples).unwrap_or(usize::MAX), "sample"));
        }
        let cells = people::counted(usize::try_from(self.cells).unwrap_or(usize::MAX), "cell");
        if parts.len() > 1 { format!("{cells}: {}", parts.join(" × ")) } else { cells }
    }

    /// About how many seconds it takes with so many workers, once that is known.
    pub fn seconds(&self, workers: u64) -> Option<f64> {
        let took = self.estimate.filter(|took| took.spent > 0)?;
        Some(took.seconds * (took.units as f64 / took.spent as f64) / workers.max(1) as f64)
    }

    /// How long it takes, in words: of so short a time nothing can be said but that it is short.
    pub fn duration(&self, workers: u64) -> String {
        let Some(seconds) = self.seconds(workers) else { return "estimating the time…".to_owned() };
        let least = if self.estimate.is_some_and(|took| took.at_least) { "at least" } else { "about" };
        match seconds {
            seconds if seconds < 1.0 => "less than a second".to_owned(),
            seconds => format!("{least} {}", rough(seconds)),
        }
    }

    /// The drawings of the document; one that suits where there is none.
    pub fn drawings(&self) -> Vec<Drawing> {
        if self.draw.is_empty() { vec![self.usual()] } else { self.draw.clone() }
    }

    /// Means of the first measure over the axis with most values, a line for each value of another one with few.
    fn usual(&self) -> Drawing {
        let longest =
            self.axes.iter().enumerate().max_by_key(|(at, axis)| (axis.values.len(), usize::MAX - at));
        let x = longest.map(|(_, axis)| axis.name.clone()).unwrap_or_default();
        let by = self.axes.iter().find(|axis| axis.name != x && (2..=6).contains(&axis.values.len()));
        let by = by.map(|axis| axis.name.clone());
        let kind = if self.samples > 1 && by.is_none() { Kind::Box } else { Kind::Line };
        let y = self.names().next().map(str::to_owned).into_iter().collect();
        Drawing { kind, x, y, z: None, by, title: None }
    }

    /// `warps = 8, scheduler = round-robin`: where a cell stands.
    pub fn place(&self, place: &Place) -> String {
        let named = self.axes.iter().zip(&place.at);
        named.map(|(axis, at)| format!("{} = {}", axis.name, axis.word(*at))).collect::<Vec<_>>().join(", ")
    }
}

/// Seconds as people say them of what is not known exactly.
pub fn rough(seconds: f64) -> String {
    let counted = |n: f64, one: &str| people::counted(n.round().max(1.0) as usize, one);
    match seconds {
        s if s < 90.0 => counted(s, "second"),
        s if s < 5_400.0 => counted(s / 60.0, "minute"),
        s if s < 172_800.0 => counted(s / 3_600.0, "hour"),
        s => counted(s / 86_400.0, "day"),
    }
}
