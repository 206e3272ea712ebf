//! What is found about a whole chain: from the warps of a kernel to the deadlines of the host tasks.
//!
//! Every number is a [`Figure`]: it has a unit and says what it is. Nothing here is a bare number that one could
//! take for another unit's, or for a proof.

mod made;
mod parts;
mod told;
mod warnings;

pub use made::whole_report;

use serde::{Deserialize, Serialize};

use code_lab::report::Rest;
use kit::import::json;
use kit::report::{Told, micro};
use serde_json::Value;

/// The result of a chain.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct WholeReport {
    /// The title of the scenario.
    pub scenario: String,
    /// Always `chain`.
    pub lab: String,
    /// How long it took.
    pub seconds: f64,
    /// Whether every deadline is met, and how much that is worth.
    pub verdict: Verdict,
    /// The GPU.
    pub gpu: Gpu,
    /// The kernels, as the document lists them.
    pub kernels: Vec<KernelLink>,
    /// The cores of the host.
    pub cores: Vec<CoreLink>,
    /// The host tasks.
    pub tasks: Vec<TaskLink>,
    /// What would be if something were different.
    pub sensitivity: Vec<Change>,
    /// The document of each part, to be opened in its lab.
    pub parts: Vec<Part>,
    /// What the document took for granted because its source did not say it.
    pub assumed: Vec<Assumed>,
    /// What all of it takes for granted.
    pub assumptions: Vec<String>,
    /// What the reader should know about this chain.
    pub warnings: Vec<String>,
}

/// What a number is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Evidence {
    /// The worst case itself, proven.
    Exact,
    /// Written in the document; it is worth what its author says.
    Given,
    /// A proven bound that the worst case does not exceed.
    Upper,
    /// Proven to be reached: the worst case is no less.
    Lower,
    /// True under an assumption that nobody has proven; the reason names it.
    #[default]
    Simulated,
}

/// What a number counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// Cycles of the GPU's clock.
    Cycles,
    /// Cycles of a core's clock.
    Ticks,
    /// Nanoseconds.
    #[default]
    Ns,
}

/// A number with its unit and its worth.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Figure {
    /// How much.
    pub value: u64,
    /// Of what.
    pub unit: Unit,
    /// What it is worth.
    pub kind: Evidence,
    /// Where it is from, in a sentence.
    pub why: String,
    /// What it rests on that nobody has proven; with anything in it, its kind is `simulated`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rests_on: Vec<String>,
}

/// What is known of a worst case from both sides. Where it is known exactly both are equal and say so.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Bracket {
    /// It is no less than this, if anything is known.
    pub lower: Option<Figure>,
    /// It is no more than this, if anything is known. Of kind `simulated`, this holds under the assumption named.
    pub upper: Option<Figure>,
}

/// Whether deadlines are met.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Verdict {
    /// `true`: every deadline is met; `false`: one can be missed; none: open.
    pub schedulable: Option<bool>,
    /// What the answer is worth: the kind of its weakest link.
    pub kind: Evidence,
    /// The answer in a sentence.
    pub because: String,
    /// The part that makes it no better: an id of `parts` or a name of a kernel or task.
    pub weakest: Option<String>,
    /// What it rests on that nobody has proven.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rests_on: Vec<String>,
}

/// The GPU.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Gpu {
    /// What it is called.
    pub name: String,
    /// Multiprocessors.
    pub sms: u32,
    /// Cycles a second.
    pub clock: u64,
    /// What one multiprocessor does in a cycle, in words.
    pub machine: String,
    /// What loads cost, in words, where the document says it.
    pub memory: Option<String>,
    /// `shared` or `exclusive`.
    pub sharing: String,
    /// What that means for the numbers, in a sentence.
    pub sharing_means: String,
    /// The launch order that was asked for; none is the worst of all.
    pub order: Option<Vec<String>>,
}

/// A kernel: from its instructions to its completion.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct KernelLink {
    /// Its name.
    pub name: String,
    /// Where its time is from: `string`, `ptx`, `sass`, `code` or `cycles`.
    pub source: String,
    /// The instruction string in run-length form, where there is one.
    pub string: Option<String>,
    /// Instructions of a warp in it.
    pub instructions: u64,
    /// The PTX it is from: lines of source with the unit each keeps busy, where there is one.
    pub lines: Vec<SourceLine>,
    /// Its loops that are taken to go round once since nobody says how often, in a clause; empty where there are none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub once: String,
    /// What it rests on where it is a listing of machine code, the gravest first, as reports on machine code have it; and
    /// `device`, where the listing is for another multiprocessor than that of the chain.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rests: Vec<Rest>,
    /// Blocks of its grid.
    pub blocks: u64,
    /// Threads of a block.
    pub threads: u64,
    /// Warps of a block.
    pub warps: u64,
    /// How many blocks a multiprocessor holds.
    pub residency: Residency,
    /// Worst makespan of the warps resident on one multiprocessor, in cycles.
    pub makespan: Bracket,
    /// How long a block takes, in nanoseconds.
    pub block: Bracket,
    /// The whole grid, for each way blocks come to multiprocessors.
    pub grids: Vec<Grid>,
    /// From launch to completion with the GPU to itself, in nanoseconds.
    pub alone: Bracket,
    /// From launch to completion among the others, worst over launch orders.
    pub completion: Bracket,
    /// A launch order that gives the lower side of it.
    pub order: Vec<String>,
    /// The task that launches it; none if nobody does.
    pub task: Option<String>,
    /// Its part in the warps lab.
    pub part: Option<String>,
    /// The whole GPU's part in the blocks lab.
    pub gpu_part: Option<String>,
}

impl KernelLink {
    /// What it rests on that is grave, but for loops that go round once, of which `once` has a clause.
    pub fn grave(&self) -> impl Iterator<Item = &Rest> {
        self.rests.iter().filter(|rest| rest.is_grave() && (rest.on != "loops" || self.once.is_empty()))
    }
}

/// A line of PTX on the chosen path.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SourceLine {
    /// Its number, from 1.
    pub line: u64,
    /// What is written there.
    pub text: String,
    /// The unit its instruction keeps busy: `L`, `C`, `S`, `D`; none if it takes none.
    pub unit: Option<char>,
    /// How often the path passes it.
    pub times: u64,
}

/// How many blocks a multiprocessor holds at once, and what limits it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Residency {
    /// Blocks, at most as many as the grid has.
    pub blocks: u64,
    /// Their warps.
    pub warps: u64,
    /// What limits it: `threads`, `registers`, `shared_memory`, `blocks` or `grid`.
    pub limited_by: String,
    /// Blocks that each limit alone would allow.
    pub limits: Vec<Limit>,
}

/// Blocks that one limit alone would allow.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Limit {
    /// Which.
    pub name: String,
    /// So many blocks; none: it does not limit.
    pub blocks: Option<u64>,
}

/// A grid on the multiprocessors under one way of assigning blocks.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Grid {
    /// `known`, `round-robin`, `rules` or `worst`.
    pub assignment: String,
    /// What that means, in a sentence.
    pub means: String,
    /// The multiprocessors that get blocks.
    pub sms: Vec<GridSm>,
    /// From the first cycle to the end of the last block: the maximum over multiprocessors.
    pub makespan: Bracket,
}

/// One multiprocessor of a grid.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct GridSm {
    /// Its number, from 0.
    pub sm: u64,
    /// Blocks it runs, in all.
    pub blocks: u64,
    /// Warps of them that are resident at once.
    pub warps: u64,
    /// Times it is filled.
    pub waves: u64,
    /// Its makespan.
    pub makespan: Bracket,
}

/// A core of the host.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct CoreLink {
    /// Its name.
    pub name: String,
    /// Cycles a second.
    pub clock: u64,
    /// `fixed-priority` or `edf`: whose verdict counts.
    pub scheduler: String,
    /// The share of its time that is asked for, as a fraction in words, for people.
    pub utilisation: f64,
    /// Whether EDF meets every deadline of its tasks by demand, waiting counted as computing; none: open.
    pub edf: Option<bool>,
    /// What that is worth.
    pub edf_kind: Evidence,
    /// The reason in a sentence.
    pub edf_because: String,
    /// The shortest interval that demands more than it has, in nanoseconds, with the demand.
    pub edf_violation: Option<(u64, u64)>,
    /// Its part in the tasks lab.
    pub part: Option<String>,
}

/// A host task.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct TaskLink {
    /// Its name.
    pub name: String,
    /// Its core.
    pub core: String,
    /// Its priority on it: 1 is the most urgent.
    pub priority: u64,
    /// Nanoseconds between activations, at least.
    pub period: u64,
    /// Nanoseconds from activation to deadline.
    pub deadline: u64,
    /// Whether it gives its core away while it waits for the GPU.
    pub suspends: bool,
    /// What it does, one after the other.
    pub segments: Vec<SegmentLink>,
    /// Time on its core, in nanoseconds.
    pub cpu: Bracket,
    /// Time it waits for copies and kernels.
    pub gpu: Bracket,
    /// From activation to the end.
    pub response: Bracket,
    /// The method that gave the upper side, in a sentence.
    pub response_by: String,
    /// Whether its deadline is met; none: open.
    pub meets: Option<bool>,
    /// What that is worth.
    pub kind: Evidence,
    /// The reason in a sentence.
    pub because: String,
    /// Whether its activations pile up in the case that is known, so that later ones are later still.
    #[serde(skip_serializing_if = "is_false")]
    pub piles_up: bool,
}

fn is_false(is: &bool) -> bool {
    !is
}

/// A piece of a host task.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SegmentLink {
    /// `cpu`, `copy`, `kernel`, `activate` or `await`.
    pub does: String,
    /// What it is called.
    pub label: String,
    /// The amount as the document gives it: ticks or bytes in words; empty for nanoseconds.
    pub amount: String,
    /// How long it takes at worst, waiting for others on the GPU or copy engine included.
    pub time: Bracket,
}

/// A question of the form: what if?
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Change {
    /// What is different, for machines: `ticks-2x:NAME`, `sms-1`, `clock-half`, `order:reverse`, ...
    pub id: String,
    /// The same for people.
    pub what: String,
    /// The verdict then.
    pub verdict: Verdict,
    /// For each task in the document's sequence: the upper side of its response then, in nanoseconds.
    pub responses: Vec<Option<u64>>,
    /// The document that asks it.
    pub part: Option<String>,
}

/// A document of its own that shows a part in its lab.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Part {
    /// `warps:NAME`, `blocks`, `tasks:CORE`, `chain:CHANGE`.
    pub id: String,
    /// The lab that shows it: `warps`, `blocks`, `tasks` or `chain`.
    pub lab: String,
    /// What the button says.
    pub label: String,
    /// The document.
    pub document: Value,
}

/// Something the source of the document did not say.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Assumed {
    /// What.
    pub what: String,
    /// What is taken instead.
    pub value: String,
    /// Why.
    pub why: String,
    /// Where it stands in the document, `chain.kernels[0].blocks`, so that one can change it.
    pub path: String,
    /// What sort of thing it is: `period`, `copy-rate`, ...
    pub code: String,
    /// Whether the verdict rests on it.
    pub acts: bool,
}

impl Told for WholeReport {
    fn line(&self) -> String {
        json::line(self)
    }

    fn note(&mut self, text: String) {
        self.warnings.insert(0, text);
    }

    fn took(&mut self, seconds: f64) {
        self.seconds = micro(seconds);
    }
}
