//! The certificate document: what is claimed of a scenario, with all it takes to check it again.
//!
//! It stands for itself: the kernel normalised, the machine in the model's terms, a schedule for the lower
//! bound, and for the upper bound the name of its proof with the numbers that come of computing it. The
//! checksum over everything else tells a damaged file from a wrong claim.

use serde_json::Value;

use super::memory::{Checked, Loads};
use super::warps::{capacities, fairness};
use base::{Problem, crc32};
use kit::import::json;
use kit::import::reader::{Fields, Reader};
use warps::memory::MOST_CYCLES;
use warps::{Fairness, Kernel, MOST_INSTRUCTIONS, MOST_WARPS, Machine, Memory, Normalised};

/// The version of the document this program writes and reads.
pub const VERSION: u64 = 1;
/// The key that makes a document a certificate.
pub const KEY: &str = "warpspan_certificate";
/// What a proof may count.
pub const COUNTS: [&str; 6] = ["own", "blocked", "all", "cells", "longest", "states"];

/// What is claimed.
#[derive(Debug, Clone, PartialEq)]
pub struct Certificate {
    /// The title of the scenario.
    pub title: String,
    /// What every warp executes, normalised.
    pub kernel: Kernel,
    /// How many warps.
    pub count: usize,
    /// The machine.
    pub machine: Machine,
    /// Who may go before whom.
    pub fairness: Fairness,
    /// How long loads take, where they take longer than a cycle.
    pub memory: Option<Memory>,
    /// A schedule that takes so long.
    pub lower: Witness,
    /// A bound that no schedule exceeds; none where nothing is claimed.
    pub upper: Option<Claim>,
    /// Whether both are said to meet.
    pub exact: bool,
    /// Whether the checksum is that of the rest.
    pub intact: bool,
}

/// A schedule as reports carry it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Witness {
    /// Its makespan.
    pub makespan: u32,
    /// The warps, from 1, entry by entry.
    pub order: Vec<u32>,
    /// The cycle of each entry.
    pub cycles: Vec<u32>,
    /// Loads that miss: warp and instruction, both from 0.
    pub missed: Vec<(u16, u16)>,
}

/// An upper bound and what is said to prove it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// The bound.
    pub bound: u32,
    /// The name of the proof.
    pub by: String,
    /// What its computation counted.
    pub numbers: Vec<(String, u64)>,
}

/// Reads a certificate, or says everything that keeps the text from being one.
pub fn read(text: &str) -> Result<Certificate, Vec<Problem>> {
    let tree = json::parse(text).map_err(|problem| vec![problem])?;
    let mut reader = Reader::default();
    let certificate = whole(&mut reader, &tree);
    match (certificate, reader.into_problems()) {
        (Some(certificate), problems) if problems.is_empty() => Ok(certificate),
        (_, problems) => Err(problems),
    }
}

/// The checksum of a document without one: eight hexadecimal digits.
pub fn checksum(tree: &Value) -> String {
    format!("{:08x}", crc32(json::line(tree).as_bytes()))
}

fn whole(reader: &mut Reader, tree: &Value) -> Option<Certificate> {
    let fields = reader.object("", tree)?;
    let expected = "the version of a certificate, \"warpspan_certificate\": 1";
    reader.required(&fields, KEY, expected, |reader, path, value| {
        reader.whole(path, value, VERSION..=VERSION)
    })?;
    reader.only(
        &fields,
        &[
            KEY,
            "scenario",
            "kernel",
            "count",
            "machine",
            "fairness",
            "sub_blocks",
            "memory",
            "lower",
            "upper",
            "exact",
            "checksum",
        ],
    );
    let title = reader.required(&fields, "scenario", "the title of the scenario", Reader::text);
    let kernel = reader.required(&fields, "kernel", "an instruction string", kernel);
    let expected = format!("a whole number, 1 to {MOST_WARPS}");
    let count = reader.required(&fields, "count", &expected, |reader, path, value| {
        reader.small(path, value, 1..=MOST_WARPS as u32).map(|n| n as usize)
    });
    let machine = reader.required(&fields, "machine", "capacities", capacities);
    let plain = machine.map(Normalised::plain);
    let fairness = fairness(reader, &fields, kernel.as_ref(), plain.as_ref());
    let memory = loads(reader, &fields, (kernel.as_ref(), count), fairness.as_ref());
    let lower = reader.required(&fields, "lower", "a schedule", witness);
    let upper =
        reader.required(
            &fields,
            "upper",
            "a bound and its proof, or null",
            |reader, path, value| match value {
                Value::Null => Some(None),
                value => claim(reader, path, value).map(Some),
            },
        );
    let exact = reader.required(&fields, "exact", "true or false", Reader::truth);
    let told = reader.required(&fields, "checksum", "eight hexadecimal digits", Reader::text)?;
    Some(Certificate {
        title: title?,
        kernel: kernel?,
        count: count?,
        machine: machine?,
        fairness: fairness?,
        memory: memory?,
        lower: lower?,
        upper: upper?,
        exact: exact?,
        intact: checksum(&without_checksum(&fields)) == told,
    })
}

fn without_checksum(fields: &Fields<'_>) -> Value {
    let kept = fields.keys().filter(|key| *key != "checksum");
    Value::Object(kept.filter_map(|key| Some((key.to_owned(), fields.get(key)?.clone()))).collect())
}

fn kernel(reader: &mut Reader, path: &str, value: &Value) -> Option<Kernel> {
    let text = reader.kernel(path, value)?;
    Kernel::parse(&text)
        .map_err(|error| {
            reader.problem(path, format!("{} at character {}", error.what, error.column), error.expected);
        })
        .ok()
}

/// How long loads take, where that is said.
fn loads(
    reader: &mut Reader,
    fields: &Fields<'_>,
    shape: (Option<&Kernel>, Option<usize>),
    fairness: Option<&Fairness>,
) -> Option<Option<Memory>> {
    let mut memory = Checked.read(reader, fields)?;
    if let Some(memory) = &mut memory {
        Checked.fitted(reader, fields, memory, shape, fairness);
    }
    Some(memory)
}

fn witness(reader: &mut Reader, path: &str, value: &Value) -> Option<Witness> {
    let fields = reader.object(path, value)?;
    reader.only(&fields, &["makespan", "order", "cycles", "missed"]);
    let cycles = 1..=MOST_CYCLES as u32;
    let makespan = reader.required(&fields, "makespan", "a makespan in cycles", |reader, path, value| {
        reader.small(path, value, cycles.clone())
    });
    let order = reader.required(&fields, "order", "a list of warps", |reader, path, value| {
        reader.numbers(path, value, 1..=MOST_WARPS as u32)
    });
    let cycles = reader.required(&fields, "cycles", "a list of cycles", |reader, path, value| {
        reader.numbers(path, value, cycles.clone())
    });
    let missed = match fields.get("missed") {
        None => Some(Vec::new()),
        Some(value) => pairs(reader, &fields.path_of("missed"), value),
    };
    Some(Witness { makespan: makespan?, order: order?, cycles: cycles?, missed: missed? })
}

/// Warps and instructions, both from 1 as they are written.
fn pairs(reader: &mut Reader, path: &str, value: &Value) -> Option<Vec<(u16, u16)>> {
    let items = reader.list(path, value)?;
    let pair = |(i, item): (usize, &Value)| {
        let path = format!("{path}[{i}]");
        match reader.numbers(&path, item, 1..=MOST_INSTRUCTIONS as u32)?[..] {
            [warp, load] => Some((warp as u16 - 1, load as u16 - 1)),
            _ => {
                reader.problem(path, "no pair", "a warp and one of its loads");
                None
            }
        }
    };
    items.iter().enumerate().map(pair).collect()
}

fn claim(reader: &mut Reader, path: &str, value: &Value) -> Option<Claim> {
    let fields = reader.object(path, value)?;
    let known: Vec<&str> = ["bound", "by"].into_iter().chain(COUNTS).collect();
    reader.only(&fields, &known);
    let bound = reader.required(&fields, "bound", "a bound in cycles", |reader, path, value| {
        reader.small(path, value, 1..=u32::MAX)
    });
    let by = reader.required(&fields, "by", "the name of a proof", Reader::text);
    let numbers: Vec<Option<(String, u64)>> = fields
        .keys()
        .filter(|key| COUNTS.contains(key))
        .map(|key| {
            let number = reader.whole(&fields.path_of(key), fields.get(key)?, 0..=u64::MAX)?;
            Some((key.to_owned(), number))
        })
        .collect();
    Some(Claim { bound: bound?, by: by?, numbers: numbers.into_iter().collect::<Option<_>>()? })
}
