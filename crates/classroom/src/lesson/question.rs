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

    /// A right answer, as one would type it: a number as the page says it, where its tolerance leaves that right.
    pub fn answer(&self, seen: &Seen<'_>) -> Option<String> {
        let right = self.right()?.value(seen)?;
        let rounded = match &self.kind {
            Kind::Number(_, tolerance, _) => right.as_f64().and_then(|right| rounded(right, *tolerance)),
            Kind::Text(_) | Kind::Choice(..) => None,
        };
        Some(rounded.unwrap_or_else(|| said(&right)))
    }

    /// What the right answer is.
    pub fn right(&self) -> Option<&Operand> {
        match &self.kind {
            Kind::Number(right, ..) | Kind::Choice(_, right) => Some(right),
            Kind::Text(right) => right.first(),
        }
    }
}

/// A number with as few digits behind the point as the page shows, at least one unless it is none: `34.9` for 34.9063.
/// None where no such number is right.
fn rounded(right: f64, tolerance: f64) -> Option<String> {
    let with = |digits: usize| {
        let text = format!("{right:.digits$}");
        let plain = text.strip_suffix(".0").unwrap_or(&text).to_owned();
        let off = plain.parse::<f64>().ok()? - right;
        (off.abs() <= tolerance).then_some(plain)
    };
    if right.fract() == 0.0 { Some(format!("{right:.0}")) } else { (1..=3).find_map(with) }
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

/// The number in an answer, with or without its unit, also with its digits in threes as the page writes them.
fn number_in(answer: &str, unit: &str) -> Option<f64> {
    let answer = folded(answer);
    let unit = folded(unit);
    let number = answer.strip_suffix(unit.as_str()).unwrap_or(&answer).trim();
    let number = &plain(number).unwrap_or_else(|| number.to_owned())[..];
    let plain = !number.is_empty() && number.chars().all(|c| c.is_ascii_digit() || "+-.".contains(c));
    plain.then(|| number.trim_start_matches('+').parse().ok()).flatten()
}

/// `1,234.5` without its commas; none where they do not stand before threes.
fn plain(number: &str) -> Option<String> {
    let (whole, rest) = number.split_once('.').unwrap_or((number, ""));
    let mut groups = whole.trim_start_matches(['+', '-']).split(',');
    let first = groups.next()?;
    let threes: Vec<&str> = groups.collect();
    let sound = matches!(first.len(), 1..=3) && threes.iter().all(|group| group.len() == 3);
    (sound && !threes.is_empty() && !rest.contains(',')).then(|| number.replace(',', ""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lesson::check::Start;
    use kit::scenario::link::View;
    use serde_json::json;

    fn share(right: f64, tolerance: f64) -> Question {
        let kind = Kind::Number(Operand::Given(json!(right)), tolerance, "%".to_owned());
        Question { ask: "Which share?".to_owned(), kind }
    }

    /// What is filled in is what the page says, and right.
    #[test]
    fn numbers_are_filled_in_as_the_page_says_them() {
        let start = Start { document: json!(null), report: None, view: View::default() };
        let view = View::default();
        let seen = Seen {
            report: None,
            worst_case: None,
            document: &start.document,
            view: &view,
            revealed: false,
            answer: None,
            start: &start,
        };
        for (right, tolerance, said) in [
            (34.9063, 1.0, "34.9"),
            (35.03, 0.1, "35"),
            (0.05, 0.0005, "0.05"),
            (5.2345, 0.0, "5.2345"),
            (12.0, 1.0, "12"),
            (-0.97, 0.1, "-1"),
        ] {
            let question = share(right, tolerance);
            let own = question.answer(&seen);
            assert_eq!(own.as_deref(), Some(said));
            assert!(
                question.is_right(said, &seen) && question.is_right(&format!("{said} %"), &seen),
                "{said}"
            );
            if right == 34.9063 {
                assert_eq!(base::people::percent(right / 100.0), format!("{said} %"));
            }
        }
    }

    #[test]
    fn numbers_in_threes_are_numbers() {
        let read = |text: &str| number_in(text, "cycles");
        assert_eq!(read("10,569,728 cycles"), Some(10_569_728.0));
        assert_eq!(read("2,953.5"), Some(2_953.5));
        assert_eq!(read("-1,000"), Some(-1_000.0));
        for other in ["4,5", "1,2345", ",123", "1234,567", "1,234,5", "1.234,567", "a,bcd"] {
            assert_eq!(read(other), None, "{other}");
        }
    }
}
