//! The text form of formulas: `ceil(n/16)*3 + 2`.
//!
//! ```text
//! sum     = product { ("+" | "-") product }
//! product = sign { ("*" | "/") sign }
//! sign    = "-" sign | value
//! value   = number | name | function "(" sum { "," sum } ")" | "(" sum ")"
//! ```
//!
//! Numbers may have decimals, which are taken exactly. Spaces are ignored. Columns count characters from 1.

use super::formula::{Expr, Formula, Function, Operator};
use super::rational::Rational;
use base::problem::quoted;

/// The longest text of a formula.
const LONGEST: usize = 1_000;
/// Parentheses and signs may stand inside each other this deep.
const DEEPEST: usize = 64;
/// Digits of a number, with its decimals.
const MOST_DIGITS: usize = 15;

const VALUE: &str = "a number, a name, a function or \"(\"";

/// Why a text is no formula.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormulaError {
    /// Position of the trouble, in characters from 1.
    pub column: usize,
    /// What was found.
    pub what: String,
    /// What would have been right.
    pub expected: String,
}

impl Formula {
    /// Reads a formula that may speak of these names.
    pub fn parse(text: &str, known: &[&str]) -> Result<Self, FormulaError> {
        let mut parser = Parser { chars: text.chars().take(LONGEST + 1).collect(), at: 0, known };
        if parser.chars.len() > LONGEST {
            parser.at = LONGEST;
            return Err(parser.error("the formula goes on", format!("at most {LONGEST} characters")));
        }
        let root = parser.sum(0)?;
        match parser.peek() {
            None => Ok(Self { text: text.trim().to_owned(), root }),
            Some(')') => Err(parser.error("\")\" without a \"(\" before it", "balanced parentheses")),
            Some(',') => Err(parser.error("\",\" outside of a function", "an operator or the end")),
            Some(_) => Err(parser.unexpected("an operator + - * / or the end")),
        }
    }
}

/// Whether a text may name a parameter: a letter, then letters, digits and `_`; at most 20 of them.
pub fn is_name(text: &str) -> bool {
    text.len() <= 20 && text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(in_name)
}

/// Whether a text is the name of a function.
pub fn is_function(text: &str) -> bool {
    Function::named(text).is_some()
}

fn in_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

struct Parser<'a> {
    chars: Vec<char>,
    at: usize,
    known: &'a [&'a str],
}

impl Parser<'_> {
    fn sum(&mut self, depth: usize) -> Result<Expr, FormulaError> {
        let mut left = self.product(depth)?;
        while let Some(operator) = self.operator(&[('+', Operator::Plus), ('-', Operator::Minus)]) {
            left = Expr::Two(operator, Box::new(left), Box::new(self.product(depth)?));
        }
        Ok(left)
    }

    fn product(&mut self, depth: usize) -> Result<Expr, FormulaError> {
        let mut left = self.sign(depth)?;
        while let Some(operator) = self.operator(&[('*', Operator::Times), ('/', Operator::Over)]) {
            left = Expr::Two(operator, Box::new(left), Box::new(self.sign(depth)?));
        }
        Ok(left)
    }

    fn operator(&mut self, known: &[(char, Operator)]) -> Option<Operator> {
        let next = self.peek()?;
        let found = known.iter().find(|(c, _)| *c == next).map(|&(_, operator)| operator);
        self.at += usize::from(found.is_some());
        found
    }

    fn sign(&mut self, depth: usize) -> Result<Expr, FormulaError> {
        if self.peek() != Some('-') {
            return self.value(depth);
        }
        self.deeper(depth)?;
        self.at += 1;
        Ok(Expr::Minus(Box::new(self.sign(depth + 1)?)))
    }

    fn value(&mut self, depth: usize) -> Result<Expr, FormulaError> {
        match self.peek() {
            None => Err(self.error("the end", VALUE)),
            Some('(') => {
                let mut inner = self.group(depth)?;
                match inner.pop() {
                    Some(only) if inner.is_empty() => Ok(only),
                    _ => Err(self.error("several values in parentheses", "one, or a function before \"(\"")),
                }
            }
            Some(c) if c.is_ascii_digit() => self.number(),
            Some(c) if c.is_ascii_alphabetic() => self.word(depth),
            Some(_) => Err(self.unexpected(VALUE)),
        }
    }

    /// A `(`, values between commas, and a `)`.
    fn group(&mut self, depth: usize) -> Result<Vec<Expr>, FormulaError> {
        self.deeper(depth)?;
        let open = self.at + 1;
        self.at += 1;
        let mut inner = Vec::new();
        loop {
            inner.push(self.sum(depth + 1)?);
            match self.peek() {
                Some(',') => self.at += 1,
                Some(')') => {
                    self.at += 1;
                    return Ok(inner);
                }
                None => {
                    return Err(self.error(&format!("the end inside the \"(\" of column {open}"), "\")\""));
                }
                Some(_) => return Err(self.unexpected("an operator + - * / or \")\"")),
            }
        }
    }

    fn deeper(&self, depth: usize) -> Result<(), FormulaError> {
        let nested = || self.error("nested too deep", format!("at most {DEEPEST} levels"));
        if depth < DEEPEST { Ok(()) } else { Err(nested()) }
    }

    fn number(&mut self) -> Result<Expr, FormulaError> {
        let start = self.at;
        let digits = |parser: &mut Self| {
            let from = parser.at;
            while parser.chars.get(parser.at).is_some_and(char::is_ascii_digit) {
                parser.at += 1;
            }
            parser.at - from
        };
        digits(self);
        let mut decimals = 0;
        if self.chars.get(self.at) == Some(&'.') {
            self.at += 1;
            decimals = digits(self);
            if decimals == 0 {
                return Err(self.error("a point without decimals", "digits after it, such as 1.5"));
            }
        }
        let text: String = self.chars[start..self.at].iter().filter(|c| **c != '.').collect();
        let scale = (0..decimals).try_fold(1i128, |scale, _| scale.checked_mul(10));
        let value = (text.len() <= MOST_DIGITS).then(|| Rational::new(text.parse().ok()?, scale?)).flatten();
        let Some(value) = value else {
            self.at = start;
            return Err(self.error("a number with many digits", format!("at most {MOST_DIGITS} digits")));
        };
        Ok(Expr::Number(value))
    }

    /// A name, or a function with what it is of.
    fn word(&mut self, depth: usize) -> Result<Expr, FormulaError> {
        let start = self.at;
        while self.chars.get(self.at).copied().is_some_and(in_name) {
            self.at += 1;
        }
        let word: String = self.chars[start..self.at].iter().collect();
        let back = |parser: &mut Self, what: String, expected: String| {
            parser.at = start;
            Err(parser.error(&what, expected))
        };
        let call = self.peek() == Some('(');
        match Function::named(&word) {
            Some(function) if call => {
                let inner = self.group(depth)?;
                let right = matches!(function, Function::Max | Function::Min) || inner.len() == 1;
                if right {
                    return Ok(Expr::Call(function, inner));
                }
                back(self, format!("{word} of {} values", inner.len()), format!("{word} of one value"))
            }
            Some(_) => back(self, format!("{word} without \"(\""), format!("{word}(...)")),
            None if call => {
                let names: Vec<&str> = Function::ALL.into_iter().map(|(name, _)| name).collect();
                let what = format!("{} before \"(\"", quoted(&word));
                back(self, what, format!("an operator, or one of {}", names.join(", ")))
            }
            None if self.known.contains(&word.as_str()) => Ok(Expr::Name(word)),
            None => back(self, quoted(&word), format!("one of {}", self.known.join(", "))),
        }
    }

    /// The next character that is not a space.
    fn peek(&mut self) -> Option<char> {
        while self.chars.get(self.at).is_some_and(|c| c.is_whitespace()) {
            self.at += 1;
        }
        self.chars.get(self.at).copied()
    }

    fn unexpected(&self, expected: &str) -> FormulaError {
        let found = self.chars.get(self.at).map_or("the end".to_owned(), |c| quoted(&c.to_string()));
        self.error(&found, expected)
    }

    fn error(&self, what: &str, expected: impl Into<String>) -> FormulaError {
        FormulaError { column: self.at + 1, what: what.to_owned(), expected: expected.into() }
    }
}
