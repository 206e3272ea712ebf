//! What each waiting call of the host waited for: the last to end of the operations that it certainly waited for.
//!
//! 1. A call that waits for a stream or a device waits for what was certainly put there before it began; of a device,
//!    for the streams of the thread's own process.
//! 2. A call that waits for a record waits for what that follows, if it was made no later than the call.
//! 3. Of a call of which the file does not say what it waits for, it is the operation of its process that ended last
//!    before it returned, if that ended during the call, and was put there before it or by it.

use std::collections::BTreeMap;

use crate::events::{Events, Passed};
use crate::order::{NONE, Order, narrow};
use crate::trace::{Does, Trace};

/// Operations by when they were certainly put there, with the last end of all up to each.
type Put = Vec<(i64, Passed)>;

/// For each call the operation that it waited for, or none.
pub fn waited(trace: &Trace, order: &Order, events: &Events) -> Vec<u32> {
    let mut devices: BTreeMap<(u32, i64), Put> = BTreeMap::new();
    let mut processes: BTreeMap<i64, Vec<Passed>> = BTreeMap::new();
    let mut waited = vec![NONE; trace.calls.len()];
    for (place, call) in trace.calls.iter().enumerate() {
        let process = trace.threads[call.thread as usize].process;
        let passed = match call.does {
            Does::Other => None,
            Does::AwaitStream(stream) => order.put_by(stream, call.start).map(|put| {
                let operation = order.last[put as usize];
                Passed { time: order.done(trace, put), operation }
            }),
            Does::AwaitDevice(device) => {
                let put = devices
                    .entry((device, process))
                    .or_insert_with(|| of_device(trace, order, device, process));
                let count = put.partition_point(|put| put.0 <= call.start);
                count.checked_sub(1).map(|last| put[last].1)
            }
            Does::AwaitRecord(record) => {
                let made = trace.records[record as usize].at <= call.start;
                events.record[record as usize].filter(|_| made)
            }
            Does::AwaitUnknown => {
                let ended = processes.entry(process).or_insert_with(|| of_process(trace, process));
                let count = ended.partition_point(|passed| passed.time <= call.end);
                let last = count.checked_sub(1).map(|last| ended[last]);
                last.filter(|last| {
                    last.time > call.start && (certain(order, last, call.start) || by(trace, last, place))
                })
            }
        };
        waited[place] = passed.map_or(NONE, |passed| passed.operation);
    }
    waited
}

fn certain(order: &Order, passed: &Passed, start: i64) -> bool {
    order.by[order.place[passed.operation as usize] as usize] <= start
}

fn by(trace: &Trace, passed: &Passed, call: usize) -> bool {
    trace.operations[passed.operation as usize].call == Some(narrow(call))
}

/// What a process put on a device.
fn of_device(trace: &Trace, order: &Order, device: u32, process: i64) -> Put {
    let mut put = Put::new();
    for (place, (&operation, &by)) in order.sequence.iter().zip(&order.by).enumerate() {
        let stream = &trace.streams[trace.operations[operation as usize].stream as usize];
        if stream.device == device && stream.process == process && by < i64::MAX {
            debug_assert_eq!(order.place[operation as usize] as usize, place);
            put.push((by, Passed { time: trace.operations[operation as usize].end, operation }));
        }
    }
    put.sort_unstable();
    for place in 1..put.len() {
        put[place].1 = put[place].1.max(put[place - 1].1);
    }
    put
}

/// What a process ran anywhere, by its ends.
fn of_process(trace: &Trace, process: i64) -> Vec<Passed> {
    let own = |passed: &Passed| {
        let stream = trace.operations[passed.operation as usize].stream;
        trace.streams[stream as usize].process == process
    };
    let all = trace
        .operations
        .iter()
        .zip(0..)
        .map(|(operation, place)| Passed { time: operation.end, operation: place });
    let mut ended: Vec<Passed> = all.filter(own).collect();
    ended.sort_unstable();
    ended
}
