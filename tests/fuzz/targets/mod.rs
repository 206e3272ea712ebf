//! What is fuzzed: one function for each reader, from bytes to nothing; what must not happen is a panic.
//!
//! Both drivers call these functions: `cargo test --test fuzz` with seeded mutations of the seeds, and cargo-fuzz with
//! inputs that libFuzzer finds. Whatever is read is read twice by different ways that must agree, is written again, and
//! what can be run is run for a counted number of steps, with every export of what came of it.
//!
//! No clock is read and nothing is cut off by time: inputs are at most [`LONGEST`] bytes, jobs have fuel, and what
//! would be large whatever the fuel is left out by its size.

mod archives;
mod documents;
mod exports;
mod formats;
mod page;
mod said;
mod words;

#[allow(unused_imports, reason = "what is packed here are seeds, which cargo-fuzz has as files")]
pub use formats::packed;

/// Longer inputs are left out: the limits for length are tested by themselves.
pub const LONGEST: usize = 64 << 10;

/// One thing that is fuzzed.
#[allow(dead_code, reason = "cargo-fuzz has seeds as files, and counts inputs itself")]
pub struct Target {
    /// Its name: of the test, of the folder with its inputs, of the program for cargo-fuzz.
    pub name: &'static str,
    /// What is done with an input.
    pub run: fn(&[u8]),
    /// What its inputs are like.
    pub seeds: Seeds,
    /// It is given one input where the cheapest are given so many.
    pub cost: usize,
}

/// What the inputs of a target begin with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seeds {
    /// Scenarios of all labs.
    Scenarios,
    /// Share links.
    Links,
    /// Certificates.
    Certificates,
    /// Formulas, kernel strings, selections: short lines.
    Words,
    /// Bytes of compressed files.
    Gzip,
    /// Archives of files.
    Zip,
    /// Several files in one text.
    Several,
    /// PTX programs.
    Ptx,
    /// AMALTHEA models.
    Amalthea,
    /// Configurations of the examiner.
    Configurations,
    /// Logs of the examiner.
    Logs,
    /// Lessons.
    Lessons,
    /// Sets of exercises, and answers.
    Exercises,
    /// Lists of published values.
    Reproductions,
}

/// Everything that is fuzzed.
pub const TARGETS: [Target; 17] = [
    Target { name: "words", run: words::words, seeds: Seeds::Words, cost: 1 },
    Target { name: "sniff", run: formats::sniff, seeds: Seeds::Scenarios, cost: 1 },
    Target { name: "scenario", run: documents::scenario, seeds: Seeds::Scenarios, cost: 1 },
    Target { name: "link", run: documents::link, seeds: Seeds::Links, cost: 1 },
    Target { name: "gzip", run: formats::gzip, seeds: Seeds::Gzip, cost: 1 },
    Target { name: "zip", run: archives::zip, seeds: Seeds::Zip, cost: 4 },
    Target { name: "several", run: archives::several, seeds: Seeds::Several, cost: 4 },
    Target { name: "certificate", run: formats::certificate, seeds: Seeds::Certificates, cost: 1 },
    Target { name: "ptx", run: formats::ptx, seeds: Seeds::Ptx, cost: 2 },
    Target { name: "amalthea", run: formats::amalthea, seeds: Seeds::Amalthea, cost: 4 },
    Target { name: "configuration", run: formats::configuration, seeds: Seeds::Configurations, cost: 2 },
    Target { name: "log", run: formats::log, seeds: Seeds::Logs, cost: 4 },
    Target { name: "lesson", run: formats::lesson, seeds: Seeds::Lessons, cost: 2 },
    Target { name: "exercises", run: formats::exercises, seeds: Seeds::Exercises, cost: 4 },
    Target { name: "reproduction", run: formats::reproduction, seeds: Seeds::Reproductions, cost: 1 },
    Target { name: "page", run: page::page, seeds: Seeds::Scenarios, cost: 8 },
    Target { name: "run", run: documents::run, seeds: Seeds::Scenarios, cost: 10 },
];

/// Gives an input to the target of that name.
#[allow(dead_code, reason = "cargo-fuzz has a program for each target, and calls it by this")]
pub fn input(name: &str, data: &[u8]) {
    let target = TARGETS.iter().find(|target| target.name == name).expect("a target");
    (target.run)(data);
}

/// The text of an input: what is no UTF-8 in it is replaced, as everything that reads texts refuses it before.
fn text(data: &[u8]) -> Option<String> {
    (data.len() <= LONGEST).then(|| String::from_utf8_lossy(data).into_owned())
}
