//! The report of a study: what its measures came to, point by point.

use base::people;
use kit::import::json;
use kit::report::{Told, micro};
use serde::Serialize;
use serde_json::{Map, Value};
use study::{Place, statistics};

use crate::Share;
use crate::scenario::{Drawing, Study};

/// The most points that a report lists; rows have all of them.
const MOST_POINTS: usize = 20_000;
/// The most problems that it repeats.
const MOST_TOLD: usize = 10;

/// What is known of a study.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StudyReport {
    /// The scenario's title.
    pub scenario: String,
    /// Always `study`.
    pub lab: &'static str,
    /// How long it took.
    pub seconds: f64,
    /// How many cells were computed.
    pub cells: u64,
    /// How many of these have a problem.
    pub failed: u64,
    /// The first of their problems, each once.
    pub problems: Vec<String>,
    /// What is measured: names and formulas.
    pub measures: Map<String, Value>,
    /// What to draw.
    pub draw: Vec<Drawing>,
    /// The points of which there is a cell, in the order of the grid.
    pub points: Vec<Point>,
    /// What the reader should know.
    pub notes: Vec<String>,
}

/// A point.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Point {
    /// What the axes are set to.
    pub point: Map<String, Value>,
    /// How many cells it has here.
    pub cells: u64,
    /// How many of these have a problem.
    pub failed: u64,
    /// What the measures came to.
    pub values: Map<String, Value>,
}

/// What was measured so far.
#[derive(Debug, Default)]
pub struct Gathered {
    cells: u64,
    failed: u64,
    problems: Vec<String>,
    points: std::collections::BTreeMap<u64, OfPoint>,
    left_out: u64,
}

#[derive(Debug, Default)]
struct OfPoint {
    at: Vec<usize>,
    cells: u64,
    failed: u64,
    measures: Vec<Gathering>,
}

/// The values of one measure at one point, each beside its sample.
#[derive(Debug, Default)]
struct Gathering {
    numbers: Vec<(u64, f64)>,
    holds: u64,
    truths: u64,
    texts: std::collections::BTreeMap<String, u64>,
    unknown: u64,
}

impl Gathered {
    /// Nothing yet.
    pub fn new(_study: &Study) -> Self {
        Self::default()
    }

    /// Adds the row of the cell at a place.
    pub fn add(&mut self, study: &Study, place: &Place, row: &str) {
        let Ok(row) = json::parse(row) else { return };
        self.cells += 1;
        let problem = row.get("problem").and_then(Value::as_str);
        if let Some(problem) = problem {
            self.failed += 1;
            if self.problems.len() < MOST_TOLD && !self.problems.iter().any(|known| known == problem) {
                self.problems.push(problem.to_owned());
            }
        }
        let Some(first) = study.grid().cell(&Place { at: place.at.clone(), sample: 0 }) else { return };
        if self.points.len() >= MOST_POINTS && !self.points.contains_key(&first) {
            self.left_out += 1;
            return;
        }
        let point = self.points.entry(first).or_default();
        point.at.clone_from(&place.at);
        point.cells += 1;
        point.failed += u64::from(problem.is_some());
        point.measures.resize_with(study.measures().len(), Gathering::default);
        let Some(values) = row.get("values") else { return };
        for (measure, gathering) in study.measures().iter().zip(&mut point.measures) {
            gathering.add(place.sample, values.get(&measure.name).unwrap_or(&Value::Null));
        }
    }

    /// The report of what was gathered.
    pub fn report(&self, title: &str, study: &Study) -> StudyReport {
        let point = |point: &OfPoint| Point {
            point: study.called(&point.at),
            cells: point.cells,
            failed: point.failed,
            values: study
                .measures()
                .iter()
                .zip(&point.measures)
                .map(|(m, of)| (m.name.clone(), of.told()))
                .collect(),
        };
        let mut notes = Vec::new();
        if self.left_out > 0 {
            let (left, most) = (people::grouped(self.left_out.into()), people::grouped(MOST_POINTS as u128));
            notes.push(format!("Only {most} points are listed; {left} cells are of others."));
        }
        StudyReport {
            scenario: title.to_owned(),
            lab: "study",
            seconds: 0.0,
            cells: self.cells,
            failed: self.failed,
            problems: self.problems.clone(),
            measures: measures(study),
            draw: study.draw().to_vec(),
            points: self.points.values().map(point).collect(),
            notes,
        }
    }
}

impl Gathering {
    fn add(&mut self, sample: u64, value: &Value) {
        match value {
            Value::Number(number) => self.numbers.push((sample, number.as_f64().unwrap_or_default())),
            Value::Bool(truth) => {
                self.truths += 1;
                self.holds += u64::from(*truth);
            }
            Value::String(text) => *self.texts.entry(text.clone()).or_default() += 1,
            _ => self.unknown += 1,
        }
    }

    /// In short; rows in another order tell the same.
    fn told(&self) -> Value {
        let mut told = Map::new();
        let mut sorted = self.numbers.clone();
        sorted.sort_by_key(|(sample, _)| *sample);
        let values: Vec<f64> = sorted.into_iter().map(|(_, value)| value).collect();
        let mut put = |key: &str, value: Value| told.insert(key.to_owned(), value);
        if let Some(numbers) = statistics::numbers(&values) {
            put("count", Value::from(numbers.count));
            put("mean", Value::from(numbers.mean));
            if let (Some(deviation), Some([low, high])) = (numbers.deviation, numbers.interval) {
                put("deviation", Value::from(deviation));
                put("interval", Value::from(vec![low, high]));
            }
            put("min", Value::from(numbers.least));
            put("quartile_1", Value::from(numbers.quartile_1));
            put("median", Value::from(numbers.median));
            put("quartile_3", Value::from(numbers.quartile_3));
            put("max", Value::from(numbers.most));
        }
        if let Some(share) = statistics::share(self.holds, self.truths) {
            put("count", Value::from(share.count));
            put("holds", Value::from(share.holds));
            put("share", Value::from(share.share));
            put("interval", Value::from(share.interval.to_vec()));
        }
        if !self.texts.is_empty() {
            put(
                "texts",
                self.texts.iter().map(|(text, count)| (text.clone(), Value::from(*count))).collect(),
            );
        }
        if self.unknown > 0 {
            put("unknown", Value::from(self.unknown));
        }
        Value::Object(told)
    }
}

fn measures(study: &Study) -> Map<String, Value> {
    study
        .measures()
        .iter()
        .map(|measure| (measure.name.clone(), Value::from(measure.text.as_str())))
        .collect()
}

/// What there is to come, as a line of JSON.
pub fn head(title: &str, study: &Study, share: Share) -> String {
    let axis = |axis: &crate::Axis| {
        let mut told = Map::new();
        told.insert("name".to_owned(), Value::from(axis.name.as_str()));
        told.insert("path".to_owned(), Value::from(axis.path.to_string()));
        told.insert("values".to_owned(), (0..axis.values.len()).map(|at| axis.called(at)).collect());
        Value::Object(told)
    };
    let mut told = Map::new();
    told.insert("scenario".to_owned(), Value::from(title));
    told.insert("cells".to_owned(), Value::from(study.cells()));
    told.insert("share".to_owned(), Value::from(share.count(study.cells())));
    told.insert("samples".to_owned(), Value::from(study.samples()));
    told.insert("seed".to_owned(), Value::from(study.seed()));
    told.insert("axes".to_owned(), study.axes().iter().map(axis).collect());
    told.insert("measures".to_owned(), Value::Object(measures(study)));
    let draw = study.draw().iter().filter_map(|drawing| serde_json::to_value(drawing).ok());
    told.insert("draw".to_owned(), draw.collect());
    let mut line = Map::new();
    line.insert("study".to_owned(), Value::Object(told));
    json::line(&line)
}

impl Told for StudyReport {
    fn line(&self) -> String {
        json::line(self)
    }

    fn note(&mut self, text: String) {
        self.notes.insert(0, text);
    }

    fn took(&mut self, seconds: f64) {
        self.seconds = micro(seconds);
    }
}
