//! The `warps` part of a scenario: kernel or PTX, warps, machine, method.

use std::sync::Arc;

use serde_json::Value;

use super::ptx;
use super::reader::{Fields, Reader};
use crate::base::people;
use crate::base::problem::quoted;
use crate::import::ptx::Walk;
use crate::warps::order::OrderError;
use crate::warps::presets::{PRESETS, Preset};
use crate::warps::{
    Kernel, MOST_INSTRUCTIONS, MOST_WARPS, Machine, Normalised, Note, Order, PerUnit, Schedule, Start, Unit,
    Units, Violation, check,
};

/// A question about warps on one multiprocessor.
#[derive(Debug, Clone, PartialEq)]
pub struct WarpsScenario {
    /// The string as written, before normalisation.
    pub written: Kernel,
    /// The walk through PTX the string comes from, if it was not written as a string.
    pub ptx: Option<Arc<Walk>>,
    /// The string every warp executes, normalised.
    pub kernel: Kernel,
    /// The number of warps.
    pub count: usize,
    /// The machine and what normalising did.
    pub normalised: Normalised,
    /// How the schedule is found.
    pub method: Method,
}

/// How the schedule is found.
#[derive(Debug, Clone, PartialEq)]
pub enum Method {
    /// From one of the published first orders.
    Initial(Start),
    /// From an order that is given.
    Order(Order),
    /// A schedule that is given, and valid.
    Schedule(Schedule),
}

const MOST_CAPACITY: u32 = 1024;
const KERNEL: &str = "an instruction string such as \"5L 9C 2L 9C\"";

/// Reads the `warps` object.
pub fn read(reader: &mut Reader, path: &str, value: &Value) -> Option<WarpsScenario> {
    let fields = reader.object(path, value)?;
    reader.only(
        &fields,
        &["kernel", "ptx", "entry", "path", "count", "machine", "fairness", "sub_blocks", "method"],
    );
    let (written, ptx) = kernel(reader, &fields).map_or((None, None), |(kernel, walk)| (Some(kernel), walk));
    let count = reader.required(
        &fields,
        "count",
        &format!("a whole number, 1 to {MOST_WARPS}"),
        |reader, path, value| reader.small(path, value, 1..=MOST_WARPS as u32).map(|n| n as usize),
    );
    let normalised = reader.required(&fields, "machine", "capacities, a preset or unit counts", machine);
    fairness(reader, &fields);
    let kernel = normalise(reader, &fields, written.as_ref(), normalised.as_ref());
    let shape = kernel.as_ref().zip(normalised.as_ref()).zip(count);
    let method = match fields.get("method") {
        None => Some(Method::Initial(Start::RoundRobin)),
        Some(value) => {
            let shape = shape.map(|((kernel, normalised), count)| Shape {
                kernel,
                machine: &normalised.machine,
                count,
            });
            method(reader, &fields.path_of("method"), value, shape)
        }
    };
    Some(WarpsScenario {
        written: written?,
        ptx,
        kernel: kernel?,
        count: count?,
        normalised: normalised?,
        method: method?,
    })
}

/// The string as written, or that of the walk through PTX.
fn kernel(reader: &mut Reader, fields: &Fields<'_>) -> Option<(Kernel, Option<Arc<Walk>>)> {
    match (fields.get("kernel"), fields.get("ptx")) {
        (Some(_), Some(_)) => {
            reader.problem(fields.path(), "kernel and ptx together", "exactly one of \"kernel\" and \"ptx\"");
            return None;
        }
        (None, Some(value)) => {
            let walk = ptx::read(reader, fields, value)?;
            return Some((walk.kernel.clone(), Some(walk)));
        }
        _ => {}
    }
    for key in ["entry", "path"] {
        if fields.get(key).is_some() {
            reader.problem(fields.path_of(key), "given without PTX", "no such key unless there is \"ptx\"");
        }
    }
    let text = reader.required(fields, "kernel", KERNEL, Reader::text)?;
    match Kernel::parse(&text) {
        Ok(kernel) => Some((kernel, None)),
        Err(error) => {
            let what = format!("{} at character {}", error.what, error.column);
            reader.problem(fields.path_of("kernel"), what, error.expected);
            None
        }
    }
}

fn fairness(reader: &mut Reader, fields: &Fields<'_>) {
    let kind = reader.optional(fields, "fairness", Reader::text);
    match kind.as_deref() {
        None | Some("work-conserving") => {
            if fields.get("sub_blocks").is_some() {
                let expected = "no such key unless \"fairness\" is \"sub-block\"";
                reader.problem(fields.path_of("sub_blocks"), "given without sub-block fairness", expected);
            }
        }
        Some("sub-block") => {
            let what = "\"sub-block\" is not supported yet";
            reader.problem(fields.path_of("fairness"), what, "\"work-conserving\"");
        }
        Some(other) => {
            reader.problem(fields.path_of("fairness"), quoted(other), "\"work-conserving\" or \"sub-block\"");
        }
    }
}

/// Repeats instructions as the machine asks, and sees that every kind of instruction has a unit.
fn normalise(
    reader: &mut Reader,
    fields: &Fields<'_>,
    written: Option<&Kernel>,
    normalised: Option<&Normalised>,
) -> Option<Kernel> {
    let (written, normalised) = written.zip(normalised)?;
    let totals = written.totals();
    let path = fields.path_of("machine");
    let units = fields.get("machine").is_some_and(|machine| machine.get("units").is_some());
    let mut complete = true;
    for unit in Unit::ALL {
        if totals[unit] > 0 && normalised.machine.capacity[unit] == 0 {
            let letter = unit.letter();
            let place = if units { format!("{path}.units.{letter}") } else { format!("{path}.{letter}") };
            let what = format!(
                "no {letter} unit, but the kernel has {}",
                people::counted(totals[unit] as usize, &format!("{letter} instruction"))
            );
            reader.problem(place, what, format!("1 to {MOST_CAPACITY}"));
            complete = false;
        }
    }
    match written.repeated(&normalised.repeat) {
        Ok(kernel) => complete.then_some(kernel),
        Err(error) => {
            let key = if fields.get("ptx").is_some() { "ptx" } else { "kernel" };
            reader.problem(fields.path_of(key), error.what, error.expected);
            None
        }
    }
}

fn machine(reader: &mut Reader, path: &str, value: &Value) -> Option<Normalised> {
    let fields = reader.object(path, value)?;
    if fields.get("preset").is_some() {
        preset(reader, &fields)
    } else if fields.get("units").is_some() || fields.get("warp_size").is_some() {
        unit_counts(reader, &fields)
    } else {
        reader.only(&fields, &["L", "C", "S", "D", "issue"]);
        let capacity = per_unit(reader, &fields, 0..=MOST_CAPACITY, 0);
        let issue = issue(reader, &fields);
        if capacity == Some(PerUnit([0; 4])) {
            reader.problem(
                fields.path(),
                "no unit at all",
                "capacities in warps per cycle, such as {\"L\": 1, \"C\": 4}",
            );
            return None;
        }
        Some(Normalised::plain(Machine { capacity: capacity?, issue: issue? }))
    }
}

fn preset(reader: &mut Reader, fields: &Fields<'_>) -> Option<Normalised> {
    reader.only(fields, &["preset", "issue"]);
    let name = reader.required(fields, "preset", "a name", Reader::text)?;
    let Some(preset) = Preset::named(&name) else {
        let names: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
        reader.problem(fields.path_of("preset"), quoted(&name), format!("one of {}", names.join(", ")));
        return None;
    };
    let mut units = preset.units();
    if fields.get("issue").is_some() {
        units.issue = issue(reader, fields)?;
    }
    let mut normalised = units.normalise();
    if !preset.note.is_empty() {
        normalised.notes.insert(0, Note { unit: None, text: preset.note.to_owned() });
    }
    Some(normalised)
}

fn unit_counts(reader: &mut Reader, fields: &Fields<'_>) -> Option<Normalised> {
    reader.only(fields, &["warp_size", "units", "latency", "issue"]);
    let warp_size =
        reader.required(fields, "warp_size", "a whole number, 1 to 1024", |reader, path, value| {
            reader.small(path, value, 1..=1024)
        });
    let table =
        |reader: &mut Reader, path: &str, value: &Value, range: std::ops::RangeInclusive<u32>, missing| {
            let fields = reader.object(path, value)?;
            reader.only(&fields, &["L", "C", "S", "D"]);
            per_unit(reader, &fields, range, missing)
        };
    let units = reader.required(
        fields,
        "units",
        "unit counts, such as {\"L\": 16, \"C\": 32}",
        |reader, path, value| table(reader, path, value, 0..=65_536, 0),
    );
    let latency = match fields.get("latency") {
        None => Some(PerUnit([1; 4])),
        Some(value) => table(reader, &fields.path_of("latency"), value, 1..=1000, 1),
    };
    let issue = issue(reader, fields);
    Some(Units { warp_size: warp_size?, units: units?, latency: latency?, issue: issue? }.normalise())
}

/// A number for each letter; `missing` where there is none.
fn per_unit(
    reader: &mut Reader,
    fields: &Fields<'_>,
    range: std::ops::RangeInclusive<u32>,
    missing: u32,
) -> Option<PerUnit<u32>> {
    let mut values = PerUnit([missing; 4]);
    let mut sound = true;
    for unit in Unit::ALL {
        let key = unit.letter().to_string();
        if let Some(value) = fields.get(&key) {
            match reader.small(&fields.path_of(&key), value, range.clone()) {
                Some(value) => values[unit] = value,
                None => sound = false,
            }
        }
    }
    sound.then_some(values)
}

/// The issue limit: outer `None` is a problem, inner `None` no limit.
fn issue(reader: &mut Reader, fields: &Fields<'_>) -> Option<Option<u32>> {
    match fields.get("issue") {
        None | Some(Value::Null) => Some(None),
        Some(value) => reader.small(&fields.path_of("issue"), value, 1..=MOST_CAPACITY).map(Some),
    }
}

/// What a method's order or schedule must fit.
#[derive(Clone, Copy)]
struct Shape<'a> {
    kernel: &'a Kernel,
    machine: &'a Machine,
    count: usize,
}

const METHODS: &str = "one of \"initial\", \"order\" and \"schedule\"";

fn method(reader: &mut Reader, path: &str, value: &Value, shape: Option<Shape<'_>>) -> Option<Method> {
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
        [later] => {
            reader.problem(fields.path_of(later), "this method is not supported yet", METHODS);
            None
        }
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
        "random" => return seed.map(Start::Random),
        other => {
            let expected = "\"round-robin\", \"fixed-priority\", \"most-pending\" or \"random\"";
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
    // Every cycle of a schedule executes something, so there are no more cycles than instructions.
    let most = shape.map_or(MOST_WARPS * MOST_INSTRUCTIONS, |shape| shape.count * shape.kernel.len());
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
    let violations = check(shape.kernel, shape.machine, &rows);
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
    }
}
