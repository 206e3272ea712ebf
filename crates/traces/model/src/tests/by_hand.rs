//! One small trace for each rule, written by hand: what is bound by what, and where the idle time of device 0 went.

mod queue;

use crate::account::{Late, Scope, account};
use crate::cause::{Cause, Witness};
use crate::causes::Causes;
use crate::chain::{Before, chain, link};
use crate::critical::{What, critical};
use crate::occupancy::Resource;
use crate::replay::{Change, Plan, Replay, Share};
use crate::trace::{
    Call, Device, Direction, Does, Kind, Limits, Operation, Record, Shape, Slice, Stream, StreamKind, Thread,
    Trace, Wait,
};

/// Streams 0 to 3 of device 0: the null stream, a blocking one, two others; stream 4 is on device 1.
pub(super) fn ground() -> Trace {
    let limits = Limits {
        capability: Some((8, 0)),
        multiprocessors: Some(2),
        warp: Some(32),
        threads: Some(64),
        blocks: Some(8),
        registers: Some(65_536),
        shared: Some(8192),
        ..Limits::default()
    };
    let kinds = [StreamKind::Null, StreamKind::Blocking, StreamKind::NonBlocking, StreamKind::Unknown];
    let stream = |kind| Stream { kind, ..Stream::default() };
    let mut streams: Vec<Stream> = kinds.into_iter().map(stream).collect();
    streams.push(Stream { device: 1, ..Stream::default() });
    Trace {
        names: vec!["it".to_owned()],
        devices: vec![Device { limits, ..Device::default() }, Device::default()],
        streams,
        threads: vec![Thread::default(); 2],
        ..Trace::default()
    }
}

pub(super) fn kernel(blocks: u32, threads: u32) -> Kind {
    let (grid, block) = ([blocks, 1, 1], [threads, 1, 1]);
    Kind::Kernel(Shape { grid, block, registers: Some(16), shared: Some(0), ..Shape::default() }.into())
}

/// Adds an operation: the stream, when, and its launching call's place.
pub(super) fn run(trace: &mut Trace, stream: u32, (start, end): (i64, i64), call: Option<u32>, kind: Kind) {
    let id = trace.operations.len() as u32;
    trace.operations.push(Operation { id, stream, name: 0, start, end, call, graph_node: false, kind });
}

pub(super) fn call(trace: &mut Trace, thread: u32, (start, end): (i64, i64), does: Does) -> Option<u32> {
    trace.calls.push(Call { thread, name: 0, start, end, does });
    Some(trace.calls.len() as u32 - 1)
}

/// Launches a kernel of one block.
pub(super) fn launch(trace: &mut Trace, stream: u32, called: (i64, i64), ran: (i64, i64)) {
    let by = call(trace, 0, called, Does::Other);
    run(trace, stream, ran, by, kernel(1, 32));
}

/// The binding constraint of the last operation, its time, its witness; and the idle time of device 0 by cause.
pub(super) fn last(trace: &Trace) -> (Cause, Option<i64>, Witness, Vec<(Cause, u64)>) {
    trace.check().unwrap();
    let causes = Causes::of(trace);
    let place = trace.operations.len() as u32 - 1;
    let account = account(&causes, Scope::Device(0), None).unwrap();
    let why = causes.why[place as usize];
    let idle =
        Cause::ALL.into_iter().filter(|&cause| account.of(cause) > 0).map(|cause| (cause, account.of(cause)));
    let replay = Replay::of(&causes);
    assert_eq!(replay.graph.times(&Plan::default()), replay.graph.recorded);
    (why.cause, why.earliest, causes.witness(place), idle.collect())
}

#[test]
fn a_late_launch_after_nothing_that_was_recorded() {
    let mut trace = ground();
    launch(&mut trace, 2, (0, 2), (3, 10));
    launch(&mut trace, 2, (40, 44), (47, 50));
    let idle = vec![(Cause::Launch, 34), (Cause::Unexplained, 3)];
    assert_eq!(last(&trace), (Cause::Launch, Some(40), Witness::Call(1), idle));
}

#[test]
fn a_late_launch_after_a_synchronisation() {
    let mut trace = ground();
    launch(&mut trace, 2, (0, 2), (3, 20));
    call(&mut trace, 0, (5, 26), Does::AwaitStream(2));
    launch(&mut trace, 2, (30, 33), (34, 50));
    let idle = vec![(Cause::Launch, 7), (Cause::HostWait, 6), (Cause::Unexplained, 1)];
    assert_eq!(last(&trace), (Cause::Launch, Some(30), Witness::Call(2), idle));
    let causes = Causes::of(&trace);
    // Its own time comes on top of the wait, then the launching call goes on for three.
    let late = Late { waited: 4, called: 3, unrecorded: 0 };
    assert_eq!(account(&causes, Scope::Device(0), None).unwrap().late, late);
    let links = chain(&causes, 1, 9);
    assert_eq!(links[0].before, Before::Waited { call: 1, operation: 0 });
    assert_eq!((links[0].took, links[0].of), (6, 10));
    assert_eq!((links.len(), links[1].before), (2, Before::Unrecorded));
    let replay = Replay::of(&causes);
    // Without the wait the call returns after its own six, at 11, and the launch begins at 15; but the operation before
    // is over at 20, and the lag of four stays.
    assert_eq!(replay.replay(&[Change::NoWait(vec![1])]).operations[1], (24, 40));
    assert_eq!(replay.replay(&[Change::Operations(vec![0], Share { numerator: 0, denominator: 1 })]).end, 35);
    let path: Vec<What> = critical(&replay).into_iter().map(|segment| segment.what).collect();
    let launched = What::Started(1, Cause::Launch);
    let waited = [What::Ran(0), What::Returned(1), What::Paused(2), launched, What::Ran(1)];
    assert_eq!(path[path.len() - 5..], waited);
}

/// What is said of the thread of the last operation, which was launched late: what, for how long, and of how long.
fn did(trace: &Trace) -> (Before, u64, u64) {
    trace.check().unwrap();
    let found = link(&Causes::of(trace), trace.operations.len() as u32 - 1);
    assert_eq!(found.cause, Cause::Launch);
    (found.before, found.took, found.of)
}

#[test]
fn what_took_longest_before_a_late_launch_is_named() {
    // The operation before ends at 20, the launch begins at 100.
    let before = |calls: &[((i64, i64), Does)]| {
        let mut trace = ground();
        launch(&mut trace, 2, (0, 2), (3, 20));
        for &(called, does) in calls {
            call(&mut trace, 0, called, does);
        }
        launch(&mut trace, 2, (100, 103), (104, 150));
        let late = account(&Causes::of(&trace), Scope::Device(0), None).unwrap().late;
        (did(&trace), [late.waited, late.called, late.unrecorded])
    };
    let (other, wait) = (Does::Other, Does::AwaitStream(2));
    // The last call is short.
    assert_eq!(before(&[((25, 85), other), ((90, 91), other)]), ((Before::Called(1), 60, 80), [0, 64, 19]));
    // So is a wait, of which what lies after the end of the operation counts.
    assert_eq!(before(&[((5, 26), wait), ((30, 90), other)]), ((Before::Called(2), 60, 80), [14, 63, 0]));
    assert_eq!(
        before(&[((5, 90), wait), ((91, 99), other)]).0,
        (Before::Waited { call: 1, operation: 0 }, 70, 80)
    );
    // Most of the time it was in no call: alone, between calls, after a wait.
    assert_eq!(before(&[]), ((Before::Unrecorded, 80, 80), [0, 3, 80]));
    assert_eq!(before(&[((30, 50), other), ((60, 80), other)]), ((Before::Unrecorded, 40, 80), [0, 43, 40]));
    let after = Before::After { call: 1, operation: 0 };
    assert_eq!(before(&[((5, 26), wait), ((30, 40), other)]), ((after, 64, 80), [64, 13, 0]));
    // Of equals the last; what began before the stretch counts from there on.
    assert_eq!(before(&[((10, 60), other), ((60, 100), other)]).0, (Before::Called(2), 40, 80));
    assert_eq!(before(&[((20, 60), other)]).0, (Before::Unrecorded, 40, 80));
    // A wait for what had ended is a call like any other.
    assert_eq!(before(&[((25, 95), wait)]), ((Before::Called(1), 70, 80), [0, 73, 10]));
}

#[test]
fn time_in_calls_within_calls_is_the_outermost_ones_but_for_waits() {
    let mut trace = ground();
    launch(&mut trace, 2, (0, 2), (3, 20));
    for called in [(22, 70), (23, 45), (24, 44), (46, 69)] {
        call(&mut trace, 0, called, Does::Other);
    }
    call(&mut trace, 0, (70, 99), Does::Other);
    launch(&mut trace, 2, (100, 103), (104, 150));
    assert_eq!(did(&trace), (Before::Called(1), 48, 80));
    // One that waits within one that does not: the waiting is its own.
    let mut trace = ground();
    launch(&mut trace, 2, (0, 2), (3, 50));
    call(&mut trace, 0, (21, 95), Does::Other);
    call(&mut trace, 0, (22, 90), Does::AwaitStream(2));
    call(&mut trace, 0, (23, 89), Does::Other);
    launch(&mut trace, 2, (100, 103), (104, 150));
    assert_eq!(did(&trace), (Before::Waited { call: 2, operation: 0 }, 40, 50));
    // Both wait: the outermost.
    trace.calls[1].does = Does::AwaitDevice(0);
    assert_eq!(did(&trace), (Before::Waited { call: 1, operation: 0 }, 45, 50));
    // One that only overlaps is around none.
    let mut trace = ground();
    launch(&mut trace, 2, (0, 2), (3, 20));
    call(&mut trace, 0, (22, 30), Does::Other);
    call(&mut trace, 0, (29, 90), Does::Other);
    launch(&mut trace, 2, (100, 103), (104, 150));
    assert_eq!(did(&trace), (Before::Called(2), 61, 80));
}

#[test]
fn a_stream_that_held_nothing_before_is_late_since_its_device_did_nothing() {
    let mut trace = ground();
    call(&mut trace, 0, (0, 400), Does::Other);
    launch(&mut trace, 2, (400, 402), (403, 420));
    call(&mut trace, 0, (405, 450), Does::Other);
    launch(&mut trace, 3, (460, 463), (464, 500));
    assert_eq!(did(&trace), (Before::Called(2), 30, 40));
    // Nothing had ended by then: since the first call of the thread.
    trace.operations[0].end = 470;
    assert_eq!(did(&trace), (Before::Called(0), 400, 460));
}

#[test]
fn the_operation_before_and_the_latency_after_it() {
    let mut trace = ground();
    launch(&mut trace, 2, (0, 2), (3, 20));
    launch(&mut trace, 2, (2, 4), (22, 30));
    launch(&mut trace, 2, (4, 6), (32, 40));
    assert_eq!(last(&trace), (Cause::Stream, Some(30), Witness::Operation(1), vec![(Cause::Latency, 4)]));
}

#[test]
fn an_event_of_another_device() {
    let mut trace = ground();
    launch(&mut trace, 2, (0, 2), (3, 10));
    launch(&mut trace, 4, (2, 4), (5, 60));
    trace.records.push(Record { stream: 4, event: 1, call: None, at: 5 });
    trace.waits.push(Wait { stream: 2, record: Some(0), call: None, at: 6 });
    launch(&mut trace, 2, (8, 9), (61, 70));
    let idle = vec![(Cause::Event, 50), (Cause::Unexplained, 1)];
    let witness = Witness::Event { operation: 1, wait: 0 };
    assert_eq!(last(&trace), (Cause::Event, Some(60), witness, idle));
}

#[test]
fn an_event_that_is_recorded_after_the_wait_is_waited_for_by_nobody() {
    let mut trace = ground();
    launch(&mut trace, 3, (0, 2), (3, 60));
    trace.records.push(Record { stream: 3, event: 1, call: None, at: 7 });
    trace.waits.push(Wait { stream: 2, record: Some(0), call: None, at: 6 });
    launch(&mut trace, 2, (8, 9), (61, 70));
    assert_eq!(last(&trace).0, Cause::Launch);
}

#[test]
fn the_null_stream_and_blocking_streams() {
    for (first, second) in [(0, 1), (1, 0)] {
        let mut trace = ground();
        launch(&mut trace, first, (0, 2), (3, 20));
        launch(&mut trace, second, (2, 4), (22, 30));
        let idle = vec![(Cause::Unexplained, 2)];
        assert_eq!(last(&trace), (Cause::NullStream, Some(20), Witness::Operation(0), idle));
    }
    for (first, second) in [(0, 2), (2, 0), (0, 3), (1, 1)] {
        let mut trace = ground();
        launch(&mut trace, first, (0, 2), (3, 20));
        launch(&mut trace, second, (2, 4), (22, 30));
        assert_ne!(last(&trace).0, Cause::NullStream);
    }
}

#[test]
fn one_copy_engine_for_each_direction_unless_copies_overlapped() {
    let copies = |second: Direction, begins: i64| {
        let mut trace = ground();
        for (stream, direction, start) in [(2, Direction::ToDevice, 3), (3, second, begins)] {
            let by = call(&mut trace, 0, (0, 1), Does::Other);
            run(&mut trace, stream, (start, start + 17), by, Kind::Copy(direction, 1));
        }
        last(&trace)
    };
    let one = copies(Direction::ToDevice, 21);
    assert_eq!((one.0, one.1, one.2), (Cause::CopyEngine, Some(20), Witness::Operation(0)));
    assert_eq!(copies(Direction::ToDevice, 19).0, Cause::Launch);
    assert_eq!(copies(Direction::ToHost, 21).0, Cause::Launch);
}

#[test]
fn room_until_the_last_full_wave() {
    // Of one warp to a block two fit on a multiprocessor, four on the device: six blocks are a full wave and half a one.
    let room = |blocks: u32, start: i64, lacking: u32| {
        let mut trace = ground();
        let by = call(&mut trace, 0, (0, 1), Does::Other);
        run(&mut trace, 2, (2, 42), by, kernel(blocks, 32));
        let by = call(&mut trace, 0, (1, 2), Does::Other);
        run(&mut trace, 3, (start, 50), by, kernel(1, lacking));
        let (cause, earliest, witness, _) = last(&trace);
        (cause, earliest, witness)
    };
    let held = Witness::Held { operation: 0, lacking: Resource::Threads };
    assert_eq!(room(6, 23, 32), (Cause::Room, Some(22), held));
    assert_eq!(room(8, 43, 32), (Cause::Room, Some(42), held));
    // What began before refutes it, and a device that is never full holds nobody back.
    assert_eq!(room(6, 21, 32).0, Cause::Launch);
    assert_eq!(room(3, 43, 32).0, Cause::Launch);
}

#[test]
fn another_process_had_the_device() {
    let mut trace = ground();
    launch(&mut trace, 2, (0, 2), (3, 10));
    launch(&mut trace, 2, (11, 12), (41, 50));
    for (process, start, end) in [(0, 0, 12), (7, 12, 40), (0, 40, 60)] {
        trace.slices.push(Slice { device: 0, process, start, end });
    }
    let idle = vec![(Cause::Process, 30), (Cause::Unexplained, 1)];
    assert_eq!(last(&trace), (Cause::Process, Some(40), Witness::Slice(2), idle));
    trace.slices[1].process = 0;
    assert_eq!(last(&trace).0, Cause::Launch);
}

#[test]
fn what_began_early_is_told_so() {
    let mut trace = ground();
    launch(&mut trace, 2, (0, 2), (3, 20));
    launch(&mut trace, 2, (2, 4), (15, 30));
    let causes = Causes::of(&trace);
    assert_eq!(
        (causes.why[1].cause, causes.why[1].residual, causes.why[1].unexplained),
        (Cause::Stream, -5, 0)
    );
    // A clock that is behind lets an operation begin before its call.
    let mut trace = ground();
    launch(&mut trace, 2, (0, 2), (3, 10));
    launch(&mut trace, 2, (40, 44), (38, 50));
    assert_eq!(last(&trace), (Cause::Launch, Some(40), Witness::Call(1), vec![(Cause::Launch, 28)]));
}

#[test]
fn who_waits_behind_others_still_waits_without_them() {
    let mut trace = ground();
    launch(&mut trace, 2, (0, 2), (3, 60));
    for called in [(5, 62), (63, 65)] {
        call(&mut trace, 0, called, Does::AwaitDevice(0));
    }
    launch(&mut trace, 3, (66, 68), (69, 80));
    trace.check().unwrap();
    let causes = Causes::of(&trace);
    let replay = Replay::of(&causes);
    // The first returns at 7, the second two after it really waited, until 60; then it is one to the launch, and three.
    assert_eq!(replay.replay(&[Change::NoWait(vec![1])]).operations[1], (66, 77));
    assert!(replay.replay(&[Change::NoWait(vec![1, 2])]).operations[1].0 < 20);

    let mut trace = ground();
    for (stream, times) in [(1, (3, 100)), (2, (100, 110)), (3, (110, 120))] {
        let by = call(&mut trace, 0, (0, 1), Does::Other);
        run(&mut trace, stream, times, by, Kind::Copy(Direction::ToDevice, 1));
    }
    let causes = Causes::of(&trace);
    let beside = Replay::of(&causes).replay(&[Change::Without(Cause::CopyEngine, vec![1])]);
    // Nothing recorded started sooner after its launch than three.
    assert_eq!(beside.operations, [(3, 100), (3, 13), (100, 110)]);
}

#[test]
fn nothing_follows_its_cause_sooner_than_was_recorded() {
    const NONE: Share = Share { numerator: 0, denominator: 1 };
    let mut trace = ground();
    launch(&mut trace, 2, (0, 2), (5, 20));
    launch(&mut trace, 2, (2, 4), (21, 30));
    let causes = Causes::of(&trace);
    let sooner = Replay::of(&causes).replay(&[Change::Operations(vec![0], NONE)]);
    // One after the end before it would be 6; but a launch takes five.
    assert_eq!(sooner.operations, [(5, 5), (7, 16)]);

    let mut trace = ground();
    launch(&mut trace, 2, (0, 2), (5, 20));
    for called in [(3, 24), (30, 31)] {
        call(&mut trace, 0, called, Does::AwaitDevice(0));
    }
    launch(&mut trace, 2, (40, 42), (45, 50));
    let causes = Causes::of(&trace);
    // The first need not wait, and takes one as the second did; that one now waits, and returns four after 20.
    let sooner = Replay::of(&causes).replay(&[Change::NoWait(vec![1])]);
    assert_eq!(sooner.operations[1], (38, 43));
}

#[test]
fn streams_that_become_one() {
    let mut trace = ground();
    launch(&mut trace, 2, (0, 2), (3, 20));
    launch(&mut trace, 3, (2, 4), (5, 30));
    launch(&mut trace, 2, (4, 6), (21, 25));
    let causes = Causes::of(&trace);
    let one = Replay::of(&causes).replay(&[Change::Together(vec![2, 3])]);
    // Each keeps its own lag: three nanoseconds, and one.
    assert_eq!((one.operations, one.moved), (vec![(3, 20), (23, 48), (49, 53)], vec![1, 2]));
}

#[test]
fn what_is_worth_most_leads() {
    let mut trace = ground();
    launch(&mut trace, 2, (0, 2), (3, 60));
    call(&mut trace, 0, (5, 62), Does::AwaitStream(2));
    launch(&mut trace, 3, (64, 66), (67, 90));
    let causes = Causes::of(&trace);
    let leads = crate::leads::leads(&Replay::of(&causes), 8);
    // Half of 57 and half of 23 nanoseconds, rounded down, are 28 and 11 instead.
    let half = Change::Operations(vec![0, 1], Share { numerator: 1, denominator: 2 });
    assert_eq!((&leads[0].change, leads[0].gain, leads[0].together), (&half, 41, 41));
    // Without the wait the second kernel ends at 35, and the first one, at 60, is the last.
    let wait = leads.iter().find(|lead| lead.change == Change::NoWait(vec![1])).unwrap();
    assert_eq!(wait.gain, 30);
    assert!(leads.iter().all(|lead| lead.together >= lead.gain && lead.together < 90), "{leads:?}");
}

#[test]
fn times_at_both_ends_of_what_there_is() {
    let (least, most) = (i64::MIN, i64::MAX);
    let mut trace = ground();
    let calls = [(least, least), (least, most), (0, most), (most, most)];
    let does = [Does::AwaitDevice(0), Does::AwaitUnknown, Does::AwaitStream(2), Does::Other];
    let by: Vec<_> =
        calls.into_iter().zip(does).map(|(times, does)| call(&mut trace, 0, times, does)).collect();
    let runs = [(least, least), (least, 0), (least, most), (0, most), (most, most)];
    for (place, times) in runs.into_iter().enumerate() {
        run(&mut trace, place as u32 % 5, times, by[place % 4], kernel(u32::MAX, 1));
    }
    trace.records.push(Record { stream: 2, event: 0, call: None, at: least });
    trace.waits.push(Wait { stream: 1, record: Some(0), call: by[3], at: most });
    trace.slices.push(Slice { device: 0, process: 0, start: least, end: most });
    trace.check().unwrap();
    let causes = Causes::of(&trace);
    for device in 0..2 {
        let account = account(&causes, Scope::Device(device), None).unwrap();
        assert_eq!(account.busy + account.idle, account.end.abs_diff(account.start));
    }
    let replay = Replay::of(&causes);
    critical(&replay);
    assert!(crate::leads::leads(&replay, 9).len() <= 9);
    replay.replay(&[Change::Together(vec![0, 1, 2, 3, 4])]);
}

#[test]
fn nothing_at_all() {
    let trace = Trace::default();
    let causes = Causes::of(&trace);
    let replay = Replay::of(&causes);
    assert!(critical(&replay).is_empty() && crate::leads::leads(&replay, 9).is_empty());
    assert_eq!(account(&causes, Scope::Device(0), None), None);
}
