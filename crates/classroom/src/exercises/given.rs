//! An exercise as one student has it: its scenario, its text and its question, with the numbers drawn.

use serde_json::Value;

use super::draw::{self, Drawn};
use super::{Exercise, read};
use crate::lesson::Question;
use crate::lesson::check::{Seen, Start};
use crate::lesson::question::Verdict;
use base::Problem;
use kit::import::json;
use kit::scenario::link::View;

/// An exercise of one student.
#[derive(Debug, Clone, PartialEq)]
pub struct Given {
    /// The exercise's name.
    pub name: String,
    /// What it is called.
    pub title: String,
    /// What it says, paragraph by paragraph.
    pub text: Vec<String>,
    /// What was drawn.
    pub drawn: Drawn,
    /// The scenario.
    pub document: Value,
    /// How that is looked at.
    pub view: View,
    /// Whether the page hides its answer.
    pub hide: bool,
    /// What is asked.
    pub question: Question,
    /// What a right answer is worth.
    pub points: u32,
}

impl Exercise {
    /// What the student of a seed gets; `at` is its place in the set, for problems.
    pub(super) fn given(&self, seed: u64, at: usize) -> Result<Given, Vec<Problem>> {
        self.with(draw::drawn(&self.draws, seed, &self.name), at)
    }

    /// The exercise with these numbers.
    pub(super) fn with(&self, drawn: Drawn, at: usize) -> Result<Given, Vec<Problem>> {
        let filled = draw::filled(&self.template, &drawn);
        read::filled(&filled, &format!("list[{at}]")).map(|own| Given {
            name: self.name.clone(),
            points: self.points,
            drawn,
            ..own
        })
    }
}

impl Given {
    /// What the lab makes of the scenario.
    pub fn report(&self) -> Result<Value, Vec<Problem>> {
        let scenario = labs::LINKED.from_tree(&self.document)?;
        json::parse(&labs::LINKED.run(&scenario).line()).map_err(|problem| vec![problem])
    }

    /// The right answer, as one would type it.
    pub fn right(&self, report: &Value) -> Option<String> {
        self.held(report, |seen| self.question.answer(seen))
    }

    /// What an answer is worth.
    pub fn verdict(&self, answer: &str, report: &Value) -> Verdict {
        self.held(report, |seen| self.question.verdict(answer, seen))
    }

    fn held<T>(&self, report: &Value, what: impl FnOnce(&Seen<'_>) -> T) -> T {
        let start = Start::default();
        what(&Seen {
            report: Some(report),
            worst_case: None,
            document: &self.document,
            view: &self.view,
            revealed: true,
            answer: None,
            start: &start,
        })
    }
}
