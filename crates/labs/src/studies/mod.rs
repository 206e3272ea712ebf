//! Studies over bases of every lab: what their cells, rows and reports hold, and what is refused.

mod bases;
mod generators;
mod made;
mod page;
mod refused;
mod rows;
mod summary;

use crate::ALL;
use base::Problem;
use serde_json::Value;
use study_lab::Study;

/// A document around the `study` part.
fn document(study: &str) -> String {
    format!(r#"{{"warpspan": 1, "title": "t", "study": {{{study}}}}}"#)
}

fn read(study: &str) -> Result<Study, Vec<Problem>> {
    let scenario = ALL.read(&document(study))?;
    Study::of(&scenario).ok_or_else(Vec::new)
}

/// A study that is right.
fn sound(study: &str) -> Study {
    match read(study) {
        Ok(study) => study,
        Err(problems) => unreachable!("{study}: {problems:?}"),
    }
}

/// The row of a cell.
fn row(study: &Study, cell: u64) -> Value {
    let line = study.evaluate(cell).unwrap_or_default();
    serde_json::from_str(&line).unwrap_or_else(|error| unreachable!("{line}: {error}"))
}

/// Two small axes and three samples over warps whose kernels are drawn.
const SMALL: &str = r#"
    "base": {"warps": {"kernel": {"generate": "kernel", "length": [2, 6]}, "count": 1, "machine": {"L": 1, "C": 1}}},
    "axes": [{"path": "warps.count", "from": 1, "to": 3}, {"path": "warps.machine.C", "name": "cores", "values": [1, 2]}],
    "samples": 3, "seed": 7, "measures": {"makespan": "makespan", "each": "makespan / document.warps.count"}"#;
