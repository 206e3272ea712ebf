//! Several recordings of one run made one.
//!
//! Each has devices, streams and threads of its own, even if their numbers are the same: nothing says that they are the
//! same things. Only the examiner's logs share one device, as all of a run do: it writes one for each stream. Times are left
//! as they are: whoever recorded them must have had one clock. Where the times of one lie apart from those of all others,
//! that is told. Numbers of operations go on from one recording to the next.

use std::collections::HashMap;

use crate::order::narrow;
use crate::trace::{Does, LeftOut, Source, Trace};

/// One recording of all of them, in this order.
pub fn join(mut all: Vec<Trace>) -> Trace {
    if all.len() == 1 {
        return all.swap_remove(0);
    }
    let mut whole =
        Trace { source: all.first().map(|first| first.source).unwrap_or_default(), ..Trace::default() };
    let apart = apart(&all);
    let mut known: HashMap<String, u32> = HashMap::new();
    let mut logged = None;
    for trace in all {
        let mut at = Places::of(&whole);
        if trace.source == Source::Examiner && trace.devices.len() == 1 {
            at.devices = *logged.get_or_insert(at.devices);
        }
        let mut name = |text: String| {
            *known.entry(text).or_insert_with_key(|text| {
                whole.names.push(text.clone());
                narrow(whole.names.len() - 1)
            })
        };
        let names: Vec<u32> = trace.names.into_iter().map(&mut name).collect();
        // Of logs after the first, their device is there.
        whole.devices.extend(trace.devices.into_iter().skip(whole.devices.len() - at.devices as usize));
        whole.threads.extend(trace.threads);
        for mut stream in trace.streams {
            stream.device += at.devices;
            whole.streams.push(stream);
        }
        for mut own in trace.operations {
            own.id += at.operations;
            own.stream += at.streams;
            own.name = names[own.name as usize];
            own.call = own.call.map(|call| call + at.calls);
            whole.operations.push(own);
        }
        for mut own in trace.calls {
            own.thread += at.threads;
            own.name = names[own.name as usize];
            own.does = match own.does {
                Does::AwaitStream(stream) => Does::AwaitStream(stream + at.streams),
                Does::AwaitDevice(device) => Does::AwaitDevice(device + at.devices),
                Does::AwaitRecord(record) => Does::AwaitRecord(record + at.records),
                Does::AwaitOperation(operation) => Does::AwaitOperation(operation + at.operations),
                same @ (Does::Other | Does::AwaitUnknown) => same,
            };
            whole.calls.push(own);
        }
        for mut own in trace.records {
            own.stream += at.streams;
            own.call = own.call.map(|call| call + at.calls);
            whole.records.push(own);
        }
        for mut own in trace.waits {
            own.stream += at.streams;
            own.record = own.record.map(|record| record + at.records);
            own.call = own.call.map(|call| call + at.calls);
            whole.waits.push(own);
        }
        for mut own in trace.slices {
            own.device += at.devices;
            whole.slices.push(own);
        }
        for left in trace.left_out {
            match whole.left_out.iter_mut().find(|known| known.what == left.what) {
                Some(known) => known.count = known.count.saturating_add(left.count),
                None => whole.left_out.push(left),
            }
        }
    }
    if apart > 0 {
        let what =
            "recordings whose times lie apart from those of all others: of another clock, or another run";
        whole.left_out.push(LeftOut { what: what.to_owned(), count: apart });
    }
    sorted(whole)
}

/// How many recordings lie apart from all others in time.
fn apart(all: &[Trace]) -> u64 {
    let span = |trace: &Trace| {
        let operations = trace.operations.iter().map(|own| (own.start, own.end));
        let times = operations.chain(trace.calls.iter().map(|own| (own.start, own.end)));
        times.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)))
    };
    let spans: Vec<(i64, i64)> = all.iter().filter_map(span).collect();
    let meets = |one: &(i64, i64), other: &(i64, i64)| one.0 <= other.1 && other.0 <= one.1;
    let alone = |(place, one): &(usize, &(i64, i64))| {
        spans.iter().enumerate().all(|(other, span)| other == *place || !meets(one, span))
    };
    if spans.len() < 2 { 0 } else { spans.iter().enumerate().filter(alone).count() as u64 }
}

/// How much of each there is so far.
struct Places {
    devices: u32,
    streams: u32,
    threads: u32,
    operations: u32,
    calls: u32,
    records: u32,
}

impl Places {
    fn of(trace: &Trace) -> Self {
        Self {
            devices: narrow(trace.devices.len()),
            streams: narrow(trace.streams.len()),
            threads: narrow(trace.threads.len()),
            operations: narrow(trace.operations.len()),
            calls: narrow(trace.calls.len()),
            records: narrow(trace.records.len()),
        }
    }
}

/// The same in the order that a trace has.
fn sorted(mut trace: Trace) -> Trace {
    let calls = sort(&mut trace.calls, |call| (call.start, call.end));
    let records = sort(&mut trace.records, |record| record.at);
    sort(&mut trace.waits, |wait| wait.at);
    let operations = sort(&mut trace.operations, |own| (own.start, own.end, own.id));
    let call = |own: &mut Option<u32>| *own = own.map(|place| calls[place as usize]);
    trace.operations.iter_mut().for_each(|own| call(&mut own.call));
    trace.records.iter_mut().for_each(|own| call(&mut own.call));
    trace.waits.iter_mut().for_each(|own| {
        call(&mut own.call);
        own.record = own.record.map(|place| records[place as usize]);
    });
    for own in &mut trace.calls {
        match &mut own.does {
            Does::AwaitRecord(record) => *record = records[*record as usize],
            Does::AwaitOperation(operation) => *operation = operations[*operation as usize],
            Does::Other | Does::AwaitStream(_) | Does::AwaitDevice(_) | Does::AwaitUnknown => {}
        }
    }
    trace
}

/// Sorts a list, and says where each item went.
fn sort<T, K: Ord>(all: &mut Vec<T>, key: impl Fn(&T) -> K) -> Vec<u32> {
    let mut tagged: Vec<(usize, T)> = std::mem::take(all).into_iter().enumerate().collect();
    tagged.sort_by_key(|(_, item)| key(item));
    let mut went = vec![0; tagged.len()];
    for (to, (from, _)) in tagged.iter().enumerate() {
        went[*from] = narrow(to);
    }
    all.extend(tagged.into_iter().map(|(_, item)| item));
    went
}
