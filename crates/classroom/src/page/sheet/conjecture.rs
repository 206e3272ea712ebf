//! The sheet of a conjecture: its map, and what refutes it.

use super::{Sheet, Table, fact, picture};
use conjecture_lab::page::bench::{Judged, Kind, margin, worst_case};

/// Cells that are listed at the most.
const MOST: usize = 60;

/// The sheet of the lines told of a conjecture; none where they are of something else.
pub(super) fn sheet(lines: &[String], link: &str) -> Option<Sheet> {
    let judged = lines.iter().rev().find_map(|line| Judged::new(line))?;
    let report = &judged.report;
    let row = |cell: &_| {
        let look = Kind::of(cell);
        vec![judged.place(cell), worst_case(cell), look.label().to_owned(), margin(cell)]
    };
    Some(Sheet {
        given: vec![fact(
            "Claim",
            format!("{} {}", report.claim.says.replace('-', " "), report.claim.formula),
        )],
        asked: "For which of these does the claim hold?",
        picture: Some(picture(&judged.picture(), &report.scenario, link)),
        found: vec![fact("Verdicts", report.summary())],
        found_tables: vec![Table {
            title: "Cells".to_owned(),
            head: vec!["Where", "Worst case", "Verdict", "Cycles to spare"],
            rows: report.cells.iter().take(MOST).map(row).collect(),
            given: 1,
            asked: None,
        }],
        assumes: report.assumptions.clone(),
        ..Sheet::default()
    })
}
