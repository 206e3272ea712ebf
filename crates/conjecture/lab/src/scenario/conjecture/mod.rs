//! The `conjecture` part of a scenario: a claim, what it is about, and the ranges of its parameters.

mod cells;
mod ranges;
#[cfg(test)]
mod tests;

use serde_json::Value;

use base::people;
use base::problem::quoted;
use conjecture::grid::NAMES;
use conjecture::{Claim, Conjecture, Formula, Limit, PUBLISHED, Published, Range, Says, SubBlocks, Template};
use kit::import::reader::{Fields, Reader, shown};
use warps::{MOST_INSTRUCTIONS, Normalised, PerUnit};
use warps_lab::scenario::warps::machine;

/// A question about a claim.
pub type ConjectureScenario = Conjecture;

/// At most so many multiprocessors.
const MOST_MULTIPROCESSORS: usize = 64;
/// Work is counted in millions of units.
const MILLION: u64 = 1_000_000;

const FIELDS: [&str; 8] =
    ["claim", "kernel", "machine", "fairness", "sub_blocks", "warps", "ranges", "limit"];
const KERNEL: &str = "an instruction string such as \"C rep(LLC) L\"";

/// Reads the `conjecture` object.
pub fn read(reader: &mut Reader, path: &str, value: &Value) -> Option<ConjectureScenario> {
    let fields = reader.object(path, value)?;
    reader.only(&fields, &FIELDS);
    let ranges = reader.required(&fields, "ranges", "the parameters, such as {\"W\": [1, 6]}", ranges::read);
    let names = written(&fields);
    let published = published(reader, &fields);
    let claim = claim(reader, &fields, published, names.as_deref());
    let template = kernel(reader, &fields, published);
    let normalised = match (fields.get("machine"), published) {
        (None, Some(published)) => Some(Normalised::plain(published.machine)),
        _ => reader.required(&fields, "machine", "capacities, a preset or unit counts", machine),
    };
    let sub_blocks = template.as_ref().and_then(|template| sub_blocks(reader, &fields, template, published));
    let warps = warps(reader, &fields, published, names.as_deref());
    let limit = limit(reader, &fields);
    let conjecture = Conjecture {
        claim: claim?,
        template: template?,
        normalised: normalised?,
        sub_blocks: sub_blocks?,
        warps: warps?,
        ranges: ranges?,
        limit: limit?,
    };
    cells::fit(reader, &fields, &conjecture).then_some(conjecture)
}

/// The names of the parameters as they are written, whatever else is wrong with them.
fn written<'a>(fields: &Fields<'a>) -> Option<Vec<&'a str>> {
    let ranges = fields.get("ranges")?.as_object().filter(|ranges| !ranges.is_empty())?;
    let written = ranges.keys().map(String::as_str);
    Some(written.filter(|name| base::formula::is_name(name)).take(self::ranges::MOST_PARAMETERS).collect())
}

/// The claim by its name, where it is one; what is wrong with it is told with the claim.
fn published(reader: &mut Reader, fields: &Fields<'_>) -> Option<&'static Published> {
    let name = fields.get("claim")?.get("named")?;
    let found = name.as_str().and_then(Published::named);
    if found.is_none() {
        let names: Vec<String> = PUBLISHED.iter().map(|claim| format!("\"{}\"", claim.name)).collect();
        let place = format!("{}.named", fields.path_of("claim"));
        reader.problem(place, shown(name), format!("one of {}", names.join(", ")));
    }
    found
}

fn claim(
    reader: &mut Reader,
    fields: &Fields<'_>,
    published: Option<&'static Published>,
    names: Option<&[&str]>,
) -> Option<Claim> {
    let expected = "what is claimed, such as {\"formula\": \"W * I\"} or {\"named\": \"raravi\"}";
    let claim =
        reader.required(fields, "claim", expected, |reader, path, value| reader.object(path, value))?;
    reader.only(&claim, &["formula", "named", "says"]);
    let says = match reader.optional(&claim, "says", Reader::text) {
        Some(name) => {
            let found = Says::ALL.into_iter().find(|(known, _)| *known == name).map(|(_, says)| says);
            if found.is_none() {
                reader.problem(claim.path_of("says"), quoted(&name), "\"at-most\" or \"exactly\"");
            }
            found
        }
        None if claim.get("says").is_some() => None,
        None => Some(published.map_or(Says::AtMost, |published| published.says)),
    };
    let text = match (claim.get("formula"), claim.get("named")) {
        (Some(_), None) => reader.optional(&claim, "formula", Reader::text),
        (None, Some(_)) => published.map(|published| published.formula.to_owned()),
        (found, _) => {
            let what = if found.is_some() { "formula and named together" } else { "no claim in it" };
            reader.problem(claim.path(), what, "exactly one of \"formula\" and \"named\"");
            None
        }
    }?;
    let mut known: Vec<&str> = NAMES.iter().map(|(name, _)| *name).collect();
    known.extend(names?.iter().filter(|name| NAMES.iter().all(|(own, _)| own != *name)));
    let key = if published.is_some() { "named" } else { "formula" };
    let formula = formula(reader, &claim.path_of(key), &text, &known)?;
    Some(Claim { published, formula, says: says? })
}

fn names(ranges: &[Range]) -> impl Iterator<Item = &str> {
    ranges.iter().map(|range| range.name.as_str())
}

fn formula(reader: &mut Reader, place: &str, text: &str, known: &[&str]) -> Option<Formula> {
    match Formula::parse(text, known) {
        Ok(formula) => Some(formula),
        Err(error) => {
            let what = format!("{} at character {}", error.what, error.column);
            reader.problem(place, what, error.expected);
            None
        }
    }
}

fn kernel(reader: &mut Reader, fields: &Fields<'_>, published: Option<&Published>) -> Option<Template> {
    let text = match (fields.get("kernel"), published) {
        (None, Some(published)) => published.kernel.to_owned(),
        _ => reader.required(fields, "kernel", KERNEL, Reader::kernel)?,
    };
    match Template::parse(&text) {
        Ok(template) => Some(template),
        Err(error) => {
            let what = format!("{} at character {}", error.what, error.column);
            reader.problem(fields.path_of("kernel"), what, error.expected);
            None
        }
    }
}

fn sub_blocks(
    reader: &mut Reader,
    fields: &Fields<'_>,
    template: &Template,
    published: Option<&Published>,
) -> Option<SubBlocks> {
    let given = fields.get("sub_blocks");
    let place = fields.path_of("sub_blocks");
    let fair = match fields.get("fairness") {
        None => published.is_some_and(|published| published.fair),
        Some(value) => match reader.text(&fields.path_of("fairness"), value)?.as_str() {
            "sub-block" => true,
            "work-conserving" => false,
            other => {
                let expected = "\"work-conserving\" or \"sub-block\"";
                reader.problem(fields.path_of("fairness"), quoted(other), expected);
                return None;
            }
        },
    };
    match given {
        Some(_) if !fair => {
            let expected = "no such key unless \"fairness\" is \"sub-block\"";
            reader.problem(place, "given without sub-block fairness", expected);
            None
        }
        None if !fair => Some(SubBlocks::None),
        Some(Value::Array(_)) => {
            let cuts = reader.numbers(&place, given?, 1..=MOST_INSTRUCTIONS as u32)?;
            if !cuts.windows(2).all(|pair| pair[0] < pair[1]) {
                reader.problem(place, "boundaries out of order", "numbers that ascend");
                return None;
            }
            Some(SubBlocks::After(cuts))
        }
        None => repetitions(reader, place, template, "missing"),
        Some(Value::String(text)) if text == "repetitions" => {
            repetitions(reader, place, template, "no repetition to cut before")
        }
        Some(other) => {
            let expected = "\"repetitions\", or a list of numbers of instructions";
            reader.problem(place, shown(other), expected);
            None
        }
    }
}

fn repetitions(reader: &mut Reader, place: String, template: &Template, what: &str) -> Option<SubBlocks> {
    if template.cuts(2, &PerUnit([1; 4])).is_some() {
        return Some(SubBlocks::Repetitions);
    }
    let expected =
        "a list of numbers of instructions, or a kernel with rep in it once, outside of parentheses";
    reader.problem(place, what, expected);
    None
}

/// How many warps: `"ceil(n/16)"`, or a list with one formula for each multiprocessor.
fn warps(
    reader: &mut Reader,
    fields: &Fields<'_>,
    published: Option<&Published>,
    names: Option<&[&str]>,
) -> Option<Vec<Formula>> {
    let place = fields.path_of("warps");
    let by_range = names.is_some_and(|names| names.contains(&"W"));
    let texts: Vec<(String, String)> = match fields.get("warps") {
        Some(_) if by_range => {
            reader.problem(place, "given although W is among the ranges", "one of the two");
            return None;
        }
        None if by_range => vec![(place, "W".to_owned())],
        None => match published.filter(|published| published.warps != "W") {
            Some(published) => vec![(place, published.warps.to_owned())],
            None => {
                names?;
                let expected = "a formula such as \"ceil(n/16)\", or W among the ranges";
                reader.problem(place, "missing", expected);
                return None;
            }
        },
        Some(Value::Array(items)) if (1..=MOST_MULTIPROCESSORS).contains(&items.len()) => {
            let item = |(i, item): (usize, &Value)| {
                let place = format!("{place}[{i}]");
                reader.text(&place, item).map(|text| (place, text))
            };
            let texts: Vec<_> = items.iter().enumerate().map(item).collect();
            texts.into_iter().collect::<Option<_>>()?
        }
        Some(Value::Array(items)) => {
            let expected = format!("1 to {MOST_MULTIPROCESSORS}, one for each multiprocessor");
            reader.problem(place, people::counted(items.len(), "formula"), expected);
            return None;
        }
        Some(value) => vec![(place.clone(), reader.text(&place, value)?)],
    };
    let known: Vec<&str> = names?.iter().copied().chain(NAMES[1..11].iter().map(|(name, _)| *name)).collect();
    let read: Vec<Option<Formula>> = texts
        .iter()
        .map(|(place, text)| {
            let formula = formula(reader, place, text, &known)?;
            if formula.asks_for_worst_cases() {
                reader.problem(place, "exact(...)", "a formula without worst cases");
                return None;
            }
            Some(formula)
        })
        .collect();
    read.into_iter().collect()
}

fn limit(reader: &mut Reader, fields: &Fields<'_>) -> Option<Limit> {
    let mut limit = Limit { memory: 256 << 20, work: 10_000 * MILLION };
    let Some(value) = fields.get("limit") else { return Some(limit) };
    let inner = reader.object(&fields.path_of("limit"), value)?;
    reader.only(&inner, &["memory", "work"]);
    let mut number = |key: &str, range| match inner.get(key) {
        None => Some(None),
        Some(value) => reader.whole(&inner.path_of(key), value, range).map(Some),
    };
    let (memory, work) = (number("memory", 1..=4_096), number("work", 1..=1_000_000_000));
    if let Some(memory) = memory? {
        limit.memory = memory << 20;
    }
    if let Some(work) = work? {
        limit.work = work * MILLION;
    }
    Some(limit)
}
