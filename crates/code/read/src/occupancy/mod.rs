//! How many blocks of a kernel a multiprocessor holds at once, and what it has no more of.
//!
//! 1. Registers are given to warps, by 256: a warp takes those of its 32 threads, rounded up, out of the share of one
//!    partition. So a partition holds whole warps.
//! 2. A launch is refused where a block takes more registers than a block may; its warps count in fours for that, or in
//!    as many as there are partitions.
//! 3. Shared memory is given to blocks, what the system takes of each block included.
//! 4. Threads are held as whole warps, and a block has at most 32 of them.
//!
//! That is the calculation of NVIDIA's header cuda_occupancy.h, without clusters and with all shared memory that a
//! multiprocessor can have: `crates/code/read/tests/occupancy.rs` holds it against results of that header.

mod limits;

pub use limits::{LIMITS, Limits};

/// Threads of a warp.
pub const WARP: u32 = 32;
/// The most warps of a block.
pub const MOST_WARPS_OF_BLOCK: u32 = 32;
/// The most registers of a thread.
pub const MOST_REGISTERS: u32 = 255;
/// By how many registers are given to a warp.
pub const REGISTERS_BY: u32 = 256;

/// What there is only so much of on a multiprocessor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Resource {
    /// Registers.
    Registers,
    /// Shared memory.
    Shared,
    /// Warps.
    Warps,
    /// Blocks.
    Blocks,
}

impl Resource {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Registers, Self::Shared, Self::Warps, Self::Blocks];

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Registers => "registers",
            Self::Shared => "shared",
            Self::Warps => "warps",
            Self::Blocks => "blocks",
        }
    }
}

/// What a block takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Need {
    /// Registers of a thread.
    pub registers: u32,
    /// Bytes of shared memory.
    pub shared: u32,
    /// Warps.
    pub warps: u32,
}

/// What a multiprocessor holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Held {
    /// How many blocks each resource allows; none where it does not limit them.
    pub allows: [Option<u32>; 4],
    /// Blocks held.
    pub blocks: u32,
    /// Their warps.
    pub warps: u32,
}

impl Held {
    /// What allows no more blocks.
    pub fn limited_by(&self) -> impl Iterator<Item = Resource> {
        let own = Resource::ALL.into_iter().zip(self.allows);
        own.filter(|(_, allows)| *allows == Some(self.blocks)).map(|(resource, _)| resource)
    }
}

impl Limits {
    /// Those of an `sm_` number.
    pub fn of(number: u32) -> Option<&'static Self> {
        LIMITS.iter().find(|own| own.number == number)
    }

    /// What is held of blocks that take so much.
    pub fn held(&self, need: Need) -> Held {
        let allows = Resource::ALL.map(|resource| self.allows(resource, need));
        let blocks = allows.into_iter().flatten().min().unwrap_or(0);
        Held { allows, blocks, warps: blocks * need.warps }
    }

    /// How many blocks a resource allows; none where it does not limit them.
    fn allows(&self, resource: Resource, need: Need) -> Option<u32> {
        match resource {
            Resource::Registers => self.by_registers(need),
            Resource::Shared => {
                let own = need.shared.checked_add(self.reserved)?.checked_next_multiple_of(self.shared_by)?;
                let most = self.shared_of_block + self.reserved;
                if own > most { Some(0) } else { self.shared.checked_div(own) }
            }
            Resource::Warps if need.warps > MOST_WARPS_OF_BLOCK => Some(0),
            Resource::Warps => self.warps.checked_div(need.warps),
            Resource::Blocks => Some(self.blocks),
        }
    }

    fn by_registers(&self, need: Need) -> Option<u32> {
        if need.registers > MOST_REGISTERS || need.warps > MOST_WARPS_OF_BLOCK {
            return Some(0);
        }
        let own = self.registers_of_warp(need.registers);
        if own * need.warps.next_multiple_of(self.partitions) > self.registers_of_block {
            return Some(0);
        }
        let warps = (self.registers / self.partitions).checked_div(own)? * self.partitions;
        warps.checked_div(need.warps)
    }

    /// Registers that a warp takes.
    pub fn registers_of_warp(&self, registers: u32) -> u32 {
        (registers.min(MOST_REGISTERS) * WARP).next_multiple_of(REGISTERS_BY)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arch::ARCHITECTURES;

    fn held(number: u32, registers: u32, threads: u32, shared: u32) -> (u32, u32, Vec<Resource>) {
        let limits = Limits::of(number).unwrap_or_else(|| unreachable!("sm_{number}"));
        let held = limits.held(Need { registers, shared, warps: threads.div_ceil(WARP) });
        (held.blocks, held.warps, held.limited_by().collect())
    }

    #[test]
    fn every_architecture_has_limits() {
        for own in ARCHITECTURES {
            for &number in own.numbers {
                assert!(Limits::of(number).is_some(), "sm_{number}");
            }
        }
        for pair in LIMITS.windows(2) {
            assert!(pair[0].number < pair[1].number);
        }
    }

    /// By hand. An A100 has 65,536 registers: 32 of a thread are 1,024 of a warp, 64 warps.
    #[test]
    fn what_is_held() {
        use Resource::{Blocks, Registers, Shared, Warps};
        assert_eq!(held(80, 32, 256, 0), (8, 64, vec![Registers, Warps]));
        assert_eq!(held(80, 64, 256, 0), (4, 32, vec![Registers]));
        assert_eq!(held(80, 255, 256, 0), (1, 8, vec![Registers]));
        // 33 take 1,280 of a warp: 12 of the 16,384 of a partition, 48 in all.
        assert_eq!(held(80, 33, 256, 0), (6, 48, vec![Registers]));
        assert_eq!(held(80, 16, 32, 0), (32, 32, vec![Blocks]));
        // With the 1 KiB that the system takes 41 KiB go four times into 164.
        assert_eq!(held(80, 32, 128, 40 << 10), (4, 16, vec![Shared]));
        assert_eq!(held(80, 32, 128, (40 << 10) + 1), (3, 12, vec![Shared]));
        assert_eq!(held(80, 32, 128, 163 << 10), (1, 4, vec![Shared]));
        assert_eq!(held(80, 32, 128, (163 << 10) + 1), (0, 0, vec![Shared]));
        assert_eq!(held(75, 32, 1024, 0), (1, 32, vec![Warps]));
        assert_eq!(held(75, 64, 64, 4096), (16, 32, vec![Registers, Shared, Warps, Blocks]));
        // A P100 has two partitions: 21 warps of 1,536 registers in each.
        assert_eq!(held(60, 41, 64, 0), (21, 42, vec![Registers]));
        assert_eq!(held(61, 41, 64, 0), (20, 40, vec![Registers]));
    }

    #[test]
    fn what_no_multiprocessor_holds() {
        use Resource::{Registers, Warps};
        assert_eq!(held(80, 65, 1024, 0), (0, 0, vec![Registers]));
        assert_eq!(held(53, 40, 1024, 0), (0, 0, vec![Registers]));
        assert_eq!(held(80, 256, 32, 0), (0, 0, vec![Registers]));
        assert_eq!(held(80, 16, 1056, 0), (0, 0, vec![Registers, Warps]));
        assert_eq!(held(80, u32::MAX, u32::MAX, u32::MAX).0, 0);
    }
}
