//! What is reported of a recorded run: the account of every device, the critical path, what is worth changing; and on
//! request every operation.
//!
//! Times are whole nanoseconds from the run's first operation.

mod operations;
mod path;
mod queue;

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value};

use kit::import::json;
use traces::account::{self, Accounts, Part, Scope, accounts};
use traces::latency::Latency;
use traces::leads::leads;
use traces::queue::{Queue, queues};
use traces::trace::{LeftOut, Source, Trace};
use traces::{ASSUMPTIONS, Account, Cause, Causes, Replay};

pub use operations::{Told, told};
pub(crate) use operations::{direction_of, name_of, resource};
pub use path::{Lead, Stretch};

/// How many changes are tried.
pub const CANDIDATES: usize = 24;

/// The report.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// What the run is called.
    pub scenario: String,
    /// `traces`.
    pub lab: &'static str,
    /// How long it took to read and to answer.
    pub seconds: f64,
    /// What wrote the file; of several files, the first.
    pub source: &'static str,
    /// Operations read.
    pub operations: usize,
    /// Calls of the host read.
    pub calls: usize,
    /// When the first operation began, by the file's own clock.
    pub begins: i64,
    /// When the last one ended.
    pub end: i64,
    /// Devices on which something ran.
    pub devices: Vec<Device>,
    /// Idle time by cause and name of who is to blame, the most first; as far as it is worth a line.
    pub blamed: Vec<Blamed>,
    /// The critical path by what happened on it, the most first.
    pub critical: Vec<Stretch>,
    /// The single changes worth most.
    pub leads: Vec<Lead>,
    /// What the file has and the report does not.
    pub left_out: Vec<Left>,
    /// What is taken for granted.
    pub assumptions: &'static [&'static str],
    /// What becomes of the run with the changes that were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changed: Option<Changed>,
    /// Every operation, if asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ops: Option<Vec<Told>>,
}

/// What becomes of a run that is changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Changed {
    /// When its last operation ends.
    pub end: i64,
    /// How much sooner that is; negative where it is later.
    pub sooner: i64,
    /// How many operations start or end at another time.
    pub moved: usize,
    /// How many calls and copies go before one that they are kept behind: where there are any, this is one way the run may
    /// go.
    #[serde(skip_serializing_if = "path::is_none")]
    pub turned: u64,
}

/// A device's account.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Device {
    /// Its number in the file.
    pub device: i64,
    /// What it is called.
    pub name: String,
    /// How many operations ran on it.
    pub operations: usize,
    /// When its first operation began.
    pub start: i64,
    /// When its last one ended.
    pub end: i64,
    /// Time in which something ran.
    pub busy: u64,
    /// Of that, time in which only copies and sets ran.
    pub only_copies: u64,
    /// Time in which nothing ran.
    pub idle: u64,
    /// The idle time by cause; adds up to it.
    pub causes: Map<String, Value>,
    /// The idle time by late launches, by what the launching thread did in it; adds up to it.
    pub late: Late,
    /// What the device takes before kernels.
    pub latency: Took,
    /// What it takes before copies and sets.
    pub latency_of_copies: Took,
    /// What launches of kernels take onto it while it does nothing, from the return of their calls on.
    pub latency_of_launches: Took,
    /// What the rule that no kernel overtakes another would need to hold here.
    pub head_of_queue: HeadOfQueue,
    /// The same account for each of its streams.
    pub streams: Vec<Stream>,
}

/// What the rule would need that kernels start in the order in which they come to the head of the queue. A recording of
/// whole kernels cannot refute it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HeadOfQueue {
    /// All kernels on the device.
    pub all: u64,
    /// Kernels of which it is known when they came, as their launch is recorded: of these it was judged.
    pub kernels: u64,
    /// Of these, how many a later one of no higher priority overtook, as recorded.
    pub overtaken: u64,
    /// By how much the one that needs most must have come later than recorded, for the rule to hold.
    pub later: u64,
    /// The number of that one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<u32>,
    /// The number of the one that overtook it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub second: Option<u32>,
    /// Kernels that began while blocks of one before them, if all took equally long, had not begun.
    pub amid: u64,
    /// What the rule needs of the one that needs most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uneven: Option<Uneven>,
    /// The same in words.
    pub says: String,
}

/// How unlike the blocks of a kernel must have been.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Uneven {
    /// The number of the kernel.
    pub blocks_of: u32,
    /// Its name.
    pub name: String,
    /// The number of the one that began while it still ran.
    pub began: u32,
    /// By how many percent at least its longest block took longer than its shortest.
    pub percent: u64,
}

/// Idle time by late launches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Late {
    /// It was in no call, and had waited for an operation within the same stretch: its own time came on top.
    pub waited: u64,
    /// It was in a call that waited for no operation, or in the launching one.
    pub called: u64,
    /// It was in no call that was recorded, and had not waited.
    pub unrecorded: u64,
}

/// A stream's account.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Stream {
    /// Its number in the file.
    pub stream: i64,
    /// When its first operation began.
    pub start: i64,
    /// When its last one ended.
    pub end: i64,
    /// Time in which something ran.
    pub busy: u64,
    /// Time in which nothing ran.
    pub idle: u64,
    /// The idle time by cause; adds up to it.
    pub causes: Map<String, Value>,
}

/// A latency that was measured in the run itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Took {
    /// How many samples there were.
    pub samples: u64,
    /// How many took too long to be one.
    pub longer: u64,
    /// The median.
    pub median: u64,
    /// The 99th percentile: what is called latency at most.
    pub most: u64,
}

/// Idle time that one kind of thing is to blame for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Blamed {
    /// The device's number.
    pub device: i64,
    /// The cause.
    pub cause: &'static str,
    /// Who is to blame: the name of a call or of an operation; empty where nobody is.
    pub name: String,
    /// For how much.
    pub nanos: u64,
    /// In how many stretches.
    pub stretches: u64,
}

/// Something of the file that is not in the report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Left {
    /// What.
    pub what: String,
    /// How many there were.
    pub count: u64,
}

/// How much is reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Detail {
    /// All but the operations.
    #[default]
    Summary,
    /// Every operation, too.
    Operations,
}

/// The report of a trace for which [`Trace::check`] finds nothing.
pub fn report(scenario: &str, trace: &Trace, detail: Detail) -> Report {
    let causes = Causes::of(trace);
    let replay = Replay::of(&causes);
    report_of(scenario, &causes, detail).with_replays(&replay, &leads(&replay, CANDIDATES))
}

/// The same without what replays tell: the critical path and the changes worth most.
pub fn report_of(scenario: &str, causes: &Causes, detail: Detail) -> Report {
    Idle::of(causes, &mut |_, _| {}).report(scenario, causes, detail)
}

/// Where the idle time of a run went, found by one walk over its operations.
pub struct Idle {
    accounts: Accounts,
    blamed: Sums,
}

impl Idle {
    /// Of a run whose causes are known; every part of the idle time of every device is told.
    pub fn of(causes: &Causes, sink: &mut dyn FnMut(u32, &Part)) -> Self {
        let mut blamed = BTreeMap::new();
        let accounts = accounts(causes, &mut |scope, part| {
            if let Scope::Device(device) = scope {
                blame(causes, device, part, &mut blamed);
                sink(device, part);
            }
        });
        Self { accounts, blamed }
    }

    /// The report without what replays tell.
    pub fn report(self, scenario: &str, causes: &Causes, detail: Detail) -> Report {
        let Self { accounts, blamed } = self;
        let trace = causes.trace;
        let begins = trace.operations.first().map_or(0, |own| own.start);
        let mut counts = vec![0; trace.devices.len()];
        (0..).zip(&trace.operations).for_each(|(place, _)| counts[causes.device(place) as usize] += 1);
        Report {
            scenario: scenario.to_owned(),
            lab: "traces",
            seconds: 0.0,
            source: source_of(trace.source),
            operations: trace.operations.len(),
            calls: trace.calls.len(),
            begins,
            end: trace.operations.iter().map(|own| own.end).max().unwrap_or(begins).saturating_sub(begins),
            devices: (0..)
                .zip(&queues(causes))
                .zip(counts)
                .filter_map(|(device_and_queue, count)| {
                    device(causes, &accounts, device_and_queue, count, begins)
                })
                .collect(),
            blamed: most_blamed(trace, blamed),
            critical: Vec::new(),
            leads: Vec::new(),
            left_out: trace.left_out.iter().map(left).collect(),
            assumptions: ASSUMPTIONS,
            changed: None,
            ops: (detail == Detail::Operations).then(|| told(causes, begins)),
        }
    }
}

impl Report {
    /// The same with the critical path, and the changes that were found worth most.
    #[must_use]
    pub fn with_replays(mut self, replay: &Replay, found: &[traces::leads::Lead]) -> Self {
        self.critical = path::critical(replay);
        self.leads = path::leads(replay.causes.trace, found);
        self
    }

    /// The report as one line of JSON.
    pub fn line(&self) -> String {
        json::line(self)
    }
}

fn source_of(source: Source) -> &'static str {
    match source {
        Source::Nsight => "nsight",
        Source::Kineto => "kineto",
        Source::Rocprof => "rocprof",
        Source::Examiner => "examiner",
    }
}

fn left(left: &LeftOut) -> Left {
    Left { what: left.what.clone(), count: left.count }
}

fn head_of_queue(causes: &Causes, found: &Queue) -> HeadOfQueue {
    let id = |place: u32| causes.trace.operations[place as usize].id;
    HeadOfQueue {
        says: queue::overtaken(causes, found),
        all: found.all,
        kernels: found.kernels,
        overtaken: found.overtaken,
        later: found.later,
        first: found.worst.map(|(first, _)| id(first)),
        second: found.worst.map(|(_, second)| id(second)),
        amid: found.amid,
        uneven: found.uneven.map(|(kernel, began, percent)| Uneven {
            blocks_of: id(kernel),
            name: causes.trace.names[causes.trace.operations[kernel as usize].name as usize].clone(),
            began: id(began),
            percent,
        }),
    }
}

fn device(
    causes: &Causes,
    accounts: &Accounts,
    (place, queue): (u32, &Queue),
    operations: usize,
    begins: i64,
) -> Option<Device> {
    let trace = causes.trace;
    let whole = accounts.devices[place as usize].as_ref()?;
    let Account { start, end, busy, only_copies, idle, .. } = *whole;
    let account::Late { waited, called, unrecorded } = whole.late;
    let own = &trace.devices[place as usize];
    let latency = causes.latency[place as usize];
    let streams = trace.streams.iter().zip(&accounts.streams).filter(|(stream, _)| stream.device == place);
    Some(Device {
        device: own.number,
        name: own.name.clone(),
        operations,
        start: start.saturating_sub(begins),
        end: end.saturating_sub(begins),
        busy,
        only_copies,
        idle,
        causes: by_cause(whole),
        late: Late { waited, called, unrecorded },
        latency: took(&latency.kernels),
        latency_of_copies: took(&latency.copies),
        latency_of_launches: took(&latency.launched_kernels),
        head_of_queue: head_of_queue(causes, queue),
        streams: streams.filter_map(|(one, own)| Some(stream(own.as_ref()?, one.number, begins))).collect(),
    })
}

fn stream(own: &Account, number: i64, begins: i64) -> Stream {
    Stream {
        stream: number,
        start: own.start.saturating_sub(begins),
        end: own.end.saturating_sub(begins),
        busy: own.busy,
        idle: own.idle,
        causes: by_cause(own),
    }
}

fn by_cause(account: &Account) -> Map<String, Value> {
    Cause::ALL.iter().map(|&cause| (cause.name().to_owned(), account.of(cause).into())).collect()
}

fn took(latency: &Latency) -> Took {
    let Latency { samples, longer, median, most } = *latency;
    Took { samples, longer, median, most }
}

/// Idle time and stretches by device, cause, and the place of a name.
type Sums = BTreeMap<(u32, Cause, Option<u32>), (u64, u64)>;

/// Blames a part of a device's idle time on a name.
fn blame(causes: &Causes, device: u32, part: &Part, sums: &mut Sums) {
    let name = operations::name_of(causes.trace, part.witness);
    let sum = sums.entry((device, part.cause, name)).or_default();
    *sum = (sum.0 + part.end.abs_diff(part.start), sum.1 + 1);
}

/// Who is to blame for idle time, by name: the most first, and no more than are worth a line.
fn most_blamed(trace: &Trace, sums: Sums) -> Vec<Blamed> {
    const MOST: usize = 40;
    let mut all: Vec<_> = sums.into_iter().collect();
    all.sort_by_key(|((device, cause, name), (nanos, _))| {
        (std::cmp::Reverse(*nanos), *device, *cause, name.map(|name| &trace.names[name as usize]))
    });
    all.truncate(MOST);
    let told =
        |((device, cause, name), (nanos, stretches)): ((u32, Cause, Option<u32>), (u64, u64))| Blamed {
            device: trace.devices[device as usize].number,
            cause: cause.name(),
            name: name.map_or_else(String::new, |name| trace.names[name as usize].clone()),
            nanos,
            stretches,
        };
    all.into_iter().map(told).collect()
}

#[cfg(test)]
mod tests;
