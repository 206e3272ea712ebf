//! What comes of files or a text that somebody opens, as plain values that cross from one wasm to the other.

use serde::{Deserialize, Serialize};

use base::Problem;

/// What is to be shown of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Opened {
    /// A document, what it was read from, and what there is to say of it.
    Document {
        /// The document.
        text: String,
        /// What it was read from.
        source: String,
        /// What there is to say.
        done: String,
    },
    /// A lesson.
    Lesson(String),
    /// A link, and what it was read from.
    Link {
        /// The link.
        text: String,
        /// What it was read from.
        source: String,
    },
}

/// Problems with something that was opened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trouble {
    /// What was opened.
    pub source: String,
    /// What is wrong with it.
    pub problems: Vec<Problem>,
    /// Whether something else was opened with it.
    pub beside: bool,
}

impl Trouble {
    /// What is wrong with something that was opened alone.
    pub fn new(source: &str, problems: Vec<Problem>) -> Self {
        Self { source: source.to_owned(), problems, beside: false }
    }
}

/// What came of it: what is to be shown, and what cannot be.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Outcome {
    /// What is to be shown; the page stays as it is where there is nothing.
    pub opened: Option<Opened>,
    /// What is wrong, of what.
    pub troubles: Vec<Trouble>,
}
