//! A scenario and its result as a sheet of paper: what is given, the picture, the numbers, what they rest on.
//!
//! A sheet is made of the document and the report's line alone, whatever the lab. As a worksheet it has room for the
//! answers instead: nothing on it tells them, not even the length of an axis.

pub mod qr;

use serde_json::Value;

use kit::import::json;
use kit::page::Subject;
pub use kit::page::paper::{Fact, Paper, Sheet, Table, TooLarge};

/// The sheet of a document and the lines its worker told, of which the last is whole; none where they do not fit.
///
/// A search beside a document about warps may have proven more than its report tells: at least and at most so many
/// cycles.
pub fn sheet(document: &str, lines: &[String], proven: Option<(u32, u32)>, link: &str) -> Option<Sheet> {
    if lines.is_empty() {
        return None;
    }
    let tree = json::parse(document).ok()?;
    let paper = Paper { document, tree: &tree, lines, proven, link };
    let own = |key: &str| tree.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let sheet = labs::sheet(Subject::of(&tree)?, &paper)?;
    Some(Sheet { title: own("title"), notes: own("notes"), ..sheet })
}

#[cfg(test)]
mod tests;
