//! What a term asks for: numbers from one to another, or part of a text.

use super::Kind;
use crate::import::json;

/// What is asked for.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Numbers from one to another, both among them.
    Within(f64, f64),
    /// A text that is in it, in small letters.
    Part(String),
}

impl Value {
    /// `5`, `80..120`, `80..`, `80-120`, `>90`, `<90`, and of times with units; or a text.
    pub(super) fn read(word: &str, kind: Kind) -> Option<Self> {
        match kind {
            Kind::Text => return (!word.is_empty()).then(|| Self::Part(word.to_ascii_lowercase())),
            Kind::Amount if word.is_empty() => return Some(Self::Within(0.0_f64.next_up(), f64::MAX)),
            _ => {}
        }
        let number = |text: &str| number(text, kind);
        if let Some(above) = word.strip_prefix('>') {
            return Some(match above.strip_prefix('=') {
                Some(from) => Self::Within(number(from)?, f64::MAX),
                None => Self::Within(number(above)?.next_up(), f64::MAX),
            });
        }
        if let Some(below) = word.strip_prefix('<') {
            let (to, own) = below.strip_prefix('=').map_or((below, false), |to| (to, true));
            let to = number(to)?;
            // Nothing is less than nothing.
            return (own || to > 0.0).then(|| Self::Within(0.0, if own { to } else { to.next_down() }));
        }
        match word.split_once("..").or_else(|| word.split_once('-')) {
            Some((from, "")) => Some(Self::Within(number(from)?, f64::MAX)),
            Some(("", to)) => Some(Self::Within(0.0, number(to)?)),
            Some((from, to)) => {
                // One unit is enough for both.
                let unit = to.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
                let own = from.ends_with(|c: char| !c.is_ascii_digit());
                let from = if own { from.to_owned() } else { format!("{from}{unit}") };
                Some(Self::Within(number(&from)?, number(to)?))
            }
            None => number(word).map(|only| Self::Within(only, only)),
        }
    }

    /// What is said where a key asks for what it cannot.
    pub(super) fn wrong(name: &str, kind: Kind, found: &str) -> String {
        let expected = match kind {
            Kind::Text => "a text",
            Kind::Time => "a time such as 20us, >1.5ms or 2ms..5ms",
            Kind::Number | Kind::Amount => "a number such as 5, >20 or 80..120",
        };
        let found = if found.is_empty() { "nothing" } else { found };
        format!("{name}: expected {expected}, found {found}")
    }

    /// Whether it is such a number.
    pub fn has(&self, number: f64) -> bool {
        matches!(self, Self::Within(from, to) if (*from..=*to).contains(&number))
    }

    /// Whether it is in a text.
    pub fn is_in(&self, text: &str) -> bool {
        matches!(self, Self::Part(part) if text.to_ascii_lowercase().contains(part.as_str()))
    }
}

/// A number, and a time in nanoseconds.
fn number(text: &str, kind: Kind) -> Option<f64> {
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let scale = match &text[digits.len()..] {
        "" => 1.0,
        _ if kind != Kind::Time => return None,
        "ns" => 1.0,
        "us" | "µs" | "μs" => 1e3,
        "ms" => 1e6,
        "s" => 1e9,
        _ => return None,
    };
    let plain = digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.chars().all(|c| c.is_ascii_digit() || c == '.');
    // Documents' numbers are read so, too: the page need not carry another reader.
    let digits = digits.trim_start_matches('0');
    let digits = if digits.starts_with(|c: char| c.is_ascii_digit()) {
        digits.to_owned()
    } else {
        format!("0{digits}")
    };
    let number = json::parse(&digits).ok().filter(|_| plain)?.as_f64()?;
    number.is_finite().then_some(number * scale)
}
