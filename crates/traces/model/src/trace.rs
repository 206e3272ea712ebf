//! A run of one or several GPUs as a profiler recorded it: operations on devices, calls on the host, and what ties them.
//!
//! Times are whole nanoseconds of the recording's own clock. Readers keep what a file says: nothing here is inferred, and
//! whatever a file does not say is none. Everything refers to everything else by its place in a list.
//!
//! Invariants, which [`Trace::check`] holds: places exist; operations are sorted by (start, end, id), calls by (start,
//! end), records and waits by the time of their call; no operation or call ends before it begins.

use std::sync::Arc;

/// A profiler's record.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Trace {
    /// What wrote it.
    pub source: Source,
    /// Names of kernels and calls, each once.
    pub names: Vec<String>,
    /// Devices, in the order of their numbers.
    pub devices: Vec<Device>,
    /// Streams, or queues.
    pub streams: Vec<Stream>,
    /// Threads of the host.
    pub threads: Vec<Thread>,
    /// What ran on devices.
    pub operations: Vec<Operation>,
    /// What the host called.
    pub calls: Vec<Call>,
    /// Events recorded into streams.
    pub records: Vec<Record>,
    /// Streams told to wait for events.
    pub waits: Vec<Wait>,
    /// When the device worked for which process, where that was recorded.
    pub slices: Vec<Slice>,
    /// What the file has and this does not, with counts.
    pub left_out: Vec<LeftOut>,
}

/// What wrote a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Source {
    /// Nsight Systems, exported as SQLite.
    #[default]
    Nsight,
    /// The PyTorch profiler.
    Kineto,
    /// rocprofv3.
    Rocprof,
    /// The scheduling examiner.
    Examiner,
}

/// A device. What a file does not say is none.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Device {
    /// Its number in the file.
    pub number: i64,
    /// What it is called.
    pub name: String,
    /// Its limits.
    pub limits: Limits,
}

/// How much a device holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Limits {
    /// Compute capability, major and minor; none on devices that have no such thing.
    pub capability: Option<(u32, u32)>,
    /// Multiprocessors, or compute units.
    pub multiprocessors: Option<u32>,
    /// Threads in a warp, or a wave.
    pub warp: Option<u32>,
    /// Threads that a multiprocessor holds.
    pub threads: Option<u32>,
    /// Blocks that it holds.
    pub blocks: Option<u32>,
    /// Registers that it holds, of 32 bits.
    pub registers: Option<u32>,
    /// Bytes of shared memory that it holds.
    pub shared: Option<u64>,
    /// Bytes of shared memory that a block may ask for at most, opted in.
    pub shared_of_block: Option<u64>,
    /// Bytes of shared memory that the system takes of each block.
    pub shared_reserved: Option<u64>,
}

/// A stream of a context.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Stream {
    /// The device's place.
    pub device: u32,
    /// The process, where several were recorded.
    pub process: i64,
    /// The context's number in the file.
    pub context: i64,
    /// Its number in the file.
    pub number: i64,
    /// Its priority: the smaller, the more urgent.
    pub priority: Option<i64>,
    /// What it waits for beside its own.
    pub kind: StreamKind,
}

/// What a stream waits for beside what was put into it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum StreamKind {
    /// The file does not say.
    #[default]
    Unknown,
    /// The legacy default stream: it and all blocking streams of its context wait for each other.
    Null,
    /// It waits for the null stream, and the null stream for it.
    Blocking,
    /// It waits for no other.
    NonBlocking,
}

/// A thread of the host.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Thread {
    /// Its process.
    pub process: i64,
    /// Its number in the file.
    pub number: i64,
    /// What it is called, if anything.
    pub name: String,
}

/// Something that ran on a device.
#[derive(Debug, Clone, PartialEq)]
pub struct Operation {
    /// Its number: its place in the file among operations, from 0.
    pub id: u32,
    /// The stream's place.
    pub stream: u32,
    /// Its name's place.
    pub name: u32,
    /// When it began.
    pub start: i64,
    /// When it was done.
    pub end: i64,
    /// The call that launched it, by its place; none where that was not recorded.
    pub call: Option<u32>,
    /// Whether it is a node of a graph; all nodes of a graph share one call.
    pub graph_node: bool,
    /// What it is.
    pub kind: Kind,
}

/// What an operation is.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// A kernel; those that were launched alike share what is known of that.
    Kernel(Arc<Shape>),
    /// A copy of so many bytes.
    Copy(Direction, u64),
    /// So many bytes set to a value.
    Set(u64),
}

/// In which direction bytes were copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From the host to the device.
    ToDevice,
    /// From the device to the host.
    ToHost,
    /// Within a device.
    Within,
    /// From another device.
    Between,
    /// On the host, or not said.
    Other,
}

/// How a kernel was launched.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Shape {
    /// Blocks, in three dimensions.
    pub grid: [u32; 3],
    /// Threads of a block.
    pub block: [u32; 3],
    /// Registers of a thread.
    pub registers: Option<u32>,
    /// Bytes of shared memory of a block, static and dynamic together.
    pub shared: Option<u64>,
    /// The profiler's own estimate of its occupancy, from 0 to 1.
    pub estimated: Option<f64>,
    /// Blocks for each multiprocessor, as the profiler says: all blocks divided by their number.
    pub blocks_each: Option<f32>,
    /// The same of warps.
    pub warps_each: Option<f32>,
}

/// A call of the host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// The thread's place.
    pub thread: u32,
    /// Its name's place.
    pub name: u32,
    /// When it began.
    pub start: i64,
    /// When it returned.
    pub end: i64,
    /// What it does.
    pub does: Does,
}

/// What a call does, as far as timing goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Does {
    /// It launches something, or anything else that does not wait by itself.
    Other,
    /// It waits until a stream, by its place, has done what was put into it before.
    AwaitStream(u32),
    /// The same for all streams of a device, by its place.
    AwaitDevice(u32),
    /// It waits until a record, by its place, has been passed.
    AwaitRecord(u32),
    /// It waits for an operation, by its place, that it put there itself.
    AwaitOperation(u32),
    /// It waits, and for what was not recorded: of the process's devices.
    AwaitUnknown,
}

impl Does {
    /// Whether it waits at all.
    pub fn waits(self) -> bool {
        self != Self::Other
    }
}

/// An event recorded into a stream: passed once everything put into the stream before it is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record {
    /// The stream's place.
    pub stream: u32,
    /// The event's number in the file.
    pub event: i64,
    /// The call that recorded it, by its place.
    pub call: Option<u32>,
    /// When it was recorded on the host: the beginning of that call.
    pub at: i64,
}

/// A stream told to wait: what is put into it afterwards waits for a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wait {
    /// The stream's place.
    pub stream: u32,
    /// The record, by its place; none where it was not recorded.
    pub record: Option<u32>,
    /// The call that told it so, by its place.
    pub call: Option<u32>,
    /// When, on the host: the beginning of that call.
    pub at: i64,
}

/// A stretch in which a device worked for a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slice {
    /// The device's place.
    pub device: u32,
    /// The process.
    pub process: i64,
    /// From when.
    pub start: i64,
    /// Until when.
    pub end: i64,
}

/// What of a file is not in the trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// What it is, in words.
    pub what: String,
    /// How many there were.
    pub count: u64,
}

impl Operation {
    /// How long it took.
    pub fn nanos(&self) -> u64 {
        self.end.abs_diff(self.start)
    }
}

impl Trace {
    /// What is wrong with it, if anything: readers are tested with this.
    pub fn check(&self) -> Result<(), String> {
        let fits = |what: &str, place: u32, length: usize| {
            if (place as usize) < length { Ok(()) } else { Err(format!("{what} {place} of {length}")) }
        };
        for stream in &self.streams {
            fits("device", stream.device, self.devices.len())?;
        }
        for operation in &self.operations {
            fits("stream", operation.stream, self.streams.len())?;
            fits("name", operation.name, self.names.len())?;
            operation.call.map_or(Ok(()), |call| fits("call", call, self.calls.len()))?;
            if operation.end < operation.start {
                return Err(format!("operation {} ends before it begins", operation.id));
            }
        }
        for call in &self.calls {
            fits("thread", call.thread, self.threads.len())?;
            fits("name", call.name, self.names.len())?;
            if call.end < call.start {
                return Err(format!("a call ends before it begins, at {}", call.start));
            }
            match call.does {
                Does::AwaitStream(stream) => fits("stream", stream, self.streams.len())?,
                Does::AwaitDevice(device) => fits("device", device, self.devices.len())?,
                Does::AwaitRecord(record) => fits("record", record, self.records.len())?,
                Does::AwaitOperation(operation) => fits("operation", operation, self.operations.len())?,
                Does::Other | Does::AwaitUnknown => {}
            }
        }
        for record in &self.records {
            fits("stream", record.stream, self.streams.len())?;
            record.call.map_or(Ok(()), |call| fits("call", call, self.calls.len()))?;
        }
        for wait in &self.waits {
            fits("stream", wait.stream, self.streams.len())?;
            wait.record.map_or(Ok(()), |record| fits("record", record, self.records.len()))?;
            wait.call.map_or(Ok(()), |call| fits("call", call, self.calls.len()))?;
        }
        for slice in &self.slices {
            fits("device", slice.device, self.devices.len())?;
        }
        let sorted =
            self.operations.is_sorted_by_key(|operation| (operation.start, operation.end, operation.id))
                && self.calls.is_sorted_by_key(|call| (call.start, call.end))
                && self.records.is_sorted_by_key(|record| record.at)
                && self.waits.is_sorted_by_key(|wait| wait.at);
        if sorted { Ok(()) } else { Err("not in order".to_owned()) }
    }
}
