//! How long the demand of recurring tasks takes: in the published form, on undominated pairs, exactly; and how long
//! a whole set takes to be decided.

#![allow(missing_docs)] // criterion's macros make public functions

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use warpspan::tasks::dense::Table;
use warpspan::tasks::pareto::small;
use warpspan::tasks::{Analysis, Demand, Joined, Task, random};

/// Requirements up to this, as in the published experiment, and at most so many edges to a vertex.
const MOST: u32 = 10_000;
const FAN: u32 = 5;

/// Random tasks of one size.
fn tasks(size: u32, count: u64) -> Vec<Task> {
    (1..=count).map(|seed| random::task(size, MOST, FAN, seed)).collect()
}

fn published(c: &mut Criterion) {
    let mut group = c.benchmark_group("demand of one task, beside the published form");
    group.sample_size(10);
    for size in [10, 20, 30, 40, 50] {
        let [task] = &tasks(size, 1)[..] else { return };
        let joined = Joined::of(task);
        group.bench_with_input(BenchmarkId::new("published table", size), &joined, |b, joined| {
            b.iter(|| Table::fill(black_box(joined), joined.columns()));
        });
        group.bench_with_input(BenchmarkId::new("undominated pairs", size), &joined, |b, joined| {
            b.iter(|| small(black_box(joined), usize::MAX));
        });
        group.bench_with_input(BenchmarkId::new("exact, every interval", size), task, |b, task| {
            b.iter(|| Demand::exact(black_box(task)));
        });
    }
    group.finish();
}

fn large(c: &mut Criterion) {
    let mut group = c.benchmark_group("exact demand of large tasks");
    group.sample_size(10);
    for size in [100, 200, 500] {
        let set = tasks(size, 1);
        group.bench_with_input(BenchmarkId::from_parameter(size), &set, |b, set| {
            b.iter(|| Demand::exact(black_box(&set[0])));
        });
    }
    group.finish();
}

/// Twenty tasks of fifty vertices, with periods so long that together they load the processor to four fifths; and
/// deadlines so long that most intervals have room.
fn set() -> Vec<Task> {
    let stretched = |task: Task| {
        let longer =
            |vertex: &warpspan::tasks::Vertex| warpspan::tasks::Vertex { d: 20 * vertex.d, ..vertex.clone() };
        let vertices = task.vertices().iter().map(longer).collect();
        let edges =
            task.edges().iter().map(|edge| warpspan::tasks::Edge { p: 20 * edge.p, ..*edge }).collect();
        let period = (25 * task.demand()).max(20 * task.longest());
        Task::new(task.name(), period, vertices, edges).unwrap_or(task)
    };
    tasks(50, 20).into_iter().map(stretched).collect()
}

fn decided(c: &mut Criterion) {
    let mut group = c.benchmark_group("a set of 20 tasks of 50 vertices");
    group.sample_size(10);
    for (name, set) in [("deadlines missed at once", tasks(50, 20)), ("long deadlines", set())] {
        group.bench_with_input(BenchmarkId::new("decided", name), &set, |b, set| {
            b.iter(|| {
                let mut analysis = Analysis::new(set.clone());
                while !analysis.is_decided() {
                    analysis.step();
                }
                analysis
            });
        });
    }
    group.finish();
}

criterion_group!(benches, published, large, decided);
criterion_main!(benches);
