//! Response times against brute force: random sporadic activations, random durations, in a simulator that goes
//! nanosecond by nanosecond and shares nothing with what it is held against.

use std::collections::VecDeque;

use serde_json::{Value, json};
use warpspan::base::Seeded;

use super::solved;

/// What a random chain is made of.
#[derive(Debug, Clone)]
struct Made {
    exclusive: bool,
    /// Cycles of a block, which are nanoseconds, and blocks.
    kernels: Vec<(u64, u64)>,
    tasks: Vec<MadeTask>,
    places: usize,
}

#[derive(Debug, Clone)]
struct MadeTask {
    core: usize,
    period: u64,
    spins: bool,
    segments: Vec<MadeSegment>,
}

#[derive(Debug, Clone, Copy)]
enum MadeSegment {
    Cpu(u64),
    Copy(u64),
    Launch(usize),
}

fn made(rng: &mut Seeded) -> Made {
    let mut below = |n: u32| u64::from(rng.below(n));
    let kernels: Vec<(u64, u64)> = (0..1 + below(3)).map(|_| (1 + below(6), 1 + below(4))).collect();
    let tasks = (0..1 + below(4)).map(|_| {
        let mut segments = vec![MadeSegment::Cpu(1 + below(3))];
        for _ in 0..1 + below(2) {
            segments.push(match below(3) {
                0 => MadeSegment::Copy(1 + below(3)),
                _ => MadeSegment::Launch(usize::try_from(below(kernels.len() as u32)).expect("small")),
            });
            if below(2) == 0 {
                segments.push(MadeSegment::Cpu(1 + below(3)));
            }
        }
        MadeTask {
            core: usize::try_from(below(2)).expect("small"),
            period: 20 + below(80),
            spins: below(4) == 0,
            segments,
        }
    });
    let tasks = tasks.collect();
    Made { exclusive: below(2) == 0, kernels, tasks, places: 1 + usize::try_from(below(3)).expect("small") }
}

fn document(made: &Made) -> Value {
    let name = |kernel: usize| format!("k{kernel}");
    let kernels: Vec<Value> = made.kernels.iter().enumerate()
        .map(|(i, &(cycles, blocks))| json!({"name": name(i), "cycles": cycles, "blocks": blocks, "threads": 32}))
        .collect();
    let tasks: Vec<Value> = made.tasks.iter().enumerate().map(|(i, task)| {
        let segments: Vec<Value> = task.segments.iter().map(|segment| match *segment {
            MadeSegment::Cpu(time) => json!({"cpu": time}),
            MadeSegment::Copy(time) => json!({"copy": "in", "duration": time}),
            MadeSegment::Launch(kernel) => json!({"launch": name(kernel)}),
        }).collect();
        json!({
            "name": format!("t{i}"), "core": format!("c{}", task.core), "period": task.period, "priority": i + 1,
            "wait": if task.spins { "spin" } else { "suspend" }, "segments": segments,
        })
    }).collect();
    json!({
        "device": {"sms": 1, "threads": 1024, "blocks": made.places, "threads_per_block": 1024},
        "clock": 1_000_000_000, "sharing": if made.exclusive { "exclusive" } else { "shared" },
        "kernels": kernels, "cores": [{"name": "c0"}, {"name": "c1"}], "tasks": tasks,
    })
}

/// A kernel on the GPU: who waits, the blocks that have not started, those that run.
struct OnGpu {
    task: usize,
    waiting: VecDeque<u64>,
    running: Vec<u64>,
}

/// A task in the simulator.
#[derive(Default, Clone)]
struct Now {
    next: u64,
    pending: VecDeque<u64>,
    job: Option<u64>,
    segment: usize,
    left: u64,
    waits: bool,
}

/// The longest response of each task in a random run. The tasks above another may have to be late for it to be late, so
/// nothing is counted once a deadline was missed.
fn longest(made: &Made, rng: &mut Seeded, lazy: bool) -> Vec<u64> {
    let mut tasks = vec![Now::default(); made.tasks.len()];
    for task in &mut tasks {
        task.next = u64::from(rng.below(30));
    }
    let mut longest = vec![0; tasks.len()];
    let (mut gpu, mut copies): (VecDeque<OnGpu>, VecDeque<(usize, u64)>) = Default::default();
    for now in 0..2_000u64 {
        let mut order: Vec<usize> = (0..tasks.len()).collect();
        rng.shuffle(&mut order);
        // What is at its end goes on until it needs time.
        let mut changed = true;
        while changed {
            changed = false;
            for &t in &order {
                let of = &made.tasks[t];
                if tasks[t].next <= now {
                    tasks[t].pending.push_back(now);
                    let extra = if lazy { u64::from(rng.below(15)) } else { 0 };
                    tasks[t].next = now + of.period + extra;
                }
                let begins = if tasks[t].job.is_none() {
                    tasks[t].job = tasks[t].pending.pop_front();
                    tasks[t].segment = 0;
                    tasks[t].job.is_some()
                } else if tasks[t].left == 0 && !tasks[t].waits {
                    tasks[t].segment += 1;
                    true
                } else {
                    false
                };
                if !begins {
                    continue;
                }
                changed = true;
                let Some(&segment) = of.segments.get(tasks[t].segment) else {
                    let response = now - tasks[t].job.take().unwrap_or(now);
                    if response > of.period {
                        return longest;
                    }
                    longest[t] = longest[t].max(response);
                    continue;
                };
                let mut drawn =
                    |most: u64| if rng.below(3) == 0 { 1 + u64::from(rng.below(most as u32)) } else { most };
                match segment {
                    MadeSegment::Cpu(time) => tasks[t].left = drawn(time),
                    MadeSegment::Copy(time) => {
                        tasks[t].waits = true;
                        copies.push_back((t, drawn(time)));
                    }
                    MadeSegment::Launch(kernel) => {
                        tasks[t].waits = true;
                        let (time, blocks) = made.kernels[kernel];
                        let waiting = (0..blocks).map(|_| drawn(time)).collect();
                        gpu.push_back(OnGpu { task: t, waiting, running: Vec::new() });
                    }
                }
            }
        }
        // Blocks start in launch order wherever there is a place.
        let mut free = made.places - gpu.iter().map(|kernel| kernel.running.len()).sum::<usize>();
        for (place, kernel) in gpu.iter_mut().enumerate() {
            if made.exclusive && place > 0 {
                break;
            }
            while free > 0
                && let Some(time) = kernel.waiting.pop_front()
            {
                kernel.running.push(time);
                free -= 1;
            }
            if !kernel.waiting.is_empty() {
                break;
            }
        }
        // A nanosecond passes.
        for core in 0..2 {
            let wants = |t: &usize| {
                let of = &made.tasks[*t];
                of.core == core
                    && tasks[*t].job.is_some()
                    && (tasks[*t].left > 0 || of.spins && tasks[*t].waits)
            };
            if let Some(t) = (0..tasks.len()).find(wants) {
                tasks[t].left = tasks[t].left.saturating_sub(1);
            }
        }
        for kernel in &mut gpu {
            kernel.running.iter_mut().for_each(|left| *left -= 1);
            kernel.running.retain(|&left| left > 0);
            if kernel.running.is_empty() && kernel.waiting.is_empty() {
                tasks[kernel.task].waits = false;
            }
        }
        gpu.retain(|kernel| !kernel.running.is_empty() || !kernel.waiting.is_empty());
        if let Some((task, left)) = copies.front_mut() {
            *left -= 1;
            if *left == 0 {
                tasks[*task].waits = false;
                copies.pop_front();
            }
        }
    }
    longest
}

#[test]
fn no_run_takes_longer_than_the_upper_side() {
    let mut rng = Seeded::new(2_026, 0);
    let (mut bounded, mut tight) = (0, 0);
    for round in 0..150 {
        let made = made(&mut rng);
        let (chain, solved) = solved(document(&made));
        let mut seen = vec![0; made.tasks.len()];
        for run in 0..30 {
            for (seen, now) in seen.iter_mut().zip(longest(&made, &mut rng, run % 2 == 0)) {
                *seen = (*seen).max(now);
            }
        }
        for (task, &seen) in seen.iter().enumerate() {
            let response = &solved.tasks[task].response;
            let Some(upper) = response.upper() else { continue };
            if upper.value > chain.tasks[task].deadline {
                continue;
            }
            assert!(seen <= upper.value.0, "round {round}, task {task}: {seen} over {upper:?}\n{made:?}");
            let lower = response.lower().expect("there is a lower side");
            assert!(lower.value <= upper.value, "round {round}: {response:?}");
            bounded += 1;
            tight += u32::from(seen.max(lower.value.0) == upper.value.0);
        }
    }
    assert!(bounded > 150 && tight > bounded / 4, "{tight} of {bounded} are reached");
}
