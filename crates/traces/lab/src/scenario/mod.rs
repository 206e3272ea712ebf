//! The `trace` part of a scenario: a recorded run, and what would be changed of it.
//!
//! A recording is either within the document, as the JSON that the PyTorch profiler or rocprofv3 write, or in files that
//! the document names: those are opened by whoever has them, and are never part of a document or a link.

pub mod change;

use std::sync::Arc;

use serde_json::Value;

use change::Wanted;
use kit::import::json;
use kit::import::reader::{Reader, shown};
use traces::Trace;

/// The most files of one run.
const MOST_FILES: usize = 64;
/// The most changes made together.
pub const MOST_CHANGES: usize = 100;
/// The largest file.
const LARGEST: u64 = 1 << 50;

/// A question about a recorded run.
#[derive(Debug, Clone, PartialEq)]
pub struct TraceScenario {
    /// The recording.
    pub given: Given,
    /// What is changed, all together.
    pub changes: Vec<Wanted>,
}

/// Where the recording is.
#[derive(Debug, Clone, PartialEq)]
pub enum Given {
    /// In the document, which was read with it.
    Recorded(Arc<Trace>),
    /// In files of these names and sizes.
    Files(Vec<Named>),
}

/// A file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// What it is called.
    pub name: String,
    /// How many bytes it has; none where any file of that name will do.
    pub bytes: Option<u64>,
}

/// Reads the `trace` of a document.
pub fn read(reader: &mut Reader, path: &str, value: &Value) -> Option<TraceScenario> {
    let fields = reader.object(path, value)?;
    reader.only(&fields, &["files", "recorded", "changes"]);
    let changes = reader.optional(&fields, "changes", change::read_all).unwrap_or_default();
    let given = match (fields.get("files"), fields.get("recorded")) {
        (Some(list), None) => Given::Files(files(reader, &fields.path_of("files"), list)?),
        (None, Some(run)) => {
            let path = fields.path_of("recorded");
            reader.object(&path, run)?;
            match traces_read::read_text(&json::line(run)) {
                Ok(trace) => {
                    if let Err(problems) = change::changes(&trace, &changes) {
                        problems
                            .into_iter()
                            .for_each(|one| reader.problem(one.place, one.what, one.expected));
                    }
                    Given::Recorded(Arc::new(trace))
                }
                Err(problems) => {
                    problems.into_iter().for_each(|one| reader.problem(path.clone(), one.what, one.expected));
                    return None;
                }
            }
        }
        _ => {
            reader.problem(path, "no recording in it", "exactly one of \"files\" and \"recorded\"");
            return None;
        }
    };
    Some(TraceScenario { given, changes })
}

/// The files that a document names under `files`; none where there is a mistake in it.
pub fn named(value: &Value) -> Vec<Named> {
    files(&mut Reader::default(), "trace.files", value).unwrap_or_default()
}

fn files(reader: &mut Reader, path: &str, value: &Value) -> Option<Vec<Named>> {
    let items = reader.list(path, value)?;
    if !(1..=MOST_FILES).contains(&items.len()) {
        reader.problem(path, base::people::counted(items.len(), "file"), format!("1 to {MOST_FILES} files"));
        return None;
    }
    let one = |reader: &mut Reader, path: &str, item: &Value| match item {
        Value::String(_) => Some(Named { name: reader.text(path, item)?, bytes: None }),
        Value::Object(_) => {
            let fields = reader.object(path, item)?;
            reader.only(&fields, &["name", "bytes"]);
            let name = reader.required(&fields, "name", "the name of a file", |reader, path, value| {
                reader.text(path, value)
            })?;
            let bytes = reader
                .optional(&fields, "bytes", |reader, path, value| reader.whole(path, value, 0..=LARGEST));
            Some(Named { name, bytes })
        }
        other => {
            reader.problem(
                path,
                shown(other),
                "the name of a file, or an object with \"name\" and \"bytes\"",
            );
            None
        }
    };
    let all: Vec<_> = (0..).zip(items).map(|(i, item)| one(reader, &format!("{path}[{i}]"), item)).collect();
    all.into_iter().collect()
}
