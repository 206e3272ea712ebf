//! The longest and the shortest schedule, exactly: search over multisets of positions, held down by proven
//! bounds (B, section IV asks for the longest).
//!
//! Everything is stepped in slices and holds a bracket at any time: a schedule on one side, a proof on the
//! other. Nothing depends on a clock, on hash order or on the size of a machine word.

pub(crate) mod aggregate;
pub(crate) mod bounding;
mod branch_and_bound;
mod driver;
pub(crate) mod instance;
mod lagrangian;
pub(crate) mod open_list;
mod pack;
pub(crate) mod path;
pub mod proof;
mod select;
pub(crate) mod space;
pub(crate) mod states;
#[cfg(test)]
mod tests;
mod transposition;
mod victim_search;

use super::{Fairness, Kernel, Machine, Schedule};
use driver::Driver;

/// Which end of the range of makespans is sought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// The worst case.
    Longest,
    /// The best case.
    Shortest,
}

impl Goal {
    /// What a cycle adds to a score.
    pub(crate) fn step(self) -> i32 {
        match self {
            Goal::Longest => 1,
            Goal::Shortest => -1,
        }
    }

    /// The score of so many cycles.
    pub(crate) fn score(self, cycles: u32) -> i32 {
        self.step() * i32::try_from(cycles).unwrap_or(i32::MAX)
    }
}

/// What schedules are looked at.
#[derive(Debug, Clone, Copy)]
pub struct Problem<'a> {
    /// The instructions of each warp.
    pub kernel: &'a Kernel,
    /// What a cycle can do.
    pub machine: &'a Machine,
    /// How many warps.
    pub warps: usize,
    /// What is asked of schedules besides being work-conserving.
    pub fairness: &'a Fairness,
}

/// What a search may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes.
    pub memory: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { memory: 256 << 20 }
    }
}

/// Between which makespans the one sought lies.
#[derive(Debug, Clone, PartialEq)]
pub struct Bracket {
    /// For the longest: a schedule takes that many cycles. For the shortest: none takes fewer.
    pub lower: u32,
    /// For the longest: no schedule takes more cycles. For the shortest: a schedule takes that many.
    pub upper: u32,
    /// The argument for the side that no schedule shows.
    pub upper_by: &'static str,
}

/// The search for the longest schedule.
#[derive(Debug)]
pub struct Search(Driver);

/// The search for the shortest schedule.
#[derive(Debug)]
pub struct Shortest(Driver);

macro_rules! interface {
    ($search:ident, $goal:expr) => {
        impl $search {
            /// A search at its beginning; `None` where the kernel needs a unit that is not there.
            pub fn new(problem: &Problem, limits: Limits) -> Option<Self> {
                Driver::new(problem, limits, $goal).map(Self)
            }

            /// Goes on for about `budget` units of some nanoseconds; whether there is more to do.
            pub fn step(&mut self, budget: u64) -> bool {
                self.0.step(budget)
            }

            /// What is known so far; it only narrows.
            pub fn bracket(&self) -> Bracket {
                self.0.bracket()
            }

            /// What is being done, in plain words.
            pub fn phase(&self) -> &'static str {
                self.0.phase()
            }

            /// How far that is, in layers of its own.
            pub fn layer(&self) -> u32 {
                self.0.layer()
            }

            /// States looked at.
            pub fn states(&self) -> u64 {
                self.0.states()
            }

            /// The schedule behind the bracket.
            pub fn witness(&self) -> Option<Schedule> {
                self.0.witness()
            }

            /// What proves the other side of the bracket.
            pub fn proof(&self) -> proof::Proof {
                self.0.proof()
            }

            /// Was something left out for want of memory?
            pub fn short_of_memory(&self) -> bool {
                self.0.short_of_memory()
            }

            /// Bytes of memory with which a table would fit that was left out.
            pub fn needs(&self) -> Option<u64> {
                self.0.needs()
            }

            /// Did it end on a limit, with a gap?
            pub fn gave_up(&self) -> bool {
                self.0.gave_up()
            }
        }
    };
}

interface!(Search, Goal::Longest);
interface!(Shortest, Goal::Shortest);
