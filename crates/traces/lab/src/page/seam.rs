//! What the page and the worker that holds a recording say to each other: one closed enum each way.

use serde::{Deserialize, Serialize};

use super::packed::Packed;
use super::says::Said;
use base::Problem;

/// Under this key a message holds a [`ToHolder`].
pub const RECORDING: &str = "recording";

/// From the page to the worker. The files of [`ToHolder::Open`] travel beside it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum ToHolder {
    /// Read the recording of this document, from the files that come along where it names some.
    Open {
        /// The document.
        text: String,
    },
    /// Say why an operation started when it did.
    Operation {
        /// Its place.
        place: u32,
    },
    /// Write what began in a stretch of the page's axis as documents of blocks.
    Blocks {
        /// From when.
        from: f64,
        /// Until when.
        to: f64,
        /// The device, by its place.
        device: u32,
    },
    /// Write a kernel as a document of warps.
    Warps {
        /// Its place.
        place: u32,
        /// Its code.
        code: String,
    },
    /// Replay with the changes of this document.
    Change {
        /// The document.
        text: String,
    },
}

/// From the worker to the page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum FromHolder {
    /// So much was read.
    Progress {
        /// Bytes that were read.
        read: f64,
        /// Bytes there are.
        total: f64,
    },
    /// What was read, to be drawn.
    Drawn(Box<Packed>),
    /// The report of it, as its line, and for each of its leads the change that a document says it with.
    Reported {
        /// The report.
        line: String,
        /// The changes, as JSON; none for one that no document says.
        changes: Vec<Option<String>>,
    },
    /// Why an operation started when it did.
    Operation {
        /// Its place.
        place: u32,
        /// What is said of it.
        said: Box<Said>,
    },
    /// What comes of the changes.
    Changed {
        /// How much sooner the run ends; negative where it ends later.
        sooner: f64,
        /// How many operations are at another time.
        moved: u32,
        /// How many calls and copies go before one that they are kept behind: then it is one way the run may go.
        turned: u32,
        /// When each operation starts and ends then: 8 bytes each, the low one first.
        times: serde_bytes::ByteBuf,
    },
    /// The document of blocks, or why there is none.
    Blocks(Result<String, String>),
    /// The document of warps, or why there is none.
    Warps(Result<String, String>),
    /// The recording, or a change, is none.
    Refused(Vec<Problem>),
}
