//! All cells of a study by several threads, whose rows are handed over in batches of some milliseconds.
//!
//! Invariant: memory does not grow with the number of cells. Whoever is handed the rows is also asked several times a
//! second whether to go on, however long a cell takes; each thread hears of it between two slices.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

use base::Control;

use super::{CellRun, Study};

/// Batches that wait to be taken.
const WAITING: usize = 64;
/// A batch is handed over after so many units of work, some tens of nanoseconds each: what a killed run computes again.
const BATCH_UNITS: u64 = 500_000;
/// And once it has so many bytes.
const BATCH_BYTES: usize = 1 << 16;
/// Between two slices of so many units a thread looks whether it is to stop.
const SLICE_UNITS: u64 = 1_000_000;
/// Whoever takes rows is asked as often as this, where there are none.
const ASKED: Duration = Duration::from_millis(50);

/// Rows of one thread.
#[derive(Debug, Default)]
pub struct Batch {
    /// The cells they are of.
    pub cells: Vec<u64>,
    /// The rows in the same order, with their line ends.
    pub text: String,
    spent: u64,
}

/// What whoever takes rows is told.
#[derive(Debug)]
pub enum Told<'a> {
    /// There are new rows.
    Rows(&'a Batch),
    /// There are none yet.
    Waits,
}

/// Computes the cells of a study that `there` does not tell to have their rows, `threads` at a time.
///
/// # Errors
/// The first error of whoever takes the rows; then no further cell is begun.
pub fn compute<E>(
    study: &Study,
    threads: usize,
    there: &(dyn Fn(u64) -> bool + Sync),
    taken: &mut dyn FnMut(Told<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let (next, stopped) = (AtomicU64::new(0), AtomicBool::new(false));
    let (sender, receiver) = sync_channel::<Batch>(WAITING);
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let sender = sender.clone();
            let (next, stopped) = (&next, &stopped);
            scope.spawn(move || work(study, next, stopped, there, &sender));
        }
        drop(sender);
        let took = loop {
            let taken = match receiver.recv_timeout(ASKED) {
                Ok(batch) => taken(Told::Rows(&batch)),
                Err(RecvTimeoutError::Timeout) => taken(Told::Waits),
                Err(RecvTimeoutError::Disconnected) => break Ok(()),
            };
            if taken.is_err() {
                break taken;
            }
        };
        stopped.store(true, Ordering::Relaxed);
        drop(receiver); // whoever waits to be heard waits no longer
        took
    })
}

/// What each thread does.
fn work(
    study: &Study,
    next: &AtomicU64,
    stopped: &AtomicBool,
    there: &(dyn Fn(u64) -> bool + Sync),
    sender: &SyncSender<Batch>,
) {
    let mut batch = Batch::default();
    while !stopped.load(Ordering::Relaxed) {
        let cell = next.fetch_add(1, Ordering::Relaxed);
        if cell >= study.cells() {
            break;
        }
        if there(cell) {
            continue;
        }
        batch.add(study, cell, stopped);
        if batch.is_full() && sender.send(std::mem::take(&mut batch)).is_err() {
            return;
        }
    }
    // Nobody listens where taking rows failed, which is told there.
    let _ = sender.send(batch);
}

impl Batch {
    /// Computes a cell, unless everything is stopped meanwhile.
    fn add(&mut self, study: &Study, index: u64, stopped: &AtomicBool) {
        let Some(cell) = study.cell(index) else { return };
        let mut run = CellRun::start(cell);
        while !stopped.load(Ordering::Relaxed) {
            if let Some(row) = run.step(&mut Control::slice(SLICE_UNITS)) {
                self.text.push_str(&row);
                self.text.push('\n');
                self.cells.push(index);
                break;
            }
        }
        self.spent += run.spent();
    }

    fn is_full(&self) -> bool {
        self.spent >= BATCH_UNITS || self.text.len() >= BATCH_BYTES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn study() -> Study {
        super::super::read(
            r#"{ "warpspan": 1, "study": {
                "base": { "warps": { "kernel": "LCL", "count": 1, "machine": { "L": 1, "C": 1 } } },
                "axes": [{ "path": "warps.count", "from": 1, "to": 64 }],
                "measures": { "makespan": "makespan" } } }"#,
        )
        .expect("a study")
    }

    #[test]
    fn every_cell_that_is_not_there_comes_once() {
        let study = study();
        for threads in [0, 1, 3, 100] {
            let mut found = Vec::new();
            let there = |cell: u64| cell.is_multiple_of(3);
            let taken = compute::<()>(&study, threads, &there, &mut |told| {
                if let Told::Rows(batch) = told {
                    assert_eq!(batch.cells.len(), batch.text.lines().count());
                    let rows = batch.cells.iter().zip(batch.text.lines());
                    found.extend(rows.map(|(cell, row)| (*cell, row.to_owned())));
                }
                Ok(())
            });
            found.sort();
            let all = (0..64).filter(|cell| cell % 3 > 0);
            let expected: Vec<_> = all.map(|cell| (cell, study.evaluate(cell).expect("a row"))).collect();
            assert_eq!((taken, found), (Ok(()), expected), "{threads} threads");
        }
    }

    #[test]
    fn an_error_ends_it() {
        let taken = compute(&study(), 2, &|_| false, &mut |_| Err("full"));
        assert_eq!(taken, Err("full"));
    }
}
