//! A kernel given as a listing of machine code, as its form sees it: its functions, and how often loops go round.
//!
//! `loops` of the document is a number for all, or an object with rounds by address or label. A field for one loop keeps
//! what the others have: a number for all becomes an entry for each of them. What cannot be understood is written as it is
//! typed, for the reader to refuse.

use serde_json::{Map, Value, json};

use base::Problem;
use code_lab::page::edits;
use code_lab::scenario::{CodeScenario, of_block};
use kit::import::reader::Reader;
use kit::page::edit::number_or_text;
use kit::page::fields::path::Key::Named;
use kit::page::fields::path::{Path, field, get, item, place, remove, set};
use kit::page::fields::{Holds, Slot, shown};

use super::form::KERNELS;

/// So many loops have a field; more stand under JSON.
pub const MOST: usize = 24;

/// What of a kernel says which loops it has.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Asked {
    sass: String,
    function: Option<String>,
    labels: Vec<String>,
}

/// What stands in a listing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Found {
    /// Its functions.
    pub functions: Vec<String>,
    /// Where loops begin of which the text does not say how often they go round.
    loops: Vec<u64>,
    /// Where labels of the document stand.
    labels: Vec<(String, u64)>,
    /// What the listing is for by itself, an `sm_` number, and whether it says so; nothing while it cannot be read.
    number: Option<(u32, bool)>,
}

/// The field of a loop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rounds {
    /// Its key in `loops`: as it is written there, else its address.
    pub key: String,
    /// What the field is called.
    pub label: String,
    /// What stands in it.
    pub value: String,
    /// What is meant where it is empty.
    pub usual: String,
}

/// The place of `loops`, and the field of a number for all.
pub fn for_all(kernel: usize) -> Slot {
    Slot::of(&item(&KERNELS, kernel), "loops", "Rounds of all loops", Holds::Number, "1 each")
}

/// The place of the rounds of one loop.
pub fn for_one(kernel: usize, key: &str) -> Path {
    let mut path = for_all(kernel).path;
    path.push(Named(key.to_owned()));
    path
}

/// Whether each loop that is told of has a number of its own.
pub fn is_each(tree: &Value, kernel: usize) -> bool {
    get(tree, &for_all(kernel).path).is_some_and(Value::is_object)
}

/// What of a kernel says which loops it has.
pub fn asked(tree: &Value, kernel: usize) -> Asked {
    let at = item(&KERNELS, kernel);
    let text = |key| get(tree, &field(&at, key)).and_then(Value::as_str).map(str::to_owned);
    let keys = entries(tree, kernel).into_iter().flat_map(Map::keys);
    Asked {
        sass: text("sass").unwrap_or_default(),
        function: text("function"),
        labels: keys.filter(|key| edits::address(key).is_none()).cloned().collect(),
    }
}

/// The function that is read: the first one, if the document names none.
pub fn function(asked: &Asked, found: &Found) -> String {
    asked.function.clone().or_else(|| found.functions.first().cloned()).unwrap_or_default()
}

/// The functions to choose from, as values and labels; none where there is nothing to choose.
pub fn functions(asked: &Asked, found: &Found) -> Vec<(String, String)> {
    if found.functions.len() < 2 && asked.function.is_none() {
        return Vec::new();
    }
    let own = function(asked, found);
    let absent =
        (!found.functions.contains(&own)).then(|| (own.clone(), format!("{own} (not in the listing)")));
    found.functions.iter().map(|name| (name.clone(), name.clone())).chain(absent).collect()
}

/// The document that asks about another function of a kernel's listing.
pub fn with_function(tree: &Value, kernel: usize, name: &str) -> Value {
    set(tree, &field(&item(&KERNELS, kernel), "function"), Value::from(name))
}

/// Reads a listing. Loops are those that a warp comes by when each goes round once, so they stay while rounds are typed.
pub fn found(asked: &Asked) -> Found {
    let read = |loops: Value| {
        let mut kernel = json!({ "sass": asked.sass, "loops": loops });
        if let Some(function) = &asked.function {
            kernel["function"] = json!(function);
        }
        let mut reader = Reader::default();
        let fields = reader.object("kernel", &kernel)?;
        of_block(&mut reader, &fields, 1)
    };
    let open = |code: &CodeScenario, known: bool| {
        let loops = code.made.iter().flat_map(|made| made.walk.loops.iter());
        let own = loops.filter(|own| own.trips.is_some() && own.known == known);
        let mut own: Vec<u64> = own.map(|own| own.address).collect();
        own.sort_unstable();
        own.dedup();
        own
    };
    let own = read(json!({}));
    let made = own.as_ref().and_then(|code| code.made.as_ref());
    let number = made.map(|made| (made.number, made.numbered));
    let loops = own.as_ref().map(|code| open(code, false)).unwrap_or_default();
    let label = |label: &String| {
        let at = read(json!({ label.clone(): 1 })).map(|code| open(&code, true)).unwrap_or_default();
        Some((label.clone(), *at.first()?))
    };
    let labels = asked.labels.iter().take(MOST).filter_map(label).collect();
    Found { functions: edits::functions(&asked.sass), loops, labels, number }
}

/// Which multiprocessor a listing brings along, in a sentence beneath its architecture; nothing while that is not known.
pub fn machine(tree: &Value, kernel: usize, found: &Found) -> Option<String> {
    let given = match get(tree, &field(&item(&KERNELS, kernel), "architecture")) {
        None => None,
        // What is no number is told as a mistake.
        Some(given) => Some(given.as_u64()?),
    };
    Some(match (given, found.number?) {
        (None, (number, true)) => {
            format!("The listing is for sm_{number}: it brings the units and latencies of that along.")
        }
        (None, (number, false)) => {
            format!(
                "The listing does not say what it is for: it is taken to be for sm_{number}, with units and latencies of that."
            )
        }
        (Some(given), (number, true)) if given != u64::from(number) => {
            format!(
                "The listing is for sm_{number}, and read as one for sm_{given}, with units and latencies of that."
            )
        }
        (Some(given), _) => format!("Units and latencies are those of sm_{given}."),
    })
}

/// A field for each loop that nobody but the document decides, and for what the document says besides.
pub fn rounds(tree: &Value, kernel: usize, found: &Found) -> Vec<Rounds> {
    let all = get(tree, &for_all(kernel).path).filter(|all| !all.is_object());
    let usual = all.map_or_else(|| "1".to_owned(), |all| shown(Some(all), Holds::Number));
    let known = entries(tree, kernel);
    let is_at = |key: &str, at: u64| {
        edits::address(key) == Some(at) || found.labels.iter().any(|(label, own)| label == key && *own == at)
    };
    let value = |key: &str| shown(known.and_then(|known| known.get(key)), Holds::Number);
    let mut fields: Vec<Rounds> = Vec::new();
    for &at in &found.loops {
        // Of two that are written an address counts, and of two addresses the last one.
        let mut keys: Vec<&String> =
            known.into_iter().flat_map(Map::keys).filter(|key| is_at(key, at)).collect();
        keys.sort_by_key(|key| edits::address(key).is_some());
        let key = keys.last().map_or_else(|| format!("0x{at:x}"), |key| (*key).clone());
        let label = format!("Rounds at {at:#06x}");
        fields.push(Rounds { value: value(&key), key, label, usual: usual.clone() });
    }
    for key in known.into_iter().flat_map(Map::keys) {
        if fields.iter().all(|own| own.key != *key) {
            let label = format!("Rounds at {key}");
            fields.push(Rounds { value: value(key), key: key.clone(), label, usual: String::new() });
        }
    }
    fields
}

/// The document in which a loop goes round so often; others stay as they are, even where one number stood for all.
/// Nothing typed leaves it to what is meant where nothing is said.
pub fn with_rounds(tree: &Value, kernel: usize, found: &Found, key: &str, typed: &str) -> Value {
    let (at, typed) = (for_all(kernel).path, typed.trim());
    let mut tree = tree.clone();
    if let Some(all) = get(&tree, &at).filter(|all| !all.is_object()).cloned() {
        if typed.is_empty() {
            return tree;
        }
        let others = found.loops.iter().map(|at| (format!("0x{at:x}"), all.clone()));
        let others: Map<String, Value> = others.collect();
        tree = set(&tree, &at, Value::Object(others));
    }
    let own = for_one(kernel, key);
    if !typed.is_empty() {
        return set(&tree, &own, number_or_text(typed));
    }
    let less = remove(&tree, &own);
    let empty = entries(&less, kernel).is_some_and(Map::is_empty);
    if empty { remove(&less, &at) } else { less }
}

/// What is wrong with the rounds of loops, each by the field it is about.
pub fn problems(problems: &[Problem], kernel: usize) -> Vec<String> {
    let own = place(&for_all(kernel).path);
    let here = problems.iter().filter_map(|problem| {
        let rest = problem.place.strip_prefix(own.as_str())?;
        let about = match rest.strip_prefix('.') {
            Some(key) => format!("Rounds at {key}"),
            None if rest.is_empty() => "Rounds of loops".to_owned(),
            None => return None,
        };
        Some(format!("{about}: {}. Expected {}.", problem.what, problem.expected))
    });
    here.take(4).collect()
}

/// Rounds by address and label, where the document has them so.
fn entries(tree: &Value, kernel: usize) -> Option<&Map<String, Value>> {
    get(tree, &for_all(kernel).path)?.as_object()
}

#[cfg(test)]
mod tests;
