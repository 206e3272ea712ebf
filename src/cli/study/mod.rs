//! `warpspan study`: all cells of a study by several threads, each row written as soon as it is there.
//!
//! Invariant: memory does not grow with the number of cells, but for a bit for each.

mod rows;
mod table;

use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};

use super::progress::ProgressLine;
use super::{ExitCodeNumber, USAGE, of_text, read, tell};
use crate::base::Problem;
use crate::cli::through::Through;
use crate::study::Study;
use rows::Rows;
use table::Table;

/// Rows that wait to be written.
const WAITING: usize = 1_024;

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
        let mut line = ProgressLine::start(&scenario.title);
        let mut stdout = std::io::stdout().lock();
        return compute(&study, &Rows::none(&study), threads, &mut stdout, &mut line)
            .map_err(|error| one(unwritable("standard output", &error)));
    };
    let table = Table::named(out).map_err(one)?;
    let (rows, mut file) = Rows::open(&study, &table.rows(out), out, asked.resume).map_err(one)?;
    let mut line = ProgressLine::start(&scenario.title);
    compute(&study, &rows, threads, &mut file, &mut line).map_err(|error| one(unwritable(out, &error)))?;
    drop(file);
    table.made(&study, out).map_err(|error| one(unwritable(out, &error)))
}

fn unwritable(place: &str, error: &std::io::Error) -> Problem {
    Problem::at(place, error.to_string(), "a place that can be written")
}

/// Computes all cells whose rows are not there yet.
fn compute(
    study: &Study,
    rows: &Rows,
    threads: usize,
    out: &mut dyn Write,
    line: &mut ProgressLine,
) -> std::io::Result<()> {
    let (next, stopped) = (AtomicU64::new(0), AtomicBool::new(false));
    let (sender, receiver) = sync_channel::<String>(WAITING);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let sender = sender.clone();
            let (next, stopped) = (&next, &stopped);
            scope.spawn(move || {
                while !stopped.load(Ordering::Relaxed) {
                    let cell = next.fetch_add(1, Ordering::Relaxed);
                    if cell >= study.cells() {
                        break;
                    }
                    if rows.has(cell) {
                        continue;
                    }
                    let row = study.evaluate(cell);
                    if row.is_none_or(|row| sender.send(row + "\n").is_err()) {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let written = write(study, rows, &receiver, out, line);
        stopped.store(true, Ordering::Relaxed);
        drop(receiver); // whoever waits to be heard waits no longer
        line.clear();
        match written {
            // A reader that has gone away is no error.
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
            written => written,
        }
    })
}

fn write(
    study: &Study,
    rows: &Rows,
    receiver: &Receiver<String>,
    out: &mut dyn Write,
    line: &mut ProgressLine,
) -> std::io::Result<()> {
    let before = rows.count();
    let mut done = before;
    let mut out = std::io::BufWriter::new(out);
    while let Ok(row) = receiver.recv() {
        out.write_all(row.as_bytes())?;
        done += 1;
        // What others have ready is written with it; what was written outlives this program.
        while let Ok(row) = receiver.try_recv() {
            out.write_all(row.as_bytes())?;
            done += 1;
        }
        out.flush()?;
        line.show_cells(done - before, study.cells() - before);
    }
    out.flush()
}
