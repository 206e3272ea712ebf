//! A scenario and its result as a sheet of paper: what is given, the picture, the numbers, what they rest on.
//!
//! A sheet is made of the document and the report's line alone, whatever the lab. As a worksheet it has room for the
//! answers instead: nothing on it tells them, not even the length of an axis.

pub mod qr;

use serde_json::Value;

use super::by_lab::{self, Paper};
use kit::import::json;
use kit::page::Subject;
use kit::page::tile::Tile;

/// How wide pictures are, in their own pixels.
pub(crate) const WIDTH: f64 = 1_000.0;

/// A sheet.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sheet {
    /// What it is about.
    pub title: String,
    /// What sheets of its kind are about: a title of its own may tell the answer.
    pub kind: &'static str,
    /// What its author wrote about it.
    pub notes: String,
    /// What is given.
    pub given: Vec<Fact>,
    /// The same in tables.
    pub given_tables: Vec<Table>,
    /// What is asked on a worksheet.
    pub asked: &'static str,
    /// The picture, as SVG.
    pub picture: Option<String>,
    /// The same without anything in it, to draw into.
    pub blank: Option<String>,
    /// Why there is nothing to draw into, where it would be too small, and what would fit.
    pub too_large: Option<TooLarge>,
    /// What was found.
    pub found: Vec<Fact>,
    /// The same in tables.
    pub found_tables: Vec<Table>,
    /// What was noticed on the way, which tells of the answer.
    pub warns: Vec<String>,
    /// What it takes for granted; who works out the answer may, too.
    pub assumes: Vec<String>,
}

/// A picture that cannot be drawn by hand.
#[derive(Debug, Clone, PartialEq)]
pub struct TooLarge {
    /// Why, in a sentence.
    pub why: String,
    /// The same scenario with so few warps that it fits, and how many those are.
    pub fewer: Option<(usize, String)>,
}

/// Something with a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// What it is.
    pub name: String,
    /// Its value.
    pub value: String,
    /// More about it.
    pub hint: String,
    /// What its value is counted in; a worksheet says so behind the room for it.
    pub unit: String,
    /// Whether a worksheet asks for it.
    pub asked: bool,
}

/// A table.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Table {
    /// What stands above it.
    pub title: String,
    /// What does so on a worksheet, where the title tells an answer.
    pub asked: Option<String>,
    /// The heads of its columns.
    pub head: Vec<&'static str>,
    /// Its rows.
    pub rows: Vec<Vec<String>>,
    /// The columns that are given; those after them are answers.
    pub given: usize,
}

impl Table {
    /// The head of a column on a worksheet, with the unit that all of its answers have.
    pub fn asked_head(&self, column: usize) -> String {
        let head = self.head.get(column).copied().unwrap_or_default();
        let units: Vec<String> = self
            .rows
            .iter()
            .filter_map(|row| row.get(column))
            .filter(|cell| *cell != "0 s")
            .map(|cell| unit_of(cell))
            .collect();
        match units.first() {
            Some(unit) if column >= self.given && !unit.is_empty() && units.iter().all(|own| own == unit) => {
                format!("{head}, {unit}")
            }
            _ => head.to_owned(),
        }
    }
}

impl Sheet {
    /// The sheet of a document and the lines its worker told, of which the last is whole; none where they do not fit.
    ///
    /// A search beside a document about warps may have proven more than its report tells: at least and at most so many
    /// cycles.
    pub fn new(document: &str, lines: &[String], proven: Option<(u32, u32)>, link: &str) -> Option<Self> {
        let tree = json::parse(document).ok()?;
        let paper = Paper { document, tree: &tree, lines, proven, link };
        let sheet = by_lab::sheet(Subject::of(&tree)?, &paper)?;
        let own = |key: &str| tree.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        Some(Self { title: own("title"), notes: own("notes"), ..sheet })
    }
}

pub(crate) fn fact(name: &str, value: impl Into<String>) -> Fact {
    let value = value.into();
    Fact { name: name.to_owned(), unit: unit_of(&value), value, hint: String::new(), asked: true }
}

/// What a number is counted in: `ms` of `12.5 ms`; nothing where a text is more, or less, than a number with a unit.
fn unit_of(value: &str) -> String {
    let numeric = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_digit())
            && text.chars().all(|c| c.is_ascii_digit() || ",.".contains(c))
    };
    match value.split_whitespace().collect::<Vec<_>>()[..] {
        [number, unit] if numeric(number) && !unit.starts_with(|c: char| c.is_ascii_digit()) => {
            match unit {
                "cycle" => "cycles".to_owned(), // the singular would tell the answer
                unit => unit.to_owned(),
            }
        }
        _ => String::new(),
    }
}

pub(crate) fn facts(tiles: Vec<Tile>) -> Vec<Fact> {
    // What counts the work of a computation is nothing to work out by hand.
    let own = ["t-max", "checked", "kernels", "copies", "rules"];
    let fact =
        |tile: Tile| Fact { hint: tile.hint, asked: !own.contains(&tile.id), ..fact(tile.label, tile.value) };
    tiles.into_iter().map(fact).collect()
}

#[cfg(test)]
mod tests;
