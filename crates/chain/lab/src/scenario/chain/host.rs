//! The host of a chain: its cores, and the tasks that compute, copy, launch and wait.

use serde_json::Value;

use super::links::{self, Written};
use super::{HERTZ, MOST_COUNTED, known, name, names_differ, whole_or};
use base::{Nanos, people};
use blocks::{Device, Direction};
use blocks_lab::scenario::blocks::{LONGEST, choice, nanos_or};
use chain::{Core, CoreClock, Host, Ranked, Scheduler, Segment, SegmentKind, Ticks, Wait};
use kit::import::reader::{Fields, Reader, shown};

/// The most cores.
const MOST_CORES: usize = 64;
/// The most tasks.
const MOST_TASKS: usize = 50;
/// The most segments of a task.
const MOST_SEGMENTS: usize = 100;
/// Ticks a second of a core that does not say.
const CLOCK: u64 = 1_000_000_000;

/// The keys of a task.
const FIELDS: [&str; 9] =
    ["name", "core", "period", "jitter", "deadline", "priority", "wait", "preemptive", "segments"];

/// The names of kernels and of tasks.
type Names<'a> = (Option<&'a [&'a str]>, &'a [&'a str]);

/// What a segment is, by the key it has.
const KINDS: [&str; 6] = ["cpu", "ticks", "copy", "launch", "activate", "await"];

/// Reads the cores; one where there is no such key.
pub fn cores(reader: &mut Reader, fields: &Fields<'_>) -> Option<Vec<Core>> {
    let Some(value) = fields.get("cores") else {
        let clock = CoreClock::new(CLOCK);
        return Some(vec![Core { name: "cpu".to_owned(), clock, scheduler: Scheduler::FixedPriority }]);
    };
    let path = fields.path_of("cores");
    let items = reader.list(&path, value)?;
    if !(1..=MOST_CORES).contains(&items.len()) {
        reader.problem(&path, people::counted(items.len(), "core"), format!("1 to {MOST_CORES} cores"));
        return None;
    }
    let mut core = |(i, item): (usize, &Value)| {
        let fields = reader.object(&format!("{path}[{i}]"), item)?;
        reader.only(&fields, &["name", "clock", "scheduler"]);
        let name = name(reader, &fields, "the name of the core");
        let clock = whole_or(reader, &fields, "clock", HERTZ, CLOCK).map(CoreClock::new);
        let among = [(Scheduler::FixedPriority, "fixed-priority"), (Scheduler::Edf, "edf")];
        let scheduler = choice(reader, &fields, "scheduler", &among);
        Some(Core { name: name?, clock: clock?, scheduler: scheduler? })
    };
    let cores: Vec<Option<Core>> = items.iter().enumerate().map(&mut core).collect();
    let cores: Vec<Core> = cores.into_iter().collect::<Option<_>>()?;
    names_differ(reader, &path, cores.iter().map(|core| core.name.as_str()))?;
    Some(cores)
}

/// Reads the tasks; none where there is no such key.
pub fn tasks(
    reader: &mut Reader,
    fields: &Fields<'_>,
    kernels: Option<&[&str]>,
    cores: Option<&[Core]>,
    device: Option<&Device>,
) -> Option<Vec<Host>> {
    let Some(value) = fields.get("tasks") else { return Some(Vec::new()) };
    let path = fields.path_of("tasks");
    let items = reader.list(&path, value)?;
    if items.len() > MOST_TASKS {
        let expected = format!("at most {MOST_TASKS} tasks");
        reader.problem(&path, people::counted(items.len(), "task"), expected);
        return None;
    }
    let written = Written::of(items);
    let read = items.iter().enumerate().map(|(i, item)| {
        let fields = reader.object(&format!("{path}[{i}]"), item)?;
        task(reader, (i, &fields), kernels, (cores, &written), device)
    });
    let read: Vec<Option<(Host, bool)>> = read.collect();
    let (mut tasks, given): (Vec<Host>, Vec<bool>) =
        read.into_iter().collect::<Option<Vec<_>>>()?.into_iter().unzip();
    let named = names_differ(reader, &path, tasks.iter().map(|task| task.name.as_str()));
    let ranked = priorities(reader, &path, &mut tasks, &given);
    named.and(ranked)?;
    links::join(reader, &path, &mut tasks)?;
    Some(tasks)
}

/// A task, and whether it has a priority of its own.
fn task(
    reader: &mut Reader,
    (number, fields): (usize, &Fields<'_>),
    kernels: Option<&[&str]>,
    (cores, written): (Option<&[Core]>, &Written<'_>),
    device: Option<&Device>,
) -> Option<(Host, bool)> {
    reader.only(fields, &FIELDS);
    let name = name(reader, fields, "the name of the task");
    let period = match (fields.get("period"), written.period(number)) {
        (None, Some(value)) => reader.whole(&fields.path_of("period"), value, 1..=LONGEST),
        _ => reader.required(fields, "period", "nanoseconds", |reader, path, value| {
            reader.whole(path, value, 1..=LONGEST)
        }),
    };
    let jitter = match fields.get("jitter") {
        None => Some(0),
        Some(value) => reader.whole(&fields.path_of("jitter"), value, 0..=LONGEST),
    };
    let deadline = match (fields.get("deadline"), period) {
        (None, period) => period,
        (Some(value), Some(period)) => reader.whole(&fields.path_of("deadline"), value, 1..=period),
        (Some(value), None) => reader.whole(&fields.path_of("deadline"), value, 1..=LONGEST),
    };
    let priority = match fields.get("priority") {
        None => Some(None),
        Some(value) => reader.small(&fields.path_of("priority"), value, 1..=1_000_000).map(Some),
    };
    let wait = choice(reader, fields, "wait", &[(Wait::Suspend, "suspend"), (Wait::Spin, "spin")]);
    let preemptive = match fields.get("preemptive") {
        None => Some(true),
        Some(value) => reader.truth(&fields.path_of("preemptive"), value),
    };
    let core = match fields.get("core") {
        None => Some(0),
        Some(value) => {
            let place = fields.path_of("core");
            let found = reader.text(&place, value);
            let names: Option<Vec<&str>> =
                cores.map(|all| all.iter().map(|core| core.name.as_str()).collect());
            found.zip(names).and_then(|(found, names)| known(reader, &place, &found, &names, "core"))
        }
    };
    let expected = "a list of segments, {\"cpu\": 1000} or {\"launch\": \"kernel\"}";
    let segments = reader.required(fields, "segments", expected, |reader, path, value| {
        segments(reader, path, value, (kernels, written.names()), device)
    });
    let priority = priority?;
    let host = Host {
        name: name?,
        core: core?,
        period: Nanos(period?),
        jitter: Nanos(jitter?),
        activated: None,
        deadline: Nanos(deadline?),
        priority: priority.unwrap_or(0),
        ranked: if priority.is_some() { Ranked::Said } else { Ranked::ByDeadline },
        wait: wait?,
        preemptive: preemptive?,
        segments: segments?,
    };
    Some((host, priority.is_some()))
}

/// Gives priorities to the tasks of cores where none is written, and sees that else all have one.
fn priorities(reader: &mut Reader, path: &str, tasks: &mut [Host], given: &[bool]) -> Option<()> {
    let mut sound = Some(());
    let cores: std::collections::BTreeSet<usize> = tasks.iter().map(|task| task.core).collect();
    for core in cores {
        let mut on: Vec<usize> = (0..tasks.len()).filter(|&i| tasks[i].core == core).collect();
        let Some(&first) = on.iter().find(|&&i| given[i]) else {
            base::sort::sort_by_key(&mut on, |&i| (tasks[i].deadline, i));
            for (rank, &i) in (1..).zip(&on) {
                tasks[i].priority = rank;
            }
            continue;
        };
        for &i in on.iter().filter(|&&i| !given[i]) {
            let expected = format!("a number, as {path}[{first}] on its core has one");
            reader.problem(format!("{path}[{i}].priority"), "missing", expected);
            sound = None;
        }
    }
    sound
}

fn segments(
    reader: &mut Reader,
    path: &str,
    value: &Value,
    names: Names<'_>,
    device: Option<&Device>,
) -> Option<Vec<Segment>> {
    let items = reader.list(path, value)?;
    if !(1..=MOST_SEGMENTS).contains(&items.len()) {
        let expected = format!("1 to {MOST_SEGMENTS} segments");
        reader.problem(path, people::counted(items.len(), "segment"), expected);
        return None;
    }
    let read = items.iter().enumerate().map(|(i, item)| {
        let fields = reader.object(&format!("{path}[{i}]"), item)?;
        segment(reader, &fields, names, device)
    });
    let read: Vec<Option<Segment>> = read.collect();
    read.into_iter().collect()
}

fn segment(
    reader: &mut Reader,
    fields: &Fields<'_>,
    (kernels, tasks): Names<'_>,
    device: Option<&Device>,
) -> Option<Segment> {
    let kinds: Vec<&str> = KINDS.into_iter().filter(|kind| fields.get(kind).is_some()).collect();
    let label = match fields.get("label") {
        None => Some(String::new()),
        Some(value) => reader.text(&fields.path_of("label"), value),
    };
    let [kind] = kinds[..] else {
        let found = match &kinds[..] {
            [] => "a segment that does nothing".to_owned(),
            several => format!("a segment with {}", people::listed(several)),
        };
        let expected = "exactly one of \"cpu\", \"ticks\", \"copy\", \"launch\", \"activate\" and \"await\"";
        reader.problem(fields.path(), found, expected);
        return None;
    };
    let place = fields.path_of(kind);
    let value = fields.get(kind)?;
    if kind != "copy" {
        reader.only(fields, &[kind, "label"]);
    }
    let kind = match kind {
        "cpu" => reader.whole(&place, value, 0..=LONGEST).map(|nanos| SegmentKind::Cpu(Nanos(nanos))),
        "ticks" => {
            reader.whole(&place, value, 0..=MOST_COUNTED).map(|ticks| SegmentKind::Ticks(Ticks(ticks)))
        }
        "copy" => copy(reader, fields, value, device),
        "activate" | "await" => {
            let name = reader.text(&place, value);
            let found = name.and_then(|name| known(reader, &place, &name, tasks, "task"));
            found.map(if kind == "await" { SegmentKind::Await } else { SegmentKind::Activate })
        }
        _ => {
            let name = reader.text(&place, value);
            let found = name.zip(kernels).and_then(|(name, all)| known(reader, &place, &name, all, "kernel"));
            found.map(SegmentKind::Launch)
        }
    };
    Some(Segment { label: label?, kind: kind? })
}

fn copy(
    reader: &mut Reader,
    fields: &Fields<'_>,
    value: &Value,
    device: Option<&Device>,
) -> Option<SegmentKind> {
    reader.only(fields, &["copy", "bytes", "duration", "label"]);
    let direction = match value.as_str() {
        Some("in") => Some(Direction::In),
        Some("out") => Some(Direction::Out),
        _ => {
            reader.problem(fields.path_of("copy"), shown(value), "one of \"in\", \"out\"");
            None
        }
    };
    let bytes = match fields.get("bytes") {
        None => Some(None),
        Some(value) => reader.whole(&fields.path_of("bytes"), value, 0..=LONGEST).map(Some),
    };
    if fields.get("bytes").is_none() && fields.get("duration").is_none() {
        reader.problem(fields.path(), "neither \"bytes\" nor \"duration\"", "one of them at least");
        return None;
    }
    let (direction, bytes) = (direction?, bytes?);
    let speed = device?.copy_speed;
    let taken = speed.time(bytes.unwrap_or(0), false);
    let duration = nanos_or(reader, fields, "duration", taken)?;
    let by_bytes = fields.get("duration").is_none();
    let least = if by_bytes { speed.least(bytes.unwrap_or(0), false) } else { duration };
    Some(SegmentKind::Copy { direction, bytes, duration, least })
}
