//! Machine code on paper, and small.

use serde_json::Value;

use crate::draw::{AXIS, Look, draw};
use crate::page::{Seen, says, summary};
use base::people;
use kit::export::svg::svg;
use kit::page::paper::{FULL, Paper, Sheet, Small, Table, WIDTH, fact};

/// The sheet of a report.
pub fn sheet(paper: &Paper) -> Option<Sheet> {
    let (title, line, link) = (paper.title(), paper.line(), paper.link);
    let seen = Seen::new(line)?;
    let report = &seen.report;
    let own = |count: usize| people::grouped(count as u128);
    let texts = report.assumed.iter().cloned();
    Some(Sheet {
        kind: "A schedule of machine code",
        given: vec![fact("Warps", own(report.count)), fact("Instructions", own(report.code.len()))],
        given_tables: vec![lines(&seen)],
        asked: "How long can these warps take at most, and what do they wait for?",
        picture: Some(svg(&draw(report, &seen.timeline, &Look::whole(&seen.timeline, WIDTH)), title, link)),
        found: summary::tiles(report).into_iter().map(|tile| fact(tile.label, tile.value)).collect(),
        assumes: texts.chain(report.assumptions.iter().map(ToString::to_string)).collect(),
        ..Sheet::default()
    })
}

/// The small picture of a report.
pub fn small(_: &Value, line: &str) -> Option<Small> {
    let seen = Seen::new(line)?;
    let look = Look::whole(&seen.timeline, FULL);
    let list = draw(&seen.report, &seen.timeline, &look);
    let scale = look.scale();
    let part = (scale.left, AXIS, scale.right, list.height);
    Some((list, part))
}

/// The instructions, with what their control fields mean.
fn lines(seen: &Seen) -> Table {
    let row = |(at, line): (usize, &crate::report::Line)| {
        let name = if line.text.is_empty() { line.words.clone() } else { says::name(line, at) };
        vec![format!("{:04x}", line.address), name, says::control(line)]
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
