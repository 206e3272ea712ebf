//! The `memory` part of a warps scenario: how long loads take, and which of them miss.
//!
//! Programs that run no such scenario take it as it is written ([`AsWritten`]): a worker runs it, and says what is wrong
//! with it.

use serde_json::Value;

use super::method::Shape;
use crate::scenario::Method;
use base::people;
use base::problem::quoted;
use kit::import::reader::{Fields, Reader};
use warps::memory::check::{Flaw, check};
use warps::memory::{MOST_CYCLES, Problem, SLOWEST};
use warps::{Fairness, Kernel, MOST_INSTRUCTIONS, MOST_WARPS, Unit};
use warps::{Memory, Misses, Mode, Schedule};

/// How a program reads what there is about loads.
pub trait Loads {
    /// Reads the `memory` object, if there is one; the outer `None` is a problem.
    fn read(&self, reader: &mut Reader, fields: &Fields<'_>) -> Option<Option<Memory>>;

    /// Sees that memory fits the rest of the scenario; what is listed as missing then ascends.
    fn fitted(
        &self,
        _reader: &mut Reader,
        _fields: &Fields<'_>,
        _memory: &mut Memory,
        _shape: (Option<&Kernel>, Option<usize>),
        _fairness: Option<&Fairness>,
    ) {
    }

    /// Sees that the method is one that can be had with this memory.
    fn allows(&self, _reader: &mut Reader, _path: String, _memory: &Memory, _method: &Method) {}

    /// A schedule that is given, if it keeps the rules.
    fn schedule(
        &self,
        reader: &mut Reader,
        path: &str,
        rows: &[Vec<u32>],
        shape: &Shape<'_>,
        memory: &Memory,
    ) -> Option<Schedule>;
}

/// All of it is read, and looked at.
pub struct Checked;

impl Loads for Checked {
    fn read(&self, reader: &mut Reader, fields: &Fields<'_>) -> Option<Option<Memory>> {
        read(reader, fields)
    }

    fn fitted(
        &self,
        reader: &mut Reader,
        fields: &Fields<'_>,
        memory: &mut Memory,
        shape: (Option<&Kernel>, Option<usize>),
        fairness: Option<&Fairness>,
    ) {
        fitted(reader, fields, memory, shape, fairness);
    }

    fn allows(&self, reader: &mut Reader, path: String, memory: &Memory, method: &Method) {
        allows(reader, path, memory, method);
    }

    fn schedule(
        &self,
        reader: &mut Reader,
        path: &str,
        rows: &[Vec<u32>],
        shape: &Shape<'_>,
        memory: &Memory,
    ) -> Option<Schedule> {
        schedule(reader, path, rows, shape, memory)
    }
}

/// Taken as it is written, whatever it is.
pub struct AsWritten;

impl Loads for AsWritten {
    fn read(&self, _: &mut Reader, fields: &Fields<'_>) -> Option<Option<Memory>> {
        let Some(written) = fields.get("memory") else { return Some(None) };
        let cycles = |key| written.get(key).and_then(Value::as_f64).map(|cycles| cycles as u32);
        let held = written.get("mode").is_some_and(|mode| mode == "held");
        let hit = cycles("hit").unwrap_or(1);
        let misses = match written.get("misses") {
            Some(Value::String(none)) if none == "none" => Misses::None,
            Some(Value::Number(_)) => Misses::AtMost(cycles("misses").unwrap_or(0)),
            _ => Misses::All,
        };
        Some(Some(Memory {
            mode: if held { Mode::Held } else { Mode::Pipelined },
            hit,
            miss: cycles("miss").unwrap_or(hit),
            misses,
            missing: written.get("missing").map(|_| Vec::new()),
        }))
    }

    fn schedule(
        &self,
        _: &mut Reader,
        _: &str,
        rows: &[Vec<u32>],
        shape: &Shape<'_>,
        _: &Memory,
    ) -> Option<Schedule> {
        Schedule::new(rows, shape.kernel.len())
    }
}

/// Reads the `memory` object, if there is one; the outer `None` is a problem.
pub fn read(reader: &mut Reader, fields: &Fields<'_>) -> Option<Option<Memory>> {
    let Some(value) = fields.get("memory") else { return Some(None) };
    let fields = reader.object(&fields.path_of("memory"), value)?;
    reader.only(&fields, &["mode", "hit", "miss", "misses", "missing"]);
    let mode = reader.required(&fields, "mode", "\"held\" or \"pipelined\"", mode);
    let hit = match fields.get("hit") {
        None => Some(1),
        Some(value) => reader.small(&fields.path_of("hit"), value, 1..=SLOWEST),
    };
    let misses = match fields.get("misses") {
        None => Some(Misses::All),
        Some(value) => misses(reader, &fields.path_of("misses"), value),
    };
    let missing = match fields.get("missing") {
        None => Some(None),
        Some(value) => missing(reader, &fields.path_of("missing"), value).map(Some),
    };
    if fields.get("missing").is_some() && fields.get("misses").is_some() {
        reader.problem(
            fields.path(),
            "misses and missing together",
            "at most one of \"misses\" and \"missing\"",
        );
    }
    let least = hit.unwrap_or(1);
    let miss = match fields.get("miss") {
        // Where nothing misses it plays no part.
        None if misses == Some(Misses::None) => hit,
        _ => reader.required(
            &fields,
            "miss",
            &format!("a whole number of cycles, {least} to {SLOWEST}"),
            |reader, path, value| reader.small(path, value, least..=SLOWEST),
        ),
    };
    Some(Some(Memory { mode: mode?, hit: hit?, miss: miss?, misses: misses?, missing: missing? }))
}

fn mode(reader: &mut Reader, path: &str, value: &Value) -> Option<Mode> {
    let name = reader.text(path, value)?;
    let mode = [Mode::Held, Mode::Pipelined].into_iter().find(|mode| mode.name() == name);
    if mode.is_none() {
        reader.problem(path, quoted(&name), "\"held\" or \"pipelined\"");
    }
    mode
}

fn misses(reader: &mut Reader, path: &str, value: &Value) -> Option<Misses> {
    match value {
        Value::String(text) if text == "none" => Some(Misses::None),
        Value::String(text) if text == "all" => Some(Misses::All),
        Value::Number(_) => {
            reader.small(path, value, 0..=(MOST_WARPS * MOST_INSTRUCTIONS) as u32).map(Misses::AtMost)
        }
        other => {
            let what = kit::import::reader::shown(other);
            reader.problem(path, what, "\"none\", \"all\" or how many loads miss at the most");
            None
        }
    }
}

/// Pairs of warp and instruction, from 1.
fn missing(reader: &mut Reader, path: &str, value: &Value) -> Option<Vec<(u16, u16)>> {
    let items = reader.list(path, value)?;
    let pair = |(i, item)| {
        let path = format!("{path}[{i}]");
        match reader.numbers(&path, item, 1..=MOST_INSTRUCTIONS as u32)?[..] {
            [warp, instruction] => Some((warp as u16 - 1, instruction as u16 - 1)),
            ref other => {
                let what = people::counted(other.len(), "number");
                reader.problem(path, what, "a warp and one of its loads, each from 1");
                None
            }
        }
    };
    let pairs: Vec<Option<(u16, u16)>> = items.iter().enumerate().map(pair).collect();
    pairs.into_iter().collect()
}

/// Sees that nothing else says how long loads take.
pub fn latency_is_free(reader: &mut Reader, fields: &Fields<'_>) {
    if let Some(latency) = fields.get("machine").and_then(|machine| machine.pointer("/latency/L"))
        && latency.as_f64() != Some(1.0)
    {
        reader.problem(
            format!("{}.latency.L", fields.path_of("machine")),
            format!("{} beside \"memory\"", kit::import::reader::shown(latency)),
            "1 or no such key: \"memory\" says how long loads take",
        );
    }
}

/// Sees that memory fits the rest of the scenario; what is listed as missing then ascends.
fn fitted(
    reader: &mut Reader,
    fields: &Fields<'_>,
    memory: &mut Memory,
    (kernel, count): (Option<&Kernel>, Option<usize>),
    fairness: Option<&Fairness>,
) {
    latency_is_free(reader, fields);
    if matches!(fairness, Some(Fairness::SubBlock(_))) {
        let expected = "\"work-conserving\": with \"memory\" there is no other";
        reader.problem(fields.path_of("fairness"), "\"sub-block\" beside \"memory\"", expected);
    }
    let Some((kernel, count)) = kernel.zip(count) else { return };
    let loads = u64::from(kernel.totals()[Unit::LoadStore]);
    let most = count as u64 * (kernel.len() as u64 + loads * u64::from(memory.miss - 1));
    let path = fields.path_of("memory");
    if most > MOST_CYCLES {
        let what = format!(
            "all loads missing, the instructions take {} cycles in all",
            people::grouped(most.into())
        );
        let expected = format!("at most {}", people::grouped(MOST_CYCLES.into()));
        reader.problem(format!("{path}.miss"), what, expected);
    }
    let Some(missing) = &mut memory.missing else { return };
    for (i, &(warp, instruction)) in missing.iter().enumerate() {
        let path = format!("{path}.missing[{i}]");
        if usize::from(warp) >= count {
            reader.problem(path, format!("warp {}", warp + 1), format!("a warp, 1 to {count}"));
        } else if kernel.units().get(usize::from(instruction)) != Some(&Unit::LoadStore) {
            let what = match kernel.units().get(usize::from(instruction)) {
                Some(unit) => format!("instruction {}, which is {}", instruction + 1, unit.letter()),
                None => format!("instruction {} of {}", instruction + 1, kernel.len()),
            };
            reader.problem(path, what, "one of the warp's loads in the normalised kernel, from 1");
        }
    }
    base::sort::sort(missing);
    if let Some(twice) = missing.windows(2).find(|pair| pair[0] == pair[1]) {
        let what = format!("[{}, {}] twice", twice[0].0 + 1, twice[0].1 + 1);
        reader.problem(format!("{path}.missing"), what, "each load once");
    }
}

/// Sees that the method is one that can be had with this memory.
fn allows(reader: &mut Reader, path: String, memory: &Memory, method: &Method) {
    let search = match method {
        Method::Exact(_) => "exact",
        Method::Beam(_) => "beam",
        Method::Initial(_) | Method::Order(_) | Method::Schedule(_) | Method::Anneal(_) => return,
    };
    if memory.missing.is_some() {
        reader.problem(
            path,
            format!("\"{search}\" beside \"missing\" in \"memory\""),
            "\"initial\", \"order\", \"schedule\" or \"anneal\"; or \"misses\", which the search places itself",
        );
    }
}

/// A schedule that is given, if it keeps the rules.
fn schedule(
    reader: &mut Reader,
    path: &str,
    rows: &[Vec<u32>],
    shape: &Shape<'_>,
    memory: &Memory,
) -> Option<Schedule> {
    let problem = Problem { kernel: shape.kernel, machine: shape.machine, memory, warps: shape.count };
    let Some(missed) = problem.settled() else {
        let expected = "\"missing\" in \"memory\", or \"misses\" \"none\" or \"all\"";
        reader.problem(path, "which loads miss in it is not said", expected);
        return None;
    };
    let flaws = check(&problem, rows, &missed);
    for flaw in &flaws {
        let expected = match flaw {
            Flaw::NoLoad { .. } | Flaw::Misses { .. } => "loads that may miss",
            Flaw::Early { .. } => "each instruction of a warp once the one before it is complete",
            Flaw::Capacity { .. } => "no more warps on a unit than it serves",
            Flaw::Issue { .. } => "no more warps than may issue in a cycle",
            Flaw::Idle { .. } => "no warp waiting while its unit and an issue slot are free",
        };
        reader.problem(path, flaw.to_string(), expected);
    }
    let durations = memory.durations(shape.kernel, shape.count, &missed);
    Schedule::new(rows, shape.kernel.len())?.lasting(durations).filter(|_| flaws.is_empty())
}
