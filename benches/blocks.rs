//! How long simulations of blocks take: 80 multiprocessors, several streams, from ten thousand blocks to a million.

#![allow(missing_docs)] // criterion's macros make public functions

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use warpspan::base::{Nanos, Seeded};
use warpspan::blocks::device::{CopySpeed, Mask};
use warpspan::blocks::{
    Action, Device, Durations, Kernel, Placement, Program, Repeat, Setup, Slicing, Stream, StreamKind,
    Switch, Workload, simulate,
};

/// Streams, with a program and kernels of its own for each.
const STREAMS: usize = 8;
/// Blocks that each program launches in one round.
const ROUND: u64 = 250;

fn device() -> Device {
    Device {
        name: "80 multiprocessors".into(),
        sms: 80,
        threads_per_sm: 2_048,
        blocks_per_sm: 32,
        shared_memory_per_sm: 96 << 10,
        registers_per_sm: 65_536,
        threads_per_block: 1_024,
        shared_memory_per_block: 48 << 10,
        thread_granularity: 32,
        sms_per_tpc: 2,
        copy_engines: 2,
        copy_speed: CopySpeed { latency: Nanos(1_000), host: 12_000_000_000, device: 300_000_000_000 },
    }
}

fn kernel(blocks: u32, threads: u32, duration: Durations) -> Kernel {
    Kernel {
        label: String::new(),
        blocks,
        threads,
        shared_memory: 0,
        registers: 32,
        duration,
        mask: Mask::ALL,
        deadline: None,
        period: None,
    }
}

/// Kernels of 200 and of 50 blocks in eight streams, launched again and again until there are so many blocks.
fn workload(blocks: u64, duration: &mut dyn FnMut(u32) -> Durations) -> Workload {
    let mut setup = Setup { device: device(), streams: Vec::new(), kernels: Vec::new(), copies: Vec::new() };
    let mut programs = Vec::new();
    for stream in 0..STREAMS {
        let (label, priority) = (String::new(), -i32::from(stream % 4 == 3));
        setup.streams.push(Stream { label, priority, kind: StreamKind::Blocking, process: 0 });
        let first = setup.kernels.len();
        for (blocks, threads) in [(200, [64, 128, 256, 512][stream % 4]), (50, 1_024)] {
            let mut kernel = kernel(blocks, threads, duration(blocks));
            kernel.shared_memory = if stream % 2 == 1 { 8 << 10 } else { 0 };
            setup.kernels.push(kernel);
        }
        let launch = |kernel| Action::Launch { stream, kernel };
        let body = vec![launch(first), launch(first + 1), Action::WaitStream(stream)];
        let rounds = Some(blocks / ROUND / STREAMS as u64);
        let repeat = Repeat { release: Nanos(0), rounds, time: None, lockstep: false, body };
        programs.push(Program { label: String::new(), process: 0, repeat, ends_others: false });
    }
    let slicing = Slicing { quantum: Nanos(2_000_000), switch: Switch::Drain };
    Workload { setup, programs, placement: Placement::default(), slicing, most_blocks: u64::MAX }
}

/// All blocks of a kernel take equally long.
fn equal(blocks: u64) -> Workload {
    let mut rng = Seeded::new(1, 0);
    workload(blocks, &mut |_| Durations::Same(Nanos(u64::from(20_000 + rng.below(50_000)))))
}

/// Every block takes a time of its own, so that hardly any two end together.
fn unequal(blocks: u64) -> Workload {
    let mut rng = Seeded::new(1, 0);
    let mut time = || Nanos(u64::from(20_000 + rng.below(50_000)));
    workload(blocks, &mut |blocks| Durations::Each((0..blocks).map(|_| time()).collect()))
}

fn run(group: &str, c: &mut Criterion, cases: &[(String, u64, Workload)]) {
    let mut group = c.benchmark_group(group);
    group.sample_size(10);
    for (name, blocks, workload) in cases {
        assert_eq!(simulate(workload).trace.blocks.len() as u64, *blocks, "{name}");
        group.throughput(Throughput::Elements(*blocks));
        group.bench_function(BenchmarkId::from_parameter(name), |b| b.iter(|| simulate(workload)));
    }
    group.finish();
}

/// Ten thousand blocks to a million.
fn growth(c: &mut Criterion) {
    for (name, make) in [("equal times", equal as fn(u64) -> Workload), ("unequal times", unequal)] {
        let case = |blocks: u64| (format!("{blocks} blocks"), blocks, make(blocks));
        run(name, c, &[10_000, 100_000, 1_000_000].map(case));
    }
}

/// A million blocks under each way to choose a multiprocessor.
fn placements(c: &mut Criterion) {
    let case = |(placement, name): (Placement, &str)| {
        (name.to_owned(), 1_000_000, Workload { placement, ..unequal(1_000_000) })
    };
    run("placement", c, &Placement::ALL.map(case));
}

/// A million blocks in kernels of one block each, a thousand of which wait in as many streams.
fn queues(c: &mut Criterion) {
    let mut workload = workload(0, &mut |_| Durations::Same(Nanos(1)));
    workload.programs.clear();
    workload.setup.kernels = vec![kernel(1, 1_024, Durations::Same(Nanos(30_000)))];
    workload.setup.streams = (0..1_000)
        .map(|_| Stream { label: String::new(), priority: 0, kind: StreamKind::Blocking, process: 0 })
        .collect();
    let launch = |stream| Action::Launch { stream, kernel: 0 };
    let body = (0..1_000).map(launch).collect();
    let repeat = Repeat { release: Nanos(0), rounds: Some(1_000), time: None, lockstep: false, body };
    workload.programs.push(Program { label: String::new(), process: 0, repeat, ends_others: false });
    run("queues", c, &[("1000 streams".to_owned(), 1_000_000, workload)]);
}

criterion_group!(blocks, growth, placements, queues);
criterion_main!(blocks);
