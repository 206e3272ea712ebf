//! A stretch of a recorded run as a document of blocks, on which the published rules can be played.
//!
//! A recording does not say how long a block took. It is assumed that all blocks of a kernel take the same time, and that
//! they run wave after wave: the kernel's time over its waves. The notes of the document say so.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use base::people;
use traces::Trace;
use traces::occupancy::occupancy;
use traces::trace::{Direction, Kind, Limits, Operation, StreamKind};

/// More operations than these make no picture: of a longer stretch the first are taken.
pub const MOST: usize = 400;
/// More blocks than these a document of blocks does not run.
const MOST_BLOCKS: u64 = 2_000_000;
/// The most threads and registers of a thread that a block may ask for.
const LARGEST: (u64, u64) = (1_024, 255);

/// The document of what a device, by its place, began between two times; or why there is none.
pub fn blocks(trace: &Trace, device: u32, from: i64, to: i64) -> Result<Value, String> {
    let mine = |own: &&Operation| {
        let stream = &trace.streams[own.stream as usize];
        stream.device == device && own.start >= from && own.start < to
    };
    let mut all: Vec<&Operation> = trace.operations.iter().filter(mine).collect();
    let Some(own) = trace.devices.get(device as usize).filter(|_| !all.is_empty()) else {
        return Err("Nothing began on that GPU in this stretch.".to_owned());
    };
    let began = all.len();
    let taken = taken(&all);
    if taken == 0 {
        return Err(format!(
            "The first kernel of this stretch has {} blocks; a document of blocks runs {} at most: begin after it.",
            people::grouped(blocks_of(all[0]).into()),
            people::grouped(MOST_BLOCKS.into()),
        ));
    }
    all.truncate(taken);
    let larger = all.iter().filter(|one| asks_for_more(one, &own.limits)).count();
    let launched =
        |own: &Operation| own.call.map_or(own.start, |call| trace.calls[call as usize].start.min(own.start));
    let begins = all.iter().map(|own| launched(own)).min().unwrap_or(from);
    let mut streams: BTreeMap<u32, Vec<&Operation>> = BTreeMap::new();
    for own in all {
        streams.entry(own.stream).or_default().push(own);
    }
    let limits = own.limits;
    let streams: Vec<Value> = streams
        .into_iter()
        .map(|(place, mut all)| {
            all.sort_by_key(|own| (launched(own), own.start));
            let stream = &trace.streams[place as usize];
            let mut now = launched(all[0]);
            let release = now.saturating_sub(begins);
            let mut operations = Vec::new();
            for own in all {
                let wait = launched(own).saturating_sub(now).max(0);
                if wait > 0 {
                    operations.push(json!({"sleep": wait}));
                }
                now = now.saturating_add(wait);
                operations.push(operation(trace, own, &limits));
            }
            let kind = match stream.kind {
                StreamKind::Null => "null",
                StreamKind::NonBlocking => "non-blocking",
                StreamKind::Unknown | StreamKind::Blocking => "blocking",
            };
            let priority = stream.priority.unwrap_or(0).clamp(-5, 0);
            json!({"label": format!("stream {}", stream.number), "kind": kind, "priority": priority, "release": release, "operations": operations})
        })
        .collect();
    let known = |value: Option<u32>, otherwise: u32| value.filter(|&value| value > 0).unwrap_or(otherwise);
    let shared = limits.shared.unwrap_or(65_536);
    let device = json!({
        "name": if own.name.is_empty() { "GPU" } else { own.name.as_str() },
        "sms": known(limits.multiprocessors, 1),
        "threads": known(limits.threads, 2_048),
        "blocks": known(limits.blocks, 32),
        "shared_memory": shared,
        "registers": known(limits.registers, 65_536),
        "threads_per_block": 1_024,
        "shared_memory_per_block": limits.shared_of_block.unwrap_or(shared).min(shared),
        "allocate": "warps",
        "copy_engines": 2,
    });
    let missing = [
        (limits.multiprocessors.is_none(), "multiprocessors"),
        (limits.threads.is_none(), "threads"),
        (limits.registers.is_none(), "registers"),
        (limits.shared.is_none(), "shared memory"),
    ];
    let missing: Vec<&str> = missing.iter().filter(|(missing, _)| *missing).map(|(_, name)| *name).collect();
    let guessed = if missing.is_empty() {
        String::new()
    } else {
        format!(
            " The recording does not say the GPU's {}: these numbers are made up.",
            people::listed(&missing)
        )
    };
    let mut notes = String::new();
    if taken < began {
        let (taken, began) = (people::grouped(taken as u128), people::counted(began, "operation"));
        notes += &format!("The first {taken} of the {began} that began in the stretch. ");
    }
    notes += &format!(
        "Kernels, launch times and copies are as recorded. How long a block takes is not: it is assumed that all blocks of a kernel take equally long, wave after wave.{guessed} Events that streams wait for are left out."
    );
    if larger > 0 {
        let (kernels, ask) = (people::counted(larger, "kernel"), if larger == 1 { "asks" } else { "ask" });
        notes += &format!(" {kernels} {ask} for more than a block of this GPU has, and got all of that.");
    }
    Ok(json!({
        "warpspan": 1,
        "title": format!("{} of a recorded run", if own.name.is_empty() { "A stretch" } else { own.name.as_str() }),
        "notes": notes,
        "blocks": {"device": device, "streams": streams},
    }))
}

/// How many of some operations go into one document.
fn taken(all: &[&Operation]) -> usize {
    let mut blocks = 0u64;
    let fits = |own: &&&Operation| {
        blocks = blocks.saturating_add(blocks_of(own));
        blocks <= MOST_BLOCKS
    };
    all.iter().take(MOST).take_while(fits).count()
}

fn product(all: [u32; 3]) -> u64 {
    all.iter().fold(1u64, |all, &one| all.saturating_mul(one.max(1).into()))
}

fn blocks_of(own: &Operation) -> u64 {
    match &own.kind {
        Kind::Kernel(shape) => product(shape.grid),
        Kind::Copy(..) | Kind::Set(_) => 0,
    }
}

/// How much shared memory a block may have.
fn shared_of(limits: &Limits) -> u64 {
    limits.shared_of_block.or(limits.shared).unwrap_or(65_536)
}

/// Whether a kernel was recorded with more than its device is said to give a block.
fn asks_for_more(own: &Operation, limits: &Limits) -> bool {
    let Kind::Kernel(shape) = &own.kind else { return false };
    product(shape.block) > LARGEST.0
        || shape.registers.is_some_and(|own| u64::from(own) > LARGEST.1)
        || shape.shared.is_some_and(|own| own > shared_of(limits))
}

fn operation(trace: &Trace, own: &Operation, limits: &Limits) -> Value {
    let name = &trace.names[own.name as usize];
    let name: String = name.chars().take(60).collect();
    let took = own.nanos();
    match &own.kind {
        Kind::Kernel(shape) => {
            let waves =
                occupancy(shape, limits).and_then(|held| held.waves).map_or(1, |waves| waves.count().max(1));
            let mut value = json!({
                "kernel": name,
                "blocks": blocks_of(own),
                "threads": product(shape.block).min(LARGEST.0),
                "duration": (took / waves).max(1),
            });
            let shared = shared_of(limits);
            for (key, number) in [
                ("shared_memory", shape.shared.map(|own| own.min(shared))),
                ("registers", shape.registers.map(u64::from).map(|own| own.min(LARGEST.1))),
            ] {
                if let Some(number) = number.filter(|&number| number > 0) {
                    value[key] = number.into();
                }
            }
            value
        }
        Kind::Copy(direction, _) => {
            let way = match direction {
                Direction::ToDevice => "in",
                Direction::ToHost => "out",
                Direction::Within | Direction::Between | Direction::Other => "within",
            };
            json!({"copy": way, "duration": took, "label": name})
        }
        Kind::Set(_) => json!({"copy": "set", "duration": took, "label": name}),
    }
}
