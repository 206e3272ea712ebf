//! What each waiting call of the host waited for: the last to end of the operations that it certainly waited for.
//!
//! 1. A call that waits for a stream or a device waits for what was certainly put there before it began, by any thread;
//!    of a device, for the streams of the thread's own process; of a null stream, for its blocking streams, too; of
//!    another stream, for the events that it was certainly told to wait for.
//! 2. A call that waits for a record waits for what that follows, if it was made no later than the call.
//! 3. A call that waits for an operation of its own waits for that, unless it returned before that had ended.
//! 4. None of these waited for what ended more than a millisecond after it had returned, whatever the file says: no two
//!    clocks differ by that much.
//! 5. Of a call of which the file does not say what it waits for, it is the operation of its process that ended last
//!    before it returned, if that ended during the call, and was put there before it or by it. What else it may have
//!    waited for, a replay keeps (`replay`).

use std::collections::BTreeMap;

use crate::events::{Events, Passed};
use crate::nulls::{blocking, groups};
use crate::order::{NONE, Order, narrow};
use crate::trace::{Call, Does, Trace};
use crate::woven;

/// Nanoseconds by which the clocks of host and device may differ.
const SKEW: i64 = 1_000_000;

/// Operations by when they were certainly put there, with the last end of all up to each.
type Put = Vec<(i64, Passed)>;

/// What is gone through once and asked often.
struct Seen<'a> {
    trace: &'a Trace,
    order: &'a Order,
    devices: BTreeMap<(u32, i64), Put>,
    nulls: BTreeMap<u32, Put>,
    processes: BTreeMap<i64, Vec<Passed>>,
}

/// For each call the operation that it waited for, or none.
pub fn waited(trace: &Trace, order: &Order, events: &Events) -> Vec<u32> {
    let groups = groups(trace);
    let blocking = blocking(&groups);
    let mut seen =
        Seen { trace, order, devices: BTreeMap::new(), nulls: BTreeMap::new(), processes: BTreeMap::new() };
    let one = |(place, call): (usize, &Call)| {
        let passed = match call.does {
            Does::Other => None,
            Does::AwaitStream(stream) => match blocking.get(&stream) {
                Some(others) => seen.null(stream, others, call.start),
                None => {
                    let put = order.put_by(stream, call.start).map(|put| Passed::of(trace, order, put));
                    let told = events.holding(stream, call.start);
                    put.max(told.and_then(|wait| events.passed[wait as usize]))
                }
            },
            Does::AwaitDevice(device) => seen.device(device, call),
            Does::AwaitRecord(record) => {
                let made = trace.records[record as usize].at <= call.start;
                events.record[record as usize].filter(|_| made)
            }
            Does::AwaitOperation(operation) => {
                let time = trace.operations[operation as usize].end;
                (time <= call.end).then_some(Passed { time, operation })
            }
            Does::AwaitUnknown => seen.unknown(narrow(place), call),
        };
        let waited = passed.filter(|passed| passed.time <= call.end.saturating_add(SKEW));
        waited.map_or(NONE, |passed| passed.operation)
    };
    trace.calls.iter().enumerate().map(one).collect()
}

impl Seen<'_> {
    fn device(&mut self, device: u32, call: &Call) -> Option<Passed> {
        let (trace, process) = (self.trace, self.trace.threads[call.thread as usize].process);
        let put = self.devices.entry((device, process)).or_insert_with(|| {
            all(trace, self.order, |stream| {
                let own = &trace.streams[stream as usize];
                own.device == device && own.process == process
            })
        });
        last(put, call.start)
    }

    fn null(&mut self, null: u32, blocking: &[u32], at: i64) -> Option<Passed> {
        let mine = |stream: u32| stream == null || blocking.binary_search(&stream).is_ok();
        last(self.nulls.entry(null).or_insert_with(|| all(self.trace, self.order, mine)), at)
    }

    fn unknown(&mut self, place: u32, call: &Call) -> Option<Passed> {
        let (trace, order) = (self.trace, self.order);
        let process = trace.threads[call.thread as usize].process;
        let ended = self.processes.entry(process).or_insert_with(|| of_process(trace, process));
        let count = ended.partition_point(|passed| passed.time <= call.end);
        let last = ended[count.checked_sub(1)?];
        let before = order.by[order.place[last.operation as usize] as usize] <= call.start;
        let own = trace.operations[last.operation as usize].call == Some(place);
        (last.time > call.start && (before || own)).then_some(last)
    }
}

/// The last end of what was put there by a time.
fn last(put: &Put, at: i64) -> Option<Passed> {
    let count = put.partition_point(|put| put.0 <= at);
    count.checked_sub(1).map(|last| put[last].1)
}

/// What was put into some streams.
fn all(trace: &Trace, order: &Order, mine: impl Fn(u32) -> bool) -> Put {
    let mut put = Put::new();
    for stream in (0..trace.streams.len()).filter(|&stream| mine(narrow(stream))) {
        let passed = |place: usize| {
            let operation = order.sequence[place];
            (order.by[place], Passed { time: trace.operations[operation as usize].end, operation })
        };
        put.extend(order.known(stream).map(passed));
    }
    woven::sort(&mut put);
    for place in 1..put.len() {
        put[place].1 = put[place].1.max(put[place - 1].1);
    }
    put
}

/// What a process ran anywhere, by its ends.
fn of_process(trace: &Trace, process: i64) -> Vec<Passed> {
    let all = trace.operations.iter().zip(0..);
    let own = all.filter(|(own, _)| trace.streams[own.stream as usize].process == process);
    let mut ended: Vec<Passed> = own.map(|(own, place)| Passed { time: own.end, operation: place }).collect();
    woven::sort(&mut ended);
    ended
}
