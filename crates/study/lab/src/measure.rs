//! What is measured of a cell: formulas over its report, and over its document behind `document.`.
//!
//! What is null in the report makes what depends on it null; what is not there at all is a problem of the cell, unless
//! `has` asks for it. Truths stay truths, so that their share can be told.

use base::formula::{Expr, FormulaError, Grammar, Operator, Takes, Words, parse};
use base::problem::quoted;
use base::rational::Rational;
use serde_json::Value;
use std::cmp::Ordering;

use crate::number::Number;

const FUNCTIONS: [(&str, Takes); 12] = [
    ("min", Takes::Some),
    ("max", Takes::Some),
    ("sum", Takes::Some),
    ("mean", Takes::Some),
    ("count", Takes::Some),
    ("all", Takes::Some),
    ("any", Takes::Some),
    ("ceil", Takes::Exactly(1)),
    ("floor", Takes::Exactly(1)),
    ("abs", Takes::Exactly(1)),
    ("has", Takes::Exactly(1)),
    ("if", Takes::Exactly(3)),
];

/// Reads a measure.
pub fn read(text: &str) -> Result<Expr, FormulaError> {
    parse(text, Grammar { functions: &FUNCTIONS, words: Words::Paths })
}

/// What a measure came to.
#[derive(Debug, Clone)]
pub enum Found {
    /// A number.
    Number(Number),
    /// True or false.
    Truth(bool),
    /// A text.
    Text(String),
    /// Nothing is known.
    Null,
}

impl Found {
    /// As a row has it.
    pub fn to_json(&self) -> Value {
        match self {
            Found::Number(number) => number.to_json(),
            Found::Truth(truth) => Value::from(*truth),
            Found::Text(text) => Value::from(text.as_str()),
            Found::Null => Value::Null,
        }
    }

    fn named(&self) -> String {
        match self {
            Found::Number(number) => kit::import::json::line(&number.to_json()),
            Found::Truth(truth) => truth.to_string(),
            Found::Text(text) => quoted(text),
            Found::Null => "null".to_owned(),
        }
    }
}

/// What a measure comes to; or why it has no value.
pub fn value(expr: &Expr, report: &Value, document: &Value) -> Result<Found, String> {
    Around { report, document }.value(expr)
}

struct Around<'a> {
    report: &'a Value,
    document: &'a Value,
}

impl Around<'_> {
    fn value(&self, expr: &Expr) -> Result<Found, String> {
        match expr {
            Expr::Number(number) => Ok(Found::Number(Number::Exact(*number))),
            Expr::Text(text) => Ok(Found::Text(text.clone())),
            Expr::Name(path) => self.named(path),
            Expr::Minus(inner) => {
                let zero = Number::Exact(Rational::ZERO);
                let minus = |number: Number| arithmetic(Operator::Minus, zero, number);
                match self.value(inner)? {
                    Found::Number(number) => minus(number).map(Found::Number),
                    Found::Null => Ok(Found::Null),
                    other => Err(format!("-{}, where a number belongs", other.named())),
                }
            }
            Expr::Not(inner) => {
                Ok(truth(&self.value(inner)?)?.map_or(Found::Null, |truth| Found::Truth(!truth)))
            }
            Expr::Two(operator, left, right) => self.two(*operator, left, right),
            Expr::Call("if", inner) => match inner.as_slice() {
                [asked, then, otherwise] => match truth(&self.value(asked)?)? {
                    Some(true) => self.value(then),
                    Some(false) => self.value(otherwise),
                    None => Ok(Found::Null),
                },
                _ => Err("if of other than three values".to_owned()),
            },
            Expr::Call("has", inner) => match inner.as_slice() {
                [Expr::Name(path)] => {
                    let found = self.all(path)?;
                    Ok(Found::Truth(found.iter().any(|value| value.is_some_and(|value| !value.is_null()))))
                }
                _ => Err("has, where a path belongs in its parentheses".to_owned()),
            },
            Expr::Call(name, inner) => self.call(name, inner),
        }
    }

    fn two(&self, operator: Operator, left: &Expr, right: &Expr) -> Result<Found, String> {
        let left = self.value(left)?;
        if let Operator::And | Operator::Or = operator {
            let decided = operator == Operator::Or;
            let left = truth(&left)?;
            if left == Some(decided) {
                return Ok(Found::Truth(decided));
            }
            let right = truth(&self.value(right)?)?;
            return Ok(match (left, right) {
                (_, Some(right)) if right == decided => Found::Truth(decided),
                (Some(_), Some(right)) => Found::Truth(right),
                _ => Found::Null,
            });
        }
        let right = self.value(right)?;
        match (&left, &right) {
            (Found::Null, _) | (_, Found::Null) => Ok(Found::Null),
            (Found::Number(a), Found::Number(b)) => match operator {
                Operator::Plus | Operator::Minus | Operator::Times | Operator::Over => {
                    arithmetic(operator, *a, *b).map(Found::Number)
                }
                _ => Ok(Found::Truth(holds(operator, a.compared(*b)))),
            },
            (Found::Text(a), Found::Text(b)) if equality(operator) => {
                Ok(Found::Truth(holds(operator, a.cmp(b))))
            }
            (Found::Truth(a), Found::Truth(b)) if equality(operator) => {
                Ok(Found::Truth(holds(operator, a.cmp(b))))
            }
            _ => Err(format!("{} and {} do not go together", left.named(), right.named())),
        }
    }

    fn call(&self, name: &str, inner: &[Expr]) -> Result<Found, String> {
        let mut values = Vec::with_capacity(inner.len());
        for part in inner {
            match part {
                Expr::Name(path) if path.contains("[*]") => {
                    for value in self.all(path)? {
                        let value = value.ok_or_else(|| absent(path))?;
                        values.push(plain(value, path)?);
                    }
                }
                part => values.push(self.value(part)?),
            }
        }
        if name == "count" {
            let known = values.iter().filter(|value| !matches!(value, Found::Null)).count();
            return Ok(Found::Number(whole(known)));
        }
        if let "all" | "any" = name {
            let decided = name == "any";
            let truths = values.iter().map(truth).collect::<Result<Vec<_>, _>>()?;
            return Ok(if truths.contains(&Some(decided)) {
                Found::Truth(decided)
            } else if truths.contains(&None) {
                Found::Null
            } else {
                Found::Truth(!decided)
            });
        }
        let mut numbers = Vec::with_capacity(values.len());
        for value in &values {
            match value {
                Found::Number(number) => numbers.push(*number),
                Found::Null => return Ok(Found::Null),
                other => return Err(format!("{name} of {}, where a number belongs", other.named())),
            }
        }
        let plus = |a: Number, b: &Number| arithmetic(Operator::Plus, a, *b);
        let sum = || numbers.iter().try_fold(whole(0), plus);
        let by = |a: &&Number, b: &&Number| a.compared(**b);
        let round = |number: Number, up: bool| match number {
            Number::Exact(exact) => {
                Number::Exact(Rational::whole(if up { exact.ceil() } else { exact.floor() }))
            }
            Number::Close(close) => Number::Close(if up { close.ceil() } else { close.floor() }),
        };
        let first = numbers.first().copied();
        let found = match (name, first) {
            ("sum", _) => Some(sum()?),
            (_, None) => None, // of an empty list nothing is known
            ("mean", _) => Some(arithmetic(Operator::Over, sum()?, whole(numbers.len()))?),
            ("min", _) => numbers.iter().min_by(by).copied(),
            ("max", _) => numbers.iter().max_by(by).copied(),
            ("ceil", Some(number)) => Some(round(number, true)),
            ("floor", Some(number)) => Some(round(number, false)),
            ("abs", Some(number)) if number.compared(whole(0)) == Ordering::Less => {
                Some(arithmetic(Operator::Minus, whole(0), number)?)
            }
            (_, first) => first,
        };
        Ok(found.map_or(Found::Null, Found::Number))
    }

    /// The value at a path.
    fn named(&self, path: &str) -> Result<Found, String> {
        if path.contains("[*]") {
            return Err(format!("{path} alone, where a function such as max belongs around it"));
        }
        let found = self.all(path)?;
        let value = found.first().copied().flatten().ok_or_else(|| absent(path))?;
        plain(value, path)
    }

    /// All that a path leads to; none where a branch of it ends before.
    fn all(&self, path: &str) -> Result<Vec<Option<&Value>>, String> {
        let (tree, rest) = match path.strip_prefix("document.") {
            Some(rest) => (self.document, rest),
            None => (self.report, path),
        };
        let mut at = vec![Some(tree)];
        for word in rest.split(['.', '[']) {
            at = match word.strip_suffix(']') {
                Some("*") => {
                    let mut items = Vec::new();
                    for value in at {
                        match value {
                            Some(Value::Array(list)) => items.extend(list.iter().map(Some)),
                            None | Some(Value::Null) => items.push(None),
                            Some(_) => return Err(format!("{path}: [*] of what is no list")),
                        }
                    }
                    items
                }
                Some(index) => {
                    let index = index.parse::<usize>().ok();
                    at.into_iter().map(|value| value?.get(index?)).collect()
                }
                None => at.into_iter().map(|value| value?.get(word)).collect(),
            };
        }
        Ok(at)
    }
}

fn absent(path: &str) -> String {
    match path.strip_prefix("document.") {
        Some(path) => format!("{path} is not in the document"),
        None => format!("{path} is not in the report"),
    }
}

fn plain(value: &Value, path: &str) -> Result<Found, String> {
    match value {
        Value::Null => Ok(Found::Null),
        Value::Bool(truth) => Ok(Found::Truth(*truth)),
        Value::String(text) => Ok(Found::Text(text.clone())),
        Value::Number(number) => Number::of(number).map(Found::Number).ok_or_else(|| absent(path)),
        Value::Array(items) => Err(format!("{path} is a list of {}, not a value", items.len())),
        Value::Object(_) => Err(format!("{path} is an object, not a value")),
    }
}

fn truth(found: &Found) -> Result<Option<bool>, String> {
    match found {
        Found::Truth(truth) => Ok(Some(*truth)),
        Found::Null => Ok(None),
        other => Err(format!("{}, where true or false belongs", other.named())),
    }
}

fn whole(number: usize) -> Number {
    Number::Exact(Rational::whole(i64::try_from(number).unwrap_or(i64::MAX)))
}

fn equality(operator: Operator) -> bool {
    matches!(operator, Operator::Equal | Operator::Unequal)
}

fn holds(operator: Operator, ordering: Ordering) -> bool {
    match operator {
        Operator::Less => ordering.is_lt(),
        Operator::AtMost => ordering.is_le(),
        Operator::Equal => ordering.is_eq(),
        Operator::Unequal => ordering.is_ne(),
        Operator::AtLeast => ordering.is_ge(),
        _ => ordering.is_gt(),
    }
}

fn arithmetic(operator: Operator, a: Number, b: Number) -> Result<Number, String> {
    if operator == Operator::Over && b.compared(whole(0)).is_eq() {
        return Err("a division by 0".to_owned());
    }
    let found = match operator {
        Operator::Plus => a.with(b, Rational::plus, |a, b| a + b),
        Operator::Minus => a.with(b, |a, b| a.plus(b.negated()?), |a, b| a - b),
        Operator::Times => a.with(b, Rational::times, |a, b| a * b),
        _ => a.with(b, Rational::over, |a, b| a / b),
    };
    found.ok_or_else(|| "a number that is too large".to_owned())
}
