//! Documents that show a part of a chain in its lab, with what was computed filled in.
//!
//! Invariant: each of them can be read.

use serde_json::{Map, Value, json};

use super::Part;
use crate::scenario::{ChainScenario, Changed};
use base::people;
use chain::edf::LARGEST;
use chain::solve::Solved;
use chain::{SegmentKind, Sharing, Work};
use kit::lab::Labs;
use kit::scenario::version;
use warps::MOST_WARPS;

/// The labs that parts are opened in.
const LABS: &Labs = &[&code_lab::Code, &warps_lab::Warps, &blocks_lab::Blocks, &tasks_lab::Tasks];

/// Seconds after which the search for the warps of a kernel stops with the bracket it has.
const MOST_SECONDS: u32 = 20;
/// And the mebibytes it may take: as many as that of the chain.
const MOST_MEBIBYTES: u32 = 64;

/// All parts of a chain.
pub fn parts<'a>(
    title: &str,
    asked: &ChainScenario,
    solved: &Solved,
    changes: impl Iterator<Item = &'a Changed>,
) -> Vec<Part> {
    let mut parts: Vec<Part> =
        (0..asked.chain.kernels.len()).filter_map(|kernel| warps(title, asked, solved, kernel)).collect();
    parts.extend(blocks(title, asked, solved));
    parts.extend((0..asked.chain.cores.len()).filter_map(|core| tasks(title, asked, solved, core)));
    parts.retain(|part| kit::scenario::from_tree(LABS, &part.document).is_ok());
    parts.extend(changes.map(|changed| Part {
        id: format!("chain:{}", changed.id),
        lab: "chain".to_owned(),
        label: format!("Open: {}", changed.what),
        document: changed.asked.around(&format!("{title}: {}", changed.what)),
    }));
    parts
}

fn document(title: String, key: &str, value: Value) -> Value {
    let mut document = Map::new();
    document.insert("warpspan".to_owned(), json!(version::CURRENT));
    document.insert("title".to_owned(), json!(title));
    document.insert(key.to_owned(), value);
    Value::Object(document)
}

/// The warps resident on one multiprocessor, sought exactly.
fn warps(title: &str, asked: &ChainScenario, solved: &Solved, kernel: usize) -> Option<Part> {
    let of = asked.chain.kernels.get(kernel)?;
    let written = asked.document.get("kernels")?.get(kernel)?;
    if matches!(of.work, Work::Cycles(_)) {
        return None;
    }
    let occupancy = &solved.kernels[kernel].occupancy;
    let count = occupancy.most().saturating_mul(occupancy.warps);
    if count > MOST_WARPS as u64 {
        return None;
    }
    let mut warps = Map::new();
    for key in SOURCE {
        if let Some(value) = written.get(key) {
            warps.insert(key.to_owned(), value.clone());
        }
    }
    warps.insert("count".to_owned(), json!(count));
    if matches!(of.work, Work::Code(_)) {
        if let Some(machine) = written.get("machine") {
            warps.insert("machine".to_owned(), machine.clone());
        }
        warps.insert("block".to_owned(), json!(occupancy.warps));
        warps.insert("method".to_owned(), json!({"exact": {"memory_limit": MOST_MEBIBYTES}}));
        return Some(part(title, &of.name, count, warps));
    }
    let machine = asked.document.get("machine").cloned();
    warps.insert("machine".to_owned(), machine.unwrap_or_else(|| json!({"preset": "cc-6.2"})));
    if let Some(memory) = asked.document.get("memory") {
        warps.insert("memory".to_owned(), memory.clone());
    }
    // The search of the chain has an end; this one, too.
    let method = json!({"exact": {"time_limit": MOST_SECONDS, "memory_limit": MOST_MEBIBYTES}});
    warps.insert("method".to_owned(), method);
    Some(part(title, &of.name, count, warps))
}

/// What of a kernel is of its warps alone.
const SOURCE: [&str; 11] = [
    "kernel",
    "ptx",
    "entry",
    "path",
    "sass",
    "function",
    "architecture",
    "loops",
    "latencies",
    "lanes",
    "code",
];

fn part(title: &str, name: &str, count: u64, warps: Map<String, Value>) -> Part {
    let told = people::counted(usize::try_from(count).unwrap_or(usize::MAX), "warp");
    Part {
        id: format!("warps:{name}"),
        lab: "warps".to_owned(),
        label: format!("{told} of {name} on one multiprocessor"),
        document: document(format!("{title}: {name}"), "warps", Value::Object(warps)),
    }
}

/// Kernels and copies on the whole GPU, all launched together in the order that makes the last one latest.
fn blocks(title: &str, asked: &ChainScenario, solved: &Solved) -> Option<Part> {
    let chain = &asked.chain;
    let late = solved.kernels.iter().max_by_key(|kernel| kernel.completion.time.upper().map(|f| f.value))?;
    let mut order = late.completion.order.clone();
    order.extend((0..chain.kernels.len()).filter(|kernel| !late.completion.order.contains(kernel)));
    let mut operations = Vec::new();
    for &kernel in &order {
        let (of, written) = (&chain.kernels[kernel], asked.document.get("kernels")?.get(kernel)?);
        let duration = solved.kernels[kernel].block.upper()?.value.0;
        let mut operation = Map::new();
        operation.insert("kernel".to_owned(), json!(of.name));
        for key in ["blocks", "threads", "registers", "shared_memory"] {
            if let Some(value) = written.get(key) {
                operation.insert(key.to_owned(), value.clone());
            }
        }
        operation.insert("duration".to_owned(), json!(duration));
        operations.push((of.name.clone(), Value::Object(operation)));
    }
    let mut streams: Vec<Value> = match chain.sharing {
        Sharing::Shared => operations
            .into_iter()
            .map(|(name, operation)| json!({"label": name, "operations": [operation]}))
            .collect(),
        Sharing::Exclusive => {
            let all: Vec<Value> = operations.into_iter().map(|(_, operation)| operation).collect();
            vec![json!({"label": "one after the other", "operations": all})]
        }
    };
    for task in &chain.tasks {
        let copies = task.segments.iter().filter_map(|segment| match segment.kind {
            SegmentKind::Copy { direction, duration, .. } => {
                let way = if direction == blocks::Direction::In { "in" } else { "out" };
                Some(json!({"copy": way, "label": format!("copy {way} of {}", task.name), "duration": duration.0}))
            }
            _ => None,
        });
        let copies: Vec<Value> = copies.collect();
        if !copies.is_empty() {
            streams.push(json!({"label": task.name, "operations": copies}));
        }
    }
    let mut blocks = Map::new();
    if let Some(device) = asked.document.get("device") {
        blocks.insert("device".to_owned(), device.clone());
    }
    blocks.insert("streams".to_owned(), Value::from(streams));
    Some(Part {
        id: "blocks".to_owned(),
        lab: "blocks".to_owned(),
        label: "The kernels on the whole GPU".to_owned(),
        document: document(format!("{title}: the GPU"), "blocks", Value::Object(blocks)),
    })
}

/// The tasks of a core as recurring ones, waiting counted as computing.
fn tasks(title: &str, asked: &ChainScenario, solved: &Solved, core: usize) -> Option<Part> {
    let chain = &asked.chain;
    let mut set = Vec::new();
    for (task, found) in chain.tasks.iter().zip(&solved.tasks).filter(|(task, _)| task.core == core) {
        // A task of the lab has neither jitter nor others that activate it.
        if task.activated.is_some() || task.jitter > base::Nanos::ZERO {
            return None;
        }
        let time = |side: Option<&chain::Valued<base::Nanos>>| side.map(|f| f.value.0);
        let e = time(found.load.cpu.upper())?.checked_add(time(found.load.gpu.upper())?)?;
        if e.max(task.period.0) > LARGEST {
            return None;
        }
        let vertex = json!({"name": task.name, "e": e, "d": task.deadline.0});
        set.push(json!({"name": task.name, "period": task.period.0, "vertices": [vertex]}));
    }
    if set.is_empty() {
        return None;
    }
    let name = &chain.cores[core].name;
    Some(Part {
        id: format!("tasks:{name}"),
        lab: "tasks".to_owned(),
        label: format!("The tasks of {name} by demand"),
        document: document(format!("{title}: {name}"), "tasks", Value::from(set)),
    })
}
