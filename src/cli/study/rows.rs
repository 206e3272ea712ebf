//! The rows that are there already, so that a stopped run goes on where it was.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Seek, SeekFrom};
use std::path::Path;

use crate::base::Problem;
use crate::study::Study;

/// The longest line that can be a row.
const LONGEST: usize = 64 << 20;

/// Which cells have their rows.
pub struct Rows {
    known: Vec<u64>,
    count: u64,
}

impl Rows {
    /// None of them.
    pub fn none(study: &Study) -> Self {
        let words = study.cells().div_ceil(64);
        Self { known: vec![0; usize::try_from(words).unwrap_or(0)], count: 0 }
    }

    /// Whether a cell has its row.
    pub fn has(&self, cell: u64) -> bool {
        self.known.get((cell / 64) as usize).is_some_and(|word| word >> (cell % 64) & 1 == 1)
    }

    /// How many have.
    pub fn count(&self) -> u64 {
        self.count
    }

    fn note(&mut self, cell: u64) {
        if !self.has(cell) {
            self.known[(cell / 64) as usize] |= 1 << (cell % 64);
            self.count += 1;
        }
    }

    /// Opens the file of rows to go on; a line that was cut off is taken away. The problem names the file `out` that
    /// was asked for.
    pub fn open(study: &Study, file: &str, out: &str, resume: bool) -> Result<(Self, File), Problem> {
        let expected = "a file that can be written";
        let failed = |error: std::io::Error| Problem::at(out, error.to_string(), expected);
        for path in [file, out] {
            let there = std::fs::metadata(path).is_ok_and(|there| there.len() > 0);
            if there && (!resume || path != file) {
                return Err(Problem::at(
                    path,
                    "there is such a file",
                    "another name, or --resume to go on with its rows",
                ));
            }
            if there && Path::new(path).is_dir() {
                return Err(Problem::at(path, "a folder", expected));
            }
        }
        let mut rows = Self::none(study);
        let mut options = OpenOptions::new();
        let mut opened =
            options.read(true).write(true).create(true).truncate(false).open(file).map_err(failed)?;
        let whole = rows.read(study, BufReader::new(&opened), out)?;
        opened.set_len(whole).map_err(failed)?;
        opened.seek(SeekFrom::Start(whole)).map_err(failed)?;
        Ok((rows, opened))
    }

    /// Reads rows; how many bytes the whole lines are.
    fn read(&mut self, study: &Study, mut from: impl BufRead, out: &str) -> Result<u64, Problem> {
        let (mut whole, mut number) = (0, 0u64);
        let mut line = Vec::new();
        loop {
            line.clear();
            let limited = std::io::Read::take(&mut from, LONGEST as u64).read_until(b'\n', &mut line);
            let long =
                limited.map_err(|error| Problem::at(out, error.to_string(), "a file that can be read"))?;
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
            self.note(cell);
            whole += long as u64;
        }
    }
}
