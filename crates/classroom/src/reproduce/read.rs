//! Reading a paper's file: every mistake with its place, as in a scenario.

use std::collections::HashSet;

use serde_json::Value;

use super::paper::{Comparison, Item, LeftOut, Paper};
use super::path::Path;
use super::reading::{Operand, Reading, Take};
use super::verdict::{Claim, Verdict};
use base::Problem;
use base::problem::quoted;
use kit::import::json;
use kit::import::reader::{Fields, Reader};
use kit::scenario::builtin::BUILTINS;

/// The longest an item may be said to take, in seconds.
const LONGEST: f64 = 3600.0;
const READING: [&str; 6] = ["at", "only", "take", "step", "minus", "over"];

/// Reads a paper.
pub fn read(text: &str) -> Result<Paper, Vec<Problem>> {
    let tree = json::parse(text).map_err(|problem| vec![problem])?;
    let mut reader = Reader::default();
    let paper = paper(&mut reader, &tree);
    match (paper, reader.into_problems()) {
        (Some(paper), problems) if problems.is_empty() => Ok(paper),
        (_, problems) => Err(problems),
    }
}

fn paper(reader: &mut Reader, tree: &Value) -> Option<Paper> {
    let fields = reader.object("", tree)?;
    reader.only(&fields, &["paper", "title", "authors", "items", "left_out"]);
    let letter = reader.required(&fields, "paper", "a letter", Reader::text);
    let title = reader.required(&fields, "title", "a text", Reader::text);
    let authors = reader.required(&fields, "authors", "a text", Reader::text);
    let (letter, title, authors) = (letter?, title?, authors?);
    let items = reader.required(&fields, "items", "a list", |reader, path, value| {
        each(reader, path, value, |reader, path, value| item(reader, path, value, &letter))
    });
    let left_out = reader
        .optional(&fields, "left_out", |reader, path, value| each(reader, path, value, left_out))
        .unwrap_or_default();
    let items = items?;
    let mut seen = HashSet::new();
    for (at, item) in items.iter().enumerate() {
        if !seen.insert(item.id.as_str()) {
            reader.problem(format!("items[{at}].id"), quoted(&item.id), "an id that no other item has");
        }
    }
    Some(Paper { letter, title, authors, items, left_out })
}

/// The items of a list, without those that have a mistake.
fn each<T>(
    reader: &mut Reader,
    path: &str,
    value: &Value,
    one: impl Fn(&mut Reader, &str, &Value) -> Option<T>,
) -> Option<Vec<T>> {
    let items = reader.list(path, value)?;
    Some(
        items
            .iter()
            .enumerate()
            .filter_map(|(at, item)| one(reader, &format!("{path}[{at}]"), item))
            .collect(),
    )
}

fn left_out(reader: &mut Reader, path: &str, value: &Value) -> Option<LeftOut> {
    let fields = reader.object(path, value)?;
    reader.only(&fields, &["place", "why"]);
    let place = reader.required(&fields, "place", "a text", Reader::text);
    let why = reader.required(&fields, "why", "a sentence", Reader::text);
    Some(LeftOut { place: place?, why: why? })
}

fn item(reader: &mut Reader, path: &str, value: &Value, paper: &str) -> Option<Item> {
    let fields = reader.object(path, value)?;
    reader.only(&fields, &["id", "place", "title", "says", "scenario", "seconds", "values"]);
    let id = reader.required(&fields, "id", "a short name", id);
    let place = reader.required(&fields, "place", "a text", Reader::text);
    let title = reader.required(&fields, "title", "a text", Reader::text);
    let says = reader.required(&fields, "says", "a sentence", Reader::text);
    let document = reader.required(&fields, "scenario", "an example's name or a document", document);
    let seconds = reader
        .optional(&fields, "seconds", |reader, path, value| reader.number(path, value, 0.0..=LONGEST))
        .unwrap_or(0.0);
    let comparisons = reader.required(&fields, "values", "a list", |reader, path, value| {
        let values = each(reader, path, value, comparison)?;
        if values.is_empty() && reader.noted() == 0 {
            reader.problem(path, "an empty list", "one value or more");
        }
        Some(values)
    });
    Some(Item {
        id: id?,
        paper: paper.to_owned(),
        place: place?,
        title: title?,
        says: says?,
        document: document?,
        seconds,
        comparisons: comparisons?,
    })
}

fn id(reader: &mut Reader, path: &str, value: &Value) -> Option<String> {
    let id = reader.text(path, value)?;
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if id.is_empty() || !id.chars().all(plain) {
        reader.problem(path, quoted(&id), "small letters, digits and hyphens");
        return None;
    }
    Some(id)
}

/// An example's document, or the one that stands here.
fn document(reader: &mut Reader, path: &str, value: &Value) -> Option<Value> {
    match value {
        Value::String(name) => {
            let example = BUILTINS.iter().find(|example| example.name == name);
            let tree = example.and_then(|example| json::parse(example.text).ok());
            if tree.is_none() {
                reader.problem(path, quoted(name), "the name of an example");
            }
            tree
        }
        other => reader.object(path, other).map(|_| other.clone()),
    }
}

fn comparison(reader: &mut Reader, path: &str, value: &Value) -> Option<Comparison> {
    let fields = reader.object(path, value)?;
    reader.only(&fields, &["what", "published", "claim", "within", "ours", "expect", "why"]);
    let what = reader.required(&fields, "what", "a text", Reader::text);
    let published =
        reader.required(&fields, "published", "what is printed", |_, _, value| Some(value.clone()));
    let claim = word(reader, &fields, "claim", &Claim::WORDS).unwrap_or(Claim::Result);
    let within = reader
        .optional(&fields, "within", |reader, path, value| reader.number(path, value, 0.0..=1e9))
        .unwrap_or(0.0);
    let ours = reader.required(&fields, "ours", "a path or an object with one", reading);
    let verdicts = Verdict::ALL.map(|verdict| (verdict.word(), verdict));
    let expect = word(reader, &fields, "expect", &verdicts).unwrap_or(Verdict::Agree);
    let why = reader.optional(&fields, "why", Reader::text).unwrap_or_default();
    if expect != Verdict::Agree && why.is_empty() {
        reader.problem(fields.path_of("why"), "missing", "the reason why it does not agree");
    }
    Some(Comparison { what: what?, published: published?, claim, within, ours: ours?, expect, why })
}

/// One of some words.
fn word<T: Copy>(reader: &mut Reader, fields: &Fields<'_>, key: &str, words: &[(&str, T)]) -> Option<T> {
    reader.optional(fields, key, |reader, path, value| {
        let text = reader.text(path, value)?;
        let known = words.iter().find(|(word, _)| *word == text).map(|(_, meant)| *meant);
        if known.is_none() {
            let expected = words.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(", ");
            reader.problem(path, quoted(&text), format!("one of {expected}"));
        }
        known
    })
}

fn reading(reader: &mut Reader, path: &str, value: &Value) -> Option<Reading> {
    if value.is_string() {
        return place(reader, path, value).map(Reading::plain);
    }
    let fields = reader.object(path, value)?;
    reader.only(&fields, &READING);
    let at = reader.required(&fields, "at", "a path such as /makespan", place);
    let only = reader.optional(&fields, "only", |reader, path, value| {
        let fields = reader.object(path, value)?;
        reader.only(&fields, &["at", "is"]);
        let beside = reader.required(&fields, "at", "a path such as /order", place);
        let is = reader.required(&fields, "is", "a value", |_, _, value| Some(value.clone()));
        Some((beside?, is?))
    });
    let mut take = word(reader, &fields, "take", &Take::WORDS);
    if let Some(step) = reader.optional(&fields, "step", |r, path, value| r.whole(path, value, 0..=u64::MAX))
    {
        if take.is_some() {
            reader.problem(fields.path_of("step"), "beside take", "one of them");
        }
        take = Some(Take::Step(step));
    }
    let minus = reader.optional(&fields, "minus", operand);
    let over = reader.optional(&fields, "over", operand);
    Some(Reading { at: at?, only, take, minus, over })
}

fn operand(reader: &mut Reader, path: &str, value: &Value) -> Option<Operand> {
    match value.as_f64() {
        Some(number) => Some(Operand::Number(number)),
        None => place(reader, path, value).map(Operand::At),
    }
}

fn place(reader: &mut Reader, path: &str, value: &Value) -> Option<Path> {
    let text = reader.text(path, value)?;
    let read = Path::read(&text);
    if read.is_none() {
        reader.problem(path, quoted(&text), "a path such as /kernels/label=K2/end");
    }
    read
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn check(item: &str, expected: Expect) {
        let text = format!(r#"{{"paper": "X", "title": "t", "authors": "a", "items": [{item}]}}"#);
        let told = match read(&text) {
            Ok(paper) => format!("{} items", paper.items.len()),
            Err(problems) => problems.iter().map(|problem| format!("{problem}\n")).collect(),
        };
        expected.assert_eq(&told);
    }

    fn with_value(value: &str) -> String {
        format!(
            r#"{{"id": "x-1", "place": "p", "title": "t", "says": "s", "scenario": "figure-2", "values": [{value}]}}"#
        )
    }

    #[test]
    fn a_small_item() {
        check(&with_value(r#"{"what": "w", "published": 8, "ours": "/makespan"}"#), expect!["1 items"]);
    }

    #[test]
    fn mistakes_of_an_item() {
        check(
            r#"{"id": "B 1", "place": 2, "titel": "t", "scenario": "figure-99", "seconds": -1, "values": []}"#,
            expect![[r#"
                items[0].titel: unknown key, close to "title", expected one of id, place, title, says, scenario, seconds, values
                items[0].id: "B 1", expected small letters, digits and hyphens
                items[0].place: 2, expected a text in quotes
                items[0].title: missing, expected a text
                items[0].says: missing, expected a sentence
                items[0].scenario: "figure-99", expected the name of an example
                items[0].seconds: -1, expected a number, 0 to 3600
            "#]],
        );
    }

    #[test]
    fn mistakes_of_a_value() {
        check(
            &with_value(
                r#"{"what": "w", "ours": "makespan", "claim": "maybe", "expect": "refuted", "unit": "s"}"#,
            ),
            expect![[r#"
                items[0].values[0].unit: unknown key, expected one of what, published, claim, within, ours, expect, why
                items[0].values[0].published: missing, expected what is printed
                items[0].values[0].claim: "maybe", expected one of result, exact, at-most, at-least, within, measured
                items[0].values[0].ours: "makespan", expected a path such as /kernels/label=K2/end
                items[0].values[0].why: missing, expected the reason why it does not agree
            "#]],
        );
        check(
            &with_value(
                r#"{"what": "w", "published": 1, "ours": {"at": "/a", "take": "most", "only": {"at": "/b"}, "over": true}}"#,
            ),
            expect![[r#"
                items[0].values[0].ours.only.is: missing, expected a value
                items[0].values[0].ours.take: "most", expected one of max, min, first, last, length, number
                items[0].values[0].ours.over: true, expected a text in quotes
            "#]],
        );
    }

    #[test]
    fn ids_are_unique_and_items_compare_something() {
        let one = with_value(r#"{"what": "w", "published": 8, "ours": "/makespan"}"#);
        check(
            &format!("{one}, {one}"),
            expect![[r#"
                items[1].id: "x-1", expected an id that no other item has
            "#]],
        );
        check(
            &with_value(""),
            expect![[r#"
                items[0].values: an empty list, expected one value or more
            "#]],
        );
    }
}
