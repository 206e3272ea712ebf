//! The host in a replay: every thread as a line of boundaries, the beginnings and ends of its calls.
//!
//! A boundary follows the one before it on its thread by its own time. What a waiting call waits for holds back the first
//! boundary within that call which came after it, so that a wait and the thread's own time are told apart; where the call
//! did not really wait, it holds back the call's end. What all that is, `joins` says.

use std::collections::BTreeMap;

use super::build::Parts;
use super::graph::{EdgeKind, Graph};
use super::joins::{Joins, awaited};
use crate::order::{NONE, narrow};

/// The boundaries of one thread, in order: a call's place doubled, and one more for its end.
struct Line {
    boundaries: Vec<u32>,
    times: Vec<i64>,
}

/// Adds all calls to a graph.
pub(super) fn add_calls(graph: &mut Graph, parts: &Parts, joins: &Joins) {
    let trace = parts.causes.trace;
    graph.owner = vec![NONE; 2 * trace.calls.len()];
    graph.previous = vec![NONE; 2 * trace.calls.len()];
    let mut holds: Vec<(u32, u32, u32)> = Vec::new();
    for thread in 0..trace.threads.len() {
        let line = line(graph, parts, thread);
        holds.extend(waits(graph, parts, thread, &line, joins));
    }
    holds.sort_unstable();
    let mut next = 0;
    for boundary in 0..2 * narrow(trace.calls.len()) {
        let call = &trace.calls[boundary as usize / 2];
        graph.node(if boundary.is_multiple_of(2) { call.start } else { call.end });
        let previous = graph.previous[boundary as usize];
        if previous != NONE {
            graph.edge(graph.calls + previous, EdgeKind::Own);
        }
        while let Some(&(_, from, call)) = holds.get(next).filter(|hold| hold.0 == boundary) {
            graph.awaits.push((call, narrow(graph.edges.len())));
            graph.edge(from, EdgeKind::Await);
            next += 1;
        }
    }
    graph.awaits.sort_unstable();
}

/// Lays out the boundaries of a thread.
fn line(graph: &mut Graph, parts: &Parts, thread: usize) -> Line {
    let trace = parts.causes.trace;
    let mut line = Line { boundaries: Vec::new(), times: Vec::new() };
    let mut ends: BTreeMap<(i64, u32), ()> = BTreeMap::new();
    let mut open: Vec<u32> = Vec::new();
    let mut add = |boundary: u32, time: i64, ended: &BTreeMap<(i64, u32), ()>| {
        graph.previous[boundary as usize] = line.boundaries.last().copied().unwrap_or(NONE);
        while open
            .last()
            .is_some_and(|&call| call * 2 + 1 != boundary && !ended.contains_key(&key(parts, call)))
        {
            open.pop();
        }
        let top = open.last().map_or(NONE, |&call| parts.causes.host.owner[call as usize]);
        graph.owner[boundary as usize] = top;
        if boundary.is_multiple_of(2) {
            open.push(boundary / 2);
        }
        line.boundaries.push(boundary);
        line.times.push(time);
    };
    for &call in &parts.causes.host.calls[thread] {
        let start = trace.calls[call as usize].start;
        while let Some((&(end, over), ())) = ends.first_key_value().filter(|((end, _), ())| *end <= start) {
            add(2 * over + 1, end, &ends);
            ends.pop_first();
        }
        add(2 * call, start, &ends);
        ends.insert(key(parts, call), ());
    }
    while let Some((&(end, over), ())) = ends.first_key_value() {
        add(2 * over + 1, end, &ends);
        ends.pop_first();
    }
    line
}

fn key(parts: &Parts, call: u32) -> (i64, u32) {
    (parts.causes.trace.calls[call as usize].end, call)
}

/// Which boundaries of a thread are held back, by which nodes, because of which calls.
fn waits(graph: &Graph, parts: &Parts, thread: usize, line: &Line, joins: &Joins) -> Vec<(u32, u32, u32)> {
    let trace = parts.causes.trace;
    let mut position = BTreeMap::new();
    for (index, &boundary) in line.boundaries.iter().enumerate() {
        if trace.calls[boundary as usize / 2].does.waits() {
            position.insert(boundary, index);
        }
    }
    let mut holds = Vec::new();
    for &call in &parts.causes.host.calls[thread] {
        for node in awaited(graph, parts, call, &trace.calls[call as usize], joins) {
            let (start, end) = (position[&(2 * call)], position[&(2 * call + 1)]);
            let time = graph.recorded[node as usize];
            let within = start + 1 + line.times[start + 1..=end].partition_point(|&boundary| boundary < time);
            let held = if time <= line.times[start] { end } else { within.min(end) };
            holds.push((line.boundaries[held], node, call));
        }
    }
    holds
}
