//! The kernel as a chain: one task that launches it, to go on from.

use kit::page::edit::get;
use serde_json::{Map, Value, json};

use crate::report::{CodeReport, OccupancyReport};
use base::people::grouped;

/// Threads of a warp.
const WARP: usize = 32;
/// Keys of a document that say what a warp executes, and on what.
const OWN: [&str; 8] = ["sass", "function", "architecture", "loops", "latencies", "lanes", "code", "machine"];
/// The `sm_` numbers of which a chain knows the multiprocessor by name, for kernels that are given as strings or PTX.
const NAMED: [u32; 14] = [50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90];
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
    let mut device = json!({
        "name": format!("One multiprocessor, {}", report.architecture.as_deref().unwrap_or("as the document has it")),
        "sms": 1,
        "threads": threads.max(block * WARP),
        "blocks": limit("blocks", 16),
        "threads_per_block": 1024.max(block * WARP),
    });
    let mut assumed = Vec::new();
    if let Some(own) = &report.occupancy {
        for (key, name) in [
            ("registers", "registers"),
            ("shared_memory", "shared memory"),
            ("shared_memory_per_block", "shared memory of a block"),
        ] {
            if let Some(row) = own.limits.iter().find(|row| row.0 == name) {
                device[key] = row.1.into();
            }
        }
        taken(own, &mut kernel, &mut assumed);
    }
    let period = report.upper.saturating_mul(3).max(1_000);
    let mut chain = json!({
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
    });
    if let Some(machine) = report.occupancy.as_ref().and_then(machine) {
        chain["chain"]["machine"] = json!({ "preset": machine });
    }
    if !assumed.is_empty() {
        chain["chain"]["assumed"] = Value::Array(assumed);
    }
    chain
}

/// The multiprocessor that fits a listing, by its name in chains; none where they know none, and where nobody says which
/// one it is.
fn machine(own: &OccupancyReport) -> Option<String> {
    let number = own.architecture.strip_prefix("sm_")?.parse::<u32>().ok()?;
    let known = NAMED.contains(&number) && !own.architecture_assumed;
    known.then(|| format!("cc-{}.{}", number / 10, number % 10))
}

/// Gives a kernel the registers of a thread and the shared memory of a block, as far as they are known; what of that may
/// be more is taken for granted. Where no multiprocessor holds such a block the kernel could never run: then neither.
fn taken(own: &OccupancyReport, kernel: &mut Map<String, Value>, assumed: &mut Vec<Value>) {
    if own.blocks == 0 {
        return;
    }
    let name = kernel.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
    let mut granted = |what: &str, value: String, why: String, key: &str| {
        let path = format!("chain.kernels[0].{key}");
        assumed
            .push(json!({ "what": format!("{what} of {name}"), "value": value, "why": why, "path": path }));
    };
    if own.registers > 0 && own.registers_from != "assumed" {
        kernel.insert("registers".to_owned(), own.registers.into());
        if own.registers_from == "at least" {
            let highest = own.highest.map_or_else(String::new, |highest| format!(" above R{highest}"));
            let why =
                format!("no instruction names one{highest}, and the listing does not say how many there are");
            granted("the number of registers of a thread", grouped(own.registers.into()), why, "registers");
        }
    }
    if own.shared_from != "assumed" {
        kernel.insert("shared_memory".to_owned(), own.shared.into());
    } else if own.uses_shared {
        let why = "instructions use shared memory, and the listing does not say how much".to_owned();
        granted("the shared memory of a block", "none".to_owned(), why, "shared_memory");
    }
}
