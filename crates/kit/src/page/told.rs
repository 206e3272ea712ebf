//! What the page tells the parts that show a document and its run, as plain values.

use super::results::Ran;
use serde::{Deserialize, Serialize};

use crate::scenario::link::View;
use base::Problem;

/// What the page tells the panel beside those lines.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ToldOfTrial {
    /// Tells one run from the next.
    pub job: u32,
    /// The document's title.
    pub title: String,
    /// Its notes.
    pub notes: String,
    /// Whether it runs.
    pub running: bool,
    /// Whether it was stopped before its end.
    pub stopped: bool,
    /// Whether the document is another one by now.
    pub stale: bool,
    /// Whether that one cannot be run.
    pub wrong: bool,
    /// What is wrong with it, for a part that edits it.
    pub problems: Vec<Problem>,
    /// Cells judged.
    pub done: u64,
    /// Cells in all.
    pub total: u64,
    /// What a search has proven of the worst case so far: it is at least the first and at most the last.
    pub bracket: Option<(u32, u32)>,
    /// The cell someone looks at.
    pub chosen: Option<usize>,
    /// How it is to be looked at.
    pub looked: Looked,
    /// The document as it stands, for a part that edits it.
    pub document: Option<String>,
    /// What a link has pinned, once it was run and until somebody has it.
    pub pinned: Option<Ran>,
    /// The page around it.
    pub page: ToldOfPage,
}

impl ToldOfTrial {
    /// What is said of a run that is over in place of what came of it; `any` is whether anything did.
    pub fn instead(&self, any: bool) -> Option<&'static str> {
        match (any, self) {
            (false, Self { stopped: true, .. }) => Some("Stopped before anything was known."),
            (true, Self { wrong: true, .. }) => {
                Some("The document has mistakes in it; this is of the one before.")
            }
            (true, Self { stale: true, .. }) => Some("The document has changed; this is of the one before."),
            _ => None,
        }
    }
}

/// How a link asks for a document to be looked at.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Looked {
    /// Counts how often it was asked for; each time it is done once.
    pub number: u32,
    /// Step of the player.
    pub step: Option<u64>,
    /// Left edge of the window.
    pub t0: Option<f64>,
    /// Right edge of the window.
    pub t1: Option<f64>,
    /// What is selected.
    pub sel: Option<String>,
    /// What rows are.
    pub rows: Option<String>,
    /// What it is compared with: a document as one line.
    pub pin: Option<String>,
}

impl Looked {
    /// As a link asks for it.
    pub fn of(view: &View) -> Self {
        Self {
            number: 0,
            step: view.step,
            t0: view.t0,
            t1: view.t1,
            sel: view.sel.clone(),
            rows: view.rows.clone(),
            pin: view.pin.clone(),
        }
    }

    /// As a link carries it.
    pub fn view(&self) -> View {
        View {
            step: self.step,
            t0: self.t0,
            t1: self.t1,
            sel: self.sel.clone(),
            rows: self.rows.clone(),
            pin: self.pin.clone(),
            ..View::default()
        }
    }
}

/// What a part needs to know of the page around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ToldOfPage {
    /// Whether it is dark.
    pub dark: bool,
    /// Whether single keys act.
    pub keys: bool,
    /// Whether there is nothing around the picture.
    pub embed: bool,
    /// Whether the answer is hidden until someone has guessed it.
    pub hide: bool,
}

/// Another order for what a document launches.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct InOrder {
    /// The places in the list they stand in, in the new order.
    pub places: Vec<usize>,
    /// A title for the document in that order.
    pub title: String,
    /// Notes for it.
    pub notes: String,
}

/// What is opened on the page for a part of it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ToOpen {
    /// The document's text.
    pub document: String,
    /// How it is looked at.
    pub view: Looked,
    /// Whether its answer is hidden until someone reveals it.
    pub hide: bool,
    /// What is said of it.
    pub what: String,
}

/// How a job stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Heard {
    /// It is so far.
    Progress {
        /// Steps that are done.
        done: u64,
        /// Steps in all.
        total: u64,
    },
    /// It is over, with the line of its report; none where it was stopped before it had one.
    Report(Option<String>),
    /// Its document was refused.
    Refused(Vec<Problem>),
    /// Its worker died, and why.
    Crashed(String),
}
