//! Terms of a search, read the same way in every lab: `conv stream:7 start:2ms..5ms wait>20us`.
//!
//! A lab says which keys its things answer to, and answers for each of them; all terms must hold. Words without a key
//! are, together, part of what something is called.

mod value;

use std::borrow::Cow;

pub use value::Value;

/// What a key asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A number.
    Number,
    /// A number that is more than nothing where none is written: `wait`.
    Amount,
    /// A time: nanoseconds, or `20us`, `1.5ms`, `2s`.
    Time,
    /// Part of a text.
    Text,
}

/// A key: its name, and what it asks for.
pub type Key = (&'static str, Kind);

/// What the search of a lab understands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Terms {
    /// What words without a key are part of: `a kernel's name`.
    pub plain: &'static str,
    /// Its keys.
    pub keys: &'static [Key],
    /// The key of numbers that have none.
    pub bare: Option<&'static str>,
    /// Terms that make sense together.
    pub example: &'static str,
}

/// What a thing answers to a key.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer<'a> {
    /// A number.
    Number(f64),
    /// A text.
    Text(Cow<'a, str>),
    /// There is no such thing about it.
    None,
}

impl<'a> From<&'a str> for Answer<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(Cow::Borrowed(text))
    }
}

/// What must hold.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Query {
    /// Words without a key, in small letters, one space between them.
    pub plain: String,
    /// Terms, each with the name of its key.
    pub terms: Vec<(&'static str, Value)>,
}

impl Terms {
    fn key(&self, word: &str) -> Option<Key> {
        self.keys.iter().copied().find(|(name, _)| name.eq_ignore_ascii_case(word))
    }

    /// What one may write, in a line.
    pub fn help(&self) -> String {
        format!("{}, or terms that all must hold: {}. Such as {}", self.plain, self.names(), self.example)
    }

    fn names(&self) -> String {
        let written = |(name, kind): &Key| match kind {
            Kind::Text => format!("{name}:"),
            Kind::Amount | Kind::Time => format!("{name}>"),
            Kind::Number => format!("{name}:"),
        };
        self.keys.iter().map(written).collect::<Vec<_>>().join(" ")
    }
}

/// What may stand between a key and what it asks for.
const SIGNS: [char; 4] = [':', '=', '<', '>'];

impl Query {
    /// Reads what is written; a sentence where a term is none of a lab, or asks for what it cannot.
    pub fn read(text: &str, terms: &Terms) -> Result<Self, String> {
        let mut query = Self::default();
        let mut words = words(text).into_iter().peekable();
        while let Some((word, quoted)) = words.next() {
            let (left, rest) =
                if quoted { (word, "") } else { word.split_at(word.find(SIGNS).unwrap_or(word.len())) };
            let mut next = |may: fn(&str) -> bool| {
                words.next_if(|(next, quoted)| !quoted && may(next)).map(|(next, _)| next)
            };
            let key =
                terms.key(left).filter(|(_, kind)| !quoted && (!rest.is_empty() || *kind != Kind::Text));
            if let Some((name, kind)) = key {
                let mut value = rest.trim_start_matches([':', '=']).to_owned();
                if rest.is_empty() {
                    value = next(is_value).unwrap_or_default().to_owned();
                }
                if (!rest.is_empty() && value.is_empty()) || value == ">" || value == "<" {
                    value.push_str(next(|_| true).unwrap_or_default());
                }
                match (Value::read(&value, kind), value.is_empty() && rest.is_empty()) {
                    (Some(value), _) => query.terms.push((name, value)),
                    // Not followed by a number: a word as others are.
                    (None, true) => query.say(word),
                    (None, false) => return Err(Value::wrong(name, kind, &value)),
                }
                continue;
            }
            let number = terms
                .bare
                .filter(|_| !quoted)
                .and_then(|bare| Some((bare, Value::read(word, Kind::Number)?)));
            match number {
                Some(number) => query.terms.push(number),
                None if !quoted && is_term(left, rest) => {
                    return Err(format!(
                        "No term {left} here. There are {}, such as {}",
                        terms.names(),
                        terms.example
                    ));
                }
                None => query.say(word),
            }
        }
        Ok(query)
    }

    fn say(&mut self, word: &str) {
        if !self.plain.is_empty() {
            self.plain.push(' ');
        }
        self.plain.push_str(&word.to_ascii_lowercase());
    }

    /// Whether nothing is asked for.
    pub fn is_empty(&self) -> bool {
        self.plain.is_empty() && self.terms.is_empty()
    }

    /// Whether only a name is.
    pub fn is_plain(&self) -> bool {
        self.terms.is_empty()
    }

    /// Whether a key is asked for.
    pub fn asks(&self, key: &str) -> bool {
        self.terms.iter().any(|(own, _)| *own == key)
    }

    /// Whether all terms hold of what answers so; of words without a key somebody else knows.
    pub fn holds<'a>(&self, answer: &dyn Fn(&'static str) -> Answer<'a>) -> bool {
        self.terms.iter().all(|(key, value)| match answer(key) {
            Answer::Number(number) => value.has(number),
            Answer::Text(text) => value.is_in(&text),
            Answer::None => false,
        })
    }

    /// Whether words without a key are part of a name.
    pub fn names(&self, name: &str) -> bool {
        self.plain.is_empty() || name.to_ascii_lowercase().contains(&self.plain)
    }
}

/// The words of a text, and whether each was in quotes; what is in quotes is one.
fn words(text: &str) -> Vec<(&str, bool)> {
    let mut all = Vec::new();
    for (part, quoted) in text.split('"').zip([false, true].into_iter().cycle()) {
        if quoted {
            all.push((part, true));
        } else {
            all.extend(part.split_whitespace().map(|word| (word, false)));
        }
    }
    all.retain(|(word, _)| !word.is_empty());
    all
}

/// Whether a word may be what the key before it asks for.
fn is_value(word: &str) -> bool {
    word.starts_with(['<', '>']) || word.starts_with(|first: char| first.is_ascii_digit())
}

/// Whether what no key begins is meant for a term: a name has no single colon, and no number after a sign.
fn is_term(left: &str, rest: &str) -> bool {
    let word = left.len() > 1 && left.chars().all(|letter| letter.is_ascii_alphabetic());
    let value = rest.trim_start_matches(SIGNS);
    word && rest.len() - value.len() == 1
        && (rest.starts_with(':') && !value.is_empty() || Value::read(value, Kind::Time).is_some())
}

#[cfg(test)]
mod tests;
