//! Rows as a file for others: lines of JSON as they come, or a table of all of them once the study is done.
//!
//! A table's rows are collected in a file beside it, so that a stopped run goes on; it is taken away at the end. The
//! table itself is there whole or not at all.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};

use base::Problem;
use base::problem::quoted;
use study_lab::table::Columns;

use super::Study;

/// A form of the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Table {
    /// A line of JSON for each.
    Lines,
    /// Comma-separated values.
    Csv,
    /// Apache Parquet.
    #[cfg(feature = "parquet")]
    Parquet,
}

#[cfg(feature = "parquet")]
const NAMES: (&[(&str, Table)], &str) = (
    &[
        (".ndjson", Table::Lines),
        (".jsonl", Table::Lines),
        (".csv", Table::Csv),
        (".parquet", Table::Parquet),
    ],
    "a name that ends in .ndjson, .csv or .parquet",
);
#[cfg(not(feature = "parquet"))]
const NAMES: (&[(&str, Table)], &str) = (
    &[(".ndjson", Table::Lines), (".jsonl", Table::Lines), (".csv", Table::Csv)],
    "a name that ends in .ndjson or .csv, as this program was built without Parquet",
);

impl Table {
    /// The form that a file's name asks for.
    ///
    /// # Errors
    /// Its ending is not known.
    pub fn named(file: &str) -> Result<Self, Problem> {
        let found = NAMES.0.iter().find(|(ending, _)| file.ends_with(ending)).map(|(_, table)| *table);
        found.ok_or_else(|| Problem::at("--out", quoted(file), NAMES.1))
    }

    /// Where the rows are collected.
    pub fn rows(self, out: &str) -> String {
        if self == Self::Lines { out.to_owned() } else { format!("{out}.rows.ndjson") }
    }

    /// Makes the table of the rows, if it is one.
    pub(super) fn made(self, study: &Study, out: &str) -> io::Result<()> {
        if self == Self::Lines {
            return Ok(());
        }
        let (rows, part) = (self.rows(out), format!("{out}.part"));
        let open = || File::open(&rows).map(BufReader::new);
        let mut table = BufWriter::new(File::create(&part)?);
        match self {
            Self::Lines => {}
            Self::Csv => csv(study, open()?, &mut table)?,
            #[cfg(feature = "parquet")]
            Self::Parquet => super::columns::write(study, open, &mut table)?,
        }
        table.flush()?;
        drop(table);
        std::fs::rename(&part, out)?;
        std::fs::remove_file(rows)
    }
}

/// The columns of a study's tables.
pub fn columns(study: &Study) -> Columns<'_> {
    let axes = study.axes().iter().map(|axis| axis.name.as_str());
    Columns::new(axes.collect(), study.measures().iter().map(|measure| measure.name.as_str()).collect())
}

/// Writes rows as comma-separated values.
fn csv(study: &Study, rows: impl BufRead, out: &mut impl Write) -> io::Result<()> {
    let columns = columns(study);
    out.write_all(columns.head().as_bytes())?;
    for row in rows.lines() {
        let line = columns.line(&row?).map_err(|problem| io::Error::other(problem.to_string()))?;
        out.write_all(line.as_bytes())?;
    }
    Ok(())
}
