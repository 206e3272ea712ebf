//! Reading the check of a step.

use serde_json::Value;

use super::check::{Check, Compare, Found, Operand, Sight, Source};
use super::question::{Kind, Question};
use super::values::{Path, Take};
use base::people;
use kit::import::reader::{Fields, Reader, shown};

/// What a check may be.
const KINDS: [&str; 8] = ["report", "document", "worst_case", "view", "answer", "revealed", "all", "any"];
const COMPARISONS: [&str; 6] = ["equals", "at_least", "at_most", "more_than", "less_than", "changed"];
/// Checks nest no deeper.
const DEEPEST: usize = 4;

/// Reads a check.
pub fn check(reader: &mut Reader, path: &str, value: &Value) -> Option<Check> {
    nested(reader, path, value, DEEPEST)
}

fn nested(reader: &mut Reader, path: &str, value: &Value, depth: usize) -> Option<Check> {
    let fields = reader.object(path, value)?;
    let one_of = || format!("exactly one of {}", KINDS.join(", "));
    let found: Vec<&str> = KINDS.into_iter().filter(|kind| fields.get(kind).is_some()).collect();
    let [kind] = found[..] else {
        let what = if found.is_empty() { "none of them".to_owned() } else { people::listed(&found) };
        reader.problem(path, what, one_of());
        return None;
    };
    let value = fields.get(kind)?;
    let at = fields.path_of(kind);
    match kind {
        "report" | "document" | "worst_case" => {
            only(reader, &fields, &[kind, "take", "divided_by", "tolerance"]);
            let found = found_in(reader, &fields, kind)?;
            Some(Check::Value(found, comparisons(reader, &fields)?))
        }
        "view" => {
            only(reader, &fields, &[kind, "tolerance"]);
            let sight = named(reader, &at, value, &Sight::ALL)?;
            Some(Check::Sight(sight, comparisons(reader, &fields)?))
        }
        "answer" => {
            reader.only(&fields, &[kind]);
            question(reader, &at, value).map(Check::Answer)
        }
        "revealed" => {
            reader.only(&fields, &[kind]);
            yes(reader, &at, value).then_some(Check::Revealed)
        }
        _ => {
            reader.only(&fields, &[kind]);
            let items = reader.list(&at, value)?;
            if items.is_empty() || depth == 0 {
                reader.problem(&at, shown(value), format!("checks, nested {DEEPEST} deep at most"));
                return None;
            }
            let each = items.iter().enumerate();
            let checks: Vec<Option<Check>> =
                each.map(|(i, item)| nested(reader, &format!("{at}[{i}]"), item, depth - 1)).collect();
            let checks: Vec<Check> = checks.into_iter().collect::<Option<_>>()?;
            Some(if kind == "all" { Check::All(checks) } else { Check::Any(checks) })
        }
    }
}

/// Notes every field that is neither one of these nor a comparison.
fn only(reader: &mut Reader, fields: &Fields<'_>, own: &[&str]) {
    let known: Vec<&str> = own.iter().copied().chain(COMPARISONS).collect();
    reader.only(fields, &known);
}

/// One of several names.
fn named<T: Copy>(reader: &mut Reader, path: &str, value: &Value, all: &[(&str, T)]) -> Option<T> {
    let found = all.iter().find(|(name, _)| value.as_str() == Some(name)).map(|(_, found)| *found);
    if found.is_none() {
        let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
        reader.problem(path, shown(value), format!("one of {}", names.join(", ")));
    }
    found
}

/// `true`, as nothing else says anything here.
fn yes(reader: &mut Reader, path: &str, value: &Value) -> bool {
    if value != true {
        reader.problem(path, shown(value), "true");
    }
    value == true
}

/// A value that is looked up; `kind` is the key that holds its place.
fn found_in(reader: &mut Reader, fields: &Fields<'_>, kind: &str) -> Option<Found> {
    let source = Source::ALL.iter().find(|(name, _)| *name == kind)?.1;
    let path = reader.optional(fields, kind, |reader, path, value| {
        let found = value.as_str().and_then(Path::parse);
        if found.is_none() {
            reader.problem(path, shown(value), "a place such as \"/makespan\" or \"/kernels/label=K2/end\"");
        }
        found
    });
    let take = reader.optional(fields, "take", |reader, path, value| named(reader, path, value, &Take::ALL));
    let divided_by =
        reader.optional(fields, "divided_by", |reader, path, value| reader.number(path, value, 1e-12..=1e18));
    Some(Found { source, path: path?, take, divided_by: divided_by.unwrap_or(1.0) })
}

/// What something is compared with: a value, or an object that says where it is.
fn operand(reader: &mut Reader, path: &str, value: &Value) -> Option<Operand> {
    let Value::Object(map) = value else { return Some(Operand::Given(value.clone())) };
    let Some((kind, _)) = Source::ALL.iter().find(|(name, _)| map.contains_key(*name)) else {
        return Some(Operand::Given(value.clone()));
    };
    let fields = reader.object(path, value)?;
    reader.only(&fields, &[kind, "take", "divided_by"]);
    found_in(reader, &fields, kind).map(Operand::Found)
}

/// The same where only a number makes sense.
fn amount(reader: &mut Reader, path: &str, value: &Value) -> Option<Operand> {
    let found = operand(reader, path, value)?;
    if matches!(&found, Operand::Given(given) if !given.is_number()) {
        reader.problem(path, shown(value), "a number, or {\"report\": a place}");
        return None;
    }
    Some(found)
}

fn comparisons(reader: &mut Reader, fields: &Fields<'_>) -> Option<Vec<Compare>> {
    let tolerance = reader.optional(fields, "tolerance", tolerance).unwrap_or(0.0);
    let mut all = Vec::new();
    for key in COMPARISONS.into_iter().filter(|key| fields.get(key).is_some()) {
        let read = reader.optional(fields, key, |reader, path, value| {
            Some(match key {
                "equals" => Compare::Equals(operand(reader, path, value)?, tolerance),
                "at_least" => Compare::AtLeast(amount(reader, path, value)?),
                "at_most" => Compare::AtMost(amount(reader, path, value)?),
                "more_than" => Compare::MoreThan(amount(reader, path, value)?),
                "less_than" => Compare::LessThan(amount(reader, path, value)?),
                _ => yes(reader, path, value).then_some(Compare::Changed)?,
            })
        });
        all.push(read?);
    }
    if all.is_empty() {
        reader.problem(fields.path(), "no comparison", format!("one of {}", COMPARISONS.join(", ")));
        return None;
    }
    Some(all)
}

fn tolerance(reader: &mut Reader, path: &str, value: &Value) -> Option<f64> {
    reader.number(path, value, 0.0..=1e15)
}

pub(crate) fn question(reader: &mut Reader, path: &str, value: &Value) -> Option<Question> {
    let fields = reader.object(path, value)?;
    let ask = reader.required(&fields, "ask", "the question", Reader::text);
    let found: Vec<&str> =
        ["number", "text", "choices"].into_iter().filter(|kind| fields.get(kind).is_some()).collect();
    let kind = match found[..] {
        ["number"] => {
            reader.only(&fields, &["ask", "number", "tolerance", "unit"]);
            let unit = reader.optional(&fields, "unit", Reader::text).unwrap_or_default();
            let tolerance = reader.optional(&fields, "tolerance", tolerance).unwrap_or(0.0);
            Kind::Number(reader.optional(&fields, "number", amount)?, tolerance, unit)
        }
        ["text"] => {
            reader.only(&fields, &["ask", "text"]);
            Kind::Text(reader.optional(&fields, "text", texts)?)
        }
        ["choices"] => {
            reader.only(&fields, &["ask", "choices", "right"]);
            choice(reader, &fields)?
        }
        _ => {
            reader.problem(path, people::counted(found.len(), "kind"), "one of number, text and choices");
            return None;
        }
    };
    Some(Question { ask: ask?, kind })
}

/// A text, or a list of texts that are all right.
fn texts(reader: &mut Reader, path: &str, value: &Value) -> Option<Vec<Operand>> {
    let items = match value {
        Value::Array(items) => items.as_slice(),
        one => std::slice::from_ref(one),
    };
    let wrong = |item: &Value| !item.is_string() && !item.is_object();
    if items.is_empty() || items.iter().any(wrong) {
        reader.problem(path, shown(value), "a text, or a list of texts that are all right");
        return None;
    }
    items.iter().map(|item| operand(reader, path, item)).collect()
}

fn choice(reader: &mut Reader, fields: &Fields<'_>) -> Option<Kind> {
    let choices = reader.optional(fields, "choices", |reader, path, value| {
        let items = reader.list(path, value)?;
        if !(2..=8).contains(&items.len()) {
            reader.problem(path, shown(value), "2 to 8 choices");
        }
        let each = items.iter().enumerate();
        Some(each.filter_map(|(i, item)| reader.text(&format!("{path}[{i}]"), item)).collect::<Vec<_>>())
    })?;
    let right = reader.required(fields, "right", "the right choice", operand)?;
    if let Operand::Given(given) = &right
        && !choices.iter().any(|choice| given.as_str() == Some(choice))
    {
        reader.problem(fields.path_of("right"), shown(given), "one of the choices, word for word");
    }
    Some(Kind::Choice(choices, right))
}
