//! Accounts of idle time, made again nanosecond by nanosecond of the machine's own causes.

use super::causes::{places, told};
use super::export::export;
use super::fixtures::read;
use super::machine::{Run, run};
use super::program::{OF_EVENTS, program};
use std::collections::BTreeMap;
use std::ops::Range;
use traces::Causes;
use traces::account::{Scope, account};

const PROGRAMS: u64 = 500;

/// Idle stretches of the whole device, and the operations that began at the end of each.
fn gaps(run: &Run) -> Vec<(i64, i64, Vec<usize>)> {
    let mut order: Vec<usize> = (0..run.operations.len()).collect();
    order.sort_by_key(|&own| run.operations[own].start);
    let mut until = None;
    let mut gaps: Vec<(i64, i64, Vec<usize>)> = Vec::new();
    for own in order {
        let ran = &run.operations[own];
        match (until, gaps.last_mut()) {
            (_, Some(gap)) if gap.1 == ran.start => gap.2.push(own),
            (Some(until), _) if until < ran.start => gaps.push((until, ran.start, vec![own])),
            _ => {}
        }
        until = until.max(Some(ran.end));
    }
    gaps
}

#[test]
fn idle_time_is_divided_as_the_machine_spent_it() {
    divided(0..PROGRAMS);
}

#[test]
fn idle_time_is_divided_as_the_machine_spent_it_where_events_abound() {
    divided(OF_EVENTS..OF_EVENTS + PROGRAMS);
}

fn divided(numbers: Range<u64>) {
    let (mut programs, mut stretches, mut waits) = (0, 0, 0);
    for number in numbers {
        let program = program(number);
        let run = run(&program);
        if run.operations.is_empty() {
            continue;
        }
        let trace = read(&export(&program, &run));
        let (causes, places) = (Causes::of(&trace), places(&trace, &run));
        let own = account(&causes, Scope::Device(0), None).unwrap();
        let gaps = gaps(&run);
        let idle: i64 = gaps.iter().map(|gap| gap.1 - gap.0).sum();
        let (first, last) = (
            run.operations.iter().map(|own| own.start).min().unwrap(),
            run.operations.iter().map(|own| own.end).max().unwrap(),
        );
        assert_eq!((own.start, own.end, own.idle), (first, last, idle.unsigned_abs()), "program {number}");
        assert_eq!(own.busy + own.idle, (last - first).unsigned_abs());
        assert_eq!(own.causes.iter().sum::<u64>(), own.idle);
        let mut sums: BTreeMap<&str, i64> = BTreeMap::new();
        let mut sure = true;
        for (from, to, ended_by) in gaps {
            let [ended_by] = ended_by[..] else {
                sure = false;
                break;
            };
            let place = places.0.iter().position(|&own| own == ended_by).unwrap() as u32;
            let why = told(&causes, &places, place).unwrap();
            let call = &run.calls[run.operations[ended_by].call];
            for time in from..to {
                let late = why.kind == "launch" && time < why.time;
                let kind = if late && waited(&run, call.thread, time) {
                    "host-wait"
                } else if time < why.time {
                    why.kind
                } else if time < call.end {
                    "launch"
                } else {
                    "rest"
                };
                *sums.entry(kind).or_default() += 1;
            }
            stretches += 1;
        }
        if !sure {
            continue;
        }
        programs += 1;
        let known = |kind: &str| sums.get(kind).copied().unwrap_or_default().unsigned_abs();
        for cause in traces::Cause::ALL {
            let host = ["launch", "host-wait"].contains(&cause.name()) && program.threads.len() > 1;
            if !["latency", "unexplained"].contains(&cause.name()) && !host {
                assert_eq!(own.of(cause), known(cause.name()), "program {number}: {}", cause.name());
            }
        }
        // Whether a thread waited for what another one was just launching is not certain.
        let host = own.of(traces::Cause::Launch) + own.of(traces::Cause::HostWait);
        assert_eq!(host, known("launch") + known("host-wait"), "program {number}");
        waits += sums.get("host-wait").copied().unwrap_or_default();
    }
    println!("{stretches} stretches of {programs} programs, {waits} ns in waits of the host");
    assert!(programs > PROGRAMS * 3 / 4 && stretches > 2_000 && waits > 100_000);
}

/// Whether a thread was in a call that really waited at a time.
fn waited(run: &Run, thread: usize, time: i64) -> bool {
    let mut own = run.calls.iter().filter(|call| call.thread == thread && call.awaited.is_some());
    own.any(|call| (call.start..call.end).contains(&time))
}
