//! The kernel as a chain: one task that launches it, to go on from.

use kit::page::edit::get;
use serde_json::{Map, Value, json};

use crate::report::CodeReport;

/// Threads of a warp.
const WARP: usize = 32;
/// Keys of a document that say what a warp executes, and on what.
const OWN: [&str; 8] = ["sass", "function", "architecture", "loops", "latencies", "lanes", "code", "machine"];
/// The clock that is taken: a nanosecond a cycle.
const CLOCK: u64 = 1_000_000_000;

/// The document of a chain in which a task launches what was asked about, with the room that its worst case leaves twice
/// over.
pub fn as_chain(tree: &Value, report: &CodeReport) -> Value {
    let of = |key: &str| get(tree, &["warps", key]);
    let count = report.count.max(1);
    let block = of("block").and_then(Value::as_u64).map_or(count, |block| block as usize).clamp(1, count);
    let name = report.function.as_deref().unwrap_or("kernel");
    let mut kernel = Map::new();
    kernel.insert("name".to_owned(), format!("{name:.60}").into());
    kernel.insert("blocks".to_owned(), count.div_ceil(block).into());
    kernel.insert("threads".to_owned(), (block * WARP).into());
    let own = OWN.iter().chain(of("code").is_some().then_some(&"path"));
    kernel.extend(own.filter_map(|key| Some(((*key).to_owned(), of(key)?.clone()))));
    let limit = |name: &str, otherwise: usize| {
        let limits = report.occupancy.iter().flat_map(|own| &own.limits);
        limits.into_iter().find(|row| row.0 == name).map_or(otherwise, |row| row.1 as usize)
    };
    let threads = limit("warps", count) * WARP;
    let device = json!({
        "name": format!("One multiprocessor, {}", report.architecture.as_deref().unwrap_or("as the document has it")),
        "sms": 1,
        "threads": threads.max(block * WARP),
        "blocks": limit("blocks", 16),
        "threads_per_block": 1024.max(block * WARP),
    });
    let period = report.upper.saturating_mul(3).max(1_000);
    json!({
        "warpspan": 1,
        "title": format!("{name:.60} in a task with a made-up period"),
        "notes": "A task launches the kernel once in each period, which is three times what a launch takes at most. Clock, period and the time on the host are made up, so that the verdict says nothing yet: change them to yours.",
        "chain": {
            "device": device,
            "clock": CLOCK,
            "sharing": "exclusive",
            "kernels": [kernel],
            "tasks": [{
                "name": "task",
                "period": period,
                "segments": [{ "cpu": 100 }, { "launch": format!("{name:.60}") }],
            }],
        },
    })
}
