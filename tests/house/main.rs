//! The house rules that no compiler checks: what prose names exists, layers point downwards, files stay small.
//!
//! Each test collects all it finds and fails once, with one `file:line: what` per finding.

#![cfg(not(target_arch = "wasm32"))]

mod clocks;
mod dependencies;
mod layers;
mod lessons;
mod prose;

use std::fs;
use std::path::{Path, PathBuf};

/// The longest a file may be.
const LONGEST: usize = 450;

/// A file of the project: its path from the root with forward slashes, and its text.
struct File {
    path: String,
    text: String,
}

impl File {
    /// Numbered lines, from 1.
    fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        (1..).zip(self.text.lines())
    }

    /// `path:line: what`.
    fn at(&self, line: usize, what: impl std::fmt::Display) -> String {
        format!("{}:{line}: {what}", self.path)
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All files below `folder` (or `folder` itself, if it is a file) with that extension, in order.
fn files(folder: &str, extension: &str) -> Vec<File> {
    let mut paths = Vec::new();
    collect(&root().join(folder), &mut paths);
    paths.retain(|path| path.extension().is_some_and(|found| found == extension));
    paths.sort();
    let file = |path: PathBuf| {
        let inside = path.strip_prefix(root()).expect("it was found below the root");
        let text = fs::read_to_string(&path).unwrap_or_else(|error| unreachable!("{path:?}: {error}"));
        File { path: inside.to_string_lossy().replace('\\', "/"), text }
    };
    paths.into_iter().map(file).collect()
}

fn collect(path: &Path, out: &mut Vec<PathBuf>) {
    match fs::read_dir(path) {
        Ok(entries) => {
            for entry in entries.flatten().filter(|entry| entry.file_name() != "target") {
                collect(&entry.path(), out);
            }
        }
        Err(_) if path.is_file() => out.push(path.to_owned()),
        Err(_) => {}
    }
}

/// Every Rust file of the project.
fn rust() -> Vec<File> {
    let folders = ["crates", "src", "tests", "benches", "xtask"];
    let all: Vec<File> = folders.iter().flat_map(|folder| files(folder, "rs")).collect();
    assert!(all.len() > 30, "only {} files found below {}", all.len(), root().display());
    all
}

/// Fails with all findings, if there are any.
fn none(rule: &str, findings: Vec<String>) {
    assert!(findings.is_empty(), "\n{rule}:\n  {}\n", findings.join("\n  "));
}

#[test]
fn every_file_says_what_it_is() {
    let silent = rust().into_iter().filter(|file| !file.text.starts_with("//!"));
    none("a file begins with a //! line", silent.map(|file| file.at(1, "begins otherwise")).collect());
}

#[test]
fn no_file_is_long() {
    let found = rust().into_iter().filter_map(|file| {
        let lines = file.text.lines().count();
        (lines > LONGEST).then(|| file.at(lines, format!("{lines} lines")))
    });
    none(&format!("a file has at most {LONGEST} lines"), found.collect());
}
