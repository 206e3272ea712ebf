//! What a multiprocessor of each `sm_` number has, and where that is from.
//!
//! G is the CUDA Programming Guide, appendix "Compute Capabilities", tables "Device and Streaming Multiprocessor (SM)
//! Information" and "Memory Information"; that of CUDA 12 and before has the same tables up to 7.2. O is NVIDIA's header
//! cuda_occupancy.h (CUDA 12.9 and 13). That the system takes 1 KiB of every block's shared memory from 8.0 on is in the
//! tuning guides of Ampere and later, and in O. What neither has is marked as assumed.

use super::{MOST_REGISTERS, REGISTERS_BY};

/// What a multiprocessor has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The number of `sm_`.
    pub number: u32,
    /// Warps.
    pub warps: u32,
    /// Blocks.
    pub blocks: u32,
    /// Partitions, each with its share of the registers.
    pub partitions: u32,
    /// Registers.
    pub registers: u32,
    /// Registers that a block may take.
    pub registers_of_block: u32,
    /// Bytes of shared memory, with the largest share that it can have of the cache.
    pub shared: u32,
    /// Bytes of it that a block may take; more than 48 KiB where it asks for them.
    pub shared_of_block: u32,
    /// Bytes of each block that the system takes.
    pub reserved: u32,
    /// By how many bytes shared memory is given.
    pub shared_by: u32,
    /// Where the number of warps is from.
    warps_from: &'static str,
    /// Where the number of blocks is from.
    blocks_from: &'static str,
    /// Where the sizes of memories are from.
    memory_from: &'static str,
}

const NOW: &str = "G";
const BEFORE: &str = "G: of CUDA 12";
const BOTH: &str = "G; O";
const BOTH_BEFORE: &str = "G: of CUDA 12; O";
const NOBODY: &str = "assumed: no public table";

/// Warps, blocks, and KiB of shared memory: of a multiprocessor, and of a block.
const fn of(number: u32, warps: u32, blocks: u32, shared: u32, of_block: u32) -> Limits {
    let (before, ampere) = (number < 75, number >= 80);
    Limits {
        number,
        warps,
        blocks,
        partitions: if number == 60 { 2 } else { 4 },
        registers: 65_536,
        registers_of_block: if matches!(number, 53 | 62) { 32_768 } else { 65_536 },
        shared: shared << 10,
        shared_of_block: of_block << 10,
        reserved: if ampere { 1_024 } else { 0 },
        shared_by: if ampere { 128 } else { 256 },
        warps_from: if before { BEFORE } else { NOW },
        blocks_from: if before { BOTH_BEFORE } else { BOTH },
        memory_from: if before { BEFORE } else { NOW },
    }
}

/// The same, where no table has it.
const fn assumed(own: Limits, blocks_from: &'static str) -> Limits {
    Limits { warps_from: NOBODY, blocks_from, memory_from: NOBODY, ..own }
}

/// All of them, by number.
pub static LIMITS: [Limits; 22] = [
    of(50, 64, 32, 64, 48),
    of(52, 64, 32, 96, 48),
    of(53, 64, 32, 64, 48),
    of(60, 64, 32, 64, 48),
    of(61, 64, 32, 96, 48),
    of(62, 64, 32, 64, 48),
    of(70, 64, 32, 96, 96),
    of(72, 64, 32, 96, 48),
    of(75, 32, 16, 64, 64),
    of(80, 64, 32, 164, 163),
    of(86, 48, 16, 100, 99),
    of(87, 48, 16, 164, 163),
    assumed(of(88, 48, 16, 100, 99), "O"),
    of(89, 48, 24, 100, 99),
    of(90, 64, 32, 228, 227),
    of(100, 64, 32, 228, 227),
    assumed(of(101, 48, 24, 228, 227), "O"),
    of(103, 64, 32, 228, 227),
    assumed(of(107, 64, 16, 228, 227), "O"),
    of(110, 48, 24, 228, 227),
    of(120, 48, 24, 100, 99),
    of(121, 48, 24, 100, 99),
];

impl Limits {
    /// All numbers, by name, each with where it is from.
    pub fn rows(&self) -> [(&'static str, u32, &'static str); 11] {
        [
            ("warps", self.warps, self.warps_from),
            ("blocks", self.blocks, self.blocks_from),
            ("partitions", self.partitions, "O"),
            ("registers", self.registers, self.memory_from),
            ("registers of a block", self.registers_of_block, self.memory_from),
            ("registers of a thread", MOST_REGISTERS, self.memory_from),
            ("registers are given by", REGISTERS_BY, "O"),
            ("shared memory", self.shared, self.memory_from),
            ("shared memory of a block", self.shared_of_block, self.memory_from),
            ("shared memory that the system takes of a block", self.reserved, "O"),
            ("shared memory is given by", self.shared_by, "O"),
        ]
    }
}
