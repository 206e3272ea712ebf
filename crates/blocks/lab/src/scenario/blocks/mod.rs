//! The `blocks` part of a scenario: a device and what runs on it, written out, as an examiner's configuration, or
//! as the logs of a run that was measured.

pub mod device;
mod measured;
mod operations;
mod streams;
mod sums;
#[cfg(test)]
mod tests;

use serde_json::Value;

use crate::import::examiner::align::Measured;
use crate::import::examiner::{Free, Nested, Options, config};
use base::Nanos;
use base::problem::{named, quoted};
use blocks::fits::misfit;
use blocks::{Device, Kernel, Mask, Placement, Setup, Slicing, Switch, Workload, presets};
use kit::import::reader::{Fields, Reader, shown};

/// A question about blocks.
#[derive(Debug, Clone, PartialEq)]
pub struct BlocksScenario {
    /// What is to be simulated; none where there are only logs.
    pub workload: Option<Workload>,
    /// What was measured, and is to be replayed and checked.
    pub measured: Option<Measured>,
    /// Times that differ by no more than this are the same, in what was measured; none where the document does not
    /// say.
    pub tolerance: Option<Nanos>,
    /// The clocks of host and device may differ by this much more, in what was measured; none where the document
    /// does not say.
    pub clocks: Option<Nanos>,
    /// Published completion times to compare with.
    pub references: Vec<Reference>,
    /// What the reader should know about how the document was understood.
    pub warnings: Vec<Warning>,
}

/// A published completion time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// The kernel.
    pub kernel: String,
    /// When it completes.
    pub completion: Nanos,
    /// Where that was published.
    pub source: String,
}

/// Something that was understood in a way its author should know of.
pub use crate::import::examiner::Warning;

/// Blocks simulated at the most, unless the document says otherwise.
pub const MOST_BLOCKS: u64 = 2_000_000;
/// And the most it may say.
pub const MOST_BLOCKS_EVER: u64 = 20_000_000;
/// Longest time in a document: about 11 days.
pub const LONGEST: u64 = 1_000_000_000_000_000;
/// How long a process keeps the device, unless the document says otherwise.
const QUANTUM: Nanos = Nanos(2_000_000);
/// Devices tried in this order where none is named and the first cannot run a configuration.
const LARGER: [&str; 4] = ["jetson-xavier", "titan-v", "a100", "h100"];

const FIELDS: [&str; 13] = [
    "device",
    "placement",
    "time_slice",
    "streams",
    "examiner",
    "durations",
    "task_host",
    "free",
    "measured",
    "tolerance",
    "clocks",
    "most_blocks",
    "references",
];

/// Reads the `blocks` object.
pub fn read(reader: &mut Reader, path: &str, value: &Value) -> Option<BlocksScenario> {
    let fields = reader.object(path, value)?;
    reader.only(&fields, &FIELDS);
    let given = match fields.get("device") {
        Some(value) => Some(device::read(reader, &fields.path_of("device"), value)?),
        None => None,
    };
    let device = given.clone().unwrap_or_else(device::default);
    let common = Common::read(reader, &fields);
    let mut warnings = Vec::new();
    let workload = match (fields.get("streams"), fields.get("examiner")) {
        (Some(_), Some(_)) => {
            reader.problem(path, "\"streams\" and \"examiner\" together", "one of them");
            return None;
        }
        (Some(value), None) => {
            for key in ["durations", "task_host", "free"] {
                if fields.get(key).is_some() {
                    reader.problem(fields.path_of(key), "nothing to apply it to", "\"examiner\" beside it");
                }
            }
            Some(streams::read(reader, &fields.path_of("streams"), value, &device, &mut warnings)?)
        }
        (None, Some(value)) => {
            let options = options(reader, &fields)?;
            let place = fields.path_of("examiner");
            let device = match given {
                Some(_) => device,
                None => larger(&place, value, &options, &mut warnings).unwrap_or(device),
            };
            let named = fields.get("device").is_some();
            let imported = config::read(reader, &place, value, &device, &options)?;
            if !named && warnings.is_empty() {
                warnings.push(assumed(&place, &imported.workload.setup));
            }
            warnings.extend(imported.warnings);
            Some(imported.workload)
        }
        (None, None) if fields.get("measured").is_some() => None,
        (None, None) => {
            reader.problem(path, "nothing to run", "\"streams\", \"examiner\" or \"measured\"");
            return None;
        }
    };
    let common = common?;
    let workload = workload.map(|workload| Workload {
        placement: common.placement,
        slicing: common.slicing,
        most_blocks: common.most_blocks,
        ..workload
    });
    if let Some(workload) = &workload {
        fit(reader, path, &workload.setup);
        sums::check(reader, path, workload);
    }
    let measured = match fields.get("measured") {
        Some(value) => {
            let place = fields.path_of("measured");
            let measured = measured::read(reader, &place, value, given.as_ref(), workload.as_ref())?;
            warnings.extend(measured.warnings.iter().cloned());
            Some(measured)
        }
        None => None,
    };
    let references = references(reader, &fields)?;
    let Common { tolerance, clocks, .. } = common;
    Some(BlocksScenario { workload, measured, tolerance, clocks, references, warnings })
}

impl BlocksScenario {
    /// The device it is about.
    pub fn device(&self) -> Option<&Device> {
        let setup = self.workload.as_ref().map(|workload| &workload.setup);
        setup.or(self.measured.as_ref().map(|measured| &measured.setup)).map(|setup| &setup.device)
    }
}

/// What applies however the workload is written.
struct Common {
    placement: Placement,
    slicing: Slicing,
    tolerance: Option<Nanos>,
    clocks: Option<Nanos>,
    most_blocks: u64,
}

impl Common {
    fn read(reader: &mut Reader, fields: &Fields<'_>) -> Option<Self> {
        let placement = choice(reader, fields, "placement", &Placement::ALL);
        let slicing = match fields.get("time_slice") {
            None => Some(Slicing { quantum: QUANTUM, switch: Switch::Drain }),
            Some(value) => slicing(reader, &fields.path_of("time_slice"), value),
        };
        let mut nanos = |key: &str| match fields.get(key) {
            None => Some(None),
            Some(value) => {
                reader.whole(&fields.path_of(key), value, 0..=LONGEST).map(|nanos| Some(Nanos(nanos)))
            }
        };
        let (tolerance, clocks) = (nanos("tolerance"), nanos("clocks"));
        let most_blocks = match fields.get("most_blocks") {
            None => Some(MOST_BLOCKS),
            Some(value) => reader.whole(&fields.path_of("most_blocks"), value, 1..=MOST_BLOCKS_EVER),
        };
        Some(Self {
            placement: placement?,
            slicing: slicing?,
            tolerance: tolerance?,
            clocks: clocks?,
            most_blocks: most_blocks?,
        })
    }
}

fn slicing(reader: &mut Reader, path: &str, value: &Value) -> Option<Slicing> {
    let fields = reader.object(path, value)?;
    reader.only(&fields, &["quantum", "switch"]);
    let quantum = match fields.get("quantum") {
        None => Some(QUANTUM),
        Some(value) => reader.whole(&fields.path_of("quantum"), value, 1..=LONGEST).map(Nanos),
    };
    let switch = choice(reader, &fields, "switch", &[(Switch::Drain, "drain"), (Switch::Preempt, "preempt")]);
    Some(Slicing { quantum: quantum?, switch: switch? })
}

/// The completion times to compare with; none where there is no such key.
fn references(reader: &mut Reader, fields: &Fields<'_>) -> Option<Vec<Reference>> {
    let Some(value) = fields.get("references") else { return Some(Vec::new()) };
    let path = fields.path_of("references");
    let items = reader.list(&path, value)?;
    let mut read = |(i, item): (usize, &Value)| {
        let fields = reader.object(&format!("{path}[{i}]"), item)?;
        reader.only(&fields, &["kernel", "completion", "source"]);
        let kernel = reader.required(&fields, "kernel", "a kernel's label", Reader::text);
        let completion = reader.required(&fields, "completion", "nanoseconds", |reader, path, value| {
            reader.whole(path, value, 0..=LONGEST).map(Nanos)
        });
        let source = match fields.get("source") {
            None => Some(String::new()),
            Some(value) => reader.text(&fields.path_of("source"), value),
        };
        Some(Reference { kernel: kernel?, completion: completion?, source: source? })
    };
    let read: Vec<Option<Reference>> = items.iter().enumerate().map(&mut read).collect();
    read.into_iter().collect()
}

/// How an examiner's configuration is to be understood.
fn options(reader: &mut Reader, fields: &Fields<'_>) -> Option<Options> {
    let nested = [(Nested::SideBySide, "side-by-side"), (Nested::InOrder, "in-order")];
    let free = [(Free::Synchronises, "synchronises"), (Free::Instant, "instant")];
    let mut options = Options {
        nested: choice(reader, fields, "task_host", &nested)?,
        free: choice(reader, fields, "free", &free)?,
        ..Options::default()
    };
    if let Some(value) = fields.get("durations") {
        let durations = reader.object(&fields.path_of("durations"), value)?;
        for key in durations.keys() {
            let value = durations.get(key)?;
            let nanos = reader.whole(&durations.path_of(key), value, 0..=LONGEST)?;
            options.durations.insert(key.to_owned(), Nanos(nanos));
        }
    }
    Some(options)
}

/// That a configuration was taken to be for the device that is meant where none is named.
fn assumed(path: &str, setup: &Setup) -> Warning {
    let name = &setup.device.name;
    let masked = setup.kernels.iter().filter(|kernel| kernel.mask != Mask::ALL);
    let sms = setup.device.sms;
    let in_vain = masked.clone().count() > 0
        && masked.clone().all(|kernel| kernel.mask.below(sms).count() == usize::from(sms));
    let masks = if in_vain { "; its masks keep no kernel away from any of its multiprocessors" } else { "" };
    let text = format!("no device is named: {name} is assumed{masks}");
    Warning { place: path.to_owned(), text }
}

/// Where no device is named and the one that is meant then cannot run a configuration: the first that can.
fn larger(path: &str, value: &Value, options: &Options, warnings: &mut Vec<Warning>) -> Option<Device> {
    // What keeps a device from running it.
    let against = |device: &Device| -> Option<String> {
        let mut reader = Reader::default();
        let imported = config::read(&mut reader, path, value, device, options);
        if let Some(problem) = reader.into_problems().first() {
            return Some(problem.what.clone());
        }
        let setup = imported?.workload.setup;
        let misfits = |kernel: &Kernel| Some((kernel.label.clone(), misfit(kernel, device)?));
        let (label, misfit) = setup.kernels.iter().find_map(misfits)?;
        Some(format!("kernel {}: {misfit}", quoted(&label)))
    };
    let meant = device::default();
    let why = against(&meant)?;
    let mut others = LARGER.iter().filter_map(|name| presets::named(name)).map(|preset| preset.device());
    let found = others.find(|device| against(device).is_none())?;
    let (meant, found_name) = (&meant.name, &found.name);
    let text = format!("no device is named, and {meant} cannot run this ({why}): {found_name} is assumed");
    warnings.push(Warning { place: path.to_owned(), text });
    Some(found)
}

/// Whether every kernel can run on the device at all.
fn fit(reader: &mut Reader, path: &str, setup: &Setup) {
    for kernel in &setup.kernels {
        if let Some(misfit) = misfit(kernel, &setup.device) {
            let label = quoted(&kernel.label);
            let expected = format!("a kernel that fits {}", named(&setup.device.name));
            reader.problem(path, format!("kernel {label} can never run: {misfit}"), expected);
        }
    }
}

/// One of a few names, the first where there is none.
pub fn choice<T: Copy>(
    reader: &mut Reader,
    fields: &Fields<'_>,
    key: &str,
    among: &[(T, &str)],
) -> Option<T> {
    let Some(value) = fields.get(key) else { return among.first().map(|(found, _)| *found) };
    let found = value.as_str().and_then(|name| among.iter().find(|(_, known)| *known == name));
    if found.is_none() {
        let names: Vec<String> = among.iter().map(|(_, name)| format!("\"{name}\"")).collect();
        reader.problem(fields.path_of(key), shown(value), format!("one of {}", names.join(", ")));
    }
    found.map(|(found, _)| *found)
}

/// A time in nanoseconds.
pub fn nanos_or(reader: &mut Reader, fields: &Fields<'_>, key: &str, otherwise: Nanos) -> Option<Nanos> {
    match fields.get(key) {
        None => Some(otherwise),
        Some(value) => reader.whole(&fields.path_of(key), value, 0..=LONGEST).map(Nanos),
    }
}
