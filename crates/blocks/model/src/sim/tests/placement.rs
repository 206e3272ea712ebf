//! Which SM a block goes to.

use super::*;

/// On which SMs the blocks of a last kernel start, with 1 and 2 threads of 4 and 1 and 2 blocks gone already.
fn sms(placement: Placement) -> Vec<u16> {
    let mut w = idle();
    w.placement = placement;
    w.setup.device.sms = 3;
    w.setup.device.blocks_per_sm = 4;
    // Two blocks of one thread on SM 1, one block of three threads on SM 2, then those looked at.
    for (blocks, threads, sm) in [(2, 1, Some(1)), (1, 3, Some(2)), (6, 1, None)] {
        let (_, kernel) = w.alone(blocks, threads, 10);
        if let Some(sm) = sm {
            w.setup.kernels[kernel].mask = Mask::NONE.with(sm, true);
        }
    }
    let trace = simulate(&w).trace;
    assert!(trace.blocks.iter().all(|block| block.start == Nanos(0)));
    trace.blocks[trace.kernels[2].blocks.clone()].iter().map(|block| block.sm).collect()
}

#[test]
fn most_free_threads_lowest_of_equals() {
    assert_eq!(sms(Placement::MostFreeThreads), [0, 0, 0, 1, 0, 1]);
}

#[test]
fn fewest_blocks_lowest_of_equals() {
    assert_eq!(sms(Placement::FewestBlocks), [0, 0, 2, 0, 1, 0]);
}

#[test]
fn round_robin_goes_on_after_the_last_one() {
    assert_eq!(sms(Placement::RoundRobin), [0, 1, 2, 0, 1, 0]);
}

#[test]
fn lowest_first_fills_one_after_another() {
    assert_eq!(sms(Placement::LowestFirst), [0, 0, 0, 0, 1, 1]);
}

#[test]
fn highest_first_fills_them_from_the_other_end() {
    assert_eq!(sms(Placement::HighestFirst), [2, 1, 1, 0, 0, 0]);
}

#[test]
fn more_sms_than_masks_can_name_are_left_alone() {
    let mut w = idle();
    w.setup.device.sms = 300;
    w.alone(300, 4, 1);
    let trace = simulate(&w).trace;
    assert_eq!(trace.end, Nanos(2));
    assert!(trace.blocks.iter().all(|block| block.sm < 256));
}
