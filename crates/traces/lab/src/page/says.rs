//! Why an operation started when it did, in sentences.

use serde::{Deserialize, Serialize};

use super::packed::Packed;
use crate::report::{direction_of, resource};
use base::people;
use kit::draw::nanos::in_words;
use traces::cause::Witness;
use traces::chain::{Before, Link, chain};
use traces::occupancy::{Occupancy, occupancy};
use traces::trace::{Device, Kind, Trace};
use traces::{Cause, Causes};

/// So many links back are told.
const LINKS: usize = 8;

/// What is said of an operation.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Said {
    /// What it is.
    pub head: String,
    /// Why it started when it did.
    pub why: String,
    /// Who is to blame.
    pub witness: Option<Goes>,
    /// How that came about, link by link.
    pub back: Vec<(String, Option<Goes>)>,
    /// What else is known of it.
    pub facts: Vec<(String, String)>,
    /// When all that is known permitted its start, on the page's axis.
    pub earliest: Option<f64>,
    /// Its own name.
    pub name: String,
    /// Its number in the file.
    pub number: u32,
    /// Whether it is a kernel.
    pub kernel: bool,
}

/// Something else in the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Goes {
    /// An operation, by its place.
    Operation(u32),
    /// A call, by its place.
    Call(u32),
}

/// What a cause is called for people.
pub fn name_of(cause: Cause) -> &'static str {
    match cause {
        Cause::Launch => "launched late",
        Cause::Stream => "stream order",
        Cause::Event => "waited for an event",
        Cause::NullStream => "null stream",
        Cause::HostWait => "host waited for the GPU",
        Cause::CopyEngine => "copy engine busy",
        Cause::Room => "no room for a block",
        Cause::Process => "another process",
        Cause::Latency => "the GPU's own latency",
        Cause::Unexplained => "unexplained",
    }
}

/// What the host has to do with a cause, in a sentence.
pub fn meaning(cause: Cause) -> &'static str {
    match cause {
        Cause::Launch => "The host had not launched the next operation yet, or its launching call went on.",
        Cause::Stream => "The operation before in the same stream was not done.",
        Cause::Event => "The stream was told to wait for an event that was not passed.",
        Cause::NullStream => "The legacy null stream and the blocking streams wait for each other.",
        Cause::HostWait => "The host could not launch: its thread was in a call that waited for the GPU.",
        Cause::CopyEngine => "A copy in the same direction was not done.",
        Cause::Room => "No multiprocessor could hold one more block.",
        Cause::Process => "The GPU worked for another process.",
        Cause::Latency => {
            "What the GPU always takes between being permitted to start and starting, as measured in this run."
        }
        Cause::Unexplained => "No rule explains it.",
    }
}

/// What GPUs of some numbers are called: of several of one number, as several files have them, also which of them, counted from 1 in the order of the files.
pub fn gpus(numbers: &[i64]) -> Vec<String> {
    let name = |(at, number): (usize, &i64)| {
        let same = |some: &[i64]| some.iter().filter(|&one| one == number).count();
        match same(numbers) {
            1 => format!("GPU {number}"),
            _ => format!("GPU {number} · {}", same(&numbers[..=at])),
        }
    };
    numbers.iter().enumerate().map(name).collect()
}

/// A GPU by its number and, if it has one, its name.
fn gpu(device: &Device) -> String {
    match device.name.trim() {
        "" => format!("GPU {}", device.number),
        name => format!("GPU {} ({name})", device.number),
    }
}

/// What is said of an operation, by its place.
pub fn said(causes: &Causes, place: u32) -> Option<Said> {
    let trace = causes.trace;
    let own = trace.operations.get(place as usize)?;
    let stream = &trace.streams[own.stream as usize];
    let device = &trace.devices[stream.device as usize];
    let name = trace.names[own.name as usize].clone();
    let why = causes.why_held(place);
    let witness = witness_held(causes, place);
    let begins = Packed::origin(trace);
    let mut facts = vec![
        ("Takes".to_owned(), in_words(own.end.saturating_sub(own.start))),
        ("Runs".to_owned(), format!("{}, stream {}", gpu(device), stream.number)),
    ];
    match &own.kind {
        Kind::Kernel(shape) => {
            let [x, y, z] = shape.grid;
            let [bx, by, bz] = shape.block;
            facts.push(("Grid, block".to_owned(), format!("{x} × {y} × {z}, {bx} × {by} × {bz}")));
            if let Some(held) = occupancy(shape, &device.limits) {
                facts.push(("Occupancy".to_owned(), occupied(&held)));
                facts.push(("With less".to_owned(), with_less(&held)));
            }
        }
        Kind::Copy(direction, bytes) => {
            facts.push((
                "Copies".to_owned(),
                format!("{}, {}", people::bytes(*bytes), direction_of(*direction)),
            ));
        }
        Kind::Set(bytes) => facts.push(("Sets".to_owned(), people::bytes(*bytes))),
    }
    Some(Said {
        head: format!("{name}, operation {}", own.id),
        why: sentence(causes, place),
        witness: goes(witness),
        back: back(causes, place),
        facts,
        earliest: why.earliest.map(|time| time.saturating_sub(begins) as f64),
        name,
        number: own.id,
        kernel: matches!(own.kind, Kind::Kernel(_)),
    })
}

/// Who is to blame, by the latest constraint that the recording does not refute.
fn witness_held(causes: &Causes, place: u32) -> Witness {
    let after = causes.why_held(place).after;
    after.map_or(Witness::Nothing, |after| after.witness(&causes.order, &causes.events))
}

/// Where a witness is.
fn goes(witness: Witness) -> Option<Goes> {
    match witness {
        Witness::Call(call) => Some(Goes::Call(call)),
        Witness::Operation(operation)
        | Witness::Event { operation, .. }
        | Witness::Waited { operation, .. }
        | Witness::Held { operation, .. } => Some(Goes::Operation(operation)),
        _ => None,
    }
}

/// An operation in words.
fn operation(trace: &Trace, place: u32) -> String {
    let own = &trace.operations[place as usize];
    let stream = &trace.streams[own.stream as usize];
    format!("{} (operation {}, stream {})", short(&trace.names[own.name as usize]), own.id, stream.number)
}

/// A name that has room in a sentence.
fn short(name: &str) -> String {
    const MOST: usize = 60;
    if name.chars().count() <= MOST {
        name.to_owned()
    } else {
        name.chars().take(MOST).chain(['…']).collect()
    }
}

fn called(trace: &Trace, call: u32) -> String {
    short(&trace.names[trace.calls[call as usize].name as usize])
}

/// Why, in a sentence.
fn sentence(causes: &Causes, place: u32) -> String {
    let trace = causes.trace;
    let own = &trace.operations[place as usize];
    let why = causes.why_held(place);
    let Some(earliest) = why.earliest else {
        return "Nothing is known that it came after: its launch is not in the recording.".to_owned();
    };
    let queued = own.call.map(|call| own.start.saturating_sub(trace.calls[call as usize].start));
    let after = in_words(own.start.saturating_sub(earliest));
    let mut text = match (why.cause, witness_held(causes, place)) {
        (Cause::Launch, _) => {
            let call = own.call.map_or_else(|| "its launch".to_owned(), |call| called(trace, call));
            format!(
                "It started {after} after the host had begun to launch it ({call}); nothing else held it back."
            )
        }
        (cause, witness) => {
            let who = match witness {
                Witness::Operation(operation)
                | Witness::Event { operation, .. }
                | Witness::Held { operation, .. } => self::operation(trace, operation),
                _ => String::new(),
            };
            let waited = queued.map_or(String::new(), |queued| format!(" for {}", in_words(queued)));
            let until = own.call.map(|call| earliest.saturating_sub(trace.calls[call as usize].start));
            let ended = until.filter(|until| *until >= 0).map_or_else(
                || format!(", which ended {after} before it started."),
                |until| format!("; {} of them could not be avoided.", in_words(until)),
            );
            let lacking = match witness {
                Witness::Held { lacking, .. } => format!(" of {}", resource(lacking)),
                _ => String::new(),
            };
            match cause {
                Cause::Stream => {
                    format!("Queued{waited} behind {who}{ended}")
                }
                Cause::Event => {
                    format!("Queued{waited}, as its stream waited for an event after {who}{ended}")
                }
                Cause::NullStream => format!(
                    "Queued{waited}, as the null stream and blocking streams wait for each other, here for {who}{ended}"
                ),
                Cause::CopyEngine => {
                    format!("Queued{waited} behind the copy {who} in the same direction{ended}")
                }
                Cause::Room => format!(
                    "Queued{waited}: there was not enough{lacking} beside {who}, {after} before it started."
                ),
                Cause::Process => format!(
                    "Queued{waited}: the GPU worked for another process until {after} before it started."
                ),
                _ => format!("Queued{waited}."),
            }
        }
    };
    if why.residual < 0 {
        text.push_str(
            " It began before that, which graphs, programmatic launch or clocks that differ make possible.",
        );
        return text;
    }
    let mut parts = Vec::new();
    for (nanos, what) in
        [(why.launching, "the launching call went on"), (why.latency, "the GPU's own latency")]
    {
        if nanos > 0 {
            parts.push(format!("{} {what}", in_words(i64::try_from(nanos).unwrap_or(i64::MAX))));
        }
    }
    if why.unexplained > 0 {
        parts.push(format!(
            "{} that no rule explains",
            in_words(i64::try_from(why.unexplained).unwrap_or(i64::MAX))
        ));
    }
    if !parts.is_empty() {
        let rest = if why.cause == Cause::Launch { "Of these" } else { "Of the rest" };
        text.push_str(&format!(" {rest}: {}.", parts.join(", ")));
    }
    text
}

/// How it came about, from the operation back.
fn back(causes: &Causes, place: u32) -> Vec<(String, Option<Goes>)> {
    let trace = causes.trace;
    let told = |link: Link| match link.before {
        Before::Waited { call, operation } => (
            format!(
                "{} was launched late: for {} its thread was in {}, which waited for {}",
                short(&trace.names[trace.operations[link.operation as usize].name as usize]),
                most(&link),
                called(trace, call),
                self::operation(trace, operation)
            ),
            Some(Goes::Operation(operation)),
        ),
        Before::Called(call) => (
            format!("before its launch, its thread was longest in {}: {}", called(trace, call), most(&link)),
            Some(Goes::Call(call)),
        ),
        Before::Unrecorded if link.of == 0 => {
            ("before its launch, its thread did nothing that was recorded".to_owned(), None)
        }
        Before::Unrecorded => {
            (format!("before its launch, its thread was in no recorded call for {}", most(&link)), None)
        }
        Before::After { call, operation } => (
            format!(
                "before its launch, its thread was in no recorded call for {}, and had waited in {} for {}",
                most(&link),
                called(trace, call),
                self::operation(trace, operation)
            ),
            Some(Goes::Operation(operation)),
        ),
        Before::Operation(operation) => (
            format!("{}: after {}", name_of(link.cause), self::operation(trace, operation)),
            Some(Goes::Operation(operation)),
        ),
        Before::Slice(_) => ("another process had the GPU".to_owned(), None),
        Before::Unknown => ("nothing is known of what was before".to_owned(), None),
    };
    let links = chain(causes, place, LINKS);
    // Alone, only what a late launch's thread did says more than the sentence before it.
    let did = |before: Before| {
        matches!(
            before,
            Before::Waited { .. } | Before::Called(_) | Before::Unrecorded | Before::After { .. }
        )
    };
    if let [link] = links[..]
        && !did(link.before)
    {
        return Vec::new();
    }
    links.into_iter().map(told).collect()
}

/// How long a thread did what it did most of the time before a late launch.
fn most(link: &Link) -> String {
    let words = |nanos: u64| in_words(i64::try_from(nanos).unwrap_or(i64::MAX));
    if link.took == link.of {
        format!("all of {}", words(link.of))
    } else {
        format!("{} of {}", words(link.took), words(link.of))
    }
}

/// What one register or one KiB less would give, and how few one more block takes.
fn with_less(held: &Occupancy) -> String {
    let blocks = |count: u64| people::counted(usize::try_from(count).unwrap_or(usize::MAX), "block");
    let gives = |what: &str, count: u64| {
        if count > held.blocks { format!("{what}: {}", blocks(count)) } else { format!("{what}: no more") }
    };
    let one = [
        gives("one register less a thread", held.one_register_less),
        gives("1 KiB of shared memory less", held.one_kibibyte_less),
    ];
    let registers = held.registers_for_more.map(|most| format!("{most} registers a thread"));
    let shared = held.shared_for_more.map(|most| format!("{} of shared memory", people::bytes(most)));
    let more: Vec<String> = registers.into_iter().chain(shared).collect();
    let more = if more.is_empty() {
        String::new()
    } else {
        format!("; one more block fits with at most {}", more.join(", or "))
    };
    format!("{}{more}", one.join(", "))
}

fn occupied(held: &Occupancy) -> String {
    let blocks = people::counted(usize::try_from(held.blocks).unwrap_or(usize::MAX), "block");
    let share =
        held.share.map_or(String::new(), |share| format!(", {} of the warps", people::percent(share)));
    let limits: Vec<&str> = held.limiting.iter().map(|one| resource(*one)).collect();
    let limits =
        if limits.is_empty() { String::new() } else { format!(", limited by {}", people::listed(&limits)) };
    let waves = held.waves.map_or(String::new(), |waves| {
        let tail = if waves.tail_share() < 1.0 {
            format!(", the last {} full", people::percent(waves.tail_share()))
        } else {
            String::new()
        };
        format!("; {}{tail}", people::counted(usize::try_from(waves.count()).unwrap_or(usize::MAX), "wave"))
    });
    format!("{blocks} a multiprocessor{share}{limits}{waves}")
}
