//! Simulated runs of random workloads conform, to the nanosecond; with one thing changed, they break what the rules
//! read literally say is broken.

use std::collections::{BTreeMap, BTreeSet};

use super::literal::{Ties, crowded, misplaced, mistimed};
use super::{check, lines};
use crate::check::{CheckConfig, CopyTimes, Processes};
use crate::{CopyRun, OpId, Rule, Setup, Subject, Trace, Workload, random, simulate};
use base::{Nanos, Seeded};

fn drawn(seed: u64, stream: u64) -> Workload {
    random::workload(&mut Seeded::new(seed, stream))
}

#[test]
fn every_simulated_run_conforms_and_is_never_late() {
    for stream in 0..1_500 {
        let w = drawn(7, stream);
        let run = simulate(&w);
        let checked = check(&w.setup, &run.trace, &CheckConfig::simulated());
        assert_eq!(lines(&checked), "", "{stream}: {w:#?} {:#?}", run.trace);
        assert_eq!(checked.remarks, [], "{stream}: {w:#?} {:#?}", run.trace);
    }
}

/// What is changed in a run.
const CHANGES: [&str; 6] = [
    "a block starts earlier",
    "a block starts later",
    "a block on another SM",
    "two blocks change places",
    "a kernel does not wait",
    "a copy moves",
];

/// Changes one thing; whether there was something to change.
fn change(rng: &mut Seeded, setup: &Setup, trace: &mut Trace, what: &str) -> bool {
    let pick = |rng: &mut Seeded, count: usize| rng.below(count.max(1) as u32) as usize;
    let (one, other) = (pick(rng, trace.blocks.len()), pick(rng, trace.blocks.len()));
    let by = Nanos(u64::from(1 + rng.below(9)));
    let before = trace.clone();
    match what {
        "a copy moves" if trace.copies.is_empty() => return false,
        "a copy moves" => {
            let copy = pick(rng, trace.copies.len());
            let copy = &mut trace.copies[copy];
            let lasts = copy.end - copy.start;
            copy.start = if rng.below(3) == 0 { copy.start + by } else { copy.start - by };
            copy.end = copy.start + lasts;
        }
        _ if trace.blocks.is_empty() => return false,
        "a block starts earlier" => trace.blocks[one].start = trace.blocks[one].start - by,
        "a block starts later" => {
            let block = &mut trace.blocks[one];
            (block.start, block.end) = (block.start + by, block.end + by);
        }
        "a block on another SM" => trace.blocks[one].sm = rng.below(setup.device.sms.into()) as u16,
        "two blocks change places" => {
            let (a, b) = (trace.blocks[one], trace.blocks[other]);
            trace.blocks[one] = b;
            trace.blocks[other] = a;
        }
        _ => {
            let run = &trace.kernels[pick(rng, trace.kernels.len())];
            let early = run.start - run.launched;
            for block in &mut trace.blocks[run.blocks.clone()] {
                (block.start, block.end) = (block.start - early, block.end - early);
            }
        }
    }
    *trace != before
}

/// The same run as a host and a device would measure it: a nanosecond is a millisecond, times jitter, and the
/// clock of the host is set otherwise.
fn measured(rng: &mut Seeded, trace: &Trace) -> Trace {
    let apart = u64::from(rng.below(200_000));
    let host = |at: &mut Nanos, rng: &mut Seeded| {
        *at = Nanos(at.0 * 1_000_000 + apart + u64::from(rng.below(24_000)))
    };
    let device = |at: &mut Nanos, rng: &mut Seeded| {
        *at = Nanos(at.0 * 1_000_000 + 100_000 + u64::from(rng.below(24_000)))
    };
    let mut trace = trace.clone();
    for block in &mut trace.blocks {
        device(&mut block.start, rng);
        device(&mut block.end, rng);
        block.end = block.end.max(block.start);
    }
    for copy in &mut trace.copies {
        host(&mut copy.issued, rng);
        device(&mut copy.start, rng);
        device(&mut copy.end, rng);
        copy.end = copy.end.max(copy.start);
    }
    for run in &mut trace.kernels {
        host(&mut run.launched, rng);
    }
    trace.end = Nanos(trace.end.0 * 1_000_000);
    in_measured_order(&mut trace);
    trace
}

/// Numbers the operations as they seem to have been issued; those of one stream keep their order.
fn in_measured_order(trace: &mut Trace) {
    let mut last = BTreeMap::<usize, Nanos>::new();
    let kernels = trace.kernels.iter_mut().map(|run| (run.stream, &mut run.op, &mut run.launched));
    let copies = trace.copies.iter_mut().map(|run| (run.stream, &mut run.op, &mut run.issued));
    let mut ops: Vec<_> = kernels.chain(copies).collect();
    ops.sort_by_key(|(_, op, _)| **op);
    for (stream, _, issued) in &mut ops {
        let last = last.entry(*stream).or_default();
        **issued = (*last).max(**issued);
        *last = **issued;
    }
    ops.sort_by_key(|(_, op, issued)| (**issued, **op));
    for (number, (_, op, _)) in (0..).zip(&mut ops) {
        **op = OpId(number);
    }
    trace.kernels.sort_by_key(|run| run.op);
    trace.copies.sort_by_key(|run| run.op);
}

#[test]
fn what_is_changed_breaks_what_it_breaks_literally() {
    let mut caught = [(0, 0); CHANGES.len()];
    for stream in 0..2_500 {
        let Some((which, broken)) = one(8, stream) else { continue };
        caught[which].0 += usize::from(broken);
        caught[which].1 += 1;
    }
    for (what, (caught, all)) in CHANGES.iter().zip(caught) {
        assert!(all > 50 && caught * 100 > all * 60, "{what}: {caught} of {all}");
    }
}

/// Changes a random run; what was changed, and whether that breaks a rule. Nothing if there is nothing to change.
fn one(seed: u64, stream: u64) -> Option<(usize, bool)> {
    let w = drawn(seed, stream);
    let mut rng = Seeded::new(9, stream);
    let mut trace = simulate(&w).trace;
    let which = stream as usize % CHANGES.len();
    let several = w.setup.streams.iter().any(|other| other.process != w.setup.streams[0].process);
    if several || !change(&mut rng, &w.setup, &mut trace, CHANGES[which]) {
        return None;
    }
    let about = format!("{stream}: {}", CHANGES[which]);
    let broken = compare(&w.setup, &trace, &trace, &CheckConfig::simulated(), Ties::Count, &about);
    let jittered = measured(&mut rng, &trace);
    let config = CheckConfig { copies: CopyTimes::OnEngine, ..CheckConfig::measured(&jittered) };
    compare(&w.setup, &trace, &jittered, &config, Ties::Free, &about);
    Some((which, broken))
}

/// Checks a trace, or the same as it was measured, against the rules read literally; whether one is broken.
fn compare(
    setup: &Setup,
    exact: &Trace,
    trace: &Trace,
    config: &CheckConfig,
    ties: Ties,
    about: &str,
) -> bool {
    let checked = check(setup, trace, config);
    let by_time = |rule: Rule| !matches!(rule, Rule::R1 | Rule::R2 | Rule::R3 | Rule::M1 | Rule::C2);
    // Which block of a launch starts first is a matter of jitter.
    let only = |rule: Rule, block| {
        if matches!(rule, Rule::G1 | Rule::G2 | Rule::N1 | Rule::N2) { None } else { block }
    };
    let told = checked.violations.iter().filter(|found| by_time(found.rule));
    let told: BTreeSet<_> =
        told.map(|found| (original(exact, trace, found.subject), only(found.rule, found.block))).collect();
    let literal = mistimed(setup, exact, ties);
    assert_eq!(told, literal, "{about} {setup:#?} {trace:#?}\n{}", lines(&checked));
    let broken = !literal.is_empty() || misplaced(setup, exact) || crowded(exact);
    assert_eq!(!checked.conforms(), broken, "{about} {setup:#?} {trace:#?}\n{}", lines(&checked));
    broken
}

/// The same launch or copy in the run before it was measured: its blocks, or its start, tell.
fn original(exact: &Trace, trace: &Trace, subject: Subject) -> Subject {
    match subject {
        Subject::Kernel(run) => {
            let blocks = &trace.kernels[run].blocks;
            let found = exact.kernels.iter().position(|other| other.blocks == *blocks);
            Subject::Kernel(found.unwrap_or(run))
        }
        Subject::Copy(run) => {
            let (measured, mut nth) = (&trace.copies[run], 0);
            nth += trace.copies[..run].iter().filter(|other| other.stream == measured.stream).count();
            let same = |(_, other): &(usize, &CopyRun)| other.stream == measured.stream;
            let found = exact.copies.iter().enumerate().filter(same).nth(nth);
            Subject::Copy(found.map_or(run, |(found, _)| found))
        }
    }
}

#[test]
fn a_run_that_conforms_does_so_however_its_times_are_measured() {
    for stream in 0..700 {
        let w = drawn(10, stream);
        let trace = measured(&mut Seeded::new(11, stream), &simulate(&w).trace);
        for copies in [CopyTimes::OnEngine, CopyTimes::AroundCalls] {
            let config =
                CheckConfig { copies, processes: Processes::BySlices, ..CheckConfig::measured(&trace) };
            let trace = Trace { slices: Vec::new(), ..trace.clone() };
            let checked = check(&w.setup, &trace, &config);
            assert!(checked.conforms(), "{stream}: {w:#?} {trace:#?}\n{}", lines(&checked));
        }
    }
}

#[test]
fn a_block_that_starts_while_another_process_has_the_device_is_told() {
    let mut moved = 0;
    for stream in 0..600 {
        let w = drawn(13, stream);
        let mut trace = simulate(&w).trace;
        let process = |trace: &Trace, run: usize| w.setup.streams[trace.kernels[run].stream].process;
        let long = trace.slices.iter().find(|slice| slice.end.since(slice.start) > Nanos(1)).copied();
        let Some(slice) = long else { continue };
        let other = (0..trace.kernels.len()).find(|&run| process(&trace, run) != slice.process);
        let Some(other) = other.filter(|&run| !trace.kernels[run].blocks.is_empty()) else { continue };
        let block = trace.kernels[other].blocks.start;
        trace.blocks[block].start = slice.start + Nanos(1);
        trace.blocks[block].end = trace.blocks[block].end.max(slice.start + Nanos(1));
        let checked = check(&w.setup, &trace, &CheckConfig::simulated());
        let told = |rule| {
            checked
                .violations
                .iter()
                .any(|found| found.rule == rule && found.subject == Subject::Kernel(other))
        };
        let early = [Rule::G1, Rule::G2, Rule::N1, Rule::N2].into_iter().any(told);
        assert!(told(Rule::P1) || early, "{stream}: {}", lines(&checked));
        moved += usize::from(told(Rule::P1));
    }
    assert!(moved > 50, "{moved}");
}
