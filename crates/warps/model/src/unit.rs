//! The four kinds of computational unit of a multiprocessor (B, section III-D).

use std::ops::{Index, IndexMut};

/// A kind of unit, and so a kind of instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Unit {
    /// `L`: load/store.
    LoadStore,
    /// `C`: CUDA core.
    Core,
    /// `S`: special function.
    Special,
    /// `D`: double precision.
    Double,
}

impl Unit {
    /// All kinds, in the order the papers list them.
    pub const ALL: [Unit; 4] = [Unit::LoadStore, Unit::Core, Unit::Special, Unit::Double];

    /// The letter of the kind in kernel strings.
    pub fn letter(self) -> char {
        match self {
            Unit::LoadStore => 'L',
            Unit::Core => 'C',
            Unit::Special => 'S',
            Unit::Double => 'D',
        }
    }

    /// The kind a letter stands for.
    pub fn from_letter(letter: char) -> Option<Unit> {
        Unit::ALL.into_iter().find(|unit| unit.letter() == letter)
    }

    /// Its letter and its name: `L (load/store)`.
    pub fn lettered(self) -> String {
        format!("{} ({})", self.letter(), self.name())
    }

    /// What one of the kind is called in a sentence.
    pub fn called(self) -> String {
        [self.name(), if self == Unit::Core { "" } else { " unit" }].concat()
    }

    /// The name of the kind.
    pub fn name(self) -> &'static str {
        match self {
            Unit::LoadStore => "load/store",
            Unit::Core => "CUDA core",
            Unit::Special => "special function",
            Unit::Double => "double precision",
        }
    }
}

/// One value for each kind of unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PerUnit<T>(pub [T; 4]);

impl<T> PerUnit<T> {
    /// The value `f` gives each kind.
    pub fn from_fn(f: impl FnMut(Unit) -> T) -> Self {
        Self(Unit::ALL.map(f))
    }
}

impl<T> Index<Unit> for PerUnit<T> {
    type Output = T;
    fn index(&self, unit: Unit) -> &T {
        &self.0[unit as usize]
    }
}

impl<T> IndexMut<Unit> for PerUnit<T> {
    fn index_mut(&mut self, unit: Unit) -> &mut T {
        &mut self.0[unit as usize]
    }
}
