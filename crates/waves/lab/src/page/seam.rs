//! What the page and the worker that holds a capture say to each other: one closed enum each way.

use serde::{Deserialize, Serialize};

use super::packed::Packed;
use super::says::Said;
use base::Problem;

/// Under this key a message holds a [`ToHolder`].
pub const CAPTURE: &str = "thread-trace";

/// From the page to the worker. The files of [`ToHolder::Open`] travel beside it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum ToHolder {
    /// Read the capture of this document, from the files that come along where it names some.
    Open {
        /// The document.
        text: String,
        /// The names of the files, with folders before them.
        paths: Vec<String>,
    },
    /// Say to what a stretch went.
    Stretch {
        /// The place of its bar.
        place: u32,
    },
    /// Write the capture in another form.
    Write(Form),
}

/// A form that a capture is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Form {
    /// Trace events, as JSON.
    Perfetto,
    /// A row for every stretch.
    Csv,
    /// The report, as one line of JSON.
    Report,
}

/// From the worker to the page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum FromHolder {
    /// So much was read.
    Progress {
        /// Waves that were read, or bytes.
        read: f64,
        /// How many there are.
        total: f64,
    },
    /// What was read, to be drawn.
    Drawn(Box<Packed>),
    /// The report of it, as its line.
    Reported(String),
    /// To what a stretch went.
    Stretch {
        /// The place of its bar.
        place: u32,
        /// What is said of it.
        said: Box<Said>,
    },
    /// The capture in another form.
    Written(Form, String),
    /// The capture is none.
    Refused(Vec<Problem>),
}
