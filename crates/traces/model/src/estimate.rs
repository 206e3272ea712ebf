//! The profiler's own figure of occupancy beside ours, and why they differ where they do.
//!
//! The PyTorch profiler writes an "achieved" occupancy which it estimates: blocks that a multiprocessor holds, but no more
//! than all blocks divided by the number of multiprocessors, times threads of a block, of all threads that it can hold;
//! in whole percent. For kernels that were opted in to more than 48 KiB of shared memory it writes 0. Ours is how many
//! warps a multiprocessor holds at most, however few blocks there are.

use crate::occupancy::{Occupancy, occupancy};
use crate::trace::{Limits, Shape};

/// Bytes of shared memory that a block has without being opted in to more.
const USUAL: u64 = 48 << 10;

/// How far a figure in percent may be from what was rounded.
const ROUNDED: f64 = 0.505;

/// The profiler's figure and ours.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The profiler's, from 0 to 1.
    pub theirs: f64,
    /// Ours, reckoned as the profiler reckons, from 0 to 1.
    pub ours: f64,
    /// Why they differ from how many warps are held at most, if they do.
    pub why: Differs,
}

/// Why a profiler's figure is not ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Differs {
    /// It is, but for rounding.
    No,
    /// There are fewer blocks than multiprocessors could hold.
    FewBlocks,
    /// It counts the threads of the last warp of a block, where ours counts whole warps.
    PartWarps,
    /// It writes 0, as more than 48 KiB of shared memory were asked for.
    OptedIn,
    /// Nothing here explains it.
    Unexplained,
}

/// The profiler's figure beside ours; none where the file has none, or not all that is needed for ours.
pub fn estimate(shape: &Shape, limits: &Limits) -> Option<Estimate> {
    let theirs = shape.estimated?;
    let own = occupancy(shape, limits)?;
    let ours = reckoned(shape, limits, &own)?;
    let near = |one: f64, other: f64| ((one - other) * 100.0).abs() <= ROUNDED;
    let few = blocks_each(shape, limits)? < own.blocks as f64;
    let why = if own.share.is_some_and(|share| near(theirs, share)) {
        Differs::No
    } else if theirs == 0.0 && shape.shared.is_some_and(|bytes| bytes > USUAL) {
        Differs::OptedIn
    } else if !near(theirs, ours) {
        Differs::Unexplained
    } else if few {
        Differs::FewBlocks
    } else {
        Differs::PartWarps
    };
    Some(Estimate { theirs, ours, why })
}

/// Occupancy as the profiler reckons it.
fn reckoned(shape: &Shape, limits: &Limits, own: &Occupancy) -> Option<f64> {
    let held = (own.blocks as f64).min(blocks_each(shape, limits)?);
    let all = limits.threads.filter(|&threads| threads > 0)?;
    Some(held * shape.threads() as f64 / f64::from(all))
}

/// Blocks for each multiprocessor: as the file says, else as the device has multiprocessors.
fn blocks_each(shape: &Shape, limits: &Limits) -> Option<f64> {
    let count = limits.multiprocessors.filter(|&count| count > 0);
    let own = count.map(|count| shape.blocks() as f64 / f64::from(count));
    shape.blocks_each.map(f64::from).or(own)
}

/// Whether the profiler's blocks and warps for each multiprocessor are those of the device and the launch; none where the
/// file does not have them.
pub fn each_agree(shape: &Shape, limits: &Limits) -> Option<bool> {
    let count = f64::from(limits.multiprocessors.filter(|&count| count > 0)?);
    let warp = f64::from(limits.warp.filter(|&warp| warp > 0)?);
    let near = |theirs: f32, ours: f64| (f64::from(theirs) - ours).abs() <= 1e-4 * ours.max(1.0);
    let blocks = shape.blocks() as f64 / count;
    let warps = blocks * shape.threads() as f64 / warp;
    Some(near(shape.blocks_each?, blocks) && near(shape.warps_each?, warps))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A V100's multiprocessor, from the public tables.
    const V100: Limits = Limits {
        capability: Some((7, 0)),
        multiprocessors: Some(80),
        warp: Some(32),
        threads: Some(2048),
        blocks: Some(32),
        registers: Some(65_536),
        shared: Some(98_304),
        shared_of_block: Some(98_304),
        shared_reserved: None,
    };

    fn told(blocks: u32, threads: u32, shared: u64, percent: f64) -> Differs {
        let shape = Shape {
            grid: [blocks, 1, 1],
            block: [threads, 1, 1],
            registers: Some(32),
            shared: Some(shared),
            estimated: Some(percent / 100.0),
            ..Shape::default()
        };
        estimate(&shape, &V100).unwrap().why
    }

    #[test]
    fn figures_and_why_they_differ() {
        assert_eq!(told(8_000, 256, 0, 100.0), Differs::No);
        assert_eq!(told(424, 128, 0, 33.0), Differs::FewBlocks);
        // 22.5, rounded either way.
        assert_eq!(
            (told(576, 64, 0, 22.0), told(576, 64, 0, 23.0)),
            (Differs::FewBlocks, Differs::FewBlocks)
        );
        assert_eq!(told(8_000, 48, 0, 75.0), Differs::PartWarps);
        assert_eq!(told(8_000, 256, 49_153, 0.0), Differs::OptedIn);
        assert_eq!(told(8_000, 256, 49_152, 0.0), Differs::Unexplained);
        let none = Shape { grid: [1; 3], block: [32, 1, 1], ..Shape::default() };
        assert_eq!(estimate(&none, &V100), None);
    }

    /// Kernels that ran on an A100 (facebookresearch/HolisticTraceAnalysis, MIT): blocks, threads, registers, bytes of
    /// shared memory, the profiler's blocks and warps for each multiprocessor, its percent, and why that is not ours.
    type Seen = (u32, u32, u32, u64, f32, f32, f64, Differs);
    const SEEN: [Seen; 15] = [
        (864, 256, 47, 0, 8.0, 64.0, 63.0, Differs::No),
        (12, 256, 16, 0, 0.111_111_11, 0.888_888_9, 1.0, Differs::FewBlocks),
        (3025, 128, 160, 16_384, 28.009_26, 112.037_04, 19.0, Differs::No),
        (96_800, 128, 40, 0, 896.296_3, 3_585.185_3, 75.0, Differs::No),
        (48_400, 128, 18, 0, 448.148_16, 1_792.592_7, 100.0, Differs::No),
        (23_328, 256, 26, 0, 216.0, 1_728.0, 100.0, Differs::No),
        (768, 512, 64, 35_904, 7.111_111, 113.777_78, 50.0, Differs::No),
        (3_264, 256, 122, 24_576, 30.222_221, 241.777_77, 25.0, Differs::No),
        (4_608, 256, 32, 4_224, 42.666_668, 341.333_34, 100.0, Differs::No),
        (507, 128, 252, 67_584, 4.694_444_7, 18.777_779, 0.0, Differs::OptedIn),
        (512, 128, 86, 32_768, 4.740_741, 18.962_963, 25.0, Differs::No),
        (512, 512, 23, 0, 4.740_741, 75.851_85, 100.0, Differs::No),
        (1_024, 128, 18, 0, 9.481_482, 37.925_926, 59.0, Differs::FewBlocks),
        (640, 128, 122, 12_544, 5.925_926, 23.703_703, 25.0, Differs::No),
        (1, 512, 32, 2_064, 0.009_259, 0.148_148, 0.0, Differs::FewBlocks),
    ];

    #[test]
    fn figures_of_recorded_kernels() {
        let a100 = Limits {
            capability: Some((8, 0)),
            multiprocessors: Some(108),
            shared: Some(167_936),
            shared_of_block: Some(166_912),
            blocks: None,
            ..V100
        };
        for (blocks, threads, registers, shared, blocks_each, warps_each, percent, expected) in SEEN {
            let shape = Shape {
                grid: [blocks, 1, 1],
                block: [threads, 1, 1],
                registers: Some(registers),
                shared: Some(shared).filter(|&bytes| bytes > 0),
                estimated: Some(percent / 100.0),
                blocks_each: Some(blocks_each),
                warps_each: Some(warps_each),
            };
            let found = estimate(&shape, &a100).unwrap();
            assert_eq!(found.why, expected, "{blocks} blocks of {threads}: {found:?}");
            assert_eq!(each_agree(&shape, &a100), Some(true), "{blocks} blocks of {threads}");
            // By the profiler's own rule it is the same figure, but for rounding and where it writes 0.
            let near = ((found.theirs - found.ours) * 100.0).abs() <= ROUNDED;
            assert_eq!(near, expected != Differs::OptedIn, "{blocks} blocks of {threads}: {found:?}");
        }
    }

    #[test]
    fn blocks_and_warps_of_each_multiprocessor() {
        let shape = |blocks: f32, warps: f32| Shape {
            grid: [4, 106, 1],
            block: [128, 1, 1],
            blocks_each: Some(blocks),
            warps_each: Some(warps),
            ..Shape::default()
        };
        assert_eq!(each_agree(&shape(5.3, 21.2), &V100), Some(true));
        assert_eq!(each_agree(&shape(5.3, 20.0), &V100), Some(false));
        assert_eq!(each_agree(&shape(5.3, 21.2), &Limits::default()), None);
    }
}
