//! A scenario and its result as a sheet of paper: what is given, the picture, the numbers, what they rest on.
//!
//! A sheet is made of the document and the report's line alone, whatever the lab. As a worksheet it has room for the
//! answers instead: nothing on it tells them, not even the length of an axis.

mod blocks;
mod chain;
mod conjecture;
mod experiment;
mod tasks;
mod warps;

use serde_json::Value;

use kit::draw::DrawList;
use kit::export::svg::svg;
use kit::import::json;
use kit::page::guess::beyond;
use kit::page::tile::Tile;
use kit::timeline::{Timeline, Track};
use warps_lab::draw::gantt;
use warps_lab::draw::gantt::Frame;

/// How wide pictures are, in their own pixels.
const WIDTH: f64 = 1_000.0;

/// A sheet.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sheet {
    /// What it is about.
    pub title: String,
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
    /// What was found.
    pub found: Vec<Fact>,
    /// The same in tables.
    pub found_tables: Vec<Table>,
    /// What it takes for granted.
    pub assumes: Vec<String>,
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
}

/// A table.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Table {
    /// What stands above it.
    pub title: String,
    /// The heads of its columns.
    pub head: Vec<&'static str>,
    /// Its rows.
    pub rows: Vec<Vec<String>>,
    /// The columns that are given; those after them are answers.
    pub given: usize,
}

impl Sheet {
    /// The sheet of a document and the lines its worker told, of which the last is whole; none where they do not fit.
    pub fn new(document: &str, lines: &[String], link: &str) -> Option<Self> {
        let tree = json::parse(document).ok()?;
        let line = lines.last()?;
        let own = |key: &str| tree.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let told = json::parse(line).ok()?;
        let sheet = match told.get("lab").and_then(Value::as_str)? {
            "warps" => warps::sheet(document, line, link),
            "chain" => chain::sheet(line, link),
            "blocks" => blocks::sheet(line, link),
            "conjecture" => conjecture::sheet(lines, link),
            "tasks" => experiment::sheet(line).or_else(|| tasks::sheet(line, link)),
            _ => None,
        }?;
        Some(Self { title: own("title"), notes: own("notes"), ..sheet })
    }
}

fn fact(name: &str, value: impl Into<String>) -> Fact {
    Fact { name: name.to_owned(), value: value.into(), hint: String::new() }
}

fn facts(tiles: Vec<Tile>) -> Vec<Fact> {
    let fact = |tile: Tile| Fact { name: tile.label.to_owned(), value: tile.value, hint: tile.hint };
    tiles.into_iter().map(fact).collect()
}

/// An axis with rows and nothing in them. Where its end is the end of the result it tells it: it goes on further.
fn empty(rows: Vec<String>, end: f64, axis: &'static str, link: &str) -> String {
    let tracks = rows.into_iter().map(|label| Track { label, ..Track::default() }).collect();
    let end = beyond(end);
    schedule(&Timeline { tracks, end, axis, ..Timeline::default() }, "Room for the answer", link)
}

fn schedule(timeline: &Timeline, title: &str, link: &str) -> String {
    let frame = Frame::whole(timeline, WIDTH);
    picture(&gantt::draw(timeline, &frame), title, link)
}

fn picture(list: &DrawList, title: &str, link: &str) -> String {
    svg(list, title, link)
}

#[cfg(test)]
mod tests;
