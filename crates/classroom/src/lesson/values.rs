//! Places in reports and documents: `/kernels/label=K2/end`, `/dbf/*/steps`.
//!
//! A place is a JSON pointer with two more kinds of part: `*` is every item of a list, and `label=K2` the items of a
//! list whose `label` is `K2`; with a number, as in `0=12`, items that are lists themselves.

use serde_json::{Number, Value};

/// A place, part by part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path(Vec<Part>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    /// A key, or a place in a list from 0.
    Key(String),
    /// Every item.
    Every,
    /// Items with this value at that key.
    With(String, String),
}

/// What is made of several values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Take {
    /// The largest.
    Max,
    /// The smallest.
    Min,
    /// All together.
    Sum,
    /// How many there are.
    Count,
    /// The first.
    First,
    /// The last.
    Last,
}

impl Take {
    /// Their names in documents.
    pub const ALL: [(&'static str, Self); 6] = [
        ("max", Self::Max),
        ("min", Self::Min),
        ("sum", Self::Sum),
        ("count", Self::Count),
        ("first", Self::First),
        ("last", Self::Last),
    ];

    fn of(self, values: &[&Value]) -> Option<Value> {
        let numbers = || values.iter().filter_map(|value| value.as_f64());
        let largest = |numbers: &mut dyn Iterator<Item = f64>| numbers.reduce(f64::max);
        match self {
            Self::Max => largest(&mut numbers()).and_then(number),
            Self::Min => largest(&mut numbers().map(|n| -n)).and_then(|n| number(-n)),
            Self::Sum => number(numbers().sum()),
            Self::Count => Some(values.len().into()),
            Self::First => values.first().map(|value| (*value).clone()),
            Self::Last => values.last().map(|value| (*value).clone()),
        }
    }
}

impl Path {
    /// Reads a place: empty for everything, else `/` before every part.
    pub fn parse(text: &str) -> Option<Self> {
        if text.is_empty() {
            return Some(Self(Vec::new()));
        }
        let part = |text: &str| match text.split_once('=') {
            _ if text == "*" => Part::Every,
            Some((key, value)) if !key.is_empty() => Part::With(plain(key), plain(value)),
            _ => Part::Key(plain(text)),
        };
        Some(Self(text.strip_prefix('/')?.split('/').map(part).collect()))
    }

    /// Whether every part is a key.
    pub fn is_plain(&self) -> bool {
        self.0.iter().all(|part| matches!(part, Part::Key(_)))
    }

    /// Whether a tree has the place, or what a new key would be put into.
    pub fn leads_into(&self, tree: &Value) -> bool {
        let Some((_, before)) = self.0.split_last() else { return true };
        let into = Self(before.to_vec());
        !self.all(tree).is_empty() || into.all(tree).iter().any(|value| value.is_object())
    }

    /// What is there.
    pub fn all<'a>(&self, tree: &'a Value) -> Vec<&'a Value> {
        let mut found = vec![tree];
        for part in &self.0 {
            found = found.into_iter().flat_map(|value| inside(part, value)).collect();
        }
        found
    }

    /// The one value there; a list of all of them where the place has a `*`.
    pub fn find(&self, tree: &Value, take: Option<Take>) -> Option<Value> {
        let found = self.all(tree);
        match (take, found.as_slice()) {
            (Some(take), [Value::Array(items)]) => take.of(&items.iter().collect::<Vec<_>>()),
            (Some(take), found) => take.of(found),
            (None, found) if self.0.contains(&Part::Every) => {
                Some(found.iter().map(|value| (*value).clone()).collect())
            }
            (None, found) => found.first().map(|value| (*value).clone()),
        }
    }

    /// Puts a value there, and what is missing on the way; nothing where the way is barred. `null` takes a key away.
    pub fn put(&self, tree: &mut Value, value: Value) {
        put(&self.0, tree, value);
    }
}

fn put(parts: &[Part], tree: &mut Value, value: Value) {
    let [part, rest @ ..] = parts else {
        *tree = value;
        return;
    };
    match (part, tree) {
        (Part::Key(key), Value::Object(map)) if rest.is_empty() && value.is_null() => {
            map.shift_remove(key);
        }
        (Part::Key(key), Value::Object(map)) => {
            put(rest, map.entry(key.clone()).or_insert_with(|| Value::Object(Default::default())), value);
        }
        (Part::Key(key), Value::Array(items)) => {
            if let Some(item) = key.parse::<usize>().ok().and_then(|at| items.get_mut(at)) {
                put(rest, item, value);
            }
        }
        (part, Value::Array(items)) => {
            for item in items.iter_mut().filter(|item| fits(part, item)) {
                put(rest, item, value.clone());
            }
        }
        _ => {}
    }
}

fn inside<'a>(part: &Part, value: &'a Value) -> Vec<&'a Value> {
    match (part, value) {
        (Part::Key(key), Value::Object(map)) => map.get(key).into_iter().collect(),
        (Part::Key(key), Value::Array(items)) => {
            key.parse::<usize>().ok().and_then(|at| items.get(at)).into_iter().collect()
        }
        (part, Value::Array(items)) => items.iter().filter(|item| fits(part, item)).collect(),
        _ => Vec::new(),
    }
}

fn fits(part: &Part, item: &Value) -> bool {
    match part {
        Part::Every => true,
        Part::With(key, wanted) => match inside(&Part::Key(key.clone()), item).first().copied() {
            Some(Value::String(text)) => text == wanted,
            Some(other) => kit::import::json::line(other) == *wanted,
            None => false,
        },
        Part::Key(_) => false,
    }
}

/// `~1` is a `/` and `~0` a `~`, as in JSON pointers.
fn plain(part: &str) -> String {
    part.replace("~1", "/").replace("~0", "~")
}

/// A number as JSON has it: whole where it is whole.
pub fn number(value: f64) -> Option<Value> {
    if value.fract() == 0.0 && value.abs() < 9e15 {
        return Some(Value::from(value as i64));
    }
    Number::from_f64(value).map(Value::Number)
}
