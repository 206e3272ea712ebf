//! Places in a model's text, and what is said about them: problems, remarks, elements that were passed over.

use std::fmt;

use base::Problem;
use base::problem::{MOST_PART, MOST_PROBLEMS, one_line};

/// The most remarks that are kept; further ones are counted.
const MOST_NOTES: usize = 200;

/// A line and a column, both from one; columns count characters. In a model of several files the file, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The file, from one; zero in a model of one file.
    pub file: u16,
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

impl Place {
    /// Where a text begins.
    pub const FIRST: Self = Self { file: 0, line: 1, column: 1 };

    /// Where a file begins.
    pub fn first_of(file: u16) -> Self {
        Self { file, ..Self::FIRST }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.file > 0 {
            write!(f, "file {}, ", self.file)?;
        }
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// A remark: something was assumed, left out or odd.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// Where.
    pub place: Place,
    /// What.
    pub text: String,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.text)
    }
}

/// Elements that were not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PassedOver {
    /// Their path from the root, and their type in parentheses.
    pub path: String,
    /// How many there are.
    pub times: u64,
    /// Where the first one is.
    pub first: Place,
}

impl fmt::Display for PassedOver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}, first at {}", self.path, self.times, self.first)
    }
}

/// Remarks and problems, each kept up to a number and counted from there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Notes {
    notes: Vec<Note>,
    more_notes: usize,
    doubts: Vec<Note>,
    more_doubts: usize,
    problems: Vec<Problem>,
    more_problems: usize,
}

impl Notes {
    /// Adds a remark: one line, whatever names are in it.
    pub fn add(&mut self, note: Note) {
        if self.notes.len() < MOST_NOTES {
            self.notes.push(Note { text: one_line(&note.text, MOST_PART), ..note });
        } else {
            self.more_notes += 1;
        }
    }

    /// Adds a remark on which the whole result rests.
    pub fn doubt(&mut self, note: Note) {
        if self.doubts.len() < MOST_NOTES {
            self.doubts.push(note);
        } else {
            self.more_doubts += 1;
        }
    }

    /// All remarks on which the whole result rests, and how many more there were.
    pub fn take_doubts(&mut self) -> (Vec<Note>, usize) {
        (std::mem::take(&mut self.doubts), std::mem::take(&mut self.more_doubts))
    }

    /// Adds what others noted, as far as there is room.
    pub fn absorb(&mut self, other: Self) {
        for note in other.notes {
            self.add(note);
        }
        for note in other.doubts {
            self.doubt(note);
        }
        for problem in other.problems {
            self.problem(problem);
        }
        self.more_notes += other.more_notes;
        self.more_doubts += other.more_doubts;
        self.more_problems += other.more_problems;
    }

    /// Adds a problem.
    pub fn problem(&mut self, problem: Problem) {
        if self.problems.len() < MOST_PROBLEMS {
            self.problems.push(problem);
        } else {
            self.more_problems += 1;
        }
    }

    /// All remarks, and how many more there were.
    pub fn take(&mut self) -> (Vec<Note>, usize) {
        (std::mem::take(&mut self.notes), std::mem::take(&mut self.more_notes))
    }

    /// All problems; the last one says how many more there were.
    pub fn into_problems(mut self) -> Vec<Problem> {
        if let (Some(last), 1..) = (self.problems.last_mut(), self.more_problems) {
            let what = format!("{} more problems", self.more_problems + 1);
            *last = Problem::at("document", what, "a model with fewer");
        }
        self.problems
    }
}
