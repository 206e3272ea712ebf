//! How long pictures of many blocks take: building the timeline once, then drawing frame after frame, and writing
//! the run as trace events. Run with `cargo bench --bench timeline`.

#![allow(missing_docs)] // criterion's macros make public items without any

use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use warpspan::base::{Nanos, Seeded};
use warpspan::blocks::device::CopySpeed;
use warpspan::blocks::{
    BlockRun, Device, Durations, Kernel, KernelRun, Mask, OpId, Setup, Stream, StreamKind, Trace,
};
use warpspan::draw::blocks::{Look, Panel, draw};
use warpspan::export::perfetto::perfetto;
use warpspan::timeline::blocks::{BlocksTimeline, Measure, kernel_classes};

const SMS: u16 = 8;
/// Blocks of a launch.
const LAUNCH: usize = 500;

fn setup() -> Setup {
    let device = Device {
        name: "Bench".to_owned(),
        sms: SMS,
        threads_per_sm: 2_048,
        blocks_per_sm: 32,
        shared_memory_per_sm: 65_536,
        registers_per_sm: 65_536,
        threads_per_block: 1_024,
        shared_memory_per_block: 49_152,
        thread_granularity: 1,
        sms_per_tpc: 1,
        copy_engines: 1,
        copy_speed: CopySpeed { latency: Nanos(1), host: 1, device: 1 },
    };
    let kernel = |i: u32| Kernel {
        label: format!("K{i}"),
        blocks: LAUNCH as u32,
        threads: 64 << (i % 5),
        shared_memory: 512,
        registers: 0,
        duration: Durations::Same(Nanos(1)),
        mask: Mask::ALL,
        deadline: None,
        period: None,
    };
    let stream =
        |i| Stream { label: format!("Stream {i}"), priority: 0, kind: StreamKind::NonBlocking, process: 0 };
    Setup {
        device,
        streams: (0..6).map(stream).collect(),
        kernels: (0..12).map(kernel).collect(),
        copies: Vec::new(),
    }
}

/// So many blocks, launch after launch, each on the SM where enough threads are free first.
fn trace(setup: &Setup, blocks: usize) -> Trace {
    let mut rng = Seeded::new(1, 0);
    let mut running: Vec<Vec<(u64, u32)>> = vec![Vec::new(); usize::from(SMS)];
    let mut trace = Trace::default();
    let mut now = 0u64;
    for op in 0..blocks / LAUNCH {
        let kernel = rng.below(12) as usize;
        let threads = setup.kernels[kernel].threads;
        let length = 1_000 << rng.below(8);
        let (first, launched) = (trace.blocks.len(), Nanos(now));
        for _ in 0..LAUNCH {
            let sm = loop {
                running.iter_mut().for_each(|sm| sm.retain(|&(end, _)| end > now));
                let fits =
                    |sm: &Vec<(u64, u32)>| sm.iter().map(|&(_, held)| held).sum::<u32>() + threads <= 2_048;
                if let Some(sm) = running.iter().position(fits) {
                    break sm;
                }
                now = running.iter().flatten().map(|&(end, _)| end).min().unwrap_or(now);
            };
            let end = now + length + u64::from(rng.below(1 + length as u32 / 8));
            running[sm].push((end, threads));
            trace.blocks.push(BlockRun { start: Nanos(now), end: Nanos(end), sm: sm as u16 });
        }
        let own = &trace.blocks[first..];
        let (start, end) = (own[0].start, own.iter().map(|block| block.end).max().unwrap_or_default());
        trace.end = trace.end.max(end);
        let blocks = first..trace.blocks.len();
        let (dispatched, queued) = (Nanos(now), start);
        let op = OpId(op as u32);
        trace.kernels.push(KernelRun {
            op,
            kernel,
            stream: kernel % 6,
            round: 0,
            launched,
            queued,
            start,
            dispatched,
            end,
            blocks,
        });
    }
    trace
}

/// Windows of ten widths, ten of each side by side.
fn windows(end: f64) -> Vec<(f64, f64)> {
    let of_zoom = |zoom: i32| {
        let width = end * 0.4f64.powi(zoom);
        (0..10).map(move |i| (end - width) * f64::from(i) / 9.0).map(move |t0| (t0, t0 + width))
    };
    (0..10).flat_map(of_zoom).collect()
}

fn timelines(c: &mut Criterion) {
    let mut group = c.benchmark_group("blocks");
    let setup = setup();
    for blocks in [100_000, 1_000_000] {
        let trace = trace(&setup, blocks);
        let classes = kernel_classes(&[(&setup, &trace)]).remove(0);
        group.throughput(Throughput::Elements(blocks as u64));
        group.bench_function(BenchmarkId::new("build", blocks), |b| {
            b.iter(|| BlocksTimeline::new(&setup, &trace, &classes, Measure::Threads));
        });
        let timeline = BlocksTimeline::new(&setup, &trace, &classes, Measure::Threads);
        let panel = Panel { title: "", setup: &setup, trace: &trace, timeline: &timeline };
        group.throughput(Throughput::Elements(100));
        group.bench_function(BenchmarkId::new("100 frames", blocks), |b| {
            b.iter(|| {
                let frame =
                    |(t0, t1): (f64, f64)| draw(&[panel], &Look::new(1_400.0, 700.0, t0, t1)).marks.len();
                windows(timeline.end).into_iter().map(frame).max()
            });
        });
        let most = windows(timeline.end)
            .into_iter()
            .map(|(t0, t1)| draw(&[panel], &Look::new(1_400.0, 700.0, t0, t1)).marks.len())
            .max();
        println!("marks of a frame at the most: {most:?}");
    }
    let trace = trace(&setup, 100_000);
    group.throughput(Throughput::Bytes(perfetto(&setup, &trace).len() as u64));
    group.bench_function("trace events 100000", |b| b.iter(|| perfetto(&setup, &trace).len()));
    group.finish();
}

criterion_group! {
    name = timeline;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(2));
    targets = timelines
}
criterion_main!(timeline);
