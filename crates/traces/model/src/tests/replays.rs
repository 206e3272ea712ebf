//! Replays: unchanged they are the recording, shortened they are never longer, and paths add up.

use super::random::{Draw, trace};
use crate::cause::Cause;
use crate::causes::Causes;
use crate::chain::chain;
use crate::critical::critical;
use crate::leads::leads;
use crate::order::NONE;
use crate::replay::{Change, Ends, Plan, Replay, Share};
use crate::trace::{Device, Kind, Operation, Stream, Trace};

const TRACES: u64 = 1_500;

fn shortening(draw: &mut Draw, trace: &Trace) -> Change {
    let some =
        |draw: &mut Draw, count: usize| (0..count as u32).filter(|_| draw.one_in(3)).collect::<Vec<_>>();
    let share = Share { numerator: draw.place(5), denominator: 4 + draw.place(4) };
    match draw.below(5) {
        0 => Change::AtOnce(some(draw, trace.calls.len())),
        1 => Change::NoWait(some(draw, trace.calls.len())),
        2 => Change::Calls(some(draw, trace.calls.len()), share),
        3 => Change::Operations(some(draw, trace.operations.len()), share),
        _ => Change::Without(Cause::ALL[draw.below(8)], some(draw, trace.operations.len())),
    }
}

#[test]
fn an_unchanged_replay_is_the_recording() {
    let mut circles = 0;
    for number in 0..TRACES {
        let trace = trace(number);
        let causes = Causes::of(&trace);
        let replay = Replay::of(&causes);
        assert_eq!(replay.graph.sorted.len(), replay.graph.recorded.len());
        assert_eq!(replay.graph.times(&Plan::default()), replay.graph.recorded, "trace {number}");
        let replayed = replay.replay(&[]);
        assert!(replayed.moved.is_empty() && replayed.operations.len() == trace.operations.len());
        circles += replay.graph.left_out;
    }
    assert!(circles > 0, "no trace contradicted itself");
}

#[test]
fn shortening_never_lengthens() {
    let mut sooner = 0;
    for number in 0..TRACES {
        let trace = trace(number);
        let causes = Causes::of(&trace);
        let replay = Replay::of(&causes);
        let mut draw = Draw(base::Seeded::new(number, 9));
        let changes: Vec<Change> = (0..3).map(|_| shortening(&mut draw, &trace)).collect();
        let mut before = replay.replay(&[]);
        for count in 1..=changes.len() {
            let after = replay.replay(&changes[..count]);
            let later =
                before.operations.iter().zip(&after.operations).any(|(before, after)| after.1 > before.1);
            assert!(!later, "trace {number}: {:?}", &changes[..count]);
            sooner += u32::from(after.end < before.end);
            assert_eq!(after.end, replay.ends_with(&changes[..count]).end);
            before = after;
        }
    }
    assert!(sooner > 100, "{sooner}");
}

/// A walk goes through whole operations where it can: any other order in which nothing precedes its cause gives the same.
#[test]
fn times_are_the_same_in_every_order_of_nodes() {
    let mut sooner = 0;
    for number in 0..TRACES / 3 {
        let trace = trace(number);
        let causes = Causes::of(&trace);
        let replay = Replay::of(&causes);
        let mut draw = Draw(base::Seeded::new(number, 13));
        let changes: Vec<Change> = (0..3).map(|_| shortening(&mut draw, &trace)).collect();
        let plan = Plan::of(&causes, &replay.graph, &causes.order, &changes);
        let times = replay.graph.times(&plan);
        sooner += u32::from(times != replay.graph.recorded);
        let mut other = replay.graph.clone();
        let from = |node: u32| other.entering(node).iter().map(|edge| edge.from).filter(|&from| from != NONE);
        let (mut left, mut done) = (other.sorted.clone(), vec![false; other.sorted.len()]);
        let mut sorted = Vec::new();
        while !left.is_empty() {
            let free = |node: &u32| from(*node).all(|from| done[from as usize]);
            let all: Vec<usize> = (0..left.len()).filter(|&place| free(&left[place])).collect();
            let node = left.swap_remove(all[draw.below(all.len())]);
            done[node as usize] = true;
            sorted.push(node);
        }
        other.sorted = sorted;
        assert_eq!(other.times(&plan), times, "trace {number}");
    }
    assert!(sooner > 100, "{sooner}");
}

/// Several replays in one walk are those replays, of lists that go on where another ended and of lists that do not.
#[test]
fn replays_at_once_are_those_one_by_one() {
    let mut sooner = 0;
    for number in 0..TRACES / 3 {
        let trace = trace(number);
        let causes = Causes::of(&trace);
        let replay = Replay::of(&causes);
        let mut draw = Draw(base::Seeded::new(number, 11));
        let mut changes: Vec<Change> = (0..7).map(|_| shortening(&mut draw, &trace)).collect();
        if draw.one_in(5) {
            changes.push(Change::Together(vec![0, 1]));
        }
        let alone = changes.iter().map(std::slice::from_ref);
        let all: Vec<&[Change]> = alone.chain((0..=changes.len()).map(|count| &changes[..count])).collect();
        let one_by_one: Vec<Ends> = all.iter().map(|changes| replay.ends_with(changes)).collect();
        assert_eq!(replay.each_ends_with(&all), one_by_one, "trace {number}");
        assert_eq!(replay.in_lanes::<2>(&all[..7]), one_by_one[..7], "trace {number}");
        assert_eq!(replay.in_lanes::<1>(&all[..7]), one_by_one[..7], "trace {number}");
        sooner += one_by_one.iter().filter(|ends| Some(ends.end) < replay.end()).count();
    }
    assert!(sooner > 500, "{sooner}");
}

/// More different shares than a byte tells apart: each operation still takes its own.
#[test]
fn every_operation_may_take_a_share_of_its_own() {
    let mut trace =
        Trace { devices: vec![Device::default()], names: vec!["it".to_owned()], ..Trace::default() };
    let stream = |number| Stream { number, ..Stream::default() };
    trace.streams = (0..1_000).map(stream).collect();
    let own = |stream: u32| Operation {
        id: stream,
        stream,
        name: 0,
        start: 0,
        end: 1_000_000,
        call: None,
        graph_node: false,
        kind: Kind::Set(1),
    };
    trace.operations = (0..1_000).map(own).collect();
    assert_eq!(trace.check(), Ok(()));
    let causes = Causes::of(&trace);
    let share = |numerator| Share { numerator, denominator: 1_000 };
    let one = |place: u32| Change::Operations(vec![place], share(place));
    // Each twice, and longer the first time: the least counts.
    let longer = |place: u32| Change::Operations(vec![place], share(place + 1));
    let changes: Vec<Change> = (0..1_000).map(longer).chain((0..1_000).map(one)).collect();
    let replayed = Replay::of(&causes).replay(&changes);
    let expected: Vec<(i64, i64)> = (0..1_000).map(|place| (0, 1_000 * place)).collect();
    assert_eq!(replayed.operations, expected);
}

#[test]
fn streams_that_are_one_run_one_after_the_other() {
    for number in 0..TRACES {
        let trace = trace(number);
        let causes = Causes::of(&trace);
        let replay = Replay::of(&causes);
        let one = replay.replay(&[Change::Together((0..trace.streams.len() as u32).collect())]);
        assert_eq!(one.operations.len(), trace.operations.len());
        // Moved to where it is, nothing changes; nor do places that do not exist change anything.
        let same = replay.replay(&[
            Change::Moved(Vec::new(), 0),
            Change::Moved(vec![u32::MAX], 0),
            Change::Together(vec![u32::MAX]),
            Change::AtOnce(vec![u32::MAX]),
            Change::NoWait(vec![u32::MAX - 1]),
            Change::Operations(vec![u32::MAX], Share { numerator: 1, denominator: 0 }),
        ]);
        if replay.graph.left_out == 0 {
            assert!(same.moved.is_empty(), "trace {number}: {:?}", same.moved);
        }
    }
}

#[test]
fn critical_paths_add_up() {
    for number in 0..TRACES {
        let trace = trace(number);
        let causes = Causes::of(&trace);
        let replay = Replay::of(&causes);
        let path = critical(&replay);
        let Some(end) = replay.end() else {
            assert!(path.is_empty());
            continue;
        };
        let starts =
            trace.operations.iter().map(|own| own.start).chain(trace.calls.iter().map(|call| call.start));
        let begin = starts.min().unwrap();
        assert!(path.windows(2).all(|pair| pair[0].end == pair[1].start), "trace {number}: {path:?}");
        let sum: i64 = path.iter().map(|segment| segment.end - segment.start).sum();
        assert_eq!(sum, end - begin, "trace {number}");
    }
}

#[test]
fn leads_gain_what_they_say_and_more_together() {
    let mut found = 0;
    for number in 0..TRACES / 3 {
        let trace = trace(number);
        let causes = Causes::of(&trace);
        let replay = Replay::of(&causes);
        let leads = leads(&replay, 6);
        assert!(leads.len() <= 6 && leads.is_sorted_by_key(|lead| std::cmp::Reverse(lead.gain)));
        assert!(leads.is_sorted_by_key(|lead| lead.together), "trace {number}: {leads:?}");
        for lead in &leads {
            let end = replay.replay(std::slice::from_ref(&lead.change)).end;
            assert_eq!(lead.gain, replay.end().unwrap().abs_diff(end));
        }
        found += leads.len();
    }
    assert!(found > 500, "{found}");
}

#[test]
fn chains_end() {
    for number in 0..TRACES {
        let trace = trace(number);
        let causes = Causes::of(&trace);
        for operation in 0..trace.operations.len() as u32 {
            let links = chain(&causes, operation, 20);
            assert!((1..=20).contains(&links.len()) && links[0].operation == operation);
        }
    }
}
