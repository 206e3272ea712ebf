//! What may be claimed of the worst case: a formula, read from a document or published.
//!
//! Sources: (R) Raravi and Andersson 2010, *Calculating an upper bound on the finishing time of a group of threads
//! executing on a GPU*; (B) Berezovskyi, Bletsas and Petters 2013, *Fast makespan estimation for GPU threads on a
//! single streaming multiprocessor*.

use super::formula::Formula;
use warps::{Machine, PerUnit};

/// How the formula relates to the worst case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Says {
    /// The worst case is at most the formula's value.
    AtMost,
    /// It is the formula's value.
    Exactly,
}

impl Says {
    /// Both, by the names documents use.
    pub const ALL: [(&'static str, Says); 2] = [("at-most", Says::AtMost), ("exactly", Says::Exactly)];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Says::AtMost => "at-most",
            Says::Exactly => "exactly",
        }
    }
}

/// What a conjecture says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// The published claim it is, if it is one.
    pub published: Option<&'static Published>,
    /// The formula.
    pub formula: Formula,
    /// How it relates to the worst case.
    pub says: Says,
}

/// A claim with a name, and what it was made for: a document may leave that out.
#[derive(Debug, PartialEq, Eq)]
pub struct Published {
    /// The name documents use.
    pub name: &'static str,
    /// The formula.
    pub formula: &'static str,
    /// How it relates to the worst case.
    pub says: Says,
    /// Who says so, and where.
    pub source: &'static str,
    /// What it says, in a sentence.
    pub about: &'static str,
    /// The kernel, with `rep` for a repetition.
    pub kernel: &'static str,
    /// The machine.
    pub machine: Machine,
    /// Whether sub-block fairness is assumed, each repetition being a sub-block.
    pub fair: bool,
    /// How many warps there are.
    pub warps: &'static str,
}

const VORONOI: &str = "5L 9C 2L 9C";
/// B, section VIII, intended to model a Kepler; its experiment reproduces without an issue limit.
const KEPLER: Machine = Machine { capacity: PerUnit([1, 4, 0, 0]), issue: None };
/// R, section II: 32 cores and 16 load/store units for groups of 16 threads, one or two of which issue.
const FERMI: Machine = Machine { capacity: PerUnit([1, 2, 0, 0]), issue: Some(2) };

/// All claims with a name.
pub static PUBLISHED: [Published; 7] = [
    Published {
        name: "raravi",
        formula: "3*W + 2 + 2*W*(rep - 1)",
        says: Says::AtMost,
        source: "Raravi and Andersson 2010, section III",
        about: "The finishing time of one multiprocessor: three cycles for each group of sixteen threads, two more for each further repetition, and two.",
        kernel: "C rep(LLC) L",
        machine: FERMI,
        fair: true,
        warps: "ceil(n/16)",
    },
    Published {
        name: "extrapolation",
        formula: "ceil(W/g) * exact(g)",
        says: Says::AtMost,
        source: "Berezovskyi, Bletsas and Petters 2013, section VIII",
        about: "All warps take at most as long as groups of g warps that run one after the other.",
        kernel: VORONOI,
        machine: KEPLER,
        fair: false,
        warps: "W",
    },
    Published {
        name: "sub-additive",
        formula: "exact(a) + exact(b)",
        says: Says::AtMost,
        source: "what extrapolating from small groups takes for granted",
        about: "Two groups together take at most as long as one after the other.",
        kernel: VORONOI,
        machine: KEPLER,
        fair: false,
        warps: "a + b",
    },
    Published {
        name: "berezovskyi",
        formula: "44 * ceil(W/4)",
        says: Says::AtMost,
        source: "Berezovskyi, Bletsas and Petters 2013, section VIII",
        about: "44 cycles for every four warps: the published upper bound of 176 for sixteen.",
        kernel: VORONOI,
        machine: KEPLER,
        fair: false,
        warps: "W",
    },
    Published {
        name: "blocked-cycles",
        formula: "blocked",
        says: Says::AtMost,
        source: "proven",
        about: "The last warp's own cycles, and the most cycles in which the others can block it.",
        kernel: VORONOI,
        machine: KEPLER,
        fair: false,
        warps: "W",
    },
    Published {
        name: "one-by-one",
        formula: "W * I",
        says: Says::AtMost,
        source: "proven",
        about: "Every cycle executes an instruction, so there are no more cycles than instructions.",
        kernel: VORONOI,
        machine: KEPLER,
        fair: false,
        warps: "W",
    },
    Published {
        name: "busy-cycles",
        formula: "busy",
        says: Says::AtMost,
        source: "a common belief",
        about: "The cycles each kind of unit needs for all its instructions, one kind after the other.",
        kernel: VORONOI,
        machine: KEPLER,
        fair: false,
        warps: "W",
    },
];

impl Published {
    /// The claim of that name.
    pub fn named(name: &str) -> Option<&'static Self> {
        PUBLISHED.iter().find(|claim| claim.name == name)
    }
}
