//! A configuration as it is written: benchmarks with their limits and the steps of their rounds.

use serde_json::Value;

use super::info::Info;
use super::{Context, host, limits, mask, multikernel, sized, spin, stream_action};
use crate::import::examiner::section::{Section, Truth};
use crate::import::examiner::value;
use base::Nanos;
use base::problem::quoted;
use blocks::{Copy, Kernel, Mask};
use kit::import::reader::Reader;

/// A configuration.
pub(super) struct Plan {
    pub title: String,
    pub benchmarks: Vec<Benchmark>,
    /// Whether each benchmark is a process of its own.
    pub own_processes: bool,
    /// Whether rounds begin together.
    pub lockstep: bool,
}

/// A benchmark: something done again and again.
pub(super) struct Benchmark {
    pub path: String,
    /// The base name of its file.
    pub name: String,
    pub label: String,
    pub rounds: Option<u64>,
    pub time: Option<Nanos>,
    pub release: Nanos,
    /// The priority of its stream, which then minds no null stream.
    pub priority: Option<i32>,
    /// Whether the others end with it.
    pub ends_others: bool,
    pub work: Work,
}

/// What a round does.
pub(super) enum Work {
    /// These steps.
    Steps(Vec<Step>, Home),
    /// Another configuration's benchmarks.
    Host(Plan),
}

/// The stream a benchmark works in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Home {
    Own,
    Null,
}

/// A step of a round.
pub(super) enum Step {
    /// Launches a kernel in the benchmark's stream.
    Launch(Kernel),
    /// A copy; the program waits for it or not.
    Copy {
        copy: Copy,
        home: Home,
        wait: bool,
    },
    Sleep(Nanos),
    WaitStream,
    WaitDevice,
}

/// How deep a configuration stands within others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Depth(u8);

impl Depth {
    pub const OUTERMOST: Self = Self(0);
    /// The most task hosts within one another.
    pub const MOST: u8 = 16;

    /// One deeper, as long as that is allowed.
    pub fn deeper(self) -> Option<Self> {
        (self.0 < Self::MOST).then_some(Self(self.0 + 1))
    }
}

const KNOWN: [&str; 13] = [
    "name",
    "max_iterations",
    "max_time",
    "cuda_device",
    "gpu_device_id",
    "use_processes",
    "pin_cpus",
    "do_warmup",
    "sync_every_iteration",
    "resync_iterations",
    "base_result_directory",
    "omit_block_times",
    "benchmarks",
];

const KNOWN_OF_BENCHMARKS: [&str; 15] = [
    "filename",
    "log_name",
    "label",
    "thread_count",
    "block_count",
    "data_size",
    "additional_info",
    "max_iterations",
    "max_time",
    "release_time",
    "cpu_core",
    "stream_priority",
    "mps_thread_percentage",
    "sm_mask",
    "terminator",
];

/// Reads a configuration.
pub(super) fn read(cx: &mut Context<'_>, path: &str, value: &Value, depth: Depth) -> Option<Plan> {
    let section = Section::open(cx.reader, path, value)?;
    cx.name_unknown(&section, &KNOWN);
    let title = section.optional(cx.reader, "name", Reader::text).filter(|title| !title.trim().is_empty());
    if title.is_none() {
        cx.notes.add(section.at("name"), "it has no name");
    }
    let own_processes = section.truth(cx.reader, "use_processes", Truth::No);
    let lockstep = section.truth(cx.reader, "sync_every_iteration", Truth::No)
        | section.truth(cx.reader, "resync_iterations", Truth::No);
    if section.truth(cx.reader, "do_warmup", Truth::No) {
        cx.notes
            .add(section.at("do_warmup"), "the rounds for warming up are left out; they are not recorded");
    }
    let limits = limits::Limits::read(cx, &section);
    if section.get("plugins").is_some() && section.get("benchmarks").is_none() {
        let what = "a configuration of the HIP plugin framework, another program";
        cx.reader.problem(
            section.at("plugins"),
            what,
            "\"benchmarks\", as the CUDA scheduling examiner has them",
        );
        return None;
    }
    let list = section.required(cx.reader, "benchmarks", "a list of benchmarks", Reader::list)?;
    if list.is_empty() {
        cx.reader.problem(section.at("benchmarks"), "an empty list", "at least one benchmark");
    }
    let at = section.at("benchmarks");
    if lockstep {
        let has_own = |value: &Value| {
            Section::new("", value.as_object()?)
                .get("max_iterations")
                .and_then(Value::as_f64)
                .filter(|&n| n >= 0.0)
        };
        if let Some(i) = list.iter().position(|value| has_own(value).is_some()) {
            let what = "the examiner refuses max_iterations of single benchmarks beside sync_every_iteration; here those that \
                        are over are waited for no more";
            cx.notes.add(format!("{at}[{i}].max_iterations"), what);
        }
    }
    let read_one = |(i, value)| benchmark(cx, &format!("{at}[{i}]"), value, i, limits, depth);
    let benchmarks: Vec<Benchmark> = list.iter().enumerate().filter_map(read_one).collect();
    let title = title.unwrap_or_else(|| "Examiner configuration".to_owned());
    Some(Plan { title, benchmarks, own_processes, lockstep })
}

/// What all benchmarks have, before their work is read.
pub(super) struct Common<'a> {
    pub section: Section<'a>,
    pub name: String,
    pub label: String,
    pub mask: Mask,
}

impl Common<'_> {
    /// Threads of a block and blocks, where the benchmark cannot do without.
    pub fn counts(&self, cx: &mut Context<'_>) -> Option<(u32, u32)> {
        let expected = "a whole number, or a list of up to three";
        let threads = self.section.required(cx.reader, "thread_count", expected, value::count);
        let blocks = self.section.required(cx.reader, "block_count", expected, value::count);
        threads.zip(blocks)
    }
}

fn benchmark(
    cx: &mut Context<'_>,
    path: &str,
    value: &Value,
    index: usize,
    limits: limits::Limits,
    depth: Depth,
) -> Option<Benchmark> {
    let section = Section::open(cx.reader, path, value)?;
    cx.name_unknown(&section, &KNOWN_OF_BENCHMARKS);
    let file = section.required(cx.reader, "filename", "the benchmark's file", Reader::text)?;
    let name = base_name(&file).to_owned();
    if name.is_empty() {
        cx.reader.problem(section.at("filename"), quoted(&file), "the name of a benchmark");
    }
    let label = label(cx, &section, &name, index);
    name_what_is_not_modelled(cx, &section);
    let (rounds, time) = limits::Limits::read(cx, &section).or(limits).limits();
    let release = section.optional(cx.reader, "release_time", value::seconds).unwrap_or_default();
    let priority = priority(cx, &section);
    let mask = mask(cx, &section, &name)?;
    let ends_others = section.get("terminator").and_then(Value::as_bool) == Some(true);
    let common = Common { section, name, label, mask };
    let work = work(cx, &common, depth)?;
    if priority.is_some() && matches!(work, Work::Steps(_, Home::Null)) {
        let what = "the null stream has no other priority than the default one";
        cx.notes.add(common.section.at("stream_priority"), what);
    }
    let Common { name, label, .. } = common;
    Some(Benchmark { path: path.to_owned(), name, label, rounds, time, release, priority, ends_others, work })
}

/// Whether the benchmark launches kernels itself.
fn launches(name: &str) -> bool {
    name != "task_host" && !name.starts_with("cpu_")
}

/// The SMs it may use.
fn mask(cx: &mut Context<'_>, section: &Section<'_>, name: &str) -> Option<Mask> {
    match section.get("sm_mask") {
        Some(value) if launches(name) => mask::read(cx, &section.at("sm_mask"), value),
        Some(_) => {
            cx.notes
                .add(section.at("sm_mask"), format!("{name} launches no kernel: the mask changes nothing"));
            Some(Mask::ALL)
        }
        None => Some(Mask::ALL),
    }
}

/// What a round of the benchmark does, by its name.
fn work(cx: &mut Context<'_>, common: &Common<'_>, depth: Depth) -> Option<Work> {
    let info = |cx: &mut Context<'_>| Info::read(cx, &common.section);
    match common.name.as_str() {
        "timer_spin" => info(cx).and_then(|info| spin::timer(cx, common, &info, Home::Own)),
        "timer_spin_default_stream" => info(cx).and_then(|info| spin::timer(cx, common, &info, Home::Null)),
        "sharedmem_timer_spin" => info(cx).and_then(|info| spin::shared_memory(cx, common, &info)),
        "multikernel" => info(cx).and_then(|info| multikernel::read(cx, common, &info)),
        "stream_action" => info(cx).and_then(|info| stream_action::read(cx, common, &info)),
        "task_host" => info(cx).and_then(|info| host::read(cx, &info, depth)),
        "mandelbrot" => sized::mandelbrot(cx, common),
        "matrix_multiply" => info(cx).and_then(|info| sized::matrix(cx, common, &info)),
        name if name.starts_with("cpu_") => Some(spin::on_the_cpu(cx, common)),
        _ => spin::depends_on_data(cx, common),
    }
}

/// The name of a file without its folders and its ending.
fn base_name(file: &str) -> &str {
    let name = file.trim().rsplit(['/', '\\']).next().unwrap_or_default();
    name.rsplit_once('.').map_or(name, |(name, _)| name)
}

/// The label, else the name of the log, else the name of the benchmark with its number.
fn label(cx: &mut Context<'_>, section: &Section<'_>, name: &str, index: usize) -> String {
    let given = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
    let label = given(section.optional(cx.reader, "label", Reader::text));
    let log = given(section.optional(cx.reader, "log_name", Reader::text));
    let log = log.filter(|log| !log.starts_with("/dev/")).map(|log| base_name(&log).to_owned());
    label.or(given(log)).unwrap_or_else(|| format!("{name} {}", index + 1))
}

/// A device whose streams have the priorities 0 and -1 and no other.
const ONLY_TWO_PRIORITIES: &str = "Jetson TX2";

/// The priority of the stream, where the program would set one.
fn priority(cx: &mut Context<'_>, section: &Section<'_>) -> Option<i32> {
    let value = section.get("stream_priority")?;
    let place = section.at("stream_priority");
    let number = value.as_i64().or_else(|| {
        let float = value.as_f64().filter(|float| float.fract() == 0.0)?;
        Some(float as i64)
    });
    match number {
        Some(-5..-1) if cx.device.name == ONLY_TWO_PRIORITIES => {
            let what = format!(
                "{ONLY_TWO_PRIORITIES} has streams of priority 0 and -1 only: the examiner makes a blocking stream of the \
                 default priority of it, and so it is here"
            );
            cx.notes.add(place, what);
            None
        }
        Some(priority @ -5..-1) => {
            let what = "not every device has streams of this priority: where it lacks, the examiner makes a blocking stream \
                        of the default priority; here it is taken as it is";
            cx.notes.add(place, what);
            i32::try_from(priority).ok()
        }
        Some(priority @ -1..=0) => i32::try_from(priority).ok(),
        Some(_) => {
            let what = "no device has a stream of this priority (-5, the most urgent, to 0): \
                        the stream is as if none were given";
            cx.notes.add(place, what);
            None
        }
        None => {
            cx.reader.problem(place, kit::import::reader::shown(value), "a whole number, -5 to 0");
            None
        }
    }
}

fn name_what_is_not_modelled(cx: &mut Context<'_>, section: &Section<'_>) {
    let share = section.get("mps_thread_percentage").and_then(Value::as_f64);
    if share.is_some_and(|share| share < 100.0) {
        let what = "a share of the threads for each process (MPS) is not modelled: all of the device is used";
        cx.notes.add(section.at("mps_thread_percentage"), what);
    }
}

#[cfg(test)]
mod tests {
    use super::base_name;

    #[test]
    fn only_the_base_name_counts() {
        for file in [
            "./bin/timer_spin.so",
            "timer_spin",
            "C:\\bin\\timer_spin.dll",
            "/a.b/timer_spin",
            " timer_spin.so ",
        ] {
            assert_eq!(base_name(file), "timer_spin", "{file}");
        }
        assert_eq!((base_name(""), base_name("a/")), ("", ""));
    }
}
