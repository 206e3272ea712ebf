//! The sheet of an experiment with random tasks.

use crate::page::tasks::Seen;
use base::people;
use kit::page::paper::{Sheet, Table, fact};

/// The sheet of an experiment's report; none where it is another.
pub(super) fn sheet(line: &str) -> Option<Sheet> {
    let Seen::Experiment(report) = Seen::new(line)? else { return None };
    let milliseconds = |value: f64| format!("{} ms", people::hundredths(value));
    let row = |row: &crate::report::tasks::ExperimentRow| {
        vec![
            row.vertices.to_string(),
            row.edges.to_string(),
            people::grouped(row.cells.into()),
            row.dense_ms.map_or("not measured".to_owned(), milliseconds),
            milliseconds(row.front_ms),
            milliseconds(row.exact_ms),
        ]
    };
    Some(Sheet {
        kind: "Recurring tasks",
        given: vec![fact("Random tasks", report.generated.clone())],
        asked: "How does the time grow with the number of vertices?",
        found_tables: vec![Table {
            title: "Times measured in this browser".to_owned(),
            head: vec!["Vertices", "Edges", "Cells of the table", "As published", "Front", "Exact demand"],
            rows: report.experiment.iter().map(row).collect(),
            given: 3,
            asked: None,
        }],
        warns: report.warnings.clone(),
        ..Sheet::default()
    })
}
