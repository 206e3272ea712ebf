//! How soon a search tells its first bracket: from the text of a document to the line that the page shows.
//!
//! `cargo bench -p warpspan-code-lab --bench first_line` prints the best and the worst of five runs for each example, and for about 2,000
//! instructions in each of 48 warps: reading, the first slice, the line, and reading that again.

#![allow(clippy::disallowed_methods, reason = "a bench has a clock")]
#![allow(missing_docs)]

use std::time::Instant;

use base::control::Pacer;
use code_lab::LINKED;
use code_lab::page::Seen;
use kit::job::Step;
use serde_json::json;
use warpspan_code_lab as code_lab;

/// A slice as workers have it.
const SLICE_MS: f64 = 20.0;

fn main() {
    for name in ["code-saxpy", "code-barrier", "code-mandelbrot", "code-scan"] {
        let path = format!("{}/../../../www/scenarios/{name}.json", env!("CARGO_MANIFEST_DIR"));
        if let Ok(text) = std::fs::read_to_string(path) {
            measured(name, &text);
        }
    }
    for (file, function, warps) in
        [("sm_86", "matmul_16", 48), ("sm_75", "nbody_6", 48), ("sm_61", "transpose_4", 48)]
    {
        let Some(text) = listing(file) else { continue };
        let warps = json!({ "sass": text, "function": function, "count": warps, "loops": 17 });
        measured(
            &format!("{file} {function}, 48 warps"),
            &json!({ "warpspan": 1, "title": "large", "warps": warps }).to_string(),
        );
    }
}

/// A listing of the collection, as `tests/sass/make.py` packs it.
fn listing(name: &str) -> Option<String> {
    let path = format!("{}/../../../tests/sass/collection/{name}.sass.gz", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(path).ok()?;
    let plain = bytes.get(10..bytes.len().checked_sub(8)?)?;
    String::from_utf8(miniz_oxide::inflate::decompress_to_vec(plain).ok()?).ok()
}

fn measured(name: &str, text: &str) {
    let mut runs: Vec<(f64, [f64; 4], usize)> = (0..5).filter_map(|_| once(text)).collect();
    runs.sort_by(|a, b| a.0.total_cmp(&b.0));
    if let (Some((best, parts, instructions)), Some((worst, ..))) = (runs.first(), runs.last()) {
        let parts: Vec<String> = parts.iter().map(|part| format!("{part:.1}")).collect();
        println!("{name}, {instructions} instructions: {best:.1} to {worst:.1} ms; {} ms", parts.join(" + "));
    }
}

/// Milliseconds in all, of reading, of the first slice, of the line, of reading it; and how many instructions.
fn once(text: &str) -> Option<(f64, [f64; 4], usize)> {
    let begun = Instant::now();
    let passed = || begun.elapsed().as_secs_f64() * 1e3;
    let scenario = LINKED.read(text).ok()?;
    let read = passed();
    let mut job = LINKED.start(&scenario);
    let step = job.step(&mut Pacer::new(SLICE_MS).next());
    let slice = passed();
    let line = match step {
        Step::More(_) => job.news()?,
        Step::Done(report) => report.line(),
    };
    let told = passed();
    let seen = Seen::new(&line)?;
    let all = passed();
    Some((all, [read, slice - read, told - slice, all - told], seen.report.schedule.len()))
}
