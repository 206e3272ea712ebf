//! The `study` part of a document: read, with all that can be wrong with its cells as far as a look at each value of
//! each axis tells.

mod axes;
mod draw;
mod looks;

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use base::formula::Expr;
use base::people;
use kit::import::json;
use kit::import::reader::{Fields, LONGEST_TEXT, Reader, shown};
use kit::lab::Linked;
use kit::scenario::Scenario;
use serde_json::Value;
use study::{Grid, MOST_CELLS};

use crate::{measure, path::Path};
use axes::Axes;
pub use draw::{Drawing, Kind};

/// The most axes of a study, and the most measures.
const MOST_AXES: usize = 8;
const MOST_MEASURES: usize = 50;
/// The most samples of a point.
const MOST_SAMPLES: u64 = 1_000_000;
/// Work is counted in millions of units.
const MILLION: u64 = 1_000_000;
/// What a cell may take, if nothing else is said.
const WORK: u64 = 10_000 * MILLION;
/// The largest seed.
const LARGEST_SEED: u64 = (1 << 53) - 1;

const FIELDS: [&str; 7] = ["base", "axes", "samples", "seed", "measures", "draw", "limit"];

/// A study that makes sense. Cheap to copy.
#[derive(Clone)]
pub struct Study(Arc<Read>);

struct Read {
    linked: &'static Linked,
    written: Value,
    base: Value,
    axes: Vec<Axis>,
    grid: Grid,
    seed: u64,
    measures: Vec<Measure>,
    draw: Vec<Drawing>,
    work: u64,
}

/// An axis: a place in the base, and what it is set to.
#[derive(Debug, Clone)]
pub struct Axis {
    /// Which of the document's axes it is.
    pub(crate) nth: usize,
    /// What points call it: its name, or its path.
    pub name: String,
    /// The place.
    pub path: Path,
    /// The values.
    pub values: Vec<Value>,
    /// What points call the values, where that is not the values themselves.
    pub labels: Option<Vec<String>>,
    /// Whether cells that differ in this axis alone draw the same numbers.
    pub paired: bool,
    /// For what a point calls a value, as a line of JSON, which of them it is.
    known: HashMap<String, usize>,
}

/// What is measured.
#[derive(Debug, Clone)]
pub struct Measure {
    /// Its name.
    pub name: String,
    /// The formula, as it is written.
    pub text: String,
    pub(crate) formula: Expr,
}

impl Axis {
    /// What points call a value.
    pub fn called(&self, at: usize) -> Value {
        match &self.labels {
            Some(labels) => labels.get(at).map_or(Value::Null, |label| Value::from(label.as_str())),
            None => self.values.get(at).cloned().unwrap_or_default(),
        }
    }

    /// Which value a point speaks of.
    pub fn which(&self, called: &Value) -> Option<usize> {
        self.known.get(&json::line(called)).copied()
    }
}

impl Study {
    /// The study of a scenario, if it is one.
    pub fn of(scenario: &Scenario) -> Option<Self> {
        scenario.asked::<Self>().cloned()
    }

    /// How many cells there are.
    pub fn cells(&self) -> u64 {
        self.0.grid.cells()
    }

    /// How many points there are; each has as many samples.
    pub fn points(&self) -> u64 {
        self.0.grid.points()
    }

    /// How many samples each point has.
    pub fn samples(&self) -> u64 {
        self.0.grid.samples()
    }

    /// The study's seed.
    pub fn seed(&self) -> u64 {
        self.0.seed
    }

    /// The axes.
    pub fn axes(&self) -> &[Axis] {
        &self.0.axes
    }

    /// The measures, in the order in which rows have them.
    pub fn measures(&self) -> &[Measure] {
        &self.0.measures
    }

    /// What to draw.
    pub fn draw(&self) -> &[Drawing] {
        &self.0.draw
    }

    /// The units of work that a cell may take.
    pub fn work(&self) -> u64 {
        self.0.work
    }

    /// Which cells are where.
    pub fn grid(&self) -> &Grid {
        &self.0.grid
    }

    pub(crate) fn linked(&self) -> &'static Linked {
        self.0.linked
    }

    pub(crate) fn base(&self) -> &Value {
        &self.0.base
    }
}

impl PartialEq for Study {
    fn eq(&self, other: &Self) -> bool {
        self.0.written == other.0.written
    }
}

impl fmt::Debug for Study {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Study").field("cells", &self.cells()).finish_non_exhaustive()
    }
}

/// Reads the `study` object.
pub fn read(linked: &'static Linked, reader: &mut Reader, path: &str, value: &Value) -> Option<Study> {
    let fields = reader.object(path, value)?;
    reader.only(&fields, &FIELDS);
    let noted = reader.noted();
    let base =
        reader.required(&fields, "base", "a scenario, such as {\"warps\": ...}", |reader, path, value| {
            base(linked, reader, path, value)
        });
    let axes = match fields.get("axes") {
        Some(value) => axes::read(reader, &fields.path_of("axes"), value, base.as_ref()),
        None => Axes { good: Vec::new(), all: true },
    };
    let whole = |reader: &mut Reader, key: &str, range, otherwise| match fields.get(key) {
        Some(value) => reader.whole(&fields.path_of(key), value, range),
        None => Some(otherwise),
    };
    let samples = whole(reader, "samples", 1..=MOST_SAMPLES, 1);
    let seed = whole(reader, "seed", 0..=LARGEST_SEED, 1);
    let measures = reader.required(
        &fields,
        "measures",
        "what to measure, such as {\"makespan\": \"makespan\"}",
        measures,
    );
    let draw = match fields.get("draw") {
        Some(value) => {
            let all = axes.all.then_some(axes.good.as_slice());
            draw::read(reader, &fields.path_of("draw"), value, all, measures.as_deref())
        }
        None => Some(Vec::new()),
    };
    let work = limit(reader, &fields);
    // Where something is wrong, what is right is looked at all the same.
    let all = axes.all;
    let axes = axes.good;
    let grid = grid(reader, &fields, &axes, samples.unwrap_or(1))?;
    let study = Study(Arc::new(Read {
        linked,
        written: value.clone(),
        base: base?,
        axes,
        grid,
        seed: seed.unwrap_or(1),
        measures: measures.unwrap_or_default(),
        draw: draw.unwrap_or_default(),
        work: work.unwrap_or(WORK),
    }));
    looks::at(reader, path, &study);
    (all && reader.noted() == noted).then_some(study)
}

/// The base: an object with one lab's question; the rest of a document may stand there, too.
fn base(linked: &Linked, reader: &mut Reader, path: &str, value: &Value) -> Option<Value> {
    let fields = reader.object(path, value)?;
    let keys: Vec<&str> = kit::lab::keys(linked.labs);
    let known: Vec<&str> = ["warpspan", "title", "notes"].into_iter().chain(keys.iter().copied()).collect();
    reader.only(&fields, &known);
    let found: Vec<&str> = keys.iter().copied().filter(|key| fields.get(key).is_some()).collect();
    if found.len() != 1 {
        let quoted: Vec<String> = keys.iter().map(|key| format!("\"{key}\"")).collect();
        let what = if found.is_empty() {
            "no question in it".to_owned()
        } else {
            format!("{} together", people::listed(&found))
        };
        reader.problem(path, what, format!("exactly one of {}", people::listed(&quoted)));
        return None;
    }
    let within = selfcontained(reader, path, &fields);
    (clockless(reader, path, value) && within).then(|| value.clone())
}

/// Whether the base holds all that it asks about: cells are computed where the files of a recorded run are not.
fn selfcontained(reader: &mut Reader, path: &str, fields: &Fields<'_>) -> bool {
    let files = fields.get("trace").and_then(|trace| trace.get("files"));
    if let Some(files) = files {
        let expected = "a run that is in the document, as \"recorded\"";
        reader.problem(format!("{path}.trace.files"), shown(files), expected);
    }
    files.is_none()
}

/// Whether nothing in the base asks for a clock: rows would depend on the machine.
fn clockless(reader: &mut Reader, path: &str, value: &Value) -> bool {
    match value {
        Value::Object(map) => {
            let mut fine = true;
            for (key, inner) in map {
                let place = kit::import::reader::join(path, key);
                if key == "time_limit" {
                    let expected = "no limit in seconds, as every machine has the same rows: \"limit\": {\"work\": ...} of the study";
                    reader.problem(place, shown(inner), expected);
                    fine = false;
                } else {
                    fine &= clockless(reader, &place, inner);
                }
            }
            fine
        }
        Value::Array(items) => {
            let items = items.iter().enumerate();
            items.fold(true, |fine, (i, inner)| clockless(reader, &format!("{path}[{i}]"), inner) && fine)
        }
        _ => true,
    }
}

fn measures(reader: &mut Reader, path: &str, value: &Value) -> Option<Vec<Measure>> {
    let fields = reader.object(path, value)?;
    let count = fields.keys().count();
    if !(1..=MOST_MEASURES).contains(&count) {
        reader.problem(path, people::counted(count, "measure"), format!("1 to {MOST_MEASURES} measures"));
        return None;
    }
    let mut read = Vec::with_capacity(count);
    for name in fields.keys() {
        let place = fields.path_of(name);
        let Some(text) = fields.get(name).and_then(|value| reader.text(&place, value)) else { continue };
        match measure::read(&text) {
            Ok(formula) if formula.any(&|part| matches!(part, Expr::Name(path) if takes_time(path))) => {
                reader.problem(place, "seconds", "what is the same on every machine");
            }
            Ok(formula) => read.push(Measure { name: name.to_owned(), text, formula }),
            Err(error) => {
                let what = format!("{} at character {}", error.what, error.column);
                reader.problem(place, what, error.expected);
            }
        }
    }
    (read.len() == count).then_some(read)
}

fn takes_time(path: &str) -> bool {
    !path.starts_with("document.")
        && path.split(['.', '[']).any(|word| word == "seconds" || word.ends_with("_seconds"))
}

fn limit(reader: &mut Reader, fields: &Fields<'_>) -> Option<u64> {
    let Some(value) = fields.get("limit") else { return Some(WORK) };
    let inner = reader.object(&fields.path_of("limit"), value)?;
    reader.only(&inner, &["work"]);
    match inner.get("work") {
        Some(value) => {
            reader.whole(&inner.path_of("work"), value, 1..=1_000_000_000).map(|work| work * MILLION)
        }
        None => Some(WORK),
    }
}

fn grid(reader: &mut Reader, fields: &Fields<'_>, axes: &[Axis], samples: u64) -> Option<Grid> {
    let sizes: Vec<u64> = axes.iter().map(|axis| axis.values.len() as u64).collect();
    let grid = Grid::new(sizes, samples).filter(|grid| grid.cells() <= MOST_CELLS);
    if grid.is_none() {
        let mut factors: Vec<String> =
            axes.iter().map(|axis| people::grouped(axis.values.len() as u128)).collect();
        factors.push(people::grouped(samples.into()));
        let most = people::grouped(MOST_CELLS.into());
        reader.problem(
            fields.path(),
            format!("{} cells", factors.join(" × ")),
            format!("at most {most} cells"),
        );
    }
    grid
}

/// The most characters of a name.
pub(crate) const LONGEST_NAME: usize = if LONGEST_TEXT < 200 { LONGEST_TEXT } else { 200 };
/// The most axes, for those who read them.
pub(crate) const fn most_axes() -> usize {
    MOST_AXES
}
