//! Entries of a log's list of times: rounds as the CPU saw them, and kernels with their blocks.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{CpuTimes, LoggedBlock, LoggedKernel};
use crate::import::examiner::notes::Notes;
use crate::import::examiner::section::Section;
use base::Nanos;
use base::people::counted;

/// A time in seconds, where it is one that can be.
pub(super) fn time(value: &Value) -> Option<Nanos> {
    value.as_f64().and_then(Nanos::from_seconds)
}

/// A whole number that is not negative, also as a float.
pub(super) fn whole(value: &Value) -> Option<u64> {
    let float = || value.as_f64().filter(|float| (0.0..9e15).contains(float) && float.fract() == 0.0);
    value.as_u64().or_else(|| float().map(|float| float as u64))
}

/// A count, or the product of those of each dimension.
fn count(value: &Value) -> Option<u32> {
    let number = match value {
        Value::Array(items) => {
            items.iter().try_fold(1_u64, |product, item| product.checked_mul(whole(item)?))?
        }
        other => whole(other)?,
    };
    u32::try_from(number).ok().filter(|&number| number > 0)
}

fn list<'a>(section: &Section<'a>, key: &str) -> &'a [Value] {
    section.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// From when to when, where both are there.
fn pair(section: &Section<'_>, key: &str, notes: &mut Notes) -> Option<[Nanos; 2]> {
    let value = section.get(key)?;
    let pair = match list(section, key) {
        [start, end] => time(start).zip(time(end)).filter(|(start, end)| start <= end),
        _ => None,
    };
    if pair.is_none() {
        let what =
            format!("{}, not two times of which the first is no later", kit::import::reader::shown(value));
        notes.add(section.at(key), what);
    }
    pair.map(|(start, end)| [start, end])
}

const OF_THE_CPU: [&str; 4] = ["cpu_times", "copy_in_times", "execute_times", "copy_out_times"];
const OF_KERNELS: [&str; 4] = ["kernel_name", "cuda_launch_times", "block_times", "kernel_times"];

/// Reads entries one after another.
pub(super) struct Entries {
    pub kernels: Vec<LoggedKernel>,
    pub rounds: Vec<CpuTimes>,
    /// Whether an entry could not be read.
    pub lost: bool,
    /// What older files say at the top instead of at each kernel.
    threads: Option<u32>,
    blocks: Option<u32>,
    /// Where no rounds are recorded: how often each name came.
    seen: BTreeMap<Option<String>, u32>,
}

impl Entries {
    /// For a log with this head.
    pub fn new(head: &Section<'_>) -> Self {
        Self {
            kernels: Vec::new(),
            rounds: Vec::new(),
            lost: false,
            threads: head.get("thread_count").and_then(count),
            blocks: head.get("block_count").and_then(count),
            seen: BTreeMap::new(),
        }
    }

    /// Reads an entry.
    pub fn read(&mut self, index: usize, value: &Value, notes: &mut Notes) {
        let path = format!("times[{index}]");
        let Some(map) = value.as_object() else {
            notes.add(path, format!("{}, not an object; left out", kit::import::reader::shown(value)));
            self.lost = true;
            return;
        };
        let section = Section::new(&path, map);
        let has = |keys: &[&str]| keys.iter().any(|key| section.get(key).is_some());
        if has(&OF_THE_CPU) {
            self.rounds.push(CpuTimes {
                all: pair(&section, "cpu_times", notes),
                copy_in: pair(&section, "copy_in_times", notes),
                execute: pair(&section, "execute_times", notes),
                copy_out: pair(&section, "copy_out_times", notes),
            });
        }
        if has(&OF_KERNELS) {
            self.kernel(&section, notes);
        } else if !has(&OF_THE_CPU) && (index > 0 || !map.is_empty()) {
            notes.add(path, "an entry with neither times of the CPU nor of a kernel; left out");
            self.lost = true;
        }
    }

    fn kernel(&mut self, section: &Section<'_>, notes: &mut Notes) {
        let name = section.name("kernel_name", notes);
        let round = self.round(name.clone());
        let runs = blocks(section, notes);
        let recorded = u32::try_from(list(section, "block_times").len() / 2).unwrap_or(u32::MAX);
        let stated = section.get("block_count").and_then(count).or(self.blocks);
        name_difference(section, recorded, stated, notes);
        let threads = section.get("thread_count").and_then(count).or(self.threads);
        if threads.is_none() {
            notes.add(section.at("thread_count"), "no number of threads; 1 is assumed");
        }
        let shared_memory =
            section.get("shared_memory").and_then(whole).and_then(|bytes| u32::try_from(bytes).ok());
        let [launched, returned, synchronised] = launch_times(section, notes);
        let span = span(&runs, section, notes);
        self.kernels.push(LoggedKernel {
            place: section.path().to_owned(),
            name,
            round,
            blocks: stated.unwrap_or(1).max(recorded).max(1),
            threads: threads.unwrap_or(1),
            shared_memory: shared_memory.unwrap_or_default(),
            launched,
            returned,
            synchronised,
            span,
            runs,
        });
    }

    /// The round of a kernel: the last one that began, or where none are recorded, how often its name came before.
    fn round(&mut self, name: Option<String>) -> u32 {
        let seen = self.seen.entry(name).or_default();
        let before = *seen;
        *seen += 1;
        let begun = u32::try_from(self.rounds.len()).unwrap_or(u32::MAX);
        if begun > 0 { begun - 1 } else { before }
    }
}

/// Before the launch, after it, and after waiting. Zero means that a time was not taken.
fn launch_times(section: &Section<'_>, notes: &mut Notes) -> [Option<Nanos>; 3] {
    let times = list(section, "cuda_launch_times");
    let taken = |i: usize| times.get(i).and_then(time);
    // Only of the third is it written that 0 means nothing.
    let synchronised = taken(2).filter(|&time| time > Nanos::ZERO);
    let [launched, returned] = [taken(0), taken(1)];
    if launched.is_none() {
        let what = "no time of the launch; the start of the first block is taken for it";
        notes.add(section.at("cuda_launch_times"), what);
    }
    for (earlier, later) in [(launched, returned), (launched, synchronised)] {
        if earlier.zip(later).is_some_and(|(earlier, later)| later < earlier) {
            notes.add(section.at("cuda_launch_times"), "the times do not ascend");
        }
    }
    [launched, returned, synchronised]
}

/// The blocks whose times are sound.
fn blocks(section: &Section<'_>, notes: &mut Notes) -> Vec<LoggedBlock> {
    let times = list(section, "block_times");
    let places = list(section, "block_smids");
    let (mut runs, mut unread, mut backwards, mut nowhere) = (Vec::with_capacity(times.len() / 2), 0, 0, 0);
    for (number, pair) in (0_u32..).zip(times.chunks_exact(2)) {
        match (time(&pair[0]), time(&pair[1])) {
            (Some(start), Some(end)) if start <= end => {
                // A number beyond all that are told apart is beyond every device: the check says so.
                let sm = places.get(number as usize).and_then(whole);
                let sm = sm.map(|sm| u16::try_from(sm).unwrap_or(u16::MAX));
                nowhere += usize::from(sm.is_none());
                runs.push(LoggedBlock { number, start, end, sm });
            }
            (Some(_), Some(_)) => backwards += 1,
            _ => unread += 1,
        }
    }
    let mut left_out = |count: usize, why: &str| {
        if count > 0 {
            notes.add(section.at("block_times"), format!("{} left out: {why}", counted(count, "block")));
        }
    };
    left_out(backwards, "an end before the start");
    left_out(unread, "a time that is no number of seconds from 0 to 6e9");
    if times.len() % 2 == 1 {
        notes.add(
            section.at("block_times"),
            "an odd number of times: the last block has no end and is left out",
        );
    }
    if nowhere > 0 {
        let what = format!(
            "{} without the number of a multiprocessor{}: only the times of the kernel are kept",
            counted(nowhere, "block"),
            first_wrong(places)
        );
        notes.add(section.at("block_smids"), what);
    }
    runs
}

/// The first place that is none, where something is written.
fn first_wrong(places: &[Value]) -> String {
    let wrong = places.iter().enumerate().find(|(_, place)| whole(place).is_none());
    wrong.map_or(String::new(), |(i, place)| format!(" ([{i}] is {})", kit::import::reader::shown(place)))
}

fn name_difference(section: &Section<'_>, recorded: u32, stated: Option<u32>, notes: &mut Notes) {
    let Some(stated) = stated.filter(|&stated| stated != recorded) else { return };
    let what = if recorded < stated {
        format!("{recorded} of {stated} blocks are recorded")
    } else {
        format!("{recorded} blocks are recorded, but block_count is {stated}")
    };
    notes.add(section.at("block_times"), what);
    let places = list(section, "block_smids").len();
    if places > 0 && places < recorded as usize {
        notes.add(section.at("block_smids"), format!("{places} places for {recorded} blocks"));
    }
}

/// From the first start to the last end.
fn span(runs: &[LoggedBlock], section: &Section<'_>, notes: &mut Notes) -> Option<[Nanos; 2]> {
    let of_blocks = runs.iter().map(|run| run.start).min().zip(runs.iter().map(|run| run.end).max());
    let times = list(section, "kernel_times").iter().filter_map(time);
    let of_kernel = times.clone().min().zip(times.max());
    let span = of_blocks.or(of_kernel);
    if span.is_none() {
        notes.add(section.path(), "no sound time of any block: the kernel cannot be shown");
    }
    span.map(|(start, end)| [start, end])
}
