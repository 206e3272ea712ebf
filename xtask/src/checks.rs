//! `cargo xtask test`: the checks, one after the other, and the table at the end.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use crate::beside::Beside;
use crate::browser::{Browsers, Session};
use crate::facts::{Facts, Need};
use crate::process::{run as run_program, run_and_keep};
use crate::spans::{self, Span};
use crate::table::{Row, table};
use crate::told::{self, Failed};
use crate::{Failure, Places, browser, page, python, setup, toolchain};

/// One check, in the order in which they run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Check {
    Format,
    Lint,
    Native,
    Python,
    Wasm,
    Build,
    E2e,
    Firefox,
}

impl Check {
    pub(crate) const ALL: [Self; 8] = [
        Self::Format,
        Self::Lint,
        Self::Native,
        Self::Python,
        Self::Wasm,
        Self::Build,
        Self::E2e,
        Self::Firefox,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Format => "format",
            Self::Lint => "lint",
            Self::Native => "native",
            Self::Python => "python",
            Self::Wasm => "wasm",
            Self::Build => "build",
            Self::E2e => "e2e",
            Self::Firefox => "firefox",
        }
    }

    fn needs(self) -> &'static [Need] {
        match self {
            Self::Format => &[Need::Format],
            Self::Lint => &[Need::Lint],
            Self::Native => &[],
            Self::Python => &[Need::Wheel, Need::PythonTests],
            Self::Wasm => &[Need::WasmTests, Need::Browser],
            Self::Build => &[Need::Page],
            Self::E2e => &[Need::Browser, Need::Axe],
            Self::Firefox => &[Need::Firefox, Need::Axe],
        }
    }
}

/// How a check ended, and after how long.
struct Outcome {
    check: Check,
    time: Duration,
    /// How much of the time was waited for, where it ran beside others.
    waited: Option<Duration>,
    result: Result<Done, Failure>,
    failed: Vec<Failed>,
}

/// What came of a check that did not fail.
enum Done {
    Passed,
    /// This machine lacks what it needs, and tests go on without it; why.
    NotRun(String),
}

/// Sets up, runs the checks, prints the table; the status tells whether all passed.
///
/// `only` holds parts of names of tests; without any, all tests run.
pub(crate) fn run(places: &Places, checks: &[Check], only: &[String]) -> Result<ExitCode, Failure> {
    let mut needs: Vec<Need> = Vec::new();
    for need in checks.iter().flat_map(|check| check.needs()) {
        if !needs.contains(need) {
            needs.push(*need);
        }
    }
    let begun = Instant::now();
    let facts = setup::set_up(places, &needs)?;
    let ready = begun.elapsed();
    // Where other checks come before it, the page is built meanwhile.
    let mut page = match checks.iter().position(|check| *check == Check::Build) {
        Some(place) if place > 0 => Some(build_beside()?),
        _ => None,
    };
    let mut outcomes: Vec<Outcome> = Vec::new();
    for &check in checks {
        println!("\n======== {} ========", check.name());
        let start = Instant::now();
        let broken = |done: &Outcome| done.check == Check::Build && done.result.is_err();
        let mut failed = Vec::new();
        let mut beside = None;
        let result = if outcomes.iter().any(broken) {
            Err(no_page())
        } else {
            let page = if check == Check::Build { page.take() } else { None };
            Run { places, facts: &facts, only, failed: &mut failed, beside: &mut beside, page }.perform(check)
        };
        match &result {
            Ok(Done::Passed) => {}
            Ok(Done::NotRun(why)) => println!("\nnot run: {why}"),
            Err(failure) => eprintln!("\nerror: {failure}"),
        }
        let (time, waited) = match beside {
            Some(time) => (time, Some(start.elapsed())),
            None => (start.elapsed(), None),
        };
        outcomes.push(Outcome { check, time, waited, result, failed });
    }
    let mut rows = vec![Row::new("set-up", ready, "done")];
    rows.extend(outcomes.iter().map(Outcome::row));
    println!("{}", table(&rows, begun.elapsed()));
    Ok(summary(&outcomes))
}

/// Begins to build the page, by this same program.
fn build_beside() -> Result<Beside, Failure> {
    let this = std::env::current_exe().map_err(Failure::file("find", Path::new("this program")))?;
    let mut command = Command::new(this);
    command.arg("build");
    Beside::start(&format!("Building the page ({})", spans::PAGE), command)
}

fn no_page() -> Failure {
    Failure::person("not run, as the page was not built", "mend the build first")
}

impl Outcome {
    fn row(&self) -> Row {
        let told = match &self.result {
            Ok(Done::Passed) => "pass".to_owned(),
            Ok(Done::NotRun(why)) => format!("not run: {why}"),
            Err(_) => "FAIL".to_owned(),
        };
        let beside = match self.waited {
            Some(waited) => format!(", beside the others; {:.1} of it waited for", waited.as_secs_f64()),
            None => String::new(),
        };
        Row::new(self.check.name(), self.time, told + &beside)
    }
}

/// Tells which tests failed, and how many checks.
fn summary(outcomes: &[Outcome]) -> ExitCode {
    for Outcome { check, result, failed, .. } in outcomes {
        let Err(failure) = result else { continue };
        for test in failed {
            println!("\nFAIL {test}\n  again: {}", test.again(check.name()));
        }
        if failed.is_empty() {
            println!("\nFAIL {}: {failure}", check.name());
        }
    }
    let count = |fits: fn(&Outcome) -> bool| outcomes.iter().filter(|outcome| fits(outcome)).count();
    let failed = count(|outcome| outcome.result.is_err());
    let not_run = count(|outcome| matches!(outcome.result, Ok(Done::NotRun(_))));
    let rest = if not_run > 0 { format!(", {not_run} not run") } else { String::new() };
    println!("\n{} passed, {failed} failed{rest}", outcomes.len() - failed - not_run);
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// One check as it runs: what it runs on, which tests, and those that failed.
struct Run<'a> {
    places: &'a Places,
    facts: &'a Facts,
    only: &'a [String],
    failed: &'a mut Vec<Failed>,
    /// How long it took, if it was begun before.
    beside: &'a mut Option<Duration>,
    /// The page that is being built.
    page: Option<Beside>,
}

impl Run<'_> {
    fn perform(&mut self, check: Check) -> Result<Done, Failure> {
        let (places, facts) = (self.places, self.facts);
        match check {
            Check::Format => {
                let what = "Checking the format (`cargo fmt --all` mends it)";
                run_program(what, spans::FORMAT, native(places).args(["fmt", "--all", "--check"]))
            }
            Check::Lint => lint(places, facts),
            Check::Native => {
                let mut cargo = native(places);
                cargo.args(["test", "--workspace"]);
                self.tests("Native tests", spans::NATIVE, cargo, &[])
            }
            Check::Python => match python::ready(facts) {
                Ok(()) => python::test(places, self.only),
                Err(why) => return Ok(Done::NotRun(why.to_owned())),
            },
            Check::Wasm => self.wasm(),
            Check::Build => match self.page.take() {
                Some(page) => {
                    let (result, time) = page.end();
                    *self.beside = Some(time);
                    result
                }
                None => page::build(places, facts),
            },
            Check::E2e => self.e2e(Session::chromium(places, facts)?, spans::CHROMIUM),
            Check::Firefox => match facts.firefox() {
                Ok((firefox, driver)) => {
                    self.e2e(Session::firefox(places, facts, firefox, driver)?, spans::IN_FIREFOX)
                }
                Err(why) => {
                    return Ok(Done::NotRun(format!("there is no Firefox with its driver: {why}")));
                }
            },
        }
        .map(|()| Done::Passed)
    }

    /// Runs tests to their end, whatever fails on the way, and notes which did.
    fn tests(&mut self, what: &str, span: Span, mut cargo: Command, more: &[String]) -> Result<(), Failure> {
        cargo.arg("--no-fail-fast").arg("--").args(self.only).args(more);
        let (result, text) = run_and_keep(what, span, &mut cargo);
        if result.is_err() {
            *self.failed = told::failed(&text);
        }
        result
    }

    fn wasm(&mut self) -> Result<(), Failure> {
        let browsers = Browsers::guard()?;
        let mut cargo = wasm_cargo(self.places, self.facts);
        cargo.args([
            "test",
            "--package",
            "warpspan-workers",
            "--test",
            "browser",
            "--target",
            toolchain::WASM,
        ]);
        browsers.prepare_wasm_tests(&mut cargo, self.places, self.facts)?;
        self.tests("Tests in the browser, as wasm", spans::WASM, cargo, &[])
    }

    /// Tests the page in the browser of a session, and lists which tests were left out.
    fn e2e(&mut self, session: Session, span: Span) -> Result<(), Failure> {
        let left_out = self.places.scratch().join("left-out.txt");
        // That of an earlier run, if any.
        let _ = fs::remove_file(&left_out);
        let mut cargo = native(self.places);
        // The whole workspace, as for native tests: one package alone has its dependencies with fewer features, and
        // everything would be compiled again.
        cargo.args(["test", "--workspace", "--test", "page"]).args(IN_BROWSERS);
        cargo.env("WARPSPAN_SKIPPED", &left_out);
        session.prepare(&mut cargo);
        let browsers = browser::at_once();
        println!("Browsers at a time on this machine: {browsers}");
        let threads = ["--test-threads".to_owned(), browsers.to_string()];
        let what = format!("Tests of the built page in {}", session.name());
        let result = self.tests(&what, span, cargo, &threads).map_err(|failure| session.explain(failure));
        if let Ok(list) = fs::read_to_string(&left_out) {
            println!("\nLeft out, {} tests:\n{list}", list.lines().count());
        }
        result
    }
}

fn native(places: &Places) -> Command {
    let mut cargo = toolchain::native("cargo");
    cargo.current_dir(&places.root);
    cargo
}

fn wasm_cargo(places: &Places, facts: &Facts) -> Command {
    let mut cargo = toolchain::wasm("cargo", facts, places);
    cargo.current_dir(&places.root);
    cargo
}

/// What compiles the page for wasm.
const WASM_WORDS: [&str; 5] = ["--target", toolchain::WASM, "--no-default-features", "--features", "page"];
/// What has tests of the page compiled.
const IN_BROWSERS: [&str; 2] = ["--features", "warpspan-e2e/browser"];
const DENY: [&str; 3] = ["--", "--deny", "warnings"];

fn lint(places: &Places, facts: &Facts) -> Result<(), Failure> {
    let mut cargo = native(places);
    cargo.args(["clippy", "--workspace", "--all-targets"]).args(IN_BROWSERS).args(DENY);
    let native = run_program("Linting native code", spans::LINT_NATIVE, &mut cargo);
    let mut cargo = wasm_cargo(places, facts);
    cargo.args([
        "clippy",
        "--package",
        "warpspan",
        "--package",
        "warpspan*-ui",
        "--package",
        "warpspan-workers",
        "--lib",
        "--bins",
        "--tests",
    ]);
    cargo.args(WASM_WORDS).args(DENY);
    let wasm = run_program("Linting code for wasm", spans::LINT_WASM, &mut cargo);
    match (native, wasm) {
        (Err(first), Err(second)) => {
            eprintln!("\nerror: {first}");
            Err(second)
        }
        (native, wasm) => native.and(wasm),
    }
}
