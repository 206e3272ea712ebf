//! Random workloads: the naive twin sees the same.

use super::*;
use crate::{Simulation, Stop, naive, random};
use base::{Control, Seeded};

/// A random workload.
pub(super) fn drawn(seed: u64, stream: u64) -> Workload {
    random::workload(&mut Seeded::new(seed, stream))
}

#[test]
fn the_naive_twin_sees_the_same() {
    let (mut blocks, mut copies, mut slices, mut cut) = (0, 0, 0, 0);
    for stream in 0..4_000 {
        let w = drawn(1, stream);
        let mut simulation = Simulation::new(&w);
        while simulation.step(&mut Control::slice(1 + stream % 50)) {}
        let run = simulation.finish();
        assert_eq!(run.trace, naive::simulate(&w), "{stream}: {w:#?}");
        blocks += run.trace.blocks.len();
        copies += run.trace.copies.len();
        slices += run.trace.slices.len();
        assert!(matches!(run.stop, Stop::Done | Stop::TooManyBlocks), "{:?}", run.stop);
        cut += usize::from(run.stop == Stop::TooManyBlocks);
    }
    // Nothing is drawn so rarely that it would not be tested.
    assert!(
        blocks > 50_000 && copies > 5_000 && slices > 5_000 && cut > 100,
        "{blocks} {copies} {slices} {cut}"
    );
}
