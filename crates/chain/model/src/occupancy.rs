//! How many blocks of a kernel a multiprocessor holds at once, and what limits it.

use super::model::{Chain, Kernel};
use base::{Nanos, people};
use blocks::resources::{Resource, Resources};
use blocks::{self, Device, Durations, Mask};

/// What a kernel fills a multiprocessor with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Occupancy {
    /// Warps of a block.
    pub warps: u64,
    /// Blocks that a multiprocessor takes, however many the grid has; at least 1.
    pub room: u64,
    /// Blocks that each limit alone would allow; none where it does not limit.
    pub limits: [(Resource, Option<u64>); 4],
    /// The limit that rules, unless the grid has fewer blocks.
    pub limit: Resource,
    /// Blocks of the grid.
    pub blocks: u64,
}

impl Occupancy {
    /// That of a kernel on the GPU of its chain.
    pub fn of(chain: &Chain, kernel: &Kernel) -> Self {
        let need = Resources::of_block(&chain.device, &on_device(kernel, Nanos::ZERO));
        let has = Resources::of_sm(&chain.device);
        let limits =
            Resource::ALL.map(|resource| (resource, has.get(resource).checked_div(need.get(resource))));
        let tightest = limits.iter().filter_map(|&(resource, blocks)| Some((blocks?, resource)));
        let (room, limit) = tightest.min_by_key(|&(blocks, _)| blocks).unwrap_or((1, Resource::Blocks));
        Self {
            warps: u64::from(kernel.grid.threads.div_ceil(chain.warp.max(1))),
            room: room.max(1),
            limits,
            limit,
            blocks: kernel.grid.blocks.into(),
        }
    }

    /// Blocks resident at once on a multiprocessor that gets so many of them.
    pub fn resident(&self, blocks: u64) -> u64 {
        blocks.min(self.room)
    }

    /// Why blocks replace others, in a clause: of so many, or of those of a multiprocessor.
    pub fn no_room(&self, blocks: Option<u64>) -> String {
        let what = match self.limit {
            Resource::Threads => "threads",
            Resource::SharedMemory => "shared memory",
            Resource::Registers => "registers",
            Resource::Blocks => "number",
        };
        let room = people::grouped(self.room.into());
        let counted = |blocks: u64| people::counted(usize::try_from(blocks).unwrap_or(usize::MAX), "block");
        match blocks {
            Some(all) => format!("only {room} of the {} fit at once for their {what}", counted(all)),
            None => format!("no more than {} fit on each at once for their {what}", counted(self.room)),
        }
    }

    /// The most blocks that are ever resident together on one multiprocessor.
    pub fn most(&self) -> u64 {
        self.resident(self.blocks)
    }
}

/// A kernel as the blocks lab has it, its blocks taking so long each.
pub fn on_device(kernel: &Kernel, duration: Nanos) -> blocks::Kernel {
    blocks::Kernel {
        label: kernel.name.clone(),
        blocks: kernel.grid.blocks,
        threads: kernel.grid.threads,
        shared_memory: kernel.grid.shared_memory,
        registers: kernel.grid.registers,
        duration: Durations::Same(duration),
        mask: Mask::ALL,
        deadline: None,
        period: None,
    }
}

/// Multiprocessors of a device.
pub fn sms(device: &Device) -> u64 {
    u64::from(device.sms.clamp(1, blocks::device::MOST_SMS))
}
