//! Formulas over the parameters of a conjecture: what they are, and what they come to.
//!
//! Values are exact fractions; where a worst case is only bracketed, both ends are carried along, so that what a
//! formula comes to is a span that surely holds its value. Their text form is [`base::formula`]'s.

use base::formula::{Expr, FormulaError, Grammar, Operator, Takes, Words};
use base::rational::{Rational, Span};
use warps::MOST_WARPS;

/// A formula that has been read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Formula {
    text: String,
    root: Expr,
}

/// The functions there are.
const FUNCTIONS: [(&str, Takes); 5] = [
    ("ceil", Takes::Exactly(1)),
    ("floor", Takes::Exactly(1)),
    ("max", Takes::Some),
    ("min", Takes::Some),
    (EXACT, Takes::Exactly(1)),
];
/// The worst case of so many warps.
const EXACT: &str = "exact";

/// Whether a text is the name of a function.
pub fn is_function(text: &str) -> bool {
    FUNCTIONS.iter().any(|(name, _)| *name == text)
}

/// Why a formula has no value, or not yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoValue {
    /// It needs the worst case of so many warps first.
    Needs(usize),
    /// It has none here; why.
    Undefined(String),
}

/// Where a formula finds what it speaks of.
pub trait Surroundings {
    /// The value of a name.
    fn value(&self, name: &str) -> Option<Span>;
    /// The worst case of so many warps; `None` while it is not known.
    fn exact(&self, warps: usize) -> Option<Result<Span, String>>;
}

impl Formula {
    /// Reads a formula that may speak of these names.
    pub fn parse(text: &str, known: &[&str]) -> Result<Self, FormulaError> {
        let grammar = Grammar { functions: &FUNCTIONS, words: Words::Known(known) };
        let root = base::formula::parse(text, grammar)?;
        Ok(Self { text: text.trim().to_owned(), root })
    }

    /// The text it was read from.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What it comes to.
    pub fn value(&self, around: &dyn Surroundings) -> Result<Span, NoValue> {
        value(&self.root, around)
    }

    /// Whether it calls `exact`.
    pub fn asks_for_worst_cases(&self) -> bool {
        self.root.any(&|part| matches!(part, Expr::Call(EXACT, _)))
    }

    /// Whether it speaks of a name.
    pub fn names(&self, name: &str) -> bool {
        self.root.any(&|part| matches!(part, Expr::Name(found) if found == name))
    }
}

fn value(expr: &Expr, around: &dyn Surroundings) -> Result<Span, NoValue> {
    match expr {
        Expr::Number(number) => Ok(Span::exactly(*number)),
        Expr::Name(name) => around.value(name).ok_or_else(|| undefined(format!("{name} has no value"))),
        Expr::Minus(inner) => {
            let inner = value(inner, around)?;
            let ends = inner.high.negated().zip(inner.low.negated());
            ends.map(|(low, high)| Span { low, high }).ok_or_else(too_large)
        }
        Expr::Two(operator, left, right) => joined(*operator, value(left, around)?, value(right, around)?),
        Expr::Call(EXACT, inner) => {
            let warps = value(inner.first().ok_or_else(too_large)?, around)?;
            worst_case(warps, around)
        }
        Expr::Call(function, inner) => {
            let values: Vec<Span> =
                inner.iter().map(|inner| value(inner, around)).collect::<Result<_, _>>()?;
            call(function, &values).ok_or_else(too_large)
        }
        Expr::Text(_) | Expr::Not(_) => Err(undefined("no number".to_owned())),
    }
}

fn joined(operator: Operator, left: Span, right: Span) -> Result<Span, NoValue> {
    if operator == Operator::Over && right.low <= Rational::ZERO && right.high >= Rational::ZERO {
        return Err(undefined("a division by 0".to_owned()));
    }
    // Each is monotone in either operand; division is, where the divisor keeps its sign.
    let joined = left.joined(right, |a, b| match operator {
        Operator::Plus => a.plus(b),
        Operator::Minus => a.plus(b.negated()?),
        Operator::Times => a.times(b),
        Operator::Over => a.over(b),
        _ => None, // the grammar has no others
    });
    joined.ok_or_else(too_large)
}

fn call(function: &str, values: &[Span]) -> Option<Span> {
    let (low, high) = (|| values.iter().map(|v| v.low), || values.iter().map(|v| v.high));
    Some(match function {
        "ceil" => {
            Span { low: Rational::whole(low().next()?.ceil()), high: Rational::whole(high().next()?.ceil()) }
        }
        "floor" => Span {
            low: Rational::whole(low().next()?.floor()),
            high: Rational::whole(high().next()?.floor()),
        },
        "max" => Span { low: low().max()?, high: high().max()? },
        "min" => Span { low: low().min()?, high: high().min()? },
        _ => return None,
    })
}

fn worst_case(warps: Span, around: &dyn Surroundings) -> Result<Span, NoValue> {
    let count =
        warps.known().filter(|count| count.is_whole()).and_then(|count| usize::try_from(count.floor()).ok());
    match count {
        Some(0) => Ok(Span::whole(0)), // no warps take no time
        Some(count) if count <= MOST_WARPS => match around.exact(count) {
            None => Err(NoValue::Needs(count)),
            Some(known) => known.map_err(undefined),
        },
        _ => {
            Err(undefined(format!("exact({warps}), where a number of warps from 0 to {MOST_WARPS} belongs")))
        }
    }
}

fn undefined(why: String) -> NoValue {
    NoValue::Undefined(why)
}

fn too_large() -> NoValue {
    undefined("a number that does not fit 64 bits".to_owned())
}
