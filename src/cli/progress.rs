//! One line on the terminal that says how far a job is. Silent where standard error is no terminal.

#![allow(clippy::disallowed_methods)] // the command line is where the clock is read

use std::io::{IsTerminal, Write};
use std::time::Instant;

use crate::base::people;
use crate::base::problem::{MOST_QUOTED, one_line};
use crate::job::Progress;

/// Shown at most this often, and not before the job has run this long.
const EVERY: f64 = 0.1;

/// The line, and the clock of the job.
pub struct ProgressLine {
    title: String,
    started: Instant,
    shown: f64,
    terminal: bool,
}

impl ProgressLine {
    /// Starts the clock.
    pub fn start(title: &str) -> Self {
        let terminal = std::io::stderr().is_terminal();
        Self { title: one_line(title, MOST_QUOTED), started: Instant::now(), shown: 0.0, terminal }
    }

    /// Whether somebody sees it.
    pub fn seen(&self) -> bool {
        self.terminal
    }

    /// Seconds since the start.
    pub fn seconds(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }

    /// The same clock for others.
    pub fn clock(&self) -> impl Fn() -> f64 + Copy + use<> {
        let started = self.started;
        move || started.elapsed().as_secs_f64()
    }

    /// Shows how far the job is.
    pub fn show(&mut self, progress: &Progress) {
        let now = self.seconds();
        if !self.terminal || now - self.shown < EVERY {
            return;
        }
        self.shown = now;
        let told = match &progress.bracket {
            Some(bracket) => bracket.text(),
            None => {
                let share = people::percent(progress.done as f64 / progress.total.max(1) as f64);
                share + &progress.best.map_or(String::new(), |best| format!(", best {best}"))
            }
        };
        self.write(&format!("\r\x1b[K{}: {told}, {now:.1} s", self.title));
    }

    /// Shows how many cells of a study are done, and how long the others will take at that rate.
    pub fn show_cells(&mut self, done: u64, total: u64) {
        let now = self.seconds();
        if !self.terminal || now - self.shown < EVERY {
            return;
        }
        self.shown = now;
        let (of, share) = (people::grouped(total.into()), people::percent(done as f64 / total.max(1) as f64));
        let left = match done {
            0 => String::new(), // nothing is known of the rate yet
            done => format!(", {:.0} s left", now * total.saturating_sub(done) as f64 / done as f64),
        };
        let done = people::grouped(done.into());
        self.write(&format!("\r\x1b[K{}: {done} of {of} cells, {share}, {now:.0} s{left}", self.title));
    }

    /// Takes the line away again.
    pub fn clear(&mut self) {
        if self.terminal && self.shown > 0.0 {
            self.write("\r\x1b[K");
        }
    }

    fn write(&self, text: &str) {
        let mut err = std::io::stderr().lock();
        // A terminal that is gone has nobody to tell.
        let _ = err.write_all(text.as_bytes()).and_then(|()| err.flush());
    }
}
