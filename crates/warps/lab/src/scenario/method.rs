//! The `method` of a warps scenario: how its schedule is found.

use serde_json::Value;

use super::memory::Loads;
use base::people;
use base::problem::quoted;
use kit::import::reader::{Fields, Reader};
use warps::anneal::{Neighbourhood, Settings, StartKind};
use warps::order::OrderError;
use warps::{
    Fairness, Kernel, MOST_INSTRUCTIONS, MOST_WARPS, Machine, Memory, Order, Schedule, Start, Violation,
    check_fair,
};

/// How the schedule is found.
#[derive(Debug, Clone, PartialEq)]
pub enum Method {
    /// From one of the known first orders.
    Initial(Start),
    /// From an order that is given; it is arranged by sub-block where those are fair.
    Order(Order),
    /// A schedule that is given, and valid.
    Schedule(Schedule),
    /// The longest that chains of annealing find.
    Anneal(Anneal),
    /// The longest that a beam finds.
    Beam(Beam),
    /// The longest there is, or the narrowest bracket around it.
    Exact(Exact),
}

/// A beam: the most promising states of each cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Beam {
    /// How many states are kept.
    pub width: u32,
    /// Whether states are judged by a proven upper bound first.
    pub guided: bool,
}

impl Default for Beam {
    fn default() -> Self {
        Self { width: 1_000, guided: false }
    }
}

/// The exact search and what it may use.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Exact {
    /// Seconds it may compute; none is no limit.
    pub time_limit: Option<f64>,
    /// Mebibytes its states may take.
    pub memory_limit: u32,
    /// Whether the shortest schedule is sought as well.
    pub shortest: bool,
}

impl Default for Exact {
    fn default() -> Self {
        Self { time_limit: None, memory_limit: 256, shortest: true }
    }
}

/// Annealing: its settings, and one chain for each start.
#[derive(Debug, Clone, PartialEq)]
pub struct Anneal {
    /// What all chains share.
    pub settings: Settings,
    /// What each chain starts from.
    pub starts: Vec<StartKind>,
}

impl Default for Anneal {
    /// The published experiment (B, section VIII): two chains of each start.
    fn default() -> Self {
        let settings = Settings {
            iterations: 2_000_000,
            rounds: 1,
            t0: 0.3,
            seed: 1,
            neighbourhood: Neighbourhood::Swap,
        };
        Self { settings, starts: StartKind::PUBLISHED.into_iter().flat_map(|start| [start; 2]).collect() }
    }
}

/// The most chains of one scenario.
pub const MOST_CHAINS: usize = 256;
/// The most iterations of a round.
const MOST_ITERATIONS: u64 = 1_000_000_000_000;
/// The most rounds.
pub const MOST_ROUNDS: u64 = 1_000;
/// The highest temperature: a makespan's differences are smaller.
const HOTTEST: f64 = 1e6;
/// The widest beam.
pub const WIDEST_BEAM: u32 = 1_000_000;
/// The seconds a search may be given, at the least and at the most.
const SECONDS: std::ops::RangeInclusive<f64> = 0.001..=1_000_000.0;
/// The mebibytes a search may be given: no more than a browser's wasm can have.
pub const MEBIBYTES: std::ops::RangeInclusive<u32> = 1..=4_096;

/// What a method's order or schedule must fit.
#[derive(Clone, Copy)]
pub struct Shape<'a> {
    /// The kernel, normalised.
    pub kernel: &'a Kernel,
    /// The machine.
    pub machine: &'a Machine,
    /// How fair schedules are.
    pub fairness: &'a Fairness,
    /// How long loads take.
    pub memory: Option<&'a Memory>,
    /// How what there is about them is read.
    pub loads: &'a dyn Loads,
    /// The number of warps.
    pub count: usize,
}

const METHODS: &str = "one of \"initial\", \"anneal\", \"beam\", \"exact\", \"order\" and \"schedule\"";

/// Reads the `method` object.
pub fn read(reader: &mut Reader, path: &str, value: &Value, shape: Option<Shape<'_>>) -> Option<Method> {
    let fields = reader.object(path, value)?;
    let known = ["initial", "order", "schedule", "anneal", "beam", "exact"];
    reader.only(&fields, &["initial", "seed", "order", "schedule", "anneal", "beam", "exact"]);
    let found: Vec<&str> = known.into_iter().filter(|key| fields.get(key).is_some()).collect();
    if fields.get("seed").is_some() && found != ["initial"] {
        reader.problem(
            fields.path_of("seed"),
            "a seed without \"initial\"",
            "a seed only with \"initial\": \"random\"",
        );
    }
    match found[..] {
        ["initial"] => initial(reader, &fields).map(Method::Initial),
        ["order"] => order(reader, &fields.path_of("order"), fields.get("order")?, shape).map(Method::Order),
        ["schedule"] => schedule(reader, &fields.path_of("schedule"), fields.get("schedule")?, shape)
            .map(Method::Schedule),
        ["anneal"] => anneal(reader, &fields.path_of("anneal"), fields.get("anneal")?).map(Method::Anneal),
        ["beam"] => beam(reader, &fields.path_of("beam"), fields.get("beam")?).map(Method::Beam),
        ["exact"] => exact(reader, &fields.path_of("exact"), fields.get("exact")?).map(Method::Exact),
        [] => {
            reader.problem(path, "no method", METHODS);
            None
        }
        _ => {
            reader.problem(path, format!("{} together", people::listed(&found)), METHODS);
            None
        }
    }
}

fn initial(reader: &mut Reader, fields: &Fields<'_>) -> Option<Start> {
    let name = reader.required(fields, "initial", "a name", Reader::text)?;
    let seed = match fields.get("seed") {
        None => Some(1),
        Some(value) => reader.whole(&fields.path_of("seed"), value, 0..=u64::MAX),
    };
    let start = match name.as_str() {
        "round-robin" => Start::RoundRobin,
        "fixed-priority" => Start::FixedPriority,
        "most-pending" => Start::MostPending,
        "greedy-then-oldest" => Start::GreedyThenOldest,
        "loose-round-robin" => Start::LooseRoundRobin,
        "random" => return seed.map(Start::Random),
        other => {
            let expected = "\"round-robin\", \"fixed-priority\", \"most-pending\", \"greedy-then-oldest\", \"loose-round-robin\" or \"random\"";
            reader.problem(fields.path_of("initial"), quoted(other), expected);
            return None;
        }
    };
    if fields.get("seed").is_some() {
        reader.problem(
            fields.path_of("seed"),
            format!("a seed with \"{name}\""),
            "a seed only with \"random\"",
        );
    }
    Some(start)
}

fn anneal(reader: &mut Reader, path: &str, value: &Value) -> Option<Anneal> {
    let fields = reader.object(path, value)?;
    reader.only(&fields, &["iterations", "rounds", "t0", "seed", "neighbourhood", "starts"]);
    let usual = Anneal::default();
    let whole = |reader: &mut Reader, key: &str, range, default| match fields.get(key) {
        None => Some(default),
        Some(value) => reader.whole(&fields.path_of(key), value, range),
    };
    let iterations = whole(reader, "iterations", 1..=MOST_ITERATIONS, usual.settings.iterations);
    let rounds = whole(reader, "rounds", 1..=MOST_ROUNDS, u64::from(usual.settings.rounds));
    let seed = whole(reader, "seed", 0..=u64::MAX, usual.settings.seed);
    let t0 = match fields.get("t0") {
        None => Some(usual.settings.t0),
        Some(value) => reader.number(&fields.path_of("t0"), value, 0.0..=HOTTEST),
    };
    let neighbourhood = match reader.optional(&fields, "neighbourhood", Reader::text) {
        None if fields.get("neighbourhood").is_some() => None,
        None => Some(usual.settings.neighbourhood),
        Some(name) => one_of(
            reader,
            &fields.path_of("neighbourhood"),
            &name,
            Neighbourhood::all().map(|how| (how.name(), how)),
        ),
    };
    let starts = match fields.get("starts") {
        None => Some(usual.starts),
        Some(value) => starts(reader, &fields.path_of("starts"), value),
    };
    let settings = Settings {
        iterations: iterations?,
        rounds: u32::try_from(rounds?).ok()?,
        t0: t0?,
        seed: seed?,
        neighbourhood: neighbourhood?,
    };
    Some(Anneal { settings, starts: starts? })
}

fn beam(reader: &mut Reader, path: &str, value: &Value) -> Option<Beam> {
    let fields = reader.object(path, value)?;
    reader.only(&fields, &["width", "guided"]);
    let usual = Beam::default();
    let width = or_usual(reader, &fields, "width", usual.width, |reader, path, value| {
        reader.small(path, value, 1..=WIDEST_BEAM)
    });
    let guided = or_usual(reader, &fields, "guided", usual.guided, Reader::truth);
    Some(Beam { width: width?, guided: guided? })
}

fn exact(reader: &mut Reader, path: &str, value: &Value) -> Option<Exact> {
    let fields = reader.object(path, value)?;
    reader.only(&fields, &["time_limit", "memory_limit", "shortest"]);
    let usual = Exact::default();
    let time_limit = or_usual(reader, &fields, "time_limit", usual.time_limit, |reader, path, value| {
        reader.number(path, value, SECONDS).map(Some)
    });
    let memory_limit =
        or_usual(reader, &fields, "memory_limit", usual.memory_limit, |reader, path, value| {
            reader.small(path, value, MEBIBYTES)
        });
    let shortest = or_usual(reader, &fields, "shortest", usual.shortest, Reader::truth);
    Some(Exact { time_limit: time_limit?, memory_limit: memory_limit?, shortest: shortest? })
}

/// A field's value, or the usual one where it is left out; `None` where it is wrong.
fn or_usual<T>(
    reader: &mut Reader,
    fields: &Fields<'_>,
    key: &str,
    usual: T,
    read: impl FnOnce(&mut Reader, &str, &Value) -> Option<T>,
) -> Option<T> {
    match fields.get(key) {
        None => Some(usual),
        Some(value) => read(reader, &fields.path_of(key), value),
    }
}

/// One chain for each start.
fn starts(reader: &mut Reader, path: &str, value: &Value) -> Option<Vec<StartKind>> {
    let items = reader.list(path, value)?;
    if items.is_empty() || items.len() > MOST_CHAINS {
        let expected = format!("1 to {MOST_CHAINS} starts, one for each chain");
        reader.problem(path, people::counted(items.len(), "start"), expected);
        return None;
    }
    let read: Vec<Option<StartKind>> = items
        .iter()
        .enumerate()
        .map(|(i, item)| {
            let path = format!("{path}[{i}]");
            let name = reader.text(&path, item)?;
            one_of(reader, &path, &name, StartKind::ALL.into_iter().map(|start| (start.name(), start)))
        })
        .collect();
    read.into_iter().collect()
}

/// The value of that name, or a problem that lists the names there are.
fn one_of<T: Copy>(
    reader: &mut Reader,
    path: &str,
    name: &str,
    known: impl Iterator<Item = (&'static str, T)>,
) -> Option<T> {
    let known: Vec<_> = known.collect();
    let found = known.iter().find(|(other, _)| *other == name).map(|&(_, value)| value);
    if found.is_none() {
        let names: Vec<String> = known.iter().map(|(name, _)| format!("\"{name}\"")).collect();
        reader.problem(path, quoted(name), format!("one of {}", names.join(", ")));
    }
    found
}

fn order(reader: &mut Reader, path: &str, value: &Value, shape: Option<Shape<'_>>) -> Option<Order> {
    let most = shape.map_or(MOST_WARPS, |shape| shape.count);
    let ids = reader.numbers(path, value, 1..=most as u32)?;
    let shape = shape?;
    let (length, count) = (shape.kernel.len(), shape.count);
    let each =
        format!("{count} warps, each {} ({} entries)", people::counted(length, "time"), length * count);
    if ids.len() != length * count {
        reader.problem(path, people::plural(ids.len(), "entry", "entries"), each);
        return None;
    }
    let ids = ids.into_iter().map(|id| id as u16 - 1).collect();
    match Order::new(ids, count, length) {
        Ok(order) => Some(order),
        Err(OrderError::WrongCount { warp, found }) => {
            let what = format!("warp {} stands in it {}", warp + 1, people::counted(found, "time"));
            reader.problem(path, what, each);
            None
        }
        Err(OrderError::NoSuchWarp(i)) => {
            reader.problem(format!("{path}[{i}]"), "no such warp", each);
            None
        }
    }
}

fn schedule(reader: &mut Reader, path: &str, value: &Value, shape: Option<Shape<'_>>) -> Option<Schedule> {
    let items = reader.list(path, value)?;
    // Every cycle of a schedule executes something, so there are no more cycles than instructions take.
    let slowest = |shape: &Shape<'_>| shape.memory.map_or(1, |memory| memory.miss as usize);
    let most = shape
        .map_or(MOST_WARPS * MOST_INSTRUCTIONS, |shape| shape.count * shape.kernel.len() * slowest(&shape));
    let cycles = 1..=u32::try_from(most).unwrap_or(u32::MAX);
    let rows: Vec<Option<Vec<u32>>> = items
        .iter()
        .enumerate()
        .map(|(i, item)| reader.numbers(&format!("{path}[{i}]"), item, cycles.clone()))
        .collect();
    let rows: Vec<Vec<u32>> = rows.into_iter().collect::<Option<_>>()?;
    let shape = shape?;
    let length = shape.kernel.len();
    if rows.len() != shape.count {
        reader.problem(
            path,
            people::counted(rows.len(), "row"),
            format!("one row of cycles for each of {} warps", shape.count),
        );
        return None;
    }
    let mut sound = true;
    for (i, row) in rows.iter().enumerate().filter(|(_, row)| row.len() != length) {
        let what = people::counted(row.len(), "cycle");
        reader.problem(format!("{path}[{i}]"), what, format!("{length}, one for each instruction"));
        sound = false;
    }
    if !sound {
        return None;
    }
    if let Some(memory) = shape.memory {
        return shape.loads.schedule(reader, path, &rows, &shape, memory);
    }
    let violations = check_fair(shape.kernel, shape.machine, shape.fairness, &rows);
    for violation in &violations {
        reader.problem(path, violation.to_string(), rule(violation));
    }
    if violations.is_empty() { Schedule::new(&rows, length) } else { None }
}

fn rule(violation: &Violation) -> &'static str {
    match violation {
        Violation::Order { .. } => "each instruction of a warp after the one before it",
        Violation::Capacity { .. } => "no more warps on a unit than it serves",
        Violation::Issue { .. } => "no more warps than may issue in a cycle",
        Violation::Idle { .. } => "no warp waiting while its unit and an issue slot are free",
        Violation::Unfair { .. } => "no warp executing in place of one that waits in an earlier sub-block",
    }
}
