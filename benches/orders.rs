//! How long it takes to find the worst launch order of every kernel of a set, and to prove it.

#![allow(missing_docs)] // criterion's macros make public functions

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use warpspan::base::{Nanos, Seeded};
use warpspan::blocks::analysis::{Effort, Proven, Task, worst};

/// Places of the device: a Jetson TX2 and blocks of 512 threads.
const PLACES: u32 = 8;

/// Kernels of up to 12 blocks and up to 20 steps of time.
fn tasks(seed: u64, count: u32, step: u32) -> Vec<Task> {
    let mut rng = Seeded::new(seed, 1);
    let mut task = || Task {
        label: String::new(),
        period: None,
        time: Nanos(u64::from((1 + rng.below(20)) * step + rng.below(step))),
        blocks: 1 + rng.below(12),
        threads: 512,
        deadline: None,
    };
    (0..count).map(|_| task()).collect()
}

/// Times that have nothing in common, and times that are all multiples of one.
fn orders(c: &mut Criterion) {
    let mut group = c.benchmark_group("worst launch orders");
    group.sample_size(10);
    for (name, step, counts) in [("any times", 1_000, 6..=10), ("round times", 1, 8..=11)] {
        for count in counts {
            let sets: Vec<Vec<Task>> = (0..6).map(|seed| tasks(seed, count, step)).collect();
            let open = sets.iter().flat_map(|set| worst(set, PLACES, Effort::default()).unwrap_or_default());
            let open = open.filter(|worst| worst.proof == Proven::NotProven).count();
            println!("{name}, {count} kernels: {open} of {} brackets stay open", 6 * count);
            group.bench_with_input(BenchmarkId::new(name, count), &sets, |b, sets| {
                b.iter(|| sets.iter().map(|set| worst(set, PLACES, Effort::default())).collect::<Vec<_>>());
            });
        }
    }
    group.finish();
}

criterion_group!(benches, orders);
criterion_main!(benches);
