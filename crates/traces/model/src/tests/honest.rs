//! Recordings that invite a false cause or a promise that cannot be kept, and what is told of them instead.

use super::by_hand::{call, ground, kernel, last, launch, run};
use crate::account::{Scope, account, accounts};
use crate::cause::{Cause, Witness};
use crate::causes::Causes;
use crate::chain::{Before, chain};
use crate::leads::leads;
use crate::replay::{Change, Replay, Share};
use crate::trace::{Direction, Does, Kind, Record, StreamKind, Trace, Wait};

const HALF: Share = Share { numerator: 1, denominator: 2 };

/// Two kernels of two streams, a wait of some kind for both, and a kernel that is launched after it.
fn two_and_a_wait(does: Does) -> Trace {
    let mut trace = ground();
    launch(&mut trace, 2, (0, 1), (5, 300));
    launch(&mut trace, 3, (2, 3), (6, 305));
    call(&mut trace, 0, (10, 310), does);
    launch(&mut trace, 3, (315, 317), (325, 425));
    trace.check().unwrap();
    trace
}

#[test]
fn a_wait_of_which_it_is_not_said_for_what_still_waits_for_everything_else() {
    for does in [Does::AwaitUnknown, Does::AwaitDevice(0)] {
        let trace = two_and_a_wait(does);
        let causes = Causes::of(&trace);
        let replay = Replay::of(&causes);
        // The last to end takes half as long: the other one still ends at 300, and the call five after that.
        let half = replay.replay(&[Change::Operations(vec![1], HALF)]);
        assert_eq!(half.end, 420, "{does:?}");
        // Both: they end at 152 and 155.
        assert_eq!(replay.replay(&[Change::Operations(vec![0, 1], HALF)]).end, 275);
    }
}

#[test]
fn a_wait_may_have_waited_for_what_another_thread_was_just_launching() {
    for does in [Does::AwaitUnknown, Does::AwaitDevice(0), Does::AwaitStream(2)] {
        let mut trace = ground();
        launch(&mut trace, 2, (0, 1), (5, 20));
        let slow = call(&mut trace, 1, (8, 14), Does::Other);
        run(&mut trace, 2, (21, 300), slow, kernel(1, 32));
        call(&mut trace, 0, (10, 310), does);
        launch(&mut trace, 3, (315, 317), (325, 425));
        trace.check().unwrap();
        let causes = Causes::of(&trace);
        let replay = Replay::of(&causes);
        assert_eq!(replay.replay(&[Change::Operations(vec![0], HALF)]).end, 417, "{does:?}");
    }
}

#[test]
fn what_ended_after_a_wait_had_returned_was_not_waited_for() {
    let mut trace = ground();
    let by = call(&mut trace, 0, (0, 9), Does::AwaitOperation(0));
    run(&mut trace, 2, (5, 60), by, Kind::Copy(Direction::ToDevice, 1));
    launch(&mut trace, 3, (15, 17), (70, 80));
    let causes = Causes::of(&trace);
    assert_eq!(causes.awaited(0), None);
    assert_eq!(chain(&causes, 1, 1)[0].before, Before::Called(0));
    assert_eq!(Replay::of(&causes).replay(&[Change::Operations(vec![0], HALF)]).operations[1], (70, 80));
}

#[test]
fn a_wait_that_returned_long_before_the_end_did_not_wait() {
    let awaited = |ends: i64| {
        let mut trace = ground();
        launch(&mut trace, 2, (0, 1), (5, ends));
        call(&mut trace, 0, (10, 60), Does::AwaitStream(2));
        Causes::of(&trace).awaited(1)
    };
    assert_eq!(awaited(1_000_060), Some(0));
    assert_eq!(awaited(1_000_061), None);
}

#[test]
fn a_call_that_waits_for_its_own_copy() {
    let mut trace = ground();
    launch(&mut trace, 2, (0, 5), (10, 110));
    let by = call(&mut trace, 0, (20, 210), Does::AwaitOperation(1));
    run(&mut trace, 2, (115, 195), by, Kind::Copy(Direction::ToHost, 1000));
    launch(&mut trace, 2, (215, 220), (225, 235));
    let idle = vec![(Cause::Launch, 10), (Cause::HostWait, 15), (Cause::Unexplained, 10)];
    assert_eq!(last(&trace), (Cause::Launch, Some(215), Witness::Call(2), idle));
    let causes = Causes::of(&trace);
    // What held the copy back was the kernel before it; within the call the host was launching nothing.
    assert_eq!((causes.why[1].cause, causes.why[1].launching), (Cause::Stream, 0));
    assert_eq!(chain(&causes, 2, 1)[0].before, Before::Waited { call: 1, operation: 1 });
    let replay = Replay::of(&causes);
    assert_eq!(replay.replay(&[Change::Operations(vec![1], HALF)]).end, 195);
    let kinds: Vec<Change> = leads(&replay, 8).into_iter().map(|lead| lead.change).collect();
    assert!(kinds.contains(&Change::NoWait(vec![1])), "{kinds:?}");
}

#[test]
fn of_several_events_the_wait_that_binds_is_named() {
    for binding in [0, 1] {
        let mut trace = ground();
        let ends = if binding == 0 { [205, 65] } else { [65, 205] };
        launch(&mut trace, 2, (0, 2), (5, ends[0]));
        launch(&mut trace, 3, (10, 12), (15, ends[1]));
        for (stream, at) in [(2, 20), (3, 22)] {
            let by = call(&mut trace, 0, (at, at + 1), Does::Other);
            trace.records.push(Record { stream, event: 0, call: by, at });
        }
        for (record, at) in [(0, 24), (1, 26)] {
            let by = call(&mut trace, 0, (at, at + 1), Does::Other);
            trace.waits.push(Wait { stream: 1, record: Some(record), call: by, at });
        }
        launch(&mut trace, 1, (30, 32), (210, 220));
        let witness = Witness::Event { operation: binding, wait: binding };
        assert_eq!((last(&trace).0, last(&trace).2), (Cause::Event, witness));
    }
}

#[test]
fn of_those_that_begin_together_the_one_permitted_first_ends_the_stretch() {
    // The first was permitted at 50, the second at 60: whichever comes first in the file, from 55 on no launch is to
    // blame, since one of them had been launched.
    for order in [[(2, 50), (3, 60)], [(3, 60), (2, 50)]] {
        let mut trace = ground();
        launch(&mut trace, 2, (0, 1), (2, 12));
        for (stream, at) in order {
            let thread = stream - 2;
            let by = call(&mut trace, thread, (at, at + 5), Does::Other);
            run(&mut trace, stream, (70, 90), by, kernel(1, 32));
        }
        trace.calls.sort_by_key(|call| call.start);
        trace.operations.iter_mut().skip(1).for_each(|own| own.call = Some(own.stream - 1));
        trace.check().unwrap();
        let causes = Causes::of(&trace);
        let mut told = Vec::new();
        accounts(&causes, &mut |scope, part| {
            if scope == Scope::Device(0) {
                told.push((part.cause, part.start, part.end));
            }
        });
        let expected = [(Cause::Launch, 12, 50), (Cause::Launch, 50, 55), (Cause::Unexplained, 55, 70)];
        assert_eq!(told, expected);
    }
}

#[test]
fn one_sample_explains_nothing_not_even_itself() {
    let queued = |gaps: &[i64]| {
        let mut trace = ground();
        launch(&mut trace, 2, (0, 1), (1_000, 1_100));
        let mut now = 1_100;
        for (gap, at) in gaps.iter().zip(1..) {
            launch(&mut trace, 2, (at, at + 1), (now + 1_000 * gap, now + 1_000 * gap + 100));
            now += 1_000 * gap + 100;
        }
        trace.check().unwrap();
        let causes = Causes::of(&trace);
        let latency = causes.latency[0].kernels;
        let account = account(&causes, Scope::Device(0), None).unwrap();
        (latency.samples, latency.longer, latency.most / 1_000, account.of(Cause::Unexplained) / 1_000)
    };
    assert_eq!(queued(&[45]), (1, 0, 0, 45));
    assert_eq!(queued(&[2, 2]), (2, 0, 2, 0));
    // Whatever takes more than twenty times as long as the shortest is no latency, even if most do.
    assert_eq!(queued(&[2, 3, 2, 45]), (3, 1, 2, 1 + 43));
    assert_eq!(queued(&[2, 2, 45, 50, 60, 70]), (2, 4, 2, 43 + 48 + 58 + 68));
}

#[test]
fn a_null_stream_that_is_waited_for_or_recorded_waits_for_the_blocking_ones() {
    let blocked = || {
        let mut trace = ground();
        launch(&mut trace, 0, (0, 1), (2, 4));
        launch(&mut trace, 1, (2, 3), (5, 500));
        trace
    };
    let mut trace = blocked();
    call(&mut trace, 0, (10, 510), Does::AwaitStream(0));
    launch(&mut trace, 2, (520, 522), (525, 530));
    let idle = vec![(Cause::Launch, 12), (Cause::HostWait, 10), (Cause::Unexplained, 4)];
    assert_eq!(last(&trace).3, idle);
    assert_eq!(Causes::of(&trace).awaited(2), Some(1));
    let causes = Causes::of(&trace);
    assert_eq!(Replay::of(&causes).replay(&[Change::Operations(vec![1], HALF)]).end, 282);

    let mut trace = blocked();
    trace.records.push(Record { stream: 0, event: 0, call: None, at: 10 });
    trace.waits.push(Wait { stream: 2, record: Some(0), call: None, at: 12 });
    launch(&mut trace, 2, (14, 15), (505, 530));
    let told = last(&trace);
    assert_eq!((told.0, told.1, told.2), (Cause::Event, Some(500), Witness::Event { operation: 1, wait: 0 }));
    let causes = Causes::of(&trace);
    assert_eq!(Replay::of(&causes).replay(&[Change::Operations(vec![1], HALF)]).end, 282);

    // A stream of another kind is not waited for.
    trace.streams[1].kind = StreamKind::NonBlocking;
    assert_eq!(last(&trace).0, Cause::Launch);
}

/// Nested calls of one name: what they are worth takes time that grows with their number, not with its square.
#[test]
fn deep_nests_are_walked_once() {
    let deep = 20_000;
    let mut trace = ground();
    for at in 0..deep {
        call(&mut trace, 0, (at, 4 * deep - at), Does::Other);
    }
    launch(&mut trace, 2, (4 * deep + 5, 4 * deep + 6), (4 * deep + 8, 4 * deep + 9));
    trace.check().unwrap();
    let causes = Causes::of(&trace);
    let replay = Replay::of(&causes);
    let all: Vec<u32> = (0..deep as u32).collect();
    // Whatever they took themselves is gone: five from the last end to the launch, three to the start, one to the end.
    assert_eq!(replay.replay(&[Change::AtOnce(all.clone())]).end, 9);
    let half = replay.replay(&[Change::Calls(all, HALF)]).end;
    assert!((9..4 * deep + 9).contains(&half), "{half}");
}

#[test]
fn a_change_that_turns_an_order_around_says_so() {
    for (stream, expected) in [(2, 1), (3, 0)] {
        let mut trace = ground();
        call(&mut trace, 0, (0, 50), Does::Other);
        call(&mut trace, 1, (5, 60), Does::Other);
        let by = call(&mut trace, 0, (60, 62), Does::Other);
        run(&mut trace, 2, (70, 80), by, kernel(1, 32));
        let by = call(&mut trace, 1, (80, 82), Does::Other);
        run(&mut trace, stream, (90, 95), by, kernel(1, 32));
        trace.check().unwrap();
        let causes = Causes::of(&trace);
        let replay = Replay::of(&causes);
        // Without its first call the second thread launches at 25, before the first one's launch at 60.
        let changed = replay.replay(&[Change::AtOnce(vec![1])]);
        assert_eq!(changed.turned, expected, "stream {stream}");
        assert_eq!(replay.replay(&[Change::AtOnce(vec![0])]).turned, 0);
        assert_eq!(replay.replay(&[]).turned, 0);
        let lead = leads(&replay, 8).into_iter().find(|lead| lead.change == Change::AtOnce(vec![1]));
        assert!(lead.is_none_or(|lead| lead.turned == expected));
    }
}

/// Of a call that very many others overlap not all pairs are looked at: then no change is without a mark.
#[test]
fn where_too_many_calls_overlap_every_change_is_marked() {
    for (count, expected) in [(60, 0), (70, 1)] {
        let mut trace = ground();
        let by = call(&mut trace, 0, (0, 1_000), Does::Other);
        run(&mut trace, 0, (10, 20), by, kernel(1, 32));
        for i in 0..count {
            let by = call(&mut trace, 1, (2 + 3 * i, 4 + 3 * i), Does::Other);
            run(&mut trace, 1, (2_000 + 10 * i, 2_005 + 10 * i), by, kernel(1, 32));
        }
        let idle = call(&mut trace, 0, (5_000, 5_100), Does::Other);
        launch(&mut trace, 2, (5_100, 5_102), (5_110, 5_120));
        trace.check().unwrap();
        let causes = Causes::of(&trace);
        let replay = Replay::of(&causes);
        assert_eq!(replay.replay(&[]).turned, 0);
        let changed = replay.replay(&[Change::AtOnce(idle.into_iter().collect())]);
        assert!(changed.end < 5_120);
        assert_eq!(changed.turned, expected, "{count} calls");
    }
}

#[test]
fn what_launches_take_is_measured_of_ten_at_least() {
    for (count, samples, most, told) in [(12, 12, 5, (5, 4)), (9, 9, 0, (0, 9))] {
        let mut trace = ground();
        for number in 0..count {
            let (at, takes) = (1_000 * number, if number == count - 1 { 9 } else { 5 });
            launch(&mut trace, 2, (at, at + 2), (at + 2 + takes, at + 100));
        }
        trace.check().unwrap();
        let causes = Causes::of(&trace);
        let latency = causes.latency[0].launched_kernels;
        assert_eq!((latency.samples, latency.most), (samples, most));
        let why = causes.why.last().unwrap();
        assert_eq!((why.launching, (why.latency, why.unexplained)), (2, told));
    }
}

#[test]
fn no_engine_is_blamed_for_a_copy_that_its_launch_alone_held_back() {
    for (began, expected) in [(25, Cause::Launch), (26, Cause::CopyEngine)] {
        let mut trace = ground();
        for (stream, called, ran) in [(2, (0, 2), (7, 20)), (3, (18, 19), (began, 30))] {
            let by = call(&mut trace, 0, called, Does::Other);
            run(&mut trace, stream, ran, by, Kind::Copy(Direction::ToDevice, 1));
        }
        assert_eq!(last(&trace).0, expected, "{began}");
    }
}

#[test]
fn a_stream_that_is_waited_for_waits_for_the_events_that_it_was_told_of() {
    let mut trace = ground();
    launch(&mut trace, 2, (0, 2), (3, 200));
    trace.records.push(Record { stream: 2, event: 0, call: None, at: 10 });
    trace.waits.push(Wait { stream: 3, record: Some(0), call: None, at: 12 });
    call(&mut trace, 0, (20, 210), Does::AwaitStream(3));
    launch(&mut trace, 3, (215, 217), (220, 230));
    trace.check().unwrap();
    let causes = Causes::of(&trace);
    assert_eq!(causes.awaited(1), Some(0));
    assert_eq!(Replay::of(&causes).replay(&[Change::Operations(vec![0], HALF)]).end, 131);
}
