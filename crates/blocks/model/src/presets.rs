//! GPUs by name, from public tables.
//!
//! Sources: (G) the table of technical specifications per compute capability in the CUDA C++ Programming Guide, for the
//! limits of a multiprocessor; (P) NVIDIA's product pages and white papers, for how many there are; (Q) what
//! CUDA's `deviceQuery` sample prints on such a GPU, for copy engines, and to check the rest; (L) the source of
//! libsmctrl, for multiprocessors in a cluster. `docs/devices.md` has the tables and says what is assumed.
//!
//! A block has 48 KiB of shared memory at the most, as kernels have it that ask for nothing special; newer GPUs give
//! more to those that ask. Threads are granted one by one, as the rules are published. How fast copies go is
//! in no table: round numbers, to be replaced by measured ones.

use super::device::{CopySpeed, Device};
use Origin::{Assumed, Reported};
use base::Nanos;

/// A GPU.
#[derive(Debug, Clone, Copy)]
pub struct Preset {
    /// `jetson-tx2`, as scenarios write it.
    pub name: &'static str,
    /// `Jetson TX2`, as people call it.
    pub label: &'static str,
    /// Its compute capability: 6.2 is (6, 2).
    pub capability: (u8, u8),
    limits: &'static Limits,
    sms: u16,
    /// Copy engines, and where the number comes from.
    pub copy_engines: (u16, Origin),
    memory: Memory,
    /// Where the numbers come from.
    pub source: &'static str,
    /// What is odd about it; empty for nothing.
    pub note: &'static str,
}

/// Where a number comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The GPU reports it.
    Reported,
    /// It is taken from a sibling or is the usual number.
    Assumed,
}

/// Whether the GPU has a memory of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Memory {
    /// It has: copies from and to the host cross a bus.
    Own,
    /// It shares that of the host.
    Shared,
}

/// What a compute capability sets for every multiprocessor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The compute capability.
    pub capability: (u8, u8),
    /// The architecture.
    pub architecture: &'static str,
    /// Threads resident at the most.
    pub threads: u32,
    /// Blocks resident at the most.
    pub blocks: u32,
    /// Shared memory in KiB.
    pub shared_memory_kib: u32,
    /// Registers.
    pub registers: u32,
    /// Multiprocessors in one texture processing cluster.
    pub sms_per_tpc: u16,
}

/// Shared memory of a block that asks for nothing special, in bytes.
const SHARED_MEMORY_PER_BLOCK: u32 = 48 << 10;

impl Preset {
    /// The GPU.
    pub fn device(&self) -> Device {
        Device {
            name: self.label.to_owned(),
            sms: self.sms,
            threads_per_sm: self.limits.threads,
            blocks_per_sm: self.limits.blocks,
            shared_memory_per_sm: self.limits.shared_memory_kib << 10,
            registers_per_sm: self.limits.registers,
            threads_per_block: 1_024,
            shared_memory_per_block: SHARED_MEMORY_PER_BLOCK,
            thread_granularity: 1,
            sms_per_tpc: self.limits.sms_per_tpc,
            copy_engines: self.copy_engines.0,
            copy_speed: self.memory.copy_speed(),
        }
    }
}

impl Memory {
    /// Assumed: 10 GB a second to and from the host, and ten times that within a memory of its own.
    fn copy_speed(self) -> CopySpeed {
        let host = 10_000_000_000;
        let device = if self == Memory::Own { 10 * host } else { host };
        CopySpeed { latency: Nanos::ZERO, host, device }
    }
}

/// The preset of that name.
pub fn named(name: &str) -> Option<&'static Preset> {
    ALL.iter().find(|preset| preset.name == name)
}

const KEPLER: Limits = limits((3, 0), "Kepler", 2_048, 16, 48, 1);
const MAXWELL: Limits = limits((5, 2), "Maxwell", 2_048, 32, 96, 1);
const MAXWELL_TEGRA: Limits = limits((5, 3), "Maxwell", 2_048, 32, 64, 1);
const PASCAL_LARGE: Limits = limits((6, 0), "Pascal", 2_048, 32, 64, 2);
const PASCAL: Limits = limits((6, 1), "Pascal", 2_048, 32, 96, 1);
const PASCAL_TEGRA: Limits = limits((6, 2), "Pascal", 2_048, 32, 64, 1);
const VOLTA: Limits = limits((7, 0), "Volta", 2_048, 32, 96, 2);
const VOLTA_TEGRA: Limits = limits((7, 2), "Volta", 2_048, 32, 96, 2);
const TURING: Limits = limits((7, 5), "Turing", 1_024, 16, 64, 2);
const AMPERE_LARGE: Limits = limits((8, 0), "Ampere", 2_048, 32, 164, 2);
const AMPERE: Limits = limits((8, 6), "Ampere", 1_536, 16, 100, 2);
const AMPERE_TEGRA: Limits = limits((8, 7), "Ampere", 1_536, 16, 164, 2);
const ADA: Limits = limits((8, 9), "Ada Lovelace", 1_536, 24, 100, 2);
const HOPPER: Limits = limits((9, 0), "Hopper", 2_048, 32, 228, 2);

/// The limits of every compute capability that a preset has, oldest first.
pub const LIMITS: [Limits; 14] = [
    KEPLER,
    MAXWELL,
    MAXWELL_TEGRA,
    PASCAL_LARGE,
    PASCAL,
    PASCAL_TEGRA,
    VOLTA,
    VOLTA_TEGRA,
    TURING,
    AMPERE_LARGE,
    AMPERE,
    AMPERE_TEGRA,
    ADA,
    HOPPER,
];

const PAGE: &str = "Programming Guide; product page; deviceQuery";
const PAPER: &str = "Programming Guide; architecture white paper; deviceQuery";

/// All presets: boards with a GPU in them, then graphics cards and accelerators, each from the oldest.
pub const ALL: [Preset; 22] = [
    board(
        "jetson-tx1",
        "Jetson TX1",
        &MAXWELL_TEGRA,
        2,
        (1, Assumed),
        "Early software reported 2 copy engines, later software reports 1 for the same chip on the Jetson Nano.",
    ),
    board("jetson-nano", "Jetson Nano", &MAXWELL_TEGRA, 1, (1, Reported), ""),
    board("jetson-tx2", "Jetson TX2", &PASCAL_TEGRA, 2, (1, Reported), ""),
    board("jetson-xavier", "Jetson AGX Xavier", &VOLTA_TEGRA, 8, (1, Reported), ""),
    board("jetson-xavier-nx", "Jetson Xavier NX", &VOLTA_TEGRA, 6, (1, Reported), ""),
    board(
        "jetson-orin",
        "Jetson AGX Orin 64GB",
        &AMPERE_TEGRA,
        16,
        (2, Assumed),
        "Copy engines as on the Jetson Orin NX. Some power modes switch multiprocessors off.",
    ),
    board(
        "jetson-orin-nx",
        "Jetson Orin NX",
        &AMPERE_TEGRA,
        8,
        (2, Reported),
        "Some power modes switch multiprocessors off.",
    ),
    board(
        "jetson-orin-nano",
        "Jetson Orin Nano 8GB",
        &AMPERE_TEGRA,
        8,
        (2, Assumed),
        "Copy engines as on the Jetson Orin NX. The 4 GB version has 4 multiprocessors.",
    ),
    card(
        "quadro-k5000",
        "Quadro K5000",
        &KEPLER,
        8,
        (2, Assumed),
        PAGE,
        "Masks of multiprocessors work from compute capability 3.5 on.",
    ),
    card("gtx-970", "GeForce GTX 970", &MAXWELL, 13, (2, Reported), PAPER, ""),
    card("gtx-1060", "GeForce GTX 1060 6GB", &PASCAL, 10, (2, Reported), PAPER, ""),
    card("gtx-1070", "GeForce GTX 1070", &PASCAL, 15, (2, Reported), PAPER, ""),
    card("gtx-1080-ti", "GeForce GTX 1080 Ti", &PASCAL, 28, (2, Reported), PAPER, ""),
    card(
        "p100",
        "Tesla P100",
        &PASCAL_LARGE,
        56,
        (2, Reported),
        PAPER,
        "The only Pascal with two multiprocessors in a cluster.",
    ),
    card("titan-v", "Titan V", &VOLTA, 80, (7, Reported), PAPER, ""),
    card("v100", "Tesla V100", &VOLTA, 80, (7, Reported), PAPER, ""),
    card("rtx-2080-ti", "GeForce RTX 2080 Ti", &TURING, 68, (3, Reported), PAPER, ""),
    card("t4", "Tesla T4", &TURING, 40, (3, Reported), PAPER, ""),
    card("a100", "A100", &AMPERE_LARGE, 108, (3, Reported), PAPER, ""),
    card("rtx-3090", "GeForce RTX 3090", &AMPERE, 82, (2, Reported), PAPER, ""),
    card("rtx-4090", "GeForce RTX 4090", &ADA, 128, (2, Reported), PAPER, ""),
    card("h100", "H100 SXM", &HOPPER, 132, (3, Reported), PAPER, "The PCIe version has 114 multiprocessors."),
];

const fn limits(
    capability: (u8, u8),
    architecture: &'static str,
    threads: u32,
    blocks: u32,
    shared_memory_kib: u32,
    sms_per_tpc: u16,
) -> Limits {
    Limits { capability, architecture, threads, blocks, shared_memory_kib, registers: 65_536, sms_per_tpc }
}

const fn board(
    name: &'static str,
    label: &'static str,
    limits: &'static Limits,
    sms: u16,
    copy_engines: (u16, Origin),
    note: &'static str,
) -> Preset {
    let (capability, memory) = (limits.capability, Memory::Shared);
    Preset { name, label, capability, limits, sms, copy_engines, memory, source: PAGE, note }
}

const fn card(
    name: &'static str,
    label: &'static str,
    limits: &'static Limits,
    sms: u16,
    copy_engines: (u16, Origin),
    source: &'static str,
    note: &'static str,
) -> Preset {
    let (capability, memory) = (limits.capability, Memory::Own);
    Preset { name, label, capability, limits, sms, copy_engines, memory, source, note }
}

#[cfg(test)]
mod tests {
    use super::super::device::MOST_SMS;
    use super::*;

    #[test]
    fn the_jetson_tx2_is_the_published_one() {
        let tx2 = named("jetson-tx2").expect("it is there");
        let device = tx2.device();
        assert_eq!((tx2.capability, device.sms, device.threads()), ((6, 2), 2, 4_096));
        assert_eq!((device.blocks_per_sm, device.threads_per_block, device.copy_engines), (32, 1_024, 1));
        let memory = [device.shared_memory_per_sm, device.registers_per_sm, device.shared_memory_per_block];
        assert_eq!(memory, [64 << 10, 65_536, 49_152]);
    }

    #[test]
    fn the_quadro_of_the_public_traces() {
        let device = named("quadro-k5000").map(Preset::device).expect("it is there");
        assert_eq!((device.sms, device.blocks_per_sm, device.threads_per_sm), (8, 16, 2_048));
    }

    #[test]
    fn every_preset_makes_sense() {
        for preset in &ALL {
            let device = preset.device();
            assert!(device.sms > 0 && device.sms <= MOST_SMS, "{}", preset.name);
            assert!(device.sms.is_multiple_of(device.sms_per_tpc), "{}", preset.name);
            assert!(device.shared_memory_per_block <= device.shared_memory_per_sm, "{}", preset.name);
            assert_eq!(device.thread_granularity, 1);
            assert!(LIMITS.iter().any(|limits| limits == preset.limits));
            let alike = ALL.iter().filter(|other| other.name == preset.name || other.label == preset.label);
            assert_eq!(alike.count(), 1, "{}", preset.name);
        }
        assert!(LIMITS.is_sorted_by_key(|limits| limits.capability));
        assert!(named("jetson").is_none());
    }
}
