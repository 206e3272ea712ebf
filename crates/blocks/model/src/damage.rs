//! Traces with anything changed to anything, for tests that nothing stops at them.

use super::trace::{BlockRun, CopyRun, KernelRun, OpId, Slice, Trace};
use base::{Nanos, Seeded};

/// A time that is small, or the last there is.
pub(super) fn time(rng: &mut Seeded) -> Nanos {
    if rng.below(9) == 0 { Nanos::NEVER } else { Nanos(rng.below(60).into()) }
}

/// Changes anything to anything.
pub(super) fn damage(rng: &mut Seeded, trace: &mut Trace) {
    let index = |rng: &mut Seeded, count: usize| rng.below(count as u32 + 2) as usize;
    let (kernels, blocks) = (trace.kernels.len(), trace.blocks.len());
    match rng.below(5) {
        0 => {
            let range = index(rng, blocks)..index(rng, blocks);
            let at = rng.below(kernels as u32 + 1) as usize;
            trace.kernels.insert(
                at,
                KernelRun {
                    op: OpId(rng.below(20)),
                    kernel: rng.below(6) as usize,
                    stream: rng.below(8) as usize,
                    round: 0,
                    launched: time(rng),
                    queued: time(rng),
                    start: time(rng),
                    dispatched: time(rng),
                    end: time(rng),
                    blocks: range,
                },
            );
        }
        1 => trace.copies.push(CopyRun {
            op: OpId(rng.below(20)),
            copy: rng.below(5) as usize,
            stream: rng.below(8) as usize,
            round: 0,
            engine: rng.below(4) as u16,
            issued: time(rng),
            queued: time(rng),
            start: time(rng),
            end: time(rng),
        }),
        2 => {
            let keep = rng.below(blocks as u32 + 1) as usize;
            trace.blocks.truncate(keep);
        }
        3 => trace.slices.push(Slice { process: rng.below(11), start: time(rng), end: time(rng) }),
        _ => {
            let which = index(rng, blocks);
            let block = BlockRun { start: time(rng), end: time(rng), sm: [0, 3, 300][rng.below(3) as usize] };
            if let Some(slot) = trace.blocks.get_mut(which) {
                *slot = block;
            }
        }
    }
}
