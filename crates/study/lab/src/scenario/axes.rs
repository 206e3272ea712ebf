//! The axes of a study: where in the base they lead, and which values they take.

use std::collections::HashMap;

use base::people;
use base::problem::quoted;
use base::rational::Rational;
use kit::import::json;
use kit::import::reader::{Fields, Reader, shown};
use serde_json::Value;

use super::{Axis, LONGEST_NAME, most_axes};
use crate::number::Number;
use crate::path::Path;

/// The most values of an axis.
const MOST_VALUES: usize = 100_000;
const VALUES: &str = "a list of values, or \"from\", \"to\" and \"step\"";

/// The axes in which nothing is wrong, and whether those are all.
pub(super) struct Axes {
    pub good: Vec<Axis>,
    pub all: bool,
}

impl Axes {
    /// Where something is wrong with the list itself.
    const NONE: Self = Self { good: Vec::new(), all: false };
}

/// Reads the list of axes.
pub(super) fn read(reader: &mut Reader, path: &str, value: &Value, base: Option<&Value>) -> Axes {
    let Some(items) = reader.list(path, value) else { return Axes::NONE };
    if items.len() > most_axes() {
        reader.problem(path, people::counted(items.len(), "axis"), format!("at most {} axes", most_axes()));
        return Axes::NONE;
    }
    let mut read: Vec<(String, Option<Axis>)> = Vec::with_capacity(items.len());
    for (i, item) in items.iter().enumerate() {
        let place = format!("{path}[{i}]");
        let own = axis(reader, i, &place, item, base);
        if let Some(own) = &own {
            for (earlier, other) in &read {
                let Some(other) = other else { continue };
                if own.path.meets(&other.path) {
                    let what = format!("{}, where {earlier} already sets {}", own.path, other.path);
                    reader.problem(format!("{place}.path"), what, "a place that no other axis sets");
                } else if own.name == other.name {
                    let what = format!("the name of {earlier} again");
                    reader.problem(format!("{place}.name"), what, "a name of its own");
                }
            }
        }
        read.push((place, own));
    }
    let all = read.iter().all(|(_, axis)| axis.is_some());
    Axes { good: read.into_iter().filter_map(|(_, axis)| axis).collect(), all }
}

fn axis(reader: &mut Reader, nth: usize, place: &str, value: &Value, base: Option<&Value>) -> Option<Axis> {
    let fields = reader.object(place, value)?;
    reader.only(&fields, &["path", "name", "values", "labels", "from", "to", "step", "paired"]);
    let path = reader.required(&fields, "path", "a path such as warps.count", |reader, place, value| {
        let text = reader.text_up_to(1_000, place, value)?;
        let path = Path::parse(&text);
        let what = quoted(&text);
        let path = path.map_err(|expected| reader.problem(place, what.clone(), expected)).ok()?;
        if let Some(base) = base
            && path.get(base).is_none()
        {
            reader.problem(place, what, path.missing(base));
            return None;
        }
        Some(path)
    });
    let name = reader.optional(&fields, "name", |reader, place, value| {
        let name = reader.text_up_to(LONGEST_NAME, place, value)?;
        if name.trim().is_empty() {
            reader.problem(place, quoted(&name), "a name");
            return None;
        }
        Some(name)
    });
    let named = fields.get("name").is_none() || name.is_some();
    let paired = match fields.get("paired") {
        Some(value) => reader.truth(&fields.path_of("paired"), value),
        None => Some(false),
    };
    let values =
        match (fields.get("values"), ["from", "to", "step"].iter().any(|key| fields.get(key).is_some())) {
            (Some(value), false) => listed(reader, &fields.path_of("values"), value),
            (None, true) => range(reader, &fields),
            (Some(_), true) => {
                reader.problem(place, "values and a range together", format!("either {VALUES}"));
                None
            }
            (None, false) => {
                reader.problem(fields.path_of("values"), "missing", VALUES);
                None
            }
        };
    let labels = labels(reader, &fields, values.as_deref());
    let (path, values, paired, labels) = (path?, values?, paired?, labels?);
    let mut axis = Axis {
        nth,
        name: name.unwrap_or_else(|| path.to_string()),
        path,
        values,
        labels,
        paired,
        known: HashMap::new(),
    };
    axis.known = (0..axis.values.len()).map(|at| (json::line(&axis.called(at)), at)).collect();
    named.then_some(axis)
}

fn listed(reader: &mut Reader, place: &str, value: &Value) -> Option<Vec<Value>> {
    let items = reader.list(place, value)?;
    if !counted(reader, place, items.len()) {
        return None;
    }
    let mut known: HashMap<String, usize> = HashMap::new();
    let mut fine = true;
    for (i, item) in items.iter().enumerate() {
        if let Some(first) = known.insert(json::line(item), i) {
            let what = format!("{}, the value of [{first}] again", shown(item));
            reader.problem(format!("{place}[{i}]"), what, "each value once");
            fine = false;
        }
    }
    fine.then(|| items.to_vec())
}

fn counted(reader: &mut Reader, place: &str, count: usize) -> bool {
    let fits = (1..=MOST_VALUES).contains(&count);
    if !fits {
        let expected = format!("1 to {} values", people::grouped(MOST_VALUES as u128));
        reader.problem(place, people::counted(count, "value"), expected);
    }
    fits
}

/// The values of a range, exactly: `from`, `from + step` and so on up to `to`.
fn range(reader: &mut Reader, fields: &Fields<'_>) -> Option<Vec<Value>> {
    let mut number = |key: &str, otherwise: Option<Rational>| {
        let Some(value) = fields.get(key) else {
            if otherwise.is_none() {
                reader.problem(fields.path_of(key), "missing", "a number");
            }
            return otherwise;
        };
        match value.as_number().and_then(Number::of) {
            Some(Number::Exact(number)) => Some(number),
            _ => {
                reader.problem(fields.path_of(key), shown(value), "a number with at most 15 digits");
                None
            }
        }
    };
    let (from, to) = (number("from", None), number("to", None));
    let step = number("step", Some(Rational::whole(1)));
    let (from, to, step) = (from?, to?, step?);
    if step <= Rational::ZERO {
        reader.problem(fields.path_of("step"), step.to_string(), "a number above 0");
        return None;
    }
    if to < from {
        reader.problem(
            fields.path_of("to"),
            to.to_string(),
            format!("at least {from}, where the range begins"),
        );
        return None;
    }
    let steps = from.negated().and_then(|minus| to.plus(minus)).and_then(|length| length.over(step));
    let count =
        steps.and_then(|steps| usize::try_from(steps.floor()).ok()).and_then(|steps| steps.checked_add(1));
    let count = count.unwrap_or(usize::MAX);
    if count > MOST_VALUES {
        let expected = format!("a range of at most {} values", people::grouped(MOST_VALUES as u128));
        reader.problem(
            fields.path_of("step"),
            format!("{} values", people::grouped(count as u128)),
            expected,
        );
        return None;
    }
    let value = |i: usize| {
        let steps = Rational::whole(i64::try_from(i).ok()?);
        Some(Number::Exact(step.times(steps)?.plus(from)?).to_json())
    };
    (0..count).map(value).collect()
}

fn labels(reader: &mut Reader, fields: &Fields<'_>, values: Option<&[Value]>) -> Option<Option<Vec<String>>> {
    let Some(value) = fields.get("labels") else { return Some(None) };
    let place = fields.path_of("labels");
    let items = reader.list(&place, value)?;
    let mut labels: Vec<String> = Vec::with_capacity(items.len());
    for (i, item) in items.iter().enumerate() {
        let place = format!("{place}[{i}]");
        let label = reader.text_up_to(LONGEST_NAME, &place, item)?;
        if labels.contains(&label) {
            reader.problem(place, format!("{} again", quoted(&label)), "each label once");
            return None;
        }
        labels.push(label);
    }
    let values = values?;
    if labels.len() != values.len() {
        let expected = format!("{}, one for each value", people::counted(values.len(), "label"));
        reader.problem(place, people::counted(labels.len(), "label"), expected);
        return None;
    }
    Some(Some(labels))
}
