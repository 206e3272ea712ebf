//! What can go wrong in a command, and how it reads: what failed, the command, what to do.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why a command of the project stopped.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A program ended badly, took too long, or could not be started.
    Program { what: String, command: String, how: String, advice: String },
    /// A file or folder could not be read or written.
    File { what: &'static str, path: PathBuf, error: io::Error },
    /// Something that only a person can put right.
    Person { what: String, todo: String },
}

impl Failure {
    /// For `map_err` on file operations: `Failure::file("write", &path)`.
    pub(crate) fn file(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |error| Self::File { what, path, error }
    }

    pub(crate) fn person(what: impl Into<String>, todo: impl Into<String>) -> Self {
        Self::Person { what: what.into(), todo: todo.into() }
    }

    /// The same failure with other advice.
    pub(crate) fn advise(self, advice: &str) -> Self {
        match self {
            Self::Program { what, command, how, .. } => {
                Self::Program { what, command, how, advice: advice.to_owned() }
            }
            other => other,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Program { what, command, how, advice } => {
                write!(out, "{what}: {how}\n  the command: {command}")?;
                if advice.is_empty() { Ok(()) } else { write!(out, "\n  what to do: {advice}") }
            }
            Self::File { what, path, error } => write!(out, "cannot {what} {}: {error}", path.display()),
            Self::Person { what, todo } => write!(out, "{what}\n  what to do: {todo}"),
        }
    }
}
