//! Files of the CUDA scheduling examiner: what every construct and every defect becomes.

#![cfg(not(target_arch = "wasm32"))]

mod configurations;
mod damaged;
mod judged;
mod limits;
mod logs;
mod shown;
mod understood;

use warpspan::base::{Nanos, Problem};
use warpspan::blocks::Device;
use warpspan::blocks::device::CopySpeed;
use warpspan::import::examiner::config::{self, Imported};
use warpspan::import::examiner::{Options, Warning};
use warpspan::import::json;
use warpspan::import::reader::Reader;

/// Every configuration.
const CONFIGURATIONS: [&str; 10] = [
    include_str!("spins.json"),
    include_str!("older.json"),
    include_str!("multikernel.json"),
    include_str!("actions.json"),
    include_str!("processes.json"),
    include_str!("hosts.json"),
    include_str!("limits.json"),
    include_str!("data.json"),
    include_str!("masks.json"),
    include_str!("wrong.json"),
];

/// Every log.
const LOGS: [(&str, &str); 7] = [
    ("run-spin.json", include_str!("run-spin.json")),
    ("run-kernels.json", include_str!("run-kernels.json")),
    ("run-default.json", include_str!("run-default.json")),
    ("cut.json", include_str!("cut.json")),
    ("defects.json", include_str!("defects.json")),
    ("older-log.json", include_str!("older-log.json")),
    ("early.json", include_str!("early.json")),
];

/// A device of four multiprocessors whose copies take a nanosecond a byte, half within it.
fn device() -> Device {
    Device {
        name: "four".to_owned(),
        sms: 4,
        threads_per_sm: 2_048,
        blocks_per_sm: 32,
        shared_memory_per_sm: 65_536,
        registers_per_sm: 65_536,
        threads_per_block: 1_024,
        shared_memory_per_block: 49_152,
        thread_granularity: 1,
        sms_per_tpc: 1,
        copy_engines: 1,
        copy_speed: CopySpeed { latency: Nanos(0), host: 1_000_000_000, device: 2_000_000_000 },
    }
}

fn read_with(text: &str, device: &Device, options: &Options) -> Result<Imported, Vec<Problem>> {
    let tree = json::parse_loose(text).map_err(|problem| vec![problem])?;
    let mut reader = Reader::default();
    match config::read(&mut reader, "", &tree, device, options) {
        Some(imported) => {
            assert_eq!(reader.into_problems(), [], "a workload and problems");
            Ok(imported)
        }
        None => Err(reader.into_problems()),
    }
}

/// What a configuration becomes on that device.
fn read(text: &str) -> Imported {
    read_with(text, &device(), &Options::default()).unwrap_or_else(|problems| unreachable!("{problems:#?}"))
}

fn told(warnings: &[Warning]) -> String {
    warnings.iter().map(|warning| format!("{}: {}\n", warning.place, warning.text)).collect()
}
