//! The certificate document: a launch and a claim, written and read.

use serde_json::{Map, Value, json};

use crate::scenario::written;
use base::Problem;
use code::launch::{MOST_WARPS, SLOWEST};
use code::{Instruction, Launch, Schedule};
use kit::import::reader::Reader;

/// A certificate as it is written, its launch and schedule read.
#[derive(Debug)]
pub struct Certificate {
    pub title: String,
    pub provided: Vec<String>,
    pub launch: Launch,
    pub schedule: Schedule,
    pub makespan: u32,
    pub upper: Option<Upper>,
    pub exact: bool,
}

/// An upper bound, the name of its proof, and what that counted.
#[derive(Debug)]
pub struct Upper {
    pub bound: u64,
    pub by: String,
    pub counted: u64,
}

/// What is asked about, as documents have it.
pub fn of(launch: &Launch) -> Value {
    let machine = launch.machine();
    let mut units = Map::new();
    for unit in &machine.units {
        units.insert(unit.name.clone(), json!({ "per": unit.scope.name(), "count": unit.count }));
    }
    let code: Vec<Value> = launch.code().iter().map(|own| instruction(launch, own)).collect();
    let path = &launch.streams()[launch.warps()[0].stream].path;
    let block = launch.warps().iter().take_while(|warp| warp.block == launch.warps()[0].block).count();
    let mut about = json!({
        "code": code,
        "path": path,
        "machine": { "partitions": machine.partitions, "issue": machine.issue, "units": units },
        "count": launch.warps().len(),
        "block": block,
    });
    if let (Some(misses), Some(about)) = (launch.misses(), about.as_object_mut()) {
        about.insert("misses".to_owned(), misses.into());
    }
    about
}

fn instruction(launch: &Launch, own: &Instruction) -> Value {
    let set = |set: &code::Set| {
        let mut own = json!({ "board": set.board, "range": [set.least, set.most] });
        if let (Some(hit), Some(own)) = (set.hit, own.as_object_mut()) {
            own.insert("hit".to_owned(), hit.into());
        }
        own
    };
    let wait = |wait: &code::Wait| json!({ "board": wait.board, "left": wait.left });
    json!({
        "unit": own.unit.map(|unit| &launch.machine().units[usize::from(unit)].name),
        "hold": own.hold,
        "stall": own.stall,
        "sets": own.sets.iter().map(set).collect::<Vec<_>>(),
        "waits": own.waits.iter().map(wait).collect::<Vec<_>>(),
        "barrier": own.barrier,
    })
}

/// Reads a certificate, or says everything that keeps the tree from being one.
pub fn read(tree: &Value) -> Result<Certificate, Vec<Problem>> {
    let mut reader = Reader::default();
    let certificate = whole(&mut reader, tree);
    match (certificate, reader.into_problems()) {
        (Some(certificate), problems) if problems.is_empty() => Ok(certificate),
        (_, problems) => Err(problems),
    }
}

const KEYS: [&str; 13] = [
    super::KEY,
    "scenario",
    "provided",
    "code",
    "path",
    "machine",
    "count",
    "block",
    "misses",
    "lower",
    "upper",
    "exact",
    "checksum",
];

fn whole(reader: &mut Reader, tree: &Value) -> Option<Certificate> {
    let fields = reader.object("", tree)?;
    let expected = "the version of a certificate, \"warpspan_certificate\": 1";
    reader.required(&fields, super::KEY, expected, |reader, path, value| reader.whole(path, value, 1..=1))?;
    reader.only(&fields, &KEYS);
    let title = reader.required(&fields, "scenario", "the title of the scenario", Reader::text);
    let provided = reader.optional(&fields, "provided", |reader, path, value| {
        let list = reader.list(path, value)?;
        list.iter().enumerate().map(|(i, text)| reader.text(&format!("{path}[{i}]"), text)).collect()
    });
    let shape = crate::scenario::shape(reader, &fields)?;
    let (launch, _) = written::read(reader, &fields, shape)?;
    let lower = fields.get("lower").filter(|value| value.is_object());
    let Some(lower) = lower else {
        reader.problem(fields.path_of("lower"), "missing", "a schedule");
        return None;
    };
    let lower = reader.object(&fields.path_of("lower"), lower)?;
    reader.only(&lower, &["makespan", "issued", "latencies"]);
    let cycles = 1..=u32::MAX >> 1;
    let makespan = reader.required(&lower, "makespan", "a makespan in cycles", |reader, path, value| {
        reader.small(path, value, cycles.clone())
    });
    let issued =
        reader.required(&lower, "issued", "a list of cycles for each warp", |reader, path, value| {
            let rows = reader.list(path, value)?;
            if rows.len() > MOST_WARPS {
                reader.problem(path, format!("{} rows", rows.len()), format!("at most {MOST_WARPS}"));
                return None;
            }
            let row = |(i, row)| reader.numbers(&format!("{path}[{i}]"), row, cycles.clone());
            rows.iter().enumerate().map(row).collect::<Option<Vec<Vec<u32>>>>()
        });
    let latencies = reader.required(&lower, "latencies", "a list of latencies", |reader, path, value| {
        reader.numbers(path, value, 1..=SLOWEST)
    });
    let upper = match fields.get("upper") {
        Some(Value::Null) => Some(None),
        Some(value) => upper(reader, &fields.path_of("upper"), value).map(Some),
        None => {
            reader.problem(fields.path_of("upper"), "missing", "a bound and its proof, or null");
            None
        }
    };
    let exact = reader.required(&fields, "exact", "true or false", Reader::truth);
    reader.required(&fields, "checksum", "eight hexadecimal digits", Reader::text)?;
    let schedule = Schedule { issued: issued?, latencies: latencies? };
    let provided = provided.unwrap_or_default();
    Some(Certificate {
        title: title?,
        provided,
        launch,
        schedule,
        makespan: makespan?,
        upper: upper?,
        exact: exact?,
    })
}

fn upper(reader: &mut Reader, path: &str, value: &Value) -> Option<Upper> {
    let fields = reader.object(path, value)?;
    reader.only(&fields, &["bound", "by", "counted"]);
    let whole = |reader: &mut Reader, path: &str, value: &Value| reader.whole(path, value, 0..=u64::MAX);
    let bound = reader.required(&fields, "bound", "a bound in cycles", whole);
    let by = reader.required(&fields, "by", "the name of a proof", Reader::text);
    let counted = reader.required(&fields, "counted", "what the proof counted", whole);
    Some(Upper { bound: bound?, by: by?, counted: counted? })
}
