//! Studies, with all labs linked: grids of scenarios, cell by cell.
//!
//! ```
//! let text = r#"{ "warpspan": 1, "study": {
//!     "base": { "warps": { "kernel": "LCL", "count": 1, "machine": { "L": 1, "C": 1 } } },
//!     "axes": [{ "path": "warps.count", "from": 1, "to": 64 }],
//!     "measures": { "makespan": "makespan", "each": "makespan / count" } } }"#;
//! let study = warpspan::study::read(text).unwrap();
//! assert_eq!(study.cells(), 64);
//! let row: serde_json::Value = serde_json::from_str(&study.evaluate(2).unwrap()).unwrap();
//! assert_eq!((&row["point"]["warps.count"], &row["values"]["makespan"]), (&3.into(), &6.into()));
//! // The scenario of any cell opens like any other.
//! let report = warpspan::run(&study.cell(2).unwrap().document().unwrap()).unwrap();
//! assert!(report.line().contains("\"makespan\":6"));
//! ```
//!
//! A [`Study`] is cheap to copy and may be used from several threads at once. A row is the same whoever computes it:
//! [`threads`] share out all cells, [`rows`] keeps a file of rows that can go on, [`table`] makes a table of one.

#[cfg(not(target_arch = "wasm32"))]
pub mod rows;
#[cfg(not(target_arch = "wasm32"))]
pub mod table;
#[cfg(not(target_arch = "wasm32"))]
pub mod threads;

#[cfg(all(feature = "parquet", not(target_arch = "wasm32")))]
mod columns;

pub use study_lab::{
    Asked, Axis, Cell, CellRun, Drawing, Estimate, Measure, Share, Study, StudyJob, StudyReport,
    estimate::Took,
};

use base::Problem;

/// Reads a study; the document may be a share link.
///
/// # Errors
/// Everything that is wrong with the document; or that it is no study.
pub fn read(text: &str) -> Result<Study, Vec<Problem>> {
    let scenario = crate::scenario::from_tree(&crate::library::tree(text)?)?;
    Study::of(&scenario)
        .ok_or_else(|| vec![Problem::at("document", "no study", "{\"warpspan\": 1, \"study\": {...}}")])
}
