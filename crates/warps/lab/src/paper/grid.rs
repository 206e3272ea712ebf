//! The grid of a worksheet: a row for each warp, a column for each cycle, and cells that a pencil fits into.
//!
//! Its sizes are millimetres on A4 with the margins of the style sheet. What would need smaller cells is no grid.

use std::fmt::Write;

use kit::page::guess::beyond;

/// The most rows.
pub const MOST_ROWS: usize = 12;
/// The most columns: with them a cell is as wide as the smallest that can be written in.
pub const MOST_COLUMNS: usize = 40;
/// How wide the paper is between its margins.
const WIDE: f64 = 180.0;
/// What the names of rows take of it.
const NAMES: f64 = 20.0;
/// The smallest cell, and the largest.
const SMALLEST: f64 = 4.0;
const LARGEST: f64 = 9.0;
/// How high a row is.
const HIGH: f64 = 7.0;
/// What the numbers above the columns take.
const NUMBERS: f64 = 5.0;
const LINE: &str = "#6b7580";
const TEXT: &str = "#16191d";

/// So many columns are drawn where the answer takes so many cycles: more, so that they do not tell it.
pub fn columns(end: f64) -> usize {
    beyond(end) as usize
}

/// Whether a grid of so many rows, for an answer of so many cycles, can be filled in by hand.
pub fn fits(rows: usize, end: f64) -> bool {
    rows <= MOST_ROWS && columns(end) <= MOST_COLUMNS
}

/// The grid, as SVG.
pub fn grid(rows: &[String], end: f64, axis: &str) -> String {
    let columns = columns(end).max(1);
    let cell = ((WIDE - NAMES) / columns as f64).clamp(SMALLEST, LARGEST);
    let (width, height) = (NAMES + cell * columns as f64 + 0.5, NUMBERS + HIGH * rows.len() as f64 + 5.0);
    let bottom = NUMBERS + HIGH * rows.len() as f64;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}mm\" height=\"{height}mm\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"2.6\" fill=\"{TEXT}\">"
    );
    let mut lines = String::new();
    for column in 0..=columns {
        let x = NAMES + cell * column as f64;
        let _ = write!(lines, "M{x:.2} {NUMBERS}V{bottom}");
        if column < columns {
            let middle = x + cell / 2.0;
            let number = column + 1;
            let _ = write!(svg, "<text x=\"{middle:.2}\" y=\"3.8\" text-anchor=\"middle\">{number}</text>");
        }
    }
    for (row, name) in (0..=rows.len()).zip(rows.iter().map(Some).chain([None])) {
        let y = NUMBERS + HIGH * row as f64;
        let right = NAMES + cell * columns as f64;
        let _ = write!(lines, "M{NAMES} {y}H{right:.2}");
        if let Some(name) = name {
            let (x, y, name) = (NAMES - 1.5, y + HIGH / 2.0 + 0.9, escaped(name));
            let _ = write!(svg, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"end\">{name}</text>");
        }
    }
    let (x, y) = (NAMES, bottom + 4.0);
    let _ = write!(svg, "<path d=\"{lines}\" fill=\"none\" stroke=\"{LINE}\" stroke-width=\"0.2\"/>");
    let _ = write!(svg, "<text x=\"{x}\" y=\"{y}\">{}</text></svg>", escaped(axis));
    svg
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_can_be_written_in() {
        for end in 1..=200 {
            let end = f64::from(end);
            let cell = (WIDE - NAMES) / columns(end) as f64;
            assert_eq!(fits(4, end), cell >= SMALLEST, "{end} cycles");
        }
        assert!(fits(12, 30.0) && !fits(13, 8.0) && !fits(4, 154.0));
    }

    #[test]
    fn a_grid_has_lines_and_names() {
        let svg = grid(&["Warp 1".to_owned(), "<2>".to_owned()], 8.0, "Cycle");
        assert!(svg.contains(">Warp 1</text>") && svg.contains("&lt;2&gt;") && svg.contains(">10</text>"));
        assert_eq!(svg.matches('V').count(), 11, "a line before each column and after the last");
        assert_eq!(svg.matches('H').count(), 3);
    }
}
