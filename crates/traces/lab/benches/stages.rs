//! How long recorded runs take from file to report, stage by stage, and how much of it is one processor's time.
//!
//! `cargo bench -p warpspan-traces-lab --bench stages` makes runs of several sizes, as Nsight's SQLite and as the PyTorch
//! profiler's JSON; `-- FILE...` takes files, and `-- --write=DIRECTORY` only writes those that are made, and one of 100 MB,
//! so that the page can be measured with them (`cargo run --release -p warpspan-e2e --bin bench`). Of three turns the one is printed that took the least in all: milliseconds of
//! reading, causes, the report without replays, their graph, and the replays of the changes worth most; the sum,
//! and that by operation in microseconds. On Linux that is this thread's time on a processor, elsewhere what a clock shows.

#![allow(clippy::disallowed_methods, reason = "a bench has a clock")]
#![allow(missing_docs)]

mod made;

use std::path::{Path, PathBuf};
use std::time::Instant;

use traces::leads::leads;
use traces::{Causes, Replay};
use traces_lab::report::{CANDIDATES, Detail, report_of};
use warpspan_traces_lab as traces_lab;

/// Operations of runs that are made.
const SIZES: [u32; 3] = [20_000, 100_000, 500_000];
/// Operations of a run of which Nsight's SQLite is of 100 MB.
const LARGE: u32 = 1_280_000;
/// Turns of each.
const TURNS: usize = 3;
/// What is measured.
const STAGES: [&str; 5] = ["read", "causes", "report", "graph", "changes"];

fn main() {
    let files: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    if let Some(directory) =
        std::env::args().find_map(|word| word.strip_prefix("--write=").map(PathBuf::from))
    {
        return written(&directory).unwrap_or_else(|error| println!("{}: {error}", directory.display()));
    }
    println!(
        "{:<28} {:>9} {} {:>9} {:>9}",
        "",
        "",
        STAGES.map(|stage| format!("{stage:>8}")).join(" "),
        "ms",
        "µs each"
    );
    for file in &files {
        match std::fs::read(file) {
            Ok(bytes) => measured(file.rsplit('/').next().unwrap_or(file), &bytes),
            Err(error) => println!("{file}: {error}"),
        }
    }
    if files.is_empty() {
        for operations in SIZES {
            measured("made, SQLite", &made::sqlite(operations));
            measured("made, JSON", made::json(operations).as_bytes());
        }
    }
}

/// Writes what is made to files.
fn written(directory: &Path) -> std::io::Result<()> {
    for operations in SIZES.into_iter().chain([LARGE]) {
        std::fs::write(directory.join(format!("{operations}.sqlite")), made::sqlite(operations))?;
        std::fs::write(directory.join(format!("{operations}.json")), made::json(operations))?;
    }
    Ok(())
}

fn measured(name: &str, bytes: &[u8]) {
    let turns = (0..TURNS).filter_map(|_| once(bytes));
    let Some((operations, parts)) = turns.min_by(|one, other| sum(&one.1).total_cmp(&sum(&other.1))) else {
        return println!("{name:<28} is no recording");
    };
    let each = sum(&parts) * 1e3 / operations as f64;
    let told = parts.map(|part| format!("{part:>8.0}")).join(" ");
    println!("{name:<28} {operations:>9} {told} {:>9.0} {each:>9.2}", sum(&parts));
}

fn sum(parts: &[f64; STAGES.len()]) -> f64 {
    parts.iter().sum()
}

/// How many operations there are, and the milliseconds of each stage.
fn once(mut bytes: &[u8]) -> Option<(usize, [f64; STAGES.len()])> {
    let begun = Instant::now();
    let passed = || on_processor().unwrap_or_else(|| begun.elapsed().as_secs_f64() * 1e3);
    let start = passed();
    let trace = traces_read::read(&mut bytes, &mut |_| true).ok()?;
    let read = passed();
    let causes = Causes::of(&trace);
    let explained = passed();
    let report = report_of("made", &causes, Detail::Summary);
    std::hint::black_box(report.line());
    let told = passed();
    let replay = Replay::of(&causes);
    let built = passed();
    let report = report.with_replays(&replay, &leads(&replay, CANDIDATES));
    std::hint::black_box(report.line());
    let all = passed();
    let parts = [read - start, explained - read, told - explained, built - told, all - built];
    Some((trace.operations.len(), parts))
}

/// Milliseconds for which this thread was on a processor, where the system tells.
fn on_processor() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(text.split_whitespace().next()?.parse::<f64>().ok()? / 1e6)
}
