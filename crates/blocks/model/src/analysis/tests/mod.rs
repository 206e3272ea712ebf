//! The analysis held against what was published, against naive twins, and against simulation.

mod assumed;
mod bound;
mod formula;
mod published;
mod simulated;

use super::task::Task;
use crate::device::CopySpeed;
use crate::{
    Action, Device, Durations, Kernel, Mask, Placement, Program, Repeat, Setup, Slicing, Stop, Stream,
    StreamKind, Switch, Workload, simulate,
};
use base::{Nanos, Seeded};

/// A kernel without a period.
pub fn task(time: u64, blocks: u32) -> Task {
    Task {
        label: format!("C={time} g={blocks}"),
        period: None,
        time: Nanos(time),
        blocks,
        threads: 512,
        deadline: None,
    }
}

/// The kernels used throughout P: T = 15, b = 512, and C and g of each.
pub fn published() -> Vec<Task> {
    let with_period = |(label, time, blocks): (&str, u64, u32)| Task {
        label: label.into(),
        period: Some(Nanos(15)),
        deadline: Some(Nanos(15)),
        ..task(time, blocks)
    };
    [("K1", 4, 2), ("K2", 6, 7), ("K3", 6, 2), ("K4", 5, 5)].map(with_period).to_vec()
}

/// So many kernels of up to so much time and so many blocks.
pub fn random(rng: &mut Seeded, count: u32, time: u32, blocks: u32) -> Vec<Task> {
    (0..count).map(|_| task(1 + u64::from(rng.below(time)), 1 + rng.below(blocks))).collect()
}

/// The naive twin of the analysis: every place and every block by itself.
pub fn block_by_block<'a>(tasks: impl IntoIterator<Item = &'a Task>, places: u32) -> Vec<Nanos> {
    let mut free = vec![Nanos::ZERO; places as usize];
    let mut completion = |task: &Task| {
        let starts = (0..task.blocks).map(|_| {
            let first = free.iter_mut().min().expect("a place");
            let start = *first;
            *first += task.time;
            start
        });
        starts.max().unwrap_or_default() + task.time
    };
    tasks.into_iter().map(&mut completion).collect()
}

/// A device of 2 SMs with 2,048 threads each, and nothing on it yet.
pub fn idle() -> Workload {
    let device = Device {
        name: "two".into(),
        sms: 2,
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
    Workload {
        setup: Setup { device, streams: Vec::new(), kernels: Vec::new(), copies: Vec::new() },
        programs: Vec::new(),
        placement: Placement::default(),
        slicing: Slicing { quantum: Nanos(10), switch: Switch::Drain },
        most_blocks: 1_000_000,
    }
}

/// A kernel of these many blocks of 512 threads.
pub fn kernel(label: &str, time: u64, blocks: u32) -> Kernel {
    Kernel {
        label: label.into(),
        blocks,
        threads: 512,
        shared_memory: 0,
        registers: 0,
        duration: Durations::Same(Nanos(time)),
        mask: Mask::ALL,
        deadline: None,
        period: None,
    }
}

/// Adds kernels, each in a stream of its own and launched once by a program of its own, in this order.
pub fn launched(mut workload: Workload, kernels: impl IntoIterator<Item = Kernel>) -> Workload {
    for kernel in kernels {
        let (stream, index) = (workload.setup.streams.len(), workload.setup.kernels.len());
        let (label, kind) = (format!("S{}", stream + 1), StreamKind::NonBlocking);
        workload.setup.streams.push(Stream { label: label.clone(), priority: 0, kind, process: 0 });
        workload.setup.kernels.push(kernel);
        let body = vec![Action::Launch { stream, kernel: index }];
        let repeat = Repeat { release: Nanos::ZERO, rounds: Some(1), time: None, lockstep: false, body };
        workload.programs.push(Program { label, process: 0, repeat, ends_others: false });
    }
    workload
}

/// The published kernels on two SMs, in this order.
pub fn published_workload(order: [usize; 4]) -> Workload {
    let all = [("K1", 4, 2), ("K2", 6, 7), ("K3", 6, 2), ("K4", 5, 5)];
    let kernels = order
        .map(|which| all[which - 1])
        .map(|(label, time, blocks)| Kernel { period: Some(Nanos(15)), ..kernel(label, time, blocks) });
    launched(idle(), kernels)
}

/// When each launch ends, in launch order, by simulation.
pub fn simulated(workload: &Workload) -> Vec<Nanos> {
    let run = simulate(workload);
    assert_eq!(run.stop, Stop::Done);
    run.trace.kernels.iter().map(|kernel| kernel.end).collect()
}
