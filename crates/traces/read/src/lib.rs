//! Readers of profilers' exports: Nsight Systems, the PyTorch profiler, rocprofv3; and of the logs beside them that the
//! scheduling examiner writes.
//!
//! A file is told by its content and read through a [`Source`], piece by piece; a trace comes out of it.
//!
//! Invariants: no input makes a reader panic or run without end; a file that is cut off or damaged gives what was sound,
//! and `left_out` says where it ends; everything read passes `Trace::check`. Nothing here reads a clock or opens a file.

mod draft;
pub mod examiner;
pub mod gzip;
pub mod json;
pub mod kineto;
pub mod nsight;
pub mod rocprof;
mod sniff;
pub mod source;
pub mod sqlite;

pub use sniff::{Format, sniff, sniff_any};
pub use source::Source;

use base::Problem;
use draft::Draft;
use gzip::Gunzip;
use json::{Reader, Stop};
use source::{Feed, Halt, Plain, Tracked};
pub use traces::Trace;

/// Reads a trace. Who drives it is told how many bytes were read, and stops it by answering false.
pub fn read(source: &mut dyn Source, progress: &mut dyn FnMut(u64) -> bool) -> Result<Trace, Vec<Problem>> {
    let Some(format) = sniff_any(source) else {
        return Err(vec![Problem::at(
            "file",
            "none of the formats that are read here",
            "an SQLite export of Nsight Systems, or JSON of the PyTorch profiler or of rocprofv3, plain or gzip",
        )]);
    };
    let tracked = Tracked::new(source, progress);
    match format {
        Format::Nsight => nsight::read(tracked),
        Format::Kineto { gzip } => with_feed(tracked, gzip, &mut |feed| kineto::read(feed)),
        Format::Rocprof { gzip } => with_feed(tracked, gzip, &mut |feed| rocprof::read(feed)),
        Format::Examiner { gzip } => with_feed(tracked, gzip, &mut |feed| examiner::read(feed)),
    }
}

/// Reads a trace that is JSON at hand: of rocprofv3, or else of the PyTorch profiler.
pub fn read_text(text: &str) -> Result<Trace, Vec<Problem>> {
    let (mut bytes, mut go_on) = (text.as_bytes(), |_| true);
    let mut feed = Plain::new(Tracked::new(&mut bytes, &mut go_on));
    if text.contains("\"rocprofiler-sdk-tool\"") { rocprof::read(&mut feed) } else { kineto::read(&mut feed) }
}

/// Reads a text that may be packed.
fn with_feed<T>(tracked: Tracked<'_>, gzip: bool, read: &mut dyn FnMut(&mut dyn Feed) -> T) -> T {
    if gzip { read(&mut Gunzip::new(tracked)) } else { read(&mut Plain::new(tracked)) }
}

/// A reading that ended as a problem.
fn halted(halt: Halt) -> Problem {
    match halt {
        Halt::Problem(problem) => problem,
        Halt::Stopped => Problem::at("file", "the reading was stopped", "a reading to the end"),
    }
}

/// Notes where and why a text ended before its end; a problem where nothing was found before.
fn ended(json: &Reader<'_>, stop: Option<Stop>, found: usize, draft: &mut Draft) -> Result<(), Vec<Problem>> {
    let at = json.position();
    let why = match stop {
        None => None,
        Some(Stop::Halt(halt)) => return Err(vec![halted(halt)]),
        Some(Stop::Cut) => Some((format!("cut off after byte {at}"), "the rest of the text")),
        Some(Stop::Wrong(expected)) => Some((format!("not JSON at byte {at}"), expected)),
    };
    if let Some((what, expected)) = why {
        if found == 0 {
            return Err(vec![Problem::at("file", what, expected)]);
        }
        draft.leave_out(&format!("what follows: the text is {what}"), 1);
    }
    if let Some(note) = json.note() {
        draft.leave_out(&format!("gzip: {note}"), 1);
    }
    Ok(())
}
