//! A recorded run as trace events: a process for each device with its streams, and one for each process of the host with
//! its threads; every operation carries its cause.
//!
//! What overlaps within a stream or a thread, or lies within another call, stands in lanes of its own. Times are from the
//! first thing recorded.

use std::collections::BTreeMap;

use base::Nanos;
use kit::export::perfetto::lanes::Lanes;
use kit::export::perfetto::{File, Micros, escaped};
use serde_json::{Map, Value, json};
use traces::{Causes, Trace};

use crate::report::{Told, told};

/// Something that takes time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    Call(u32),
    Operation(u32),
}

/// Where something stands: of its streams or threads which, and in which lane there.
#[derive(Debug, Clone, Copy)]
struct Stands {
    at: i64,
    end: i64,
    what: What,
    line: usize,
    lane: u32,
}

/// A trace for which [`Trace::check`] finds nothing as JSON.
pub fn perfetto(trace: &Trace, title: &str) -> String {
    let causes = Causes::of(trace);
    let operations = trace.operations.iter().map(|own| own.start);
    let origin = operations.chain(trace.calls.iter().map(|call| call.start)).min().unwrap_or(0);
    let since = |time: i64| Nanos(time.abs_diff(origin));
    let (stands, lanes) = lanes(trace, since);
    let tracks = Tracks::of(trace, &lanes);
    let mut file = File::new(300 * stands.len());
    tracks.write(&mut file);
    let begins = trace.operations.first().map_or(0, |own| own.start);
    let all = told(&causes, begins);
    for own in stands {
        let (name, args) = match own.what {
            What::Operation(place) => of_operation(&all[place as usize]),
            What::Call(place) => of_call(&causes, place),
        };
        let (pid, tid) = tracks.place(own.line, own.lane);
        let (start, takes) = (Micros(since(own.at)), Micros(Nanos(own.end.abs_diff(own.at))));
        file.add(format_args!(
            "{{\"name\":\"{}\",\"ph\":\"X\",\"pid\":{pid},\"tid\":{tid},\"ts\":{start},\"dur\":{takes},\"args\":{args}}}",
            if name.is_empty() { "unnamed".to_owned() } else { escaped(&name) }
        ));
    }
    file.done(&[("title", title)])
}

/// Everything by its beginning, with its lane; and how many lanes each line has: streams first, then threads.
fn lanes(trace: &Trace, since: impl Fn(i64) -> Nanos) -> (Vec<Stands>, Vec<u32>) {
    let operations = trace.operations.iter().zip(0..).map(|(own, place)| {
        let (line, what) = (own.stream as usize, What::Operation(place));
        Stands { at: own.start, end: own.end, what, line, lane: 0 }
    });
    let calls = trace.calls.iter().zip(0..).map(|(own, place)| {
        let line = trace.streams.len() + own.thread as usize;
        Stands { at: own.start, end: own.end, what: What::Call(place), line, lane: 0 }
    });
    let mut all: Vec<Stands> = operations.chain(calls).collect();
    all.sort_by_key(|own| (own.at, own.what));
    let mut lines: Vec<Lanes> =
        (0..trace.streams.len() + trace.threads.len()).map(|_| Lanes::default()).collect();
    for own in &mut all {
        own.lane = lines[own.line].take(since(own.at), since(own.end));
    }
    (all, lines.iter().map(Lanes::count).collect())
}

/// Where lines stand: their processes and first threads in the file.
struct Tracks {
    /// By line: the process, and the thread of its first lane.
    lines: Vec<(usize, usize)>,
    /// By process: its name, and the names of its threads.
    processes: Vec<(String, Vec<(usize, String)>)>,
}

impl Tracks {
    fn of(trace: &Trace, lanes: &[u32]) -> Self {
        let mut tracks = Self { lines: Vec::new(), processes: Vec::new() };
        for device in &trace.devices {
            let name = format!("device {} {}", device.number, device.name);
            tracks.processes.push((name.trim_end().to_owned(), Vec::new()));
        }
        for (stream, &count) in trace.streams.iter().zip(lanes) {
            let name = format!("stream {} of context {}", stream.number, stream.context);
            tracks.line(stream.device as usize, &name, count);
        }
        let mut hosts: BTreeMap<i64, usize> = BTreeMap::new();
        for (thread, &count) in trace.threads.iter().zip(&lanes[trace.streams.len()..]) {
            let next = tracks.processes.len();
            let host = *hosts.entry(thread.process).or_insert(next);
            if host == next {
                tracks.processes.push((format!("host process {}", thread.process), Vec::new()));
            }
            let name = format!("thread {} {}", thread.number, thread.name);
            tracks.line(host, name.trim_end(), count);
        }
        tracks
    }

    /// Adds a line with its lanes to a process.
    fn line(&mut self, process: usize, name: &str, count: u32) {
        let threads = &mut self.processes[process].1;
        let first = threads.len() + 1;
        self.lines.push((process, first));
        for lane in 0..count as usize {
            let name = if lane == 0 { name.to_owned() } else { format!("{name}, lane {}", lane + 1) };
            threads.push((first + lane, name));
        }
    }

    fn write(&self, file: &mut File) {
        for (place, (name, threads)) in self.processes.iter().enumerate() {
            file.process(place + 1, place, name, threads);
        }
    }

    /// The process and the thread of a line's lane, which are from 1.
    fn place(&self, line: usize, lane: u32) -> (usize, usize) {
        let (process, first) = self.lines[line];
        (process + 1, first + lane.saturating_sub(1) as usize)
    }
}

/// An operation's name, and why it began when it did.
fn of_operation(own: &Told) -> (String, Value) {
    let mut args = Map::new();
    let mut add = |key: &str, value: Value| {
        if !value.is_null() {
            args.insert(key.to_owned(), value);
        }
    };
    add("id", own.id.into());
    add("kind", own.kind.into());
    add("cause", own.cause.into());
    let witness = own.witness.as_ref();
    add("witness", json!(witness.and_then(|witness| witness.name.as_ref())));
    add("witness_operation", json!(witness.and_then(|witness| witness.operation)));
    add("witness_call", json!(witness.and_then(|witness| witness.call)));
    add("before", json!(own.before));
    add("waited_ns", json!(own.earliest.map(|earliest| own.start.saturating_sub(earliest))));
    add("launching_ns", own.launching.into());
    add("latency_ns", own.latency.into());
    add("unexplained_ns", own.unexplained.into());
    add("bytes", json!(own.bytes));
    add("occupancy", json!(own.occupancy));
    (own.name.clone(), Value::Object(args))
}

/// A call's name, and what it waited for.
fn of_call(causes: &Causes, place: u32) -> (String, Value) {
    let trace = causes.trace;
    let name = trace.names[trace.calls[place as usize].name as usize].clone();
    let waited = causes.awaited(place).map(|operation| &trace.operations[operation as usize]);
    let args = waited.map_or_else(
        || json!({"call": place}),
        |own| json!({"call": place, "waited_for": own.id, "waited_for_name": trace.names[own.name as usize]}),
    );
    (name, args)
}
