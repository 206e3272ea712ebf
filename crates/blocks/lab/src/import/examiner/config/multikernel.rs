//! `multikernel`: several kernels a round in one stream, each with its own counts, copies and delay.

use serde_json::Value;

use super::info::{Content, Info};
use super::plan::{Common, Home, Step, Work};
use super::spin::{Shape, number, shared_memory_of};
use super::{Context, mask};
use crate::import::examiner::section::Section;
use crate::import::examiner::value;
use base::Nanos;
use base::problem::quoted;
use blocks::{Copy, Direction};
use kit::import::reader::Reader;

const EXPECTED: &str = "a list of kernels, or a text with name, nanoseconds, blocks and threads of each";

const KNOWN: [&str; 11] = [
    "kernel_label",
    "duration",
    "block_count",
    "thread_count",
    "shared_memory_size",
    "shared_memory_count",
    "shared_mem_size",
    "delay",
    "copy_in_count",
    "copy_out_count",
    "sm_mask",
];

/// Reads the kernels.
pub(super) fn read(cx: &mut Context<'_>, common: &Common<'_>, info: &Info<'_>) -> Option<Work> {
    let steps = match &info.content {
        Content::Value(value) if value.is_array() => of_list(cx, common, &info.path, value)?,
        Content::Text(text) => of_text(cx, common, info, text)?,
        _ => {
            info.wrong(cx, EXPECTED);
            return None;
        }
    };
    if steps.is_empty() {
        cx.reader.problem(&info.path, "an empty list", "at least one kernel");
        return None;
    }
    Some(Work::Steps(steps, Home::Own))
}

fn of_list(cx: &mut Context<'_>, common: &Common<'_>, path: &str, value: &Value) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    let mut complete = true;
    for (i, value) in value.as_array()?.iter().enumerate() {
        match entry(cx, common, &format!("{path}[{i}]"), value, i) {
            Some(more) => steps.extend(more),
            None => complete = false,
        }
    }
    complete.then_some(steps)
}

fn entry(
    cx: &mut Context<'_>,
    common: &Common<'_>,
    path: &str,
    value: &Value,
    index: usize,
) -> Option<Vec<Step>> {
    let section = Section::open(cx.reader, path, value)?;
    cx.name_unknown(&section, &KNOWN);
    let label = section.optional(cx.reader, "kernel_label", Reader::text);
    let label = label.unwrap_or_else(|| format!("{} kernel {}", common.label, index + 1));
    let number = "a whole number, or a list of up to three";
    let duration = section.required(cx.reader, "duration", "a number of nanoseconds", value::nanos);
    let blocks = section.required(cx.reader, "block_count", number, value::count);
    let threads = section.required(cx.reader, "thread_count", number, value::count);
    let shared_memory = shared_memory_of(cx, &section);
    let delay = section.optional(cx.reader, "delay", value::seconds).unwrap_or_default();
    let bytes_in = section.optional(cx.reader, "copy_in_count", value::words).unwrap_or_default();
    let bytes_out = section.optional(cx.reader, "copy_out_count", value::words).unwrap_or_default();
    let mask = match section.get("sm_mask") {
        Some(value) => mask::read(cx, &section.at("sm_mask"), value),
        None => Some(common.mask),
    };
    let (blocks, threads) = blocks.zip(threads)?;
    let shape = Shape { blocks, threads, shared_memory: shared_memory?, duration: duration?, mask: mask? };
    let mut steps = Vec::new();
    if delay > Nanos::ZERO {
        steps.extend([Step::WaitStream, Step::Sleep(delay)]);
    }
    steps.extend(copy(cx, format!("{label} in"), Direction::In, bytes_in));
    steps.push(Step::Launch(shape.named(&label)));
    steps.extend(copy(cx, format!("{label} out"), Direction::Out, bytes_out));
    Some(steps)
}

/// A copy in the benchmark's stream, if there is anything to copy.
fn copy(cx: &Context<'_>, label: String, direction: Direction, bytes: u64) -> Option<Step> {
    let duration = cx.device.copy_speed.time(bytes, false);
    let copy = Copy { label, direction, bytes, duration };
    (bytes > 0).then_some(Step::Copy { copy, home: Home::Own, wait: false })
}

/// Kernels as older files give them: name, nanoseconds, blocks, threads, and the next.
fn of_text(cx: &mut Context<'_>, common: &Common<'_>, info: &Info<'_>, text: &str) -> Option<Vec<Step>> {
    let words: Vec<&str> = text.split(',').map(str::trim).collect();
    if !words.len().is_multiple_of(4) {
        let what = format!("{}, {} parts", quoted(text), words.len());
        cx.reader.problem(&info.path, what, "name, nanoseconds, blocks and threads of each kernel");
        return None;
    }
    let mut steps = Vec::new();
    for kernel in words.chunks_exact(4) {
        let &[label, duration, blocks, threads] = kernel else { continue };
        let duration = value::nanos(cx.reader, &info.path, &number(duration));
        let blocks = value::count(cx.reader, &info.path, &number(blocks));
        let threads = value::count(cx.reader, &info.path, &number(threads));
        let (Some(duration), Some(blocks), Some(threads)) = (duration, blocks, threads) else { continue };
        let shape = Shape { blocks, threads, shared_memory: 0, duration, mask: common.mask };
        steps.push(Step::Launch(shape.named(label)));
    }
    (steps.len() * 4 == words.len()).then_some(steps)
}
