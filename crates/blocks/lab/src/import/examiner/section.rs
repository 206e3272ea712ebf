//! An object of an examiner file: keys in any case, the first of equal ones counts, comments are left alone.

use serde_json::{Map, Value};

use super::notes::Notes;
use base::people::grouped;
use base::problem::quoted;
use kit::import::reader::{LONGEST_TEXT, Reader, join, shown};

/// An object with its path.
#[derive(Debug, Clone)]
pub(super) struct Section<'a> {
    path: String,
    map: &'a Map<String, Value>,
}

impl<'a> Section<'a> {
    /// The object at a path.
    pub fn open(reader: &mut Reader, path: &str, value: &'a Value) -> Option<Self> {
        let Some(map) = value.as_object() else {
            let place = if path.is_empty() { "document" } else { path };
            reader.problem(place, shown(value), "an object");
            return None;
        };
        Some(Self::new(path, map))
    }

    /// An object at a path.
    pub fn new(path: &str, map: &'a Map<String, Value>) -> Self {
        Self { path: path.to_owned(), map }
    }

    /// The object's own path.
    pub fn path(&self) -> &str {
        if self.path.is_empty() { "document" } else { &self.path }
    }

    /// The path a key has or would have.
    pub fn at(&self, key: &str) -> String {
        join(&self.path, self.find(key).map_or(key, |(written, _)| written))
    }

    /// A key as it is written, and its value.
    fn find(&self, key: &str) -> Option<(&'a str, &'a Value)> {
        let mut all = self.map.iter().map(|(written, value)| (written.as_str(), value));
        all.find(|(written, _)| written.eq_ignore_ascii_case(key))
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&'a Value> {
        self.find(key).map(|(_, value)| value)
    }

    /// A name that a log holds. Of one that is too long the beginning is kept, and that is told.
    pub fn name(&self, key: &str, notes: &mut Notes) -> Option<String> {
        let name = self.get(key)?.as_str()?;
        let Some((end, _)) = name.char_indices().nth(LONGEST_TEXT) else { return Some(name.to_owned()) };
        let (long, most) = (grouped(name.chars().count() as u128), grouped(LONGEST_TEXT as u128));
        notes.add(self.at(key), format!("a name of {long} characters; the first {most} are kept"));
        name.get(..end).map(str::to_owned)
    }

    /// A key that may be missing.
    pub fn optional<T>(
        &self,
        reader: &mut Reader,
        key: &str,
        read: impl FnOnce(&mut Reader, &str, &'a Value) -> Option<T>,
    ) -> Option<T> {
        self.get(key).and_then(|value| read(reader, &self.at(key), value))
    }

    /// A key that must be there; `expected` says what, should it be missing.
    pub fn required<T>(
        &self,
        reader: &mut Reader,
        key: &str,
        expected: &str,
        read: impl FnOnce(&mut Reader, &str, &'a Value) -> Option<T>,
    ) -> Option<T> {
        if self.get(key).is_none() {
            reader.problem(self.at(key), "missing", expected);
        }
        self.optional(reader, key, read)
    }

    /// True, false, or what holds where nothing is said.
    pub fn truth(&self, reader: &mut Reader, key: &str, otherwise: Truth) -> bool {
        let default = otherwise == Truth::Yes;
        self.optional(reader, key, Reader::truth).unwrap_or(default)
    }

    /// Names every key that is none of `known` and no comment.
    pub fn name_unknown(&self, notes: &mut Notes, known: &[&str]) {
        let is_known = |key: &str| known.iter().any(|known| known.eq_ignore_ascii_case(key));
        for key in self.map.keys() {
            let comment = key.get(..7).is_some_and(|start| start.eq_ignore_ascii_case("comment"));
            let other_case = is_known(key) && self.find(key).is_some_and(|(first, _)| first != key);
            if again(key).is_some_and(is_known) || other_case {
                notes.add(
                    join(&self.path, key),
                    format!("{} is given again; the first one counts", quoted(key)),
                );
            } else if !comment && !is_known(key) {
                notes.add(
                    join(&self.path, key),
                    format!("unknown key {}: kept, but it changes nothing", quoted(key)),
                );
            }
        }
    }
}

/// What holds where nothing is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Truth {
    /// True.
    Yes,
    /// False.
    No,
}

/// The key that was given again and is kept as `key (2)`.
fn again(key: &str) -> Option<&str> {
    let (key, number) = key.strip_suffix(')')?.rsplit_once(" (")?;
    number.bytes().all(|b| b.is_ascii_digit()).then_some(key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kit::import::json;

    #[test]
    fn keys_in_any_case_and_the_first_of_equal_ones() {
        let text = r#"{"comment":"a","comment":"b","Label":"x","LABEL":"y","label2":1,"delay":1,"delay":2}"#;
        let tree = json::parse_loose(text).unwrap_or_default();
        let mut reader = Reader::default();
        let Some(section) = Section::open(&mut reader, "at", &tree) else { unreachable!("an object") };
        assert_eq!(section.optional(&mut reader, "label", Reader::text).as_deref(), Some("x"));
        assert_eq!(
            (section.at("label"), section.at("other")),
            ("at.Label".to_owned(), "at.other".to_owned())
        );
        let mut notes = Notes::default();
        section.name_unknown(&mut notes, &["label", "delay"]);
        let told: Vec<String> =
            notes.into_warnings().into_iter().map(|w| format!("{}: {}", w.place, w.text)).collect();
        assert_eq!(
            told,
            [
                r#"at.LABEL: "LABEL" is given again; the first one counts"#,
                r#"at.label2: unknown key "label2": kept, but it changes nothing"#,
                r#"at."delay (2)": "delay (2)" is given again; the first one counts"#,
            ]
        );
    }
}
