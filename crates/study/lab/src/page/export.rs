//! Rows as files: as lines and as a table, the same that the command line writes.

use super::Known;
use crate::table::Columns;

/// The rows there are, a line each, in the order of the grid.
pub fn lines(known: &Known) -> String {
    known.rows().fold(String::new(), |text, row| text + row + "\n")
}

/// The rows there are as a table.
pub fn table(known: &Known) -> String {
    let plan = &known.plan;
    let columns =
        Columns::new(plan.axes.iter().map(|axis| axis.name.as_str()).collect(), plan.names().collect());
    // Only rows that could be read are kept.
    known.rows().filter_map(|row| columns.line(row).ok()).fold(columns.head(), |text, line| text + &line)
}
