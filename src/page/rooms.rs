//! What the page and its rooms say to each other: plain values that travel from one wasm to the other.

use std::sync::atomic::{AtomicU32, Ordering};

use serde::{Deserialize, Serialize};

use super::trial::{Looked, ToldOfPage};
pub use crate::scenario::link::LessonSource;

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

/// What a room is told.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub struct ToldOfRoom {
    /// The page around it.
    pub page: ToldOfPage,
    /// What the address asks for in it; empty for nothing in particular.
    pub at: String,
    /// The address of the page, up to `#`.
    pub base: String,
}

/// What is told to the questions about a schedule.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub struct ToldOfGuess {
    /// The page around it.
    pub page: ToldOfPage,
    /// What is known of the schedule: how many warps, their kernel, the machine, and how turns are taken.
    pub given: Vec<String>,
    /// Its makespan; none where nothing is asked.
    pub right: Option<u32>,
}

/// What the panel of a lesson is told.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub struct ToldOfLesson {
    /// The page around it.
    pub page: ToldOfPage,
    /// Which lesson it is, by its name.
    pub name: String,
    /// Or someone's own, as text.
    pub own: Option<String>,
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
    /// How the page looks at it.
    pub view: Looked,
    /// Whether the answer is still hidden.
    pub hidden: bool,
}

impl ToldOfLesson {
    /// Where the lesson is from.
    pub fn source(&self) -> LessonSource {
        match &self.own {
            Some(text) => LessonSource::Own(text.clone()),
            None => LessonSource::Named(self.name.clone()),
        }
    }
}

/// What is opened on the page by a room.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
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
