//! How long the exact search takes on the published kernel, from one warp to many, and beams on their own.

#![allow(missing_docs)] // criterion's macros make public functions
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use std::time::Instant;

use criterion::{BenchmarkId, Criterion, criterion_group};
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
    for (warps, issue, longest) in
        cases.into_iter().chain([(10, Some(4), 119), (13, Some(4), 151), (16, Some(4), 184)])
    {
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

/// How the bracket narrows, and the slowest slice: `FIGURES="16 20" KERNEL="5L 9C" SECONDS_EACH=30`.
fn figures(warps: &str) {
    let given = |name: &str, usual: &str| std::env::var(name).unwrap_or_else(|_| usual.to_owned());
    let kernel = Kernel::parse(&given("KERNEL", "5L 9C 2L 9C")).unwrap();
    let seconds: u64 = given("SECONDS_EACH", "60").parse().unwrap();
    for warps in warps.split_whitespace().map(|warps| warps.parse().unwrap()) {
        for issue in [None, Some(4)] {
            let machine = Machine { capacity: PerUnit([1, 4, 1, 1]), issue };
            let fairness = Fairness::WorkConserving;
            let problem = Problem { kernel: &kernel, machine: &machine, warps, fairness: &fairness };
            let (start, mut slowest) = (Instant::now(), 0.0f64);
            let mut search = Search::new(&problem, Limits::default()).unwrap();
            let mut shown = None;
            loop {
                if shown.as_ref() != Some(&search.bracket()) {
                    println!("{warps} {issue:?} {:?} {:?}", search.bracket(), start.elapsed());
                    shown = Some(search.bracket());
                }
                let slice = Instant::now();
                let more = search.step(SLICE);
                slowest = slowest.max(slice.elapsed().as_secs_f64());
                if !more || start.elapsed().as_secs() >= seconds {
                    break;
                }
            }
            println!(
                "{warps} {issue:?} {:?} in {:?}, {} states, slowest slice {slowest:.3} s, gave up: {}",
                search.bracket(),
                start.elapsed(),
                search.states(),
                search.gave_up()
            );
        }
    }
}

criterion_group!(benches, exact, beams);

fn main() {
    match std::env::var("FIGURES") {
        Ok(warps) => figures(&warps),
        Err(_) => {
            benches();
            Criterion::default().configure_from_args().final_summary();
        }
    }
}
