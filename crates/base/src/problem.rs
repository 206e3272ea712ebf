//! What is wrong with an input: where, what, and what was expected instead.
//!
//! Every bad input, on the page and on the command line, reaches its reader as a list of these.
//!
//! A problem is one line of bounded length, whatever the input holds: [`Problem::at`] escapes what would break the line
//! and cuts what is too long. That is the last line of defence; who writes a sentence uses [`quoted`] and [`named`] for
//! what comes from the input, so that the sentence around it stays.

use std::fmt;

/// At most this many problems of one document are reported.
pub const MOST_PROBLEMS: usize = 50;
/// The most characters of each part of a problem.
pub const MOST_PART: usize = 1_000;
/// The most characters of a text from the input that a sentence quotes.
pub const MOST_QUOTED: usize = 80;

/// One thing wrong with an input.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Problem {
    /// Path in the document (`warps.machine.L`), or line and column where it is no document at all.
    pub place: String,
    /// What was found there.
    pub what: String,
    /// What was expected, with the allowed range for numbers.
    pub expected: String,
}

impl Problem {
    /// A problem at `place`.
    pub fn at(place: impl Into<String>, what: impl Into<String>, expected: impl Into<String>) -> Self {
        let part = |text: String| if is_line(&text) { text } else { one_line(&text, MOST_PART) };
        Self { place: part(place.into()), what: part(what.into()), expected: part(expected.into()) }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}, expected {}", self.place, self.what, self.expected)
    }
}

/// Text from the input made fit to be quoted on one line: in quotation marks, with what [`breaks`] a line escaped, and
/// long text cut.
pub fn quoted(text: &str) -> String {
    format!("\"{}\"", cut(text, MOST_QUOTED, |c| Some(c.escape_debug())))
}

/// A name from the input within a sentence: as it is where it is short and harmless, else quoted.
pub fn named(name: &str) -> String {
    let plain =
        !name.trim().is_empty() && !name.chars().any(breaks) && name.chars().nth(MOST_QUOTED).is_none();
    if plain { name.to_owned() } else { quoted(name) }
}

/// Whether a text can be a part of a problem as it is.
fn is_line(text: &str) -> bool {
    text.len() <= MOST_PART && !text.chars().any(breaks)
}

/// Text on one line of at most so many characters: what [`breaks`] a line is escaped, long text is cut. Short text on
/// one line stays as it is.
pub fn one_line(text: &str, most: usize) -> String {
    cut(text, most, |c| breaks(c).then(|| c.escape_default()))
}

/// Whether a character would end a line, steer a terminal, or change the order in which others are shown.
pub fn breaks(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// The beginning of a text, its characters escaped where `escape` says how; with an ellipsis where there is more.
fn cut<E: Iterator<Item = char>>(text: &str, most: usize, escape: impl Fn(char) -> Option<E>) -> String {
    let mut shown = String::new();
    let mut left = most;
    for c in text.chars() {
        let escaped: Option<String> = escape(c).map(Iterator::collect);
        let long = escaped.as_ref().map_or(1, |escaped| escaped.chars().count());
        if long > left {
            shown.push('…');
            break;
        }
        left -= long;
        match escaped {
            Some(escaped) => shown.push_str(&escaped),
            None => shown.push(c),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_is_one_line() {
        let problem = Problem::at("warps.count", quoted("a\nb"), "a whole number, 1 to 64");
        assert_eq!(problem.to_string(), r#"warps.count: "a\nb", expected a whole number, 1 to 64"#);
    }

    #[test]
    fn quoting_cuts_long_text() {
        assert_eq!(quoted(&"x".repeat(100)).chars().count(), MOST_QUOTED + 3);
        assert_eq!(quoted(&"x".repeat(MOST_QUOTED)).chars().count(), MOST_QUOTED + 2);
        assert_eq!(
            quoted(&"\u{1b}".repeat(100)).chars().count(),
            MOST_QUOTED / 6 * 6 + 3,
            "escapes count as shown"
        );
    }

    #[test]
    fn a_name_is_quoted_only_where_it_must_be() {
        let cases = [
            ("K1", "K1"),
            ("Kantenglättung [2]", "Kantenglättung [2]"),
            ("", "\"\""),
            ("  ", "\"  \""),
            ("a\r\nb", "\"a\\r\\nb\""),
            ("\u{1b}[2J", "\"\\u{1b}[2J\""),
            ("cod\u{202e}exe", "\"cod\\u{202e}exe\""),
        ];
        for (name, shown) in cases {
            assert_eq!(named(name), shown);
        }
        assert_eq!(named(&"n".repeat(10_000)).chars().count(), MOST_QUOTED + 3);
    }

    #[test]
    fn whatever_it_is_made_of_a_problem_is_one_short_line() {
        let hostile = "a\nb\r\u{1b}[31m\u{85}\u{2028}\u{202e}\u{0}".repeat(2_000);
        let line = Problem::at(hostile.clone(), hostile.clone(), hostile).to_string();
        assert!(line.starts_with(r"a\nb\r\u{1b}[31m\u{85}\u{2028}\u{202e}\u{0}a\nb"), "{line}");
        assert_eq!(line.chars().find(|&c| breaks(c)), None);
        assert!(line.chars().count() <= 3 * MOST_PART + 20, "{}", line.len());
        // What needs no change is not changed, and nothing is changed twice.
        let once = one_line("a\nb", MOST_PART);
        assert_eq!((once.as_str(), one_line(&once, MOST_PART).as_str()), (r"a\nb", r"a\nb"));
    }
}
