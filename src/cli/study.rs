//! `warpspan study`: all cells of a study by several threads, whose rows are written as they come.

use std::io::Write;

use serde_json::Value;

use super::progress::ProgressLine;
use super::{ExitCodeNumber, USAGE, of_text, read, tell};
use crate::base::{Problem, people};
use crate::cli::through::Through;
use crate::import::json;
use crate::study::rows::{Known, Rows, unwritable};
use crate::study::threads::{Told, compute};
use crate::study::{Estimate, Study, Took};

/// What a call asks for.
#[derive(Debug, PartialEq, Eq)]
pub struct Asked {
    /// The study.
    pub file: String,
    /// At most so many cells at a time; else as many as there are processors.
    pub threads: Option<usize>,
    /// Where rows go; standard output else.
    pub out: Option<String>,
    /// Whether rows that are there stay.
    pub resume: bool,
}

/// Runs a study.
pub fn study(asked: &Asked) -> ExitCodeNumber {
    match run(asked) {
        Ok(()) => 0,
        Err(problems) => {
            for problem in problems {
                tell(&format!("{}: {problem}", asked.file));
            }
            USAGE
        }
    }
}

fn run(asked: &Asked) -> Result<(), Vec<Problem>> {
    let scenario = of_text(&read(&asked.file)?, &Through::default())?;
    let none = || vec![Problem::at("document", "no study", "{\"warpspan\": 1, \"study\": {...}}")];
    let study = Study::of(&scenario).ok_or_else(none)?;
    let threads =
        asked.threads.or_else(|| std::thread::available_parallelism().ok().map(usize::from)).unwrap_or(1);
    let one = |problem: Problem| vec![problem];
    let Some(out) = &asked.out else {
        say_how_long(&study, study.cells(), threads);
        let mut line = ProgressLine::start(&scenario.title);
        let mut stdout = std::io::stdout().lock();
        let written = all(&study, &Known::none(&study), threads, &mut stdout, &mut line);
        return match written {
            // A reader that has gone away is no error.
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
            Err(error) => Err(one(unwritable("standard output", &error))),
            Ok(fates) => fates.any_good().map_err(one),
        };
    };
    let rows = Rows::open(&study, out, asked.resume).map_err(one)?;
    say_how_long(&study, study.cells() - rows.known().count(), threads);
    let mut line = ProgressLine::start(&scenario.title);
    let written = all(&study, rows.known(), threads, &mut rows.end(), &mut line);
    let fates = written.map_err(|error| one(unwritable(out, &error)))?;
    rows.done().map_err(one)?;
    fates.any_good().map_err(one)
}

/// Says on a terminal how many cells there are to compute, and about how long that takes.
fn say_how_long(study: &Study, cells: u64, threads: usize) {
    let clock = ProgressLine::start("");
    if !clock.seen() || cells == 0 {
        return;
    }
    let estimate = study.estimate();
    let units = u128::from(estimate.units) * u128::from(cells) / u128::from(estimate.cells.max(1));
    let estimate = Estimate { units: u64::try_from(units).unwrap_or(u64::MAX), ..estimate };
    if let Some(words) = Took::new(&estimate, clock.seconds()).words(threads as u64) {
        let cells = people::counted(usize::try_from(cells).unwrap_or(usize::MAX), "cell");
        tell(&format!("{cells} to compute: {words} with {}", people::counted(threads, "thread")));
    }
}

/// What became of all cells of a study.
#[derive(Default)]
struct Fates {
    /// Whether any has values.
    good: bool,
    /// What the first one failed with that did.
    problem: Option<String>,
}

impl Fates {
    /// Notes rows; it takes no longer look once one has values.
    fn note(&mut self, rows: &str) {
        for row in rows.lines() {
            if self.good {
                return;
            }
            let row = json::parse(row).unwrap_or_default();
            match row.get("problem").and_then(Value::as_str) {
                Some(problem) => drop(self.problem.get_or_insert_with(|| problem.to_owned())),
                None => self.good = true,
            }
        }
    }

    /// A study in which every cell failed asks for what there is not, such as a measure that no report has.
    fn any_good(self) -> Result<(), Problem> {
        match self.problem.filter(|_| !self.good) {
            Some(problem) => {
                let found = format!("every cell failed, the first with: {problem}");
                Err(Problem::at("study", found, "a cell that has values"))
            }
            None => Ok(()),
        }
    }
}

/// Computes all cells whose rows are not there yet. What was written outlives this program.
fn all(
    study: &Study,
    known: &Known,
    threads: usize,
    out: &mut dyn Write,
    line: &mut ProgressLine,
) -> std::io::Result<Fates> {
    // Rows that were there had values, or this was told when they were made.
    let mut fates = Fates { good: known.count() > 0, ..Fates::default() };
    let (mut done, total) = (0, study.cells() - known.count());
    let written = compute(study, threads, &|cell| known.has(cell), &mut |told| {
        if let Told::Rows(batch) = told {
            fates.note(&batch.text);
            out.write_all(batch.text.as_bytes())?;
            out.flush()?;
            done += batch.cells.len() as u64;
        }
        line.show_cells(done, total);
        Ok(())
    });
    line.clear();
    written.map(|()| fates)
}
