//! A map of values over rows and columns: headers, and a coloured cell with a text for each.

use super::list::{Align, DrawList, Ink};

/// Width and height of a cell.
const CELL: (f64, f64) = (56.0, 32.0);
/// Room for the headers of rows, and for heading and headers of columns.
const LEFT: f64 = 64.0;
const TOP: f64 = 64.0;
/// Room below, for a line of text.
const BOTTOM: f64 = 36.0;
/// About how wide a character is.
const CHARACTER: f64 = 7.0;

/// What is drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct HeatMap {
    /// A line above.
    pub heading: String,
    /// A line below.
    pub below: String,
    /// What rows are, and the value of each.
    pub rows: (String, Vec<String>),
    /// What columns are, and the value of each.
    pub columns: (String, Vec<String>),
    /// The cells, row by row.
    pub cells: Vec<HeatCell>,
}

/// A cell.
#[derive(Debug, Clone, PartialEq)]
pub struct HeatCell {
    /// Its colour.
    pub ink: Ink,
    /// What stands in it.
    pub text: String,
}

/// The map as marks.
pub fn heat_map(map: &HeatMap) -> DrawList {
    let (rows, columns) = (map.rows.1.len(), map.columns.1.len());
    let longest = map.heading.chars().count().max(map.below.chars().count());
    let width = (LEFT + columns as f64 * CELL.0 + 8.0).max(longest as f64 * CHARACTER + 24.0);
    let height = TOP + rows as f64 * CELL.1 + BOTTOM;
    let mut list = DrawList::new(width, height);
    list.rect((0.0, 0.0), (width, height), Ink::Ground);
    list.text((12.0, 16.0), map.heading.clone(), Ink::Text, 13.0, Align::Start);
    list.text((12.0, height - 14.0), map.below.clone(), Ink::Muted, 12.0, Align::Start);
    let arrow =
        |name: &str, sign: &str| if name.is_empty() { String::new() } else { format!("{name} {sign}") };
    list.text((LEFT - 10.0, TOP - 30.0), arrow(&map.columns.0, "→"), Ink::Muted, 12.0, Align::End);
    list.text((LEFT - 10.0, TOP - 12.0), arrow(&map.rows.0, "↓"), Ink::Muted, 12.0, Align::End);
    for (i, value) in map.columns.1.iter().enumerate() {
        let x = LEFT + (i as f64 + 0.5) * CELL.0;
        list.text((x, TOP - 12.0), value.clone(), Ink::Text, 12.0, Align::Middle);
    }
    for (i, value) in map.rows.1.iter().enumerate() {
        let y = TOP + (i as f64 + 0.5) * CELL.1;
        list.text((LEFT - 10.0, y), value.clone(), Ink::Text, 12.0, Align::End);
    }
    for (i, cell) in map.cells.iter().enumerate() {
        let (row, column) = (i / columns.max(1), i % columns.max(1));
        let corner = (LEFT + column as f64 * CELL.0, TOP + row as f64 * CELL.1);
        list.rect((corner.0 + 1.0, corner.1 + 1.0), (CELL.0 - 2.0, CELL.1 - 2.0), cell.ink);
        let middle = (corner.0 + CELL.0 / 2.0, corner.1 + CELL.1 / 2.0);
        list.text(middle, cell.text.clone(), Ink::OnClass, 12.0, Align::Middle);
    }
    list
}
