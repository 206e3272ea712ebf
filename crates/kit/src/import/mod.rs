//! What a text is: content decides, never the file name.
//!
//! One table names every format there is, with how to recognise it. Formats that are recognised but not
//! read yet say so.

pub mod asked;
pub mod gzip;
pub mod json;
pub mod reader;
pub mod several;
pub mod zip;

use crate::lab::Labs;
use base::Problem;

/// The longest text that is read at all: 64 MiB.
pub const LONGEST: usize = 64 << 20;

/// The problem of a text that is longer.
pub fn too_long() -> Problem {
    let most = LONGEST >> 20;
    Problem::at("document", format!("more than {most} MiB of text"), format!("at most {most} MiB"))
}

/// A format of input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Nothing but spaces.
    Empty,
    /// A share link or its part after `#`.
    Link,
    /// A configuration of the UNC scheduling examiner.
    ExaminerConfig,
    /// A log the UNC scheduling examiner wrote.
    ExaminerLog,
    /// An AMALTHEA model, or whatever else is XML.
    Amalthea,
    /// PTX: a module, or instructions alone.
    Ptx,
    /// A listing of machine code.
    Sass,
    /// A certificate of a result.
    Certificate,
    /// A lesson.
    Lesson,
    /// A Warpspan scenario, or what comes closest to one.
    Scenario,
}

/// Whether a text is of a format.
type Fits = fn(&str) -> bool;

/// Formats of no one lab, in the order they are tried; the first that fits wins.
const TABLE: [(Format, Fits); 7] = [
    (Format::Empty, |text| text.is_empty()),
    (Format::Link, is_link),
    // No other format begins so; what is XML but no model is told by what reads models.
    (Format::Amalthea, |text| text.starts_with('<')),
    (Format::Certificate, |text| has_keys(text, &["warpspan_certificate"])),
    (Format::Lesson, |text| has_keys(text, &["lesson", "steps"]) && !has_keys(text, &["warpspan"])),
    (Format::ExaminerConfig, |text| {
        // The HIP plugin framework has the same format with another list: recognised, so that it is named.
        let lists = has_keys(text, &["benchmarks"]) || has_keys(text, &["plugins"]);
        lists && !has_keys(text, &["warpspan"])
    }),
    (Format::ExaminerLog, is_log),
];

/// Recognises a text by its content.
pub fn sniff(labs: &Labs, text: &str) -> Format {
    let text = trimmed(text);
    let known = TABLE.into_iter().find(|(_, fits)| fits(text)).map(|(kind, _)| kind);
    known.or_else(|| labs.iter().find_map(|lab| lab.sniff(text))).unwrap_or(Format::Scenario)
}

impl Format {
    /// The problem of a format that is recognised but no scenario, or that no linked lab reads.
    pub fn unread(self) -> Option<Problem> {
        match self {
            Format::Certificate => {
                let what = "this is a certificate, which is checked and not run";
                Some(Problem::at("document", what, "a scenario, or \"warpspan check\""))
            }
            Format::Lesson => {
                let what = "this is a lesson, which is gone through on the page";
                Some(Problem::at("document", what, "a scenario, or \"warpspan lesson\""))
            }
            Format::Amalthea => {
                let what = "this is XML, which is read as an AMALTHEA model where chains are";
                Some(Problem::at("document", what, "a scenario, or \"warpspan run\""))
            }
            Format::Empty
            | Format::Link
            | Format::Ptx
            | Format::Sass
            | Format::Scenario
            | Format::ExaminerConfig
            | Format::ExaminerLog => None,
        }
    }
}

/// Whether a text is a link, or its part after `#`.
pub fn is_link(text: &str) -> bool {
    let text = trimmed(text);
    let fragment = text.split_once('#').map_or(text, |(_, fragment)| fragment);
    // One that was cut off is a link, too.
    let link = text.contains("v=") && text.contains("&c=") || fragment.starts_with("v=1");
    text.lines().count() == 1 && !text.starts_with('{') && link
}

/// A text without spaces and the mark of its encoding around it.
fn trimmed(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}')
}

/// Whether a text is a log of the examiner, whole or cut.
pub(crate) fn is_log(text: &str) -> bool {
    has_keys(text, &["scenario_name", "times"]) && !has_keys(text, &["warpspan"]) || is_cut_log(text)
}

/// Whether a JSON text has all these as top-level keys; broken text has none.
fn has_keys(text: &str, keys: &[&str]) -> bool {
    if !text.starts_with('{') || !keys.iter().all(|key| text.contains(&format!("\"{key}\""))) {
        return false;
    }
    json::parse_loose(text).is_ok_and(|tree| keys.iter().all(|key| tree.get(key).is_some()))
}

/// Whether a text is the log of an examiner that was killed while it wrote, or that wrote what is no JSON.
fn is_cut_log(text: &str) -> bool {
    let has = |key: &str| text.contains(&format!("\"{key}\""));
    text.starts_with('{')
        && has("scenario_name")
        && has("times")
        && !has("warpspan")
        && json::parse_loose(text).is_err()
}
