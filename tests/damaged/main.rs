//! Damaged documents and links: each gives clear complaints, never a panic, a hang or silence.
//!
//! Some are damaged by hand, each breaking one rule; thousands are made from the built-in examples by
//! seeded mutation. A mutated document may still be right: then its report must be.

#![cfg(not(target_arch = "wasm32"))]

mod by_hand;
#[path = "../common/mod.rs"]
mod common;
mod conjectures;
mod full;
mod links;
mod memory;
mod mutated;
mod studies;

use common::{Answer, sound, warpspan, warpspan_with};
use warpspan::base::problem::MOST_PROBLEMS;
use warpspan::base::{Control, Problem, StopReason};
use warpspan::import::LONGEST;
use warpspan::import::gzip::text_of;
use warpspan::job::{self, Step, Weight};
use warpspan::report::Report;
use warpspan::scenario::{self, Scenario};

/// Reads a text that may be damaged; whatever comes of it must be sound. Whether it was refused.
fn refused(text: &str) -> bool {
    let _name = Naming(text);
    match scenario::read(text) {
        Ok(scenario) => {
            let report = begun(scenario);
            sound(&serde_json::from_str(&report.line()).expect("a report is JSON"));
            false
        }
        Err(problems) => {
            clear(&problems);
            true
        }
    }
}

/// The report of a scenario; that of a search after its first steps.
fn begun(scenario: Scenario) -> Report {
    let search = job::weight(&scenario) == Weight::Search;
    let mut job = job::start(scenario);
    let fuel = if search { 20_000 } else { u64::MAX };
    match job.step(&mut Control::slice(fuel)) {
        Step::Done(report) => report,
        Step::More(_) => job.stop(StopReason::Cancelled).expect("a search has something from the start"),
    }
}

/// Complaints a person can use: some, not too many, each with place, finding and remedy on one short line.
fn clear(problems: &[Problem]) {
    assert!((1..=MOST_PROBLEMS).contains(&problems.len()), "{} problems", problems.len());
    for problem in problems {
        for part in [&problem.place, &problem.what, &problem.expected] {
            assert!(!part.trim().is_empty() && !part.contains(char::is_control), "{problem:?}");
        }
        assert!(problem.to_string().len() < 1_000, "{problem:?}");
    }
}

/// Names the input on the way out of a failing test.
struct Naming<'a>(&'a str);

impl Drop for Naming<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let start: String = self.0.chars().take(500).collect();
            eprintln!("the damaged text, {} bytes: {start}", self.0.len());
        }
    }
}

/// What the program itself must say to damaged input from `source`.
fn complained(source: &str, answer: &Answer) {
    assert_eq!((answer.status, answer.out.as_str()), (2, ""), "{source}");
    assert!(!answer.err.contains("panicked") && !answer.err.is_empty(), "{}", answer.err);
    assert!((1..=MOST_PROBLEMS).contains(&answer.err.lines().count()), "{}", answer.err);
    for line in answer.err.lines() {
        let rest = line.strip_prefix(source).and_then(|line| line.strip_prefix(": "));
        let place = rest.and_then(|rest| rest.split_once(": ")).map(|(place, _)| place);
        assert!(place.is_some_and(|place| !place.is_empty()), "no place: {line}");
        assert!(line.contains(", expected "), "no remedy: {line}");
    }
}

#[test]
fn the_program_complains_like_the_library() {
    let documents = by_hand::documents();
    let samples = documents.iter().step_by(documents.len() / 30 + 1);
    for (_, text) in samples {
        let answer = warpspan_with(&["run", "-"], text.as_bytes());
        complained("-", &answer);
        let problems = scenario::read(text).expect_err("damaged by hand");
        let lines: Vec<String> = problems.iter().map(|problem| format!("-: {problem}")).collect();
        assert_eq!(answer.err.lines().collect::<Vec<_>>(), lines);
    }
}

#[test]
fn the_program_complains_about_bytes_that_are_no_text() {
    let truncated = &"{\"warpspan\": 1, \"title\": \"é".as_bytes()[..26];
    for bytes in
        [&b"\xff\xfe{\0}\0"[..], b"\x80", b"{\"warpspan\": \"\xc0\xaf\"}", truncated, &[0x1f, 0x8b, 8, 0]]
    {
        complained("-", &warpspan_with(&["run", "-"], bytes));
        complained("-", &warpspan_with(&["link", "-"], bytes));
    }
}

/// A gzip file cut off anywhere, with every byte flipped in turn, and one that would fill the memory.
#[test]
fn damaged_gzip_is_refused() {
    let gzip = |text: &[u8]| {
        let mut file = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
        file.extend(miniz_oxide::deflate::compress_to_vec(text, 9));
        file.extend(crc32fast::hash(text).to_le_bytes());
        file.extend((text.len() as u32).to_le_bytes());
        file
    };
    let read = |bytes: &[u8]| text_of(bytes).map_err(|problem| clear(&[problem]));
    let text = scenario::builtin::BUILTINS[0].text;
    let sound = gzip(text.as_bytes());
    assert_eq!(read(&sound).as_deref(), Ok(text));
    for end in 0..sound.len() {
        // Cut within its first bytes it is no gzip file, and then no text or no scenario.
        assert!(read(&sound[..end]).map_or(true, |text| refused(&text)), "cut off at {end}");
    }
    for i in 0..sound.len() {
        let mut bytes = sound.clone();
        bytes[i] ^= 0xff;
        // Time stamp and origin in the header mean nothing.
        assert!(read(&bytes).map_or(true, |text| refused(&text) || (4..10).contains(&i)), "byte {i}");
    }
    for flags in 0..=255 {
        let mut bytes = sound.clone();
        bytes[3] = flags;
        let _ = read(&bytes);
        let _ = read(&bytes[..12]);
    }
    assert!(read(&gzip(&vec![b' '; LONGEST + 1])).is_err());
}

#[test]
fn the_program_complains_about_links() {
    // A word that begins with a dash is an option, and no argument holds a zero byte.
    let arguments = |link: &&String| !link.starts_with('-') && !link.contains('\0');
    for link in links::damaged().iter().filter(arguments).step_by(40) {
        let answer = warpspan(&["open", link]);
        let source = answer.err.split_once(": link: ").map(|(source, _)| source.to_owned());
        complained(&source.expect("the place is the link"), &answer);
    }
}

/// Longer than anything the program reads: refused without an attempt to understand it.
#[test]
fn the_program_refuses_what_is_too_long() {
    let file = common::Scratch::new(b"{");
    let open = std::fs::OpenOptions::new().write(true).open(&file.0).expect("it is there");
    open.set_len(1 << 32).expect("a file may have a hole");
    complained(file.path(), &warpspan(&["run", file.path()]));
}
