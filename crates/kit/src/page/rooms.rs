//! The lesson that goes on, and what rooms, lessons and sheets are told: plain values that travel from one wasm to the
//! other.

use std::sync::atomic::{AtomicU32, Ordering};

use serde::{Deserialize, Serialize};

pub use super::told::ToOpen;
use super::told::{Looked, ToldOfPage};
pub use crate::scenario::link::LessonSource;

/// How many published values are refuted, as the start page says before anybody has opened them; a test counts them.
pub const REFUTED: usize = 27;

/// Steps that were gone to since the page was loaded: no two have the same number, whichever lessons they are of.
static ENTERED: AtomicU32 = AtomicU32::new(0);

fn entered() -> u32 {
    ENTERED.fetch_add(1, Ordering::Relaxed) + 1
}

/// The lesson that goes on beside the labs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lesson {
    /// Which one.
    pub source: LessonSource,
    /// Its step, from 0.
    pub at: usize,
    /// Grows whenever a step is gone to; 0 while what the address holds stands.
    pub entered: u32,
}

impl Lesson {
    /// A lesson at a step that is gone to.
    pub fn begun(source: LessonSource, at: usize) -> Self {
        Self { source, at, entered: entered() }
    }

    /// Goes to a step, also to the present one.
    pub fn gone_to(self, at: usize) -> Self {
        Self { at, entered: entered(), ..self }
    }
}

/// The shape in which a lesson's source travels.
#[derive(Serialize, Deserialize)]
#[serde(remote = "LessonSource")]
pub(super) enum SourceShape {
    Named(String),
    Own(String),
}

/// What a room, or the sheet to print, is told.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ToldOfRoom {
    /// The page around it.
    pub page: ToldOfPage,
    /// What the address asks for in it, empty for nothing in particular; the document, for a sheet.
    pub at: String,
    /// The address of the page, up to `#`; for a sheet, that of the scenario.
    pub base: String,
    /// For a sheet, the address of the scenario with its answer hidden.
    pub hidden: String,
    /// For a sheet, what a search beside the document has proven of its worst case: at least and at most so many cycles.
    pub proven: Option<(u32, u32)>,
}

/// What is told to the questions about a schedule.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ToldOfGuess {
    /// The page around it.
    pub page: ToldOfPage,
    /// What is known of the schedule; none where nothing is asked.
    pub given: Option<Given>,
}

/// What is known of a schedule whose makespan is to be guessed, and the makespan.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Given {
    /// How many warps there are.
    pub warps: usize,
    /// What each of them executes.
    pub kernel: String,
    /// The machine.
    pub machine: String,
    /// How turns are taken.
    pub method: String,
    /// What is to be guessed.
    pub makespan: u32,
    /// The entries of its order, where they are so few that they can be placed by hand.
    pub entries: Vec<Entry>,
}

/// An entry of an order: it puts an instruction of its warp into a cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// The warp, from 0.
    pub warp: u32,
    /// The letter of the instruction.
    pub letter: char,
    /// The cycle it comes into.
    pub cycle: u32,
}

/// What the panel of a lesson is told.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToldOfLesson {
    /// The page around it.
    pub page: ToldOfPage,
    /// Which lesson it is; one without a name before anything was told.
    #[serde(with = "SourceShape")]
    pub source: LessonSource,
    /// Its step, from 0.
    pub at: usize,
    /// Grows whenever a step is gone to: each time its scenario is opened once. 0 while that of the address stands.
    pub entered: u32,
    /// The document on the page.
    pub document: String,
    /// Whether it cannot be run as it stands.
    pub wrong: bool,
    /// Whether something runs.
    pub running: bool,
    /// Whether the report is of an earlier document.
    pub stale: bool,
    /// What the search for the worst case has found about its warps, as a line; empty where there is none.
    pub worst_case: String,
    /// How the page looks at it.
    pub view: Looked,
    /// Whether the answer is still hidden.
    pub hidden: bool,
}

impl Default for ToldOfLesson {
    fn default() -> Self {
        Self {
            page: ToldOfPage::default(),
            source: LessonSource::Named(String::new()),
            at: 0,
            entered: 0,
            document: String::new(),
            wrong: false,
            running: false,
            stale: false,
            worst_case: String::new(),
            view: Looked::default(),
            hidden: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named() -> LessonSource {
        LessonSource::Named("orders".to_owned())
    }

    #[test]
    fn whoever_goes_to_a_step_goes_there_anew() {
        let lesson = Lesson::begun(named(), 2);
        let again = lesson.clone().gone_to(2);
        assert_eq!((again.at, &again.source), (2, &lesson.source));
        assert!(again.entered > lesson.entered && lesson.entered > 0);
        assert!(Lesson::begun(named(), 0).entered > again.entered);
    }
}
