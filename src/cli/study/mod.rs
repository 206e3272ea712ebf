//! `warpspan study`: all cells of a study by several threads, whose rows are written in batches of some milliseconds.
//!
//! Invariant: memory does not grow with the number of cells, but for a bit for each.

mod rows;
mod table;

use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};

use super::progress::ProgressLine;
use super::{ExitCodeNumber, USAGE, of_text, read, tell};
use crate::base::{Control, Problem};
use crate::cli::through::Through;
use crate::study::{CellRun, Study};
use rows::Rows;
use table::Table;

/// Batches that wait to be written.
const WAITING: usize = 64;
/// A batch is handed over after so many units of work, some tens of nanoseconds each: what a killed run computes again.
const BATCH_UNITS: u64 = 500_000;
/// And once it has so many bytes.
const BATCH_BYTES: usize = 1 << 16;

/// Rows of one thread, with their line ends.
#[derive(Default)]
struct Batch {
    text: String,
    rows: u64,
    spent: u64,
}

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
    let (sender, receiver) = sync_channel::<Batch>(WAITING);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let sender = sender.clone();
            let (next, stopped) = (&next, &stopped);
            scope.spawn(move || {
                let mut batch = Batch::default();
                while !stopped.load(Ordering::Relaxed) {
                    let cell = next.fetch_add(1, Ordering::Relaxed);
                    if cell >= study.cells() {
                        break;
                    }
                    if rows.has(cell) {
                        continue;
                    }
                    batch.add(study, cell);
                    if batch.is_full() && sender.send(std::mem::take(&mut batch)).is_err() {
                        return;
                    }
                }
                // Nobody listens where writing failed, which is told there.
                let _ = sender.send(batch);
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
    receiver: &Receiver<Batch>,
    out: &mut dyn Write,
    line: &mut ProgressLine,
) -> std::io::Result<()> {
    let before = rows.count();
    let mut done = before;
    let mut out = std::io::BufWriter::new(out);
    while let Ok(batch) = receiver.recv() {
        out.write_all(batch.text.as_bytes())?;
        // What was written outlives this program.
        out.flush()?;
        done += batch.rows;
        line.show_cells(done - before, study.cells() - before);
    }
    out.flush()
}

impl Batch {
    /// Computes a cell.
    fn add(&mut self, study: &Study, cell: u64) {
        let Some(cell) = study.cell(cell) else { return };
        let mut run = CellRun::start(cell);
        while let Some(row) = run.step(&mut Control::unlimited()) {
            self.text.push_str(&row);
            self.text.push('\n');
            self.rows += 1;
        }
        self.spent += run.spent();
    }

    fn is_full(&self) -> bool {
        self.spent >= BATCH_UNITS || self.text.len() >= BATCH_BYTES
    }
}
