//! `stream_action`: any order of kernels, copies, allocations and waits.

use serde_json::Value;

use super::Context;
use super::info::{Content, Info};
use super::plan::{Common, Home, Step, Work};
use super::spin::{Shape, assumed, shared_memory_of};
use crate::import::examiner::Free;
use crate::import::examiner::section::{Section, Truth};
use crate::import::examiner::value;
use base::Nanos;
use blocks::{Copy, Direction};
use kit::import::reader::Reader;

/// What an action is.
#[derive(Debug, Clone, Copy)]
enum Type {
    Kernel,
    Malloc,
    Free,
    Memset,
    Memcpy,
    Synchronize,
}

const TYPES: [(&str, Type); 6] = [
    ("kernel", Type::Kernel),
    ("malloc", Type::Malloc),
    ("free", Type::Free),
    ("memset", Type::Memset),
    ("memcpy", Type::Memcpy),
    ("synchronize", Type::Synchronize),
];

const DIRECTIONS: [(&str, Direction); 3] = [
    ("deviceToDevice", Direction::Within),
    ("deviceToHost", Direction::Out),
    ("hostToDevice", Direction::In),
];

/// Reads the actions.
pub(super) fn read(cx: &mut Context<'_>, common: &Common<'_>, info: &Info<'_>) -> Option<Work> {
    let Content::Value(value) = &info.content else {
        info.wrong(cx, "an object with a list of actions");
        return None;
    };
    let section = Section::open(cx.reader, &info.path, value)?;
    cx.name_unknown(&section, &["use_null_stream", "actions"]);
    let null = section.truth(cx.reader, "use_null_stream", Truth::No);
    let home = if null { Home::Null } else { Home::Own };
    let list = section.required(cx.reader, "actions", "a list of actions", Reader::list)?;
    if list.is_empty() {
        cx.reader.problem(section.at("actions"), "an empty list", "at least one action");
    }
    let mut steps = Vec::new();
    for (i, value) in list.iter().enumerate() {
        let path = format!("{}[{i}]", section.at("actions"));
        if let Some(action) = Action::open(cx, common, &path, value, i) {
            steps.extend(action.delay());
            steps.extend(action.steps(cx, common, home).unwrap_or_default());
        }
    }
    Some(Work::Steps(steps, home))
}

/// An action before its parameters are read.
struct Action<'a> {
    what: Type,
    label: String,
    delay: Nanos,
    /// Where the parameters would be, should they be missing.
    at: String,
    parameters: Option<Section<'a>>,
}

impl<'a> Action<'a> {
    fn open(
        cx: &mut Context<'_>,
        common: &Common<'_>,
        path: &str,
        value: &'a Value,
        index: usize,
    ) -> Option<Self> {
        let section = Section::open(cx.reader, path, value)?;
        cx.name_unknown(&section, &["delay", "type", "label", "parameters"]);
        let read_type = |reader: &mut Reader, path: &str, value| value::one_of(reader, path, value, &TYPES);
        let what = section.required(cx.reader, "type", "the type of the action", read_type);
        let label = section.optional(cx.reader, "label", Reader::text);
        let label = label.unwrap_or_else(|| format!("{} action {}", common.label, index + 1));
        let delay = section.optional(cx.reader, "delay", value::seconds).unwrap_or_default();
        let at = section.at("parameters");
        let given = section.get("parameters").filter(|value| !value.is_null());
        let parameters = match given {
            Some(value) => Some(Section::open(cx.reader, &at, value)?),
            None => None,
        };
        Some(Self { what: what?, label, delay, at, parameters })
    }

    fn delay(&self) -> Option<Step> {
        (self.delay > Nanos::ZERO).then_some(Step::Sleep(self.delay))
    }

    /// The parameters, where there can be no default.
    fn parameters(&self, cx: &mut Context<'_>, expected: &str) -> Option<&Section<'a>> {
        if self.parameters.is_none() {
            cx.reader.problem(&self.at, "missing", expected);
        }
        self.parameters.as_ref()
    }

    fn steps(&self, cx: &mut Context<'_>, common: &Common<'_>, home: Home) -> Option<Vec<Step>> {
        let step = match self.what {
            Type::Kernel => self.kernel(cx, common)?,
            Type::Memset => self.memset(cx, home)?,
            Type::Memcpy => self.memcpy(cx, home)?,
            Type::Malloc => {
                self.name_unknown(cx, &["size", "host"]);
                cx.notes.add(&self.at, "malloc: takes no time and holds nothing back here");
                return Some(Vec::new());
            }
            Type::Free => {
                self.name_unknown(cx, &["host"]);
                return Some(self.free(cx));
            }
            Type::Synchronize => {
                self.name_unknown(cx, &["device"]);
                let device = self.parameters.as_ref();
                let device = device.is_some_and(|section| section.truth(cx.reader, "device", Truth::No));
                if device { Step::WaitDevice } else { Step::WaitStream }
            }
        };
        Some(vec![step])
    }

    fn name_unknown(&self, cx: &mut Context<'_>, known: &[&str]) {
        if let Some(section) = &self.parameters {
            cx.name_unknown(section, known);
        }
    }

    fn kernel(&self, cx: &mut Context<'_>, common: &Common<'_>) -> Option<Step> {
        let section = self.parameters(cx, "an object with the duration")?;
        let known = ["type", "duration", "block_count", "thread_count"];
        let shared = ["shared_memory_size", "shared_memory_count", "shared_mem_size"];
        cx.name_unknown(section, &[&known[..], &shared[..]].concat());
        let types = [("timer_spin", Truth::No), ("counter_spin", Truth::Yes)];
        let read_type = |reader: &mut Reader, path: &str, value| value::one_of(reader, path, value, &types);
        let counts = section.optional(cx.reader, "type", read_type) == Some(Truth::Yes);
        let duration = if counts {
            Some(assumed(cx, section.path(), "counter_spin"))
        } else {
            section.required(cx.reader, "duration", "a number of nanoseconds", value::nanos)
        };
        let mut own_or_common = |key: &str| {
            let section = if section.get(key).is_some() { section } else { &common.section };
            section.required(cx.reader, key, "a whole number, or a list of up to three", value::count)
        };
        let (blocks, threads) = (own_or_common("block_count"), own_or_common("thread_count"));
        let shared_memory = shared_memory_of(cx, section)?;
        let (blocks, threads) = blocks.zip(threads)?;
        let shape = Shape { blocks, threads, shared_memory, duration: duration?, mask: common.mask };
        Some(Step::Launch(shape.named(&self.label)))
    }

    fn memset(&self, cx: &mut Context<'_>, home: Home) -> Option<Step> {
        let section = self.parameters(cx, "an object with the size")?;
        cx.name_unknown(section, &["async", "size"]);
        let stream = section.truth(cx.reader, "async", Truth::Yes);
        let copy = self.copy(cx, section, Direction::Set)?;
        Some(Step::Copy { copy, home: if stream { home } else { Home::Null }, wait: false })
    }

    fn memcpy(&self, cx: &mut Context<'_>, home: Home) -> Option<Step> {
        let section = self.parameters(cx, "an object with the size")?;
        cx.name_unknown(section, &["async", "size", "direction"]);
        let stream = section.truth(cx.reader, "async", Truth::Yes);
        let read_direction =
            |reader: &mut Reader, path: &str, value| value::one_of(reader, path, value, &DIRECTIONS);
        if section.get("direction").is_none() {
            cx.notes.add(section.at("direction"), "memcpy: no direction is given; deviceToDevice is assumed");
        }
        let direction = section.optional(cx.reader, "direction", read_direction).unwrap_or(Direction::Within);
        let copy = self.copy(cx, section, direction)?;
        // Copies within the device return before they are done, synchronous or not.
        let wait = !stream && direction != Direction::Within;
        Some(Step::Copy { copy, home: if stream { home } else { Home::Null }, wait })
    }

    fn copy(&self, cx: &mut Context<'_>, section: &Section<'_>, direction: Direction) -> Option<Copy> {
        let read_size =
            |reader: &mut Reader, path: &str, value: &Value| reader.whole(path, value, 0..=1 << 62);
        let bytes = section.required(cx.reader, "size", "a number of bytes", read_size)?;
        let within = matches!(direction, Direction::Within | Direction::Set);
        let duration = cx.device.copy_speed.time(bytes, within);
        Some(Copy { label: self.label.clone(), direction, bytes, duration })
    }

    fn free(&self, cx: &mut Context<'_>) -> Vec<Step> {
        match cx.options.free {
            Free::Synchronises => {
                cx.notes.add(&self.at, "free: waits until everything of its process has ended");
                vec![Step::WaitDevice]
            }
            Free::Instant => {
                cx.notes.add(&self.at, "free: takes no time and waits for nothing here");
                Vec::new()
            }
        }
    }
}
