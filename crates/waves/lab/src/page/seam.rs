//! What the page and the worker that holds a capture say to each other: one closed enum each way.

use serde::{Deserialize, Serialize};

use super::packed::Packed;
use super::says::Said;
use base::{Problem, people};

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
    /// Read likewise, and sum it up: another capture to compare one with.
    Other {
        /// The document.
        text: String,
        /// The names of the files, with folders before them.
        paths: Vec<String>,
    },
    /// Sum up what is held.
    SumUp,
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
    /// What it does.
    Does(Doing),
    /// What was read, to be drawn.
    Drawn(Box<Packed>),
    /// The report of it, as its line.
    Reported(String),
    /// The capture summed up: a [`Side`](crate::diff::Side) as JSON.
    Summed(String),
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

/// What the worker does while a capture is opened.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub enum Doing {
    /// It starts.
    #[default]
    Starts,
    /// It reads a file.
    Reads {
        /// Which one; or that it unpacks an archive.
        what: String,
        /// How many waves are read.
        read: f64,
        /// How many there are; 0 while that is not known.
        total: f64,
    },
    /// It gives every cycle its cause.
    Accounts,
}

impl Doing {
    /// What a reader tells.
    pub fn reads(now: &waves_read::Progress<'_>) -> Self {
        Self::Reads { what: now.what.to_owned(), read: now.done as f64, total: now.total as f64 }
    }

    /// How much of the reading is over.
    pub fn share(&self) -> Option<f64> {
        match self {
            Self::Reads { read, total, .. } if *total > 0.0 => Some(read / total),
            Self::Accounts => Some(1.0),
            Self::Reads { .. } | Self::Starts => None,
        }
    }

    /// In words.
    pub fn said(&self) -> String {
        match self {
            Self::Starts => "Reading…".to_owned(),
            Self::Reads { what, read, total } if *total > 0.0 => {
                let total = people::counted(*total as usize, "wave");
                format!("{what}: {} of {total} read", people::grouped(*read as u128))
            }
            Self::Reads { what, .. } => format!("{what}…"),
            Self::Accounts => "Every cycle gets its cause…".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_done_is_said_with_how_much_of_how_much() {
        let reads = |what: &str, read, total| Doing::Reads { what: what.to_owned(), read, total };
        let told = [
            (Doing::Starts, "Reading…", None),
            (reads("unpacking", 0.0, 0.0), "unpacking…", None),
            (
                reads("se0_sm1_sl2_wv3.json", 1_028.0, 4_112.0),
                "se0_sm1_sl2_wv3.json: 1,028 of 4,112 waves read",
                Some(0.25),
            ),
            (Doing::Accounts, "Every cycle gets its cause…", Some(1.0)),
        ];
        for (doing, said, share) in told {
            assert_eq!((doing.said().as_str(), doing.share()), (said, share));
        }
    }
}
