//! Logs: what the examiner measured of one benchmark.
//!
//! Real logs are cut off where a program was killed, lack blocks, or hold times that cannot be. As much of them as
//! is sound is kept; every defect is told with its place. Times are those of the file: seconds since the examiner
//! began, as whole nanoseconds.

mod entry;
mod salvage;

use serde_json::{Map, Value};

use super::notes::{Notes, Warning};
use super::section::Section;
use base::{Nanos, Problem};
use kit::import::json;

/// The log of one benchmark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Log {
    /// The name of its file.
    pub name: String,
    /// The scenario it was written in: logs of one run say the same.
    pub scenario: String,
    /// What the benchmark calls itself.
    pub benchmark: String,
    /// The label of the configuration; the name of the file where there is none.
    pub label: String,
    /// Threads that are resident on the whole device at the most.
    pub max_resident_threads: Option<u32>,
    /// How long the benchmark was told to sleep before its first round.
    pub release: Option<Nanos>,
    /// The process it ran in.
    pub pid: Option<u64>,
    /// The thread it ran in, where benchmarks were threads.
    pub tid: Option<u64>,
    /// The kernels, in the order of the file.
    pub kernels: Vec<LoggedKernel>,
    /// The rounds as the CPU saw them.
    pub rounds: Vec<CpuTimes>,
    /// Whether the file is cut off or holds entries that could not be read.
    pub lost: bool,
    /// What is wrong or missing, and where.
    pub warnings: Vec<Warning>,
}

/// A launch of a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedKernel {
    /// Where it stands in the file.
    pub place: String,
    /// Its name, where one was written.
    pub name: Option<String>,
    /// The round it belongs to, from 0.
    pub round: u32,
    /// Blocks of its grid: as many as the file says or shows, at least 1.
    pub blocks: u32,
    /// Threads of a block, at least 1.
    pub threads: u32,
    /// Shared memory of a block in bytes.
    pub shared_memory: u32,
    /// Just before the launch.
    pub launched: Option<Nanos>,
    /// When the launch call had returned.
    pub returned: Option<Nanos>,
    /// When the program had waited for the stream, where it did.
    pub synchronised: Option<Nanos>,
    /// From its first start to its last end, as far as anything is known of them.
    pub span: Option<[Nanos; 2]>,
    /// Its blocks whose times are sound, in the order of their numbers.
    pub runs: Vec<LoggedBlock>,
}

/// A block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoggedBlock {
    /// Its number.
    pub number: u32,
    /// When it started.
    pub start: Nanos,
    /// When it ended.
    pub end: Nanos,
    /// Where it ran, if that was written.
    pub sm: Option<u16>,
}

/// A round as the CPU saw it; each from when to when.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CpuTimes {
    /// All of it.
    pub all: Option<[Nanos; 2]>,
    /// Copying in.
    pub copy_in: Option<[Nanos; 2]>,
    /// Launching, and waiting for the kernels.
    pub execute: Option<[Nanos; 2]>,
    /// Copying out.
    pub copy_out: Option<[Nanos; 2]>,
}

/// Reads a log. Only a text in which nothing of a log is found is a problem.
pub fn read(name: &str, text: &str) -> Result<Log, Problem> {
    let mut notes = Notes::default();
    let (header, times, broken) = match json::parse_loose(text) {
        Ok(Value::Object(mut map)) => {
            let times = take_times(&mut map, &mut notes);
            (map, times, None)
        }
        Ok(other) => {
            return Err(Problem::at("document", kit::import::reader::shown(&other), EXPECTED));
        }
        Err(problem) if json::is_too_large(&problem) => return Err(problem),
        Err(problem) => match salvage::salvage(text, &mut notes) {
            Some((map, times)) => (map, times, Some(problem)),
            None => return Err(problem),
        },
    };
    let known = ["scenario_name", "benchmark_name", "max_resident_threads", "label", "PID"];
    let section = Section::new("", &header);
    if times.is_empty() && !known.iter().any(|key| section.get(key).is_some()) {
        return Err(broken.unwrap_or_else(|| Problem::at("document", "nothing of a log", EXPECTED)));
    }
    Ok(log(name, &section, &times, broken.is_some(), notes))
}

const EXPECTED: &str = "a log of the examiner, with scenario_name and times";

/// The entries of the list of times, with their indices in the file.
type Times = Vec<(usize, Value)>;

/// Takes the list of times out of the object, in any case of the key.
fn take_times(map: &mut Map<String, Value>, notes: &mut Notes) -> Times {
    let key = map.keys().find(|key| key.eq_ignore_ascii_case("times")).cloned();
    match key.and_then(|key| map.shift_remove(&key)) {
        Some(Value::Array(items)) => items.into_iter().enumerate().collect(),
        Some(_) => {
            notes.add("times", "no list; nothing was measured");
            Vec::new()
        }
        None => Vec::new(),
    }
}

fn log(name: &str, section: &Section<'_>, times: &Times, broken: bool, mut notes: Notes) -> Log {
    let whole = |key: &str| section.get(key).and_then(entry::whole);
    let mut reader = entry::Entries::new(section);
    for (index, value) in times {
        reader.read(*index, value, &mut notes);
    }
    let lost = broken || reader.lost;
    if reader.kernels.is_empty() {
        notes.add("times", "no kernel is recorded");
    }
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let file = file.strip_suffix(".json").unwrap_or(file);
    let mut text = |key: &str| section.name(key, &mut notes);
    let (scenario, benchmark) = (text("scenario_name"), text("benchmark_name"));
    let given = text("label").filter(|label| !label.trim().is_empty());
    Log {
        name: name.to_owned(),
        scenario: scenario.unwrap_or_default(),
        benchmark: benchmark.unwrap_or_default(),
        label: given.unwrap_or_else(|| file.to_owned()),
        max_resident_threads: whole("max_resident_threads")
            .and_then(|n| u32::try_from(n).ok())
            .filter(|&n| n > 0),
        release: section.get("release_time").and_then(entry::time),
        pid: whole("PID"),
        tid: whole("TID"),
        kernels: reader.kernels,
        rounds: reader.rounds,
        lost,
        warnings: notes.into_warnings(),
    }
}
