//! Random small workloads for tests: everything that can be asked for, in numbers small enough to meet often.
//!
//! All of them are valid: every kernel fits, every repeat ends, and there is one null stream in a process.

use super::device::{CopySpeed, Device, Mask};
use super::fits::misfit;
use super::workload::{
    Action, Copy, Direction, Durations, Kernel, Placement, Program, Repeat, Setup, Slicing, Stream,
    StreamKind, Switch, Workload,
};
use base::{Nanos, Seeded};

/// A workload drawn from this generator.
pub fn workload(rng: &mut Seeded) -> Workload {
    let processes = [1, 1, 2, 3][pick(rng, 4)];
    let device = device(rng);
    let streams = streams(rng, processes);
    let kernels = (0..1 + rng.below(4)).map(|_| kernel(rng, &device)).collect();
    let copies = (0..rng.below(4)).map(|_| copy(rng)).collect();
    let setup = Setup { device, streams, kernels, copies };
    let programs = (0..1 + rng.below(4)).map(|_| program(rng, &setup, processes)).collect();
    Workload {
        setup,
        programs,
        placement: Placement::ALL[pick(rng, Placement::ALL.len())].0,
        slicing: Slicing {
            quantum: nanos(rng, 12),
            switch: if chance(rng, 2) { Switch::Drain } else { Switch::Preempt },
        },
        most_blocks: if chance(rng, 8) { rng.below(40).into() } else { 150 },
    }
}

/// One of so many.
fn pick(rng: &mut Seeded, count: usize) -> usize {
    rng.below(u32::try_from(count.max(1)).unwrap_or(1)) as usize
}

/// Yes, once in so many times.
fn chance(rng: &mut Seeded, times: u32) -> bool {
    rng.below(times) == 0
}

fn nanos(rng: &mut Seeded, below: u32) -> Nanos {
    Nanos(rng.below(below).into())
}

fn device(rng: &mut Seeded) -> Device {
    Device {
        name: "random".into(),
        sms: 1 + rng.below(4) as u16,
        threads_per_sm: 4 + rng.below(9),
        blocks_per_sm: 1 + rng.below(6),
        shared_memory_per_sm: 2 + rng.below(9),
        registers_per_sm: 4 + rng.below(17),
        threads_per_block: 12,
        shared_memory_per_block: 10,
        thread_granularity: [1, 1, 2, 4][pick(rng, 4)],
        sms_per_tpc: 1,
        copy_engines: rng.below(4) as u16,
        copy_speed: CopySpeed { latency: Nanos(1), host: 1, device: 1 },
    }
}

fn streams(rng: &mut Seeded, processes: u32) -> Vec<Stream> {
    let mut has_null = [false; 3];
    let mut stream = |rng: &mut Seeded| {
        let process = rng.below(processes);
        let kind = match rng.below(5) {
            0 if !has_null[process as usize] => StreamKind::Null,
            0..3 => StreamKind::Blocking,
            _ => StreamKind::NonBlocking,
        };
        has_null[process as usize] |= kind == StreamKind::Null;
        let priority = [0, 0, 0, -1, -5, 3][pick(rng, 6)];
        // Numbers of processes need not follow each other.
        Stream { label: String::new(), priority, kind, process: 5 * process }
    };
    (0..1 + rng.below(6)).map(|_| stream(rng)).collect()
}

fn kernel(rng: &mut Seeded, device: &Device) -> Kernel {
    loop {
        let blocks = 1 + if chance(rng, 4) { rng.below(30) } else { rng.below(5) };
        let duration = if chance(rng, 3) {
            Durations::Each((0..blocks).map(|_| nanos(rng, 10)).collect())
        } else {
            Durations::Same(nanos(rng, 12))
        };
        let mut mask = Mask::ALL;
        if chance(rng, 4) {
            mask = (0..4).fold(mask, |mask, sm| mask.with(sm, chance(rng, 2)));
        }
        let kernel = Kernel {
            label: String::new(),
            blocks,
            threads: 1 + rng.below(8),
            shared_memory: if chance(rng, 3) { rng.below(6) } else { 0 },
            registers: if chance(rng, 3) { rng.below(4) } else { 0 },
            duration,
            mask,
            deadline: None,
            period: None,
        };
        if misfit(&kernel, device).is_none() {
            return kernel;
        }
    }
}

fn copy(rng: &mut Seeded) -> Copy {
    let direction = [Direction::In, Direction::Out, Direction::Within, Direction::Set][pick(rng, 4)];
    Copy { label: String::new(), direction, bytes: 1, duration: nanos(rng, 9) }
}

fn program(rng: &mut Seeded, setup: &Setup, processes: u32) -> Program {
    let mut repeat = repeat(rng, setup, 0);
    repeat.lockstep = chance(rng, 2);
    let ends_others = chance(rng, 8);
    Program { label: String::new(), process: 5 * rng.below(processes), repeat, ends_others }
}

/// A repeat with at most two more inside of each other.
fn repeat(rng: &mut Seeded, setup: &Setup, depth: u32) -> Repeat {
    let mut body: Vec<Action> = (0..1 + rng.below(5)).map(|_| action(rng, setup, depth)).collect();
    let (mut rounds, mut time) = (Some(rng.below(4).into()), None);
    if chance(rng, 3) {
        time = Some(nanos(rng, 30));
        if chance(rng, 2) {
            // Limited by time alone, so a round has to take some.
            rounds = None;
            body.push(Action::Sleep(Nanos(1) + nanos(rng, 9)));
        }
    }
    let release = if chance(rng, 2) { nanos(rng, 15) } else { Nanos::ZERO };
    Repeat { release, rounds, time, lockstep: false, body }
}

fn action(rng: &mut Seeded, setup: &Setup, depth: u32) -> Action {
    let stream = pick(rng, setup.streams.len());
    match rng.below(12) {
        0..6 => Action::Launch { stream, kernel: pick(rng, setup.kernels.len()) },
        6..8 if !setup.copies.is_empty() => {
            Action::Copy { stream, copy: pick(rng, setup.copies.len()), wait: chance(rng, 2) }
        }
        6..9 => Action::Sleep(nanos(rng, 10)),
        9 => Action::WaitStream(stream),
        10 => Action::WaitDevice,
        _ if depth < 2 => Action::Repeat(repeat(rng, setup, depth + 1)),
        _ => Action::Launch { stream, kernel: 0 },
    }
}
