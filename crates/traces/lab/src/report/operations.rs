//! Every operation of a run: when it could have started, what it waited for, and who is to blame.

use serde::Serialize;

use traces::Causes;
use traces::cause::{Cause, Witness};
use traces::chain::{Before, Link, link};
use traces::estimate::{Differs, each_agree, estimate};
use traces::occupancy::{Resource, occupancy};
use traces::trace::{Direction, Kind, Limits, Shape, Trace};

/// An operation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Told {
    /// Its number: its place in the file among operations, from 0.
    pub id: u32,
    /// The device's number.
    pub device: i64,
    /// The stream's number.
    pub stream: i64,
    /// `kernel`, `copy` or `set`.
    pub kind: &'static str,
    /// What it is called.
    pub name: String,
    /// When it began.
    pub start: i64,
    /// When it was done.
    pub end: i64,
    /// When everything known permitted its start; null where nothing is known.
    pub earliest: Option<i64>,
    /// What it waited for last.
    pub cause: &'static str,
    /// Who is to blame.
    pub witness: Option<Blame>,
    /// What the launching thread did before, if the launch was binding.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<Earlier>,
    /// How much of `start - earliest` its launching call took.
    pub launching: u64,
    /// How much of it is the device's own latency.
    pub latency: u64,
    /// How much of it nothing explains.
    pub unexplained: u64,
    /// In which direction bytes were copied.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub direction: Option<&'static str>,
    /// Bytes copied or set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// How a kernel fills the device, where its limits are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub occupancy: Option<Fills>,
}

/// Who or what is to blame.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Blame {
    /// An operation, by its number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operation: Option<u32>,
    /// A call, by its place in time among calls, from 0; of an event, that which told the stream to wait.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<u32>,
    /// Of an event, the call that recorded it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<u32>,
    /// The name of the operation or, without one, of the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What there was not enough of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lacking: Option<&'static str>,
    /// The process that had the device.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub process: Option<i64>,
}

/// How a kernel fills a device.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Fills {
    /// Blocks that a multiprocessor holds.
    pub blocks: u64,
    /// Warps held, of those that a multiprocessor can hold.
    pub share: Option<f64>,
    /// What permits no more.
    pub limited_by: Vec<&'static str>,
    /// Whether every limit and need was known.
    pub complete: bool,
    /// Blocks with one register less a thread.
    pub with_a_register_less: u64,
    /// Blocks with 1 KiB of shared memory less.
    pub with_a_kibibyte_less: u64,
    /// The most registers of a thread with which one more block fits, if any do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub registers_for_more: Option<u32>,
    /// The most bytes of shared memory with which one more block fits, if any do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shared_for_more: Option<u64>,
    /// Waves, if the number of multiprocessors is known.
    pub waves: Option<u64>,
    /// How much of the device the last wave fills.
    pub last_wave: Option<f64>,
    /// The profiler's own figure, where the file has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub profiler: Option<Profiler>,
}

/// A profiler's own figure of occupancy.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Profiler {
    /// What it says, from 0 to 1.
    pub share: f64,
    /// What is reckoned here as the profiler reckons.
    pub reckoned: f64,
    /// Why it is not `share` of the occupancy: `equal` if it is, `few-blocks`, `part-warps`, `opted-in`, `unexplained`.
    pub compared: &'static str,
    /// Whether its blocks and warps for each multiprocessor are those of the device and the launch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub each_agree: Option<bool>,
}

/// What the thread of a late launch did most of the time before it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Earlier {
    /// `waited`: it was in a call that waited for an operation; `called`: in another call; `unrecorded`: in none.
    pub did: &'static str,
    /// The call, by its place in time among calls, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<u32>,
    /// The call's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The number of the operation that it waited for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operation: Option<u32>,
    /// For how long.
    pub took: u64,
    /// Of how long: from when all else had permitted the operation until its launch.
    pub of: u64,
    /// What it had waited for last, if it was in no call after that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<Awaited>,
}

/// A call that waited for an operation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Awaited {
    /// The call, by its place in time among calls, from 0.
    pub call: u32,
    /// The call's name.
    pub name: String,
    /// The operation's number.
    pub operation: u32,
}

/// All operations, in order of their starts.
pub fn told(causes: &Causes, begins: i64) -> Vec<Told> {
    (0..).zip(&causes.trace.operations).map(|(place, _)| one(causes, place, begins)).collect()
}

fn one(causes: &Causes, place: u32, begins: i64) -> Told {
    let trace = causes.trace;
    let (own, why) = (&trace.operations[place as usize], causes.why[place as usize]);
    let stream = &trace.streams[own.stream as usize];
    let device = &trace.devices[stream.device as usize];
    let (kind, direction, bytes, fills) = match &own.kind {
        Kind::Kernel(shape) => ("kernel", None, None, fills_of(shape, &device.limits)),
        Kind::Copy(direction, bytes) => ("copy", Some(direction_of(*direction)), Some(*bytes), None),
        Kind::Set(bytes) => ("set", None, Some(*bytes), None),
    };
    Told {
        id: own.id,
        device: device.number,
        stream: stream.number,
        kind,
        name: trace.names[own.name as usize].clone(),
        start: own.start.saturating_sub(begins),
        end: own.end.saturating_sub(begins),
        earliest: why.earliest.map(|earliest| earliest.saturating_sub(begins)),
        cause: why.cause.name(),
        witness: blame(trace, causes.witness(place)),
        before: (why.cause == Cause::Launch).then(|| earlier(causes, place)).flatten(),
        launching: why.launching,
        latency: why.latency,
        unexplained: why.unexplained,
        direction,
        bytes,
        occupancy: fills,
    }
}

fn blame(trace: &Trace, witness: Witness) -> Option<Blame> {
    let operation = |place: u32| Some(trace.operations[place as usize].id);
    let name = name_of(trace, witness).map(|name| trace.names[name as usize].clone());
    Some(match witness {
        Witness::Nothing => return None,
        Witness::Call(call) => Blame { call: Some(call), name, ..Blame::default() },
        Witness::Operation(place) => Blame { operation: operation(place), name, ..Blame::default() },
        Witness::Event { operation: place, wait } => {
            let wait = trace.waits[wait as usize];
            let record = wait.record.and_then(|record| trace.records[record as usize].call);
            Blame { operation: operation(place), call: wait.call, record, name, ..Blame::default() }
        }
        Witness::Waited { call, operation: place } => {
            Blame { operation: operation(place), call: Some(call), name, ..Blame::default() }
        }
        Witness::Held { operation: place, lacking } => {
            let lacking = Some(resource(lacking));
            Blame { operation: operation(place), name, lacking, ..Blame::default() }
        }
        Witness::Slice(slice) => Blame { process: had_it(trace, slice), ..Blame::default() },
    })
}

/// The process whose slice of the device ended last before another one began.
fn had_it(trace: &Trace, slice: u32) -> Option<i64> {
    let own = trace.slices[slice as usize];
    let others =
        trace.slices.iter().filter(|other| other.device == own.device && other.process != own.process);
    others.filter(|other| other.start < own.start).max_by_key(|other| other.end).map(|other| other.process)
}

/// The name of who is to blame, by its place.
pub(crate) fn name_of(trace: &Trace, witness: Witness) -> Option<u32> {
    Some(match witness {
        Witness::Call(call) => trace.calls[call as usize].name,
        Witness::Operation(place)
        | Witness::Event { operation: place, .. }
        | Witness::Waited { operation: place, .. }
        | Witness::Held { operation: place, .. } => trace.operations[place as usize].name,
        Witness::Nothing | Witness::Slice(_) => return None,
    })
}

pub(crate) fn direction_of(direction: Direction) -> &'static str {
    match direction {
        Direction::ToDevice => "to-device",
        Direction::ToHost => "to-host",
        Direction::Within => "within",
        Direction::Between => "between",
        Direction::Other => "other",
    }
}

pub(crate) fn resource(resource: Resource) -> &'static str {
    match resource {
        Resource::Threads => "threads",
        Resource::Registers => "registers",
        Resource::Shared => "shared-memory",
        Resource::Blocks => "blocks",
    }
}

fn fills_of(shape: &Shape, limits: &Limits) -> Option<Fills> {
    let own = occupancy(shape, limits)?;
    let profiler = estimate(shape, limits).map(|told| Profiler {
        share: told.theirs,
        reckoned: told.ours,
        compared: differs(told.why),
        each_agree: each_agree(shape, limits),
    });
    Some(Fills {
        blocks: own.blocks,
        share: own.share,
        limited_by: own.limiting.iter().copied().map(resource).collect(),
        complete: own.complete,
        with_a_register_less: own.one_register_less,
        with_a_kibibyte_less: own.one_kibibyte_less,
        registers_for_more: own.registers_for_more,
        shared_for_more: own.shared_for_more,
        waves: own.waves.map(|waves| waves.count()),
        last_wave: own.waves.map(|waves| waves.tail_share()),
        profiler,
    })
}

fn differs(why: Differs) -> &'static str {
    match why {
        Differs::No => "equal",
        Differs::FewBlocks => "few-blocks",
        Differs::PartWarps => "part-warps",
        Differs::OptedIn => "opted-in",
        Differs::Unexplained => "unexplained",
    }
}

/// What the thread of a late launch did before.
fn earlier(causes: &Causes, place: u32) -> Option<Earlier> {
    let trace = causes.trace;
    let name = |call: u32| trace.names[trace.calls[call as usize].name as usize].clone();
    let id = |place: u32| trace.operations[place as usize].id;
    let Link { before, took, of, .. } = link(causes, place);
    let told = |did, call: Option<u32>, operation: Option<u32>, after| Earlier {
        did,
        call,
        name: call.map(name),
        operation: operation.map(id),
        took,
        of,
        after,
    };
    Some(match before {
        Before::Waited { call, operation } => told("waited", Some(call), Some(operation), None),
        Before::Called(call) => told("called", Some(call), None, None),
        Before::Unrecorded => told("unrecorded", None, None, None),
        Before::After { call, operation } => {
            let after = Awaited { call, name: name(call), operation: id(operation) };
            told("unrecorded", None, None, Some(after))
        }
        Before::Operation(_) | Before::Slice(_) | Before::Unknown => return None,
    })
}
