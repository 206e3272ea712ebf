//! The rows of a study that have come, and what they hold as columns of numbers.
//!
//! Rows are kept as workers write them: what is saved is what the command line prints.

use std::collections::BTreeMap;

use kit::import::json;
use serde_json::Value;
use study::Grid;

use super::Plan;

/// So many different problems are told.
const MOST_TOLD: usize = 10;

/// What is known of a study's cells.
#[derive(Debug, Clone)]
pub struct Known {
    /// The study.
    pub plan: Plan,
    /// Which cells are where.
    pub grid: Grid,
    rows: Vec<Option<Box<str>>>,
    columns: Vec<Column>,
    done: u64,
    failed: u64,
    problems: BTreeMap<String, u64>,
}

/// What a measure came to, cell by cell.
#[derive(Debug, Clone, Default)]
pub struct Column {
    /// The value of each cell, truths as 1 and 0; not a number where there is none.
    values: Vec<f64>,
    /// How many are numbers.
    pub numbers: u64,
    /// How many are true or false.
    pub truths: u64,
    /// How many are texts, which no picture shows.
    pub texts: u64,
    /// How many are unknown.
    pub unknown: u64,
}

impl Column {
    /// The value of a cell, if there is one.
    pub fn value(&self, cell: u64) -> Option<f64> {
        self.values.get(usize::try_from(cell).ok()?).copied().filter(|value| value.is_finite())
    }

    /// Whether it says of each cell that something holds, or does not.
    pub fn is_truth(&self) -> bool {
        self.truths > 0 && self.numbers == 0
    }
}

impl Known {
    /// Nothing is known yet; none if there are more cells than the page keeps.
    pub fn new(plan: Plan) -> Option<Self> {
        let grid = plan.grid().filter(|_| plan.too_large().is_none())?;
        let cells = usize::try_from(plan.cells).ok()?;
        let column = || Column { values: vec![f64::NAN; cells], ..Column::default() };
        let columns = plan.measures.iter().map(|_| column()).collect();
        let rows = vec![None; cells];
        Some(Self { plan, grid, rows, columns, done: 0, failed: 0, problems: BTreeMap::new() })
    }

    /// Takes the row of a cell; whether it is new.
    pub fn take(&mut self, cell: u64, line: &str) -> bool {
        let at = usize::try_from(cell).ok().filter(|at| self.rows.get(*at).is_some_and(Option::is_none));
        let (Some(at), Ok(row)) = (at, json::parse(line)) else { return false };
        self.rows[at] = Some(line.into());
        self.done += 1;
        if let Some(problem) = row.get("problem").and_then(Value::as_str) {
            self.failed += 1;
            if self.problems.len() < MOST_TOLD || self.problems.contains_key(problem) {
                *self.problems.entry(problem.to_owned()).or_default() += 1;
            }
        }
        let values = row.get("values");
        for (name, column) in self.plan.measures.keys().zip(&mut self.columns) {
            match values.and_then(|values| values.get(name)) {
                Some(Value::Number(number)) => {
                    column.numbers += 1;
                    column.values[at] = number.as_f64().unwrap_or(f64::NAN);
                }
                Some(Value::Bool(truth)) => {
                    column.truths += 1;
                    column.values[at] = f64::from(u8::from(*truth));
                }
                Some(Value::String(_)) => column.texts += 1,
                Some(_) => column.unknown += 1,
                None => {}
            }
        }
        true
    }

    /// How many rows have come.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// Whether all have.
    pub fn is_whole(&self) -> bool {
        self.done == self.plan.cells
    }

    /// How many of them have a problem.
    pub fn failed(&self) -> u64 {
        self.failed
    }

    /// The problems, and how many cells have each.
    pub fn problems(&self) -> impl Iterator<Item = (&str, u64)> {
        self.problems.iter().map(|(problem, count)| (problem.as_str(), *count))
    }

    /// What a measure came to.
    pub fn column(&self, measure: usize) -> Option<&Column> {
        self.columns.get(measure)
    }

    /// Whether there is a row of a cell.
    pub fn has(&self, cell: u64) -> bool {
        self.row(cell).is_some()
    }

    /// The row of a cell.
    pub fn row(&self, cell: u64) -> Option<&str> {
        self.rows.get(usize::try_from(cell).ok()?)?.as_deref()
    }

    /// All rows there are, in the order of the grid.
    pub fn rows(&self) -> impl Iterator<Item = &str> {
        self.rows.iter().flatten().map(AsRef::as_ref)
    }
}
