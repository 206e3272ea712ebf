//! What tests said that failed: which, why in one line, and how to run just them again.
//!
//! Reads what cargo and its tests print, in the order in which they do. What is not understood is left out; the
//! whole output stands above.

use std::fmt;

/// A test that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failed {
    /// The test's name within its program.
    name: String,
    /// What cargo calls the program: `tests/cli.rs`, `src/lib.rs`.
    program: String,
    why: String,
    picture: Option<String>,
    /// The next line is a panic's reason.
    panicked: bool,
}

/// The longest reason that is told here.
const LONGEST: usize = 300;

/// The failed tests in what a run printed.
pub(crate) fn failed(text: &str) -> Vec<Failed> {
    let mut program = String::new();
    let mut found: Vec<Failed> = Vec::new();
    let mut open = false;
    for line in text.lines() {
        if let Some(name) = running(line) {
            (program, open) = (name, false);
        } else if let Some(name) =
            line.strip_prefix("---- ").and_then(|line| line.strip_suffix(" stdout ----"))
        {
            let (name, program) = (name.to_owned(), program.clone());
            found.push(Failed { name, program, why: String::new(), picture: None, panicked: false });
            open = true;
        } else if line == "failures:" || line.starts_with("test result: ") {
            open = false;
        } else if open && let Some(test) = found.last_mut() {
            test.hear(line);
        }
    }
    found
}

/// The program that cargo says it runs.
fn running(line: &str) -> Option<String> {
    let line = line.trim_start();
    if let Some(name) = line.strip_prefix("Doc-tests ") {
        return Some(format!("doc tests of {name}"));
    }
    let rest = line.strip_prefix("Running ")?;
    let rest = rest.strip_prefix("unittests ").unwrap_or(rest);
    rest.split(" (").next().map(str::to_owned)
}

impl Failed {
    fn hear(&mut self, line: &str) {
        if let Some(picture) = line.trim_end_matches('"').split("picture: ").nth(1) {
            self.picture = picture.split("\\n").next().map(str::to_owned);
        }
        if let Some(said) = line.strip_prefix("Error: ") {
            return self.say(said.trim_matches('"').split("\\npicture: ").next().unwrap_or_default());
        }
        // A panic tells its place first and its reason in the line after it; what stood before was printed by the test.
        if line.starts_with("thread '") && line.contains("panicked at") {
            self.panicked = true;
        } else if std::mem::take(&mut self.panicked) || self.why.is_empty() {
            self.say(line.trim());
        }
    }

    fn say(&mut self, why: &str) {
        self.why = why.chars().take(LONGEST).collect();
    }

    /// The command that runs just this test again.
    pub(crate) fn again(&self, step: &str) -> String {
        format!("cargo xtask test {step} -- {}", self.name.split(" - ").next().unwrap_or(&self.name))
    }
}

impl fmt::Display for Failed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} in {}: {}", self.name, self.program, self.why)?;
        self.picture.as_ref().map_or(Ok(()), |picture| write!(out, "\n  picture: {picture}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAID: &str = r#"     Running unittests src/lib.rs (target/debug/deps/warpspan-1)
running 2 tests
test a::holds ... ok
test a::fails ... FAILED

failures:

---- a::fails stdout ----

thread 'a::fails' (123) panicked at src/a.rs:7:9:
assertion `left == right` failed: the sum
  left: 1
 right: 2
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace

failures:
    a::fails

test result: FAILED. 1 passed; 1 failed
     Running tests/page/main.rs (target/debug/deps/page-2)
---- links::comes_back stdout ----
3 frames
Error: "waited 5 minutes for title to be \"x\"; in its place: \"y\"\npicture: target/e2e/links-comes_back.png\nconsole: []"

failures:
    links::comes_back
error: 2 targets failed:
"#;

    #[test]
    fn each_failed_test_has_its_reason_its_picture_and_its_command() {
        let found = failed(SAID);
        assert_eq!(found.len(), 2);
        assert_eq!(
            (found[0].to_string(), found[0].again("native")),
            (
                "a::fails in src/lib.rs: assertion `left == right` failed: the sum".to_owned(),
                "cargo xtask test native -- a::fails".to_owned()
            )
        );
        let said = found[1].to_string();
        assert!(said.starts_with("links::comes_back in tests/page/main.rs: "), "{said}");
        assert!(said.ends_with("\n  picture: target/e2e/links-comes_back.png"), "{said}");
    }

    #[test]
    fn what_a_test_printed_before_its_error_is_not_its_reason() {
        let found = failed(SAID);
        assert!(found[1].why.starts_with("waited 5 minutes for title to be"), "{}", found[1].why);
    }

    #[test]
    fn nothing_is_made_of_what_is_no_test() {
        assert_eq!(failed("error[E0308]: mismatched types\n --> src/lib.rs:1:1\n"), vec![]);
    }
}
