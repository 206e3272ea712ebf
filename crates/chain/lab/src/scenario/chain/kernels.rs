//! The kernels of a chain: instructions, PTX, machine code or cycles, and a grid that fits the GPU.

use serde_json::Value;

use super::{MOST_COUNTED, Ptx, Source, name, names_differ, normalised};
use base::problem::named;
use base::{Nanos, people};
use blocks::{Device, Durations, Mask, misfit};
use chain::MachineCode;
use chain::{Cycles, Grid, Instructions, Kernel, Work};
use code::launch::MOST_WARPS;
use code_lab::scenario::{CodeScenario, of_block};
use kit::import::reader::{Fields, Reader};
use warps::Normalised;
use warps_lab::import::ptx::Walk;
use warps_lab::scenario::programs::Here;
use warps_lab::scenario::warps as of_warps;

/// What is open where trip counts are ranges.
const RANGED: &str = "Trip counts are ranges; the string has the most rounds.";
/// The most kernels of a chain.
const MOST_KERNELS: usize = 50;
/// The most blocks of a kernel.
const MOST_BLOCKS: u32 = 1_000_000;

/// The ways to say what its warps do, and what belongs to each of them alone.
const SOURCES: [(&str, &[&str]); 5] = [
    ("kernel", &[]),
    ("ptx", &["entry", "path"]),
    ("sass", &["function", "architecture", "loops", "latencies", "lanes"]),
    ("code", &["machine", "path"]),
    ("cycles", &[]),
];
const FIELDS: [&str; 19] = [
    "name",
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
    "machine",
    "cycles",
    "blocks",
    "threads",
    "registers",
    "shared_memory",
    "assignment",
];

/// What kernels are to fit: the GPU, a multiprocessor, and the threads of a warp.
#[derive(Clone, Copy)]
pub struct On<'a> {
    pub device: Option<&'a Device>,
    pub machine: Option<&'a Normalised>,
    pub warp: u32,
}

/// A kernel, and where its instructions are from.
pub type Read = (Kernel, Option<Source>);

/// Reads the list of kernels, which may be empty where there are tasks.
pub fn read(reader: &mut Reader, path: &str, value: &Value, on: On<'_>) -> Option<Vec<Read>> {
    let items = reader.list(path, value)?;
    if items.len() > MOST_KERNELS {
        let expected = format!("at most {MOST_KERNELS} kernels");
        reader.problem(path, people::counted(items.len(), "kernel"), expected);
        return None;
    }
    let read = items.iter().enumerate().map(|(i, item)| {
        let fields = reader.object(&format!("{path}[{i}]"), item)?;
        kernel(reader, &fields, on)
    });
    let read: Vec<Option<_>> = read.collect();
    let kernels: Vec<Read> = read.into_iter().collect::<Option<_>>()?;
    names_differ(reader, path, kernels.iter().map(|(kernel, _)| kernel.name.as_str()))?;
    Some(kernels)
}

fn kernel(reader: &mut Reader, fields: &Fields<'_>, on: On<'_>) -> Option<Read> {
    reader.only(fields, &FIELDS);
    let name = name(reader, fields, "the name of the kernel");
    let mut number = |key: &str, range: std::ops::RangeInclusive<u32>, otherwise: Option<u32>| match (
        fields.get(key),
        otherwise,
    ) {
        (Some(value), _) => reader.small(&fields.path_of(key), value, range),
        (None, Some(otherwise)) => Some(otherwise),
        (None, None) => {
            let expected = format!("a whole number, {} to {}", range.start(), range.end());
            reader.problem(fields.path_of(key), "missing", expected);
            None
        }
    };
    let grid = (
        number("blocks", 1..=MOST_BLOCKS, Some(1)),
        number("threads", 1..=1 << 20, None),
        number("registers", 0..=1 << 16, Some(0)),
        number("shared_memory", 0..=1 << 30, Some(0)),
    );
    let work = work(reader, fields, on, grid.1);
    let (blocks, threads, registers, shared_memory) = (grid.0?, grid.1?, grid.2?, grid.3?);
    let grid = Grid { blocks, threads, registers, shared_memory };
    let name = name?;
    let (work, source) = work?;
    let device = on.device?;
    fits(reader, fields, &name, grid, device)?;
    let assignment = match fields.get("assignment") {
        None => None,
        Some(value) => Some(assignment(reader, &fields.path_of("assignment"), value, blocks, device)?),
    };
    Some((Kernel { name, work, grid, assignment }, source))
}

/// What its warps do: exactly one of the ways to say it.
fn work(
    reader: &mut Reader,
    fields: &Fields<'_>,
    on: On<'_>,
    threads: Option<u32>,
) -> Option<(Work, Option<Source>)> {
    let given: Vec<&str> =
        SOURCES.iter().map(|(key, _)| *key).filter(|key| fields.get(key).is_some()).collect();
    let &[source] = &given[..] else {
        let found = if given.is_empty() { "nothing to execute".to_owned() } else { people::listed(&given) };
        let expected = "exactly one of \"kernel\", \"ptx\", \"sass\", \"code\" and \"cycles\"";
        reader.problem(fields.path(), found, expected);
        return None;
    };
    alone(reader, fields, source);
    match source {
        "cycles" => {
            let cycles = reader.whole(&fields.path_of("cycles"), fields.get("cycles")?, 1..=MOST_COUNTED)?;
            Some((Work::Cycles(Cycles(cycles)), None))
        }
        "sass" | "code" => {
            let warps = warps_of_block(reader, fields, threads?, on.warp)?;
            let code: CodeScenario = of_block(reader, fields, warps)?;
            Some((Work::Code(MachineCode { block: code.launch.clone() }), Some(Source::Code(code))))
        }
        _ => {
            let (written, walk) = of_warps::kernel(&Here, reader, fields)?;
            let normalised = normalised(reader, fields, &written, on.machine?)?;
            let text = fields.get("ptx").and_then(Value::as_str).unwrap_or_default();
            // A search knows the string with the most rounds only; with fewer it may take longer.
            let ranged = |walk: &Walk| walk.fewest.is_some().then(|| RANGED.to_owned());
            let assumed =
                walk.as_deref().and_then(|walk| walk.assumed.first().cloned().or_else(|| ranged(walk)));
            let source = walk.map(|walk| Source::Ptx(Ptx { text: text.to_owned(), walk }));
            Some((Work::Instructions(Instructions { written, normalised, assumed }), source))
        }
    }
}

/// Notes keys that belong to another way of saying what warps do; strings say so themselves where PTX is missing.
fn alone(reader: &mut Reader, fields: &Fields<'_>, source: &str) {
    let own = SOURCES.iter().find(|(key, _)| *key == source).map_or(&[][..], |(_, own)| own);
    let own = if source == "kernel" { SOURCES[1].1 } else { own };
    let mut noted: Vec<&str> = Vec::new();
    for &key in SOURCES.iter().flat_map(|(_, keys)| *keys) {
        if own.contains(&key) || noted.contains(&key) || fields.get(key).is_none() {
            continue;
        }
        noted.push(key);
        let with = SOURCES.iter().filter(|(_, keys)| keys.contains(&key));
        let with: Vec<String> = with.map(|(source, _)| format!("\"{source}\"")).collect();
        let expected = format!("no such key unless there is {}", with.join(" or "));
        reader.problem(fields.path_of(key), format!("given with \"{source}\""), expected);
    }
}

/// How many warps a block has, if machine code of so many is known.
fn warps_of_block(reader: &mut Reader, fields: &Fields<'_>, threads: u32, warp: u32) -> Option<usize> {
    let warps = threads.div_ceil(warp) as usize;
    if warps > MOST_WARPS {
        let expected = format!("at most {MOST_WARPS} warps in a block of machine code");
        reader.problem(fields.path_of("threads"), people::counted(warps, "warp"), expected);
        return None;
    }
    Some(warps)
}

/// Notes what keeps a kernel from ever running on the GPU.
fn fits(reader: &mut Reader, fields: &Fields<'_>, name: &str, grid: Grid, device: &Device) -> Option<()> {
    match misfit(&on_device(name, grid, Nanos::ZERO), device) {
        None => Some(()),
        Some(misfit) => {
            let expected = format!("a kernel that fits {}", named(&device.name));
            reader.problem(fields.path(), format!("it can never run: {misfit}"), expected);
            None
        }
    }
}

/// A grid as the blocks lab has it.
fn on_device(name: &str, grid: Grid, duration: Nanos) -> blocks::Kernel {
    blocks::Kernel {
        label: name.to_owned(),
        blocks: grid.blocks,
        threads: grid.threads,
        shared_memory: grid.shared_memory,
        registers: grid.registers,
        duration: Durations::Same(duration),
        mask: Mask::ALL,
        deadline: None,
        period: None,
    }
}

/// The multiprocessor of each block.
fn assignment(
    reader: &mut Reader,
    path: &str,
    value: &Value,
    blocks: u32,
    device: &Device,
) -> Option<Vec<u16>> {
    let last = u32::from(device.sms.max(1)) - 1;
    let sms = reader.numbers(path, value, 0..=last)?;
    if sms.len() != blocks as usize {
        let found = people::counted(sms.len(), "multiprocessor");
        reader.problem(path, found, format!("one for each of {}", people::counted(blocks as usize, "block")));
        return None;
    }
    sms.into_iter().map(|sm| u16::try_from(sm).ok()).collect()
}
