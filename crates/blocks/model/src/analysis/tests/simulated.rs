//! Where all assumptions hold, the analysis and a simulation by the rules agree to the nanosecond.

use super::super::{Basis, completions, examine};
use super::{idle, kernel, launched, published_workload, simulated};
use crate::{Action, Kernel, Mask, Placement, StreamKind, Workload, random};
use base::{Nanos, Seeded};

/// What the analysis says of a workload that it takes.
fn analysed(workload: &Workload) -> Option<Vec<Nanos>> {
    let case = examine(workload).case?;
    Some(completions(&case.tasks, case.places.all()))
}

#[test]
fn the_published_orders() {
    for order in [[1, 2, 3, 4], [2, 3, 4, 1], [2, 4, 1, 3], [2, 1, 3, 4]] {
        let workload = published_workload(order);
        assert_eq!(analysed(&workload), Some(simulated(&workload)));
    }
}

/// Kernels that all fit the same places, on a device that is drawn as well.
fn drawn(rng: &mut Seeded) -> Workload {
    let mut workload = idle();
    let device = &mut workload.setup.device;
    device.sms = 1 + rng.below(4) as u16;
    device.threads_per_sm = 4 + rng.below(12);
    device.blocks_per_sm = 1 + rng.below(8);
    device.shared_memory_per_sm = 4 + rng.below(12);
    device.registers_per_sm = 4 + rng.below(24);
    device.thread_granularity = 1 + rng.below(2);
    let (threads, shared_memory, registers) = (1 + rng.below(4), rng.below(4), rng.below(3));
    let mask = if rng.below(4) == 0 { Mask::NONE.with(0, true).with(2, true) } else { Mask::ALL };
    let apart = rng.below(2);
    let kernels: Vec<Kernel> = (1..=1 + rng.below(6))
        .map(|i| Kernel {
            threads: threads + apart * rng.below(2),
            shared_memory: shared_memory + apart * rng.below(2),
            registers,
            mask,
            ..kernel(&format!("K{i}"), rng.below(12).into(), 1 + rng.below(30))
        })
        .collect();
    let mut workload = launched(workload, kernels);
    workload.placement = Placement::ALL[rng.below(5) as usize].0;
    let kinds =
        [[StreamKind::NonBlocking, StreamKind::Blocking], [StreamKind::NonBlocking, StreamKind::Null]];
    let kinds = kinds[rng.below(2) as usize];
    for (i, stream) in workload.setup.streams.iter_mut().enumerate() {
        stream.kind = if i == 0 { kinds[1] } else { kinds[rng.below(2) as usize] };
        if i > 0 && stream.kind == StreamKind::Null {
            stream.kind = StreamKind::NonBlocking;
        }
    }
    if rng.below(2) == 0 {
        // One program launches them all, and waits for them.
        let bodies = workload.programs.drain(1..).map(|program| program.repeat.body);
        let all: Vec<Action> = bodies.flatten().chain([Action::WaitDevice]).collect();
        workload.programs[0].repeat.body.extend(all);
    } else {
        let lockstep = rng.below(3);
        for program in &mut workload.programs {
            program.repeat.lockstep = lockstep > 0 && rng.below(lockstep) == 0;
        }
    }
    workload
}

#[test]
fn thousands_of_random_kernels() {
    let mut rng = Seeded::new(41, 0);
    let mut seen = [0; 2];
    for round in 0..4_000 {
        let workload = drawn(&mut rng);
        let Some(case) = examine(&workload).case else { continue };
        let order: Vec<usize> = case.launches.iter().map(|launch| launch.kernel).collect();
        let run = crate::simulate(&workload);
        assert_eq!(
            run.trace.kernels.iter().map(|run| run.kernel).collect::<Vec<_>>(),
            order,
            "round {round}"
        );
        let ends: Vec<Nanos> = run.trace.kernels.iter().map(|run| run.end).collect();
        assert_eq!(ends, completions(&case.tasks, case.places.all()), "round {round}: {workload:?}");
        seen[case.places.basis as usize] += 1;
    }
    assert!(seen[Basis::Published as usize] > 100 && seen[Basis::General as usize] > 2_000, "{seen:?}");
}

/// Programs with which all others end: whoever begins after all of these are over launches nothing.
#[test]
fn programs_that_end_others() {
    let mut rng = Seeded::new(43, 0);
    let (mut taken, mut barred) = (0, 0);
    for round in 0..3_000 {
        let mut workload = drawn(&mut rng);
        if examine(&workload).case.is_none() {
            continue;
        }
        for program in &mut workload.programs {
            program.ends_others = rng.below(4) == 0;
        }
        let run = crate::simulate(&workload);
        let launched: Vec<usize> = run.trace.kernels.iter().map(|run| run.kernel).collect();
        match examine(&workload).case {
            Some(case) => {
                let order: Vec<usize> = case.launches.iter().map(|launch| launch.kernel).collect();
                assert_eq!(launched, order, "round {round}: {workload:?}");
                let ends: Vec<Nanos> = run.trace.kernels.iter().map(|run| run.end).collect();
                assert_eq!(ends, completions(&case.tasks, case.places.all()), "round {round}: {workload:?}");
                taken += usize::from(workload.programs.iter().any(|program| program.ends_others));
            }
            None => {
                assert!(launched.len() < workload.setup.kernels.len(), "round {round}: {workload:?}");
                barred += 1;
            }
        }
    }
    assert!(taken > 100 && barred > 100, "{taken} {barred}");
}

/// Workloads in which anything may happen: few are taken, and those rightly.
#[test]
fn whatever_is_taken_is_taken_rightly() {
    let mut rng = Seeded::new(42, 0);
    let mut taken = 0;
    for round in 0..6_000 {
        let mut workload = random::workload(&mut rng);
        workload.most_blocks = 10_000;
        if let Some(completions) = analysed(&workload) {
            assert_eq!(completions, simulated(&workload), "round {round}: {workload:?}");
            taken += 1;
        }
    }
    assert!(taken > 20, "{taken}");
}

#[test]
fn with_many_blocks() {
    let kernels = [kernel("A", 7, 1_000), kernel("B", 3, 5_000), kernel("C", 11, 333)];
    let workload = launched(idle(), kernels);
    assert_eq!(analysed(&workload), Some(simulated(&workload)));
}
