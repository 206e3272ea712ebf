//! Rows as files: as lines and as a table, the same that the command line writes.

use kit::export::csv;
use kit::import::json;
use serde_json::Value;

use super::{Known, Plan};

/// The rows there are, a line each, in the order of the grid.
pub fn lines(known: &Known) -> String {
    known.rows().fold(String::new(), |text, row| text + row + "\n")
}

/// The rows there are as a table.
pub fn table(known: &Known) -> String {
    let plan = &known.plan;
    let mut text = csv::row(columns(plan));
    for row in known.rows() {
        let Ok(row) = json::parse(row) else { continue };
        let axes = plan.axes.iter().map(|axis| &row["point"][&axis.name]);
        let measures = plan.names().map(|name| &row["values"][name]);
        let cells = axes.chain([&row["sample"], &row["seed"]]).chain(measures).chain([&row["problem"]]);
        text += &csv::row(cells.map(shown));
    }
    text
}

/// The columns: axes, sample, seed, measures, problem. An axis with the name of another column says that it is one.
fn columns(plan: &Plan) -> Vec<String> {
    let axes = plan.axes.iter().map(|axis| {
        let taken =
            plan.measure(&axis.name).is_some() || ["sample", "seed", "problem"].contains(&axis.name.as_str());
        if taken { format!("point.{}", axis.name) } else { axis.name.clone() }
    });
    let rest = ["sample", "seed"].into_iter().chain(plan.names()).chain(["problem"]);
    axes.chain(rest.map(str::to_owned)).collect()
}

fn shown(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        value => json::line(value),
    }
}
