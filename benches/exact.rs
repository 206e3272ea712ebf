//! How long the exact search takes on the published kernel, from one warp to many, and beams on their own.

#![allow(missing_docs)] // criterion's macros make public functions
#![allow(clippy::unwrap_used)]

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use warpspan::warps::beam::Beam;
use warpspan::warps::exact::{Limits, Problem, Search, Shortest};
use warpspan::warps::{Fairness, Kernel, Machine, PerUnit};

/// Units of work per slice.
const SLICE: u64 = 1_000_000;

fn machine(issue: Option<u32>) -> Machine {
    Machine { capacity: PerUnit([1, 4, 0, 0]), issue }
}

fn exact(c: &mut Criterion) {
    let kernel = Kernel::parse("5L 9C 2L 9C").unwrap();
    let fairness = Fairness::WorkConserving;
    let mut group = c.benchmark_group("exact");
    group.sample_size(10);
    let cases = [(4, None, 45), (8, None, 86), (16, None, 160), (24, None, 234), (8, Some(4), 98)];
    for (warps, issue, longest) in cases.into_iter().chain([(10, Some(4), 119), (16, Some(4), 184)]) {
        let machine = machine(issue);
        let problem = Problem { kernel: &kernel, machine: &machine, warps, fairness: &fairness };
        let name = format!("{warps} warps, issue {issue:?}");
        group.bench_function(BenchmarkId::new("longest", name), |b| {
            b.iter(|| {
                let mut search = Search::new(&problem, Limits::default()).unwrap();
                while search.step(SLICE) {}
                assert_eq!((search.bracket().lower, search.bracket().upper), (longest, longest));
            });
        });
    }
    let machine = machine(None);
    let problem = Problem { kernel: &kernel, machine: &machine, warps: 6, fairness: &fairness };
    group.bench_function("shortest/6 warps", |b| {
        b.iter(|| {
            let mut search = Shortest::new(&problem, Limits::default()).unwrap();
            while search.step(SLICE) {}
            assert_eq!(search.bracket().lower, search.bracket().upper);
        });
    });
    group.finish();
}

fn beams(c: &mut Criterion) {
    let kernel = Kernel::parse("5L 9C 2L 9C").unwrap();
    let fairness = Fairness::WorkConserving;
    let mut group = c.benchmark_group("beam");
    group.sample_size(10);
    for (width, issue, found) in [(100, None, 160), (300, Some(4), 184)] {
        let machine = machine(issue);
        let problem = Problem { kernel: &kernel, machine: &machine, warps: 16, fairness: &fairness };
        group.bench_function(format!("width {width}, issue {issue:?}"), |b| {
            b.iter(|| {
                let mut beam = Beam::new(&problem, width, false).unwrap();
                while beam.step(SLICE) {}
                assert_eq!(beam.best(), found);
            });
        });
    }
    group.finish();
}

criterion_group!(benches, exact, beams);
criterion_main!(benches);
