//! A question that is asked beside the lab, and whether an answer to it is right.

use serde_json::Value;

use super::check::{Operand, Seen};
use kit::import::json;

/// A question.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// What is asked.
    pub ask: String,
    /// What kind of answer is expected, and which one is right.
    pub kind: Kind,
}

/// A kind of answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// A number, which may differ by a tolerance; and its unit.
    Number(Operand, f64, String),
    /// A text, any of these; or one that is looked up.
    Text(Vec<Operand>),
    /// One of these choices, and the right one.
    Choice(Vec<String>, Operand),
}

/// What an answer is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It is right.
    Right,
    /// It is not.
    Wrong,
    /// It is no number where one is expected.
    NoNumber,
    /// What it is held against is not there yet.
    TooEarly,
}

impl Question {
    /// What an answer is worth.
    pub fn verdict(&self, answer: &str, seen: &Seen<'_>) -> Verdict {
        let judge = |right: Option<bool>| match right {
            Some(true) => Verdict::Right,
            Some(false) => Verdict::Wrong,
            None => Verdict::TooEarly,
        };
        match &self.kind {
            Kind::Number(right, tolerance, unit) => {
                let Some(given) = number_in(answer, unit) else { return Verdict::NoNumber };
                let right = right.value(seen).and_then(|right| right.as_f64());
                judge(right.map(|right| (right - given).abs() <= tolerance.max(1e-9)))
            }
            Kind::Text(right) => {
                let given = folded(answer);
                let known: Vec<Value> = right.iter().filter_map(|right| right.value(seen)).collect();
                let fits = known.iter().any(|right| folded(&said(right)) == given);
                judge((fits || known.len() == right.len()).then_some(fits))
            }
            Kind::Choice(_, right) => {
                judge(right.value(seen).map(|right| folded(&said(&right)) == folded(answer)))
            }
        }
    }

    /// Whether an answer is right.
    pub fn is_right(&self, answer: &str, seen: &Seen<'_>) -> bool {
        self.verdict(answer, seen) == Verdict::Right
    }

    /// A right answer, as one would type it.
    pub fn answer(&self, seen: &Seen<'_>) -> Option<String> {
        self.right()?.value(seen).map(|right| said(&right))
    }

    /// What the right answer is.
    pub fn right(&self) -> Option<&Operand> {
        match &self.kind {
            Kind::Number(right, ..) | Kind::Choice(_, right) => Some(right),
            Kind::Text(right) => right.first(),
        }
    }
}

/// A value as one would type it.
fn said(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        other => json::line(other),
    }
}

/// Without spaces at its ends and several in a row, in small letters.
fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// The number in an answer, with or without its unit.
fn number_in(answer: &str, unit: &str) -> Option<f64> {
    let answer = folded(answer);
    let unit = folded(unit);
    let number = answer.strip_suffix(unit.as_str()).unwrap_or(&answer).trim();
    let plain = !number.is_empty() && number.chars().all(|c| c.is_ascii_digit() || "+-.".contains(c));
    plain.then(|| number.trim_start_matches('+').parse().ok()).flatten()
}
