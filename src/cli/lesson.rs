//! `lesson`: reads lessons, and does every step of each.

use super::{ExitCodeNumber, USAGE, print, read, tell};
use crate::base::Problem;
use crate::lesson::{self, prove};

/// The status of a lesson with a step that cannot be done, or is done from the start.
const NOT_SOUND: ExitCodeNumber = 1;

/// Tries every lesson; a line for each step.
pub fn lesson(files: &[String]) -> ExitCodeNumber {
    files.iter().map(|file| one(file)).max().unwrap_or(0)
}

fn one(file: &str) -> ExitCodeNumber {
    let lesson = match read(file).and_then(|text| lesson::read(&text)) {
        Ok(lesson) => lesson,
        Err(problems) => {
            refuse(file, &problems);
            return USAGE;
        }
    };
    let mut status = 0;
    for ((number, step), outcome) in (1..).zip(&lesson.steps).zip(prove::outcomes(&lesson)) {
        let line = format!("{file}: step {number}, {}: {}\n", step.title, outcome.said());
        status = status.max(print(&line));
        if let prove::Outcome::Refused(problems) = &outcome {
            refuse(&format!("{file}: step {number}"), problems);
        }
        if !outcome.is_good() {
            status = status.max(NOT_SOUND);
        }
    }
    status
}

fn refuse(source: &str, problems: &[Problem]) {
    for problem in problems {
        tell(&format!("{source}: {problem}"));
    }
}
