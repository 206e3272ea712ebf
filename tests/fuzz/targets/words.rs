//! Short texts: kernel strings, formulas with their values, templates, selections, remarks with marks in them.

use serde_json::json;
use warpspan::conjecture::formula::{Formula, NoValue, Surroundings};
use warpspan::conjecture::rational::{Rational, Span};
use warpspan::conjecture::template::Template;
use warpspan::import::json;
use warpspan::lesson::marks::marked;
use warpspan::lesson::values::{self, Take};
use warpspan::page::chain::assumed::path_of;
use warpspan::page::fields::path;
use warpspan::page::shown::{parse_selection, selection_text};
use warpspan::page::{Place, edit};
use warpspan::warps::Kernel;

/// Names that formulas may speak of, with values as large as any document can make them.
const NAMES: [(&str, i64); 5] =
    [("n", 64), ("w", 1), ("k", 1_000_000), ("big", i64::MAX), ("least", i64::MIN)];

struct Around;

impl Surroundings for Around {
    fn value(&self, name: &str) -> Option<Span> {
        let (_, value) = NAMES.iter().find(|(known, _)| *known == name)?;
        Some(Span::exactly(Rational::whole(*value)))
    }

    fn exact(&self, warps: usize) -> Option<Result<Span, String>> {
        match warps {
            0 => Some(Err("none of no warps".to_owned())),
            1..=9 => Some(Ok(Span::whole(u32::MAX - warps as u32))),
            _ => None,
        }
    }
}

/// A line read as each of them.
pub fn words(data: &[u8]) {
    let Some(text) = super::text(data).filter(|text| text.len() <= 4_096) else { return };
    kernel(&text);
    formula(&text);
    if let Ok(template) = Template::parse(&text) {
        for repeated in [1, 2, 1_000, u32::MAX] {
            if let Ok(kernel) = template.kernel(repeated) {
                assert!(kernel.len() <= warpspan::warps::MOST_INSTRUCTIONS, "{}", kernel.len());
            }
        }
    }
    if let Some(selected) = parse_selection(&text) {
        assert_eq!(parse_selection(&selection_text(selected)), Some(selected));
    }
    let _ = marked(&text);
    places(&text);
}

/// Addresses, places in documents and reports, and what someone types into a field.
fn places(text: &str) {
    if let Place::Room(room, at) = Place::of(text) {
        assert_eq!(Place::of(&Place::of_room(room, &at)), Place::Room(room, at));
    }
    if let Some(path) = path_of(text) {
        let written = path::place(&path);
        assert_eq!(path_of(&written), Some(path), "a place reads as it is written");
    }
    let report = json!({"chains": [{"best": 3, "name": "a/b"}, {"best": 0.5}], "n": u64::MAX});
    for take in [None, Some(Take::Sum), Some(Take::Max), Some(Take::Count)] {
        let _ = values::Path::parse(text).map(|path| (path.is_plain(), path.find(&report, take)));
    }
    for typed in [edit::number_or_text(text), edit::numbers_or_text(text)] {
        // Fractions may be read back with another last digit.
        assert!(json::parse(&json::line(&typed)).is_ok(), "what is typed can be written");
    }
}

fn kernel(text: &str) {
    match Kernel::parse(text) {
        Ok(kernel) => {
            let again = Kernel::parse(&kernel.to_string());
            assert_eq!(again.as_ref(), Ok(&kernel), "a kernel reads as it is written");
        }
        Err(error) => assert!(!error.what.is_empty() && error.what.len() < 1_000, "{error:?}"),
    }
}

fn formula(text: &str) {
    let names = NAMES.map(|(name, _)| name);
    match Formula::parse(text, &names) {
        Ok(formula) => {
            let value = formula.value(&Around);
            let again = Formula::parse(formula.text(), &names);
            assert_eq!(again.as_ref(), Ok(&formula), "a formula reads as it is written");
            match value {
                Ok(span) => drop(span.known().map(|value| (value.floor(), value.ceil()))),
                Err(NoValue::Needs(_)) => assert!(formula.asks_for_worst_cases()),
                Err(NoValue::Undefined(why)) => assert!(!why.is_empty()),
            }
        }
        Err(error) => assert!(error.column >= 1 && !error.what.is_empty() && !error.expected.is_empty()),
    }
}
