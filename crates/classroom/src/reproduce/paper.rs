//! A published document as a list of what can be checked in it.

use serde_json::Value;

use super::reading::Reading;
use super::verdict::{Claim, Verdict};
use base::Problem;
use kit::import::json;
use kit::scenario::link;

/// A published document.
#[derive(Debug, Clone, PartialEq)]
pub struct Paper {
    /// What it is called here, such as `B`.
    pub letter: String,
    /// Its title.
    pub title: String,
    /// Who wrote it, and when.
    pub authors: String,
    /// What is checked, in the order of the document.
    pub items: Vec<Item>,
    /// What has nothing in it that could be checked.
    pub left_out: Vec<LeftOut>,
}

/// One figure, table or worked number.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// Its name in links and on the command line, such as `b-fig-12`.
    pub id: String,
    /// The letter of its paper.
    pub paper: String,
    /// Where it stands there.
    pub place: String,
    /// What it is.
    pub title: String,
    /// What it shows, in a sentence.
    pub says: String,
    /// The scenario that repeats it, as a document. It may be one that must be refused.
    pub document: Value,
    /// About how long it computes on one processor, in seconds.
    pub seconds: f64,
    /// What is compared.
    pub comparisons: Vec<Comparison>,
}

/// One published value, and where ours stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// What it is the value of.
    pub what: String,
    /// As published.
    pub published: Value,
    /// How the published value is meant.
    pub claim: Claim,
    /// Numbers that differ by no more are the same; published ones are rounded.
    pub within: f64,
    /// Where ours is read in the report.
    pub ours: Reading,
    /// How it compares.
    pub expect: Verdict,
    /// The reason, where it does not agree; elsewhere what a reader should know.
    pub why: String,
}

/// A place in a document with nothing to compute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// Where.
    pub place: String,
    /// Why it is not in the list.
    pub why: String,
}

/// An item that computes longer than this is heavy.
const LIGHT: f64 = 1.0;

impl Paper {
    /// The author that its letter stands for, and the year: `Paredes 2019`.
    pub fn short(&self) -> String {
        let mut words = self.authors.split_whitespace();
        let author =
            words.find(|word| word.starts_with(&self.letter)).unwrap_or_default().trim_end_matches(',');
        let year = self.authors.split_whitespace().next_back().unwrap_or_default();
        format!("{author} {year}")
    }
}

impl Item {
    /// Whether it is over before one looks.
    pub fn is_light(&self) -> bool {
        self.seconds <= LIGHT
    }

    /// The scenario's text, as a job takes it.
    pub fn text(&self) -> String {
        json::line(&self.document)
    }

    /// The part of a link after `#` that opens its scenario.
    pub fn link(&self) -> Result<String, Problem> {
        link::write(&self.document, &link::View::default())
    }
}
