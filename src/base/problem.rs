//! What is wrong with an input: where, what, and what was expected instead.
//!
//! Every bad input, on the page and on the command line, reaches its reader as a list of these.

use std::fmt;

/// At most this many problems of one document are reported.
pub const MOST_PROBLEMS: usize = 50;

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
        Self { place: place.into(), what: what.into(), expected: expected.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}, expected {}", self.place, self.what, self.expected)
    }
}

/// Text from the input made fit to be quoted on one line: control characters escaped, long text cut.
pub fn quoted(text: &str) -> String {
    const MOST: usize = 40;
    let mut shown: String = text.chars().take(MOST).flat_map(char::escape_debug).collect();
    if text.chars().nth(MOST).is_some() {
        shown.push('…');
    }
    format!("\"{shown}\"")
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
        assert_eq!(quoted(&"x".repeat(100)).chars().count(), 43);
    }
}
