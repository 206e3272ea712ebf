//! The seam between the page and the parts of it that come with the program of the labs: plain values that travel from
//! one wasm to the other.
//!
//! Invariants: what a part can be, what it asks the page for and what it hears of its jobs are closed enums, matched
//! without a catch-all on both sides, so that what one side does not know does not compile. Beside them a part is told
//! one struct, whenever that changes, and hears entries, each of which crosses once.

use serde::{Deserialize, Serialize};

use super::rooms::{SourceShape, ToOpen};
pub use super::told::Heard;
use super::told::{InOrder, Looked};
use super::{Room, Subject};
use crate::scenario::link::LessonSource;
use base::Problem;

/// Everything that can be put into the page from there. What each is told and hears is in brackets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Part {
    /// The chart of a search's chains ([`super::chart::Told`]; its data, as one entry).
    Chart,
    /// The panel of a lab ([`super::trial::ToldOfTrial`]; lines of its run).
    Panel(Subject),
    /// The form of a lab ([`ToldOfForm`]; nothing).
    Form(Subject),
    /// Numbers and marks at the lines of the document's text ([`ToldOfForm`]; nothing).
    Margin,
    /// The studies that can be made of a document ([`ToldOfForm`]; nothing).
    Made,
    /// The room of reproductions ([`super::rooms::ToldOfRoom`]; [`JobNews`]).
    Reproduce,
    /// The room of lessons (likewise).
    Lessons,
    /// The room of examples (likewise).
    Gallery,
    /// The lesson that goes on ([`super::rooms::ToldOfLesson`]; lines of the report on the screen, the last whole).
    Lesson,
    /// The sheet to print ([`super::rooms::ToldOfRoom`]; lines of the report, too).
    Sheet,
    /// What the keys do ([`super::told::ToldOfPage`]; nothing).
    Shortcuts,
    /// The source that a schedule of warps comes from ([`super::results::ToldOfSource`]; [`super::results::ToRead`]).
    Source,
    /// A schedule of warps as a table ([`super::results::ToldOfTable`]; [`super::results::Ran`]).
    Table,
    /// What a stretch of a schedule adds up to ([`super::results::ToldOfSums`]; [`super::results::Ran`]).
    Sums,
    /// What two schedules of warps differ in ([`super::results::ToldOfComparison`]; [`super::results::ToCompare`]).
    Compare,
    /// The questions about a schedule of warps ([`super::rooms::ToldOfGuess`]; nothing).
    Guessing,
}

impl Part {
    /// What tests find its place in the page by.
    pub fn name(self) -> &'static str {
        match self {
            Self::Chart => "chart",
            Self::Panel(of) => of.row().panel,
            Self::Form(of) => of.row().form,
            Self::Margin => "margin",
            Self::Made => "made",
            Self::Reproduce => "reproduce",
            Self::Lessons => "lessons",
            Self::Gallery => "examples",
            Self::Lesson => "lesson",
            Self::Sheet => "sheet",
            Self::Shortcuts => "shortcuts",
            Self::Source => "ptx",
            Self::Table => "schedule-table",
            Self::Sums => "stretch-sums",
            Self::Compare => "comparison",
            Self::Guessing => "guessing",
        }
    }

    /// What style sheets find it by.
    pub fn class(self) -> &'static str {
        match self {
            Self::Chart => "figure",
            Self::Panel(_) | Self::Source | Self::Sums | Self::Compare => "part",
            Self::Table => "rows",
            Self::Form(_) => "form",
            Self::Made
            | Self::Margin
            | Self::Reproduce
            | Self::Lessons
            | Self::Gallery
            | Self::Lesson
            | Self::Sheet
            | Self::Shortcuts
            | Self::Guessing => self.name(),
        }
    }

    /// What a screen reader calls it, where it is a region of its own.
    pub fn label(self) -> Option<&'static str> {
        match self {
            Self::Chart => Some("Convergence"),
            Self::Panel(of) => Some(of.row().region),
            Self::Form(_) | Self::Margin => None,
            Self::Made => Some("Studies of this scenario"),
            Self::Reproduce => Some(Room::Reproduce.name()),
            Self::Lessons => Some(Room::Lessons.name()),
            Self::Gallery => Some(Room::Examples.name()),
            Self::Lesson => Some("Lesson"),
            Self::Sheet => Some("Sheet to print"),
            Self::Shortcuts => Some("Keys"),
            Self::Source => Some("Source"),
            Self::Table => Some("Table"),
            Self::Sums => Some("Sums"),
            Self::Compare => Some("Comparison"),
            Self::Guessing => Some("Guess"),
        }
    }

    /// What is said to be missing where it cannot be loaded.
    pub fn shows(self) -> &'static str {
        match self {
            Self::Chart => "what the chains of a search have found over time.",
            Self::Panel(of) => of.row().shows,
            Self::Form(_) => "the form. JSON works.",
            Self::Margin => "the numbers of the lines.",
            Self::Made => "studies that can be made of this scenario.",
            Self::Reproduce => "what was published, computed again.",
            Self::Lessons => "the list of lessons.",
            Self::Gallery => "the list of examples; the one in the form works.",
            Self::Lesson => "the lesson that goes on.",
            Self::Sheet => "the sheet to print.",
            Self::Shortcuts => "what the keys do.",
            Self::Source => "the program and the path through it.",
            Self::Table => "the schedule as a table; Export has it as CSV.",
            Self::Sums => "what the stretch adds up to.",
            Self::Compare => "what differs from the schedule that is pinned.",
            Self::Guessing => "questions about the hidden answer.",
        }
    }
}

/// Where a document was edited: what is edited in one place without a pause is one undo.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub enum Edited {
    /// Anywhere: it is an undo of its own.
    #[default]
    Once,
    /// In a field or by a control of this name.
    In(String),
    /// By the drag that began at this time: however long it takes, all of it is one undo.
    Drag(f64),
    /// In the box that holds the document as text, which is the page's: what someone writes there is not rewritten
    /// under their hands.
    #[serde(skip)]
    AsText,
}

impl From<&str> for Edited {
    fn from(field: &str) -> Self {
        Self::In(field.to_owned())
    }
}

/// What a part asks the page for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Ask {
    /// To run the document on the page.
    Run,
    /// To stop that run.
    Stop,
    /// To show the hidden answer.
    Reveal,
    /// To say this in the status line, to screen readers too.
    Notice(String),
    /// To open a document, in its lab.
    Open(ToOpen),
    /// To open the document that was run with what it launches in another order.
    Reorder(InOrder),
    /// To take another text for the document.
    Edit {
        /// That text.
        text: String,
        /// Where it was written.
        edited: Edited,
    },
    /// To write into the document what is on the screen.
    Adopt(Adopted),
    /// To carry in links how the part looks at the document.
    View(Looked),
    /// To have done with [`ToldOfForm::mend`]: whether the form has a field for it. Where it has none, the text has.
    Mended(bool),
    /// To select an instruction: of a warp, and which, from 0.
    Choose(u32, u32),
    /// To have these instructions stand out, of every warp, from 0 and ascending; none of them ends it.
    Light(Vec<u32>),
    /// To have those that somebody looks for stand out likewise.
    Sought(Vec<u32>),
    /// To tint the instructions that run in another cycle in a schedule that this one is compared with: of the one on the
    /// screen and of the one beneath, ascending; none of them ends it.
    Differ {
        /// Warps that only one of the two has: of the one on the screen, and of the other.
        alone: (Vec<u32>, Vec<u32>),
        /// Of the one on the screen.
        here: Vec<(u32, u32)>,
        /// Of the one beneath, by its own warps.
        beneath: Vec<(u32, u32)>,
    },
    /// To select a cycle, and to bring it into sight.
    Cycle(u32),
    /// To remember the cell that someone looks at.
    Cell(usize),
    /// To show the schedule of an improvement; of the longest where none is selected.
    Select(Option<(usize, usize)>),
    /// To run a document in a worker beside the page; what comes of it is heard as [`JobNews`]. A place that goes away
    /// takes its jobs along.
    Job {
        /// The part's own number for it.
        number: u32,
        /// The document.
        text: String,
    },
    /// To stop the job of that number.
    Cancel(u32),
    /// To have the certificate of a document's result written and saved, or no longer if it is being written.
    Certify {
        /// The document.
        text: String,
        /// What the file is called after.
        title: String,
    },
    /// To begin a lesson.
    Lesson {
        /// Which one.
        #[serde(with = "SourceShape")]
        source: LessonSource,
        /// The step to begin with, from 0.
        at: usize,
    },
    /// To go to a step of the lesson that goes on, from 0.
    Step(usize),
    /// To end that lesson.
    CloseLesson,
    /// To go back to a lab, and to the document that was there last.
    Lab(Subject),
    /// To lay the scenario on the page out as a sheet to print.
    Sheet,
    /// To take that away.
    CloseSheet,
    /// To enter a room, and to go to something in it: empty for nothing in particular.
    Room(Room, String),
}

/// What of a schedule on the screen a document can hold itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Adopted {
    /// The string that its kernel stands for.
    Kernel,
    /// The capacities of its machine.
    Capacities,
    /// Its order.
    Order,
    /// Its cycles.
    Schedule,
}

/// Something about a job that a part has run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JobNews {
    /// The part's own number for it.
    pub number: u32,
    /// What there is to say.
    pub what: Heard,
}

/// What a form is told.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ToldOfForm {
    /// The document.
    pub text: String,
    /// What is wrong with it.
    pub problems: Vec<Problem>,
    /// Whether the answer is hidden, which title and notes tend to tell.
    pub hide: bool,
    /// Whether a lesson goes on, whose answers notes tend to tell.
    pub taught: bool,
    /// Of warps like those of the document: how many, and how long they take at worst, where that is known.
    pub worst: Vec<(u32, u32)>,
    /// The place of the problem that somebody wants to mend.
    pub mend: Option<String>,
}

#[cfg(test)]
mod tests;
