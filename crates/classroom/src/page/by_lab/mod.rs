//! What the classroom shows of each lab, a file for each: its sheet to print and its small picture.
//!
//! Invariant: only here is a lab known by name. Sheets and pictures are made of documents and reports alone.

mod blocks;
mod chain;
mod code;
mod conjecture;
mod experiment;
mod grid;
mod study;
mod tasks;
mod traces;
mod warps;
mod waves;

use serde_json::Value;

use super::pictures::small::Cut;
use super::sheet::Sheet;
use kit::page::Subject;

/// What a sheet is made of.
pub(super) struct Paper<'a> {
    /// The document.
    pub document: &'a str,
    /// The same as a tree.
    pub tree: &'a Value,
    /// The lines its worker told, of which the last is the report.
    pub lines: &'a [String],
    /// At least and at most so many cycles, as a search beside it has proven.
    pub proven: Option<(u32, u32)>,
    /// Where it is to be found.
    pub link: &'a str,
}

/// The sheet of a document and what was told of it, without title and notes; none where they do not fit.
pub(super) fn sheet(of: Subject, paper: &Paper) -> Option<Sheet> {
    let Paper { document, tree, lines, proven, link } = *paper;
    let line = lines.last()?;
    let title = tree.get("title").and_then(Value::as_str).unwrap_or_default();
    match of {
        Subject::Warps => warps::sheet(document, line, proven, link),
        Subject::Code => code::sheet(title, line, link),
        Subject::Conjecture => conjecture::sheet(lines, link),
        Subject::Blocks => blocks::sheet(line, link),
        Subject::Tasks => experiment::sheet(line).or_else(|| tasks::sheet(line, link)),
        Subject::Chain => chain::sheet(line, link),
        Subject::Trace => traces::sheet(tree, line, link),
        Subject::Waves => waves::sheet(title, line, link),
        Subject::Study => None,
    }
}

/// The picture of a document and the line of its report, as large as the lab draws it, and the part of it to be shown.
pub(super) fn small(of: Subject, document: &Value, line: &str) -> Option<Cut> {
    match of {
        Subject::Warps => warps::small(document, line),
        Subject::Code => code::small(line),
        Subject::Conjecture => conjecture::small(line),
        Subject::Blocks => blocks::small(line),
        Subject::Tasks => tasks::small(line),
        Subject::Chain => chain::small(line),
        Subject::Trace => traces::small(document),
        Subject::Waves => waves::small(line),
        Subject::Study => study::small(document, line),
    }
}
