//! Reading a set of exercises, or saying everything that is wrong with it.
//!
//! An exercise makes sense if it does with what is drawn: with the first and the last value of every parameter, and as
//! some students get it.

use serde_json::Value;

use super::draw::{self, Draw, Drawn};
use super::given::Given;
use super::{Exercise, Exercises};
use crate::lesson::read::{level, opens, paragraph, paragraphs, patched, title, view};
use crate::lesson::read_check::question;
use base::Problem;
use base::problem::quoted;
use kit::import::json;
use kit::import::reader::{Fields, Reader, shown};

/// The version of the document written today.
const VERSION: u64 = 1;
/// The most exercises of a set, parameters of an exercise, and values to draw from.
const MOST: usize = 50;
const MOST_DRAWS: usize = 16;
const MOST_VALUES: usize = 200;
/// The longest text that can be drawn.
const LONGEST_DRAWN: usize = 200;
/// The longest name.
const LONGEST_NAME: usize = 40;
/// So many students' numbers are tried while a set is read.
const TRIED: u64 = 4;

const KEYS: [&str; 6] = ["exercises", "name", "title", "summary", "level", "list"];
const OWN_KEYS: [&str; 3] = ["name", "points", "draw"];
const FILLED_KEYS: [&str; 8] = ["title", "text", "example", "scenario", "set", "view", "hide", "answer"];

/// Reads a set's text.
pub fn read(text: &str) -> Result<Exercises, Vec<Problem>> {
    if text.trim().is_empty() {
        return Err(vec![Problem::at("document", "nothing in it", "exercises, {\"exercises\": 1, ...}")]);
    }
    from_tree(&json::parse(text).map_err(|problem| vec![problem])?)
}

/// Reads a set out of a JSON tree.
pub fn from_tree(tree: &Value) -> Result<Exercises, Vec<Problem>> {
    let mut reader = Reader::default();
    let found = whole(&mut reader, tree);
    match (found, reader.into_problems()) {
        (Some(found), problems) if problems.is_empty() => Ok(found),
        (_, problems) => Err(problems),
    }
}

fn whole(reader: &mut Reader, tree: &Value) -> Option<Exercises> {
    let fields = reader.object("", tree)?;
    let version = reader.required(&fields, "exercises", "1, the version", |reader, path, value| {
        reader.whole(path, value, 1..=u64::MAX)
    });
    if let Some(newer) = version.filter(|&version| version > VERSION) {
        let what = format!("made for a newer version ({newer}) of exercises");
        reader.problem("exercises", what, format!("{VERSION}; a newer Warpspan reads it"));
        return None;
    }
    reader.only(&fields, &KEYS);
    let name = reader.required(&fields, "name", "a name such as \"warps\"", name);
    let title = reader.required(&fields, "title", "a text", title);
    let summary = reader.optional(&fields, "summary", paragraph).unwrap_or_default();
    let level = reader.optional(&fields, "level", level);
    let exercises = reader.required(&fields, "list", "a list of exercises", list);
    Some(Exercises { name: name?, title: title?, summary, level, exercises: exercises? })
}

fn list(reader: &mut Reader, path: &str, value: &Value) -> Option<Vec<Exercise>> {
    let items = reader.list(path, value)?;
    if items.is_empty() || items.len() > MOST {
        reader.problem(path, shown(value), format!("a list of 1 to {MOST} exercises"));
        return None;
    }
    let mut all: Vec<Exercise> = Vec::new();
    for (at, item) in items.iter().enumerate() {
        let Some(one) = exercise(reader, &format!("{path}[{at}]"), item, at) else { continue };
        if all.iter().any(|own| own.name == one.name) {
            reader.problem(
                format!("{path}[{at}].name"),
                quoted(&one.name),
                "a name that no other exercise has",
            );
        }
        all.push(one);
    }
    Some(all)
}

fn exercise(reader: &mut Reader, path: &str, value: &Value, at: usize) -> Option<Exercise> {
    let fields = reader.object(path, value)?;
    let known: Vec<&str> = OWN_KEYS.into_iter().chain(FILLED_KEYS).collect();
    reader.only(&fields, &known);
    let name = reader.required(&fields, "name", "a name such as \"tail\"", name);
    let points = reader.optional(&fields, "points", |reader, path, value| reader.small(path, value, 1..=100));
    let before = reader.noted();
    let draws = reader.optional(&fields, "draw", draws).unwrap_or_default();
    let drawn_well = reader.noted() == before;
    let mut template = value.clone();
    if let Value::Object(map) = &mut template {
        map.retain(|key, _| FILLED_KEYS.contains(&key.as_str()));
    }
    let name = name.unwrap_or_default();
    let exercise = Exercise { name, points: points.unwrap_or(1), draws, template };
    if drawn_well {
        unknown(reader, path, &exercise.template, &exercise.draws);
        tried(reader, &exercise, at);
    }
    Some(exercise)
}

/// A name that links and files can hold.
fn name(reader: &mut Reader, path: &str, value: &Value) -> Option<String> {
    let text = reader.text(path, value)?;
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if text.is_empty() || text.len() > LONGEST_NAME || !text.chars().all(plain) {
        reader.problem(path, shown(value), format!("1 to {LONGEST_NAME} small letters, digits and hyphens"));
        return None;
    }
    Some(text)
}

fn draws(reader: &mut Reader, path: &str, value: &Value) -> Option<Vec<(String, Draw)>> {
    let fields = reader.object(path, value)?;
    if fields.keys().count() > MOST_DRAWS {
        reader.problem(path, shown(value), format!("{MOST_DRAWS} parameters at the most"));
        return None;
    }
    let mut all = Vec::new();
    for key in fields.keys() {
        if !key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') || key.is_empty() {
            reader.problem(fields.path_of(key), "no name", "letters, digits and _, as in {n}");
            continue;
        }
        let found = reader.optional(&fields, key, draw);
        all.extend(found.map(|draw| (key.to_owned(), draw)));
    }
    Some(all)
}

fn draw(reader: &mut Reader, path: &str, value: &Value) -> Option<Draw> {
    let fields = reader.object(path, value)?;
    if fields.get("one_of").is_some() {
        reader.only(&fields, &["one_of"]);
        return reader.optional(&fields, "one_of", one_of).map(Draw::OneOf);
    }
    reader.only(&fields, &["from", "to", "step"]);
    let number =
        |reader: &mut Reader, path: &str, value: &Value| reader.whole(path, value, 0..=1_000_000_000);
    let expected = "a whole number; or \"one_of\" instead";
    let from = reader.required(&fields, "from", expected, number);
    let to = reader.required(&fields, "to", expected, number);
    let step =
        reader.optional(&fields, "step", |reader, path, value| reader.whole(path, value, 1..=1_000_000_000));
    let (from, to, step) = (from?, to?, step.unwrap_or(1));
    if to < from || (to - from) / step > 1_000_000 {
        reader.problem(
            fields.path_of("to"),
            to.to_string(),
            "no less than \"from\", and a million steps at most",
        );
        return None;
    }
    Some(Draw::Range { from, to, step })
}

fn one_of(reader: &mut Reader, path: &str, value: &Value) -> Option<Vec<Value>> {
    let items = reader.list(path, value)?;
    // A text with a place for another one in it could grow without end.
    let fits = |item: &Value| match item {
        Value::String(text) => text.len() <= LONGEST_DRAWN && !text.contains('{'),
        other => other.is_number(),
    };
    if !(1..=MOST_VALUES).contains(&items.len()) || !items.iter().all(fits) {
        let expected = format!("1 to {MOST_VALUES} numbers, or texts of {LONGEST_DRAWN} letters without {{");
        reader.problem(path, shown(value), expected);
        return None;
    }
    Some(items.to_vec())
}

/// Notes what is asked for and not drawn.
fn unknown(reader: &mut Reader, path: &str, template: &Value, draws: &[(String, Draw)]) {
    let expected = || match draws.is_empty() {
        true => "something under \"draw\"".to_owned(),
        false => {
            format!("one of {}", draws.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", "))
        }
    };
    let known = |name: &str| draws.iter().any(|(own, _)| own == name);
    match template {
        Value::Object(map) => {
            if let Some(drawn) = map.get("drawn").filter(|drawn| !drawn.as_str().is_some_and(known)) {
                reader.problem(format!("{path}.drawn"), shown(drawn), expected());
                return;
            }
            map.iter().for_each(|(key, value)| {
                unknown(reader, &kit::import::reader::join(path, key), value, draws)
            });
        }
        Value::Array(items) => {
            items
                .iter()
                .enumerate()
                .for_each(|(i, item)| unknown(reader, &format!("{path}[{i}]"), item, draws));
        }
        Value::String(text) => {
            let named = text.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(name, _)| name);
            for name in named.filter(|name| !known(name)) {
                reader.problem(path, format!("{{{}}}", quoted(name).trim_matches('"')), expected());
            }
        }
        _ => {}
    }
}

/// Notes what is wrong with some of what can be drawn, each once.
fn tried(reader: &mut Reader, exercise: &Exercise, at: usize) {
    let corner = |place: fn(&Draw) -> u32| -> Drawn {
        exercise.draws.iter().map(|(name, draw)| (name.clone(), draw.at(place(draw)))).collect()
    };
    let mut all = vec![corner(|_| 0), corner(|draw| draw.choices() - 1)];
    all.extend((0..TRIED).map(|seed| draw::drawn(&exercise.draws, seed, &exercise.name)));
    let mut known: Vec<Problem> = Vec::new();
    for drawn in all {
        for problem in exercise.with(drawn, at).err().unwrap_or_default() {
            let is_known = |own: &Problem| (&own.place, &own.expected) == (&problem.place, &problem.expected);
            if !known.iter().any(is_known) {
                reader.problem(problem.place.clone(), problem.what.clone(), problem.expected.clone());
                known.push(problem);
            }
        }
    }
}

/// Reads an exercise with its numbers put in.
pub(super) fn filled(tree: &Value, path: &str) -> Result<Given, Vec<Problem>> {
    let mut reader = Reader::default();
    let found = given(&mut reader, path, tree);
    match (found, reader.into_problems()) {
        (Some(found), problems) if problems.is_empty() => Ok(found),
        (_, problems) => Err(problems),
    }
}

fn given(reader: &mut Reader, path: &str, tree: &Value) -> Option<Given> {
    let fields: Fields<'_> = reader.object(path, tree)?;
    let title = reader.required(&fields, "title", "a text", title);
    let text = reader.required(&fields, "text", "a text, or a list of paragraphs", paragraphs);
    let document = opens(reader, &fields).map(|tree| patched(reader, &fields, tree));
    if fields.get("example").is_none() && fields.get("scenario").is_none() {
        reader.problem(path, "nothing to ask about", "an \"example\" or a \"scenario\"");
    }
    let view = reader.optional(&fields, "view", view).unwrap_or_default();
    let hide = reader.optional(&fields, "hide", Reader::truth).unwrap_or(true);
    let question = reader.required(&fields, "answer", "a question, {\"ask\": ...}", question);
    Some(Given {
        name: String::new(),
        title: title?,
        text: text?,
        drawn: Drawn::new(),
        document: document?,
        view,
        hide,
        question: question?,
        points: 1,
    })
}
