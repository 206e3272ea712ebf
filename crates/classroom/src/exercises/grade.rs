//! What answers are worth: every student's own scenarios are run, and each answer is held against its report.

use serde::Serialize;

use super::{Answers, Exercises};
use crate::lesson::question::Verdict;
use base::Problem;
use base::problem::quoted;

/// What came of one student.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Grade {
    /// Who it is.
    pub student: String,
    /// What all right answers are worth.
    pub points: u32,
    /// What it would be with every answer right.
    pub of: u32,
    /// Exercise by exercise.
    pub answers: Vec<Graded>,
}

/// What came of one exercise.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Graded {
    /// Its name.
    pub exercise: String,
    /// What was answered; nothing where nothing was.
    pub answer: Option<String>,
    /// The right answer.
    pub right: String,
    /// What the answer is worth.
    pub points: u32,
    /// What a right one is.
    pub of: u32,
}

/// Grades the answers of a student.
pub fn grade(set: &Exercises, answers: &Answers) -> Result<Grade, Vec<Problem>> {
    let mut problems = Vec::new();
    if answers.exercises != set.name {
        let what = quoted(&answers.exercises);
        problems.push(Problem::at("exercises", what, format!("\"{}\", the set that is graded", set.name)));
    }
    for (name, _) in &answers.given {
        if !set.exercises.iter().any(|exercise| exercise.name == *name) {
            let names: Vec<&str> = set.exercises.iter().map(|exercise| exercise.name.as_str()).collect();
            let place = kit::import::reader::join("given", name);
            problems.push(Problem::at(place, "no such exercise", format!("one of {}", names.join(", "))));
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let mut graded = Vec::new();
    for own in set.given(&answers.student)? {
        let report = own.report()?;
        let right = own.right(&report).ok_or_else(|| {
            let place = format!("exercise {}", own.name);
            vec![Problem::at(place, "no right answer in the report", "a place that the report has")]
        })?;
        let answer = answers.to(&own.name).map(str::trim).filter(|answer| !answer.is_empty());
        let is_right = answer.is_some_and(|answer| own.verdict(answer, &report) == Verdict::Right);
        let points = if is_right { own.points } else { 0 };
        graded.push(Graded {
            exercise: own.name,
            answer: answer.map(str::to_owned),
            right,
            points,
            of: own.points,
        });
    }
    Ok(Grade {
        student: answers.student.clone(),
        points: graded.iter().map(|one| one.points).sum(),
        of: set.points(),
        answers: graded,
    })
}
