//! A thread trace on paper, and small.

use serde_json::Value;

use crate::draw::lives;
use crate::page::{says, table};
use base::people;
use kit::export::svg::svg;
use kit::import::json;
use kit::page::paper::{FULL, Paper, Sheet, Small, Table, WIDTH, fact};

/// The sheet of a report.
pub fn sheet(paper: &Paper) -> Option<Sheet> {
    let (title, line, link) = (paper.title(), paper.line(), paper.link);
    let told = json::parse(line).ok()?;
    let (picture, _) = lives(&told, WIDTH)?;
    let waves = told["waves"].as_array()?;
    let count = |key: &str| people::grouped(told[key].as_u64().unwrap_or(0).into());
    let texts = |key: &str| {
        told[key].as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let issue = told["causes"]["issue"].as_f64().unwrap_or(0.0);
    let whole = told["named"]["cycles"].as_f64().unwrap_or(0.0).max(1.0);
    let cycles = |cycles: u64| people::counted(usize::try_from(cycles).unwrap_or(usize::MAX), "cycle");
    let row = |(cause, own, share): (crate::Cause, u64, f64)| {
        vec![says::name_of(cause).to_owned(), cycles(own), people::percent(share)]
    };
    Some(Sheet {
        kind: "A thread trace",
        given: vec![
            fact("Waves", people::grouped(waves.len() as u128)),
            fact("Instructions", count("instructions")),
        ],
        asked: "In which share of its cycles does a wave issue, and where do the others go?",
        picture: Some(svg(&picture, title, link)),
        found: vec![fact("An instruction issues in", people::percent(issue / whole))],
        found_tables: vec![Table {
            title: "Cycles of all waves by cause".to_owned(),
            head: vec!["Cause", "Cycles", "Share"],
            rows: table::causes(&told).into_iter().map(row).collect(),
            given: 1,
            ..Table::default()
        }],
        assumes: texts("assumptions"),
        ..Sheet::default()
    })
}

/// The small picture of a report.
pub fn small(_: &Value, line: &str) -> Option<Small> {
    lives(&json::parse(line).ok()?, FULL)
}
