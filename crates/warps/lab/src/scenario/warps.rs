//! The `warps` part of a scenario: kernel or PTX, warps, machine, method.

use std::sync::Arc;

use serde_json::Value;

use super::memory::Loads;
use super::method::{self, Method, Shape};
use super::programs::Programs;
use crate::import::ptx::Walk;
use base::people;
use base::problem::quoted;
use kit::import::reader::{Fields, Reader};
use warps::presets::{PRESETS, Preset};
use warps::{
    Fairness, Kernel, MOST_INSTRUCTIONS, MOST_WARPS, Machine, Memory, Normalised, Note, PerUnit, Start, Unit,
    Units,
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
    /// Who may go before whom, in instructions of the normalised string.
    pub fairness: Fairness,
    /// How long loads take, where that is more than a cycle or may be.
    pub memory: Option<Memory>,
    /// How the schedule is found.
    pub method: Method,
    /// Makespans others have found, to compare with.
    pub references: Vec<Reference>,
}

/// A makespan to compare with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// Whose it is.
    pub label: String,
    /// The makespan.
    pub makespan: u32,
}

/// The most units of a kind, and the most warps that may issue in a cycle.
pub const MOST_CAPACITY: u32 = 1024;
const MOST_REFERENCES: usize = 20;
impl WarpsScenario {
    /// Whether chains that the page shares out look for its longest schedule; where loads take their time one job
    /// does.
    pub fn anneals(&self) -> bool {
        matches!(self.method, Method::Anneal(_)) && self.memory.is_none()
    }
}

const KERNEL: &str = "an instruction string such as \"5L 9C 2L 9C\"";

/// Reads the `warps` object.
pub fn read(
    (loads, programs): (&dyn Loads, &dyn Programs),
    reader: &mut Reader,
    path: &str,
    value: &Value,
) -> Option<WarpsScenario> {
    let fields = reader.object(path, value)?;
    reader.only(
        &fields,
        &[
            "kernel",
            "ptx",
            "entry",
            "path",
            "count",
            "machine",
            "fairness",
            "sub_blocks",
            "memory",
            "method",
            "references",
        ],
    );
    let (written, ptx) =
        kernel(programs, reader, &fields).map_or((None, None), |(kernel, walk)| (Some(kernel), walk));
    let count = reader.required(
        &fields,
        "count",
        &format!("a whole number, 1 to {MOST_WARPS}"),
        |reader, path, value| reader.small(path, value, 1..=MOST_WARPS as u32).map(|n| n as usize),
    );
    let normalised = reader.required(&fields, "machine", "capacities, a preset or unit counts", machine);
    let fairness = fairness(reader, &fields, written.as_ref(), normalised.as_ref());
    let kernel = normalise(reader, &fields, written.as_ref(), normalised.as_ref());
    let asked = loads.read(reader, &fields);
    let asked = asked.map(|mut asked| {
        if let Some(memory) = &mut asked {
            loads.fitted(reader, &fields, memory, (kernel.as_ref(), count), fairness.as_ref());
        }
        asked
    });
    let shape = kernel.as_ref().zip(normalised.as_ref()).zip(fairness.as_ref()).zip(count);
    let method = match fields.get("method") {
        None => Some(Method::Initial(Start::RoundRobin)),
        Some(value) => {
            let shape = shape.map(|(((kernel, normalised), fairness), count)| Shape {
                kernel,
                machine: &normalised.machine,
                fairness,
                memory: asked.as_ref().and_then(Option::as_ref),
                loads,
                count,
            });
            // A schedule is looked at only where it is clear how long loads take.
            let shape = shape.filter(|_| asked.is_some());
            method::read(reader, &fields.path_of("method"), value, shape)
        }
    };
    if let (Some(Some(memory)), Some(method)) = (&asked, &method) {
        loads.allows(reader, fields.path_of("method"), memory, method);
    }
    let references = references(reader, &fields);
    Some(WarpsScenario {
        written: written?,
        ptx,
        kernel: kernel?,
        count: count?,
        normalised: normalised?,
        fairness: fairness?,
        memory: asked?,
        method: method?,
        references: references?,
    })
}

/// The makespans to compare with; none where there is no such key.
fn references(reader: &mut Reader, fields: &Fields<'_>) -> Option<Vec<Reference>> {
    let Some(value) = fields.get("references") else { return Some(Vec::new()) };
    let path = fields.path_of("references");
    let items = reader.list(&path, value)?;
    if items.len() > MOST_REFERENCES {
        let expected = format!("at most {MOST_REFERENCES}");
        reader.problem(&path, people::counted(items.len(), "reference"), expected);
        return None;
    }
    let read: Vec<Option<Reference>> = items
        .iter()
        .enumerate()
        .map(|(i, item)| {
            let fields = reader.object(&format!("{path}[{i}]"), item)?;
            reader.only(&fields, &["label", "makespan"]);
            let label = reader.required(&fields, "label", "a text", Reader::text);
            let expected = "a makespan in cycles";
            let makespan = reader.required(&fields, "makespan", expected, |reader, path, value| {
                reader.small(path, value, 1..=1_000_000_000)
            });
            Some(Reference { label: label?, makespan: makespan? })
        })
        .collect();
    read.into_iter().collect()
}

/// The string as written, or that of the walk through PTX.
pub fn kernel(
    programs: &dyn Programs,
    reader: &mut Reader,
    fields: &Fields<'_>,
) -> Option<(Kernel, Option<Arc<Walk>>)> {
    match (fields.get("kernel"), fields.get("ptx")) {
        (Some(_), Some(_)) => {
            reader.problem(fields.path(), "kernel and ptx together", "exactly one of \"kernel\" and \"ptx\"");
            return None;
        }
        (None, Some(value)) => {
            let walk = programs.walk(reader, fields, value)?;
            return Some((walk.kernel.clone(), Some(walk)));
        }
        _ => {}
    }
    for key in ["entry", "path"] {
        if fields.get(key).is_some() {
            reader.problem(fields.path_of(key), "given without PTX", "no such key unless there is \"ptx\"");
        }
    }
    let text = reader.required(fields, "kernel", KERNEL, Reader::kernel)?;
    match Kernel::parse(&text) {
        Ok(kernel) => Some((kernel, None)),
        Err(error) => {
            let what = format!("{} at character {}", error.what, error.column);
            reader.problem(fields.path_of("kernel"), what, error.expected);
            None
        }
    }
}

/// The rule on who goes first; a sub-block's boundaries move with the instructions that are repeated.
pub fn fairness(
    reader: &mut Reader,
    fields: &Fields<'_>,
    written: Option<&Kernel>,
    normalised: Option<&Normalised>,
) -> Option<Fairness> {
    let path = fields.path_of("fairness");
    match fields.get("fairness").map(|value| reader.text(&path, value)) {
        Some(None) => return None,
        Some(Some(kind)) if kind == "sub-block" => {}
        Some(Some(kind)) if kind != "work-conserving" => {
            reader.problem(path, quoted(&kind), "\"work-conserving\" or \"sub-block\"");
            return None;
        }
        _ => {
            if fields.get("sub_blocks").is_some() {
                let expected = "no such key unless \"fairness\" is \"sub-block\"";
                reader.problem(fields.path_of("sub_blocks"), "given without sub-block fairness", expected);
                return None;
            }
            return Some(Fairness::WorkConserving);
        }
    }
    let most = written.map_or(MOST_INSTRUCTIONS, Kernel::len) as u32;
    let expected = "for each boundary, how many instructions stand before it";
    let boundaries = reader.required(fields, "sub_blocks", expected, |reader, path, value| {
        let numbers = reader.numbers(path, value, 0..=most)?;
        let fallen = numbers.windows(2).position(|pair| pair[0] >= pair[1]);
        if let Some(i) = fallen {
            let what = format!("{} after {}", numbers[i + 1], numbers[i]);
            reader.problem(format!("{path}[{}]", i + 1), what, "numbers that ascend");
        }
        fallen.is_none().then_some(numbers)
    })?;
    let (written, normalised) = written.zip(normalised)?;
    let repeated = |&boundary: &u32| {
        written.units()[..boundary as usize].iter().map(|&unit| normalised.repeat[unit]).sum()
    };
    Some(Fairness::SubBlock(boundaries.iter().map(repeated).collect()))
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

/// Reads the `machine` object.
pub fn machine(reader: &mut Reader, path: &str, value: &Value) -> Option<Normalised> {
    let fields = reader.object(path, value)?;
    if fields.get("preset").is_some() {
        preset(reader, &fields)
    } else if fields.get("units").is_some() || fields.get("warp_size").is_some() {
        unit_counts(reader, &fields)
    } else {
        capacities(reader, path, value).map(Normalised::plain)
    }
}

/// A machine in the model's own terms.
pub fn capacities(reader: &mut Reader, path: &str, value: &Value) -> Option<Machine> {
    let fields = reader.object(path, value)?;
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
    Some(Machine { capacity: capacity?, issue: issue? })
}

/// The multiprocessor of a preset, with what is odd about it.
pub fn preset_named(name: &str) -> Option<Normalised> {
    Preset::named(name).map(|preset| noted(preset, preset.units()))
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
    Some(noted(preset, units))
}

fn noted(preset: &Preset, units: Units) -> Normalised {
    let mut normalised = units.normalise();
    if !preset.note.is_empty() {
        normalised.notes.insert(0, Note { unit: None, text: preset.note.to_owned() });
    }
    normalised
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
