//! Benchmarks that make their grid from the size of their data, whatever `block_count` says: `mandelbrot` and
//! `matrix_multiply`, as their public sources do it.
//!
//! `mandelbrot` draws a square of `floor(sqrt(data_size))` points a side, one thread a point, in blocks of whole
//! warps. `matrix_multiply` has one thread for each element of a square matrix of floats, blocks of `thread_count`
//! threads in two dimensions, and copies two matrices in before each round and one out after it.

use serde_json::Value;

use super::Context;
use super::info::{Content, Info};
use super::plan::{Common, Home, Step, Work};
use super::spin::{Shape, assumed};
use crate::import::examiner::section::{Section, Truth};
use crate::import::examiner::value;
use base::people::grouped;
use blocks::{Copy, Direction};
use kit::import::reader::{Reader, shown};

/// Threads of a warp.
const WARP: u64 = 32;
/// The widest matrix.
const WIDEST: u64 = 1_000_000;

/// `mandelbrot`: a square of points.
pub(super) fn mandelbrot(cx: &mut Context<'_>, common: &Common<'_>) -> Option<Work> {
    let duration = assumed(cx, common.section.path(), &common.name);
    let expected = "a whole number, or a list of up to three";
    let threads = common.section.required(cx.reader, "thread_count", expected, value::count);
    let size =
        common.section.required(cx.reader, "data_size", "a number of points", |reader, path, value| {
            reader.whole(path, value, 1..=1 << 40)
        });
    let threads = u64::from(threads?).next_multiple_of(WARP);
    let points = size?.isqrt().pow(2);
    let blocks = points.div_ceil(threads);
    let (Ok(blocks), Ok(threads)) = (u32::try_from(blocks), u32::try_from(threads)) else {
        let what = format!("{} blocks", grouped(blocks.into()));
        cx.reader.problem(common.section.at("data_size"), what, format!("at most {}", u32::MAX));
        return None;
    };
    tell(cx, common, blocks);
    let shape = Shape { blocks, threads, shared_memory: 0, duration, mask: common.mask };
    Some(Work::Steps(vec![Step::Launch(shape.named(&common.label))], Home::Own))
}

/// `matrix_multiply`: copies in, one kernel, a copy out; each part is waited for.
pub(super) fn matrix(cx: &mut Context<'_>, common: &Common<'_>, info: &Info<'_>) -> Option<Work> {
    let Content::Value(value) = &info.content else {
        info.wrong(cx, "an object with matrix_width");
        return None;
    };
    let section = Section::open(cx.reader, &info.path, value)?;
    cx.name_unknown(&section, &["matrix_width", "skip_copy"]);
    let width = section.required(cx.reader, "matrix_width", "a number of elements", |reader, path, value| {
        reader.whole(path, value, 1..=WIDEST)
    });
    let skips = section.truth(cx.reader, "skip_copy", Truth::No);
    let threads = common.section.required(cx.reader, "thread_count", "a list of two numbers", sides);
    let duration = assumed(cx, common.section.path(), &common.name);
    let (width, [wide, tall]) = (width?, threads?);
    // As its source has it: one dimension becomes 32 threads wide and one tall.
    let wide = if tall == 1 { WARP } else { wide };
    if tall == 1 {
        let what =
            "matrix_multiply: threads in one dimension only: blocks of 32 x 1, as the benchmark makes of it";
        cx.notes.add(common.section.at("thread_count"), what);
    }
    let blocks = width.div_ceil(wide).saturating_mul(width.div_ceil(tall));
    let (Ok(blocks), Ok(threads)) = (u32::try_from(blocks), u32::try_from(wide.saturating_mul(tall))) else {
        let what = format!("{} blocks", grouped(blocks.into()));
        cx.reader.problem(section.at("matrix_width"), what, format!("at most {}", u32::MAX));
        return None;
    };
    tell(cx, common, blocks);
    let shape = Shape { blocks, threads, shared_memory: 0, duration, mask: common.mask };
    let launch = Step::Launch(shape.named(&common.label));
    if skips {
        return Some(Work::Steps(vec![launch], Home::Own));
    }
    let copy = |name: &str, direction| {
        let bytes = width * width * 4;
        let duration = cx.device.copy_speed.time(bytes, false);
        let copy = Copy { label: format!("{} {name}", common.label), direction, bytes, duration };
        Step::Copy { copy, home: Home::Own, wait: false }
    };
    let (a, b, c) = (copy("a", Direction::In), copy("b", Direction::In), copy("c", Direction::Out));
    Some(Work::Steps(vec![a, b, Step::WaitStream, launch, Step::WaitStream, c], Home::Own))
}

/// Threads of a block in its first two dimensions.
fn sides(reader: &mut Reader, path: &str, value: &Value) -> Option<[u64; 2]> {
    match value {
        Value::Array(_) => match reader.numbers(path, value, 1..=u32::MAX)?[..] {
            [wide] => Some([wide.into(), 1]),
            [wide, tall] | [wide, tall, 1] => Some([wide.into(), tall.into()]),
            _ => {
                reader.problem(path, shown(value), "a list of two numbers");
                None
            }
        },
        _ => reader.small(path, value, 1..=u32::MAX).map(|wide| [wide.into(), 1]),
    }
}

/// Says that `block_count` does not count, where it says otherwise.
fn tell(cx: &mut Context<'_>, common: &Common<'_>, blocks: u32) {
    let said = common.section.get("block_count");
    if said.is_some_and(|said| said.as_u64() != Some(blocks.into())) {
        let name = &common.name;
        let what = format!(
            "{name}: has {} blocks by the size of its data; block_count is not used",
            grouped(blocks.into())
        );
        cx.notes.add(common.section.at("block_count"), what);
    }
}
