//! What a reader of a file should know although nothing is wrong: collected, each thing once.

use std::fmt;

use base::problem::{MOST_PART, one_line};

/// Something worth knowing about a file that could be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// Path in the document; empty for the file as a whole.
    pub place: String,
    /// What was found or assumed there.
    pub text: String,
}

/// `place: text`, or the text alone where it is about all of a file.
impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.place.is_empty() {
            f.write_str(&self.text)
        } else {
            write!(f, "{}: {}", self.place, self.text)
        }
    }
}

/// The most different warnings of one file; what comes after is counted.
const MOST: usize = 200;

/// Collects warnings. The same text at several places becomes one warning that says at how many.
#[derive(Debug, Default)]
pub(super) struct Notes {
    notes: Vec<(Warning, usize)>,
    more: usize,
}

impl Notes {
    /// Adds a warning: one line, whatever names are in it.
    pub fn add(&mut self, place: impl Into<String>, text: impl Into<String>) {
        let text = one_line(&text.into(), MOST_PART);
        if let Some((_, times)) = self.notes.iter_mut().find(|(warning, _)| warning.text == text) {
            *times += 1;
        } else if self.notes.len() < MOST {
            self.notes.push((Warning { place: place.into(), text }, 1));
        } else {
            self.more += 1;
        }
    }

    /// The warnings in the order in which they came.
    pub fn into_warnings(self) -> Vec<Warning> {
        let told = |(warning, times): (Warning, usize)| match times {
            1 => warning,
            2 => Warning { text: format!("{} (and at 1 more place)", warning.text), ..warning },
            _ => Warning { text: format!("{} (and at {} more places)", warning.text, times - 1), ..warning },
        };
        let mut warnings: Vec<Warning> = self.notes.into_iter().map(told).collect();
        if self.more > 0 {
            warnings.push(Warning { place: String::new(), text: format!("{} more warnings", self.more) });
        }
        warnings
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_text_is_told_once() {
        let mut notes = Notes::default();
        for place in ["a", "b", "c"] {
            notes.add(place, "same");
        }
        notes.add("d", "other");
        for i in 0..MOST {
            notes.add("e", format!("{i}"));
        }
        let warnings = notes.into_warnings();
        assert_eq!(
            (warnings[0].place.as_str(), warnings[0].text.as_str()),
            ("a", "same (and at 2 more places)")
        );
        assert_eq!(warnings[1].text, "other");
        assert_eq!(warnings[MOST].text, "2 more warnings");
    }
}
