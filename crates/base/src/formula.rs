//! Formulas as text: `ceil(n/16)*3 + 2`. What names stand for, and what functions do, is up to who evaluates them.
//!
//! ```text
//! whole   = either                                  where there are paths
//!         | sum                                     where names are known
//! either  = both { "or" both }
//! both    = not { "and" not }
//! not     = "not" not | compared
//! compared = sum [ ("<" | "<=" | ">" | ">=" | "==" | "!=") sum ]
//! sum     = product { ("+" | "-") product }
//! product = sign { ("*" | "/") sign }
//! sign    = "-" sign | value
//! value   = number | name | function "(" whole { "," whole } ")" | "(" whole ")"
//!         | text in quotes                          where there are paths
//! ```
//!
//! Numbers may have decimals, which are taken exactly. Spaces are ignored. Columns count characters from 1.

use crate::problem::quoted;
use crate::rational::Rational;

/// The longest text of a formula.
const LONGEST: usize = 1_000;
/// Parentheses and signs may stand inside each other this deep.
const DEEPEST: usize = 64;
/// Digits of a number, with its decimals.
const MOST_DIGITS: usize = 15;

const VALUE: &str = "a number, a name, a function or \"(\"";

const COMPARED: [(&str, Operator); 6] = [
    ("<=", Operator::AtMost),
    (">=", Operator::AtLeast),
    ("==", Operator::Equal),
    ("!=", Operator::Unequal),
    ("<", Operator::Less),
    (">", Operator::More),
];

/// Part of a formula.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expr {
    /// A number.
    Number(Rational),
    /// A text in quotes.
    Text(String),
    /// A name, or a path.
    Name(String),
    /// The opposite of a number.
    Minus(Box<Expr>),
    /// The opposite of a truth.
    Not(Box<Expr>),
    /// Two operands.
    Two(Operator, Box<Expr>, Box<Expr>),
    /// A function of values.
    Call(&'static str, Vec<Expr>),
}

/// What stands between two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)] // they say what they are
pub enum Operator {
    Plus,
    Minus,
    Times,
    Over,
    Less,
    AtMost,
    Equal,
    Unequal,
    AtLeast,
    More,
    And,
    Or,
}

/// How many values a function takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// Exactly so many.
    Exactly(usize),
    /// One or more.
    Some,
}

/// What a formula may be made of.
#[derive(Debug, Clone, Copy)]
pub struct Grammar<'a> {
    /// The functions, by name.
    pub functions: &'a [(&'static str, Takes)],
    /// The names.
    pub words: Words<'a>,
}

/// What a formula may speak of.
#[derive(Debug, Clone, Copy)]
pub enum Words<'a> {
    /// These names, and numbers made of them.
    Known(&'a [&'a str]),
    /// Any path such as `response[0].completion` or `response[*].completion`; texts, comparisons and truths, too.
    Paths,
}

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

/// Reads a formula.
pub fn parse(text: &str, grammar: Grammar<'_>) -> Result<Expr, FormulaError> {
    let mut parser = Parser { chars: text.chars().take(LONGEST + 1).collect(), at: 0, grammar };
    if parser.chars.len() > LONGEST {
        parser.at = LONGEST;
        return Err(parser.error("the formula goes on", format!("at most {LONGEST} characters")));
    }
    let root = parser.whole(0)?;
    match parser.peek() {
        None => Ok(root),
        Some(')') => Err(parser.error("\")\" without a \"(\" before it", "balanced parentheses")),
        Some(',') => Err(parser.error("\",\" outside of a function", "an operator or the end")),
        Some(_) => Err(parser.unexpected(&format!("{} or the end", parser.operators()))),
    }
}

impl Expr {
    /// Whether a part of it is so.
    pub fn any(&self, is: &dyn Fn(&Expr) -> bool) -> bool {
        is(self)
            || match self {
                Expr::Number(_) | Expr::Text(_) | Expr::Name(_) => false,
                Expr::Minus(inner) | Expr::Not(inner) => inner.any(is),
                Expr::Two(_, left, right) => left.any(is) || right.any(is),
                Expr::Call(_, inner) => inner.iter().any(|inner| inner.any(is)),
            }
    }
}

/// Whether a text may name a parameter: a letter, then letters, digits and `_`; at most 20 of them.
pub fn is_name(text: &str) -> bool {
    text.len() <= 20 && text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(in_name)
}

fn in_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

struct Parser<'a> {
    chars: Vec<char>,
    at: usize,
    grammar: Grammar<'a>,
}

impl Parser<'_> {
    fn paths(&self) -> bool {
        matches!(self.grammar.words, Words::Paths)
    }

    fn operators(&self) -> &'static str {
        if self.paths() { "an operator" } else { "an operator + - * /" }
    }

    fn whole(&mut self, depth: usize) -> Result<Expr, FormulaError> {
        if !self.paths() {
            return self.sum(depth);
        }
        let mut left = self.both(depth)?;
        while self.keyword("or") {
            left = Expr::Two(Operator::Or, Box::new(left), Box::new(self.both(depth)?));
        }
        Ok(left)
    }

    fn both(&mut self, depth: usize) -> Result<Expr, FormulaError> {
        let mut left = self.not(depth)?;
        while self.keyword("and") {
            left = Expr::Two(Operator::And, Box::new(left), Box::new(self.not(depth)?));
        }
        Ok(left)
    }

    fn not(&mut self, depth: usize) -> Result<Expr, FormulaError> {
        if self.peek() == Some('n') && self.ahead("not") {
            self.deeper(depth)?;
            self.at += 3;
            return Ok(Expr::Not(Box::new(self.not(depth + 1)?)));
        }
        let left = self.sum(depth)?;
        self.peek();
        let rest = &self.chars[self.at.min(self.chars.len())..];
        let starts = |sign: &str| sign.chars().eq(rest.iter().copied().take(sign.len()));
        let Some((sign, operator)) = COMPARED.into_iter().find(|(sign, _)| starts(sign)) else {
            return Ok(left);
        };
        self.at += sign.len();
        Ok(Expr::Two(operator, Box::new(left), Box::new(self.sum(depth)?)))
    }

    /// Whether a word comes next; it is taken.
    fn keyword(&mut self, word: &str) -> bool {
        let found = self.peek().is_some() && self.ahead(word);
        self.at += if found { word.len() } else { 0 };
        found
    }

    /// Whether a word stands here, and not as the beginning of another one.
    fn ahead(&self, word: &str) -> bool {
        let rest = &self.chars[self.at.min(self.chars.len())..];
        word.chars().eq(rest.iter().copied().take(word.len()))
            && !rest.get(word.len()).copied().is_some_and(|c| in_name(c) || c == '.' || c == '[')
    }

    /// The text up to the next quotation mark.
    fn text(&mut self) -> Result<Expr, FormulaError> {
        let open = self.at;
        let rest = &self.chars[open + 1..];
        let Some(long) = rest.iter().position(|c| *c == '"') else {
            return Err(self.error("a text without an end", "a quotation mark after it"));
        };
        self.at = open + long + 2;
        Ok(Expr::Text(rest[..long].iter().collect()))
    }

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
            Some('"') if self.paths() => self.text(),
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
            inner.push(self.whole(depth + 1)?);
            match self.peek() {
                Some(',') => self.at += 1,
                Some(')') => {
                    self.at += 1;
                    return Ok(inner);
                }
                None => {
                    return Err(self.error(&format!("the end inside the \"(\" of column {open}"), "\")\""));
                }
                Some(_) => {
                    let expected = format!("{} or \")\"", self.operators());
                    return Err(self.unexpected(&expected));
                }
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
        let word = self.letters();
        let back = |parser: &mut Self, what: String, expected: String| {
            parser.at = start;
            Err(parser.error(&what, expected))
        };
        let call = self.peek() == Some('(');
        let known = self.grammar.functions.iter().find(|(name, _)| *name == word).copied();
        match (known, self.grammar.words) {
            (Some((name, takes)), _) if call => {
                let inner = self.group(depth)?;
                match takes {
                    Takes::Exactly(1) if inner.len() != 1 => back(
                        self,
                        format!("{word} of {} values", inner.len()),
                        format!("{word} of one value"),
                    ),
                    Takes::Exactly(count) if inner.len() != count => {
                        let expected = format!("{word} of {count} values");
                        back(self, crate::people::counted(inner.len(), "value"), expected)
                    }
                    _ => Ok(Expr::Call(name, inner)),
                }
            }
            (Some(_), Words::Known(_)) => back(self, format!("{word} without \"(\""), format!("{word}(...)")),
            (None, _) if call => {
                let names: Vec<&str> = self.grammar.functions.iter().map(|(name, _)| *name).collect();
                let what = format!("{} before \"(\"", quoted(&word));
                back(self, what, format!("an operator, or one of {}", names.join(", ")))
            }
            (None, Words::Known(known)) if known.contains(&word.as_str()) => Ok(Expr::Name(word)),
            (None, Words::Known(known)) => back(self, quoted(&word), format!("one of {}", known.join(", "))),
            // A field may have the name of a function.
            (_, Words::Paths) => self.path(word),
        }
    }

    fn letters(&mut self) -> String {
        let start = self.at;
        while self.chars.get(self.at).copied().is_some_and(in_name) {
            self.at += 1;
        }
        self.chars[start..self.at].iter().collect()
    }

    /// What follows the first word of a path: `[0]`, `[*]` and `.word`.
    fn path(&mut self, mut path: String) -> Result<Expr, FormulaError> {
        loop {
            match self.chars.get(self.at) {
                Some('.') => {
                    self.at += 1;
                    let word = self.letters();
                    if word.is_empty() {
                        return Err(self.unexpected("a name after \".\""));
                    }
                    path.push('.');
                    path.push_str(&word);
                }
                Some('[') => {
                    self.at += 1;
                    let index = if self.chars.get(self.at) == Some(&'*') {
                        self.at += 1;
                        "*".to_owned()
                    } else {
                        self.letters()
                    };
                    let fits = index == "*" || index.len() <= 9 && index.bytes().all(|b| b.is_ascii_digit());
                    if !fits || index.is_empty() || self.chars.get(self.at) != Some(&']') {
                        return Err(self.unexpected("a number or *, and \"]\""));
                    }
                    self.at += 1;
                    path.push_str(&format!("[{index}]"));
                }
                _ => return Ok(Expr::Name(path)),
            }
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
