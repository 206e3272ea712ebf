//! A file of rows, to which a stopped run goes on where it was.
//!
//! Invariant: memory does not grow with the number of cells, but for a bit for each. What was added outlives the
//! program, whatever ends it.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::Path;

use base::Problem;

use super::Study;
use super::table::Table;

/// The longest line that can be a row.
const LONGEST: usize = 64 << 20;

/// Which cells have their rows.
#[derive(Debug)]
pub struct Known {
    bits: Vec<u64>,
    cells: u64,
    count: u64,
}

impl Known {
    /// None of them.
    pub fn none(study: &Study) -> Self {
        let words = study.cells().div_ceil(64);
        Self { bits: vec![0; usize::try_from(words).unwrap_or(0)], cells: study.cells(), count: 0 }
    }

    /// Whether a cell has its row.
    pub fn has(&self, cell: u64) -> bool {
        self.bits.get((cell / 64) as usize).is_some_and(|word| word >> (cell % 64) & 1 == 1)
    }

    /// How many have.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The next cells without a row, from one on: the first of them, and the one after the last, at most so many.
    pub fn gap(&self, from: u64, most: u64) -> Option<(u64, u64)> {
        let first = (from..self.cells).find(|cell| !self.has(*cell))?;
        let last = first.saturating_add(most.max(1)).min(self.cells);
        Some((first, (first..last).find(|cell| self.has(*cell)).unwrap_or(last)))
    }

    fn note(&mut self, cell: u64) {
        if let Some(word) = self.bits.get_mut((cell / 64) as usize)
            && *word >> (cell % 64) & 1 == 0
        {
            *word |= 1 << (cell % 64);
            self.count += 1;
        }
    }
}

/// A file of rows that is open, and the table to be made of it.
#[derive(Debug)]
pub struct Rows {
    study: Study,
    out: String,
    table: Table,
    file: File,
    known: Known,
}

impl Rows {
    /// Opens the file of rows for an output; with `resume` what is there stays, and a line that was cut off is taken
    /// away.
    ///
    /// # Errors
    /// The name has no known ending, there is such a file, it has rows of another study, another run writes it, or it
    /// cannot be written.
    pub fn open(study: &Study, out: &str, resume: bool) -> Result<Self, Problem> {
        let table = Table::named(out)?;
        let rows = table.rows(out);
        let there = |path: &str| std::fs::metadata(path).is_ok_and(|there| there.len() > 0);
        for path in [rows.as_str(), out] {
            if there(path) && Path::new(path).is_dir() {
                return Err(Problem::at(path, "a folder", WRITABLE));
            }
        }
        // A table beside its rows was made by a run that was stopped right after it: it is made again.
        let goes_on = resume && (there(&rows) || !there(out));
        if !goes_on && let Some(path) = [rows.as_str(), out].into_iter().find(|path| there(path)) {
            let expected = match (resume, path == rows) {
                (false, true) => "another name, or --resume to go on with its rows",
                _ => "another name: it is finished, and the rows that it was made of are gone",
            };
            return Err(Problem::at(path, "there is such a file", expected));
        }
        let failed = |error: io::Error| Problem::at(out, error.to_string(), WRITABLE);
        let mut options = OpenOptions::new();
        let mut file =
            options.read(true).write(true).create(true).truncate(false).open(&rows).map_err(failed)?;
        // Where files cannot be locked, nobody is told; two runs at once would still only write whole rows.
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(Problem::at(out, "another run is writing it", "one run at a time"));
        }
        let mut known = Known::none(study);
        let whole = read(&mut known, study, BufReader::new(&file), out)?;
        file.set_len(whole).map_err(failed)?;
        file.seek(SeekFrom::Start(whole)).map_err(failed)?;
        Ok(Self { study: study.clone(), out: out.to_owned(), table, file, known })
    }

    /// Which cells had their rows when the file was opened.
    pub fn known(&self) -> &Known {
        &self.known
    }

    /// Where rows are added: whole ones only, with their line ends.
    pub fn end(&self) -> &File {
        &self.file
    }

    /// Adds rows with their line ends.
    ///
    /// # Errors
    /// They cannot be written.
    pub fn add(&self, text: &str) -> Result<(), Problem> {
        self.end().write_all(text.as_bytes()).map_err(|error| unwritable(&self.out, &error))
    }

    /// Makes the table that was asked for, once all rows are there.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn done(self) -> Result<(), Problem> {
        let made = self.table.made(&self.study, &self.out);
        made.map_err(|error| unwritable(&self.out, &error))
    }
}

const WRITABLE: &str = "a file that can be written";

/// What is said where a place cannot be written.
pub fn unwritable(place: &str, error: &io::Error) -> Problem {
    Problem::at(place, error.to_string(), "a place that can be written")
}

/// Reads rows; how many bytes the whole lines are.
fn read(known: &mut Known, study: &Study, mut from: impl BufRead, out: &str) -> Result<u64, Problem> {
    let (mut whole, mut number) = (0, 0u64);
    let mut line = Vec::new();
    loop {
        line.clear();
        let limited = io::Read::take(&mut from, LONGEST as u64).read_until(b'\n', &mut line);
        let long = limited.map_err(|error| Problem::at(out, error.to_string(), "a file that can be read"))?;
        if line.pop() != Some(b'\n') {
            return Ok(whole);
        }
        number += 1;
        let text = std::str::from_utf8(&line).ok();
        let cell = text.and_then(|text| study.cell_of_row(text));
        // The first row is computed once more: another base has the same points.
        let same = number > 1 || cell.and_then(|cell| study.evaluate(cell)).as_deref() == text;
        let Some(cell) = cell.filter(|_| same) else {
            let expected = "rows of this study, to go on with";
            return Err(Problem::at(format!("{out} line {number}"), "another row", expected));
        };
        known.note(cell);
        whole += long as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_what_is_missing() {
        let mut known = Known { bits: vec![0; 2], cells: 100, count: 0 };
        for cell in [0, 1, 5, 64, 99] {
            known.note(cell);
        }
        let mut gaps = Vec::new();
        let mut from = 0;
        while let Some((first, end)) = known.gap(from, 40) {
            gaps.push((first, end));
            from = end;
        }
        assert_eq!(gaps, [(2, 5), (6, 46), (46, 64), (65, 99)]);
        assert_eq!(known.count(), 5);
    }
}
