//! What is drawn for a student, and how it gets into an exercise.

use serde_json::{Map, Value};

use crate::lesson::values::number;
use base::seeded::Seeded;
use kit::import::json;

/// What a parameter is drawn from.
#[derive(Debug, Clone, PartialEq)]
pub enum Draw {
    /// A whole number from one to another, both included, in steps.
    Range {
        /// The smallest.
        from: u64,
        /// The largest.
        to: u64,
        /// From one to the next.
        step: u64,
    },
    /// One of these.
    OneOf(Vec<Value>),
}

impl Draw {
    /// How many there are to draw from; at least one.
    pub fn choices(&self) -> u32 {
        match self {
            Self::Range { from, to, step } => u32::try_from((to - from) / step + 1).unwrap_or(u32::MAX),
            Self::OneOf(values) => u32::try_from(values.len()).unwrap_or(u32::MAX),
        }
    }

    /// The one at a place.
    pub fn at(&self, place: u32) -> Value {
        match self {
            Self::Range { from, step, .. } => Value::from(from + u64::from(place) * step),
            Self::OneOf(values) => values.get(place as usize).cloned().unwrap_or_default(),
        }
    }
}

/// What was drawn, by its names.
pub type Drawn = Vec<(String, Value)>;

/// A name as it counts: without spaces at its ends and several in a row, in small letters.
pub fn folded(student: &str) -> String {
    student.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// The seed of a student.
pub fn seed(student: &str) -> u64 {
    hash(&folded(student))
}

/// FNV-1a, 64 bits (Fowler, Noll and Vo): the same everywhere, and no secret.
pub fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// Draws for a student, in an exercise of this name.
pub fn drawn(draws: &[(String, Draw)], seed: u64, exercise: &str) -> Drawn {
    let mut generator = Seeded::new(seed, hash(exercise));
    draws.iter().map(|(name, draw)| (name.clone(), draw.at(generator.below(draw.choices())))).collect()
}

/// A value with what was drawn put in: `{"drawn": "n"}` becomes it, and `{n}` within a text its text. Both may be
/// multiplied and added to.
pub fn filled(value: &Value, drawn: &Drawn) -> Value {
    match value {
        Value::String(text) => Value::String(in_text(text, drawn)),
        Value::Array(items) => items.iter().map(|item| filled(item, drawn)).collect(),
        Value::Object(map) => value_of(map, drawn).unwrap_or_else(|| {
            Value::Object(map.iter().map(|(key, value)| (key.clone(), filled(value, drawn))).collect())
        }),
        other => other.clone(),
    }
}

/// What `{"drawn": "n", "times": 2, "plus": 1}` stands for.
fn value_of(map: &Map<String, Value>, drawn: &Drawn) -> Option<Value> {
    let name = map.get("drawn")?.as_str()?;
    let found = drawn.iter().find(|(own, _)| own == name).map(|(_, value)| value)?;
    let own = |key: &str, usual: f64| map.get(key).map_or(Some(usual), Value::as_f64);
    let (times, plus) = (own("times", 1.0)?, own("plus", 0.0)?);
    if !map.keys().all(|key| ["drawn", "times", "plus"].contains(&key.as_str())) {
        return None;
    }
    match found.as_f64() {
        Some(value) => number(value * times + plus),
        None => Some(found.clone()),
    }
}

fn in_text(text: &str, drawn: &Drawn) -> String {
    drawn.iter().fold(text.to_owned(), |text, (name, value)| {
        let said = match value {
            Value::String(own) => own.clone(),
            other => json::line(other),
        };
        text.replace(&format!("{{{name}}}"), &said)
    })
}
