//! Formulas over the parameters of a conjecture: what they are, and what they come to.
//!
//! Values are exact fractions; where a worst case is only bracketed, both ends are carried along, so that what a
//! formula comes to is a span that surely holds its value. The text form is read in `parse`.

use super::rational::{Rational, Span};
use warps::MOST_WARPS;

/// A formula that has been read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Formula {
    pub(super) text: String,
    pub(super) root: Expr,
}

/// Part of a formula.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Expr {
    Number(Rational),
    Name(String),
    Minus(Box<Expr>),
    Two(Operator, Box<Expr>, Box<Expr>),
    Call(Function, Vec<Expr>),
}

/// What stands between two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Plus,
    Minus,
    Times,
    Over,
}

/// What stands before parentheses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Function {
    Ceil,
    Floor,
    Max,
    Min,
    Exact,
}

impl Function {
    /// All of them, by name.
    pub(super) const ALL: [(&'static str, Function); 5] = [
        ("ceil", Function::Ceil),
        ("floor", Function::Floor),
        ("max", Function::Max),
        ("min", Function::Min),
        ("exact", Function::Exact),
    ];

    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(known, _)| *known == name).map(|(_, function)| function)
    }
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
    /// The text it was read from.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What it comes to.
    pub fn value(&self, around: &dyn Surroundings) -> Result<Span, NoValue> {
        self.root.value(around)
    }

    /// Whether it calls `exact`.
    pub fn asks_for_worst_cases(&self) -> bool {
        self.root.any(&|part| matches!(part, Expr::Call(Function::Exact, _)))
    }

    /// Whether it speaks of a name.
    pub fn names(&self, name: &str) -> bool {
        self.root.any(&|part| matches!(part, Expr::Name(found) if found == name))
    }
}

impl Expr {
    fn any(&self, is: &dyn Fn(&Expr) -> bool) -> bool {
        is(self)
            || match self {
                Expr::Number(_) | Expr::Name(_) => false,
                Expr::Minus(inner) => inner.any(is),
                Expr::Two(_, left, right) => left.any(is) || right.any(is),
                Expr::Call(_, inner) => inner.iter().any(|inner| inner.any(is)),
            }
    }

    fn value(&self, around: &dyn Surroundings) -> Result<Span, NoValue> {
        match self {
            Expr::Number(number) => Ok(Span::exactly(*number)),
            Expr::Name(name) => around.value(name).ok_or_else(|| undefined(format!("{name} has no value"))),
            Expr::Minus(inner) => {
                let inner = inner.value(around)?;
                let ends = inner.high.negated().zip(inner.low.negated());
                ends.map(|(low, high)| Span { low, high }).ok_or_else(too_large)
            }
            Expr::Two(operator, left, right) => operator.of(left.value(around)?, right.value(around)?),
            Expr::Call(Function::Exact, inner) => {
                let warps = inner.first().ok_or_else(too_large)?.value(around)?;
                worst_case(warps, around)
            }
            Expr::Call(function, inner) => {
                let values: Vec<Span> =
                    inner.iter().map(|inner| inner.value(around)).collect::<Result<_, _>>()?;
                function.of(&values).ok_or_else(too_large)
            }
        }
    }
}

impl Operator {
    fn of(self, left: Span, right: Span) -> Result<Span, NoValue> {
        if self == Operator::Over && right.low <= Rational::ZERO && right.high >= Rational::ZERO {
            return Err(undefined("a division by 0".to_owned()));
        }
        // Each is monotone in either operand; division is, where the divisor keeps its sign.
        let joined = left.joined(right, |a, b| match self {
            Operator::Plus => a.plus(b),
            Operator::Minus => a.plus(b.negated()?),
            Operator::Times => a.times(b),
            Operator::Over => a.over(b),
        });
        joined.ok_or_else(too_large)
    }
}

impl Function {
    fn of(self, values: &[Span]) -> Option<Span> {
        let (low, high) = (|| values.iter().map(|v| v.low), || values.iter().map(|v| v.high));
        Some(match self {
            Function::Ceil => Span {
                low: Rational::whole(low().next()?.ceil()),
                high: Rational::whole(high().next()?.ceil()),
            },
            Function::Floor => Span {
                low: Rational::whole(low().next()?.floor()),
                high: Rational::whole(high().next()?.floor()),
            },
            Function::Max => Span { low: low().max()?, high: high().max()? },
            Function::Min => Span { low: low().min()?, high: high().min()? },
            Function::Exact => return None,
        })
    }
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
