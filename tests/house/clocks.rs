//! No test's verdict depends on a clock: a suite that passes on one machine says something on every other.
//!
//! What is slow is measured by benches. Waits end by one patience, which only ends hangs and stands in the few files
//! named here.

use super::{File, files};

/// Words by which a clock is read, or a time is waited for.
const CLOCKS: [&str; 10] = [
    "performance.now",
    "Date.now",
    "Date::now",
    ".elapsed()",
    "Instant::now",
    "SystemTime::now",
    "Duration::from_",
    "thread::sleep",
    "time::sleep",
    "timeout(",
];

/// Files that may, with the reason.
const ALLOWED: [(&str, &str); 7] = [
    ("tests/common/mod.rs", "the patience for calls of the program"),
    ("tests/e2e/src/patience.rs", "the patience for browsers"),
    ("tests/e2e/src/rest.rs", "has the clock of the page stand still"),
    ("tests/e2e/src/run.rs", "ends a test that gives no sign of life"),
    ("tests/e2e/src/bin/bench/main.rs", "measures"),
    ("tests/e2e/src/bin/bench/felt.rs", "measures"),
    ("tests/e2e/src/bin/bench/recordings.rs", "measures"),
];

#[test]
fn no_verdict_depends_on_a_clock() {
    let own = "tests/house/clocks.rs";
    let tests = files("tests", "rs").into_iter().filter(|file| file.path != own);
    let found: Vec<String> = tests
        .filter(|file| !ALLOWED.iter().any(|(path, _)| file.path == *path))
        .chain(["crates", "src", "xtask/src"].iter().flat_map(|folder| files(folder, "rs")).map(only_tests))
        .flat_map(|file| read_in(&file))
        .collect();
    assert!(found.is_empty(), "a clock is read in a test:\n{}", found.join("\n"));
}

#[test]
fn every_exception_is_one() {
    for (path, why) in ALLOWED {
        let file = files(path, "rs").pop().unwrap_or_else(|| unreachable!("{path} is gone"));
        assert!(!read_in(&file).is_empty(), "{path} reads no clock any more ({why})");
    }
}

#[test]
fn a_clock_in_a_test_is_found() {
    let file = |text: &str| File { path: "src/a.rs".to_owned(), text: text.to_owned() };
    let late = file(
        "fn a() { b.elapsed(); }\n#[cfg(test)]\nmod tests {\n    // x\n    assert!(t.elapsed() < LONG);\n}\n",
    );
    assert_eq!(read_in(&only_tests(late)), ["src/a.rs:5: .elapsed()"]);
    assert_eq!(read_in(&only_tests(file("fn a() { b.elapsed(); }\n"))), Vec::<String>::new());
}

/// A source file with the lines of its tests only, each in its place: those from `#[cfg(test)]` on, or all of a file of
/// tests.
fn only_tests(file: File) -> File {
    let all = file.path.ends_with("/tests.rs") || file.path.contains("/tests/");
    let mut inside = all;
    let mut text = String::new();
    for line in file.text.lines() {
        inside |= line.trim_start().starts_with("#[cfg(test)]") || line.contains("#[cfg(all(test");
        text += if inside { line } else { "" };
        text.push('\n');
    }
    File { path: file.path, text }
}

/// Where a file reads a clock, as `path:line: how`.
fn read_in(file: &File) -> Vec<String> {
    let code = |line: &str| !line.trim_start().starts_with("//");
    let lines = file.lines().filter(|(_, line)| code(line));
    lines
        .flat_map(|(number, line)| {
            CLOCKS.iter().filter(|clock| line.contains(**clock)).map(move |clock| (number, clock))
        })
        .map(|(number, clock)| file.at(number, clock))
        .collect()
}
