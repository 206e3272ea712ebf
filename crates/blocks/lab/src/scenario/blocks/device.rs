//! The device of a blocks scenario: a preset, with whatever is written beside it changed, or every limit written out.

use serde_json::Value;

use super::LONGEST;
use base::problem::quoted;
use base::{Nanos, people};
use blocks::device::{CopySpeed, MOST_SMS};
use blocks::{Device, presets};
use kit::import::reader::{Fields, Reader, shown};

/// The preset that is meant where none is named.
pub const DEFAULT: &str = "jetson-tx2";
const FIELDS: [&str; 16] = [
    "preset",
    "name",
    "sms",
    "threads",
    "blocks",
    "shared_memory",
    "registers",
    "threads_per_block",
    "shared_memory_per_block",
    "allocate",
    "warp",
    "sms_per_tpc",
    "copy_engines",
    "copy_latency",
    "copy_rate",
    "copy_rate_within",
];

/// The Jetson TX2.
pub fn default() -> Device {
    match presets::named(DEFAULT) {
        Some(preset) => preset.device(),
        None => unreachable!("it is one of them"),
    }
}

/// Reads the `device` object.
pub fn read(reader: &mut Reader, path: &str, value: &Value) -> Option<Device> {
    let fields = reader.object(path, value)?;
    reader.only(&fields, &FIELDS);
    let base = match fields.get("preset") {
        Some(value) => Some(preset(reader, &fields, value)?),
        None => None,
    };
    let mut limit =
        |key: &str, preset: Option<u32>, range: std::ops::RangeInclusive<u32>, needed: bool| match (
            fields.get(key),
            preset,
        ) {
            (Some(value), _) => reader.small(&fields.path_of(key), value, range),
            (None, Some(preset)) => Some(preset),
            (None, None) if needed => {
                let expected = format!(
                    "a whole number, {} to {}, or a \"preset\" that has it",
                    range.start(),
                    range.end()
                );
                reader.problem(fields.path_of(key), "missing", expected);
                None
            }
            (None, None) => Some(*range.end()),
        };
    let of = |get: fn(&Device) -> u32| base.as_ref().map(get);
    let sms = limit("sms", of(|d| d.sms.into()), 1..=MOST_SMS.into(), true);
    let threads = limit("threads", of(|d| d.threads_per_sm), 1..=1 << 20, true);
    let blocks = limit("blocks", of(|d| d.blocks_per_sm), 1..=1 << 20, false);
    let shared = limit("shared_memory", of(|d| d.shared_memory_per_sm), 0..=1 << 30, false);
    let registers = limit("registers", of(|d| d.registers_per_sm), 1..=1 << 30, false);
    let per_block = limit("threads_per_block", of(|d| d.threads_per_block), 1..=1 << 20, false);
    let shared_per_block =
        limit("shared_memory_per_block", of(|d| d.shared_memory_per_block), 0..=1 << 30, false);
    let warp = limit("warp", Some(32), 1..=1 << 10, false);
    let tpc = limit("sms_per_tpc", of(|d| d.sms_per_tpc.into()).or(Some(1)), 1..=16, false);
    let engines = limit("copy_engines", of(|d| d.copy_engines.into()).or(Some(1)), 1..=16, false);
    let name = reader.optional(&fields, "name", Reader::text);
    let granularity = match base.as_ref() {
        Some(device) if fields.get("allocate").is_none() => Some(device.thread_granularity),
        _ => super::choice(reader, &fields, "allocate", &[(false, "threads"), (true, "warps")])
            .and_then(|warps| if warps { warp } else { Some(1) }),
    };
    let copy_speed = copy_speed(reader, &fields, base.as_ref());
    Some(Device {
        name: match (name, &base) {
            (Some(name), _) => name,
            (None, Some(device)) => device.name.clone(),
            (None, None) => format!("a device with {}", people::counted(usize::try_from(sms?).ok()?, "SM")),
        },
        sms: u16::try_from(sms?).ok()?,
        threads_per_sm: threads?,
        blocks_per_sm: blocks?,
        shared_memory_per_sm: shared?,
        registers_per_sm: registers?,
        threads_per_block: per_block?,
        shared_memory_per_block: shared_per_block?,
        thread_granularity: granularity?,
        sms_per_tpc: u16::try_from(tpc?).ok()?,
        copy_engines: u16::try_from(engines?).ok()?,
        copy_speed: copy_speed?,
    })
}

fn preset(reader: &mut Reader, fields: &Fields<'_>, value: &Value) -> Option<Device> {
    let found = value.as_str().and_then(presets::named);
    if found.is_none() {
        let names: Vec<String> = presets::ALL.iter().map(|preset| quoted(preset.name)).collect();
        reader.problem(fields.path_of("preset"), shown(value), format!("one of {}", names.join(", ")));
    }
    found.map(|preset| preset.device())
}

fn copy_speed(reader: &mut Reader, fields: &Fields<'_>, base: Option<&Device>) -> Option<CopySpeed> {
    let plain = base.map_or_else(|| default().copy_speed, |device| device.copy_speed);
    let latency = super::nanos_or(reader, fields, "copy_latency", plain.latency);
    let mut rate = |key: &str, otherwise: u64| match fields.get(key) {
        None => Some(otherwise),
        Some(value) => reader.whole(&fields.path_of(key), value, 1..=LONGEST),
    };
    let host = rate("copy_rate", plain.host);
    let device = rate("copy_rate_within", plain.device);
    Some(CopySpeed { latency: Nanos(latency?.0), host: host?, device: device? })
}
