//! One cell of a study: its point, its seed, its document, its row.
//!
//! Invariant: a row depends on the study and the number of the cell alone. A cell's job is stepped by slices of one
//! size and never told the time.

use base::problem::{MOST_PART, one_line};
use base::{Control, Problem, StopReason};
use kit::import::json;
use kit::import::reader::{Reader, shown};
use kit::job::{Job, Step};
use kit::report::Report;
use kit::scenario::Scenario;
use kit::scenario::version::CURRENT;
use serde_json::{Map, Value};
use study::{Place, seed_of};

use crate::scenario::Study;
use crate::{generate, measure};

/// Units of work of a slice of a cell.
const SLICE: u64 = 100_000;
/// Units that making a cell's document and reading its report count for.
const OVERHEAD: u64 = 1_000;
/// The most problems of a document that a row repeats.
const MOST_TOLD: usize = 5;

/// A cell.
#[derive(Debug, Clone)]
pub struct Cell {
    study: Study,
    /// Its number.
    pub index: u64,
    /// Where it stands.
    pub place: Place,
    /// What its generators draw from.
    pub seed: u64,
}

impl Study {
    /// A cell by its number, if there is one.
    pub fn cell(&self, index: u64) -> Option<Cell> {
        let place = self.grid().place(index)?;
        let drawn = self.axes().iter().zip(&place.at).filter(|(axis, _)| !axis.paired);
        let point: Vec<(&str, Value)> =
            drawn.map(|(axis, at)| (axis.name.as_str(), axis.values[*at].clone())).collect();
        let seed = seed_of(self.seed(), &json::line(&point), place.sample);
        Some(Cell { study: self.clone(), index, place, seed })
    }

    /// The row of a cell as one line of JSON, without its line end; none where there is no such cell.
    pub fn evaluate(&self, index: u64) -> Option<String> {
        let mut run = CellRun::start(self.cell(index)?);
        loop {
            if let Some(row) = run.step(&mut Control::unlimited()) {
                return Some(row);
            }
        }
    }

    /// Which cell a row is of; none where it is no whole row of this study.
    pub fn cell_of_row(&self, line: &str) -> Option<u64> {
        let row = json::parse(line).ok()?;
        let row = row.as_object()?;
        let point = row.get("point")?.as_object()?;
        let at = self.axes().iter().map(|axis| axis.which(point.get(&axis.name)?));
        let place = Place { at: at.collect::<Option<_>>()?, sample: row.get("sample")?.as_u64()? };
        let index = self.grid().cell(&place)?;
        let whole = match (row.get("values"), row.get("problem")) {
            (Some(values), None) => {
                values.as_object()?.keys().eq(self.measures().iter().map(|measure| &measure.name))
            }
            (None, Some(problem)) => problem.is_string(),
            _ => false,
        };
        let same = row.get("seed")?.as_u64()? == self.cell(index)?.seed && point.len() == self.axes().len();
        (whole && same && row.len() == 4).then_some(index)
    }

    /// What points call the values at a place.
    pub(crate) fn called(&self, at: &[usize]) -> Map<String, Value> {
        self.axes().iter().zip(at).map(|(axis, at)| (axis.name.clone(), axis.called(*at))).collect()
    }
}

impl Cell {
    /// The point: for each axis what it is set to, or what the study calls that.
    pub fn point(&self) -> Map<String, Value> {
        self.study.called(&self.place.at)
    }

    /// The document as text, laid out for people: it opens like any other.
    ///
    /// # Errors
    /// What is wrong with the generators of this cell.
    pub fn document(&self) -> Result<String, Vec<Problem>> {
        self.tree().map(|tree| json::pretty(&tree))
    }

    /// The document as a tree.
    ///
    /// # Errors
    /// What is wrong with the generators of this cell.
    pub fn tree(&self) -> Result<Value, Vec<Problem>> {
        let mut tree = self.study.base().clone();
        for (axis, at) in self.study.axes().iter().zip(&self.place.at) {
            if !axis.path.set(&mut tree, axis.values[*at].clone()) {
                let expected = axis.path.missing(&tree);
                return Err(vec![Problem::at(axis.path.to_string(), "missing", expected)]);
            }
        }
        let mut reader = Reader::default();
        generate::drawn(&mut reader, &mut tree, self.seed);
        let problems = reader.into_problems();
        if !problems.is_empty() {
            return Err(problems);
        }
        let mut document = Map::new();
        document.insert("warpspan".to_owned(), tree.get("warpspan").cloned().unwrap_or(Value::from(CURRENT)));
        document.insert("title".to_owned(), Value::from(self.title(tree.get("title"))));
        if let Value::Object(rest) = tree {
            document.extend(rest.into_iter().filter(|(key, _)| key != "warpspan" && key != "title"));
        }
        Ok(Value::Object(document))
    }

    /// The scenario that is run.
    ///
    /// # Errors
    /// Everything that is wrong with the cell's document.
    pub fn scenario(&self) -> Result<Scenario, Vec<Problem>> {
        self.study.linked().from_tree(&self.tree()?)
    }

    fn title(&self, base: Option<&Value>) -> String {
        let mut words: Vec<String> = base.and_then(Value::as_str).map(str::to_owned).into_iter().collect();
        words.extend(self.point().iter().map(|(name, value)| match value {
            Value::String(text) => format!("{name} = {text}"),
            value => format!("{name} = {}", shown(value)),
        }));
        if self.study.samples() > 1 {
            words.push(format!("sample {}", self.place.sample));
        }
        one_line(&words.join(", "), 400)
    }

    /// The row with what came of it.
    fn row(&self, came: Result<Map<String, Value>, String>) -> String {
        let mut row = Map::new();
        row.insert("point".to_owned(), Value::Object(self.point()));
        row.insert("sample".to_owned(), Value::from(self.place.sample));
        row.insert("seed".to_owned(), Value::from(self.seed));
        match came {
            Ok(values) => row.insert("values".to_owned(), Value::Object(values)),
            Err(problem) => row.insert("problem".to_owned(), Value::from(one_line(&problem, MOST_PART))),
        };
        json::line(&row)
    }
}

/// A cell while it is computed.
pub struct CellRun {
    cell: Cell,
    spent: u64,
    state: State,
}

enum State {
    Begin,
    Runs(Value, Box<dyn Job>),
    Done,
}

impl CellRun {
    /// The work on a cell.
    pub fn start(cell: Cell) -> Self {
        Self { cell, spent: 0, state: State::Begin }
    }

    /// The cell.
    pub fn cell(&self) -> &Cell {
        &self.cell
    }

    /// The units of work so far.
    pub fn spent(&self) -> u64 {
        self.spent
    }

    /// Works until the row is there, once, or the slice is over.
    pub fn step(&mut self, control: &mut Control) -> Option<String> {
        loop {
            let report = match &mut self.state {
                State::Done => return None,
                State::Begin => {
                    self.state = match self.begun() {
                        Ok((tree, job)) => State::Runs(tree, job),
                        Err(problem) => {
                            self.spent += OVERHEAD;
                            control.spend(OVERHEAD);
                            return self.done(Err(problem));
                        }
                    };
                    continue;
                }
                State::Runs(_, job) => {
                    let mut slice = Control::slice(SLICE);
                    let step = job.step(&mut slice);
                    // A slice that counts nothing still ends: work without a count is no work without an end.
                    let spent = slice.spent().max(1);
                    self.spent += spent;
                    let left = control.spend(spent);
                    match step {
                        Step::Done(report) => Some(report),
                        Step::More(_) if self.spent >= self.cell.study.work() => {
                            job.stop(StopReason::TimeLimit)
                        }
                        Step::More(_) if left => continue,
                        Step::More(_) => return None,
                    }
                }
            };
            self.spent += OVERHEAD;
            control.spend(OVERHEAD);
            let came = match (report, &self.state) {
                (Some(report), State::Runs(tree, _)) => self.measured(&report, tree),
                _ => {
                    let work = base::people::grouped(u128::from(self.cell.study.work() / 1_000_000));
                    Err(format!("not done within {work} million units of work, the study's limit"))
                }
            };
            return self.done(came);
        }
    }

    fn begun(&self) -> Result<(Value, Box<dyn Job>), String> {
        let told = |problems: Vec<Problem>| {
            let lines: Vec<String> = problems.iter().take(MOST_TOLD).map(ToString::to_string).collect();
            lines.join("; ")
        };
        let tree = self.cell.tree().map_err(told)?;
        let linked = self.cell.study.linked();
        let scenario = linked.from_tree(&tree).map_err(told)?;
        Ok((tree, linked.start(&scenario)))
    }

    fn measured(&self, report: &Report, document: &Value) -> Result<Map<String, Value>, String> {
        let report = json::parse(&report.line()).map_err(|problem| problem.to_string())?;
        let measures = self.cell.study.measures().iter();
        measures
            .map(|measure| {
                let found = measure::value(&measure.formula, &report, document);
                let found = found.map_err(|why| format!("{}: {why}", measure.name))?;
                Ok((measure.name.clone(), found.to_json()))
            })
            .collect()
    }

    fn done(&mut self, came: Result<Map<String, Value>, String>) -> Option<String> {
        self.state = State::Done;
        Some(self.cell.row(came))
    }
}
