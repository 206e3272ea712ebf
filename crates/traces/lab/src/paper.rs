//! A recorded run on paper, and small.

use serde_json::Value;

use crate::draw::{AXIS, Look, draw};
use crate::page::{run_in, says};
use base::people;
use kit::draw::nanos::in_words;
use kit::export::svg::svg;
use kit::import::json;
use kit::page::paper::{FULL, Paper, Sheet, Small, Table, WIDTH, fact};

/// The sheet of a document that holds its run, and of its report.
pub fn sheet(paper: &Paper) -> Option<Sheet> {
    let (document, line, link) = (paper.tree, paper.line(), paper.link);
    let run = run_in(document)?;
    let told = json::parse(line).ok()?;
    let title = document["title"].as_str().unwrap_or_default();
    let devices = told["devices"].as_array()?;
    let count = |key: &str| people::grouped(told[key].as_u64().unwrap_or(0).into());
    let texts = |key: &str| {
        told[key].as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
    };
    Some(Sheet {
        kind: "A recorded run",
        given: vec![fact("Operations", count("operations")), fact("Calls of the host", count("calls"))],
        asked: "Why was the GPU idle, and for how long each time?",
        picture: Some(svg(&draw(&run, &Look::whole(&run, WIDTH)), title, link)),
        found: devices
            .iter()
            .map(|device| fact(&format!("GPU {} idle", device["device"]), nanos(&device["idle"])))
            .collect(),
        found_tables: devices.iter().map(causes).collect(),
        assumes: texts("assumptions"),
        ..Sheet::default()
    })
}

/// The small picture of such a document.
pub fn small(document: &Value, _: &str) -> Option<Small> {
    let run = run_in(document)?;
    let look = Look::whole(&run, FULL);
    let scale = look.scale();
    let part = (scale.left, AXIS, scale.right, look.height);
    Some((draw(&run, &look), part))
}

fn nanos(value: &Value) -> String {
    in_words(value.as_i64().unwrap_or(0))
}

/// The idle time of a device by cause.
fn causes(device: &Value) -> Table {
    let own = |cause: crate::Cause| {
        let took = &device["causes"][cause.name()];
        (took.as_u64() > Some(0)).then(|| vec![says::name_of(cause).to_owned(), nanos(took)])
    };
    Table {
        title: format!("Idle time of GPU {} by cause", device["device"]),
        head: vec!["Cause", "Time"],
        rows: crate::Cause::ALL.into_iter().filter_map(own).collect(),
        given: 1,
        ..Table::default()
    }
}
