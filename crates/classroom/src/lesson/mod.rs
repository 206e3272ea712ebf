//! Lessons: guided tours over the labs, as documents that anyone can write.
//!
//! A lesson is a list of steps. A step says what to look at, may open a scenario, may ask for something, and checks
//! that it was done against what the lab really computed. docs/lessons.md is the reference of the document.

pub mod builtin;
pub mod check;
pub mod controls;
pub mod marks;
pub mod prove;
pub mod question;
pub(crate) mod read;
pub(crate) mod read_check;
mod read_controls;
#[cfg(test)]
mod tests;
pub mod values;
pub mod visit;

pub use check::Check;
pub use controls::Control;
pub use question::Question;
pub use read::{from_tree, read};
pub use visit::Visit;

use serde_json::Value;

use crate::level::Level;
use kit::scenario::link::View;

/// A lesson that makes sense.
#[derive(Debug, Clone, PartialEq)]
pub struct Lesson {
    /// What it is called.
    pub title: String,
    /// What it is about, in a sentence.
    pub summary: String,
    /// How long it takes.
    pub minutes: u32,
    /// How hard it is, if it says so.
    pub level: Option<Level>,
    /// The heading it stands under in a list.
    pub topic: String,
    /// Its steps; there is at least one.
    pub steps: Vec<Step>,
}

/// A step of a lesson.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// What it is called.
    pub title: String,
    /// What it says, paragraph by paragraph.
    pub text: Vec<String>,
    /// The document it opens; none to go on with what is on the page.
    pub opens: Option<Value>,
    /// How that is looked at.
    pub view: View,
    /// Whether the answer is hidden until someone reveals it.
    pub hide: bool,
    /// What it offers to change in the document.
    pub controls: Vec<Control>,
    /// What to do.
    pub task: String,
    /// What tells that it was done; none where there is nothing to do.
    pub check: Option<Check>,
    /// Whether it counts as done if the check is met from the start.
    pub already: bool,
    /// What helps.
    pub hint: String,
    /// What is said once it is done.
    pub after: String,
    /// What meets the check.
    pub solution: Solution,
}

impl Step {
    /// The document that stands after it when it is done as its solution has it; `present` stood before.
    pub(crate) fn leads_to(&self, present: Option<Value>) -> Option<Value> {
        self.opens.clone().or(present).map(|begun| self.solution.document(&begun))
    }
}

/// What meets the check of a step, beside the right answer to its question.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Solution {
    /// Another document.
    pub opens: Option<Value>,
    /// Values that are put into the document, by their places.
    pub set: Vec<(values::Path, Value)>,
    /// Another way to look at it.
    pub view: Option<View>,
    /// An answer, where the right one is not to be computed.
    pub answer: Option<String>,
}

impl Solution {
    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The document it leads to from the one the step began with.
    pub fn document(&self, from: &Value) -> Value {
        let mut tree = self.opens.clone().unwrap_or_else(|| from.clone());
        for (path, value) in &self.set {
            path.put(&mut tree, value.clone());
        }
        tree
    }
}

impl Lesson {
    /// The document a step begins with when it is entered from elsewhere: its own, or what the steps before it lead
    /// to when each is done as its solution has it. That is what somebody finds who goes there step by step.
    pub fn document(&self, at: usize) -> Option<Value> {
        let until = self.steps.get(..=at).unwrap_or(&self.steps);
        let (last, before) = until.split_last()?;
        let begun = before.iter().fold(None, |present, step| step.leads_to(present));
        last.opens.clone().or(begun)
    }
}
