//! A document and its result on paper, and small: what labs make of them, a sheet to print and a picture of a few marks.

use serde_json::Value;

use super::tile::Tile;
use crate::draw::DrawList;

/// How wide pictures are, in their own pixels.
pub const WIDTH: f64 = 1_000.0;

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

/// What a sheet is made of.
#[derive(Debug)]
pub struct Paper<'a> {
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

impl Paper<'_> {
    /// The report; empty where nothing was told.
    pub fn line(&self) -> &str {
        self.lines.last().map_or("", String::as_str)
    }

    /// What the document is called; empty for no name.
    pub fn title(&self) -> &str {
        self.tree.get("title").and_then(Value::as_str).unwrap_or_default()
    }
}

/// How wide a small picture is.
pub const WIDE: f64 = 320.0;
/// How high.
pub const HIGH: f64 = 132.0;
/// How wide a lab's own picture is before it is fitted: about what a screen shows.
pub const FULL: f64 = 960.0;
/// No small picture has more marks: a wall of them would take long to paint, and nobody could tell them apart.
pub const MOST_MARKS: usize = 6_000;

/// A part of a picture: left, top, right, bottom.
pub type Cut = (f64, f64, f64, f64);

/// A picture as a lab draws it, and the part of it that is shown small.
pub type Small = (DrawList, Cut);

/// A fact that a worksheet asks for.
pub fn fact(name: &str, value: impl Into<String>) -> Fact {
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

/// What tiles tell, as facts.
pub fn facts(tiles: Vec<Tile>) -> Vec<Fact> {
    // What counts the work of a computation is nothing to work out by hand.
    let own = ["t-max", "checked", "kernels", "copies", "rules"];
    let fact =
        |tile: Tile| Fact { hint: tile.hint, asked: !own.contains(&tile.id), ..fact(tile.label, tile.value) };
    tiles.into_iter().map(fact).collect()
}
