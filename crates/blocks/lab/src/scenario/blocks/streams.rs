//! The streams of a blocks scenario: each with the program that issues its operations.

use serde_json::Value;

use super::{LONGEST, MOST_BLOCKS, QUANTUM, Warning, choice, nanos_or, operations};
use base::{Nanos, people};
use blocks::{
    Action, Device, Placement, Program, Repeat, Setup, Slicing, Stream, StreamKind, Switch, Workload,
};
use kit::import::reader::{Fields, Reader};

/// The most streams of one scenario.
const MOST_STREAMS: usize = 1_000;
/// The most processes.
const MOST_PROCESSES: u32 = 1_000;
/// The most rounds.
pub const MOST_ROUNDS: u64 = 1_000_000;

const FIELDS: [&str; 9] =
    ["label", "priority", "kind", "process", "release", "rounds", "time", "lockstep", "operations"];
const KINDS: [(StreamKind, &str); 3] = [
    (StreamKind::Blocking, "blocking"),
    (StreamKind::NonBlocking, "non-blocking"),
    (StreamKind::Null, "null"),
];
/// How CUDA numbers priorities: the lower, the more urgent.
const PRIORITIES: std::ops::RangeInclusive<i64> = -5..=0;

/// Reads the list of streams.
pub fn read(
    reader: &mut Reader,
    path: &str,
    value: &Value,
    device: &Device,
    warnings: &mut Vec<Warning>,
) -> Option<Workload> {
    let items = reader.list(path, value)?;
    if items.is_empty() || items.len() > MOST_STREAMS {
        let expected = format!("1 to {MOST_STREAMS} streams");
        reader.problem(path, people::counted(items.len(), "stream"), expected);
        return None;
    }
    let setup =
        Setup { device: device.clone(), streams: Vec::new(), kernels: Vec::new(), copies: Vec::new() };
    let mut workload = Workload {
        setup,
        programs: Vec::new(),
        placement: Placement::default(),
        slicing: Slicing { quantum: QUANTUM, switch: Switch::Drain },
        most_blocks: MOST_BLOCKS,
    };
    let mut whole = true;
    for (i, item) in items.iter().enumerate() {
        whole &= stream(reader, &format!("{path}[{i}]"), item, i, &mut workload).is_some();
    }
    warnings.extend(null_priorities(path, items, &workload.setup));
    whole.then_some(workload)
}

fn stream(
    reader: &mut Reader,
    path: &str,
    value: &Value,
    number: usize,
    workload: &mut Workload,
) -> Option<()> {
    let fields = reader.object(path, value)?;
    reader.only(&fields, &FIELDS);
    let label = match fields.get("label") {
        None => Some(format!("stream {}", number + 1)),
        Some(value) => reader.text(&fields.path_of("label"), value),
    };
    let priority = priority(reader, &fields);
    let kind = choice(reader, &fields, "kind", &KINDS);
    let process = match fields.get("process") {
        None => Some(0),
        Some(value) => reader.small(&fields.path_of("process"), value, 0..=MOST_PROCESSES - 1),
    };
    let release = nanos_or(reader, &fields, "release", Nanos::ZERO);
    let rounds = match (fields.get("rounds"), fields.get("time")) {
        (Some(value), _) => reader.whole(&fields.path_of("rounds"), value, 1..=MOST_ROUNDS).map(Some),
        (None, None) => Some(Some(1)),
        (None, Some(_)) => Some(None),
    };
    let time = match fields.get("time") {
        None => Some(None),
        Some(value) => {
            reader.whole(&fields.path_of("time"), value, 1..=LONGEST).map(|nanos| Some(Nanos(nanos)))
        }
    };
    let lockstep = match fields.get("lockstep") {
        None => Some(false),
        Some(value) => reader.truth(&fields.path_of("lockstep"), value),
    };
    let (label, process, kind) = (label?, process?, kind?);
    let stream = Stream { label: label.clone(), priority: priority?, kind, process };
    let index = place(&mut workload.setup, stream);
    let expected = "a list of kernels, copies, sleeps and waits";
    let mut body = reader.required(&fields, "operations", expected, |reader, path, value| {
        operations::read(reader, path, value, index, &mut workload.setup)
    })?;
    body.push(Action::WaitStream(index));
    let (rounds, time) = (rounds?, time?);
    if rounds.is_none() && operations::takes_no_time(&body, &workload.setup) {
        let expected = "\"rounds\", or an operation that takes time: else rounds without number fit into it";
        reader.problem(fields.path_of("time"), "a limit for rounds that take no time", expected);
        return None;
    }
    let repeat = Repeat { release: release?, rounds, time, lockstep: lockstep?, body };
    workload.programs.push(Program { label, process, repeat, ends_others: false });
    Some(())
}

/// Null streams with another priority than the one that their process has: it has one, of one priority.
fn null_priorities(path: &str, items: &[Value], setup: &Setup) -> Vec<Warning> {
    let number = |item: &Value, key: &str| item.get(key).and_then(Value::as_i64).unwrap_or_default();
    let null = |item: &Value| item.get("kind").and_then(Value::as_str) == Some("null");
    let mut warnings = Vec::new();
    for (i, item) in items.iter().enumerate().filter(|(_, item)| null(item)) {
        let process = number(item, "process");
        let own = |known: &&Stream| known.kind == StreamKind::Null && i64::from(known.process) == process;
        let taken = setup.streams.iter().find(own).map(|known| i64::from(known.priority));
        let asked = number(item, "priority");
        if let Some(taken) = taken.filter(|&taken| taken != asked) {
            let text = format!(
                "process {process} has one null stream, with the priority of its first program, {taken}: {asked} changes nothing"
            );
            warnings.push(Warning { place: format!("{path}[{i}].priority"), text });
        }
    }
    warnings
}

fn priority(reader: &mut Reader, fields: &Fields<'_>) -> Option<i32> {
    let Some(value) = fields.get("priority") else { return Some(0) };
    let number = value.as_i64().filter(|number| PRIORITIES.contains(number));
    if number.is_none() {
        let expected =
            format!("a whole number, {} (most urgent) to {}", PRIORITIES.start(), PRIORITIES.end());
        reader.problem(fields.path_of("priority"), kit::import::reader::shown(value), expected);
    }
    number.and_then(|number| i32::try_from(number).ok())
}

/// The place of a stream; a process has one null stream, which its programs share.
fn place(setup: &mut Setup, stream: Stream) -> usize {
    let same = |known: &Stream| known.kind == StreamKind::Null && known.process == stream.process;
    if stream.kind == StreamKind::Null
        && let Some(known) = setup.streams.iter().position(same)
    {
        return known;
    }
    setup.streams.push(stream);
    setup.streams.len() - 1
}
