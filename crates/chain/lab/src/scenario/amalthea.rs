//! The document for a text that is an AMALTHEA model: a chain, with all that the model did not say in its list of
//! assumptions, and what was not read in its notes.

use serde_json::{Map, Value};

use crate::import::amalthea::mapped::{Deed, HostTask, Kernel, Order, Segment};
use crate::import::amalthea::{self, Asked, Mapped, Model};
use base::Problem;
use base::people::{counted, grouped, listed};
use base::problem::named;
use chain::{Safe, Wait};
use kit::import::several;
use kit::scenario::version::CURRENT;

/// The most kinds of elements that the notes list.
const MOST_LISTED: usize = 40;
/// The most files that the notes name.
const MOST_NAMED: usize = 20;
/// The most remarks that the notes repeat.
const MOST_REMARKS: usize = 20;

/// The document of a model, or everything that is wrong with it, by line and column.
pub fn document_of_amalthea(text: &str) -> Result<Value, Vec<Problem>> {
    let parts = several::parts(text).unwrap_or_default();
    let files: Vec<String> = parts.into_iter().map(|(name, _)| named(name)).collect();
    let with_files = |problems: Vec<Problem>| -> Vec<Problem> {
        let with_file = |problem: Problem| Problem { place: with_names(&problem.place, &files), ..problem };
        problems.into_iter().map(with_file).collect()
    };
    let model = amalthea::read(text).map_err(with_files)?;
    let mut mapped = amalthea::mapped(&model).map_err(with_files)?;
    for asked in &mut mapped.asked {
        asked.why = with_names(&asked.why, &files);
    }
    Ok(document(&model, &mapped))
}

/// A place, or a text that begins with one, with the name of its file for the number.
fn with_names(text: &str, files: &[String]) -> String {
    let named = || {
        let (number, rest) = text.strip_prefix("file ")?.split_once(", ")?;
        let name = files.get(number.parse::<usize>().ok()?.checked_sub(1)?)?;
        Some(format!("{name}, {rest}"))
    };
    named().unwrap_or_else(|| text.to_owned())
}

fn document(model: &Model, mapped: &Mapped) -> Value {
    let tasks = counted(mapped.tasks.len(), "task");
    let title = format!("{tasks} and {}, from AMALTHEA", counted(mapped.kernels.len(), "kernel"));
    object([
        ("warpspan", Value::from(CURRENT)),
        ("title", Value::from(title)),
        ("notes", Value::from(notes(model))),
        ("chain", chain(mapped)),
    ])
}

fn chain(mapped: &Mapped) -> Value {
    let cores = mapped.cores.iter().map(|core| {
        let scheduler = if core.order == Order::Edf { "edf" } else { "fixed-priority" };
        object([
            ("name", Value::from(core.name.as_str())),
            ("clock", Value::from(core.hertz)),
            ("scheduler", Value::from(scheduler)),
        ])
    });
    object([
        ("device", device(mapped)),
        ("machine", object([("preset", Value::from("cc-6.2"))])),
        ("clock", Value::from(mapped.gpu_hertz)),
        ("kernels", mapped.kernels.iter().map(kernel).collect()),
        ("cores", cores.collect()),
        ("tasks", mapped.tasks.iter().map(|task| host(mapped, task)).collect()),
        ("assumed", mapped.asked.iter().map(assumed).collect()),
    ])
}

/// A preset, with what the model itself says.
fn device(mapped: &Mapped) -> Value {
    let mut fields = Map::new();
    fields.insert("preset".to_owned(), Value::from("jetson-tx2"));
    for (key, said) in [("sms", mapped.sms), ("copy_rate", mapped.copy_rate)] {
        fields.extend(said.map(|said| (key.to_owned(), Value::from(said))));
    }
    Value::Object(fields)
}

fn kernel(kernel: &Kernel) -> Value {
    object([
        ("name", Value::from(kernel.name.as_str())),
        ("cycles", Value::from(kernel.cycles)),
        ("blocks", Value::from(kernel.blocks)),
        ("threads", Value::from(kernel.threads)),
    ])
}

fn host(mapped: &Mapped, task: &HostTask) -> Value {
    let mut fields = Map::new();
    let mut add = |key: &str, value: Value| fields.insert(key.to_owned(), value);
    add("name", Value::from(task.name.as_str()));
    add("core", Value::from(mapped.cores.get(task.core).map_or("", |core| core.name.as_str())));
    add("period", Value::from(task.period));
    add("deadline", Value::from(task.deadline));
    if let Some(priority) = task.priority {
        add("priority", Value::from(priority));
    }
    if !task.preemptive {
        add("preemptive", Value::from(false));
    }
    if task.wait == Wait::Spin {
        add("wait", Value::from("spin"));
    }
    add("segments", task.segments.iter().map(|one| segment(mapped, one)).collect());
    Value::Object(fields)
}

fn segment(mapped: &Mapped, segment: &Segment) -> Value {
    let mut fields = Map::new();
    let mut add = |key: &str, value: Value| fields.insert(key.to_owned(), value);
    match segment.act {
        Deed::Ticks(ticks) => {
            add("ticks", Value::from(ticks));
        }
        Deed::CopyIn(bytes) => {
            add("copy", Value::from("in"));
            add("bytes", Value::from(bytes));
        }
        Deed::CopyOut(bytes) => {
            add("copy", Value::from("out"));
            add("bytes", Value::from(bytes));
        }
        Deed::Launch(kernel) => {
            add("launch", Value::from(mapped.kernels.get(kernel).map_or("", |kernel| kernel.name.as_str())));
        }
        Deed::Activate(task) => {
            add("activate", Value::from(mapped.tasks.get(task).map_or("", |task| task.name.as_str())));
        }
        Deed::Await(task) => {
            add("await", Value::from(mapped.tasks.get(task).map_or("", |task| task.name.as_str())));
        }
    }
    if !segment.label.is_empty() {
        add("label", Value::from(segment.label.as_str()));
    }
    Value::Object(fields)
}

fn assumed(asked: &Asked) -> Value {
    let mut fields = Map::new();
    let mut add = |key: &str, value: Value| fields.insert(key.to_owned(), value);
    add("what", Value::from(asked.what.as_str()));
    add("value", Value::from(asked.value.as_str()));
    add("why", Value::from(asked.why.as_str()));
    add("path", Value::from(asked.path.as_str()));
    add("code", Value::from(asked.code.name()));
    match asked.safe {
        Safe::Neither => None,
        Safe::Upper => add("safe", Value::from("upper")),
        Safe::Lower => add("safe", Value::from("lower")),
    };
    if !asked.touches.is_empty() {
        add("touches", asked.touches.iter().map(String::as_str).collect());
    }
    Value::Object(fields)
}

/// What the reader of the document should know: where it is from, what was odd, what was not read.
fn notes(model: &Model) -> String {
    let mut lines = Vec::new();
    let version = match model.version.as_str() {
        "" => "of a namespace that says no version".to_owned(),
        version => version.to_owned(),
    };
    let mut files: Vec<String> = model.files.iter().take(MOST_NAMED).cloned().collect();
    let more = model.files.len() - files.len();
    if more > 0 {
        files.push(counted(more, "more file"));
    }
    let files = if files.is_empty() { String::new() } else { format!(" of {}", listed(&files)) };
    lines.push(format!(
        "Made of an AMALTHEA model{files}, {version}: {}, {}, {}. What it does not say is in \"assumed\".",
        counted(model.tasks.len(), "task"),
        counted(model.runnables.len(), "runnable"),
        counted(model.units.len(), "processing unit"),
    ));
    let text = |shown: String| format!("{}.", with_names(&shown, &model.files));
    lines.extend(model.notes.iter().take(MOST_REMARKS).map(|note| text(note.to_string())));
    let more = model.notes.len().saturating_sub(MOST_REMARKS) + model.more_notes;
    if more > 0 {
        lines.push(format!("And {}.", counted(more, "more remark")));
    }
    let elements: u64 = model.passed_over.iter().map(|passed| passed.times).sum();
    if elements > 0 {
        let elements = counted(usize::try_from(elements).unwrap_or(usize::MAX), "element");
        lines.push(format!("Not read: {elements} of these kinds."));
    }
    lines.extend(model.passed_over.iter().take(MOST_LISTED).map(|passed| {
        let first = with_names(&passed.first.to_string(), &model.files);
        format!("{}: {}, first at {first}.", passed.path, grouped(passed.times.into()))
    }));
    let more = model.passed_over.len().saturating_sub(MOST_LISTED);
    if more > 0 {
        lines.push(format!("And {}.", counted(more, "more kind")));
    }
    lines.join("\n")
}

fn object<const N: usize>(fields: [(&str, Value); N]) -> Value {
    fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect::<Map<String, Value>>().into()
}
