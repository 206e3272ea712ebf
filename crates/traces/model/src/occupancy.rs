//! How many blocks of a kernel a multiprocessor holds, by what they are limited, and in how many waves they run.
//!
//! 1. Registers are given to warps, by 256: a warp takes its threads' registers, rounded up. A multiprocessor has four
//!    parts (two on capability 6.0), each with its share of the registers, and a warp takes them from one part.
//! 2. Shared memory is given to blocks, by 256 bytes up to capability 7.x and by 128 from 8.0, what the system takes of
//!    each block included.
//! 3. Threads are held as whole warps.
//! 4. A limit or a need that is not recorded limits nothing, and `complete` says that it is missing. Without a
//!    capability, registers are not counted.
//! 5. Waves are counted as if all multiprocessors held as many blocks as they can and nothing else ran.
//!
//! The numbers are those of NVIDIA's public occupancy calculator and its header cuda_occupancy.h (allocation units of
//! registers and shared memory, parts of a multiprocessor).

use crate::trace::{Limits, Shape};

/// What there is only so much of on a multiprocessor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Resource {
    /// Threads, held as warps.
    Threads,
    /// Registers.
    Registers,
    /// Shared memory.
    Shared,
    /// Blocks.
    Blocks,
}

/// What the system takes of each block's shared memory: 1 KiB from capability 8.0, where the file does not say.
fn reserved(limits: &Limits) -> u64 {
    let usual = if limits.capability.is_some_and(|capability| capability >= (8, 0)) { 1_024 } else { 0 };
    limits.shared_reserved.unwrap_or(usual)
}

/// How many blocks each resource permits; none where it does not limit them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Bounds {
    /// Threads.
    pub threads: Option<u64>,
    /// Registers.
    pub registers: Option<u64>,
    /// Shared memory.
    pub shared: Option<u64>,
    /// Blocks.
    pub blocks: Option<u64>,
}

/// How a kernel fills a device.
#[derive(Debug, Clone, PartialEq)]
pub struct Occupancy {
    /// Blocks that a multiprocessor holds.
    pub blocks: u64,
    /// How many each resource permits.
    pub bounds: Bounds,
    /// What permits no more.
    pub limiting: Vec<Resource>,
    /// Whether all limits and needs were known.
    pub complete: bool,
    /// Warps held, of those that a multiprocessor can hold, from 0 to 1.
    pub share: Option<f64>,
    /// Blocks with one register less a thread.
    pub one_register_less: u64,
    /// Blocks with 1 KiB of shared memory less.
    pub one_kibibyte_less: u64,
    /// The most registers of a thread with which one more block fits, if any do.
    pub registers_for_more: Option<u32>,
    /// The most bytes of shared memory with which one more block fits, if any do.
    pub shared_for_more: Option<u64>,
    /// Waves.
    pub waves: Option<Waves>,
}

/// In how many turns a kernel's blocks fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Waves {
    /// Blocks of the kernel.
    pub blocks: u64,
    /// Blocks that the device holds at once.
    pub capacity: u64,
    /// Waves that fill the device.
    pub full: u64,
    /// Blocks of the last wave, where that does not fill it; otherwise 0.
    pub tail: u64,
}

impl Waves {
    /// All of them.
    pub fn count(&self) -> u64 {
        self.full + u64::from(self.tail > 0)
    }

    /// How much of the device the tail fills, from 0 to 1; 1 without a tail.
    pub fn tail_share(&self) -> f64 {
        if self.tail == 0 { 1.0 } else { self.tail as f64 / self.capacity as f64 }
    }
}

/// What of an occupancy is asked of every kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Held {
    /// Blocks that a multiprocessor holds.
    pub blocks: u64,
    /// Whether all limits and needs were known.
    pub complete: bool,
    /// Waves.
    pub waves: Option<Waves>,
}

/// How many blocks of a kernel are held; none where nothing limits it, or a block has no threads.
pub fn held(shape: &Shape, limits: &Limits) -> Option<Held> {
    let bounds = bounds(shape, limits)?;
    let blocks = bounds.least()?;
    let complete = bounds.all().iter().all(|(what, bound)| bound.is_some() || needs_nothing(shape, *what));
    let waves = limits.multiprocessors.and_then(|count| waves(shape, blocks, count));
    Some(Held { blocks, complete, waves })
}

/// How many blocks of kernels a device holds, kept for those asked for last that were launched alike.
pub(crate) struct Holds<'a> {
    limits: &'a Limits,
    recent: [Option<(&'a Shape, Option<Held>)>; 64],
}

impl<'a> Holds<'a> {
    /// Of a device of such limits.
    pub(crate) fn of(limits: &'a Limits) -> Self {
        Self { limits, recent: [None; 64] }
    }

    /// As [`held`].
    pub(crate) fn held(&mut self, shape: &'a Shape) -> Option<Held> {
        let slot = &mut self.recent[std::ptr::from_ref(shape).addr() / size_of::<usize>() % 64];
        match slot {
            Some((known, held)) if std::ptr::eq(*known, shape) => *held,
            _ => slot.insert((shape, held(shape, self.limits))).1,
        }
    }
}

/// The occupancy of a kernel; none where nothing limits it, or a block has no threads.
pub fn occupancy(shape: &Shape, limits: &Limits) -> Option<Occupancy> {
    let Held { blocks, complete, waves } = held(shape, limits)?;
    let bounds = bounds(shape, limits)?;
    let with =
        |shape: &Shape| self::bounds(shape, limits).and_then(|bounds| bounds.least()).unwrap_or(blocks);
    let limiting = bounds.all().into_iter().filter(|(_, bound)| *bound == Some(blocks)).map(|(what, _)| what);
    let warps =
        limits.threads.zip(limits.warp.filter(|&warp| warp > 0)).map(|(threads, warp)| threads / warp);
    let share = warps.filter(|&warps| warps > 0).zip(warps_of_block(shape, limits));
    Some(Occupancy {
        blocks,
        bounds,
        limiting: limiting.collect(),
        complete,
        share: share.map(|(all, own)| (blocks.saturating_mul(own)) as f64 / f64::from(all)),
        one_register_less: with(&Shape { registers: shape.registers.map(|n| n.saturating_sub(1)), ..*shape }),
        one_kibibyte_less: with(&Shape { shared: shape.shared.map(|n| n.saturating_sub(1024)), ..*shape }),
        registers_for_more: registers_for_more(shape, &|shape| with(shape) > blocks),
        shared_for_more: shared_for_more(shape, limits, blocks),
        waves,
    })
}

/// Whether a kernel needs nothing of what a resource gives.
fn needs_nothing(shape: &Shape, what: Resource) -> bool {
    match what {
        Resource::Shared => shape.shared == Some(0),
        Resource::Registers => shape.registers == Some(0),
        Resource::Threads | Resource::Blocks => false,
    }
}

/// The most registers with which one more block fits: the fewer there are, the more blocks fit.
fn registers_for_more(shape: &Shape, fits: &dyn Fn(&Shape) -> bool) -> Option<u32> {
    let (mut fit, mut many) = (0, shape.registers.unwrap_or(0).min(256));
    while fit + 1 < many {
        let middle = fit.midpoint(many);
        if fits(&Shape { registers: Some(middle), ..*shape }) { fit = middle } else { many = middle }
    }
    (fit > 0).then_some(fit)
}

/// The most shared memory with which one more block fits: it and the system's part fill their share of what there is.
fn shared_for_more(shape: &Shape, limits: &Limits, blocks: u64) -> Option<u64> {
    let (needed, unit) = (shape.shared?, shared_unit(limits));
    let share = limits.shared? / (blocks + 1) / unit * unit;
    let most = share.checked_sub(reserved(limits)).filter(|&most| most < needed)?;
    let more = bounds(&Shape { shared: Some(most), ..*shape }, limits)?.least()? > blocks;
    more.then_some(most)
}

fn waves(shape: &Shape, blocks: u64, multiprocessors: u32) -> Option<Waves> {
    let capacity = blocks.saturating_mul(u64::from(multiprocessors));
    let grid = shape.blocks();
    (capacity > 0).then(|| Waves { blocks: grid, capacity, full: grid / capacity, tail: grid % capacity })
}

/// How many blocks each resource permits; none where a block has no threads.
pub fn bounds(shape: &Shape, limits: &Limits) -> Option<Bounds> {
    let threads = shape.threads();
    if threads == 0 {
        return None;
    }
    let warp = u64::from(limits.warp.unwrap_or(1).max(1));
    let held = |all: u32| (u64::from(all) / warp).checked_div(threads.div_ceil(warp));
    Some(Bounds {
        threads: limits.threads.and_then(held),
        registers: by_registers(shape, limits),
        shared: limits.shared.zip(shared_of_block(shape, limits)).and_then(|(all, own)| all.checked_div(own)),
        blocks: limits.blocks.map(u64::from),
    })
}

/// Blocks by registers.
fn by_registers(shape: &Shape, limits: &Limits) -> Option<u64> {
    let (all, own, warps) =
        (limits.registers?, registers_of_warp(shape, limits)?, warps_of_block(shape, limits)?);
    let parts = if limits.capability? == (6, 0) { 2 } else { 4 };
    let held = (u64::from(all) / parts).checked_div(own)? * parts;
    held.checked_div(warps)
}

/// Registers that a warp takes.
fn registers_of_warp(shape: &Shape, limits: &Limits) -> Option<u64> {
    let (registers, warp) = (shape.registers?, limits.warp?);
    limits.capability.map(|_| (u64::from(registers) * u64::from(warp)).next_multiple_of(256))
}

/// Warps of a block.
fn warps_of_block(shape: &Shape, limits: &Limits) -> Option<u64> {
    limits.warp.filter(|&warp| warp > 0).map(|warp| shape.threads().div_ceil(u64::from(warp)))
}

/// Bytes of shared memory that a block takes.
fn shared_of_block(shape: &Shape, limits: &Limits) -> Option<u64> {
    let needed = shape.shared?.checked_add(reserved(limits))?;
    needed.checked_next_multiple_of(shared_unit(limits))
}

/// By how many bytes shared memory is given.
fn shared_unit(limits: &Limits) -> u64 {
    match limits.capability {
        Some((major, _)) if major >= 8 => 128,
        Some(_) => 256,
        None => 1,
    }
}

/// What is left on a multiprocessor beside so many blocks of one kernel, of which a block of another needs more.
pub fn lacking(held: &Shape, blocks: u64, wanted: &Shape, limits: &Limits) -> Option<Resource> {
    let warps = limits.threads?.checked_div(limits.warp?)?;
    let taken = |own: u64| own.saturating_mul(blocks);
    let over = |held: u64, wanted: u64, all: u64| taken(held).saturating_add(wanted) > all;
    if over(warps_of_block(held, limits)?, warps_of_block(wanted, limits)?, u64::from(warps)) {
        return Some(Resource::Threads);
    }
    let registers = |shape: &Shape| Some(registers_of_warp(shape, limits)? * warps_of_block(shape, limits)?);
    if over(registers(held)?, registers(wanted)?, u64::from(limits.registers?)) {
        return Some(Resource::Registers);
    }
    if over(shared_of_block(held, limits)?, shared_of_block(wanted, limits)?, limits.shared?) {
        return Some(Resource::Shared);
    }
    over(1, 1, u64::from(limits.blocks?)).then_some(Resource::Blocks)
}

impl Bounds {
    /// The least of them, if any is known.
    pub fn least(&self) -> Option<u64> {
        self.all().into_iter().filter_map(|(_, bound)| bound).min()
    }

    /// All of them, by name.
    pub fn all(&self) -> [(Resource, Option<u64>); 4] {
        [
            (Resource::Threads, self.threads),
            (Resource::Registers, self.registers),
            (Resource::Shared, self.shared),
            (Resource::Blocks, self.blocks),
        ]
    }
}

impl Shape {
    /// Threads of a block.
    pub fn threads(&self) -> u64 {
        product(self.block)
    }

    /// Blocks.
    pub fn blocks(&self) -> u64 {
        product(self.grid)
    }
}

fn product(sides: [u32; 3]) -> u64 {
    sides.iter().fold(1, |all: u64, &side| all.saturating_mul(u64::from(side)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An A100's multiprocessor, from the public tables.
    const A100: Limits = Limits {
        capability: Some((8, 0)),
        multiprocessors: Some(108),
        warp: Some(32),
        threads: Some(2048),
        blocks: Some(32),
        registers: Some(65_536),
        shared: Some(167_936),
        shared_of_block: Some(166_912),
        shared_reserved: Some(1024),
    };

    fn shape(grid: u32, block: u32, registers: u32, shared: u64) -> Shape {
        Shape {
            grid: [grid, 1, 1],
            block: [block, 1, 1],
            registers: Some(registers),
            shared: Some(shared),
            ..Shape::default()
        }
    }

    fn blocks(shape: &Shape, limits: &Limits) -> (u64, Vec<Resource>) {
        let occupancy = occupancy(shape, limits).unwrap();
        (occupancy.blocks, occupancy.limiting)
    }

    #[test]
    fn blocks_of_a_multiprocessor_by_each_resource() {
        assert_eq!(blocks(&shape(1, 256, 32, 0), &A100), (8, vec![Resource::Threads, Resource::Registers]));
        assert_eq!(blocks(&shape(1, 256, 33, 0), &A100), (6, vec![Resource::Registers]));
        assert_eq!(blocks(&shape(1, 96, 40, 0), &A100), (16, vec![Resource::Registers]));
        assert_eq!(blocks(&shape(1, 32, 16, 0), &A100), (32, vec![Resource::Blocks]));
        assert_eq!(blocks(&shape(1, 128, 255, 0), &A100), (2, vec![Resource::Registers]));
        assert_eq!(blocks(&shape(1, 128, 32, 48 << 10), &A100), (3, vec![Resource::Shared]));
        assert_eq!(blocks(&shape(1, 128, 32, 166_912), &A100), (1, vec![Resource::Shared]));
        let p100 = Limits { capability: Some((6, 0)), shared: Some(65_536), shared_reserved: None, ..A100 };
        assert_eq!(blocks(&shape(1, 32, 41, 0), &p100), (32, vec![Resource::Blocks]));
        assert_eq!(bounds(&shape(1, 32, 41, 0), &p100).unwrap().registers, Some(42));
        assert_eq!(bounds(&shape(1, 32, 41, 0), &A100).unwrap().registers, Some(40));
    }

    #[test]
    fn what_less_gives() {
        let one = occupancy(&shape(1, 256, 33, 0), &A100).unwrap();
        assert_eq!((one.one_register_less, one.registers_for_more), (8, Some(32)));
        let shared = occupancy(&shape(1, 128, 32, 48 << 10), &A100).unwrap();
        assert_eq!((shared.one_kibibyte_less, shared.shared_for_more), (3, Some(40_960)));
        let less = occupancy(&shape(1, 128, 32, 40_960), &A100).unwrap();
        assert_eq!(less.blocks, 4);
    }

    #[test]
    fn waves_and_their_tail() {
        let waves = occupancy(&shape(2_000, 256, 32, 0), &A100).unwrap().waves.unwrap();
        assert_eq!((waves.capacity, waves.full, waves.tail, waves.count()), (864, 2, 272, 3));
        assert!((waves.tail_share() - 272.0 / 864.0).abs() < 1e-12);
        let full = occupancy(&shape(864, 256, 32, 0), &A100).unwrap().waves.unwrap();
        assert_eq!((full.count(), full.tail), (1, 0));
    }

    #[test]
    fn nothing_known_and_nothing_there() {
        assert_eq!(occupancy(&shape(1, 0, 32, 0), &A100), None);
        assert_eq!(occupancy(&shape(1, 64, 32, 0), &Limits::default()), None);
        let most = [u32::MAX; 3];
        let huge = Shape {
            grid: most,
            block: most,
            registers: Some(u32::MAX),
            shared: Some(u64::MAX),
            ..Shape::default()
        };
        assert_eq!(occupancy(&huge, &A100).unwrap().blocks, 0);
        let none = Shape { shared: None, ..shape(1, 64, 32, 0) };
        assert!(
            !occupancy(&none, &A100).unwrap().complete
                && occupancy(&shape(1, 64, 32, 0), &A100).unwrap().complete
        );
    }
}
