//! A chain's document as its form sees it: where its fields stand, what a new kernel or task is, and names that others
//! refer to.

#[cfg(test)]
mod tests;

use serde_json::{Map, Value, json};

use base::people::{counted, grouped, plural};
use kit::page::fields::path::Key;
use kit::page::fields::path::Key::{At, Of};
use kit::page::fields::path::{Path, field, get, item, items, push, remove, set};
use kit::page::fields::units::Unit;
use kit::page::fields::{Holds, Slot, shown};

/// Where the chain stands.
pub const CHAIN: [Key; 1] = [Of("chain")];
/// And its kernels.
pub const KERNELS: [Key; 2] = [Of("chain"), Of("kernels")];
/// And its cores.
pub const CORES: [Key; 2] = [Of("chain"), Of("cores")];
/// And its tasks.
pub const TASKS: [Key; 2] = [Of("chain"), Of("tasks")];
/// More items of a list stand under JSON.
pub const MOST: usize = 50;

/// Times of a chain are short.
const TIME: Holds = Holds::Time(Unit::Micros);

/// Where the time of a kernel is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// A string of instructions.
    String,
    /// PTX.
    Ptx,
    /// A listing of machine code.
    Sass,
    /// Machine code that is written out.
    Code,
    /// Cycles of a block, as its author says.
    Cycles,
}

impl Source {
    /// All of them, with what a list calls them.
    pub const ALL: [(Self, &'static str, &'static str); 5] = [
        (Self::String, "kernel", "an instruction string"),
        (Self::Ptx, "ptx", "PTX"),
        (Self::Sass, "sass", "machine code (SASS)"),
        (Self::Code, "code", "machine code, written out"),
        (Self::Cycles, "cycles", "cycles given for a block"),
    ];

    /// Its key in the document.
    pub fn key(self) -> &'static str {
        match self {
            Self::String => "kernel",
            Self::Ptx => "ptx",
            Self::Sass => "sass",
            Self::Code => "code",
            Self::Cycles => "cycles",
        }
    }

    /// That of a kernel; as long as there is none, as while one is being written, it stays what it was.
    pub fn of(kernel: Option<&Value>, before: Option<Self>) -> Self {
        let has = |key: &str| kernel.is_some_and(|kernel| kernel.get(key).is_some());
        if let Some(code) = [Self::Sass, Self::Code].into_iter().find(|source| has(source.key())) {
            return code;
        }
        match (has("ptx"), has("cycles"), has("kernel")) {
            (true, ..) => Self::Ptx,
            (_, true, false) => Self::Cycles,
            (_, _, true) => Self::String,
            _ => before.unwrap_or(Self::String),
        }
    }
}

/// What a segment does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Does {
    /// Computes for a time.
    Cpu,
    /// Computes for ticks of its core.
    Ticks,
    /// Copies to the GPU or from it.
    Copy,
    /// Launches a kernel and waits for it.
    Launch,
}

impl Does {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Cpu, Self::Ticks, Self::Copy, Self::Launch];

    /// Its key in the document.
    pub fn key(self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::Ticks => "ticks",
            Self::Copy => "copy",
            Self::Launch => "launch",
        }
    }

    /// What a button calls it.
    pub fn label(self) -> &'static str {
        match self {
            Self::Cpu => "Time",
            Self::Ticks => "Ticks",
            Self::Copy => "Copy",
            Self::Launch => "Kernel",
        }
    }

    /// What heads it.
    pub fn heading(self) -> &'static str {
        match self {
            Self::Cpu => "Computes, time",
            Self::Ticks => "Computes, ticks",
            Self::Copy => "Copies",
            Self::Launch => "Launches a kernel",
        }
    }

    /// That of a segment, if it says one thing; if it says nothing, as while a number is being written, what it was.
    pub fn of(segment: &Value, before: Option<Self>) -> Option<Self> {
        let mut found = Self::ALL.into_iter().filter(|does| segment.get(does.key()).is_some());
        match (found.next(), found.next()) {
            (one, None) => one.or(before),
            _ => None,
        }
    }
}

/// The fields of a kernel beside its name and its source.
pub fn of_kernel(kernel: &[Key]) -> Vec<Slot> {
    vec![
        Slot::of(kernel, "blocks", "Blocks", Holds::Number, "1"),
        Slot::of(kernel, "threads", "Threads of one", Holds::Number, ""),
        Slot::of(kernel, "registers", "Registers each", Holds::Number, "unknown"),
        Slot::of(kernel, "shared_memory", "Shared, B", Holds::Number, "0"),
    ]
}

/// The fields of a kernel given as a listing, beside the listing: what it is read as.
pub fn of_listing(kernel: &[Key]) -> Vec<Slot> {
    vec![Slot::of(kernel, "architecture", "Architecture", Holds::Number, "as the listing says")]
}

/// The function that is read of a listing.
pub fn function_of(kernel: &[Key]) -> Slot {
    Slot::of(kernel, "function", "Function", Holds::Text, "")
}

/// What may be wrong with a kernel given as a listing and has no field.
pub fn beside_listing(kernel: &[Key]) -> Vec<Slot> {
    vec![
        Slot::of(kernel, "latencies", "Latencies", Holds::Text, ""),
        Slot::of(kernel, "lanes", "Lanes", Holds::Text, ""),
    ]
}

/// The field that the source of a kernel is in.
pub fn of_source(kernel: &[Key], source: Source) -> Slot {
    match source {
        Source::String => Slot::of(kernel, "kernel", "Instructions", Holds::Text, ""),
        Source::Ptx => Slot::of(kernel, "ptx", "PTX", Holds::Text, ""),
        Source::Sass => Slot::of(kernel, "sass", "Listing", Holds::Text, ""),
        Source::Code => Slot::of(kernel, "code", "Code", Holds::Text, ""),
        Source::Cycles => Slot::of(kernel, "cycles", "Cycles of a block", Holds::Number, ""),
    }
}

/// The times of a task.
pub fn of_task(task: &[Key]) -> Vec<Slot> {
    vec![
        Slot::of(task, "period", "Period, µs", TIME, ""),
        Slot::of(task, "deadline", "Deadline, µs", TIME, "the period"),
        Slot::of(task, "priority", "Priority", Holds::Number, "auto"),
    ]
}

/// The fields of a segment that are typed.
pub fn of_segment(segment: &[Key], does: Does) -> Vec<Slot> {
    let label = Slot::of(segment, "label", "Label", Holds::Name, "");
    match does {
        Does::Cpu => vec![Slot::of(segment, "cpu", "Time, µs", TIME, ""), label],
        Does::Ticks => vec![Slot::of(segment, "ticks", "Ticks", Holds::Number, ""), label],
        Does::Copy => vec![
            Slot::of(segment, "bytes", "Bytes", Holds::Number, "0"),
            Slot::of(segment, "duration", "Time, µs", TIME, "by its bytes"),
        ],
        Does::Launch => vec![],
    }
}

/// The names of the items of a list, as they are written.
pub fn names(tree: &Value, list: &[Key]) -> Vec<String> {
    let name = |item: &Value| item.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
    items(tree, list).iter().map(name).collect()
}

/// A name that no item of a list has: `kernel 3`.
fn free_name(tree: &Value, list: &[Key], word: &str) -> String {
    let known = names(tree, list);
    let name = |n: &usize| format!("{word} {n}");
    (known.len() + 1..).find(|n| !known.contains(&name(n))).map(|n| name(&n)).unwrap_or_default()
}

/// The document with one more kernel.
pub fn with_new_kernel(tree: &Value) -> Value {
    let name = free_name(tree, &KERNELS, "kernel");
    push(tree, &KERNELS, json!({"name": name, "kernel": "L C L", "blocks": 1, "threads": 32}))
}

/// The document with one more task.
pub fn with_new_task(tree: &Value) -> Value {
    let name = free_name(tree, &TASKS, "task");
    push(tree, &TASKS, json!({"name": name, "period": 1_000_000, "segments": [{"cpu": 1_000}]}))
}

/// The document with one more core. Where none is written, the usual one is, so that both are there.
pub fn with_new_core(tree: &Value) -> Value {
    let tree = if items(tree, &CORES).is_empty() {
        push(tree, &CORES, json!({"name": "cpu"}))
    } else {
        tree.clone()
    };
    let name = free_name(&tree, &CORES, "cpu");
    push(&tree, &CORES, json!({"name": name}))
}

/// The segments of a task.
pub fn segments(task: usize) -> Path {
    field(&item(&TASKS, task), "segments")
}

/// The document with one more segment at the end of a task.
pub fn with_new_segment(tree: &Value, task: usize, does: Does) -> Value {
    let segment = match does {
        Does::Cpu => json!({"cpu": 1_000}),
        Does::Ticks => json!({"ticks": 1_000}),
        Does::Copy => json!({"copy": "in", "bytes": 4_096}),
        Does::Launch => json!({"launch": names(tree, &KERNELS).first().cloned().unwrap_or_default()}),
    };
    push(tree, &segments(task), segment)
}

/// The document with a kernel from another source: what it had is left out, something to go on from takes its place.
pub fn with_source(tree: &Value, kernel: usize, source: Source) -> Value {
    let at = item(&KERNELS, kernel);
    let Some(Value::Object(map)) = get(tree, &at) else { return tree.clone() };
    let value = match source {
        Source::String => json!("L C L"),
        Source::Ptx | Source::Sass => json!(""),
        Source::Code => json!([{ "unit": "fp32" }]),
        Source::Cycles => json!(1_000),
    };
    let gone = [
        "kernel",
        "ptx",
        "entry",
        "path",
        "sass",
        "function",
        "architecture",
        "loops",
        "latencies",
        "lanes",
        "code",
        "machine",
        "cycles",
    ];
    let mut fields: Map<String, Value> = Map::new();
    for (key, old) in map {
        if !gone.contains(&key.as_str()) {
            fields.insert(key.clone(), old.clone());
        }
        if key == "name" {
            fields.insert(source.key().to_owned(), value.clone());
        }
    }
    fields.entry(source.key().to_owned()).or_insert(value);
    if source == Source::Code {
        let units = json!({ "fp32": { "per": "partition", "count": 1 } });
        fields.insert("machine".to_owned(), json!({ "partitions": 4, "issue": 1, "units": units }));
    }
    set(tree, &at, Value::Object(fields))
}

/// The document with another name for an item of a list. What refers to it follows, unless the name is then no name of
/// its own.
pub fn renamed(tree: &Value, list: &[Key], place: usize, name: &str) -> Value {
    let known = names(tree, list);
    let Some(old) = known.get(place).filter(|old| *old != name) else { return tree.clone() };
    let mut out = set(tree, &field(&item(list, place), "name"), Value::from(name));
    let own = known.iter().filter(|known| *known == old).count() == 1;
    if !own || old.is_empty() || name.is_empty() || known.iter().any(|known| known == name) {
        return out;
    }
    let mut follow = |path: Path| {
        if get(&out, &path).and_then(Value::as_str) == Some(old.as_str()) {
            out = set(&out, &path, Value::from(name));
        }
    };
    for task in 0..items(tree, &TASKS).len() {
        if list == CORES {
            follow(field(&item(&TASKS, task), "core"));
        }
        let parts = segments(task);
        for segment in 0..items(tree, &parts).len() {
            if list == KERNELS {
                follow(field(&item(&parts, segment), "launch"));
            }
            if list == TASKS {
                follow(field(&item(&parts, segment), "activate"));
                follow(field(&item(&parts, segment), "await"));
            }
        }
    }
    let order = field(&CHAIN, "order");
    for at in 0..items(tree, &order).len() {
        if list == KERNELS {
            follow(item(&order, at));
        }
    }
    out
}

/// Which launch orders are asked for: `worst`, `listed`, or something written under JSON.
pub fn order(tree: &Value) -> &'static str {
    match get(tree, &field(&CHAIN, "order")) {
        None => "worst",
        Some(Value::String(word)) if word == "worst" => "worst",
        Some(Value::Array(found)) => {
            let listed = names(tree, &KERNELS);
            let same = found.len() == listed.len() && found.iter().zip(&listed).all(|(a, b)| a == b.as_str());
            if same { "listed" } else { "other" }
        }
        Some(_) => "other",
    }
}

/// The document with another launch order.
pub fn with_order(tree: &Value, chosen: &str) -> Value {
    let at = field(&CHAIN, "order");
    match chosen {
        "worst" => remove(tree, &at),
        "listed" => set(tree, &at, Value::from(names(tree, &KERNELS))),
        _ => tree.clone(),
    }
}

/// The preset of `device` or `machine`: none where something else is written out.
pub fn preset(tree: &Value, key: &'static str, usual: &str) -> Option<String> {
    match get(tree, &field(&CHAIN, key)) {
        None => Some(usual.to_owned()),
        Some(value) => value.get("preset")?.as_str().map(str::to_owned),
    }
}

/// What the multiprocessor of the GPU is for, where not all kernels use it: listings, code that is written out and cycles
/// bring their own time along.
pub fn machine_is_for(tree: &Value) -> Option<&'static str> {
    let kernels = items(tree, &KERNELS);
    let uses = |kernel: &&Value| matches!(Source::of(Some(*kernel), None), Source::String | Source::Ptx);
    match kernels.iter().filter(uses).count() {
        0 if !kernels.is_empty() => Some(
            "Not used: this is for kernels given as strings or PTX. Machine code brings its own units and latencies along.",
        ),
        own if own < kernels.len() => Some(
            "For kernels given as strings or PTX; machine code brings its own units and latencies along.",
        ),
        _ => None,
    }
}

/// What the head of a kernel says beside its name.
pub fn about_kernel(tree: &Value, place: usize) -> String {
    let at = item(&KERNELS, place);
    let Some(kernel) = get(tree, &at) else { return String::new() };
    let number = |key: &'static str, usual: &str| match kernel.get(key).and_then(Value::as_u64) {
        Some(number) => grouped(number.into()),
        // What is no number is shown as it is written.
        None => Some(shown(kernel.get(key), Holds::Number))
            .filter(|text| !text.is_empty())
            .unwrap_or(usual.to_owned()),
    };
    format!("{} × {}", number("blocks", "1"), number("threads", "?"))
}

/// What the head of a task says beside its name.
pub fn about_task(tree: &Value, place: usize) -> String {
    let at = item(&TASKS, place);
    let Some(task) = get(tree, &at) else { return String::new() };
    let parts = items(tree, &field(&at, "segments")).len();
    let period = task.get("period").and_then(Value::as_u64).map(crate::timeline::chain::worth::time);
    let period = period.map(|period| format!(", every {period}")).unwrap_or_default();
    format!("{}{period}", plural(parts, "segment", "segments"))
}

/// What the head of a core says beside its name.
pub fn about_core(tree: &Value, place: usize) -> String {
    let name = names(tree, &CORES).get(place).cloned().unwrap_or_default();
    let first = place == 0;
    let is_on = |task: &&Value| match task.get("core").and_then(Value::as_str) {
        Some(core) => core == name,
        None => first,
    };
    counted(items(tree, &TASKS).iter().filter(is_on).count(), "task")
}

/// The path of an item of a list of the chain.
pub fn at(list: &[Key], place: usize) -> Path {
    [list, &[At(place)]].concat()
}
