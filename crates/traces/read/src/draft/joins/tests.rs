//! What belongs together, of records in any order.

use super::super::{Found, UNKNOWN};
use super::*;
use traces::trace::{Kind, Stream};

/// Calls by process, name, number, start and end; operations by stream, number and start.
fn joined(calls: &[(i64, &str, i64, i64, i64)], runs: &[(u32, i64, i64)]) -> (Draft, Joins) {
    let (mut draft, mut joins) = (Draft::default(), Joins::default());
    for number in 0..3 {
        let stream = |draft: &mut Draft| Stream {
            device: draft.device(0, 0),
            process: if number == 2 { UNKNOWN } else { 1 },
            number,
            ..Stream::default()
        };
        draft.stream([0, 0, 0, number], stream);
    }
    for &(process, name, number, start, end) in calls {
        let (thread, name) = (draft.thread(process, 1), draft.names.place(name));
        let call = draft.call(thread, name, start, end).unwrap();
        joins.add(process, number, start, call);
    }
    joins.sort();
    let mut numbers = Vec::new();
    for &(stream, number, start) in runs {
        let kind = Kind::Set(0);
        draft.operation(Found { stream, name: 0, start, end: start + 1, graph_node: false, kind });
        numbers.push(Some(number));
    }
    let processes: Vec<i64> = draft.streams.iter().map(|stream| stream.process).collect();
    let known = |stream: u32| Some(processes[stream as usize]).filter(|&process| process != UNKNOWN);
    joins.join(&mut draft, known, &numbers);
    (draft, joins)
}

fn calls(draft: &Draft) -> Vec<Option<u32>> {
    draft.operations.iter().map(|own| own.call).collect()
}

const L: &str = "cudaLaunchKernel";

#[test]
fn what_launched_an_operation() {
    for (calls_made, run, expected) in [
        // The only one before; none of another process; none that launches nothing; none long after.
        (vec![(1, L, 5, 100, 105), (1, L, 5, 500, 505)], (0, 5, 300), Some(0)),
        (vec![(2, L, 5, 100, 105)], (0, 5, 300), None),
        (vec![(1, L, 5, 100, 105), (1, "cudaEventQuery", 5, 200, 205)], (0, 5, 300), Some(0)),
        (vec![(1, L, 5, 5 + SKEW, 9 + SKEW)], (0, 5, 4), None),
        (vec![(1, L, 5, 4 + SKEW, 9 + SKEW)], (0, 5, 4), Some(0)),
        // A runtime's call that made a driver's is one call.
        (vec![(1, L, 5, 100, 109), (1, "cuLaunchKernel", 5, 102, 107)], (0, 5, 300), Some(1)),
        (vec![(1, L, 5, 100, 109), (1, "cuLaunchKernel", 5, 102, 107)], (0, 5, 101), Some(0)),
        // Of several before nobody knows.
        (vec![(1, L, 5, 100, 105), (1, L, 5, 200, 205)], (0, 5, 300), None),
    ] {
        let (draft, _) = joined(&calls_made, &[run]);
        assert_eq!(calls(&draft), [expected], "{calls_made:?}");
    }
}

#[test]
fn calls_that_begin_too_late_are_not_told_as_missing() {
    let late = "operations whose call begins more than a millisecond after them";
    let missing = "operations whose launching call is not in the file";
    let at = 5 + SKEW;
    for (made, told) in [
        (vec![(1, L, 5, at, at + 4)], vec![(late, 1)]),
        (vec![(1, L, 5, at, at + 4), (1, L, 5, at + 20, at + 24)], vec![(late, 1)]),
        // One that launches nothing is not there; one of another process neither.
        (vec![(1, "cudaEventQuery", 5, at, at + 4)], vec![(missing, 1)]),
        (vec![(2, L, 5, at, at + 4)], vec![(missing, 1)]),
        (vec![(1, L, 5, at - 1, at + 4)], vec![]),
    ] {
        let (draft, _) = joined(&made, &[(0, 5, 4)]);
        let left: Vec<_> = draft.left_out.iter().map(|(what, count)| (what.as_str(), *count)).collect();
        assert_eq!(left, told, "{made:?}");
    }
    // Each is counted once.
    let (draft, _) = joined(&[(1, L, 5, at, at + 4)], &[(0, 5, 4), (0, 6, 9), (2, 5, 4)]);
    let counts: Vec<u64> = draft.left_out.values().copied().collect();
    assert_eq!(counts, [1, 1, 1]);
}

#[test]
fn of_several_calls_of_one_number_the_one_that_is_certain() {
    // Both calls lie before both operations: in one stream each has its turn.
    let twice = [(1, L, 1, 0, 5), (1, L, 5, 20, 25), (1, L, 5, 212, 214)];
    let (draft, _) = joined(&twice, &[(0, 1, 10), (0, 5, 215), (0, 5, 240)]);
    assert_eq!(calls(&draft), [Some(0), Some(1), Some(2)]);
    // In two streams, or with one operation missing, they have not.
    let (draft, _) = joined(&twice, &[(0, 1, 10), (0, 5, 215), (1, 5, 240)]);
    assert_eq!(calls(&draft), [Some(0), None, None]);
    // But what lies between the calls of its neighbours is known.
    let more = [(1, L, 5, 20, 25), (1, L, 2, 30, 35), (1, L, 5, 40, 45), (1, L, 3, 50, 55)];
    let (draft, _) = joined(&more, &[(0, 2, 100), (0, 5, 110), (0, 3, 120)]);
    assert_eq!(calls(&draft), [Some(1), Some(2), Some(3)]);
}

#[test]
fn calls_of_the_host_are_those_around_or_the_only_ones() {
    let (draft, joins) =
        joined(&[(1, "w", 7, 100, 200), (1, "w", 7, 500, 600), (2, "w", 7, 90, 110), (1, "r", 8, 1, 2)], &[]);
    let around = |process, at| joins.around(&draft, process, 7, at);
    assert_eq!([around(Some(1), 150), around(Some(1), 550)], [Some(0), Some(1)]);
    assert_eq!([around(Some(1), 300), around(None, 105), around(None, 150)], [None, None, Some(0)]);
    // Where there is only one it may be off by a little.
    assert_eq!(joins.around(&draft, Some(1), 8, 3), Some(3));
    let only = |at| joins.only(&draft, Some(1), 7, at, |name| name == "w");
    assert_eq!([only(50), only(300), only(700)], [None, Some(0), None]);
}

#[test]
fn processes_of_contexts() {
    // Only process 2 has both numbers.
    let made = [(1, L, 5, 0, 5), (2, L, 5, 1, 6), (2, L, 6, 7, 8)];
    let (mut draft, joins) = joined(&made, &[(2, 5, 10), (2, 6, 20)]);
    joins.tell_processes(&mut draft, &[Some(5), Some(6)]);
    assert_eq!(draft.streams[2].process, 2);
    // Nobody knows whose it is.
    let (mut draft, joins) = joined(&made, &[(2, 5, 10)]);
    joins.tell_processes(&mut draft, &[Some(5)]);
    assert_eq!(draft.streams[2].process, UNKNOWN);
    // Contexts of two processes look alike: their streams are told apart.
    let made = [(1, L, 5, 0, 5), (2, L, 6, 1, 6)];
    let (mut draft, joins) = joined(&made, &[(2, 5, 10), (2, 6, 20)]);
    joins.tell_processes(&mut draft, &[Some(5), Some(6)]);
    let process = |place: usize| draft.streams[draft.operations[place].stream as usize].process;
    assert_eq!((draft.streams.len(), process(0), process(1)), (4, 1, 2));
}
