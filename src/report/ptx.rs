//! What a report says about the PTX its kernel comes from.

use serde::Serialize;

use crate::import::ptx::{Counts, Unknown, Walk};
use crate::warps::PerUnit;

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

impl From<&Walk> for PtxReport {
    fn from(walk: &Walk) -> Self {
        Self {
            entry: walk.entry.clone(),
            path: walk.path.name().to_owned(),
            counts: walk.counts.into(),
            unknown: walk.unknown.iter().map(UnknownOpcode::from).collect(),
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
