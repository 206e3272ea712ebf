//! Fields of a form: what one shows of a document, what typing into it writes, what is wrong with it.
//!
//! Fields that a form does not show stay as they are. What cannot be understood is written as a text, for the
//! validation to refuse, so that nothing typed is lost.

pub mod path;
pub mod units;

use serde_json::Value;

use crate::import::json;
use crate::page::edit;
use base::Problem;
use path::{Key, Path};
use units::Unit;

/// What a field holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    /// A text, which may be empty.
    Text,
    /// A text that is left out where it is empty.
    Name,
    /// Text of several lines; left out where it is empty.
    Lines,
    /// A line of code, which may be empty.
    Code,
    /// A line of code that is left out where it is empty.
    Given,
    /// Code of many lines, taken as it is typed.
    Program,
    /// A number; left out where it is empty.
    Number,
    /// A time in nanoseconds, shown in another unit; left out where it is empty.
    Time(Unit),
    /// A clock in hertz, shown in megahertz; left out where it is empty.
    Clock,
    /// A list of numbers; left out where it is empty.
    Numbers,
    /// A list of numbers, which may be empty.
    List,
    /// Lists of numbers, one a line.
    Rows,
    /// Formulas, one a line; one alone is a text. Left out where it is empty.
    Formulas,
    /// A list of numbers, or a word; left out where it is empty.
    Boundaries,
}

impl Holds {
    /// Whether it can hold a list.
    fn is_list(self) -> bool {
        matches!(self, Self::Numbers | Self::List | Self::Rows | Self::Formulas | Self::Boundaries)
    }
}

/// A field of the form.
#[derive(Debug, Clone, PartialEq)]
pub struct Slot {
    /// What it is called.
    pub label: &'static str,
    /// Where it stands.
    pub path: Path,
    /// What it holds.
    pub holds: Holds,
    /// What is meant where it is empty.
    pub usual: &'static str,
}

impl Slot {
    /// The field of an object.
    pub fn of(
        object: &[Key],
        key: &'static str,
        label: &'static str,
        holds: Holds,
        usual: &'static str,
    ) -> Self {
        Self { label, path: path::field(object, key), holds, usual }
    }
}

/// What a field shows of a value.
pub fn shown(value: Option<&Value>, holds: Holds) -> String {
    match (value, holds) {
        (None | Some(Value::Null), _) => String::new(),
        (Some(Value::String(text)), _) => text.clone(),
        (Some(Value::Array(items)), holds) if holds.is_list() => {
            let between = if matches!(holds, Holds::Rows | Holds::Formulas) { "\n" } else { " " };
            let within = if holds == Holds::Rows { Holds::List } else { Holds::Text };
            items.iter().map(|item| shown(Some(item), within)).collect::<Vec<_>>().join(between)
        }
        (Some(value), Holds::Time(unit)) => match value.as_u64() {
            Some(nanos) => units::shown(nanos, unit),
            None => format!("{} ns", json::line(value)),
        },
        (Some(value), Holds::Clock) => match value.as_u64() {
            Some(hertz) => units::shown_clock(hertz),
            None => format!("{} Hz", json::line(value)),
        },
        (Some(value), _) => json::line(value),
    }
}

/// Whether a field can hold a value at all; lists and objects are edited as JSON.
pub fn fits(value: Option<&Value>, holds: Holds) -> bool {
    match value {
        Some(Value::Array(_)) => holds.is_list(),
        Some(Value::Object(_)) => false,
        _ => true,
    }
}

/// What typing a text makes of a value; none where the field is left out.
pub fn typed(text: &str, holds: Holds) -> Option<Value> {
    let empty = text.trim().is_empty();
    match holds {
        Holds::Text | Holds::Code | Holds::Program => Some(Value::from(text)),
        Holds::List => Some(edit::numbers_or_text(text)),
        Holds::Rows => Some(lines_of(text).map(edit::numbers_or_text).collect()),
        _ if empty => None,
        Holds::Name | Holds::Lines | Holds::Given => Some(Value::from(text)),
        Holds::Number => Some(edit::number_or_text(text)),
        Holds::Boundaries if !text.trim().starts_with(|c: char| c.is_ascii_digit()) => {
            Some(Value::from(text.trim()))
        }
        Holds::Numbers | Holds::Boundaries => Some(edit::numbers_or_text(text)),
        Holds::Formulas => Some(match lines_of(text).collect::<Vec<_>>()[..] {
            [one] => Value::from(one),
            ref several => Value::from(several),
        }),
        Holds::Clock => Some(units::read_clock(text).map_or_else(|| Value::from(text.trim()), Value::from)),
        Holds::Time(unit) => {
            Some(units::read(text, unit).map_or_else(|| Value::from(text.trim()), Value::from))
        }
    }
}

fn lines_of(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty())
}

/// The document after a text was typed into the field at a path. An empty field is left out; one of several in a list
/// stays, for the others to keep their places.
pub fn written(tree: &Value, path: &[Key], holds: Holds, text: &str) -> Value {
    match (typed(text, holds), path.last()) {
        (Some(value), _) => path::set(tree, path, value),
        (None, Some(Key::At(_))) => path::set(tree, path, Value::from("")),
        (None, _) => path::remove(tree, path),
    }
}

/// The first problems of a field or of something in it, in the words of the field.
pub fn problems_of(problems: &[Problem], slot: &Slot) -> Vec<String> {
    let (place, label) = (path::place(&slot.path), slot.label);
    let here = problems.iter().filter_map(|problem| {
        let rest = problem.place.strip_prefix(place.as_str())?;
        (rest.is_empty() || rest.starts_with(['[', '.'])).then(|| {
            let expected = match slot.holds {
                Holds::Time(unit) => unit.expected(),
                Holds::Clock => units::CLOCK_EXPECTED.to_owned(),
                _ => problem.expected.clone(),
            };
            format!("{label}: {}. Expected {expected}.", problem.what)
        })
    });
    here.take(2).collect()
}

/// Problems of exactly one of these places, which no field shows.
pub fn problems_at(problems: &[Problem], places: &[String]) -> Vec<String> {
    let here = problems.iter().filter(|problem| places.contains(&problem.place));
    here.map(|problem| format!("{}. Expected {}.", problem.what, problem.expected)).take(5).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::path::Key::{At, Of};
    use super::*;

    const MILLIS: Holds = Holds::Time(Unit::Millis);

    #[test]
    fn fields_show_what_the_document_holds() {
        assert_eq!(shown(Some(&json!(4_000_000_000_u64)), MILLIS), "4000");
        assert_eq!(shown(Some(&json!("4x")), MILLIS), "4x");
        assert_eq!(shown(Some(&json!(2.5)), MILLIS), "2.5 ns");
        assert_eq!(shown(Some(&json!([1, 2])), Holds::Numbers), "1 2");
        assert_eq!(shown(None, Holds::Number), "");
        assert_eq!(shown(Some(&json!([[1, 2], 3, "x"])), Holds::Rows), "1 2\n3\nx");
        assert_eq!(shown(Some(&json!(["n + 1", 4])), Holds::Formulas), "n + 1\n4");
        assert_eq!(shown(Some(&json!([1, 2])), Holds::Number), "[1,2]");
        assert!(!fits(Some(&json!([1, 2])), MILLIS) && fits(None, MILLIS));
    }

    #[test]
    fn typing_writes_numbers_times_and_nonsense() {
        assert_eq!(typed("512", Holds::Number), Some(json!(512)));
        assert_eq!(typed("1.5", MILLIS), Some(json!(1_500_000)));
        assert_eq!(typed("a while", MILLIS), Some(json!("a while")));
        assert_eq!(typed("0 2", Holds::Numbers), Some(json!([0, 2])));
        assert_eq!((typed(" ", Holds::Number), typed("", Holds::Name)), (None, None));
        assert_eq!(typed("", Holds::Text), Some(json!("")));
        assert_eq!((typed("", Holds::List), typed("", Holds::Rows)), (Some(json!([])), Some(json!([]))));
        assert_eq!(typed("1 2\n\n 3, x ", Holds::Rows), Some(json!([[1, 2], [3, "x"]])));
        assert_eq!(typed(" n + 1 \n", Holds::Formulas), Some(json!("n + 1")));
        assert_eq!(typed("n\n2 n", Holds::Formulas), Some(json!(["n", "2 n"])));
        assert_eq!(typed("2 4", Holds::Boundaries), Some(json!([2, 4])));
        assert_eq!(typed(" each run", Holds::Boundaries), Some(json!("each run")));
        assert_eq!((typed(" \n", Holds::Lines), typed("", Holds::Given)), (None, None));
    }

    #[test]
    fn what_the_form_does_not_show_stays() {
        let tree =
            json!({"blocks": {"streams": [{"odd": 1, "release": 5, "operations": []}], "free": "instant"}});
        let path = [Of("blocks"), Of("streams"), At(0), Of("release")];
        let changed = written(&tree, &path, MILLIS, "0.25");
        assert_eq!(
            changed.to_string(),
            r#"{"blocks":{"streams":[{"odd":1,"release":250000,"operations":[]}],"free":"instant"}}"#
        );
        assert_eq!(
            written(&changed, &path, MILLIS, "")["blocks"]["streams"][0],
            json!({"odd": 1, "operations": []})
        );
    }

    #[test]
    fn a_field_of_a_list_keeps_its_place_while_it_is_empty() {
        let tree = json!({"edges": [["a", "b", 10]]});
        let path = [Of("edges"), At(0), At(2)];
        let emptied = written(&tree, &path, Holds::Number, "");
        assert_eq!(emptied["edges"][0], json!(["a", "b", ""]));
        assert_eq!(written(&emptied, &path, Holds::Number, "35")["edges"][0], json!(["a", "b", 35]));
    }

    #[test]
    fn problems_speak_of_the_field_they_are_about() {
        let problems = [
            Problem::at("blocks.streams[1].release", "\"x\"", "a whole number, 0 to 9"),
            Problem::at("blocks.streams[12].release", "\"y\"", "a whole number, 0 to 9"),
            Problem::at("blocks", "nothing to run", "\"streams\""),
        ];
        let stream = [Of("blocks"), Of("streams"), At(1)];
        let told = problems_of(&problems, &Slot::of(&stream, "release", "Release", MILLIS, "0"));
        assert_eq!(
            told,
            [
                "Release: \"x\". Expected a time in ms, or with a unit as in 2 s, 50 µs or 300 ns; up to 11 days."
            ]
        );
        assert_eq!(problems_at(&problems, &["blocks".to_owned()]), ["nothing to run. Expected \"streams\"."]);
    }
}
