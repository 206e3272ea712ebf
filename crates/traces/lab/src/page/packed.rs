//! A recorded run as it crosses from the worker that has read it to the page that shows it: bars in rows, as columns.
//!
//! Times are nanoseconds from the first thing recorded, be it an operation or a call; they stay whole in 64-bit floating
//! point for a hundred days. Bars of a row are sorted by their starts.

use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;

use super::says::gpus;
use crate::report::{Idle, name_of};
use traces::trace::{Does, Kind, Trace};
use traces::{Cause, Causes};

/// No name.
pub const NONE: u32 = u32::MAX;

/// What a row is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Lane {
    /// The time in which a device did nothing, by cause.
    Idle,
    /// What ran in a stream.
    Stream,
    /// What had run there, beside the same as changed.
    Was,
    /// What a thread of the host called.
    Thread,
}

/// A row, and where its bars are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// What it is of.
    pub lane: Lane,
    /// The device, by its place; none for threads.
    pub device: Option<u32>,
    /// What it is called.
    pub label: String,
    /// The place of its first bar.
    pub first: u32,
    /// How many bars it has.
    pub count: u32,
}

/// The run.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Packed {
    /// When the last thing recorded ended.
    pub end: f64,
    /// When the first operation began: reports count from there.
    pub begins: f64,
    /// Names of kernels and calls.
    pub names: Vec<String>,
    /// Names of devices.
    pub devices: Vec<String>,
    /// Rows from top to bottom.
    pub rows: Vec<Row>,
    /// When each bar begins: 8 bytes each, the low one first.
    pub starts: ByteBuf,
    /// When each ends.
    pub ends: ByteBuf,
    /// The name of each; of idle time, that of who is to blame: 4 bytes each.
    pub texts: ByteBuf,
    /// What each is about: an operation, a call, and of idle time the operation that ended it, by their places.
    pub ids: ByteBuf,
    /// Of each operation whether it is a kernel (0), a copy (1) or a set (2); of each call whether it launches (2), waits
    /// (1) or neither (0); the cause of idle time.
    pub kinds: ByteBuf,
}

impl Packed {
    /// Of a run whose causes are known.
    pub fn of(causes: &Causes) -> Self {
        Self::with_idle(causes).0
    }

    /// The same, and where the idle time went: both take one walk over all operations.
    pub fn with_idle(causes: &Causes) -> (Self, Idle) {
        let trace = causes.trace;
        let begins = Self::origin(trace);
        let mut gaps: Vec<Packing> =
            trace.devices.iter().map(|_| Packing { begins, ..Packing::default() }).collect();
        for (device, gaps) in (0..).zip(&mut gaps) {
            let own = trace.streams.iter().enumerate().filter(|(_, stream)| stream.device == device);
            // About as many as operations.
            gaps.packed.expect(own.map(|(stream, _)| causes.order.of_stream(stream).len()).sum());
        }
        let idle = Idle::of(causes, &mut |device, part| {
            let name = name_of(trace, part.witness).unwrap_or(NONE);
            gaps[device as usize].bar((part.start, part.end), name, part.cause as u8, part.ended_by);
        });
        let gaps: Vec<Self> = gaps.into_iter().map(|gaps| gaps.packed).collect();
        (Self::with_gaps(causes, &gaps), idle)
    }

    /// With the bars of the time in which each device was idle.
    fn with_gaps(causes: &Causes, gaps: &[Self]) -> Self {
        let trace = causes.trace;
        let first = trace.operations.first().map(|own| own.start);
        let begins = Self::origin(trace);
        let mut packing = Packing { begins, ..Packing::default() };
        let of_threads: usize = causes.host.stretches.iter().map(Vec::len).sum();
        let of_devices: usize = gaps.iter().map(|gaps| gaps.kinds.len()).sum();
        packing.packed.expect(of_devices + trace.operations.len() + of_threads);
        packing.packed.names.clone_from(&trace.names);
        packing.packed.devices = trace.devices.iter().map(|device| device.name.clone()).collect();
        packing.packed.begins = packing.time(first.unwrap_or(begins));
        let streams: Vec<&[u32]> =
            (0..trace.streams.len()).map(|stream| causes.order.of_stream(stream)).collect();
        let ran = |device: u32| {
            let mut all = streams.iter().zip(&trace.streams);
            all.any(|(operations, stream)| stream.device == device && !operations.is_empty())
        };
        let devices: Vec<u32> =
            (0..).zip(&trace.devices).map(|(device, _)| device).filter(|&one| ran(one)).collect();
        let numbers: Vec<i64> = devices.iter().map(|&device| trace.devices[device as usize].number).collect();
        for (device, name) in devices.into_iter().zip(gpus(&numbers)) {
            packing.row(Lane::Idle, Some(device), format!("{name} idle"), |bars| {
                bars.packed.append(&gaps[device as usize]);
            });
            for (place, stream) in trace.streams.iter().enumerate() {
                if stream.device == device && !streams[place].is_empty() {
                    let label = format!("stream {}", stream.number);
                    packing.row(Lane::Stream, Some(device), label, |bars| {
                        for &place in streams[place] {
                            let own = &trace.operations[place as usize];
                            bars.bar((own.start, own.end), own.name, kind(&own.kind), place);
                        }
                    });
                }
            }
        }
        let mut launches = vec![false; trace.calls.len()];
        for call in trace.operations.iter().filter_map(|own| own.call) {
            launches[call as usize] = true;
        }
        for (place, thread) in trace.threads.iter().enumerate() {
            let stretches = &causes.host.stretches[place];
            if stretches.is_empty() {
                continue;
            }
            let label = if thread.name.is_empty() {
                format!("thread {}", thread.number)
            } else {
                thread.name.clone()
            };
            packing.row(Lane::Thread, None, label, |bars| {
                for stretch in stretches {
                    let call = &trace.calls[stretch.call as usize];
                    let kind = match call.does {
                        Does::Other => 2 * u8::from(launches[stretch.call as usize]),
                        _ => 1,
                    };
                    bars.bar((stretch.start, stretch.end), call.name, kind, stretch.call);
                }
            });
        }
        packing.packed
    }
}

impl Packed {
    /// Makes room for so many bars: columns grow without it, too, but are copied each time.
    fn expect(&mut self, count: usize) {
        self.starts.reserve(8 * count);
        self.ends.reserve(8 * count);
        self.texts.reserve(4 * count);
        self.ids.reserve(4 * count);
        self.kinds.reserve(count);
    }

    /// Adds a bar to the row that is packed.
    pub(super) fn push(&mut self, (start, end): (f64, f64), text: u32, kind: u8, id: u32) {
        self.end = self.end.max(end);
        self.starts.extend_from_slice(&start.to_le_bytes());
        self.ends.extend_from_slice(&end.to_le_bytes());
        self.texts.extend_from_slice(&text.to_le_bytes());
        self.ids.extend_from_slice(&id.to_le_bytes());
        self.kinds.push(kind);
    }

    /// Adds the bars of another one.
    fn append(&mut self, other: &Self) {
        self.end = self.end.max(other.end);
        self.starts.extend_from_slice(&other.starts);
        self.ends.extend_from_slice(&other.ends);
        self.texts.extend_from_slice(&other.texts);
        self.ids.extend_from_slice(&other.ids);
        self.kinds.extend_from_slice(&other.kinds);
    }

    /// When the first thing was recorded: the page's axis begins there.
    pub fn origin(trace: &Trace) -> i64 {
        let first = trace.operations.first().map(|own| own.start);
        first.into_iter().chain(trace.calls.first().map(|call| call.start)).min().unwrap_or(0)
    }
}

fn kind(kind: &Kind) -> u8 {
    match kind {
        Kind::Kernel(_) => 0,
        Kind::Copy(..) => 1,
        Kind::Set(_) => 2,
    }
}

/// The cause of a bar of idle time.
pub fn cause(kind: u8) -> Cause {
    Cause::ALL.get(usize::from(kind)).copied().unwrap_or(Cause::Unexplained)
}

/// A run being packed.
#[derive(Default)]
struct Packing {
    begins: i64,
    packed: Packed,
}

impl Packing {
    fn time(&self, nanos: i64) -> f64 {
        nanos.saturating_sub(self.begins) as f64
    }

    fn row(&mut self, lane: Lane, device: Option<u32>, label: String, fill: impl FnOnce(&mut Self)) {
        let first = self.packed.kinds.len();
        fill(self);
        let count = self.packed.kinds.len() - first;
        let narrow = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        self.packed.rows.push(Row { lane, device, label, first: narrow(first), count: narrow(count) });
    }

    fn bar(&mut self, (start, end): (i64, i64), text: u32, kind: u8, id: u32) {
        let (start, end) = (self.time(start), self.time(end));
        self.packed.push((start, end), text, kind, id);
    }
}
