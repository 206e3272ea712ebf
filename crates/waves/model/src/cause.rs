//! What a cycle of a wave went to, and who is the witness.

/// A cause. Every cycle of a wave has one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cause {
    /// An instruction issued.
    Issue,
    /// The wave waited for a counter: for what a load, a store or LDS gives.
    Data,
    /// It waited at a barrier for the last to arrive.
    Barrier,
    /// The unit was held.
    Unit,
    /// The memory path was full.
    MemoryPath,
    /// It was told to wait.
    Told,
    /// The slot of the cycle went to another wave.
    Chosen,
    /// The code had to be fetched.
    Fetch,
    /// A result was not ready yet.
    Dependency,
    /// Before its first instruction.
    Start,
    /// After its last one.
    End,
    /// None of these can be said.
    Unexplained,
}

impl Cause {
    /// All of them, in the order in which they are told.
    pub const ALL: [Self; 12] = [
        Self::Issue,
        Self::Data,
        Self::Barrier,
        Self::Unit,
        Self::MemoryPath,
        Self::Told,
        Self::Chosen,
        Self::Fetch,
        Self::Dependency,
        Self::Start,
        Self::End,
        Self::Unexplained,
    ];

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Issue => "issue",
            Self::Data => "data",
            Self::Barrier => "barrier",
            Self::Unit => "unit",
            Self::MemoryPath => "memory-path",
            Self::Told => "told",
            Self::Chosen => "chosen",
            Self::Fetch => "fetch",
            Self::Dependency => "dependency",
            Self::Start => "start",
            Self::End => "end",
            Self::Unexplained => "unexplained",
        }
    }

    /// Its place in [`Cause::ALL`].
    pub fn place(self) -> usize {
        self as usize
    }
}

/// An instruction of a wave.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Witness {
    /// The wave's place in the capture.
    pub wave: u32,
    /// The instruction's place in the wave.
    pub item: u32,
}

/// A stretch of a wave's life with one cause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// The instruction that issued, or that could not yet; none before the first and after the last.
    pub item: Option<u32>,
    /// From this cycle on.
    pub from: i64,
    /// Up to this one, which is no longer in it.
    pub to: i64,
    /// The cause.
    pub cause: Cause,
    /// The witness.
    pub witness: Option<Witness>,
}

impl Part {
    /// How many cycles it has.
    pub fn cycles(&self) -> u64 {
        self.to.abs_diff(self.from)
    }
}

/// Cycles by cause.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sums([u64; Cause::ALL.len()]);

impl Sums {
    /// Adds cycles of a cause.
    pub fn add(&mut self, cause: Cause, cycles: u64) {
        self.0[cause.place()] += cycles;
    }

    /// Adds other sums.
    pub fn add_all(&mut self, others: &Self) {
        self.0.iter_mut().zip(others.0).for_each(|(own, other)| *own += other);
    }

    /// Cycles of a cause.
    pub fn of(&self, cause: Cause) -> u64 {
        self.0[cause.place()]
    }

    /// All cycles.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }
}
