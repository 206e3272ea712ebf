//! An adversary for the worst launch orders (docs/blocks-analysis.md): random systems for which the analysis answers, a
//! simulator of its own with multiprocessors, limits and any placement, and a search that swaps kernels as long as one of
//! them gets later. Nothing it finds may be over a bound, over a proven worst case, or against a kept deadline.
//!
//! `WARPSPAN_EFFORT` is the number of systems, `full` for 10,000; some dozens where it is not given.

#![cfg(not(target_arch = "wasm32"))]

use serde_json::{Value, json};
use warpspan::base::{Nanos, Seeded};
use warpspan::blocks::analysis::{Effort, Proven, examine, worst};
use warpspan::scenario::{self, BlocksScenario};

fn systems() -> u64 {
    let effort = std::env::var("WARPSPAN_EFFORT").unwrap_or_default();
    if effort == "full" { 10_000 } else { effort.parse().unwrap_or(40) }
}

/// What a multiprocessor has, or a block takes: threads, shared memory, registers, places.
type Amounts = [u64; 4];

#[derive(Debug, Clone)]
struct Kernel {
    blocks: u32,
    duration: u64,
    need: Amounts,
    deadline: u64,
}

#[derive(Debug, Clone)]
struct System {
    sms: usize,
    whole: Amounts,
    kernels: Vec<Kernel>,
}

impl System {
    /// Often all blocks are of one size, often some are a little larger: not every system can be analysed.
    fn drawn(rng: &mut Seeded) -> Self {
        let mut number = |from: u32, to: u32| u64::from(from + rng.below(to - from + 1));
        let whole = [number(8, 40), number(8, 40), number(8, 60), number(1, 8)];
        let sms = number(1, 4) as usize;
        let (threads, shared, registers, apart) = (number(1, 8), number(0, 6), number(0, 4), number(0, 1));
        let unit = [1, 1, 10, 7][number(0, 3) as usize];
        let count = number(2, 7);
        let kernels = (0..count)
            .map(|_| {
                let threads = threads + apart * number(0, 2);
                let need = [threads, shared + apart * number(0, 1), threads * registers, 1];
                let (blocks, duration) = (number(1, 14) as u32, unit * number(1, 20));
                Kernel { blocks, duration, need, deadline: number(1, 400) }
            })
            .collect();
        Self { sms, whole, kernels }
    }

    fn document(&self) -> Value {
        let stream = |(i, kernel): (usize, &Kernel)| {
            let [threads, shared, registers, _] = kernel.need;
            json!({"operations": [{"kernel": format!("K{i}"), "blocks": kernel.blocks, "threads": threads,
                "shared_memory": shared, "registers": registers / threads, "duration": kernel.duration,
                "deadline": kernel.deadline}]})
        };
        let streams: Vec<Value> = self.kernels.iter().enumerate().map(stream).collect();
        let [threads, shared, registers, blocks] = self.whole;
        json!({"warpspan": 1, "title": "drawn", "blocks": {"streams": streams, "device": {"sms": self.sms,
            "threads": threads, "shared_memory": shared, "registers": registers, "blocks": blocks}}})
    }

    /// When each kernel is complete that is launched in this order: blocks start in launch order, each as soon as some
    /// multiprocessor has room for it, on any that has.
    fn completions(&self, order: &[usize], rng: &mut Seeded) -> Vec<u64> {
        let mut free = vec![self.whole; self.sms];
        let mut running: Vec<(u64, usize, usize)> = Vec::new();
        let mut done = vec![0; self.kernels.len()];
        let mut now = 0;
        for &kernel in order {
            let Kernel { blocks, duration, need, .. } = &self.kernels[kernel];
            for _ in 0..*blocks {
                let sm = loop {
                    let fits: Vec<usize> =
                        (0..self.sms).filter(|&sm| (0..4).all(|i| free[sm][i] >= need[i])).collect();
                    if !fits.is_empty() {
                        break fits[rng.below(fits.len() as u32) as usize];
                    }
                    now =
                        running.iter().map(|block| block.0).min().expect("something runs where nothing fits");
                    for (_, sm, of) in running.extract_if(.., |block| block.0 == now) {
                        (0..4).for_each(|i| free[sm][i] += self.kernels[of].need[i]);
                    }
                };
                (0..4).for_each(|i| free[sm][i] -= need[i]);
                running.push((now + duration, sm, kernel));
                done[kernel] = done[kernel].max(now + duration);
            }
        }
        done
    }

    /// The latest completion of a kernel that swapping and chance find, and the order that gives it.
    fn climb(&self, which: usize, rng: &mut Seeded) -> (u64, Vec<usize>) {
        let mut order: Vec<usize> = (0..self.kernels.len()).collect();
        rng.shuffle(&mut order);
        let mut best = self.completions(&order, rng)[which];
        for _ in 0..60 {
            let (a, b) = (rng.below(order.len() as u32) as usize, rng.below(order.len() as u32) as usize);
            order.swap(a, b);
            let found = self.completions(&order, rng)[which];
            if found >= best {
                best = found;
            } else {
                order.swap(a, b);
            }
        }
        (best, order)
    }
}

#[test]
fn nothing_found_is_over_a_bound() {
    let effort = Effort { changes: 20_000, states: 100_000 };
    let (mut systems_seen, mut kernels_seen, mut reached, mut proven) = (0_u64, 0, 0, 0);
    for number in 0..u64::MAX {
        if systems_seen == systems() {
            break;
        }
        let mut rng = Seeded::new(77, number);
        let system = System::drawn(&mut rng);
        // Kernels that fit nowhere are no documents, and not every system keeps the assumptions.
        let Ok(read) = scenario::from_tree(&system.document()) else { continue };
        let Some(asked) = read.asked::<BlocksScenario>() else { unreachable!("blocks") };
        let Some(workload) = &asked.workload else { unreachable!("streams") };
        let Some(case) = examine(workload).case else { continue };
        let Some(found) = worst(&case.tasks, case.places.all(), effort) else { continue };
        systems_seen += 1;
        for (which, (worst, task)) in found.iter().zip(&case.tasks).enumerate() {
            let (latest, order) = system.climb(which, &mut rng);
            let about = || {
                format!("system {number}, kernel {which}: {latest} in order {order:?}; {worst:?} {system:?}")
            };
            assert!(Nanos(latest) <= worst.upper, "over the bound: {}", about());
            assert!(worst.proof == Proven::NotProven || Nanos(latest) <= worst.completion, "{}", about());
            let late = task.deadline.is_some_and(|deadline| Nanos(latest) > deadline);
            let kept = worst.deadline(task) == warpspan::blocks::analysis::orders::Kept::Always;
            assert!(!(late && kept), "a deadline is missed: {}", about());
            // The order that is told gives what is told, whatever the placement.
            let told = system.completions(&worst.order, &mut rng)[which];
            assert_eq!(Nanos(told), worst.completion, "{}", about());
            kernels_seen += 1;
            reached += u64::from(Nanos(latest) == worst.completion);
            proven += u64::from(worst.proof != Proven::NotProven);
        }
    }
    println!(
        "{systems_seen} systems, {kernels_seen} kernels, {proven} proven, {reached} reached by climbing, none exceeded"
    );
    assert!(reached * 10 > kernels_seen * 7, "the adversary gets there: {reached} of {kernels_seen}");
}
