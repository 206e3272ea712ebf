//! How long the warps lab and its documents take: construction against its naive twin, the check, reading a
//! scenario, writing and opening a link, and pictures with what warps wait for. Run with `cargo bench`.

#![allow(missing_docs)] // criterion's macros make public items without any

use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use warpspan::draw::gantt::{Frame, draw};
use warpspan::import::json;
use warpspan::scenario::builtin::BUILTINS;
use warpspan::scenario::link::{View, open, write};
use warpspan::scenario::read;
use warpspan::timeline::{Rows, warps_timeline};
use warpspan::warps::idle::Cells;
use warpspan::warps::{Kernel, Machine, Order, PerUnit, Schedule, Start, check, construct};

/// A kernel on a machine.
struct Case {
    name: &'static str,
    kernel: Kernel,
    machine: Machine,
    warps: usize,
}

/// The published benchmark kernel, and the largest built-in example.
fn cases() -> [Case; 2] {
    let kernel = |text| Kernel::parse(text).expect("a kernel of the benchmark parses");
    [
        Case {
            name: "voronoi-16",
            kernel: kernel("5L 9C 2L 9C"),
            machine: Machine { capacity: PerUnit([1, 4, 0, 0]), issue: None },
            warps: 16,
        },
        Case {
            name: "64x1000",
            kernel: kernel("20(4L 12C 2S 8C 3L 10C D 10C)"),
            machine: Machine { capacity: PerUnit([1, 4, 1, 1]), issue: Some(4) },
            warps: 64,
        },
    ]
}

/// The naive twin of the construction: from the first possible cycle on, one by one, until one has room.
fn construct_naively(kernel: &Kernel, machine: &Machine, order: &Order, warps: usize) -> Option<Schedule> {
    let mut rows = vec![Vec::with_capacity(kernel.len()); warps];
    let mut used: Vec<(PerUnit<u32>, u32)> = Vec::new();
    for &warp in order.ids() {
        let row: &mut Vec<u32> = &mut rows[usize::from(warp)];
        let unit = kernel.units()[row.len()];
        let mut cycle = row.last().map_or(1, |last| last + 1);
        loop {
            if used.len() <= cycle as usize {
                used.resize(cycle as usize + 1, Default::default());
            }
            let (units, issued) = &mut used[cycle as usize];
            if units[unit] < machine.capacity[unit] && *issued < machine.issue_limit() {
                units[unit] += 1;
                *issued += 1;
                break;
            }
            cycle += 1;
        }
        row.push(cycle);
    }
    Schedule::new(&rows, kernel.len())
}

fn construction(c: &mut Criterion) {
    for Case { name, kernel, machine, warps } in cases() {
        let mut group = c.benchmark_group(format!("construct {name}"));
        group.throughput(Throughput::Elements((warps * kernel.len()) as u64));
        for start in [Start::RoundRobin, Start::FixedPriority, Start::MostPending, Start::Random(1)] {
            let order = start.order(&kernel, &machine, warps);
            let fast = construct(&kernel, &machine, &order, warps);
            assert_eq!(fast, construct_naively(&kernel, &machine, &order, warps), "{name} {start:?}");
            group.bench_function(BenchmarkId::new("union-find", start.name()), |b| {
                b.iter(|| construct(&kernel, &machine, &order, warps));
            });
            group.bench_function(BenchmarkId::new("naive", start.name()), |b| {
                b.iter(|| construct_naively(&kernel, &machine, &order, warps));
            });
        }
        group.finish();
    }
}

fn checking(c: &mut Criterion) {
    let mut group = c.benchmark_group("check");
    for Case { name, kernel, machine, warps } in cases() {
        let order = Start::Random(1).order(&kernel, &machine, warps);
        let schedule = construct(&kernel, &machine, &order, warps).expect("every unit is there");
        let rows: Vec<Vec<u32>> = (0..warps).map(|warp| schedule.warp(warp).to_vec()).collect();
        group.throughput(Throughput::Elements((warps * kernel.len()) as u64));
        group.bench_function(name, |b| b.iter(|| check(&kernel, &machine, &rows)));
    }
    group.finish();
}

fn documents(c: &mut Criterion) {
    let mut group = c.benchmark_group("document");
    for example in BUILTINS.iter().filter(|example| ["voronoi-16", "given-schedule"].contains(&example.name))
    {
        let tree = json::parse(example.text).expect("an example is JSON");
        let link = write(&tree, &View::default()).expect("an example fits a link");
        group.throughput(Throughput::Bytes(example.text.len() as u64));
        group.bench_function(BenchmarkId::new("read", example.name), |b| b.iter(|| read(example.text)));
        group.bench_function(BenchmarkId::new("write link", example.name), |b| {
            b.iter(|| write(&tree, &View::default()));
        });
        group.bench_function(BenchmarkId::new("open link", example.name), |b| b.iter(|| open(&link)));
    }
    group.finish();
}

fn pictures(c: &mut Criterion) {
    let mut group = c.benchmark_group("picture");
    for Case { name, kernel, machine, warps } in cases() {
        let order = Start::RoundRobin.order(&kernel, &machine, warps);
        let schedule = construct(&kernel, &machine, &order, warps).expect("every unit is there");
        let cells = Cells::whole(&kernel, &machine, None, &schedule);
        let what = Rows::Warps.with_lanes(1.0);
        group.throughput(Throughput::Elements((warps * kernel.len()) as u64));
        group.bench_function(BenchmarkId::new("rows and waits", name), |b| {
            b.iter(|| warps_timeline(&cells, None, what));
        });
        let timeline = warps_timeline(&cells, None, what);
        let frame = Frame { t1: 100.0, ..Frame::whole(&timeline, 1_400.0) };
        group.bench_function(BenchmarkId::new("marks of 100 cycles", name), |b| {
            b.iter(|| draw(&timeline, &frame));
        });
    }
    group.finish();
}

criterion_group! {
    name = warps;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1));
    targets = construction, checking, documents, pictures
}
criterion_main!(warps);
