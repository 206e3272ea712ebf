//! What stands out in a picture, while all else steps back.

use std::sync::Arc;

/// What stands out.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Lit {
    /// Nothing does, and nothing steps back.
    #[default]
    Nothing,
    /// Some instructions in every warp, ascending.
    Instructions(Arc<[u32]>),
    /// Some instructions of some warps, ascending.
    These(Arc<[(u32, u32)]>),
}

impl Lit {
    /// Some instructions in every warp, ascending; nothing if there are none.
    pub fn instructions(instructions: Vec<u32>) -> Self {
        if instructions.is_empty() { Self::Nothing } else { Self::Instructions(instructions.into()) }
    }

    /// Whether nothing does.
    pub fn is_nothing(&self) -> bool {
        *self == Self::Nothing
    }

    /// Whether an instruction of a warp does.
    pub fn has(&self, this: (u32, u32)) -> bool {
        match self {
            Self::Nothing => false,
            Self::Instructions(all) => all.binary_search(&this.1).is_ok(),
            Self::These(all) => all.binary_search(&this).is_ok(),
        }
    }

    /// How many do, of so many warps.
    pub fn count(&self, warps: usize) -> usize {
        match self {
            Self::Nothing => 0,
            Self::Instructions(all) => all.len() * warps,
            Self::These(all) => all.len(),
        }
    }
}
