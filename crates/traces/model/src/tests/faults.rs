//! Faults put into valid recordings: what was recorded is changed in one place, and the right cause has to be named there.
//!
//! A made machine gives the recordings: threads launch into streams, record events and wait for them, and a device starts
//! every operation a fixed latency after the last of what it had to wait for. The machine itself knows what that was; so
//! what is right after a fault is told by what it did, never by what is tested.

use base::Seeded;

use super::by_hand::kernel;
use super::random::Draw;
use crate::cause::{Cause, Witness};
use crate::causes::Causes;
use crate::trace::{Call, Device, Does, Operation, Record, Stream, StreamKind, Thread, Trace, Wait};

const CASES: u64 = 1_000;

/// What the device takes between what an operation waited for and its start.
const LATENCY: i64 = 2_000;

/// What an operation had to wait for: the kind, until when, and the witness.
type Why = (Cause, i64, Witness);

/// A recording, and for each operation all that it had to wait for.
struct Made {
    trace: Trace,
    why: Vec<Vec<Why>>,
}

/// Lets the machine run.
fn made(draw: &mut Draw) -> Made {
    let streams = 2 + draw.below(3);
    let stream = |number: usize| Stream {
        number: i64::try_from(number).unwrap(),
        kind: StreamKind::NonBlocking,
        ..Stream::default()
    };
    let mut trace = Trace {
        names: vec!["it".to_owned()],
        devices: vec![Device::default()],
        // One more, into which nothing is put.
        streams: (0..=streams).map(stream).collect(),
        threads: vec![Thread::default()],
        ..Trace::default()
    };
    let mut why: Vec<Vec<Why>> = Vec::new();
    // Of each stream the last operation, and the passing of the last wait that no operation followed yet.
    let mut last: Vec<Option<u32>> = vec![None; streams];
    let mut told: Vec<Option<(i64, u32, u32)>> = vec![None; streams];
    let mut now = 0;
    let call = |trace: &mut Trace, now: &mut i64, pause: i64| {
        let start = *now + 100 + pause;
        *now = start + 700;
        trace.calls.push(Call { thread: 0, name: 0, start, end: *now, does: Does::Other });
        trace.calls.len() as u32 - 1
    };
    for _ in 0..14 + draw.below(20) {
        let own = draw.below(streams);
        if draw.one_in(5)
            && let Some(other) = (0..streams).find(|&other| other != own && last[other].is_some())
        {
            let by = call(&mut trace, &mut now, 0);
            let at = trace.calls[by as usize].start;
            trace.records.push(Record { stream: other as u32, event: 0, call: Some(by), at });
            let by = call(&mut trace, &mut now, 0);
            let (at, record) = (trace.calls[by as usize].start, trace.records.len() as u32 - 1);
            trace.waits.push(Wait { stream: own as u32, record: Some(record), call: Some(by), at });
            let operation = last[other].unwrap();
            let passed = (trace.operations[operation as usize].end, operation, trace.waits.len() as u32 - 1);
            told[own] = told[own].max(Some(passed));
        }
        let pause = if draw.one_in(4) { draw.time(60_000) } else { 0 };
        let by = call(&mut trace, &mut now, pause);
        let mut waits: Vec<Why> = vec![(Cause::Launch, trace.calls[by as usize].start, Witness::Call(by))];
        if let Some(before) = last[own] {
            waits.push((Cause::Stream, trace.operations[before as usize].end, Witness::Operation(before)));
        }
        if let Some((time, operation, wait)) = told[own].take() {
            waits.push((Cause::Event, time, Witness::Event { operation, wait }));
        }
        let start = waits.iter().map(|one| one.1).max().unwrap() + LATENCY;
        let id = trace.operations.len() as u32;
        trace.operations.push(Operation {
            id,
            stream: own as u32,
            name: 0,
            start,
            end: start + 500 + draw.time(20_000),
            call: Some(by),
            graph_node: false,
            kind: kernel(1, 32),
        });
        last[own] = Some(id);
        why.push(waits);
    }
    Made { trace, why }
}

/// The latest of what an operation had to wait for; of equal ones the first in the order of causes.
fn binding(why: &[Why]) -> Option<Why> {
    why.iter().copied().reduce(|best, one| if (one.1, best.0) > (best.1, one.0) { one } else { best })
}

/// A fault: what it is, which operation it is about, and what is right there afterwards: all that it has to wait for,
/// and by how much it then starts later than the last of that permits.
struct Fault {
    what: &'static str,
    operation: u32,
    why: Vec<Why>,
    late: i64,
}

/// Puts a fault into a recording; none where this one has no place for it.
fn fault(draw: &mut Draw, kind: u64, made: &mut Made) -> Option<Fault> {
    let operation = draw.place(made.why.len());
    let own = &made.trace.operations[operation as usize];
    let (start, stream) = (own.start, own.stream);
    let why = made.why[operation as usize].clone();
    let length = own.end - own.start;
    match kind {
        0 => {
            // It starts later than anything explains.
            let by = 30_000 + draw.time(50_000);
            move_to(made, operation, start + by, length);
            Some(Fault { what: "later", operation, why, late: LATENCY + by })
        }
        1 => {
            // It starts before what it is recorded to follow.
            let by = LATENCY + 1 + draw.time(3_000);
            move_to(made, operation, start - by, length);
            Some(Fault { what: "earlier", operation, why, late: LATENCY - by })
        }
        2 => {
            // Its launch and the next one of the stream are swapped.
            let next = (operation + 1..made.why.len() as u32)
                .find(|&next| made.trace.operations[next as usize].stream == stream)?;
            let other = made.trace.operations[next as usize].call?;
            made.trace.operations[next as usize].call = own.call;
            made.trace.operations[operation as usize].call = Some(other);
            let at = made.trace.calls[other as usize].start;
            let mut why: Vec<Why> = why.into_iter().filter(|one| one.0 != Cause::Launch).collect();
            why.push((Cause::Launch, at, Witness::Call(other)));
            // Whatever its stream was told before that launch holds for it now.
            why.extend(made.why[next as usize].iter().filter(|one| one.0 == Cause::Event));
            let late = start - binding(&why)?.1;
            Some(Fault { what: "swapped", operation, why, late })
        }
        3 => {
            // The event that it waited for is not in the recording.
            let event = why.iter().find(|one| one.0 == Cause::Event && Some(**one) == binding(&why))?;
            let Witness::Event { wait, .. } = event.2 else { return None };
            made.trace.waits[wait as usize].record = None;
            let why: Vec<Why> = why.into_iter().filter(|one| one.0 != Cause::Event).collect();
            let late = start - binding(&why)?.1;
            Some(Fault { what: "dropped", operation, why, late })
        }
        _ => {
            // It is in a stream of another number, into which nothing else was put, and into which no wait leads.
            binding(&why).filter(|one| one.0 == Cause::Stream)?;
            let fresh = made.trace.streams.len() as u32 - 1;
            made.trace.operations[operation as usize].stream = fresh;
            let why: Vec<Why> = why.into_iter().filter(|one| one.0 == Cause::Launch).collect();
            let late = start - binding(&why)?.1;
            Some(Fault { what: "renumbered", operation, why, late })
        }
    }
}

/// Lets an operation start at another time and take as long as before.
fn move_to(made: &mut Made, operation: u32, start: i64, length: i64) {
    let own = &mut made.trace.operations[operation as usize];
    (own.start, own.end) = (start, start + length);
}

/// Sorts a recording as it has to be: by time, with all places put right.
fn sorted(trace: &mut Trace) -> Vec<u32> {
    trace.operations.sort_by_key(|own| (own.start, own.end, own.id));
    let mut place = vec![0; trace.operations.len()];
    trace.operations.iter().zip(0..).for_each(|(own, at)| place[own.id as usize] = at);
    trace.check().unwrap();
    place
}

/// Whether what is told of the operation is right.
fn told_right(made: &Made, places: &[u32], fault: &Fault) -> bool {
    let causes = Causes::of(&made.trace);
    let place = places[fault.operation as usize];
    let why = causes.why[place as usize];
    let Some((cause, time, witness)) = binding(&fault.why) else { return why.cause == Cause::Unexplained };
    let moved = |witness: Witness| match witness {
        Witness::Operation(id) => Witness::Operation(places[id as usize]),
        Witness::Event { operation, wait } => Witness::Event { operation: places[operation as usize], wait },
        other => other,
    };
    let latency = causes.latency[0].kernels.most.cast_signed();
    let own = &made.trace.operations[place as usize];
    let returned = own.call.map_or(time, |call| made.trace.calls[call as usize].end);
    let ready = returned.min(own.start).max(time);
    let launched = causes.latency[0].launched_kernels.most.cast_signed();
    let latency = latency.max(own.call.map_or(0, |_| returned + launched - ready));
    let unexplained = (own.start - ready - latency).max(0);
    (why.cause, why.earliest, causes.witness(place)) == (cause, Some(time), moved(witness))
        && why.residual == fault.late
        && why.unexplained.cast_signed() == unexplained
        // Whatever takes longer than the machine's latency must not be taken for it.
        && latency <= LATENCY
        && launched <= LATENCY
}

#[test]
fn the_right_cause_is_named_after_a_fault() {
    let mut right = 0;
    let mut kinds = std::collections::BTreeMap::new();
    let (mut cases, mut number) = (0, 0);
    while cases < CASES {
        number += 1;
        let mut draw = Draw(Seeded::new(number, 11));
        let mut made = made(&mut draw);
        let before = sorted(&mut made.trace.clone());
        // Without a fault all of it is right.
        if number.is_multiple_of(20) {
            let mut sound = Made { trace: made.trace.clone(), why: made.why.clone() };
            sorted(&mut sound.trace);
            for (operation, why) in (0..).zip(&made.why) {
                let fault = Fault { what: "", operation, why: why.clone(), late: LATENCY };
                assert!(told_right(&sound, &before, &fault), "machine {number}, operation {operation}");
            }
        }
        let Some(fault) = fault(&mut draw, cases % 5, &mut made) else { continue };
        let places = sorted(&mut made.trace);
        // A fault that puts the operation among others of its stream is another one: what it follows has changed.
        let own = &made.trace.operations[places[fault.operation as usize] as usize];
        let follows =
            |one: &&Operation| one.stream == own.stream && (one.id < own.id) != (one.start < own.start);
        if made.trace.operations.iter().filter(|one| one.id != own.id).any(|one| follows(&one)) {
            continue;
        }
        cases += 1;
        let is_right = told_right(&made, &places, &fault);
        right += u64::from(is_right);
        let kind: &mut (u64, u64) = kinds.entry(fault.what).or_default();
        *kind = (kind.0 + 1, kind.1 + u64::from(is_right));
        if !is_right {
            println!("machine {number}: {} of operation {}", fault.what, fault.operation);
        }
    }
    println!("{right} of {cases}: {kinds:?}");
    assert!(kinds.len() == 5 && kinds.values().all(|kind| kind.0 == CASES / 5), "{kinds:?}");
    assert!(right * 100 >= cases * 99, "{right} of {cases}");
}
