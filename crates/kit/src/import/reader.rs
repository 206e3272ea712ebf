//! Reading a JSON tree field by field, noting everything that is wrong and where.

use serde_json::{Map, Value};

use crate::import::asked::{Asked, Listener};
use crate::import::json;
use base::problem::{MOST_PROBLEMS, quoted};
use base::{Problem, people};

/// The most characters of a title, a name, a label or a remark: what is shown whole, on one line or as a paragraph.
pub const LONGEST_TEXT: usize = 4_000;
/// The most characters of notes.
pub const LONGEST_PROSE: usize = 100_000;
/// The most lines of notes; each is laid out.
pub const MOST_LINES: usize = 5_000;
/// The most characters of a kernel string; one with every instruction written out is far shorter.
pub const LONGEST_KERNEL: usize = 200_000;
/// The most characters of a program. The page shows long ones in part.
pub const LONGEST_PROGRAM: usize = 16 << 20;

/// Collects problems while a tree is read: keeps the first and counts the rest, so that a document wrong in
/// a million places takes no more memory than one wrong in fifty.
#[derive(Debug, Default)]
pub struct Reader {
    problems: Vec<Problem>,
    more: usize,
    listener: Option<Box<dyn Listener>>,
}

/// The fields of an object, with the object's path.
#[derive(Debug, Clone)]
pub struct Fields<'a> {
    path: String,
    map: &'a Map<String, Value>,
}

impl<'a> Fields<'a> {
    /// The value of a field.
    pub fn get(&self, key: &str) -> Option<&'a Value> {
        self.map.get(key)
    }

    /// The path of a field.
    pub fn path_of(&self, key: &str) -> String {
        join(&self.path, key)
    }

    /// The object's own path.
    pub fn path(&self) -> &str {
        if self.path.is_empty() { "document" } else { &self.path }
    }

    /// The field names present.
    pub fn keys(&self) -> impl Iterator<Item = &'a str> {
        self.map.keys().map(String::as_str)
    }
}

/// `path.key`, with keys that are no plain words quoted.
pub fn join(path: &str, key: &str) -> String {
    let plain =
        !key.is_empty() && key.len() <= 40 && key.chars().all(|c| c.is_alphanumeric() || "_-".contains(c));
    let key = if plain { key.to_owned() } else { quoted(key) };
    if path.is_empty() { key } else { format!("{path}.{key}") }
}

/// What a value is, for messages.
pub fn shown(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(b) => b.to_string(),
        Value::Number(n) => json::line(n),
        Value::String(s) => quoted(s),
        Value::Array(items) => format!("a list of {}", items.len()),
        Value::Object(_) => "an object".to_owned(),
    }
}

impl Reader {
    /// A reader that tells somebody what it asks.
    pub fn heard_by(listener: Box<dyn Listener>) -> Self {
        Self { listener: Some(listener), ..Self::default() }
    }

    fn ask(&mut self, path: &str, asked: Asked<'_>) {
        if let Some(listener) = &mut self.listener {
            listener.hear(path, asked);
        }
    }

    /// Everything noted so far, in the order it was found; [`MOST_PROBLEMS`] at most, the last of which then
    /// says how many more there are.
    pub fn into_problems(mut self) -> Vec<Problem> {
        if let (Some(last), 1..) = (self.problems.last_mut(), self.more) {
            let what = format!("{} more problems", self.more + 1);
            *last = Problem::at("document", what, "a document with fewer");
        }
        self.problems
    }

    /// How many problems were noted so far.
    pub fn noted(&self) -> usize {
        self.problems.len() + self.more
    }

    /// Notes a problem.
    pub fn problem(
        &mut self,
        place: impl Into<String>,
        what: impl Into<String>,
        expected: impl Into<String>,
    ) {
        if self.problems.len() < MOST_PROBLEMS {
            self.problems.push(Problem::at(place, what, expected));
        } else {
            self.more += 1;
        }
    }

    /// An object's fields.
    pub fn object<'a>(&mut self, path: &str, value: &'a Value) -> Option<Fields<'a>> {
        self.ask(path, Asked::Object);
        match value {
            Value::Object(map) => Some(Fields { path: path.to_owned(), map }),
            other => {
                self.problem(if path.is_empty() { "document" } else { path }, shown(other), "an object");
                None
            }
        }
    }

    /// Notes every field that is none of `known`.
    pub fn only(&mut self, fields: &Fields<'_>, known: &[&str]) {
        self.ask(&fields.path, Asked::Keys(known));
        for key in fields.keys().filter(|key| !known.contains(key)) {
            let found = match base::nearest(key, known) {
                Some(meant) => format!("unknown key, close to {}", quoted(meant)),
                None => "unknown key".to_owned(),
            };
            self.problem(fields.path_of(key), found, format!("one of {}", known.join(", ")));
        }
    }

    /// A field that must be there; `expected` says what, should it be missing.
    pub fn required<'a, T>(
        &mut self,
        fields: &Fields<'a>,
        key: &str,
        expected: &str,
        read: impl FnOnce(&mut Self, &str, &'a Value) -> Option<T>,
    ) -> Option<T> {
        self.ask(&fields.path, Asked::Required(key, expected));
        match fields.get(key) {
            Some(value) => read(self, &fields.path_of(key), value),
            None => {
                self.problem(fields.path_of(key), "missing", expected);
                None
            }
        }
    }

    /// A field that may be missing.
    pub fn optional<'a, T>(
        &mut self,
        fields: &Fields<'a>,
        key: &str,
        read: impl FnOnce(&mut Self, &str, &'a Value) -> Option<T>,
    ) -> Option<T> {
        fields.get(key).and_then(|value| read(self, &fields.path_of(key), value))
    }

    /// A text of ordinary length: a title, a name, a label, a remark.
    pub fn text(&mut self, path: &str, value: &Value) -> Option<String> {
        self.text_up_to(LONGEST_TEXT, path, value)
    }

    /// A text of at most so many characters.
    pub fn text_up_to(&mut self, most: usize, path: &str, value: &Value) -> Option<String> {
        self.ask(path, Asked::Text(most));
        match value {
            Value::String(text) if text.len() <= most => Some(text.clone()),
            Value::String(text) => {
                // No more characters than bytes: only a text of many bytes is counted.
                let count = text.chars().count();
                if count <= most {
                    return Some(text.clone());
                }
                let what = format!("a text of {} characters", people::grouped(count as u128));
                self.problem(path, what, format!("at most {}", people::grouped(most as u128)));
                None
            }
            other => {
                self.problem(path, shown(other), "a text in quotes");
                None
            }
        }
    }

    /// A kernel string, as it is written.
    pub fn kernel(&mut self, path: &str, value: &Value) -> Option<String> {
        self.text_up_to(LONGEST_KERNEL, path, value)
    }

    /// Text of many lines for people to read.
    pub fn prose(&mut self, path: &str, value: &Value) -> Option<String> {
        let text = self.text_up_to(LONGEST_PROSE, path, value)?;
        let lines = text.split('\n').count();
        if lines > MOST_LINES {
            let what = format!("a text of {} lines", people::grouped(lines as u128));
            self.problem(path, what, format!("at most {}", people::grouped(MOST_LINES as u128)));
            return None;
        }
        Some(text)
    }

    /// Whether no text in a value is longer than any may be that is shown whole; the first that is, is noted. Programs
    /// and logs may be long.
    pub fn bounded(&mut self, path: &str, value: &Value) -> bool {
        const LONG: [&str; 3] = ["ptx", "text", "measured"];
        match value {
            Value::String(_) => self.text_up_to(LONGEST_KERNEL, path, value).is_some(),
            Value::Array(items) => {
                items.iter().enumerate().all(|(i, item)| self.bounded(&format!("{path}[{i}]"), item))
            }
            Value::Object(map) => {
                let mut some = map.iter().filter(|(key, _)| !LONG.contains(&key.as_str()));
                some.all(|(key, item)| self.bounded(&join(path, key), item))
            }
            _ => true,
        }
    }

    /// True or false.
    pub fn truth(&mut self, path: &str, value: &Value) -> Option<bool> {
        self.ask(path, Asked::Truth);
        let truth = value.as_bool();
        if truth.is_none() {
            self.problem(path, shown(value), "true or false");
        }
        truth
    }

    /// A whole number within a range.
    pub fn whole(&mut self, path: &str, value: &Value, range: std::ops::RangeInclusive<u64>) -> Option<u64> {
        self.ask(path, Asked::Whole(*range.start(), *range.end()));
        let number = value.as_u64().or_else(|| {
            // 16.0 is the whole number 16.
            let float = value.as_f64().filter(|f| f.fract() == 0.0 && (0.0..9e15).contains(f))?;
            Some(float as u64)
        });
        match number {
            Some(number) if range.contains(&number) => Some(number),
            _ => {
                let expected = if *range.end() == u64::MAX {
                    format!("a whole number from {} up", range.start())
                } else {
                    format!("a whole number, {} to {}", range.start(), range.end())
                };
                self.problem(path, shown(value), expected);
                None
            }
        }
    }

    /// A whole number within a range of 32 bits.
    pub fn small(&mut self, path: &str, value: &Value, range: std::ops::RangeInclusive<u32>) -> Option<u32> {
        let (low, high) = range.into_inner();
        self.whole(path, value, u64::from(low)..=u64::from(high)).and_then(|n| u32::try_from(n).ok())
    }

    /// A number within a range.
    pub fn number(&mut self, path: &str, value: &Value, range: std::ops::RangeInclusive<f64>) -> Option<f64> {
        self.ask(path, Asked::Number(*range.start(), *range.end()));
        let number = value.as_f64().filter(|number| range.contains(number));
        if number.is_none() {
            let expected = format!("a number, {} to {}", range.start(), range.end());
            self.problem(path, shown(value), expected);
        }
        number
    }

    /// A list.
    pub fn list<'a>(&mut self, path: &str, value: &'a Value) -> Option<&'a [Value]> {
        self.ask(path, Asked::List);
        match value {
            Value::Array(items) => Some(items),
            other => {
                self.problem(path, shown(other), "a list");
                None
            }
        }
    }

    /// A list of whole numbers; each wrong item is noted at its own place.
    pub fn numbers(
        &mut self,
        path: &str,
        value: &Value,
        range: std::ops::RangeInclusive<u32>,
    ) -> Option<Vec<u32>> {
        let items = self.list(path, value)?;
        let mut numbers = Vec::with_capacity(items.len());
        for (i, item) in items.iter().enumerate() {
            if let Some(number) = self.small(&format!("{path}[{i}]"), item, range.clone()) {
                numbers.push(number);
            }
        }
        (numbers.len() == items.len()).then_some(numbers)
    }
}
