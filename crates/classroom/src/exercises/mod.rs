//! Exercises: questions whose numbers are drawn anew for every student, as documents that anyone can write.
//!
//! An exercise is a template: a scenario and a question with places for what is drawn. Everything a student gets follows
//! from the name alone, by the project's own generator, so it is the same on every machine, and whoever grades needs
//! the name and the answers, nothing else. Right answers are never written down: they are looked up in the report of the
//! student's own scenario. docs/exercises.md is the reference of both documents.

pub mod answers;
pub mod builtin;
pub mod draw;
pub mod given;
pub mod grade;
mod read;
#[cfg(test)]
mod tests;

pub use answers::Answers;
pub use given::Given;
pub use read::{from_tree, read};

use serde_json::Value;

use crate::level::Level;
use draw::Draw;

/// A set of exercises that makes sense.
#[derive(Debug, Clone, PartialEq)]
pub struct Exercises {
    /// Its name in addresses and in answers.
    pub name: String,
    /// What it is called.
    pub title: String,
    /// What it is about, in a sentence.
    pub summary: String,
    /// How hard it is, if it says so.
    pub level: Option<Level>,
    /// The exercises; there is at least one.
    pub exercises: Vec<Exercise>,
}

/// An exercise, before anything is drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Exercise {
    /// Its name in answers. What is drawn depends on it, and not on its place.
    pub name: String,
    /// What a right answer is worth.
    pub points: u32,
    /// What is drawn, in this order.
    pub draws: Vec<(String, Draw)>,
    /// All else, with places for what is drawn.
    template: Value,
}

impl Exercises {
    /// What a student gets, exercise by exercise; or why that makes no sense, which reading a set rules out as far as it
    /// tries.
    pub fn given(&self, student: &str) -> Result<Vec<Given>, Vec<base::Problem>> {
        let seed = draw::seed(student);
        self.exercises.iter().enumerate().map(|(at, own)| own.given(seed, at)).collect()
    }

    /// All points there are.
    pub fn points(&self) -> u32 {
        self.exercises.iter().map(|exercise| exercise.points).sum()
    }
}
