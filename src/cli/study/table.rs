//! Rows as a file for others: lines of JSON as they come, or a table of all of them once the study is done.
//!
//! A table's rows are collected in a file beside it, so that a stopped run goes on; it is taken away at the end.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};

use serde_json::Value;

use crate::base::Problem;
use crate::base::problem::quoted;
use crate::import::json;
use crate::study::Study;

/// A form of the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Table {
    /// A line of JSON for each.
    Lines,
    /// Comma-separated values.
    Csv,
}

impl Table {
    /// The form that a file's name asks for.
    pub fn named(file: &str) -> Result<Self, Problem> {
        let known = [(".ndjson", Self::Lines), (".jsonl", Self::Lines), (".csv", Self::Csv)];
        let found = known.into_iter().find(|(ending, _)| file.ends_with(ending)).map(|(_, table)| table);
        found.ok_or_else(|| Problem::at("--out", quoted(file), "a name that ends in .ndjson or .csv"))
    }

    /// Where the rows are collected.
    pub fn rows(self, out: &str) -> String {
        if self == Self::Lines { out.to_owned() } else { format!("{out}.rows.ndjson") }
    }

    /// Makes the table of the rows, if it is one.
    pub fn made(self, study: &Study, out: &str) -> io::Result<()> {
        if self == Self::Lines {
            return Ok(());
        }
        let rows = self.rows(out);
        let mut table = BufWriter::new(File::create(out)?);
        csv(study, BufReader::new(File::open(&rows)?), &mut table)?;
        table.flush()?;
        std::fs::remove_file(rows)
    }
}

/// The columns: axes, sample, seed, measures, problem. An axis with the name of another column says that it is one.
fn columns(study: &Study) -> Vec<String> {
    let measures: Vec<&str> = study.measures().iter().map(|measure| measure.name.as_str()).collect();
    let axes = study.axes().iter().map(|axis| {
        let taken = measures.contains(&axis.name.as_str())
            || ["sample", "seed", "problem"].contains(&axis.name.as_str());
        if taken { format!("point.{}", axis.name) } else { axis.name.clone() }
    });
    let rest = ["sample", "seed"].into_iter().chain(measures.iter().copied()).chain(["problem"]);
    axes.chain(rest.map(str::to_owned)).collect()
}

/// Writes rows as comma-separated values.
fn csv(study: &Study, rows: impl BufRead, out: &mut impl Write) -> io::Result<()> {
    out.write_all(kit::export::csv::row(columns(study)).as_bytes())?;
    for row in rows.lines() {
        let row = json::parse(&row?).map_err(|problem| io::Error::other(problem.to_string()))?;
        let axes = study.axes().iter().map(|axis| &row["point"][&axis.name]);
        let measures = study.measures().iter().map(|measure| &row["values"][&measure.name]);
        let cells = axes.chain([&row["sample"], &row["seed"]]).chain(measures).chain([&row["problem"]]);
        out.write_all(kit::export::csv::row(cells.map(shown)).as_bytes())?;
    }
    Ok(())
}

fn shown(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        value => json::line(value),
    }
}
