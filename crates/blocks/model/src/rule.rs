//! The scheduling rules by name: as published, and two of our own for what the publications leave open.

/// A rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// An operation enters its stream's queue when the call is made.
    G1,
    /// A kernel enters the EE queue when it is at the head of its stream's queue.
    G2,
    /// A kernel leaves the EE queue once all its blocks are assigned.
    G3,
    /// A kernel leaves its stream's queue once all its blocks have ended.
    G4,
    /// Only blocks of the kernel at the head of an EE queue are assigned.
    X1,
    /// A block is assigned only where its resources are free; here for registers and the block limit of an SM.
    R1,
    /// A block is assigned only to an SM with enough threads free.
    R2,
    /// A block is assigned only to an SM with enough shared memory free.
    R3,
    /// A copy enters the CE queue when it is at the head of its stream's queue.
    C1,
    /// The copy at the head of a CE queue is assigned to its engine once that is free.
    C2,
    /// A copy leaves the CE queue once it is assigned.
    C3,
    /// A copy leaves its stream's queue once it is done.
    C4,
    /// Each priority has an EE queue of its own.
    A1,
    /// A block is assigned only while the EE queues of all higher priorities are empty.
    A2,
    /// A null stream's operation starts only when every blocking stream is empty or its head was issued later.
    N1,
    /// A blocking stream's operation starts only when the null stream is empty or its head was issued later.
    N2,
    /// Kernels of different processes never run together; the device goes from one to the other in slices.
    P1,
    /// A block is assigned only to an SM its kernel is not kept away from.
    M1,
}

impl Rule {
    /// All of them, in the order documents list them.
    pub const ALL: [Self; 18] = [
        Self::G1,
        Self::G2,
        Self::G3,
        Self::G4,
        Self::X1,
        Self::R1,
        Self::R2,
        Self::R3,
        Self::C1,
        Self::C2,
        Self::C3,
        Self::C4,
        Self::A1,
        Self::A2,
        Self::N1,
        Self::N2,
        Self::P1,
        Self::M1,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Rule::G1 => "G1",
            Rule::G2 => "G2",
            Rule::G3 => "G3",
            Rule::G4 => "G4",
            Rule::X1 => "X1",
            Rule::R1 => "R1",
            Rule::R2 => "R2",
            Rule::R3 => "R3",
            Rule::C1 => "C1",
            Rule::C2 => "C2",
            Rule::C3 => "C3",
            Rule::C4 => "C4",
            Rule::A1 => "A1",
            Rule::A2 => "A2",
            Rule::N1 => "N1",
            Rule::N2 => "N2",
            Rule::P1 => "P1",
            Rule::M1 => "M1",
        }
    }

    /// The rule of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rule| rule.name() == name)
    }

    /// What it says, in a sentence.
    pub fn sentence(self) -> &'static str {
        match self {
            Rule::G1 => "An operation enters its stream's queue when the call is made.",
            Rule::G2 => "A kernel enters the execution queue when it is at the head of its stream's queue.",
            Rule::G3 => "A kernel leaves the execution queue once all its blocks are assigned.",
            Rule::G4 => "A kernel leaves its stream's queue once all its blocks have ended.",
            Rule::X1 => "Only blocks of the kernel at the head of an execution queue are assigned.",
            Rule::R1 => {
                "A block is assigned only where its resources are free: registers, and room for one more block."
            }
            Rule::R2 => "A block is assigned only to a multiprocessor with enough threads free.",
            Rule::R3 => "A block is assigned only to a multiprocessor with enough shared memory free.",
            Rule::C1 => "A copy enters the copy queue when it is at the head of its stream's queue.",
            Rule::C2 => "The copy at the head of a copy queue is assigned to its engine once that is free.",
            Rule::C3 => "A copy leaves the copy queue once it is assigned.",
            Rule::C4 => "A copy leaves its stream's queue once it is done.",
            Rule::A1 => "Each priority has an execution queue of its own.",
            Rule::A2 => {
                "A block is assigned only while the execution queues of all higher priorities are empty."
            }
            Rule::N1 => {
                "An operation of the null stream starts only when every blocking stream is empty or its head was issued later."
            }
            Rule::N2 => {
                "An operation of a blocking stream starts only when the null stream is empty or its head was issued later."
            }
            Rule::P1 => {
                "Kernels of different processes never run together; the device goes round in slices of time."
            }
            Rule::M1 => "A block is assigned only to a multiprocessor its kernel is not kept away from.",
        }
    }
}
