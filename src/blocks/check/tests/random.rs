//! Simulated runs of random workloads conform, to the nanosecond; with one thing changed, they break what the rules
//! read literally say is broken.

use std::collections::BTreeSet;

use super::literal::{Ties, crowded, misplaced, mistimed};
use super::{check, lines};
use crate::base::{Nanos, Seeded};
use crate::blocks::check::{CheckConfig, CopyTimes, Processes};
use crate::blocks::{Rule, Setup, Trace, Workload, random, simulate};

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
    trace
}

#[test]
fn what_is_changed_breaks_what_it_breaks_literally() {
    let mut caught = [(0, 0); CHANGES.len()];
    for stream in 0..2_500 {
        let w = drawn(8, stream);
        let mut rng = Seeded::new(9, stream);
        let mut trace = simulate(&w).trace;
        let which = stream as usize % CHANGES.len();
        let several = w.setup.streams.iter().any(|other| other.process != w.setup.streams[0].process);
        if several || !change(&mut rng, &w.setup, &mut trace, CHANGES[which]) {
            continue;
        }
        let about = format!("{stream}: {}", CHANGES[which]);
        let broken = compare(&w.setup, &trace, &trace, &CheckConfig::simulated(), Ties::Count, &about);
        let jittered = measured(&mut rng, &trace);
        let config = CheckConfig { copies: CopyTimes::OnEngine, ..CheckConfig::measured(&jittered) };
        compare(&w.setup, &trace, &jittered, &config, Ties::Free, &about);
        caught[which].0 += usize::from(broken);
        caught[which].1 += 1;
    }
    for (what, (caught, all)) in CHANGES.iter().zip(caught) {
        assert!(all > 50 && caught * 100 > all * 60, "{what}: {caught} of {all}");
    }
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
    let told: BTreeSet<_> = told.map(|found| (found.subject, only(found.rule, found.block))).collect();
    let literal = mistimed(setup, exact, ties);
    assert_eq!(told, literal, "{about} {setup:#?} {trace:#?}\n{}", lines(&checked));
    let broken = !literal.is_empty() || misplaced(setup, exact) || crowded(exact);
    assert_eq!(!checked.conforms(), broken, "{about} {setup:#?} {trace:#?}\n{}", lines(&checked));
    broken
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
