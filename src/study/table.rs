//! Rows as a file for others: lines of JSON as they come, or a table of all of them once the study is done.
//!
//! A table's rows are collected in a file beside it, so that a stopped run goes on; it is taken away at the end. The
//! table itself is there whole or not at all.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};

use serde_json::{Number, Value};

use base::Problem;
use base::problem::quoted;
use kit::import::json;

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

/// The columns: axes, sample, seed, measures, problem. An axis with the name of another column says that it is one.
pub fn columns(study: &Study) -> Vec<String> {
    let measures: Vec<&str> = study.measures().iter().map(|measure| measure.name.as_str()).collect();
    let axes = study.axes().iter().map(|axis| {
        let taken = measures.contains(&axis.name.as_str())
            || ["sample", "seed", "problem"].contains(&axis.name.as_str());
        if taken { format!("point.{}", axis.name) } else { axis.name.clone() }
    });
    let rest = ["sample", "seed"].into_iter().chain(measures.iter().copied()).chain(["problem"]);
    axes.chain(rest.map(str::to_owned)).collect()
}

/// The fields of a row, in the order of the [`columns`]; null where there is none.
pub(super) fn fields(study: &Study, row: &str) -> io::Result<Vec<Value>> {
    let text = row;
    let mut row = json::parse(text).map_err(|problem| io::Error::other(problem.to_string()))?;
    exact(&mut row, &mut numbers(text));
    let mut taken = |path: &[&str]| {
        let found = path.iter().try_fold(&mut row, |row, key| row.get_mut(*key));
        found.map(Value::take).unwrap_or_default()
    };
    let mut fields: Vec<Value> = study.axes().iter().map(|axis| taken(&["point", &axis.name])).collect();
    fields.extend(["sample", "seed"].map(|key| taken(&[key])));
    fields.extend(study.measures().iter().map(|measure| taken(&["values", &measure.name])));
    fields.push(taken(&["problem"]));
    Ok(fields)
}

/// Reads the numbers with a point once more, from the text: the parser's may be the neighbours of what is written.
fn exact<'a>(value: &mut Value, texts: &mut impl Iterator<Item = &'a str>) {
    match value {
        Value::Number(number) => {
            let read = texts.next().and_then(|text| text.parse().ok()).and_then(Number::from_f64);
            if let (true, Some(read)) = (number.is_f64(), read) {
                *number = read;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| exact(item, texts)),
        Value::Object(map) => map.values_mut().for_each(|inner| exact(inner, texts)),
        _ => {}
    }
}

/// The texts of all numbers in a line of JSON, in their order.
fn numbers(line: &str) -> impl Iterator<Item = &str> {
    let (mut inside, mut escaped) = (false, false);
    let mut numeric = move |c: char| {
        let within = inside;
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = inside,
            '"' => inside = !inside,
            _ => {}
        }
        !within && (c.is_ascii_digit() || "+-.eE".contains(c))
    };
    let parts = line.split(move |c| !numeric(c));
    parts.filter(|part| part.starts_with(|c: char| c == '-' || c.is_ascii_digit()))
}

/// Writes rows as comma-separated values.
fn csv(study: &Study, rows: impl BufRead, out: &mut impl Write) -> io::Result<()> {
    out.write_all(kit::export::csv::row(columns(study)).as_bytes())?;
    for row in rows.lines() {
        let fields = fields(study, &row?)?;
        out.write_all(kit::export::csv::row(fields.iter().map(shown)).as_bytes())?;
    }
    Ok(())
}

/// A value as text: what is null is empty.
pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        value => json::line(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_that_are_written() {
        let text =
            r#"{"a 1":[15.545454545454545,-3,"x\\\" 2.5"],"e":{"b":0.3333333333333333,"c":1e-7,"d":true}}"#;
        assert_eq!(
            numbers(text).collect::<Vec<_>>(),
            ["15.545454545454545", "-3", "0.3333333333333333", "1e-7"]
        );
        let mut value = json::parse(text).expect("JSON");
        exact(&mut value, &mut numbers(text));
        assert_eq!(json::line(&value), text);
    }
}
