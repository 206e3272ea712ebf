//! The operations of a stream: what its program issues, and when it waits.

use serde_json::Value;

use super::streams::MOST_ROUNDS;
use super::{LONGEST, choice, nanos_or};
use base::{Nanos, people};
use blocks::{Action, Copy, Direction, Durations, Kernel, Mask, Repeat, Setup};
use kit::import::reader::{Fields, Reader};

/// The most operations of one list.
const MOST_OPERATIONS: usize = 100_000;
/// The most blocks of a kernel.
const MOST_BLOCKS: u32 = 20_000_000;
/// The deepest that repeats may be nested.
const DEEPEST: usize = 16;

/// What an operation is, by the key it has.
const KINDS: [&str; 5] = ["kernel", "copy", "sleep", "wait", "repeat"];
const DIRECTIONS: [(Direction, &str); 4] =
    [(Direction::In, "in"), (Direction::Out, "out"), (Direction::Within, "within"), (Direction::Set, "set")];

/// Reads a list of operations in a stream.
pub fn read(
    reader: &mut Reader,
    path: &str,
    value: &Value,
    stream: usize,
    setup: &mut Setup,
) -> Option<Vec<Action>> {
    nested(reader, path, value, stream, setup, 0)
}

fn nested(
    reader: &mut Reader,
    path: &str,
    value: &Value,
    stream: usize,
    setup: &mut Setup,
    depth: usize,
) -> Option<Vec<Action>> {
    let items = reader.list(path, value)?;
    if items.len() > MOST_OPERATIONS {
        let expected = format!("at most {MOST_OPERATIONS}");
        reader.problem(path, people::counted(items.len(), "operation"), expected);
        return None;
    }
    let mut actions = Vec::with_capacity(items.len());
    for (i, item) in items.iter().enumerate() {
        let place = format!("{path}[{i}]");
        let Some(fields) = reader.object(&place, item) else { continue };
        let kinds: Vec<&str> = KINDS.into_iter().filter(|kind| fields.get(kind).is_some()).collect();
        let action = match kinds[..] {
            ["kernel"] => kernel(reader, &fields, stream, setup),
            ["copy"] => copy(reader, &fields, stream, setup),
            ["sleep"] => {
                reader.only(&fields, &["sleep"]);
                nanos_or(reader, &fields, "sleep", Nanos::ZERO).map(Action::Sleep)
            }
            ["wait"] => {
                reader.only(&fields, &["wait"]);
                let among = [
                    (Action::WaitStream as fn(usize) -> Action, "stream"),
                    (|_| Action::WaitDevice, "device"),
                ];
                choice(reader, &fields, "wait", &among).map(|wait| wait(stream))
            }
            ["repeat"] => repeat(reader, &fields, stream, setup, depth),
            _ => {
                let found = if kinds.is_empty() { "none".to_owned() } else { people::listed(&kinds) };
                let expected = "exactly one of \"kernel\", \"copy\", \"sleep\", \"wait\" and \"repeat\"";
                reader.problem(&place, format!("an operation with {found} of the kinds"), expected);
                None
            }
        };
        actions.extend(action);
    }
    (actions.len() == items.len()).then_some(actions)
}

fn kernel(reader: &mut Reader, fields: &Fields<'_>, stream: usize, setup: &mut Setup) -> Option<Action> {
    reader.only(
        fields,
        &[
            "kernel",
            "blocks",
            "threads",
            "duration",
            "shared_memory",
            "registers",
            "sms",
            "deadline",
            "period",
        ],
    );
    let label = reader.required(fields, "kernel", "a label", Reader::text);
    let mut count = |key: &str, range: std::ops::RangeInclusive<u32>, otherwise: Option<u32>| match (
        fields.get(key),
        otherwise,
    ) {
        (None, Some(otherwise)) => Some(otherwise),
        (None, None) => {
            let expected = format!("a whole number, {} to {}", range.start(), range.end());
            reader.problem(fields.path_of(key), "missing", expected);
            None
        }
        (Some(value), _) => reader.small(&fields.path_of(key), value, range),
    };
    let blocks = count("blocks", 1..=MOST_BLOCKS, Some(1));
    let threads = count("threads", 1..=1 << 20, None);
    let shared_memory = count("shared_memory", 0..=1 << 30, Some(0));
    let registers = count("registers", 0..=1 << 16, Some(0));
    let duration = duration(reader, fields, blocks);
    let mask = match fields.get("sms") {
        None => Some(Mask::ALL),
        Some(value) => {
            let last = u32::from(setup.device.sms) - 1;
            let members = reader.numbers(&fields.path_of("sms"), value, 0..=last);
            members.map(|members| {
                let members = members.into_iter().filter_map(|sm| u16::try_from(sm).ok());
                members.fold(Mask::NONE, |mask, sm| mask.with(sm, true))
            })
        }
    };
    let mut time = |key: &str| match fields.get(key) {
        None => Some(None),
        Some(value) => reader.whole(&fields.path_of(key), value, 1..=LONGEST).map(|nanos| Some(Nanos(nanos))),
    };
    let (deadline, period) = (time("deadline"), time("period"));
    setup.kernels.push(Kernel {
        label: label?,
        blocks: blocks?,
        threads: threads?,
        shared_memory: shared_memory?,
        registers: registers?,
        duration: duration?,
        mask: mask?,
        deadline: deadline?,
        period: period?,
    });
    Some(Action::Launch { stream, kernel: setup.kernels.len() - 1 })
}

/// One duration for all blocks, or a list with one for each.
fn duration(reader: &mut Reader, fields: &Fields<'_>, blocks: Option<u32>) -> Option<Durations> {
    let place = fields.path_of("duration");
    match fields.get("duration") {
        Some(Value::Array(items)) => {
            let blocks = blocks?;
            if items.len() != blocks as usize {
                let found = people::counted(items.len(), "duration");
                reader.problem(&place, found, format!("one number, or a list of {blocks}"));
                return None;
            }
            let mut each = Vec::with_capacity(items.len());
            for (i, item) in items.iter().enumerate() {
                each.extend(reader.whole(&format!("{place}[{i}]"), item, 0..=LONGEST).map(Nanos));
            }
            (each.len() == items.len()).then_some(Durations::Each(each))
        }
        Some(value) => reader.whole(&place, value, 0..=LONGEST).map(|nanos| Durations::Same(Nanos(nanos))),
        None => {
            reader.problem(&place, "missing", "how long a block takes, in nanoseconds");
            None
        }
    }
}

fn copy(reader: &mut Reader, fields: &Fields<'_>, stream: usize, setup: &mut Setup) -> Option<Action> {
    reader.only(fields, &["copy", "label", "bytes", "duration", "synchronous"]);
    let direction = choice(reader, fields, "copy", &DIRECTIONS);
    let label = match fields.get("label") {
        None => {
            let name = direction.and_then(|found| DIRECTIONS.iter().find(|(known, _)| *known == found));
            Some(format!("copy {}", name.map_or("", |(_, name)| name)))
        }
        Some(value) => reader.text(&fields.path_of("label"), value),
    };
    let bytes = match fields.get("bytes") {
        None => Some(0),
        Some(value) => reader.whole(&fields.path_of("bytes"), value, 0..=LONGEST),
    };
    if fields.get("bytes").is_none() && fields.get("duration").is_none() {
        reader.problem(fields.path(), "neither \"bytes\" nor \"duration\"", "one of them at least");
        return None;
    }
    let wait = match fields.get("synchronous") {
        None => Some(false),
        Some(value) => reader.truth(&fields.path_of("synchronous"), value),
    };
    let (direction, bytes) = (direction?, bytes?);
    let within = matches!(direction, Direction::Within | Direction::Set);
    let taken = setup.device.copy_speed.time(bytes, within);
    let duration = nanos_or(reader, fields, "duration", taken)?;
    setup.copies.push(Copy { label: label?, direction, bytes, duration });
    Some(Action::Copy { stream, copy: setup.copies.len() - 1, wait: wait? })
}

fn repeat(
    reader: &mut Reader,
    fields: &Fields<'_>,
    stream: usize,
    setup: &mut Setup,
    depth: usize,
) -> Option<Action> {
    reader.only(fields, &["repeat", "release", "operations"]);
    if depth >= DEEPEST {
        reader.problem(
            fields.path(),
            "repeats too deep inside each other",
            format!("at most {DEEPEST} levels"),
        );
        return None;
    }
    let rounds = reader.required(fields, "repeat", "a number of rounds", |reader, path, value| {
        reader.whole(path, value, 0..=MOST_ROUNDS)
    });
    let release = nanos_or(reader, fields, "release", Nanos::ZERO);
    let expected = "a list of operations";
    let body = reader.required(fields, "operations", expected, |reader, path, value| {
        nested(reader, path, value, stream, setup, depth + 1)
    });
    let rounds = Some(rounds?);
    Some(Action::Repeat(Repeat { release: release?, rounds, time: None, lockstep: false, body: body? }))
}

/// Whether a round of these takes no time for sure.
pub fn takes_no_time(body: &[Action], setup: &Setup) -> bool {
    body.iter().all(|action| match action {
        Action::Launch { kernel, .. } => {
            setup.kernels.get(*kernel).is_some_and(|kernel| kernel.duration.longest() == Nanos::ZERO)
        }
        Action::Copy { copy, .. } => setup.copies.get(*copy).is_some_and(|copy| copy.duration == Nanos::ZERO),
        Action::Sleep(nanos) => *nanos == Nanos::ZERO,
        Action::WaitStream(_) | Action::WaitDevice => true,
        Action::Repeat(repeat) => {
            repeat.rounds == Some(0) || repeat.release == Nanos::ZERO && takes_no_time(&repeat.body, setup)
        }
    })
}
