//! The GPU as the rules see it: multiprocessors with limits, copy engines.

use base::Nanos;

/// A GPU.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Device {
    /// What people call it.
    pub name: String,
    /// Streaming multiprocessors (SMs).
    pub sms: u16,
    /// Threads resident on one SM at the most.
    pub threads_per_sm: u32,
    /// Blocks resident on one SM at the most.
    pub blocks_per_sm: u32,
    /// Shared memory of one SM in bytes.
    pub shared_memory_per_sm: u32,
    /// Registers of one SM.
    pub registers_per_sm: u32,
    /// Threads of one block at the most.
    pub threads_per_block: u32,
    /// Shared memory of one block in bytes at the most.
    pub shared_memory_per_block: u32,
    /// Threads are handed out in multiples of this: 1 as the rules are published, the warp size as hardware does.
    pub thread_granularity: u32,
    /// SMs in one texture processing cluster, the unit that masks count in.
    pub sms_per_tpc: u16,
    /// Copy engines: with one, all copies share it; with more, the second takes copies to the host.
    pub copy_engines: u16,
    /// How fast copies go; durations of copies that give bytes are computed from it.
    pub copy_speed: CopySpeed,
}

/// How long a copy of so many bytes takes: `latency + bytes / rate`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CopySpeed {
    /// Time of an empty copy.
    pub latency: Nanos,
    /// Bytes a second between host and device.
    pub host: u64,
    /// Bytes a second within the device: device to device, and setting memory.
    pub device: u64,
}

impl CopySpeed {
    /// How long it takes, rounded up; nothing for no bytes.
    pub fn time(self, bytes: u64, within_device: bool) -> Nanos {
        if bytes == 0 {
            return Nanos::ZERO;
        }
        let rate = u128::from(if within_device { self.device } else { self.host }.max(1));
        let nanos = (u128::from(bytes) * 1_000_000_000).div_ceil(rate);
        self.latency + Nanos(u64::try_from(nanos).unwrap_or(u64::MAX))
    }

    /// How long it takes at least: the same rounded down.
    pub fn least(self, bytes: u64, within_device: bool) -> Nanos {
        let rate = u128::from(if within_device { self.device } else { self.host }.max(1));
        let whole = (u128::from(bytes) * 1_000_000_000).is_multiple_of(rate);
        let time = self.time(bytes, within_device);
        if whole { time } else { Nanos(time.0.saturating_sub(1)) }
    }
}

impl Device {
    /// Threads that a block of so many threads takes of an SM.
    pub fn granted(&self, threads: u32) -> u32 {
        threads.checked_next_multiple_of(self.thread_granularity.max(1)).unwrap_or(u32::MAX)
    }

    /// Registers that a block takes of an SM: those of all threads it is granted, so of whole warps where threads
    /// are granted so.
    pub fn granted_registers(&self, threads: u32, registers: u32) -> u64 {
        u64::from(self.granted(threads)) * u64::from(registers)
    }

    /// Threads resident on the whole device at the most.
    pub fn threads(&self) -> u64 {
        u64::from(self.threads_per_sm) * u64::from(self.sms)
    }
}

/// The most SMs a device may have: 4 words of 64.
pub const MOST_SMS: u16 = 256;

/// A set of SMs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Mask([u64; 4]);

impl Mask {
    /// Every SM.
    pub const ALL: Self = Self([u64::MAX; 4]);
    /// No SM.
    pub const NONE: Self = Self([0; 4]);

    /// Whether an SM is in it.
    pub fn has(&self, sm: u16) -> bool {
        self.0.get(usize::from(sm / 64)).is_some_and(|word| word >> (sm % 64) & 1 == 1)
    }

    /// The same set with this SM in it, or not.
    pub fn with(mut self, sm: u16, member: bool) -> Self {
        if let Some(word) = self.0.get_mut(usize::from(sm / 64)) {
            let bit = 1 << (sm % 64);
            *word = if member { *word | bit } else { *word & !bit };
        }
        self
    }

    /// The members below `sms`, ascending.
    pub fn below(&self, sms: u16) -> impl Iterator<Item = u16> {
        (0..sms).filter(|&sm| self.has(sm))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_hold_what_they_are_told() {
        let mask = Mask::NONE.with(0, true).with(131, true).with(255, true).with(0, false);
        assert_eq!(mask.below(256).collect::<Vec<_>>(), [131, 255]);
        assert!(Mask::ALL.has(255) && !Mask::ALL.has(256));
    }

    #[test]
    fn threads_are_granted_in_multiples() {
        let mut device = Device {
            name: String::new(),
            sms: 1,
            threads_per_sm: 64,
            blocks_per_sm: 1,
            shared_memory_per_sm: 0,
            registers_per_sm: 0,
            threads_per_block: 64,
            shared_memory_per_block: 0,
            thread_granularity: 32,
            sms_per_tpc: 1,
            copy_engines: 1,
            copy_speed: CopySpeed { latency: Nanos(0), host: 1, device: 1 },
        };
        assert_eq!([1, 32, 33, u32::MAX].map(|threads| device.granted(threads)), [32, 32, 64, u32::MAX]);
        device.thread_granularity = 0;
        assert_eq!(device.granted(33), 33);
    }

    #[test]
    fn copies_take_their_latency_and_their_bytes() {
        let speed = CopySpeed { latency: Nanos(1_000), host: 1_000_000_000, device: 2_000_000_000 };
        assert_eq!(speed.time(0, false), Nanos(0));
        assert_eq!(speed.time(1_000_000, false), Nanos(1_001_000));
        assert_eq!(speed.time(3, true), Nanos(1_002));
    }
}
