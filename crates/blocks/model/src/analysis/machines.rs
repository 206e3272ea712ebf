//! When a device is a set of identical parallel machines: how many blocks it takes, whichever they are.
//!
//! P takes the SMs as one: all blocks have `b` threads, `b` divides the threads of an SM, and nothing but threads
//! limits it, so there are `g_max = b_max / b` places (section 3.3). That is more than is needed.
//!
//! Let `least` be the blocks an SM takes if every block asks for the most that any kernel asks of each resource
//! (threads, shared memory, registers), and `most` the blocks it takes if every block asks for the least. Any `least`
//! blocks fit an SM together, for they ask for no more than in the first case. No `most + 1` blocks do, for in
//! the second case already a resource or the block limit does not allow them. So if both are the same number
//! `p`, a block fits an SM exactly when fewer than `p` blocks are there. If besides all kernels may use the same
//! `m` SMs, a block fits somewhere exactly when fewer than `m * p` blocks run: there are `m * p` places, and
//! which SM a block is put on changes nothing.

use super::super::device::{Device, MOST_SMS};
use super::super::workload::Kernel;

/// The places of a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParallelMachines {
    /// SMs that the kernels may use.
    pub sms: u16,
    /// Blocks that each of them takes.
    pub per_sm: u32,
    /// Whether this is the case that was published.
    pub basis: Basis,
}

impl ParallelMachines {
    /// `g_max`: blocks that run at a time.
    pub fn all(&self) -> u32 {
        self.per_sm.saturating_mul(self.sms.into())
    }
}

/// On what the number of places rests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Basis {
    /// On P: all blocks have the same number of threads, only threads limit, and none are left over.
    Published,
    /// On the argument above: other resources limit, threads are left over, or blocks differ in size.
    General,
}

/// Blocks that an SM takes at the least and at the most, depending on which kernels they are of. None without
/// kernels.
pub fn per_sm<'a>(kernels: impl Iterator<Item = &'a Kernel> + Clone, device: &Device) -> Option<(u32, u32)> {
    let needs = kernels.map(|kernel| {
        let registers = device.granted_registers(kernel.threads, kernel.registers);
        [device.granted(kernel.threads).into(), kernel.shared_memory.into(), registers]
    });
    let limits = [device.threads_per_sm, device.shared_memory_per_sm, device.registers_per_sm].map(u64::from);
    let fold = |pick: fn(u64, u64) -> u64| {
        let need = needs.clone().reduce(|a, b| [pick(a[0], b[0]), pick(a[1], b[1]), pick(a[2], b[2])])?;
        let fits = need.iter().zip(limits).filter(|(need, _)| **need > 0).map(|(need, limit)| limit / need);
        let fits = fits.fold(device.blocks_per_sm.into(), u64::min);
        Some(u32::try_from(fits).unwrap_or(u32::MAX))
    };
    Some((fold(u64::max)?, fold(u64::min)?))
}

/// The places, where `per_sm` said the same number twice and all kernels have the mask of the first.
pub fn parallel_machines<'a>(
    mut kernels: impl Iterator<Item = &'a Kernel>,
    device: &Device,
    per_sm: u32,
) -> Option<ParallelMachines> {
    let first = kernels.next()?;
    let sms = u16::try_from(first.mask.below(device.sms.min(MOST_SMS)).count()).unwrap_or(MOST_SMS);
    let same_size = kernels.all(|kernel| kernel.threads == first.threads);
    let by_threads = first.threads.checked_mul(per_sm) == Some(device.threads_per_sm);
    let basis = if same_size && by_threads && sms == device.sms { Basis::Published } else { Basis::General };
    Some(ParallelMachines { sms, per_sm, basis })
}
