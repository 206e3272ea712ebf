//! The sheet of machine code.

use super::{Sheet, Table, WIDTH, fact};
use base::people;
use code_lab::draw::{Look, draw};
use code_lab::page::{Seen, says, summary};
use kit::export::svg::svg;

/// The sheet of a report.
pub(super) fn sheet(title: &str, line: &str, link: &str) -> Option<Sheet> {
    let seen = Seen::new(line)?;
    let report = &seen.report;
    let own = |count: usize| people::grouped(count as u128);
    let texts = report.assumed.iter().cloned();
    Some(Sheet {
        given: vec![fact("Warps", own(report.count)), fact("Instructions", own(report.code.len()))],
        given_tables: vec![lines(&seen)],
        asked: "How long can these warps take at most, and what do they wait for?",
        picture: Some(svg(&draw(report, &seen.timeline, &Look::whole(&seen.timeline, WIDTH)), title, link)),
        found: summary::tiles(report).into_iter().map(|tile| fact(tile.label, tile.value)).collect(),
        assumes: texts.chain(report.assumptions.iter().map(ToString::to_string)).collect(),
        ..Sheet::default()
    })
}

/// The instructions, with what their control fields mean.
fn lines(seen: &Seen) -> Table {
    let row = |(at, line): (usize, &code_lab::report::Line)| {
        vec![format!("{:04x}", line.address), says::name(line, at), says::control(line)]
    };
    let head = vec!["At", "Instruction", "Control fields"];
    Table {
        title: "Instructions".to_owned(),
        given: head.len(),
        head,
        rows: seen.report.code.iter().enumerate().map(row).collect(),
        ..Table::default()
    }
}
