//! What a multiprocessor holds of the blocks that are asked about.

use serde::{Deserialize, Serialize};

use super::Text;
use crate::scenario::Fits;
use code_read::Resource;
use code_read::occupancy::WARP;

/// What is held, of what, and what limits it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OccupancyReport {
    /// Whose limits these are: `sm_80`.
    pub architecture: String,
    /// Whether nobody says that it is that one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub architecture_assumed: bool,
    /// Registers of a thread; 0 where nobody knows.
    pub registers: u32,
    /// How they are known: `given` in the document, stated by the `text`, `at least` those that instructions name, or
    /// `assumed`.
    pub registers_from: Text,
    /// The highest register that an instruction names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub highest: Option<u32>,
    /// Bytes of shared memory of a block.
    pub shared: u32,
    /// How they are known: `given`, `text` or `assumed`.
    pub shared_from: Text,
    /// Whether instructions read or write shared memory.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub uses_shared: bool,
    /// Threads of a block, as whole warps.
    pub threads: u32,
    /// Warps of a block.
    pub block: u32,
    /// How many blocks each of the limits allows; null where it does not limit them.
    pub allows: Allows,
    /// Blocks that a multiprocessor holds.
    pub blocks: u32,
    /// Their warps.
    pub warps: u32,
    /// What allows no more: of `registers`, `shared`, `warps` and `blocks`.
    pub limited_by: Vec<Text>,
    /// All limits: name, number, where that is from.
    pub limits: Vec<(Text, u32, Text)>,
}

/// Blocks by what allows them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Allows {
    /// Registers.
    pub registers: Option<u32>,
    /// Shared memory.
    pub shared: Option<u32>,
    /// Warps.
    pub warps: Option<u32>,
    /// Blocks.
    pub blocks: Option<u32>,
}

pub(super) fn report(fits: &Fits) -> OccupancyReport {
    let (own, held) = (fits.resources, fits.held);
    let [registers, shared, warps, blocks] = held.allows;
    OccupancyReport {
        architecture: format!("sm_{}", fits.limits.number),
        architecture_assumed: fits.architecture_assumed,
        registers: own.registers,
        registers_from: own.registers_known.name().into(),
        highest: own.highest,
        shared: own.shared,
        shared_from: own.shared_known.name().into(),
        uses_shared: own.uses_shared,
        threads: fits.block * WARP,
        block: fits.block,
        allows: Allows { registers, shared, warps, blocks },
        blocks: held.blocks,
        warps: held.warps,
        limited_by: held.limited_by().map(Resource::name).map(Text::from).collect(),
        limits: fits.limits.rows().map(|(name, number, from)| (name.into(), number, from.into())).into(),
    }
}
