//! `cargo xtask test`: the checks, one after the other, and the table at the end.

use std::fs;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use crate::browser::{Browsers, Session};
use crate::facts::{Facts, Need};
use crate::process::{MINUTE, run as run_program};
use crate::{Failure, Places, page, setup, toolchain};

/// One check, in the order in which they run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Check {
    Format,
    Lint,
    Native,
    Wasm,
    Build,
    E2e,
    Firefox,
}

impl Check {
    pub(crate) const ALL: [Self; 7] =
        [Self::Format, Self::Lint, Self::Native, Self::Wasm, Self::Build, Self::E2e, Self::Firefox];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Format => "format",
            Self::Lint => "lint",
            Self::Native => "native",
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
    result: Result<Done, Failure>,
}

/// What came of a check that did not fail.
enum Done {
    Passed,
    /// This machine lacks what it needs, and tests go on without it; why.
    NotRun(String),
}

/// Sets up, runs the checks, prints the table; the status tells whether all passed.
pub(crate) fn run(places: &Places, checks: &[Check]) -> Result<ExitCode, Failure> {
    let mut needs: Vec<Need> = Vec::new();
    for need in checks.iter().flat_map(|check| check.needs()) {
        if !needs.contains(need) {
            needs.push(*need);
        }
    }
    let facts = setup::set_up(places, &needs)?;
    let mut outcomes: Vec<Outcome> = Vec::new();
    for &check in checks {
        println!("\n======== {} ========", check.name());
        let start = Instant::now();
        let broken = |done: &Outcome| done.check == Check::Build && done.result.is_err();
        let result =
            if outcomes.iter().any(broken) { Err(no_page()) } else { perform(check, places, &facts) };
        match &result {
            Ok(Done::Passed) => {}
            Ok(Done::NotRun(why)) => println!("\nnot run: {why}"),
            Err(failure) => eprintln!("\nerror: {failure}"),
        }
        outcomes.push(Outcome { check, time: start.elapsed(), result });
    }
    Ok(summary(&outcomes))
}

fn no_page() -> Failure {
    Failure::person("not run, as the page was not built", "mend the build first")
}

fn summary(outcomes: &[Outcome]) -> ExitCode {
    println!("\nstep     seconds  result");
    for Outcome { check, time, result } in outcomes {
        let told = match result {
            Ok(Done::Passed) => "pass".to_owned(),
            Ok(Done::NotRun(why)) => format!("not run: {why}"),
            Err(_) => "FAIL".to_owned(),
        };
        println!("{:<8} {:>7.1}  {told}", check.name(), time.as_secs_f64());
    }
    let count = |fits: fn(&Outcome) -> bool| outcomes.iter().filter(|outcome| fits(outcome)).count();
    let failed = count(|outcome| outcome.result.is_err());
    let not_run = count(|outcome| matches!(outcome.result, Ok(Done::NotRun(_))));
    let rest = if not_run > 0 { format!(", {not_run} not run") } else { String::new() };
    println!("{} passed, {failed} failed{rest}", outcomes.len() - failed - not_run);
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn perform(check: Check, places: &Places, facts: &Facts) -> Result<Done, Failure> {
    match check {
        Check::Format => {
            let what = "Checking the format (seconds; `cargo fmt --all` mends it)";
            run_program(what, native(places).args(["fmt", "--all", "--check"]), 5 * MINUTE)
        }
        Check::Lint => lint(places, facts),
        Check::Native => {
            let what = "Native tests (the first time about 2 min, then seconds)";
            let words = ["test", "--workspace", "--exclude", "warpspan-e2e"];
            run_program(what, native(places).args(words), 60 * MINUTE)
        }
        Check::Wasm => wasm(places, facts),
        Check::Build => page::build(places, &facts.needs),
        Check::E2e => e2e(places, Session::chromium(places, facts)?),
        Check::Firefox => match facts.firefox() {
            Ok((firefox, driver)) => e2e(places, Session::firefox(places, facts, firefox, driver)?),
            Err(why) => return Ok(Done::NotRun(format!("there is no Firefox with its driver: {why}"))),
        },
    }
    .map(|()| Done::Passed)
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

/// What compiles for wasm, before the features.
const WASM_WORDS: [&str; 4] = ["--target", toolchain::WASM, "--no-default-features", "--features"];
/// Everything that there is in the page.
const OF_THE_PAGE: &str = "app,worker,chart,lab,tasklab,chainlab,rooms,gpu";
/// What is tested as wasm. Programs that need more are not built for it.
const TESTED_AS_WASM: &str = "app,worker";
const DENY: [&str; 3] = ["--", "--deny", "warnings"];

fn lint(places: &Places, facts: &Facts) -> Result<(), Failure> {
    let mut cargo = native(places);
    cargo.args(["clippy", "--workspace", "--all-targets"]).args(DENY);
    let native = run_program("Linting native code (the first time about 1 min)", &mut cargo, 30 * MINUTE);
    let mut cargo = wasm_cargo(places, facts);
    cargo.args(["clippy", "--lib", "--bins", "--tests"]).args(WASM_WORDS).arg(OF_THE_PAGE).args(DENY);
    let wasm = run_program("Linting code for wasm (the first time about 2 min)", &mut cargo, 30 * MINUTE);
    match (native, wasm) {
        (Err(first), Err(second)) => {
            eprintln!("\nerror: {first}");
            Err(second)
        }
        (native, wasm) => native.and(wasm),
    }
}

fn wasm(places: &Places, facts: &Facts) -> Result<(), Failure> {
    let browsers = Browsers::guard()?;
    let mut cargo = wasm_cargo(places, facts);
    cargo.args(["test", "--test", "browser"]).args(WASM_WORDS).arg(TESTED_AS_WASM);
    browsers.prepare_wasm_tests(&mut cargo, places, facts)?;
    run_program("Tests in the browser, as wasm (the first time about 3 min)", &mut cargo, 30 * MINUTE)
}

/// Tests the page in the browser of a session, and lists which tests were left out.
fn e2e(places: &Places, session: Session) -> Result<(), Failure> {
    let left_out = places.scratch().join("left-out.txt");
    // That of an earlier run, if any.
    let _ = fs::remove_file(&left_out);
    let mut cargo = native(places);
    cargo.args(["test", "--package", "warpspan-e2e"]).env("WARPSPAN_SKIPPED", &left_out);
    session.prepare(&mut cargo);
    let what = format!("Tests of the built page in {} (the first time about 1 min more)", session.name());
    let result = run_program(&what, &mut cargo, 30 * MINUTE).map_err(|failure| session.explain(failure));
    if let Ok(list) = fs::read_to_string(&left_out) {
        println!("\nLeft out, {} tests:\n{list}", list.lines().count());
    }
    result
}
