//! How fast a chain of annealing is: against building every schedule anew, and against the published way of
//! keeping the part before the first changed entry (B, section VII); how that grows; what chains find.
//!
//! The twins draw the same random numbers, so all walk the same way through the orders.

#![allow(missing_docs)] // criterion's macros make public functions
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group};
use warpspan::base::Seeded;
use warpspan::warps::anneal::{AnnealingChain, Neighbourhood, Settings, StartKind};
use warpspan::warps::{Fairness, Kernel, Machine, PerUnit, Start};

/// Iterations of one measurement.
const ITERATIONS: u64 = 20_000;

struct Case {
    kernel: Kernel,
    machine: Machine,
    warps: usize,
}

fn voronoi(warps: usize, issue: Option<u32>) -> Case {
    Case {
        kernel: Kernel::parse("5L 9C 2L 9C").unwrap(),
        machine: Machine { capacity: PerUnit([1, 4, 0, 0]), issue },
        warps,
    }
}

/// The published kernel `times` times over.
fn longer(times: usize) -> Case {
    Case { kernel: Kernel::parse(&format!("{times}(5L 9C 2L 9C)")).unwrap(), ..voronoi(16, None) }
}

fn settings(iterations: u64, neighbourhood: Neighbourhood, t0: f64, seed: u64) -> Settings {
    Settings { iterations, rounds: 1, t0, seed, neighbourhood }
}

/// Our chain; what it found.
fn ours(case: &Case, settings: Settings) -> u32 {
    let (kernel, machine) = (&case.kernel, &case.machine);
    let mut chain = AnnealingChain::new(
        kernel,
        machine,
        &Fairness::WorkConserving,
        case.warps,
        settings,
        StartKind::RoundRobin,
        0,
    )
    .unwrap();
    chain.advance(u64::MAX);
    chain.best()
}

/// What a chain asks its evaluator.
enum Ask {
    /// The makespan of an order whose first change is here.
    Try(usize),
    /// To keep what it tried.
    Keep,
}

/// A chain that evaluates in another way.
fn twin(case: &Case, settings: Settings, mut makespan: impl FnMut(&[u16], Ask) -> u32) -> u32 {
    let mut rng = Seeded::new(settings.seed, 0);
    let mut order = Start::RoundRobin.order(&case.kernel, &case.machine, case.warps).ids().to_vec();
    let n = order.len() as u32;
    let mut present = makespan(&order, Ask::Try(0));
    makespan(&order, Ask::Keep);
    let mut best = present;
    for iteration in 0..settings.iterations {
        let a = rng.below(n) as usize;
        let b = loop {
            let b = rng.below(n) as usize;
            if order[a] != order[b] {
                break b;
            }
        };
        order.swap(a, b);
        let after = makespan(&order, Ask::Try(a.min(b)));
        let temperature = settings.t0 * (1.0 - iteration as f64 / settings.iterations as f64);
        if after >= present || rng.share() * f64::from(present - after) < temperature {
            present = after;
            best = best.max(after);
            makespan(&order, Ask::Keep);
        } else {
            order.swap(a, b);
        }
    }
    best
}

/// Builds the whole schedule, with fresh vectors.
fn full_rebuild(case: &Case, settings: Settings) -> u32 {
    let (units, capacity, issue) = (case.kernel.units(), case.machine.capacity, case.machine.issue_limit());
    twin(case, settings, |order, ask| {
        if matches!(ask, Ask::Keep) {
            return 0;
        }
        let mut next = vec![0usize; case.warps];
        let mut ready = vec![0usize; case.warps];
        let mut used: Vec<(PerUnit<u32>, u32)> = Vec::new();
        let mut end = 0;
        for &warp in order {
            let warp = usize::from(warp);
            let unit = units[next[warp]];
            let mut cycle = ready[warp];
            loop {
                if used.len() <= cycle {
                    used.resize(cycle + 1, Default::default());
                }
                let (by_unit, issued) = &mut used[cycle];
                if by_unit[unit] < capacity[unit] && *issued < issue {
                    by_unit[unit] += 1;
                    *issued += 1;
                    break;
                }
                cycle += 1;
            }
            next[warp] += 1;
            ready[warp] = cycle + 1;
            end = end.max(cycle + 1);
        }
        end as u32
    })
}

/// The published way: the cycles before the first changed entry are kept, the rest is placed again. Nothing
/// is allocated after the start.
fn prefix_kept(case: &Case, settings: Settings) -> u32 {
    let units: Vec<usize> = case.kernel.units().iter().map(|&unit| unit as usize).collect();
    let capacity = case.machine.capacity.0.map(|c| u16::try_from(c).unwrap());
    let issue = case.machine.issue.map_or(u16::MAX, |limit| u16::try_from(limit).unwrap());
    let n = units.len() * case.warps;
    let (mut kept, mut tried) = (vec![0u32; n], vec![0u32; n]);
    let mut used = vec![[0u16; 5]; n + 1];
    let (mut next, mut ready) = (vec![0usize; case.warps], vec![0u32; case.warps]);
    let mut reach = 0;
    twin(case, settings, move |order, ask| {
        let Ask::Try(from) = ask else {
            std::mem::swap(&mut kept, &mut tried);
            return 0;
        };
        used[..reach].fill([0; 5]);
        next.fill(0);
        ready.fill(0);
        let mut end = 0;
        for (i, &warp) in order.iter().enumerate() {
            let warp = usize::from(warp);
            let unit = units[next[warp]];
            let mut cycle = if i < from { kept[i] } else { ready[warp] };
            if i >= from {
                while used[cycle as usize][unit] >= capacity[unit] || used[cycle as usize][4] >= issue {
                    cycle += 1;
                }
            }
            used[cycle as usize][unit] += 1;
            used[cycle as usize][4] += 1;
            tried[i] = cycle;
            next[warp] += 1;
            ready[warp] = cycle + 1;
            end = end.max(cycle + 1);
        }
        reach = reach.max(end as usize);
        end
    })
}

fn one_chain(c: &mut Criterion) {
    for (name, issue) in [("no issue limit", None), ("four issue slots", Some(4))] {
        let case = voronoi(16, issue);
        let swap = settings(ITERATIONS, Neighbourhood::Swap, 0.3, 1);
        assert_eq!(ours(&case, swap), full_rebuild(&case, swap), "the twins walk the same way");
        assert_eq!(ours(&case, swap), prefix_kept(&case, swap), "the twins walk the same way");
        let mut group = c.benchmark_group(format!("one chain, Voronoi W=16, {name}"));
        group.throughput(Throughput::Elements(ITERATIONS));
        for how in Neighbourhood::all() {
            let settings = settings(ITERATIONS, how, 0.3, 1);
            group.bench_function(BenchmarkId::new("ours", how.name()), |b| b.iter(|| ours(&case, settings)));
        }
        group.bench_function("full rebuild, swap", |b| b.iter(|| full_rebuild(&case, swap)));
        group.bench_function("prefix kept, swap", |b| b.iter(|| prefix_kept(&case, swap)));
        group.finish();
    }
}

fn growth(c: &mut Criterion) {
    let mut group = c.benchmark_group("growth, swap");
    let iterations = 2_000;
    group.throughput(Throughput::Elements(iterations));
    let warps = [16, 64, 256].map(|warps| (format!("W={warps} I=25"), voronoi(warps, None)));
    let lengths = [4, 16].map(|times| (format!("W=16 I={}", 25 * times), longer(times)));
    for (name, case) in warps.into_iter().chain(lengths) {
        let swap = settings(iterations, Neighbourhood::Swap, 0.3, 1);
        group.bench_function(&name, |b| b.iter(|| ours(&case, swap)));
    }
    group.finish();
}

/// Ours against the twins in turns, so that what else the machine does hits all alike.
fn side_by_side() {
    println!("\nIterations per second of one chain, swap, medians of 15 turns:");
    for (name, issue) in [("no issue limit", None), ("four issue slots", Some(4))] {
        let case = voronoi(16, issue);
        let swap = settings(ITERATIONS, Neighbourhood::Swap, 0.3, 1);
        let mut rates = [const { Vec::new() }; 3];
        for _ in 0..15 {
            for (rate, run) in rates.iter_mut().zip([ours, full_rebuild, prefix_kept]) {
                let start = Instant::now();
                black_box(run(&case, swap));
                rate.push(ITERATIONS as f64 / start.elapsed().as_secs_f64());
            }
        }
        let [ours, full, prefix] = rates.map(|mut rates| {
            rates.sort_by(f64::total_cmp);
            rates[rates.len() / 2]
        });
        println!(
            "  {name}: ours {ours:.0}, full rebuild {full:.0} ({:.2} times), prefix kept {prefix:.0} ({:.2} times)",
            ours / full,
            ours / prefix
        );
    }
}

/// What eight chains of two million iterations find, for some seeds; with `WARPSPAN_LONG` set.
fn findings() {
    if std::env::var_os("WARPSPAN_LONG").is_none() {
        return;
    }
    println!("\nLongest makespans of 8 chains x 2,000,000 iterations, seeds 1 to 4:");
    for (issue, how, t0) in [
        (None, Neighbourhood::Swap, 0.3),
        (None, Neighbourhood::Auto, 0.3),
        (None, Neighbourhood::Turns, 0.3),
        (Some(4), Neighbourhood::Swap, 0.3),
        (Some(4), Neighbourhood::Auto, 0.3),
        (Some(4), Neighbourhood::Gang, 0.3),
        (Some(4), Neighbourhood::Gang, 0.03),
    ] {
        let case = voronoi(16, issue);
        let start = Instant::now();
        let best: Vec<u32> = (1..=4)
            .map(|seed| {
                let settings = settings(2_000_000, how, t0, seed);
                std::thread::scope(|scope| {
                    let case = &case;
                    let chain = |number: usize| {
                        let kind = StartKind::PUBLISHED[number / 2];
                        let made = AnnealingChain::new(
                            &case.kernel,
                            &case.machine,
                            &Fairness::WorkConserving,
                            case.warps,
                            settings,
                            kind,
                            number as u64,
                        );
                        let mut chain = made.unwrap();
                        chain.advance(u64::MAX);
                        chain.best()
                    };
                    let half = scope.spawn(move || (0..4).map(chain).max().unwrap());
                    (4..8).map(chain).max().unwrap().max(half.join().unwrap())
                })
            })
            .collect();
        let seconds = start.elapsed().as_secs_f64() / 4.0;
        println!("  issue {issue:?}, {}, T0 {t0}: {best:?}, {seconds:.1} s each", how.name());
    }
}

criterion_group! {
    name = anneal;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1));
    targets = one_chain, growth
}

fn main() {
    anneal();
    side_by_side();
    findings();
    Criterion::default().configure_from_args().final_summary();
}
