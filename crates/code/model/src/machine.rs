//! A multiprocessor: partitions that issue, and units that instructions hold.

/// Who shares a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scope {
    /// The warps of one partition; every partition has its own.
    Partition,
    /// All warps.
    Multiprocessor,
}

impl Scope {
    /// What documents call it.
    pub fn name(self) -> &'static str {
        match self {
            Scope::Partition => "partition",
            Scope::Multiprocessor => "multiprocessor",
        }
    }
}

/// A kind of unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    /// Its name.
    pub name: String,
    /// Who shares it.
    pub scope: Scope,
    /// How many instructions it takes at once.
    pub count: u32,
}

/// A multiprocessor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Machine {
    /// Into how many partitions its warps are divided.
    pub partitions: u32,
    /// How many instructions one partition issues in a cycle at most.
    pub issue: u32,
    /// The units.
    pub units: Vec<Unit>,
}

impl Machine {
    /// How many pools of places there are: one of a unit that all share, one for each partition of the others.
    pub fn pools(&self) -> usize {
        self.units.len() * self.partitions as usize
    }

    /// The pool from which warps of a partition take a place of a unit.
    pub fn pool(&self, unit: u16, partition: u32) -> usize {
        let own = match self.units[usize::from(unit)].scope {
            Scope::Partition => partition,
            Scope::Multiprocessor => 0,
        };
        usize::from(unit) * self.partitions as usize + own as usize
    }

    /// The unit that a pool is of.
    pub fn unit_of(&self, pool: usize) -> &Unit {
        &self.units[pool / self.partitions as usize]
    }
}
