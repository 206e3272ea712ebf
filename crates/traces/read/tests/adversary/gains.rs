//! Gains of changes: the machine runs the changed program, and no more may have been promised than it gains.

use super::causes::places;
use super::export::{export, name_of};
use super::fixtures::read;
use super::machine::{Run, run};
use super::program::{Action, OF_EVENTS, Program, program};
use base::Seeded;
use std::collections::BTreeMap;
use std::ops::Range;
use traces::replay::{Change, Share};
use traces::{Cause, Causes, Replay};

const PROGRAMS: u64 = 600;
const EACH: usize = 6;
const HALF: Share = Share { numerator: 1, denominator: 2 };

/// A change of a program, and as the model knows it.
struct Changed {
    what: &'static str,
    program: Program,
    change: Change,
}

fn draw_change(
    draw: &mut Seeded,
    program: &Program,
    run: &Run,
    operations: &[usize],
    calls: &[usize],
) -> Option<Changed> {
    let mut changed = program.clone();
    let below =
        |draw: &mut Seeded, count: usize| draw.below(u32::try_from(count).unwrap_or(1).max(1)) as usize;
    let place = |all: &[usize], own: usize| all.iter().position(|&one| one == own).map(|place| place as u32);
    let step = |call: usize| (run.calls[call].thread, run.calls[call].step);
    let (what, change) = match draw.below(6) {
        0 if !operations.is_empty() => {
            let own = below(draw, operations.len());
            let (thread, at) = step(run.operations[own].call);
            match &mut changed.threads[thread][at].action {
                Action::Kernel(_, takes) | Action::Copy(_, _, takes) => *takes /= 2,
                _ => return None,
            }
            ("half", Change::Operations(vec![place(operations, own)?], HALF))
        }
        1 => {
            let own = below(draw, run.calls.len());
            let (thread, at) = step(own);
            let call = &mut changed.threads[thread][at];
            (call.takes, call.waits) = (0, false);
            ("at once", Change::AtOnce(vec![place(calls, own)?]))
        }
        2 => {
            let waiting = |own: &usize| run.calls[*own].awaited.is_some();
            let all: Vec<usize> = (0..run.calls.len()).filter(waiting).collect();
            let &own = all.get(below(draw, all.len()))?;
            let (thread, at) = step(own);
            changed.threads[thread][at].waits = false;
            ("no wait", Change::NoWait(vec![place(calls, own)?]))
        }
        3 => {
            let bound = |own: &usize| run.operations[*own].causes.iter().any(|one| one.kind == "event");
            let all: Vec<usize> = (0..run.operations.len()).filter(bound).collect();
            let &own = all.get(below(draw, all.len()))?;
            let (thread, at) = step(run.operations[own].call);
            changed.threads[thread][at].heeds = false;
            ("event", Change::Without(Cause::Event, vec![place(operations, own)?]))
        }
        4 => {
            let waits = |own: &usize| run.calls[*own].awaited.is_some();
            let all: Vec<usize> = (0..run.calls.len()).filter(waits).collect();
            for &own in &all {
                let (thread, at) = step(own);
                changed.threads[thread][at].takes = 0;
                changed.threads[thread][at].waits = false;
            }
            let all = all.iter().filter_map(|&own| place(calls, own)).collect();
            ("all at once", Change::AtOnce(all))
        }
        _ => {
            for own in changed.threads.iter_mut().flatten() {
                if let Action::Kernel(_, takes) = &mut own.action {
                    *takes /= 2;
                }
            }
            let kernel = |own: &usize| run.operations[*own].sort == 0;
            let all = (0..run.operations.len()).filter(kernel).filter_map(|own| place(operations, own));
            ("all half", Change::Operations(all.collect(), HALF))
        }
    };
    Some(Changed { what, program: changed, change })
}

#[test]
fn no_gain_is_promised_that_the_machine_has_not() {
    held(0..PROGRAMS);
}

#[test]
fn no_gain_is_promised_that_the_machine_has_not_where_events_abound() {
    held(OF_EVENTS..OF_EVENTS + PROGRAMS);
}

fn held(programs: Range<u64>) {
    let (mut changes, mut turned, mut unknown, mut promised, mut gained) = (0, 0, 0, 0, 0);
    let mut broken: BTreeMap<usize, Vec<(u64, &str, i64)>> = BTreeMap::new();
    for number in programs {
        let program = program(number);
        let recorded = run(&program);
        let Some(end) = recorded.end() else { continue };
        let trace = read(&export(&program, &recorded));
        let causes = Causes::of(&trace);
        let replay = Replay::of(&causes);
        assert!(replay.replay(&[]).moved.is_empty(), "program {number}: not what was recorded");
        let (operations, calls) = places(&trace, &recorded);
        let mut draw = Seeded::new(number, 42);
        for _ in 0..EACH {
            let Some(changed) = draw_change(&mut draw, &program, &recorded, &operations, &calls) else {
                continue;
            };
            let ends = replay.ends_with(std::slice::from_ref(&changed.change));
            if ends.turned > 0 {
                turned += 1;
                continue;
            }
            let told = end - ends.end;
            let then = run(&changed.program);
            let real = end - then.end().unwrap_or(end);
            changes += 1;
            promised += told;
            gained += real.max(0);
            // Where nothing is promised the machine may take longer: it does not keep every order.
            if told > real.max(0) {
                if own_times_unknown(&program, &recorded, &then) {
                    unknown += 1;
                    continue;
                }
                broken.entry(program.threads.len()).or_default().push((number, changed.what, told - real));
                let told = replay.replay(std::slice::from_ref(&changed.change)).operations;
                let first = first_sooner(&recorded, &then, &told, &operations);
                println!("program {number}, {} threads, {}: {first}", program.threads.len(), changed.what);
            }
        }
    }
    println!(
        "{changes} changes: {promised} ns promised, {gained} gained; {turned} turn an order around, {unknown} rest on a call that nobody knows"
    );
    println!("{broken:?}");
    // What may go another way, as calls of two threads overlap, is among what turns an order around.
    assert!(broken.is_empty(), "{broken:?}");
    assert!(changes > 2_500 && promised * 2 > gained, "{changes}: {promised} of {gained}");
}

/// The step by which a call is known in any run of a program.
fn step_of(run: &Run, call: usize) -> (usize, usize) {
    (run.calls[call].thread, run.calls[call].step)
}

/// Whether a call waits no more of which nothing recorded tells how long it takes by itself: all of its name had waited.
fn own_times_unknown(program: &Program, recorded: &Run, then: &Run) -> bool {
    let name = |run: &Run, call: usize| {
        let (thread, step) = step_of(run, call);
        name_of(program.threads[thread][step].action)
    };
    // It waits no more, or not as long as it takes by itself.
    let free = |call: usize| {
        let same = |other: &usize| step_of(then, *other) == step_of(recorded, call);
        (0..then.calls.len()).find(same).map(|other| then.calls[other]).is_some_and(|call| {
            call.awaited.is_none_or(|own| then.operations[own].end + program.lags.back < call.end)
        })
    };
    let tells = |call: usize| {
        (0..recorded.calls.len()).any(|other| {
            name(recorded, other) == name(recorded, call) && recorded.calls[other].awaited.is_none()
        })
    };
    let waited = |call: &usize| recorded.calls[*call].awaited.is_some();
    (0..recorded.calls.len()).filter(waited).any(|call| free(call) && !tells(call))
}

/// The first operation that is replayed to start sooner than it does.
fn first_sooner(recorded: &Run, then: &Run, told: &[(i64, i64)], operations: &[usize]) -> String {
    let real = |place: usize| {
        let step = step_of(recorded, recorded.operations[operations[place]].call);
        then.operations.iter().find(|own| step_of(then, own.call) == step)
    };
    let sooner = |(place, told): &(usize, &(i64, i64))| real(*place).is_some_and(|own| told.0 < own.start);
    let first = told.iter().enumerate().filter(sooner).min_by_key(|one| one.1.0);
    let said = first.map(|(place, told)| {
        format!("{told:?}, which was {:?} and is {:?}", recorded.operations[operations[place]], real(place))
    });
    said.unwrap_or_else(|| "none starts sooner than it does".to_owned())
}
