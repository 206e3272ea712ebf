//! What the page tells the parts that show more of a schedule of warps than its picture: plain values that travel from
//! one wasm to the other.

use serde::{Deserialize, Serialize};

use super::told::ToldOfPage;

/// A schedule as it crosses: the document that was run, and the line of its report.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Ran {
    /// The document.
    pub text: String,
    /// The report.
    pub line: String,
}

/// What the source of a schedule is told.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ToldOfSource {
    /// The selected instruction: warp and place, from 0.
    pub selected: Option<(u32, u32)>,
    /// The instructions that some warp executes in the cycle of the cursor.
    pub running: Vec<u32>,
    /// Whether the cursor was put there: else it follows the pointer.
    pub put: bool,
    /// The instruction that is pointed at in the picture.
    pub pointed: Option<u32>,
    /// What somebody looks for; empty for nothing, or where the picture knows it by itself.
    pub sought: String,
}

/// What the table of a schedule is told.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ToldOfTable {
    /// The selected instruction: warp and place, from 0.
    pub selected: Option<(u32, u32)>,
    /// How many instructions the picture shows.
    pub placed: usize,
}

/// What the sums of a stretch of a schedule are told.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ToldOfSums {
    /// Whether the page is dark.
    pub dark: bool,
    /// The selected cycles, both included.
    pub range: Option<(u32, u32)>,
    /// The rows of warps it is in; none where it is in all.
    pub rows: Option<(usize, usize)>,
    /// After how many steps of the construction the picture is.
    pub placed: usize,
}

/// A program that was run, and the document as it stands.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ToRead {
    /// The document that was run.
    pub ran: String,
    /// Its report.
    pub line: String,
    /// The one on the page.
    pub text: String,
}

/// Two schedules to compare.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ToCompare {
    /// The one on the screen.
    pub here: Ran,
    /// The one that was pinned.
    pub kept: Ran,
}

/// What the comparison is told beside them.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ToldOfComparison {
    /// The page around it.
    pub page: ToldOfPage,
    /// The cycles in sight, from and to.
    pub window: (f64, f64),
    /// The selected cycles, both included.
    pub range: Option<(u32, u32)>,
    /// How wide the picture is.
    pub width: f64,
}
