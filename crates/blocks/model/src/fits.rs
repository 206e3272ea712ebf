//! Whether a kernel can ever run on a device, and what keeps it from that.

use std::fmt;

use super::device::{Device, MOST_SMS};
use super::workload::Kernel;
use base::people::grouped;

/// Why a kernel can never run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Misfit {
    /// It has no blocks.
    NoBlocks,
    /// Its blocks have no threads.
    NoThreads,
    /// The device has no SM, or none that the kernel may use.
    NoSm,
    /// The SMs take no blocks at all.
    NoPlace,
    /// Something is asked for that is more than there is.
    TooMuch {
        /// What.
        what: Limit,
        /// How much of it a block asks for.
        asked: u64,
        /// How much of it a block may have.
        limit: u64,
    },
}

/// What a block may ask too much of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// Threads of one block.
    ThreadsPerBlock,
    /// Shared memory of one block in bytes.
    SharedMemoryPerBlock,
    /// Threads of an SM, as they are granted.
    ThreadsPerSm,
    /// Shared memory of an SM in bytes.
    SharedMemoryPerSm,
    /// Registers of an SM.
    RegistersPerSm,
}

/// Why this kernel can never run on this device; nothing if it can.
pub fn misfit(kernel: &Kernel, device: &Device) -> Option<Misfit> {
    if kernel.blocks == 0 {
        return Some(Misfit::NoBlocks);
    }
    if kernel.threads == 0 {
        return Some(Misfit::NoThreads);
    }
    let registers = device.granted_registers(kernel.threads, kernel.registers);
    let shared_memory = u64::from(kernel.shared_memory);
    let checks = [
        (Limit::ThreadsPerBlock, kernel.threads.into(), device.threads_per_block),
        (Limit::SharedMemoryPerBlock, shared_memory, device.shared_memory_per_block),
        (Limit::ThreadsPerSm, device.granted(kernel.threads).into(), device.threads_per_sm),
        (Limit::SharedMemoryPerSm, shared_memory, device.shared_memory_per_sm),
        (Limit::RegistersPerSm, registers, device.registers_per_sm),
    ];
    let too_much = checks.into_iter().find(|&(_, asked, limit)| asked > u64::from(limit));
    if let Some((what, asked, limit)) = too_much {
        return Some(Misfit::TooMuch { what, asked, limit: limit.into() });
    }
    if device.blocks_per_sm == 0 {
        return Some(Misfit::NoPlace);
    }
    kernel.mask.below(device.sms.min(MOST_SMS)).next().is_none().then_some(Misfit::NoSm)
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Misfit::NoBlocks => f.write_str("it has no blocks"),
            Misfit::NoThreads => f.write_str("its blocks have no threads"),
            Misfit::NoSm => f.write_str("there is no multiprocessor that it may use"),
            Misfit::NoPlace => f.write_str("the multiprocessors take no blocks"),
            Misfit::TooMuch { what, asked, limit } => {
                let (unit, whose) = match what {
                    Limit::ThreadsPerBlock => ("threads", "a block may have"),
                    Limit::SharedMemoryPerBlock => ("bytes of shared memory", "a block may have"),
                    Limit::ThreadsPerSm => ("threads", "a multiprocessor has"),
                    Limit::SharedMemoryPerSm => ("bytes of shared memory", "a multiprocessor has"),
                    Limit::RegistersPerSm => ("registers", "a multiprocessor has"),
                };
                let (asked, limit) = (grouped((*asked).into()), grouped((*limit).into()));
                write!(f, "a block needs {asked} {unit}, {whose} {limit}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::{CopySpeed, Mask};
    use crate::workload::Durations;
    use base::Nanos;

    fn tx2() -> Device {
        Device {
            name: "Jetson TX2".into(),
            sms: 2,
            threads_per_sm: 2_048,
            blocks_per_sm: 32,
            shared_memory_per_sm: 65_536,
            registers_per_sm: 65_536,
            threads_per_block: 1_024,
            shared_memory_per_block: 49_152,
            thread_granularity: 32,
            sms_per_tpc: 2,
            copy_engines: 1,
            copy_speed: CopySpeed { latency: Nanos(0), host: 1, device: 1 },
        }
    }

    fn kernel() -> Kernel {
        Kernel {
            label: String::new(),
            blocks: 1_000,
            threads: 1_024,
            shared_memory: 49_152,
            registers: 64,
            duration: Durations::Same(Nanos(1)),
            mask: Mask::NONE.with(1, true),
            deadline: None,
            period: None,
        }
    }

    /// What is said of the largest kernel that fits, or the device, after a change.
    fn said(change: impl Fn(&mut Kernel, &mut Device)) -> Option<String> {
        let (mut kernel, mut device) = (kernel(), tx2());
        change(&mut kernel, &mut device);
        misfit(&kernel, &device).map(|misfit| misfit.to_string())
    }

    #[test]
    fn what_is_just_small_enough_fits() {
        assert_eq!(said(|_, _| {}), None);
        assert_eq!(said(|kernel, _| kernel.registers = 0), None);
    }

    #[test]
    fn every_limit_is_told_with_what_was_asked() {
        let told = |change: fn(&mut Kernel, &mut Device)| said(change).unwrap_or_default();
        assert_eq!(told(|kernel, _| kernel.blocks = 0), "it has no blocks");
        assert_eq!(told(|kernel, _| kernel.threads = 0), "its blocks have no threads");
        assert_eq!(
            told(|kernel, _| kernel.threads = 1_025),
            "a block needs 1,025 threads, a block may have 1,024"
        );
        assert_eq!(
            told(|kernel, _| kernel.shared_memory = 49_153),
            "a block needs 49,153 bytes of shared memory, a block may have 49,152"
        );
        assert_eq!(
            told(|kernel, device| (kernel.threads, device.threads_per_sm) = (33, 63)),
            "a block needs 64 threads, a multiprocessor has 63"
        );
        assert_eq!(
            told(|_, device| device.shared_memory_per_sm = 49_151),
            "a block needs 49,152 bytes of shared memory, a multiprocessor has 49,151"
        );
        assert_eq!(
            told(|kernel, _| kernel.registers = 65),
            "a block needs 66,560 registers, a multiprocessor has 65,536"
        );
        assert_eq!(told(|_, device| device.blocks_per_sm = 0), "the multiprocessors take no blocks");
        assert_eq!(
            told(|kernel, _| kernel.mask = Mask::NONE.with(2, true)),
            "there is no multiprocessor that it may use"
        );
        assert_eq!(told(|_, device| device.sms = 0), "there is no multiprocessor that it may use");
    }

    #[test]
    fn the_largest_numbers_are_told_too() {
        let change = |kernel: &mut Kernel, device: &mut Device| {
            (kernel.threads, kernel.registers) = (u32::MAX, u32::MAX);
            (device.threads_per_block, device.threads_per_sm) = (u32::MAX, u32::MAX);
        };
        let told = "a block needs 18,446,744,065,119,617,025 registers, a multiprocessor has 65,536";
        assert_eq!(said(change).as_deref(), Some(told));
    }
}
