//! What waiting calls of the host wait for in a replay, where that is more than one thing: joins.
//!
//! 1. A call is held back by all that it certainly waited for, and by all that it may have waited for: what ended before
//!    it returned, on the device, in the streams, or, where the file does not say of what, on the devices of its process.
//!    So a replay never lets a wait end before something that may have held it; what it gains is not promised too much.
//! 2. What ended after a call had returned it did not wait for, unless the file says so.
//!
//! Invariant: a join follows the one before it of its kind and scope, and what came since; so all of them together have
//! no more edges than there are operations and joins.

use std::collections::BTreeMap;

use super::build::Parts;
use super::graph::{EdgeKind, Graph};
use crate::constraints::put;
use crate::nulls::{blocking, groups};
use crate::order::narrow;
use crate::trace::{Call, Does};

/// Whose operations are waited for together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Scope {
    /// A process's on a device.
    Device(u32, i64),
    /// A process's on all devices.
    Process(i64),
    /// A null stream's and its blocking streams'.
    Null(u32),
}

/// A join: the places that it follows, the join before it, and when that was recorded.
struct Join {
    places: Vec<u32>,
    before: Option<u32>,
    time: i64,
}

/// All joins, and of which calls they are.
#[derive(Default)]
pub(super) struct Joins {
    list: Vec<Join>,
    of_call: Vec<(u32, u32)>,
    first: u32,
}

/// Calls with the time up to which a join looks.
type Asked = BTreeMap<Scope, Vec<(i64, u32)>>;

impl Joins {
    /// Of a recording.
    pub(super) fn of(parts: &Parts) -> Self {
        let trace = parts.causes.trace;
        let groups = groups(trace);
        let blocking = blocking(&groups);
        let (mut certain, mut possible) = (Asked::new(), Asked::new());
        for (call, place) in trace.calls.iter().zip(0..) {
            let process = trace.threads[call.thread as usize].process;
            let scope = match call.does {
                Does::AwaitDevice(device) => Scope::Device(device, process),
                Does::AwaitStream(stream) if blocking.contains_key(&stream) => Scope::Null(stream),
                Does::AwaitUnknown => Scope::Process(process),
                _ => continue,
            };
            if !matches!(scope, Scope::Process(_)) {
                certain.entry(scope).or_default().push((call.start, place));
            }
            possible.entry(scope).or_default().push((call.end, place));
        }
        let streams = |scope: Scope| -> Vec<u32> {
            let own = trace.streams.iter().zip(0..).filter(|(own, place)| match scope {
                Scope::Device(device, process) => own.device == device && own.process == process,
                Scope::Process(process) => own.process == process,
                Scope::Null(null) => *place == null || blocking[&null].binary_search(place).is_ok(),
            });
            own.map(|(_, place)| place).collect()
        };
        let mut joins = Self::default();
        for (scope, calls) in certain {
            joins.chain(parts, put(parts.order, &streams(scope)), calls);
        }
        for (scope, calls) in possible {
            joins.chain(parts, ended(parts, &streams(scope)), calls);
        }
        joins.of_call.sort_unstable();
        joins
    }

    /// One join for each call that has more to wait for than the one before it.
    fn chain(&mut self, parts: &Parts, put: Vec<(i64, u32, u32)>, mut calls: Vec<(i64, u32)>) {
        calls.sort_unstable();
        let mut put = put.into_iter().peekable();
        let mut before: Option<u32> = None;
        for (at, call) in calls {
            let mut fresh: BTreeMap<u32, u32> = BTreeMap::new();
            while let Some((_, place, stream)) = put.next_if(|put| put.0 <= at) {
                let latest = fresh.entry(stream).or_insert(place);
                *latest = place.max(*latest);
            }
            let places: Vec<u32> = fresh.into_values().collect();
            let done = |&place: &u32| parts.order.done(parts.causes.trace, place);
            if let Some(time) = places.iter().map(done).max() {
                let time = before.map_or(time, |before| time.max(self.list[before as usize].time));
                self.list.push(Join { places, before, time });
                before = Some(narrow(self.list.len()) - 1);
            }
            self.of_call.extend(before.map(|join| (call, join)));
        }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// Adds them to a graph.
    pub(super) fn add(&mut self, graph: &mut Graph) {
        self.first = narrow(graph.recorded.len());
        for join in &self.list {
            graph.node(join.time);
            join.places.iter().for_each(|place| graph.edge(3 * place + 2, EdgeKind::Join));
            if let Some(before) = join.before {
                graph.edge(self.first + before, EdgeKind::Join);
            }
        }
    }

    /// The nodes of a call's joins.
    fn nodes(&self, call: u32) -> impl Iterator<Item = u32> + '_ {
        let first = self.of_call.partition_point(|own| own.0 < call);
        self.of_call[first..].iter().take_while(move |own| own.0 == call).map(|own| self.first + own.1)
    }
}

/// The places of streams by when everything up to them had ended and been launched.
fn ended(parts: &Parts, streams: &[u32]) -> Vec<(i64, u32, u32)> {
    let places = |&stream: &u32| {
        let (from, to) = (parts.order.first[stream as usize], parts.order.first[stream as usize + 1]);
        (from..to).map(move |place| (done(parts, place), place, stream))
    };
    let mut ended: Vec<_> = streams.iter().flat_map(places).collect();
    ended.sort_unstable();
    ended
}

/// The last place of a stream up to which everything had ended and been launched by a time.
fn ended_by(parts: &Parts, stream: u32, time: i64) -> Option<u32> {
    let (mut from, mut to) = (parts.order.first[stream as usize], parts.order.first[stream as usize + 1]);
    let first = from;
    while from < to {
        let middle = from.midpoint(to);
        if done(parts, middle) <= time { from = middle + 1 } else { to = middle }
    }
    from.checked_sub(1).filter(|_| from > first)
}

fn done(parts: &Parts, place: u32) -> i64 {
    parts.order.done(parts.causes.trace, place).max(parts.order.from[place as usize])
}

/// What a call waits for, as nodes.
pub(super) fn awaited(graph: &Graph, parts: &Parts, place: u32, call: &Call, joins: &Joins) -> Vec<u32> {
    let joined: Vec<u32> = joins.nodes(place).collect();
    if !joined.is_empty() {
        return joined;
    }
    match call.does {
        Does::Other | Does::AwaitUnknown | Does::AwaitDevice(_) => Vec::new(),
        Does::AwaitStream(stream) => {
            let last = parts.order.put_by(stream, call.start).max(ended_by(parts, stream, call.end));
            let told = parts.events.holding(stream, call.start);
            let told = told.filter(|&wait| parts.events.passed[wait as usize].is_some());
            let told = told.map(|wait| graph.waits + wait);
            last.map(|place| 3 * place + 2).into_iter().chain(told).collect()
        }
        Does::AwaitRecord(record) => {
            let made = parts.causes.trace.records[record as usize].at <= call.start;
            let passed = parts.events.record[record as usize].filter(|_| made);
            passed.map(|_| graph.records + record).into_iter().collect()
        }
        Does::AwaitOperation(operation) => {
            let ended = parts.causes.trace.operations[operation as usize].end <= call.end;
            let place = parts.order.place[operation as usize];
            ended.then_some(3 * place + 1).into_iter().collect()
        }
    }
}
