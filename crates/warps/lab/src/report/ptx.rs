//! What a report says about the PTX its kernel comes from.

use serde::Serialize;

use crate::import::ptx::{Counts, LoopMet, Unknown};
use crate::scenario::WarpsScenario;
use warps::{Kernel, PerUnit, bounds};

/// A walk through PTX.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PtxReport {
    /// The kernel.
    pub entry: String,
    /// The name of the path.
    pub path: String,
    /// Instructions executed by kind, before normalisation.
    pub counts: PtxCounts,
    /// Opcodes that stand in no row of the table.
    pub unknown: Vec<UnknownOpcode>,
    /// What proven bounds hold for: `string`, `path` or `range`.
    pub holds_for: String,
    /// What the path takes for granted that the document does not state.
    pub assumed: Vec<String>,
    /// Instructions of the source that the path executes.
    pub met: u32,
    /// Instructions of the source altogether.
    pub of: u32,
    /// The loops of the source.
    pub loops: Vec<LoopReport>,
    /// What holds for all trip counts between those stated.
    pub range: Option<RangeReport>,
}

/// A loop of the source.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LoopReport {
    /// The label it begins with.
    pub label: String,
    /// The line of its first instruction.
    pub line: u32,
    /// How often the path executes that instruction.
    pub executed: u32,
    /// The fewest rounds each time it is entered, and the most; none where branches are chosen one by one.
    pub rounds: Option<(u32, u32)>,
    /// Who says so: `given`, `chosen` or `assumed`.
    pub stated: String,
}

/// What holds for all trip counts between those stated, each warp having its own.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RangeReport {
    /// The normalised string with the fewest rounds.
    pub fewest: String,
    /// No schedule takes fewer cycles.
    pub lower: u32,
    /// No schedule takes more.
    pub upper: Option<u32>,
    /// The name of that bound.
    pub upper_by: Option<String>,
}

/// Instructions executed by kind.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[allow(non_snake_case)] // the letters of the model are the keys
pub struct PtxCounts {
    /// Load/store.
    pub L: u32,
    /// CUDA core.
    pub C: u32,
    /// Special function.
    pub S: u32,
    /// Double precision.
    pub D: u32,
    /// On no unit.
    pub none: u32,
}

/// An opcode that stands in no row of the table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct UnknownOpcode {
    /// The opcode with its modifiers.
    pub opcode: String,
    /// The lines it stands on.
    pub lines: Vec<u32>,
}

impl PtxReport {
    /// What is said of a question's walk, if its kernel comes from one.
    pub fn of(warps: &WarpsScenario) -> Option<Self> {
        let walk = warps.ptx.as_deref()?;
        let range = walk.fewest.as_ref().and_then(|fewest| RangeReport::of(warps, fewest));
        Some(Self {
            entry: walk.entry.clone(),
            path: walk.path.name().to_owned(),
            counts: walk.counts.into(),
            unknown: walk.unknown.iter().map(UnknownOpcode::from).collect(),
            holds_for: walk.holds().name().to_owned(),
            assumed: walk.assumed.clone(),
            met: walk.met,
            of: walk.of,
            loops: walk.loops.iter().map(LoopReport::from).collect(),
            range,
        })
    }
}

impl PtxReport {
    /// What bounds do not hold for, in a sentence; nothing where they hold for the path as it is stated.
    pub fn restriction(&self) -> Option<String> {
        match &self.range {
            _ if !self.assumed.is_empty() => Some(
                "Of the kernel string, not of the kernel: see what was assumed about its path.".to_owned(),
            ),
            Some(RangeReport { lower, upper, .. }) => {
                let upper = upper.map_or(" or more".to_owned(), |upper| format!(" to {upper}"));
                Some(format!("Of the most rounds; with any rounds in range {lower}{upper} cycles."))
            }
            None => None,
        }
    }
}

impl RangeReport {
    /// Both bounds hold for warps that leave their loops at different times: the one weighs the least that each
    /// executes, the other the most. Neither is that of a search, which knows one string only. Where loads take
    /// their time, which of them miss is known of that string only, and nothing is claimed from above.
    fn of(warps: &WarpsScenario, fewest: &Kernel) -> Option<Self> {
        let machine = &warps.normalised.machine;
        let fewest = fewest.repeated(&warps.normalised.repeat).ok()?;
        let upper = match &warps.memory {
            None => bounds::blocked_cycles(&warps.kernel, machine, warps.count),
            Some(_) => None,
        };
        Some(Self {
            lower: bounds::capacity_and_length(&fewest, machine, warps.count)?,
            fewest: fewest.to_string(),
            upper,
            upper_by: upper.map(|_| bounds::BLOCKED_CYCLES.to_owned()),
        })
    }
}

impl From<&LoopMet> for LoopReport {
    fn from(own: &LoopMet) -> Self {
        Self {
            label: own.label.clone(),
            line: own.line,
            executed: own.executed,
            rounds: own.trips.map(|trips| (trips.least, trips.most)),
            stated: own.stated.name().to_owned(),
        }
    }
}

impl From<Counts> for PtxCounts {
    fn from(Counts { units: PerUnit([l, c, s, d]), none }: Counts) -> Self {
        Self { L: l, C: c, S: s, D: d, none }
    }
}

impl From<&Unknown> for UnknownOpcode {
    fn from(unknown: &Unknown) -> Self {
        Self { opcode: unknown.opcode.clone(), lines: unknown.lines.clone() }
    }
}
