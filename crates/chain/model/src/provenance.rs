//! What a number rests on that nobody has proven.
//!
//! Invariant: only this lab makes such sets, and only ever larger ones: there is no way to take a reason out.

use std::collections::BTreeSet;

/// Something that nobody has proven.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// An entry of the chain's list, by its place.
    Assumed(usize),
    /// Blocks take no longer beside blocks of other kernels than beside their own.
    Neighbours,
    /// Blocks that replace others take no longer than those that start together.
    Replaced,
    /// Every activation meets the given launch order.
    OneOrder,
    /// Where hardware puts blocks.
    Dispatch,
}

/// What one number rests on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Assumptions(BTreeSet<Reason>);

/// What the lower and the upper side of a number rest on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sides {
    /// The lower side.
    pub lower: Assumptions,
    /// The upper side.
    pub upper: Assumptions,
}

impl Assumptions {
    /// On nothing: what is said is said by the document, or proven.
    pub(super) const NOTHING: Self = Self(BTreeSet::new());

    /// On one thing.
    pub(super) fn on(reason: Reason) -> Self {
        Self(BTreeSet::from([reason]))
    }

    /// On what the other does, too.
    pub fn add(&mut self, other: &Self) {
        self.0.extend(&other.0);
    }

    /// On both.
    #[must_use]
    pub fn and(mut self, other: &Self) -> Self {
        self.add(other);
        self
    }

    /// Whether it is proven.
    pub fn is_proven(&self) -> bool {
        self.0.is_empty()
    }

    /// Every reason, those of the document first.
    pub fn reasons(&self) -> impl Iterator<Item = Reason> {
        self.0.iter().copied()
    }
}

impl Sides {
    /// On nothing.
    pub(super) const NOTHING: Self = Self { lower: Assumptions::NOTHING, upper: Assumptions::NOTHING };

    /// On what the other does, too.
    pub fn add(&mut self, other: &Self) {
        self.lower.add(&other.lower);
        self.upper.add(&other.upper);
    }

    /// On both.
    #[must_use]
    pub fn and(mut self, other: &Self) -> Self {
        self.add(other);
        self
    }
}
