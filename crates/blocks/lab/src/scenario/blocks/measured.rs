//! The logs in a blocks scenario: what was measured in one run.

use serde_json::Value;

use crate::import::examiner::align::{self, Known, Measured};
use crate::import::examiner::log;
use base::people;
use blocks::{Device, Workload, presets};
use kit::import::json;
use kit::import::reader::{Reader, shown};

/// The most logs of one scenario.
const MOST_LOGS: usize = 1_000;

/// Reads the list of logs: each a log as it was written, or its text with a name where the file is damaged.
pub fn read(
    reader: &mut Reader,
    path: &str,
    value: &Value,
    device: Option<&Device>,
    workload: Option<&Workload>,
) -> Option<Measured> {
    let items = reader.list(path, value)?;
    if items.is_empty() || items.len() > MOST_LOGS {
        reader.problem(path, people::counted(items.len(), "log"), format!("1 to {MOST_LOGS} logs"));
        return None;
    }
    let mut logs = Vec::with_capacity(items.len());
    for (i, item) in items.iter().enumerate() {
        let place = format!("{path}[{i}]");
        let (name, text) = match item {
            Value::Object(fields) => match (fields.get("file"), fields.get("text")) {
                (Some(Value::String(name)), Some(Value::String(text))) => (name.clone(), text.clone()),
                _ => (place.clone(), json::line(item)),
            },
            Value::String(text) => (place.clone(), text.clone()),
            other => {
                reader.problem(&place, shown(other), "a log, or {\"file\": ..., \"text\": ...}");
                continue;
            }
        };
        match log::read(&name, &text) {
            Ok(log) => logs.push(log),
            Err(problem) => reader.problem(&place, problem.what, problem.expected),
        }
    }
    if logs.len() < items.len() {
        return None;
    }
    let known: Vec<Device> = presets::ALL.iter().map(|preset| preset.device()).collect();
    let known = Known { device, presets: &known, configuration: workload };
    let measured = align::setup(&logs, &known);
    if measured.trace.kernels.is_empty() {
        let expected = "logs with the times of blocks in seconds, from 0 to 6e9";
        reader.problem(path, "no kernel is recorded whose times can be read", expected);
        return None;
    }
    Some(measured)
}
