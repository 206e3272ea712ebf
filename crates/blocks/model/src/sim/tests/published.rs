//! Published completion times: four kernels on a Jetson TX2, all launched at 0 (P, sections 3.6 and 4).

use super::*;

/// Completion times in seconds of kernels launched in this order, by their published numbers.
fn completions(order: [usize; 4]) -> [f64; 4] {
    let mut w = idle();
    w.setup.device = Device {
        threads_per_sm: 2_048,
        blocks_per_sm: 32,
        shared_memory_per_sm: 64 << 10,
        registers_per_sm: 65_536,
        threads_per_block: 1_024,
        shared_memory_per_block: 48 << 10,
        sms_per_tpc: 2,
        ..w.setup.device
    };
    for task in order {
        let (seconds, blocks) = [(4, 2), (6, 7), (6, 2), (5, 5)][task - 1];
        w.alone(blocks, 512, seconds * 1_000_000_000);
    }
    let trace = simulate(&w).trace;
    [0, 1, 2, 3].map(|launch| trace.kernels[launch].end.seconds())
}

#[test]
fn four_kernels_in_four_orders() {
    assert_eq!(completions([1, 2, 3, 4]), [4.0, 10.0, 12.0, 11.0]);
    assert_eq!(completions([2, 3, 4, 1]), [6.0, 12.0, 11.0, 10.0]);
    assert_eq!(completions([2, 4, 1, 3]), [6.0, 11.0, 10.0, 12.0]);
    assert_eq!(completions([2, 1, 3, 4]), [6.0, 8.0, 12.0, 11.0]);
}
