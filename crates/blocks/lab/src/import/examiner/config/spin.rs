//! Benchmarks of one kernel a round: those that spin for a given time, and those whose time depends on data.

use std::borrow::Cow;

use serde_json::Value;

use super::info::{Content, Info};
use super::plan::{Common, Home, Step, Work};
use super::{Context, Said};
use crate::import::examiner::DEFAULT_DURATION;
use crate::import::examiner::section::Section;
use crate::import::examiner::value;
use base::Nanos;
use blocks::{Durations, Kernel, Mask};

/// Other names of the key that says how much shared memory a block has.
const SHARED_MEMORY: [&str; 3] = ["shared_memory_size", "shared_memory_count", "shared_mem_size"];

/// `timer_spin`: every block spins so long.
pub(super) fn timer(cx: &mut Context<'_>, common: &Common<'_>, info: &Info<'_>, home: Home) -> Option<Work> {
    const EXPECTED: &str = "the duration of a block in nanoseconds";
    let duration = match &info.content {
        Content::Nothing => {
            let what =
                format!("no duration is given: {DEFAULT_DURATION} a block, as the benchmark has it then");
            cx.notes.add(&info.path, what);
            Some(DEFAULT_DURATION)
        }
        Content::Value(value) if value.is_object() => {
            let section = Section::open(cx.reader, &info.path, value)?;
            cx.name_unknown(&section, &["duration"]);
            section.required(cx.reader, "duration", EXPECTED, value::nanos)
        }
        Content::Value(value) => value::nanos(cx.reader, &info.path, value),
        Content::Text(text) => value::nanos(cx.reader, &info.path, &Value::from(*text)),
    };
    one_kernel(cx, common, duration, Some(0), home)
}

/// `sharedmem_timer_spin`: the same with shared memory.
pub(super) fn shared_memory(cx: &mut Context<'_>, common: &Common<'_>, info: &Info<'_>) -> Option<Work> {
    const EXPECTED: &str = "the duration of a block in nanoseconds and its shared memory in 4-byte integers";
    let (duration, shared) = match &info.content {
        Content::Value(value) if value.is_object() => {
            let section = Section::open(cx.reader, &info.path, value)?;
            cx.name_unknown(&section, &["duration", SHARED_MEMORY[0], SHARED_MEMORY[1], SHARED_MEMORY[2]]);
            let duration = section.required(cx.reader, "duration", "a number of nanoseconds", value::nanos);
            if !SHARED_MEMORY.iter().any(|key| section.get(key).is_some()) {
                cx.reader.problem(section.at(SHARED_MEMORY[0]), "missing", "a number of 4-byte integers");
            }
            (duration, shared_memory_of(cx, &section))
        }
        Content::Text(text) if text.split(',').count() == 2 => {
            let (duration, shared) = text.split_once(',').unwrap_or((text, ""));
            let duration = value::nanos(cx.reader, &info.path, &Value::from(duration));
            let shared = value::shared_memory(cx.reader, &info.path, &number(shared));
            if let Some(bytes) = shared {
                tell_odd_size(cx, &info.path, bytes);
            }
            (duration, shared)
        }
        _ => {
            info.wrong(cx, EXPECTED);
            (None, None)
        }
    };
    one_kernel(cx, common, duration, shared, Home::Own)
}

/// A number in a text as a number; other texts as they are.
pub(super) fn number(text: &str) -> Value {
    let text = text.trim();
    let whole = text.parse::<u64>().map(Value::from).or_else(|_| text.parse::<i64>().map(Value::from));
    whole.or_else(|_| text.parse::<f64>().map(Value::from)).unwrap_or_else(|_| Value::from(text))
}

/// The shared memory of a block in bytes, by any name of the key; none where nothing is said.
pub(super) fn shared_memory_of(cx: &mut Context<'_>, section: &Section<'_>) -> Option<u32> {
    let Some(key) = SHARED_MEMORY.iter().find(|key| section.get(key).is_some()) else { return Some(0) };
    let bytes = section.optional(cx.reader, key, value::shared_memory)?;
    tell_odd_size(cx, &section.at(key), bytes);
    Some(bytes)
}

/// Sizes of shared memory that the examiner's kernels are compiled for, in 4-byte integers.
const SIZES: [u32; 4] = [0, 4_096, 8_192, 10_240];

fn tell_odd_size(cx: &mut Context<'_>, place: &str, bytes: u32) {
    if !SIZES.contains(&(bytes / 4)) {
        let what = "the examiner has kernels for 0, 4096, 8192 and 10240 integers of shared memory only, and refuses others; \
                    here any number will do";
        cx.notes.add(place, what);
    }
}

fn one_kernel(
    cx: &mut Context<'_>,
    common: &Common<'_>,
    duration: Option<Nanos>,
    shared: Option<u32>,
    home: Home,
) -> Option<Work> {
    let (threads, blocks) = common.counts(cx)?;
    let shape = Shape { blocks, threads, shared_memory: shared?, duration: duration?, mask: common.mask };
    Some(Work::Steps(vec![Step::Launch(shape.named(&common.label))], home))
}

/// What is known of a kernel but its name.
pub(super) struct Shape {
    pub blocks: u32,
    pub threads: u32,
    pub shared_memory: u32,
    pub duration: Nanos,
    pub mask: Mask,
}

impl Shape {
    /// The kernel of that name.
    pub fn named(self, label: &str) -> Kernel {
        Kernel {
            label: label.to_owned(),
            blocks: self.blocks,
            threads: self.threads,
            shared_memory: self.shared_memory,
            registers: 0,
            duration: Durations::Same(self.duration),
            mask: self.mask,
            deadline: None,
            period: None,
        }
    }
}

/// Benchmarks whose work is known to depend on data.
const DEPEND_ON_DATA: [&str; 5] =
    ["counter_spin", "mandelbrot", "random_walk", "inorder_walk", "matrix_multiply"];

/// How long a block takes of a benchmark whose time depends on data, with a warning unless someone said so.
pub(super) fn assumed(cx: &mut Context<'_>, path: &str, name: &str) -> Nanos {
    let (duration, said) = cx.duration(name);
    if said == Said::ByNobody {
        let why = if DEPEND_ON_DATA.contains(&name) {
            Cow::Borrowed("how long it takes depends on data")
        } else {
            Cow::Borrowed("no benchmark whose duration is known")
        };
        let what = format!("{name}: {why}; {duration} a block assumed (blocks.durations.{name} sets it)");
        cx.notes.add(path, what);
    }
    duration
}

/// Any other benchmark: one kernel a round, for as long as is assumed.
pub(super) fn depends_on_data(cx: &mut Context<'_>, common: &Common<'_>) -> Option<Work> {
    let name = common.name.as_str();
    let duration = assumed(cx, common.section.path(), name);
    let threads = count_or_one(cx, common, "thread_count");
    let blocks = count_or_one(cx, common, "block_count");
    let (threads, blocks) = threads.zip(blocks)?;
    let shape = Shape { blocks, threads, shared_memory: 0, duration, mask: common.mask };
    Some(Work::Steps(vec![Step::Launch(shape.named(&common.label))], Home::Own))
}

/// A count that this benchmark may not need: none and 0 become 1.
fn count_or_one(cx: &mut Context<'_>, common: &Common<'_>, key: &str) -> Option<u32> {
    match common.section.get(key) {
        Some(value) if value.as_f64() != Some(0.0) => common.section.optional(cx.reader, key, value::count),
        _ => {
            cx.notes.add(common.section.at(key), format!("{}: no {key} is given; 1 is assumed", common.name));
            Some(1)
        }
    }
}

/// A benchmark that uses no GPU.
pub(super) fn on_the_cpu(cx: &mut Context<'_>, common: &Common<'_>) -> Work {
    let name = &common.name;
    let (duration, said) = cx.duration(name);
    if said == Said::ByNobody {
        let what = format!(
            "{name}: uses no GPU; {duration} of computing a round assumed (blocks.durations.{name} sets it)"
        );
        cx.notes.add(common.section.path(), what);
    }
    Work::Steps(vec![Step::Sleep(duration)], Home::Own)
}
