//! What a worker says of a study before it runs: its axes and measures, how many cells there are, about how long it
//! takes.

use base::people;
use kit::import::json;
use serde::Deserialize;
use serde_json::{Map, Value};
use study::{Grid, Place};

use crate::estimate::Took;
use crate::scenario::{Drawing, Kind};

/// The most cells that the page keeps rows of.
pub const MOST_CELLS: u64 = 1_000_000;
/// The most values of measures that it keeps.
pub const MOST_VALUES: u64 = 10_000_000;
/// A study of so many cells at most, and so much work, is over in about a second.
const QUICK_CELLS: u64 = 400;
const QUICK_UNITS: u64 = 30_000_000;

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

    /// Whether it is over in about a second, and so begins by itself. Work is counted and not timed: a study begins
    /// everywhere or nowhere.
    pub fn is_quick(&self) -> bool {
        self.estimate.is_some() && self.may_be_quick()
    }

    /// Whether it is quick or its work is not known yet.
    pub fn may_be_quick(&self) -> bool {
        let known = self.estimate.is_none_or(|took| !took.at_least && took.units <= QUICK_UNITS);
        known && self.cells <= QUICK_CELLS && self.too_large().is_none()
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

    /// How long it takes with so many workers, in words.
    pub fn duration(&self, workers: u64) -> String {
        self.estimate
            .and_then(|took| took.words(workers))
            .unwrap_or_else(|| "estimating the time…".to_owned())
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
