//! Random traces: half of them anything that a valid trace may be, half as a device would have it.
//!
//! Among the former: overlaps within streams, calls that are missing, shared by nodes of a graph, nested and overlapping
//! on a thread, operations of no length, records after waits, clocks that differ, equal times, times beyond 2^53.

use base::Seeded;

use crate::trace::{
    Call, Device, Direction, Does, Kind, Limits, Operation, Record, Shape, Slice, Stream, StreamKind, Thread,
    Trace, Wait,
};

/// Draws.
pub struct Draw(pub Seeded);

impl Draw {
    pub fn below(&mut self, bound: usize) -> usize {
        self.0.below(u32::try_from(bound).unwrap()) as usize
    }

    pub fn place(&mut self, bound: usize) -> u32 {
        u32::try_from(self.below(bound)).unwrap()
    }

    pub fn time(&mut self, bound: i64) -> i64 {
        i64::from(self.0.below(u32::try_from(bound).unwrap()))
    }

    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

/// The trace of a number.
pub fn trace(number: u64) -> Trace {
    let mut draw = Draw(Seeded::new(number, 7));
    let mut trace = ground(&mut draw);
    if number.is_multiple_of(2) {
        anything(&mut draw, &mut trace);
    } else {
        plausible(&mut draw, &mut trace);
    }
    let shift = [0, 1 << 54, -5_000, (1 << 61) + 3][draw.below(4)];
    shifted(&mut trace, shift);
    trace.check().unwrap();
    trace
}

fn shifted(trace: &mut Trace, by: i64) {
    trace.operations.iter_mut().for_each(|own| (own.start, own.end) = (own.start + by, own.end + by));
    trace.calls.iter_mut().for_each(|own| (own.start, own.end) = (own.start + by, own.end + by));
    trace.slices.iter_mut().for_each(|own| (own.start, own.end) = (own.start + by, own.end + by));
    trace.records.iter_mut().for_each(|own| own.at += by);
    trace.waits.iter_mut().for_each(|own| own.at += by);
}

/// Devices, streams, threads.
fn ground(draw: &mut Draw) -> Trace {
    let limits = Limits {
        capability: Some((8, 0)),
        multiprocessors: Some(2),
        warp: Some(32),
        threads: Some(128),
        blocks: Some(4),
        registers: Some(65_536),
        shared: Some(8192),
        ..Limits::default()
    };
    let devices = 1 + draw.below(2);
    let kinds = [StreamKind::Unknown, StreamKind::Null, StreamKind::Blocking, StreamKind::NonBlocking];
    let stream = |number: usize, draw: &mut Draw| Stream {
        device: draw.place(devices),
        process: draw.time(2),
        context: draw.time(4) / 3,
        number: i64::try_from(number).unwrap(),
        priority: None,
        kind: if draw.one_in(2) { StreamKind::Blocking } else { kinds[draw.below(4)] },
    };
    Trace {
        names: (0..4).map(|name| format!("name {name}")).collect(),
        devices: (0..devices).map(|_| Device { limits, ..Device::default() }).collect(),
        streams: (0..1 + draw.below(5)).map(|number| stream(number, draw)).collect(),
        threads: (0..1 + draw.below(3))
            .map(|_| Thread { process: draw.time(2), ..Thread::default() })
            .collect(),
        ..Trace::default()
    }
}

fn kind(draw: &mut Draw) -> Kind {
    let directions = [Direction::ToDevice, Direction::ToHost, Direction::Within];
    match draw.below(6) {
        0 => Kind::Set(1),
        1 | 2 => Kind::Copy(directions[draw.below(3)], 1),
        _ => Kind::Kernel(
            Shape {
                grid: [1 + draw.place(20), 1, 1],
                block: [32 * (1 + draw.place(4)), 1, 1],
                registers: (!draw.one_in(4)).then_some(16),
                shared: Some(1024 * draw.below(4) as u64),
                ..Shape::default()
            }
            .into(),
        ),
    }
}

fn does(draw: &mut Draw, trace: &Trace) -> Does {
    match draw.below(10) {
        0 => Does::AwaitStream(draw.place(trace.streams.len())),
        1 => Does::AwaitDevice(draw.place(trace.devices.len())),
        2 => Does::AwaitUnknown,
        4 if !trace.operations.is_empty() => Does::AwaitOperation(draw.place(trace.operations.len())),
        3 if !trace.records.is_empty() => Does::AwaitRecord(draw.place(trace.records.len())),
        _ => Does::Other,
    }
}

fn anything(draw: &mut Draw, trace: &mut Trace) {
    let span = 20 + draw.time(120);
    for _ in 0..draw.below(30) {
        let (thread, start) = (draw.place(trace.threads.len()), draw.time(span));
        let end = start + draw.time(1 + span / 4);
        trace.calls.push(Call { thread, name: draw.place(4), start, end, does: Does::Other });
    }
    trace.calls.sort_by_key(|call| (call.start, call.end));
    let call = |draw: &mut Draw, trace: &Trace| {
        (!trace.calls.is_empty() && !draw.one_in(4)).then(|| draw.place(trace.calls.len()))
    };
    for _ in 0..draw.below(6) {
        let call = call(draw, trace);
        let at = call.map_or(draw.time(span), |call| trace.calls[call as usize].start);
        trace.records.push(Record { stream: draw.place(trace.streams.len()), event: 0, call, at });
    }
    trace.records.sort_by_key(|record| record.at);
    for _ in 0..draw.below(6) {
        let call = call(draw, trace);
        let at = call.map_or(draw.time(span), |call| trace.calls[call as usize].start);
        let record = (!trace.records.is_empty()).then(|| draw.place(trace.records.len()));
        trace.waits.push(Wait { stream: draw.place(trace.streams.len()), record, call, at });
    }
    trace.waits.sort_by_key(|wait| wait.at);
    for id in 0..draw.below(25) {
        let (stream, start) = (draw.place(trace.streams.len()), draw.time(span));
        let end = start + draw.time(12) * draw.time(2);
        let (call, kind) = (call(draw, trace), kind(draw));
        let graph_node = draw.one_in(3);
        trace.operations.push(Operation {
            id: id as u32,
            stream,
            name: draw.place(4),
            start,
            end,
            call,
            graph_node,
            kind,
        });
    }
    trace.operations.sort_by_key(|own| (own.start, own.end, own.id));
    for place in 0..trace.calls.len() {
        trace.calls[place].does = does(draw, trace);
    }
    for _ in 0..draw.below(2) * draw.below(8) {
        let start = draw.time(span);
        let (device, process) = (draw.place(trace.devices.len()), draw.time(2));
        trace.slices.push(Slice { device, process, start, end: start + draw.time(20) });
    }
}

/// Threads launch into streams that run in order, a wait now and then; the device's clock may be off.
fn plausible(draw: &mut Draw, trace: &mut Trace) {
    let skew = [0, 0, -3, 2][draw.below(4)];
    let mut free = vec![0i64; trace.streams.len()];
    let mut now = vec![0i64; trace.threads.len()];
    let mut launched: Vec<(i64, i64)> = Vec::new();
    let mut events: Vec<(bool, u32, i64)> = Vec::new();
    for id in 0..draw.below(40) {
        let thread = draw.below(trace.threads.len());
        let start = now[thread] + draw.time(6);
        let stream = draw.place(trace.streams.len());
        if draw.one_in(6) {
            events.push((true, stream, start));
        } else if draw.one_in(3)
            && let Some(&(_, other, _)) = events.iter().rev().find(|event| event.0 && event.2 <= start)
        {
            events.push((false, stream, start));
            free[stream as usize] = free[stream as usize].max(free[other as usize]);
        }
        let (end, does) = match draw.below(4) {
            0 => (start.max(free[stream as usize]) + 1 + draw.time(3), Does::AwaitStream(stream)),
            _ => (start + 1 + draw.time(4), Does::Other),
        };
        if does == Does::Other {
            for node in 0..1 + draw.below(3) * draw.below(2) * draw.below(2) {
                let begin =
                    free[stream as usize].max(start + 1) + 1 + draw.time(2) + 30 * i64::from(draw.one_in(20));
                let over = begin + draw.time(15);
                free[stream as usize] = over;
                let (call, graph_node) = (Some(launched.len() as u32), node > 0);
                let (start, end, kind) = (begin + skew, over + skew, kind(draw));
                let operation =
                    Operation { id: id as u32, stream, name: 0, start, end, call, graph_node, kind };
                trace.operations.push(operation);
            }
        }
        launched.push((start, end));
        trace.calls.push(Call { thread: thread as u32, name: draw.place(4), start, end, does });
        now[thread] = end;
    }
    let mut places: Vec<u32> = (0..trace.calls.len() as u32).collect();
    places.sort_by_key(|&place| (launched[place as usize], place));
    let mut moved = vec![0; places.len()];
    (0..).zip(&places).for_each(|(now, &before)| moved[before as usize] = now);
    trace.calls = places.iter().map(|&place| trace.calls[place as usize].clone()).collect();
    trace.operations.iter_mut().for_each(|own| own.call = own.call.map(|call| moved[call as usize]));
    trace.operations.sort_by_key(|own| (own.start, own.end, own.id));
    (0..).zip(&mut trace.operations).for_each(|(id, own)| own.id = id);
    events.sort_by_key(|event| event.2);
    for (records, stream, at) in events {
        if records {
            trace.records.push(Record { stream, event: 0, call: None, at });
        } else {
            let record = (trace.records.len() as u32).checked_sub(1);
            trace.waits.push(Wait { stream, record, call: None, at });
        }
    }
}
