//! `code` and `machine` as a document writes them out.

use serde_json::Value;

use super::Shape;
use base::problem::{named, quoted};
use code::launch::{MOST_BOARDS, MOST_EXECUTED, MOST_ISSUED, MOST_PARTITIONS, MOST_UNITS, SLOWEST};
use code::{Instruction, Launch, Machine, Scope, Set, Unit, Wait, Warp};
use code_read::Made;
use kit::import::reader::{Fields, Reader};

const CODE: &str = "a list of instructions, such as [{\"unit\": \"fma\", \"hold\": 2, \"stall\": 4}]";

/// Reads both, with `path` where instructions are executed otherwise than once in their order.
pub fn read(reader: &mut Reader, fields: &Fields<'_>, shape: Shape) -> Option<(Launch, Option<Made>)> {
    let machine = reader.required(fields, "machine", "partitions and units", machine);
    let items = reader.required(fields, "code", CODE, |reader, path, value| {
        Some((path.to_owned(), reader.list(path, value)?))
    });
    let (machine, (path, items)) = (machine?, items?);
    let before = reader.noted();
    let code: Vec<Instruction> = items
        .iter()
        .enumerate()
        .filter_map(|(i, item)| instruction(reader, &format!("{path}[{i}]"), item, &machine))
        .collect();
    if items.is_empty() {
        reader.problem(path, "no instruction in it", CODE);
    }
    let way = reader.optional(fields, "path", |reader, path, value| {
        reader.numbers(path, value, 0..=MOST_EXECUTED as u32)
    });
    if reader.noted() > before {
        return None;
    }
    let way = way.unwrap_or_else(|| (0..code.len() as u32).collect());
    let last = code.len().saturating_sub(1) as u32;
    if let Some(at) = way.iter().position(|&place| place > last) {
        let expected = format!("a place in code, 0 to {last}");
        reader.problem(format!("{}[{at}]", fields.path_of("path")), way[at].to_string(), expected);
        return None;
    }
    let block = shape.block.unwrap_or(shape.count).max(1);
    let partitions = machine.partitions;
    let warps = (0..shape.count).map(|warp| Warp {
        stream: 0,
        partition: warp as u32 % partitions,
        block: warp / block,
    });
    match Launch::new(machine, code, vec![way], warps.collect(), shape.misses) {
        Ok(launch) => Some((launch, None)),
        Err(problems) => {
            for problem in problems {
                let place = problem.place.replace("streams[0]", "path");
                reader.problem(fields.path_of(&place), problem.what, problem.expected);
            }
            None
        }
    }
}

fn machine(reader: &mut Reader, path: &str, value: &Value) -> Option<Machine> {
    let fields = reader.object(path, value)?;
    reader.only(&fields, &["partitions", "issue", "units"]);
    let before = reader.noted();
    let small = |reader: &mut Reader, key: &str, most: u32| {
        let found = reader.optional(&fields, key, |reader, path, value| reader.small(path, value, 1..=most));
        found.unwrap_or(1)
    };
    let (partitions, issue) =
        (small(reader, "partitions", MOST_PARTITIONS), small(reader, "issue", MOST_ISSUED));
    let mut units = Vec::new();
    if let Some(value) = fields.get("units") {
        let path = fields.path_of("units");
        let all = reader.object(&path, value)?;
        for key in all.keys() {
            if let Some(value) = all.get(key) {
                units.extend(unit(reader, &all.path_of(key), key, value));
            }
        }
    }
    (reader.noted() == before).then_some(Machine { partitions, issue, units })
}

fn unit(reader: &mut Reader, path: &str, name: &str, value: &Value) -> Option<Unit> {
    let fields = reader.object(path, value)?;
    reader.only(&fields, &["per", "count"]);
    let scope = match fields.get("per") {
        None => Some(Scope::Partition),
        Some(value) => {
            let per = reader.text(&fields.path_of("per"), value)?;
            let scope = [Scope::Partition, Scope::Multiprocessor].into_iter().find(|own| own.name() == per);
            if scope.is_none() {
                reader.problem(fields.path_of("per"), quoted(&per), "\"partition\" or \"multiprocessor\"");
            }
            scope
        }
    };
    let count =
        reader.optional(&fields, "count", |reader, path, value| reader.small(path, value, 1..=MOST_UNITS));
    Some(Unit { name: name.to_owned(), scope: scope?, count: count.unwrap_or(1) })
}

/// The units that there are; of many the first.
fn units_of(machine: &Machine) -> String {
    const TOLD: usize = 6;
    let names: Vec<String> = machine.units.iter().take(TOLD).map(|unit| named(&unit.name)).collect();
    let more = machine.units.len().saturating_sub(TOLD);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("a unit of the machine: {}{more}", names.join(", "))
}

fn instruction(reader: &mut Reader, path: &str, value: &Value, machine: &Machine) -> Option<Instruction> {
    let fields = reader.object(path, value)?;
    reader.only(&fields, &["unit", "hold", "stall", "sets", "waits", "barrier"]);
    let unit = match fields.get("unit") {
        None | Some(Value::Null) => None,
        Some(value) => {
            let name = reader.text(&fields.path_of("unit"), value)?;
            let found = machine.units.iter().position(|unit| unit.name == name);
            if found.is_none() {
                reader.problem(fields.path_of("unit"), quoted(&name), units_of(machine));
            }
            Some(found? as u16)
        }
    };
    let cycles = |reader: &mut Reader, key: &str| {
        let found =
            reader.optional(&fields, key, |reader, path, value| reader.small(path, value, 1..=SLOWEST));
        found.unwrap_or(1)
    };
    let (hold, stall) = (cycles(reader, "hold"), cycles(reader, "stall"));
    let mut sets = Vec::new();
    if let Some(value) = fields.get("sets") {
        let path = fields.path_of("sets");
        if value.is_array() {
            for (i, item) in reader.list(&path, value)?.iter().enumerate() {
                sets.extend(set_of(reader, &format!("{path}[{i}]"), item));
            }
        } else {
            let own = reader.object(&path, value)?;
            for key in own.keys() {
                sets.extend(set(reader, &own, key));
            }
        }
    }
    let mut waits = Vec::new();
    if let Some(value) = fields.get("waits") {
        let path = fields.path_of("waits");
        for (i, item) in reader.list(&path, value)?.iter().enumerate() {
            waits.extend(wait(reader, &format!("{path}[{i}]"), item));
        }
    }
    let barrier = reader.optional(&fields, "barrier", Reader::truth).unwrap_or(false);
    Some(Instruction { unit, hold, stall, sets, waits, barrier })
}

/// `"0": [20, 200]`, `"0": 20`, or `"0": {"range": [20, 200], "hit": 40}`.
fn set(reader: &mut Reader, fields: &Fields<'_>, key: &str) -> Option<Set> {
    let path = fields.path_of(key);
    let Some(board) = key.parse::<u8>().ok().filter(|board| *board < MOST_BOARDS) else {
        reader.problem(path, quoted(key), format!("a scoreboard, \"0\" to \"{}\"", MOST_BOARDS - 1));
        return None;
    };
    let (range, hit) = latency(reader, &path, fields.get(key)?)?;
    Some(Set { board, least: range.0, most: range.1, hit })
}

/// A range, and up to where it is a hit: `[20, 200]`, `20`, or `{"range": [20, 200], "hit": 40}`.
pub fn latency(reader: &mut Reader, path: &str, value: &Value) -> Option<((u32, u32), Option<u32>)> {
    if !value.is_object() {
        return range(reader, path, value).map(|range| (range, None));
    }
    let own = reader.object(path, value)?;
    reader.only(&own, &["range", "hit"]);
    let hit = reader.optional(&own, "hit", |reader, path, value| reader.small(path, value, 1..=SLOWEST));
    Some((reader.required(&own, "range", "two numbers of cycles", range)?, hit))
}

/// `{"board": 0, "range": [20, 200], "hit": 40}`, where an instruction sets one scoreboard twice.
fn set_of(reader: &mut Reader, path: &str, value: &Value) -> Option<Set> {
    let fields = reader.object(path, value)?;
    reader.only(&fields, &["board", "range", "hit"]);
    let last = u32::from(MOST_BOARDS) - 1;
    let board = reader.required(&fields, "board", "a scoreboard", |reader, path, value| {
        reader.small(path, value, 0..=last)
    });
    let hit = reader.optional(&fields, "hit", |reader, path, value| reader.small(path, value, 1..=SLOWEST));
    let (least, most) = reader.required(&fields, "range", "two numbers of cycles", range)?;
    Some(Set { board: board? as u8, least, most, hit })
}

fn range(reader: &mut Reader, path: &str, value: &Value) -> Option<(u32, u32)> {
    if value.is_number() {
        return reader.small(path, value, 1..=SLOWEST).map(|cycles| (cycles, cycles));
    }
    match reader.numbers(path, value, 1..=SLOWEST)?[..] {
        [least, most] if least <= most => Some((least, most)),
        [least, most] => {
            let what = format!("{least} to {most} is no range");
            reader.problem(path, what, "two numbers of cycles, the second no smaller: [20, 200]");
            None
        }
        _ => {
            reader.problem(path, "no range", "two numbers of cycles, the second no smaller: [20, 200]");
            None
        }
    }
}

/// `0`, or `{"board": 0, "left": 2}`.
fn wait(reader: &mut Reader, path: &str, value: &Value) -> Option<Wait> {
    let last = u32::from(MOST_BOARDS) - 1;
    if value.is_number() {
        return reader.small(path, value, 0..=last).map(|board| Wait { board: board as u8, left: 0 });
    }
    let fields = reader.object(path, value)?;
    reader.only(&fields, &["board", "left"]);
    let board = reader.required(&fields, "board", "a scoreboard", |reader, path, value| {
        reader.small(path, value, 0..=last)
    });
    let left = reader.optional(&fields, "left", |reader, path, value| reader.small(path, value, 0..=SLOWEST));
    Some(Wait { board: board? as u8, left: left.unwrap_or(0) })
}
