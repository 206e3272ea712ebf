//! Resource vectors of a block and of a multiprocessor: threads, shared memory, registers, block slots.

use super::device::Device;
use super::rule::Rule;
use super::workload::Kernel;
use base::people;

/// Something an SM has so much of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Resource {
    /// Threads (R2).
    Threads,
    /// Bytes of shared memory (R3).
    SharedMemory,
    /// Registers (R1).
    Registers,
    /// Places for blocks, however small (R1).
    Blocks,
}

impl Resource {
    /// All of them; of several that are short, the first is the one that is named.
    pub const ALL: [Self; 4] = [Self::Threads, Self::SharedMemory, Self::Registers, Self::Blocks];

    /// The rule that minds it.
    pub fn rule(self) -> Rule {
        match self {
            Resource::Threads => Rule::R2,
            Resource::SharedMemory => Rule::R3,
            Resource::Registers | Resource::Blocks => Rule::R1,
        }
    }

    /// So much of it in words: `512 threads`.
    pub fn counted(self, amount: u64) -> String {
        let (one, many) = match self {
            Resource::Threads => ("thread", "threads"),
            Resource::SharedMemory => ("byte of shared memory", "bytes of shared memory"),
            Resource::Registers => ("register", "registers"),
            Resource::Blocks => ("place for a block", "places for blocks"),
        };
        format!("{} {}", people::grouped(u128::from(amount)), if amount == 1 { one } else { many })
    }
}

/// An amount of each resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Resources([u64; 4]);

impl Resources {
    /// What a block of a kernel takes.
    pub fn of_block(device: &Device, kernel: &Kernel) -> Self {
        let granted = u64::from(kernel.threads).next_multiple_of(u64::from(device.thread_granularity.max(1)));
        let registers = granted * u64::from(kernel.registers);
        Self([granted, u64::from(kernel.shared_memory), registers, 1])
    }

    /// What an empty SM has.
    pub fn of_sm(device: &Device) -> Self {
        Self([
            u64::from(device.threads_per_sm),
            u64::from(device.shared_memory_per_sm),
            u64::from(device.registers_per_sm),
            u64::from(device.blocks_per_sm),
        ])
    }

    /// How much of one resource.
    pub fn get(self, resource: Resource) -> u64 {
        self.0[resource as usize]
    }

    /// All amounts, in the order of `Resource::ALL`.
    pub fn amounts(self) -> [u64; 4] {
        self.0
    }

    /// So much of each, in the order of `Resource::ALL`.
    pub fn from_amounts(amounts: [u64; 4]) -> Self {
        Self(amounts)
    }

    /// Both together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i].saturating_add(other.0[i])))
    }

    /// What is left; nothing where more is taken than there is.
    #[must_use]
    pub fn minus(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i].saturating_sub(other.0[i])))
    }

    /// The first resource of which there is less than needed.
    pub fn lacks(self, need: Self) -> Option<Resource> {
        Resource::ALL.into_iter().find(|&resource| self.lacks_of(resource, need))
    }

    /// Whether there is less of one resource than needed. Who needs none of it is never short of it.
    pub fn lacks_of(self, resource: Resource, need: Self) -> bool {
        self.get(resource) < need.get(resource)
    }
}
