//! The report of a conjecture: the claim, the parameters, and a verdict for each choice of them.

use serde::{Deserialize, Serialize};

use kit::import::json;
use kit::report::{Told, micro};
use serde_json::Value;

use base::people;
use warps_lab::report::Capacities;

/// What is known about a claim.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ConjectureReport {
    /// The scenario's title.
    pub scenario: String,
    /// Always `conjecture`.
    pub lab: String,
    /// How long the computation took.
    pub seconds: f64,
    /// What is claimed.
    pub claim: ClaimReport,
    /// What every warp executes, with `rep` for a repetition.
    pub kernel: String,
    /// The machine in the model's terms, before parameters change it.
    pub machine: Capacities,
    /// `work-conserving` or `sub-block`.
    pub fairness: String,
    /// How many warps there are: a formula for each multiprocessor.
    pub warps: Vec<String>,
    /// The parameters; cells come in the order in which the last one changes fastest.
    pub parameters: Vec<Parameter>,
    /// A verdict for each choice of values.
    pub cells: Vec<Cell>,
    /// How many cells there are of each kind.
    pub totals: Totals,
    /// What was rounded or repeated on the way.
    pub notes: Vec<String>,
    /// What the result takes for granted.
    pub assumptions: Vec<String>,
}

/// A claim.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClaimReport {
    /// Its name, if it has one.
    pub named: Option<String>,
    /// The formula.
    pub formula: String,
    /// `at-most` or `exactly`.
    pub says: String,
    /// Who says so.
    pub source: Option<String>,
    /// What it says, in a sentence.
    pub about: Option<String>,
}

/// A parameter and its values.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its values, ascending.
    pub values: Vec<u32>,
}

/// One choice of values.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// The values, in the order of the parameters.
    pub at: Vec<u32>,
    /// The number of warps; with several multiprocessors, of the one that takes longest.
    pub warps: Option<usize>,
    /// What the formula comes to: `14`, `29/2`, or `76 to 80` where it stands on brackets.
    pub claimed: Option<String>,
    /// The most cycles the claim allows: that, rounded down.
    pub allowed: Option<i64>,
    /// The worst case is at least this: the longest schedule found.
    pub lower: Option<u32>,
    /// It is at most this, proven.
    pub upper: Option<u32>,
    /// What proves it.
    pub upper_by: Option<String>,
    /// `confirmed`, `refuted`, `open` or `undefined`.
    pub verdict: String,
    /// What the claim allows less the longest schedule found, where either that is the worst case or it refutes.
    pub margin: Option<i64>,
    /// Why the cell is open or undefined.
    pub why: Option<String>,
    /// The scenario that shows the refutation.
    pub witness: Option<Value>,
}

impl Cell {
    /// What proves the upper bound, in words for people.
    pub fn proven_by(&self) -> Option<&str> {
        self.upper_by.as_deref().map(warps::bounds::in_words)
    }
}

/// Cells that were judged since something was last told of a conjecture.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MoreCells {
    /// The place of the first one.
    pub from: usize,
    /// They themselves.
    pub more: Vec<Cell>,
}

/// How many cells there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Totals {
    /// Of any kind.
    pub cells: usize,
    /// In which the claim holds.
    pub confirmed: usize,
    /// Of these, where it leaves nothing over.
    pub tight: usize,
    /// In which it does not hold.
    pub refuted: usize,
    /// In which that is not known.
    pub open: usize,
    /// In which it says nothing.
    pub undefined: usize,
}

impl ConjectureReport {
    /// What it comes to, in a sentence.
    pub fn summary(&self) -> String {
        let Totals { cells, confirmed, tight, refuted, open, undefined } = self.totals;
        let mut parts =
            vec![format!("confirmed in {confirmed} (tight in {tight})"), format!("refuted in {refuted}")];
        parts.extend((open > 0).then(|| format!("open in {open}")));
        parts.extend((undefined > 0).then(|| format!("undefined in {undefined}")));
        format!("Of {}: {}.", people::counted(cells, "cell"), people::listed(&parts))
    }
}

impl Totals {
    /// The totals of these cells.
    pub fn of(cells: &[Cell]) -> Self {
        let mut totals = Self { cells: cells.len(), ..Self::default() };
        for cell in cells {
            match cell.verdict.as_str() {
                "confirmed" => totals.confirmed += 1,
                "refuted" => totals.refuted += 1,
                "undefined" => totals.undefined += 1,
                _ => totals.open += 1,
            }
            totals.tight += usize::from(cell.verdict == "confirmed" && cell.margin == Some(0));
        }
        totals
    }
}

impl Told for ConjectureReport {
    fn line(&self) -> String {
        json::line(self)
    }

    fn note(&mut self, text: String) {
        self.notes.insert(0, text);
    }

    fn took(&mut self, seconds: f64) {
        self.seconds = micro(seconds);
    }
}
