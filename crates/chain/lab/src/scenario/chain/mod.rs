//! The `chain` part of a scenario: a GPU, kernels, cores and host tasks.

mod assumed;
mod changes;
mod host;
mod kernels;
mod links;
mod listed;
#[cfg(test)]
mod tests;

pub use changes::Changed;
use code_lab::report::Rest;
pub use listed::OTHER_DEVICE;
use std::collections::HashMap;
use std::sync::Arc;

use serde_json::Value;

use base::people;
use base::problem::quoted;
use blocks_lab::scenario::blocks::{LONGEST, choice, device};
use chain::{Chain, GpuClock, Sharing};
use code_lab::scenario::CodeScenario;
use kit::import::reader::{Fields, Reader};
use warps::{Memory, Mode, Normalised};
use warps_lab::import::ptx::Walk;
use warps_lab::scenario::{memory, warps as of_warps};

/// A question about a whole chain.
#[derive(Debug, Clone, PartialEq)]
pub struct ChainScenario {
    /// The chain.
    pub chain: Chain,
    /// Where the instructions of each kernel are from, unless they are written as a string.
    pub sources: Vec<Option<Source>>,
    /// The document, as far as parts of it are opened on their own.
    pub document: Value,
}

impl ChainScenario {
    /// Of each kernel the loops that go round once because nobody says how often, in a clause; nothing where there are
    /// none.
    pub fn rounds_assumed(&self) -> Vec<String> {
        assumed::rounds_assumed(self)
    }

    /// Of each kernel that is given as a listing what it rests on, the gravest first.
    pub fn rests(&self) -> Vec<Vec<Rest>> {
        listed::all(self)
    }
}

/// Where instructions are from.
#[derive(Debug, Clone, PartialEq)]
pub enum Source {
    /// PTX.
    Ptx(Ptx),
    /// Machine code, for the warps of one block.
    Code(CodeScenario),
}

/// PTX and the walk through it.
#[derive(Debug, Clone, PartialEq)]
pub struct Ptx {
    /// The text.
    pub text: String,
    /// The walk.
    pub walk: Arc<Walk>,
}

/// Frequencies that a clock may have.
const HERTZ: std::ops::RangeInclusive<u64> = 1_000_000..=1_000_000_000_000;
/// The largest count of cycles or ticks: with the slowest clock it is the longest time.
const MOST_COUNTED: u64 = LONGEST / 1_000;
/// Cycles a second of a GPU that does not say.
const CLOCK: u64 = 1_300_000_000;
/// States an exact search may look at, unless the document says otherwise, and at most.
const EFFORT: u64 = 2_000_000;
const MOST_EFFORT: u64 = 1_000_000_000;

const FIELDS: [&str; 11] = [
    "device", "machine", "clock", "memory", "sharing", "order", "kernels", "cores", "tasks", "effort",
    "assumed",
];

/// Reads the `chain` object.
pub fn read(reader: &mut Reader, path: &str, value: &Value) -> Option<ChainScenario> {
    let fields = reader.object(path, value)?;
    reader.only(&fields, &FIELDS);
    let device = match fields.get("device") {
        None => Some(device::default()),
        Some(value) => device::read(reader, &fields.path_of("device"), value),
    };
    let machine = match fields.get("machine") {
        None => of_warps::preset_named("cc-6.2"),
        Some(value) => of_warps::machine(reader, &fields.path_of("machine"), value),
    };
    let clock = whole_or(reader, &fields, "clock", HERTZ, CLOCK).map(GpuClock::new);
    let effort = whole_or(reader, &fields, "effort", 1..=MOST_EFFORT, EFFORT);
    let loads = loads(reader, &fields);
    let sharing =
        choice(reader, &fields, "sharing", &[(Sharing::Shared, "shared"), (Sharing::Exclusive, "exclusive")]);
    let kernels = reader.required(&fields, "kernels", "a list of kernels", |reader, path, value| {
        let on = kernels::On { device: device.as_ref(), machine: machine.as_ref(), warp: warp_size(&fields) };
        kernels::read(reader, path, value, on)
    });
    let cores = host::cores(reader, &fields);
    let names: Option<Vec<&str>> = kernels.as_ref().map(|all| all.iter().map(|(k, _)| &*k.name).collect());
    let tasks = host::tasks(reader, &fields, names.as_deref(), cores.as_deref(), device.as_ref());
    let order = order(reader, &fields, names.as_deref());
    let assumed = assumed::read(reader, &fields);
    let (kernels, sources): (Vec<_>, Vec<_>) = kernels?.into_iter().unzip();
    if kernels.is_empty() && tasks.as_ref().is_some_and(Vec::is_empty) {
        reader.problem(fields.path_of("kernels"), "no kernel and no task", "one of them at least");
        return None;
    }
    let chain = Chain {
        device: device?,
        warp: warp_size(&fields),
        sm: machine?,
        memory: loads?,
        clock: clock?,
        sharing: sharing?,
        order: order?,
        kernels,
        cores: cores?,
        tasks: tasks?,
        effort: effort?,
        assumed: assumed?,
    };
    let mut asked = ChainScenario { chain, sources, document: value.clone() };
    assumed::add_by_reading(&mut asked);
    Some(asked)
}

/// Threads of a warp: as the multiprocessor has them, or the device, or 32.
fn warp_size(fields: &Fields<'_>) -> u32 {
    let said = |object: &str, key: &str| fields.get(object).and_then(|found| found.get(key)?.as_u64());
    let said = said("machine", "warp_size").or_else(|| said("device", "warp"));
    said.and_then(|threads| u32::try_from(threads).ok()).filter(|&threads| threads > 0).unwrap_or(32)
}

/// A whole number, or what is meant where there is none.
fn whole_or(
    reader: &mut Reader,
    fields: &Fields<'_>,
    key: &str,
    range: std::ops::RangeInclusive<u64>,
    otherwise: u64,
) -> Option<u64> {
    match fields.get(key) {
        None => Some(otherwise),
        Some(value) => reader.whole(&fields.path_of(key), value, range),
    }
}

/// What loads cost, for all kernels; inner `None` where each takes a cycle.
fn loads(reader: &mut Reader, fields: &Fields<'_>) -> Option<Option<Memory>> {
    let Some(memory) = memory::read(reader, fields)? else { return Some(None) };
    memory::latency_is_free(reader, fields);
    let path = fields.path_of("memory");
    if memory.missing.is_some() {
        let expected = "\"misses\": \"none\", \"all\" or a number: a chain asks for the worst case";
        reader.problem(format!("{path}.missing"), "a list of loads", expected);
        return None;
    }
    if memory.mode == Mode::Held {
        let expected = "\"pipelined\": with held units fewer blocks can take longer than more of them";
        reader.problem(format!("{path}.mode"), "\"held\"", expected);
        return None;
    }
    Some(Some(memory))
}

/// The launch order of the kernels; inner `None` for the worst of all.
fn order(reader: &mut Reader, fields: &Fields<'_>, names: Option<&[&str]>) -> Option<Option<Vec<usize>>> {
    let path = fields.path_of("order");
    let items = match fields.get("order") {
        None => return Some(None),
        Some(Value::String(word)) if word == "worst" => return Some(None),
        Some(value @ Value::Array(_)) => reader.list(&path, value)?,
        Some(other) => {
            let what = kit::import::reader::shown(other);
            reader.problem(path, what, "\"worst\", or a list with the name of every kernel");
            return None;
        }
    };
    let names = names?;
    let mut order = Vec::with_capacity(names.len());
    let mut sound = true;
    for (i, item) in items.iter().enumerate() {
        let place = format!("{path}[{i}]");
        let found = reader.text(&place, item).and_then(|name| known(reader, &place, &name, names, "kernel"));
        match found {
            Some(kernel) if order.contains(&kernel) => {
                reader.problem(place, format!("{} again", quoted(names[kernel])), "every kernel once");
                sound = false;
            }
            Some(kernel) => order.push(kernel),
            None => sound = false,
        }
    }
    if sound && order.len() < names.len() {
        let missing = (0..names.len()).find(|kernel| !order.contains(kernel));
        let missing = missing.and_then(|kernel| names.get(kernel)).copied().unwrap_or_default();
        reader.problem(path, format!("an order without {}", quoted(missing)), "every kernel once");
        sound = false;
    }
    sound.then_some(Some(order))
}

/// The index of a name.
fn known(reader: &mut Reader, place: &str, name: &str, names: &[&str], what: &str) -> Option<usize> {
    let found = names.iter().position(|known| *known == name);
    if found.is_none() {
        let some: Vec<String> = names.iter().take(10).map(|name| quoted(name)).collect();
        let expected = match &some[..] {
            [] => format!("the name of a {what}, of which there is none"),
            some => format!("the name of a {what}: {}", some.join(", ")),
        };
        reader.problem(place, quoted(name), expected);
    }
    found
}

/// Notes names that were used before.
fn names_differ<'a>(reader: &mut Reader, path: &str, names: impl Iterator<Item = &'a str>) -> Option<()> {
    let mut known: HashMap<&str, usize> = HashMap::new();
    let mut sound = Some(());
    for (i, name) in names.enumerate() {
        if let Some(first) = known.get(name) {
            let what = format!("the name of {path}[{first}] again");
            reader.problem(format!("{path}[{i}].name"), what, "a name of its own");
            sound = None;
        } else {
            known.insert(name, i);
        }
    }
    sound
}

/// A name that can be told from others.
fn name(reader: &mut Reader, fields: &Fields<'_>, expected: &str) -> Option<String> {
    let name = reader.required(fields, "name", expected, Reader::text)?;
    if name.is_empty() {
        reader.problem(fields.path_of("name"), "an empty text", expected);
        return None;
    }
    Some(name)
}

/// A string with its instructions repeated as the multiprocessor asks, if every kind has a unit.
fn normalised(
    reader: &mut Reader,
    fields: &Fields<'_>,
    written: &warps::Kernel,
    machine: &Normalised,
) -> Option<warps::Kernel> {
    let key = if fields.get("ptx").is_some() { "ptx" } else { "kernel" };
    let totals = written.totals();
    for unit in warps::Unit::ALL {
        if totals[unit] > 0 && machine.machine.capacity[unit] == 0 {
            let letter = unit.letter();
            let what = people::counted(totals[unit] as usize, &format!("{letter} instruction"));
            let expected = format!("a multiprocessor with {letter} units in \"machine\"");
            reader.problem(fields.path_of(key), what, expected);
            return None;
        }
    }
    let repeated = written.repeated(&machine.repeat);
    repeated.map_err(|error| reader.problem(fields.path_of(key), error.what, error.expected)).ok()
}
