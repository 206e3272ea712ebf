//! Documents that make the readers ask all they ever ask: a search guided by what is new.
//!
//! It begins with the examples. In each document every known key is set, replaced, left alone in its object and
//! removed; numbers grow by one; words that a problem lists are tried. A changed document that makes a reader ask
//! something new, or that lists words nobody has tried, is changed further. What is tried depends on nothing but the
//! examples, so the answer is the same everywhere.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::rc::Rc;

use serde_json::{Map, Value, json};

use super::table::{ANY, EACH, Path, Place, Table, below, place};
use crate::ALL;
use base::Problem;
use kit::import::asked::{Asked, Listener};
use kit::import::json;
use kit::import::reader::{Reader, join};
use kit::scenario::builtin::BUILTINS;
use kit::scenario::version::CURRENT;

/// What no example shows.
const MORE: [&str; 10] = [
    r#"{"warpspan": 1, "warps": {"kernel": "LC", "count": 2,
        "machine": {"warp_size": 32, "units": {"L": 16, "C": 32}, "latency": {"C": 2}, "issue": 2}}}"#,
    r#"{"warpspan": 1, "warps": {"ptx": "A: ld.global.f32 %f1, [%r1]; @%p1 bra A;", "path": {"branches": {"A": ["taken", "not-taken"]}},
        "count": 2, "machine": {"preset": "cc-6.2"}}}"#,
    r#"{"warpspan": 1, "conjecture": {"claim": {"formula": "n"}, "kernel": "LC", "machine": {"L": 1, "C": 1},
        "ranges": {"n": [2, 4]}, "warps": ["n", "n"], "limit": {}}}"#,
    r#"{"warpspan": 1, "chain": {"kernels": [{"name": "k", "ptx": "A: ld.global.f32 %f1, [%r1]; @%p1 bra A;",
        "path": {"loops": {"iterations": {"A": [1, 2]}}}, "threads": 32}], "memory": {"mode": "pipelined", "misses": "none"}}}"#,
    r#"{"warpspan": 1, "chain": {"kernels": [], "tasks": [{"name": "a", "period": 9,
        "segments": [{"activate": "b"}, {"ticks": 1}, {"await": "b"}]}, {"name": "b", "segments": [{"cpu": 1}]}]}}"#,
    r#"{"warpspan": 1, "chain": {"kernels": [{"name": "k", "threads": 64, "code": [{"unit": "a", "hold": 2, "stall": 4,
        "sets": {"0": [2, 9]}, "waits": [{"board": 0, "left": 1}], "barrier": true}], "path": [0],
        "machine": {"partitions": 1, "issue": 1, "units": {"a": {"per": "partition", "count": 1}}}}]}}"#,
    r#"{"warpspan": 1, "blocks": {"streams": [{"operations": [{"sleep": 1}, {"wait": "stream"},
        {"repeat": 2, "operations": [{"sleep": 1}]}, {"copy": "in", "bytes": 1}]}]}}"#,
    r#"{"warpspan": 1, "waves": {"file": {"name": "a", "bytes": 1}}}"#,
    r#"{"warpspan": 1, "waves": {"folder": {"name": "a", "files": 1}}}"#,
    r#"{"warpspan": 1, "study": {"base": {"warps": {"kernel": "LC", "count": 1, "machine": {"L": 1, "C": 1}}},
        "axes": [{"path": "warps.count", "name": "n", "values": [1, 2], "labels": ["a", "b"], "paired": false},
            {"path": "warps.machine.L", "from": 1, "to": 2, "step": 1}],
        "samples": 1, "seed": 1, "measures": {"m": "makespan"}, "limit": {"work": 1},
        "draw": [{"kind": "line", "x": "n", "y": "m", "by": "warps.machine.L", "title": ""},
            {"kind": "heat", "x": "n", "y": "warps.machine.L", "z": "m"}, {"kind": "scatter", "x": "m", "y": "m"}]}}"#,
];

/// Places that other programs' files stand in: what they hold is not ours to say. In a study those where anything may
/// stand, as a generator may become any value, and those for names that the study itself gives.
const FOREIGN: [&[&str]; 8] = [
    &["blocks", "examiner"],
    &["blocks", "measured"],
    &["study", "base"],
    &["study", "axes", EACH, "values"],
    &["study", "draw", EACH, "x"],
    &["study", "draw", EACH, "y"],
    &["study", "draw", EACH, "z"],
    &["study", "draw", EACH, "by"],
];

/// All places of the document.
pub fn table() -> Table {
    let mut search = Search::default();
    for text in BUILTINS.iter().map(|builtin| builtin.text).chain(MORE) {
        if let Ok(tree) = json::parse(text) {
            search.read(&tree);
            search.open.push_back(tree);
        }
    }
    while let Some(tree) = search.open.pop_front() {
        search.change(&tree);
    }
    joined(search.heard.take().table)
}

/// Keys of their authors' own become one.
fn joined(table: Table) -> Table {
    let maps: BTreeSet<Path> =
        table.iter().filter(|(_, at)| at.is_map).map(|(path, _)| path.clone()).collect();
    let mut joined = Table::new();
    for (path, place) in table {
        let mut same = Path::new();
        for word in path {
            let word = if maps.contains(&same) { ANY.to_owned() } else { word };
            same.push(word);
        }
        joined.entry(same).or_default().merge(place);
    }
    joined
}

/// What has been found, and what is to be tried.
#[derive(Default)]
struct Search {
    heard: Rc<RefCell<Heard>>,
    /// Words that problems have named, by place.
    words: BTreeMap<Path, BTreeSet<String>>,
    /// Documents to be changed.
    open: VecDeque<Value>,
    /// Changes that were tried, each with the keys beside it.
    tried: HashSet<String>,
}

/// What the readers asked.
#[derive(Debug, Default)]
struct Heard {
    table: Table,
    /// In the last document: by path, what decides how a value that is taken is understood.
    notes: HashMap<String, Notes>,
    is_news: bool,
}

/// What was asked of one path of a document.
#[derive(Debug, Default)]
struct Notes {
    kinds: BTreeSet<&'static str>,
    keys: Vec<Vec<String>>,
    required: Vec<String>,
}

/// Hears a reader on behalf of the search.
#[derive(Debug)]
struct Ear(Rc<RefCell<Heard>>);

impl Listener for Ear {
    fn hear(&mut self, path: &str, asked: Asked<'_>) {
        let at = place(path);
        if is_foreign(&at) {
            return;
        }
        let heard = &mut *self.0.borrow_mut();
        let notes = heard.notes.entry(path.to_owned()).or_default();
        match asked {
            Asked::Object => drop(notes.kinds.insert("object")),
            Asked::Keys(keys) => notes.keys.push(keys.iter().map(|&key| key.to_owned()).collect()),
            Asked::Required(key, said) => {
                notes.required.push(key.to_owned());
                heard.table.entry(below(&at, key)).or_default().add_said(said);
            }
            Asked::Text(_) => drop(notes.kinds.insert("string")),
            Asked::Truth => drop(notes.kinds.insert("boolean")),
            Asked::Whole(..) | Asked::Number(..) => drop(notes.kinds.insert("number")),
            Asked::List => drop(notes.kinds.insert("array")),
        }
        heard.is_news |= heard.table.entry(at).or_default().add(asked);
    }
}

/// Where something in a document can be changed.
enum Spot {
    /// An object, its place, the keys it may have.
    Object(String, Path, Vec<String>),
    Number(String),
}

impl Search {
    /// Reads a document; whether anything about it is new.
    fn read(&mut self, tree: &Value) -> bool {
        {
            let mut heard = self.heard.borrow_mut();
            heard.notes.clear();
            heard.is_news = false;
        }
        let mut reader = Reader::heard_by(Box::new(Ear(Rc::clone(&self.heard))));
        let scenario = kit::scenario::whole(ALL.labs, &mut reader, tree);
        let problems = reader.into_problems();
        let news = problems.iter().filter(|problem| self.note(problem)).count() > 0;
        let heard = &mut *self.heard.borrow_mut();
        let taken = scenario.is_some() && problems.is_empty() && heard.take("", tree);
        news | heard.is_news | taken
    }

    /// Notes the words that a problem names, and whether these are all there are.
    fn note(&mut self, problem: &Problem) -> bool {
        if problem.place.contains(' ') {
            return false;
        }
        let at = place(if problem.place == super::ROOT { "" } else { &problem.place });
        let between: Vec<&str> = problem.expected.split('"').step_by(2).collect();
        let words: Vec<&str> = problem.expected.split('"').skip(1).step_by(2).collect();
        // `one of "a", "b"`, said of a text: nothing else will do.
        let lists = ["", "one of ", ", ", " or ", " and "];
        let is_text = problem.what.len() > 1 && problem.what.starts_with('"') && problem.what.ends_with('"');
        if is_text && !words.is_empty() && between.iter().all(|text| lists.contains(text)) {
            let mut heard = self.heard.borrow_mut();
            let place = heard.table.entry(at.clone()).or_default();
            place.listed.extend(words.iter().map(|&word| word.to_owned()));
        }
        let known = self.words.entry(at).or_default();
        let before = known.len();
        known.extend(words.into_iter().map(str::to_owned));
        known.len() > before
    }

    /// Tries every change of a document.
    fn change(&mut self, tree: &Value) {
        self.read(tree);
        let notes = std::mem::take(&mut self.heard.borrow_mut().notes);
        let mut spots = Vec::new();
        find("", "", tree, &notes, &mut spots);
        for spot in spots {
            match spot {
                Spot::Number(pointer) => {
                    let grown =
                        tree.pointer(&pointer).and_then(Value::as_u64).map(|number| number.saturating_add(1));
                    let mut changed = tree.clone();
                    if let (Some(grown), Some(number)) = (grown, changed.pointer_mut(&pointer)) {
                        *number = json!(grown);
                        self.try_out(changed);
                    }
                }
                Spot::Object(pointer, at, keys) => {
                    for key in &keys {
                        self.change_key(tree, &pointer, &at, (&keys, key));
                    }
                }
            }
        }
    }

    fn change_key(&mut self, tree: &Value, pointer: &str, at: &Path, (keys, key): (&[String], &String)) {
        if is_foreign(&below(at, key)) {
            return;
        }
        let beside = tree
            .pointer(pointer)
            .and_then(Value::as_object)
            .map(|fields| fields.keys().collect::<BTreeSet<_>>());
        let mut values: Vec<Option<Value>> = vec![None];
        values.extend(plain().into_iter().map(Some));
        let mut next = 0;
        let mut heard = BTreeSet::new();
        while let Some(value) = values.get(next).cloned() {
            next += 1;
            let change = format!("{at:?} {keys:?} {beside:?} {key} {value:?}");
            if self.tried.insert(change) {
                for alone in [false, true] {
                    let mut changed = tree.clone();
                    let Some(object) = changed.pointer_mut(pointer).and_then(Value::as_object_mut) else {
                        continue;
                    };
                    if alone {
                        *object = Map::new();
                    }
                    match &value {
                        Some(value) => object.insert(key.clone(), value.clone()),
                        None => object.shift_remove(key),
                    };
                    if pointer.is_empty() {
                        object.insert("warpspan".to_owned(), json!(CURRENT));
                    }
                    self.try_out(changed);
                }
            }
            let words = self.words.get(&below(at, key)).into_iter().flatten();
            let fresh: Vec<String> = words.filter(|word| !heard.contains(*word)).cloned().collect();
            for word in fresh {
                values.push(Some(json!(word)));
                heard.insert(word);
            }
        }
    }

    fn try_out(&mut self, tree: Value) {
        if self.read(&tree) {
            self.open.push_back(tree);
        }
    }
}

impl Heard {
    /// Notes what a document that was taken holds.
    fn take(&mut self, path: &str, value: &Value) -> bool {
        let at = place(path);
        if is_foreign(&at) {
            return false;
        }
        let nothing = Notes::default();
        let notes = self.notes.get(path).unwrap_or(&nothing);
        let here: &mut Place = self.table.entry(at).or_default();
        let was_asked = notes.kinds.contains(kind(value));
        let mut is_news = !was_asked && here.taken.insert(kind(value));
        match value {
            Value::String(text) => drop(here.texts.insert(text.chars().take(80).collect())),
            Value::Array(items) => {
                for (i, item) in items.iter().enumerate() {
                    is_news |= self.take(&format!("{path}[{i}]"), item);
                }
            }
            Value::Object(fields) => {
                here.is_map |= was_asked && notes.keys.is_empty();
                for keys in &notes.keys {
                    is_news |= here.add_taken(keys, &notes.required);
                }
                for (key, value) in fields {
                    is_news |= self.take(&join(path, key), value);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
        is_news
    }
}

/// What is put in the place of every value.
fn plain() -> Vec<Value> {
    vec![
        json!(null),
        json!(true),
        json!(1),
        json!("x"),
        json!({}),
        json!({"x": 1}),
        json!({"x": "x"}),
        json!([]),
        json!([1]),
        json!([1, 2]),
        json!(["x"]),
        json!([{}]),
        json!([[1, 2]]),
    ]
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

fn is_foreign(at: &Path) -> bool {
    FOREIGN
        .iter()
        .any(|foreign| at.iter().map(String::as_str).take(foreign.len()).eq(foreign.iter().copied()))
}

/// The places of a document that can be changed; of a list a few items are enough.
fn find(pointer: &str, path: &str, value: &Value, notes: &HashMap<String, Notes>, spots: &mut Vec<Spot>) {
    let at = place(path);
    if is_foreign(&at) {
        return;
    }
    match value {
        Value::Object(fields) => {
            let notes_here = notes.get(path);
            for keys in notes_here.into_iter().flat_map(|notes| &notes.keys) {
                spots.push(Spot::Object(pointer.to_owned(), at.clone(), keys.clone()));
            }
            if notes_here.is_some_and(|notes| notes.keys.is_empty()) {
                // Keys of the author's own: those that are there will do.
                spots.push(Spot::Object(pointer.to_owned(), at, fields.keys().cloned().collect()));
            }
            for (key, value) in fields {
                let escaped = key.replace('~', "~0").replace('/', "~1");
                find(&format!("{pointer}/{escaped}"), &join(path, key), value, notes, spots);
            }
        }
        Value::Array(items) => {
            for (i, item) in items.iter().enumerate().take(4) {
                find(&format!("{pointer}/{i}"), &format!("{path}[{i}]"), item, notes, spots);
            }
        }
        Value::Number(_) => spots.push(Spot::Number(pointer.to_owned())),
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_example_shows_is_taken() {
        for text in MORE {
            assert!(ALL.read(text).is_ok(), "{text}: {:?}", ALL.read(text));
        }
    }
}
