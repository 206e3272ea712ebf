//! How long the longer pieces of work take: what this machine needed the last time, else a range.
//!
//! Ranges go from a fast machine with eight cores to two slow cores with other work beside. What a machine needed is
//! kept in its cache, one line for each piece of work; losing that file loses nothing else.

use std::fmt;
use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Duration;

/// A piece of work, with the seconds it may take the first time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    name: &'static str,
    from: u64,
    to: u64,
}

const fn span(name: &'static str, from: u64, to: u64) -> Span {
    Span { name, from, to }
}

pub(crate) const TARGET: Span = span("wasm-target", 1, 30);
pub(crate) const LISTS: Span = span("package-lists", 2, 60);
pub(crate) const PACKAGES: Span = span("packages", 15, 180);
pub(crate) const COMPONENTS: Span = span("components", 1, 30);
pub(crate) const STD: Span = span("standard-library", 20, 240);
pub(crate) const TRUNK: Span = span("trunk", 40, 600);
pub(crate) const BINDGEN: Span = span("wasm-bindgen", 40, 600);
pub(crate) const TRIAL: Span = span("trunk-trial", 2, 300);
pub(crate) const WASM_OPT: Span = span("wasm-opt", 2, 300);
pub(crate) const FIREFOX: Span = span("firefox", 10, 180);
pub(crate) const GECKODRIVER: Span = span("geckodriver", 20, 300);
pub(crate) const AXE: Span = span("axe-core", 1, 60);
pub(crate) const VENV: Span = span("python-environment", 2, 30);
pub(crate) const MATURIN: Span = span("maturin", 3, 60);
pub(crate) const PYTHON_PACKAGES: Span = span("python-packages", 10, 180);
pub(crate) const NOTEBOOKS: Span = span("notebooks", 10, 180);
pub(crate) const WHEEL: Span = span("wheel", 60, 900);
pub(crate) const TEST_WHEEL: Span = span("native-half", 20, 300);
pub(crate) const PYTHON_TESTS: Span = span("python-tests", 15, 180);
pub(crate) const FORMAT: Span = span("format", 1, 10);
pub(crate) const LINT_NATIVE: Span = span("lint-native", 20, 300);
pub(crate) const LINT_WASM: Span = span("lint-wasm", 30, 480);
pub(crate) const NATIVE: Span = span("native-tests", 90, 1_800);
pub(crate) const WASM: Span = span("wasm-tests", 60, 900);
pub(crate) const PAGE: Span = span("page", 300, 3_000);
pub(crate) const DRAFT_FIRST: Span = span("draft-first", 60, 900);
pub(crate) const DRAFT_PROGRAMS: Span = span("draft-programs", 60, 1_800);
pub(crate) const DRAFT_REST: Span = span("draft-rest", 1, 10);
pub(crate) const CHROMIUM: Span = span("tests-in-chromium", 180, 2_400);
pub(crate) const IN_FIREFOX: Span = span("tests-in-firefox", 180, 2_400);
pub(crate) const BENCH: Span = span("bench", 180, 1_800);
pub(crate) const BENCH_PAGE: Span = span("bench-page", 120, 1_200);
pub(crate) const PICTURES: Span = span("pictures", 120, 900);

static FILE: OnceLock<PathBuf> = OnceLock::new();

/// From now on times are kept in this file.
pub(crate) fn keep_in(file: PathBuf) {
    // A second file would be a mistake of this program; the first stays.
    let _ = FILE.set(file);
}

impl Span {
    /// Notes how long it took.
    pub(crate) fn took(self, time: Duration) {
        let Some(file) = FILE.get() else { return };
        let old = fs::read_to_string(file).unwrap_or_default();
        // The next announcement is less exact where this cannot be written, and nothing else.
        let _ = fs::write(file, with(&old, self.name, time.as_secs()));
    }

    fn last(self) -> Option<u64> {
        seconds_of(&fs::read_to_string(FILE.get()?).ok()?, self.name)
    }
}

/// `2 min 5 s the last time`, or `1 to 10 min`.
impl fmt::Display for Span {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.last() {
            Some(seconds) => write!(out, "{} the last time", length(seconds)),
            None => write!(out, "{}", range(self.from, self.to)),
        }
    }
}

fn with(old: &str, name: &str, seconds: u64) -> String {
    let others = old.lines().filter(|line| line.split(' ').next() != Some(name));
    let mut lines: Vec<String> = others.map(str::to_owned).collect();
    lines.push(format!("{name} {seconds}"));
    lines.join("\n") + "\n"
}

fn seconds_of(text: &str, name: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.parse().ok())
}

/// `7 s`, `2 min 5 s`, `1 h 3 min`.
pub(crate) fn length(seconds: u64) -> String {
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3_600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3_600, seconds / 60 % 60),
    }
}

fn range(from: u64, to: u64) -> String {
    let minutes = |seconds: u64| seconds.div_ceil(60);
    match (from, to) {
        (_, 0..60) => format!("{from} to {to} s"),
        (0..60, _) => format!("{from} s to {} min", minutes(to)),
        _ => format!("{} to {} min", minutes(from), minutes(to)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_time_takes_the_place_of_the_one_before() {
        let text = with(&with(&with("", "page", 900), "page-bench", 7), "page", 300);
        assert_eq!(text, "page-bench 7\npage 300\n");
        assert_eq!((seconds_of(&text, "page"), seconds_of(&text, "trunk")), (Some(300), None));
        assert_eq!(seconds_of("page what\n", "page"), None, "a damaged line is as good as none");
    }

    #[test]
    fn lengths_and_ranges_read_well() {
        assert_eq!([7, 125, 3_780].map(length), ["7 s", "2 min 5 s", "1 h 3 min"]);
        assert_eq!(
            [(1, 30), (15, 180), (300, 3_000)].map(|(a, b)| range(a, b)),
            ["1 to 30 s", "15 s to 3 min", "5 to 50 min"]
        );
    }
}
