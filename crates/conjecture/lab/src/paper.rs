//! A conjecture on paper, its map and what refutes it, and small.

use serde_json::Value;

use crate::page::experiment::{Judged, Kind, margin, worst_case};
use kit::draw::{Ink, Mark};
use kit::export::svg::svg;
use kit::page::paper::{Paper, Sheet, Small, Table, fact};

/// Cells that are listed at the most.
const MOST: usize = 60;

/// The sheet of the lines told of a conjecture; none where they are of something else.
pub fn sheet(paper: &Paper) -> Option<Sheet> {
    let (lines, link) = (paper.lines, paper.link);
    let judged = lines.iter().rev().find_map(|line| Judged::new(line))?;
    let report = &judged.report;
    let row = |cell: &_| {
        let look = Kind::of(cell);
        vec![judged.place(cell), worst_case(cell), look.label().to_owned(), margin(cell)]
    };
    Some(Sheet {
        kind: "A claim, case by case",
        given: vec![fact(
            "Claim",
            format!("{} {}", report.claim.says.replace('-', " "), report.claim.formula),
        )],
        asked: "For which of these does the claim hold?",
        picture: Some(svg(&judged.picture(), &report.scenario, link)),
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

/// The small picture of a report: its map alone.
pub fn small(_: &Value, line: &str) -> Option<Small> {
    let list = Judged::new(line)?.picture();
    let cells = list.marks.iter().filter_map(|mark| match mark {
        Mark::Rect { x, y, w, h, ink: Ink::Class(_) | Ink::Density(..), .. } => Some((*x, *y, x + w, y + h)),
        _ => None,
    });
    let part = cells.reduce(|a, b| (a.0.min(b.0), a.1.min(b.1), a.2.max(b.2), a.3.max(b.3)))?;
    Some((list, part))
}
