//! What came of a workload, simulated or measured: when everything was issued, started and ended, and why.

use std::ops::Range;

use super::rule::Rule;
use base::Nanos;

/// An operation by the order in which they were issued: of two in one run, the lower was issued first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OpId(pub u32);

/// A run: indices of kernels, copies and streams are those of the [`Setup`](super::Setup) it belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Trace {
    /// Launched kernels, ascending by operation.
    pub kernels: Vec<KernelRun>,
    /// All blocks: those of one launch stand together, in the order of their numbers.
    pub blocks: Vec<BlockRun>,
    /// Copies, ascending by operation.
    pub copies: Vec<CopyRun>,
    /// Which process had the device when, where there are several; ascending.
    pub slices: Vec<Slice>,
    /// When the last thing ended.
    pub end: Nanos,
}

/// A launch of a kernel or a copy, by its place in the trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Subject {
    /// An index of the trace's kernels.
    Kernel(usize),
    /// An index of the trace's copies.
    Copy(usize),
}

impl Trace {
    /// Where an operation stands in the trace.
    pub fn subject(&self, op: OpId) -> Option<Subject> {
        let kernel = self.kernels.binary_search_by_key(&op, |run| run.op).map(Subject::Kernel);
        kernel.or_else(|_| self.copies.binary_search_by_key(&op, |run| run.op).map(Subject::Copy)).ok()
    }
}

/// A launch of a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KernelRun {
    /// Its place in the order of all operations.
    pub op: OpId,
    /// Which kernel.
    pub kernel: usize,
    /// In which stream.
    pub stream: usize,
    /// The round of the program that launched it, from 0.
    pub round: u32,
    /// When it was issued (G1).
    pub launched: Nanos,
    /// When it entered the EE queue (G2). For measured runs: the earliest time at which it was at the head.
    pub queued: Nanos,
    /// When its first block started.
    pub start: Nanos,
    /// When its last block started, with which it left the EE queue (G3).
    pub dispatched: Nanos,
    /// When its last block ended (G4).
    pub end: Nanos,
    /// Its blocks, as a range of those of the trace. Measured runs may lack some.
    pub blocks: Range<usize>,
}

/// A block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockRun {
    /// When it started: the moment it was assigned.
    pub start: Nanos,
    /// When it ended.
    pub end: Nanos,
    /// Where.
    pub sm: u16,
}

/// A copy that was issued.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CopyRun {
    /// Its place in the order of all operations.
    pub op: OpId,
    /// Which copy.
    pub copy: usize,
    /// In which stream.
    pub stream: usize,
    /// The round of the program that issued it, from 0.
    pub round: u32,
    /// The engine it ran on.
    pub engine: u16,
    /// When it was issued (G1).
    pub issued: Nanos,
    /// When it entered the CE queue (C1).
    pub queued: Nanos,
    /// When it was assigned to its engine (C2, C3).
    pub start: Nanos,
    /// When it was done (C4).
    pub end: Nanos,
}

/// A stretch of time for which one process had the device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slice {
    /// Which process.
    pub process: u32,
    /// From when.
    pub start: Nanos,
    /// Until when.
    pub end: Nanos,
}

/// A simulated run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// What happened when.
    pub trace: Trace,
    /// Why, ascending by time.
    pub decisions: Vec<Decision>,
    /// Why it ended.
    pub stop: Stop,
}

/// Why a simulation ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// All programs came to their end.
    Done,
    /// As many blocks were launched as are simulated at the most; what was launched ran to its end.
    TooManyBlocks,
    /// Programs took as many steps as are simulated at the most, many of them without issuing anything; what was
    /// launched ran to its end.
    TooManySteps(Nanos),
    /// The device was passed on as often as is simulated at the most; the trace holds what had ended by then.
    TooManySlices(Nanos),
    /// Something would happen later than times can be counted, or nothing could go on any more; the trace holds what
    /// had ended by then.
    Stuck(Nanos),
    /// It was stopped at this time; the trace holds what had ended by then.
    Cancelled(Nanos),
}

/// Something decided about an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    /// When.
    pub at: Nanos,
    /// About which operation.
    pub op: OpId,
    /// What.
    pub verdict: Verdict,
}

/// What was decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It was issued (G1).
    Issued,
    /// It entered the EE queue (G2, A1) or the CE queue (C1).
    Queued,
    /// It is held back from now on, for this reason, until the next decision about it.
    Held(Hold),
    /// Blocks of it were assigned (X1, A2, R1 to R3): so many, the first of which is this.
    Assigned {
        /// The first.
        first: u32,
        /// How many.
        count: u32,
    },
    /// All its blocks are assigned: it left the EE queue (G3).
    Dispatched,
    /// The copy was assigned to its engine and left the CE queue (C2, C3).
    Copying,
    /// It ended and left its stream's queue (G4, C4).
    Ended,
}

/// Why an operation does not go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Hold {
    /// An earlier one of its stream has not ended (G2, C1): the one directly before it.
    Behind(OpId),
    /// It is in the null stream, and this one of a blocking stream was issued before it and has not ended (N1):
    /// the first such one.
    NullWaits(OpId),
    /// It is in a blocking stream, and this one of the null stream was issued before it and has not ended (N2):
    /// the last such one.
    WaitsForNull(OpId),
    /// Another one stands before it in its EE or CE queue (X1, C2): the one directly before it. That may stand
    /// behind others itself, but this way the reason stays the same until it is at the head.
    NotHead(OpId),
    /// The EE queue of a higher priority holds this one (A2): the head of the next one up that is not empty.
    Urgent(OpId),
    /// Another process has the device, or is given it next (P1): the one which did when this began to wait.
    Process(u32),
    /// No SM it may use has enough threads free (R2).
    Threads,
    /// No SM it may use has enough shared memory free (R3).
    SharedMemory,
    /// No SM it may use has enough registers free (R1).
    Registers,
    /// Every SM it may use has as many blocks as it takes (R1).
    BlockLimit,
    /// Each SM it may use lacks something, but not all the same (R1).
    Mixed,
    /// Its copy engine is busy with this one (C2).
    Engine(OpId),
}

impl Hold {
    /// The rule that holds a copy.
    pub fn rule_of_copy(self) -> Rule {
        match self {
            Hold::Behind(_) => Rule::C1,
            Hold::NotHead(_) => Rule::C2,
            other => other.rule(),
        }
    }

    /// The rule that holds a kernel.
    pub fn rule(self) -> Rule {
        match self {
            Hold::Behind(_) => Rule::G2,
            Hold::NullWaits(_) => Rule::N1,
            Hold::WaitsForNull(_) => Rule::N2,
            Hold::NotHead(_) => Rule::X1,
            Hold::Urgent(_) => Rule::A2,
            Hold::Process(_) => Rule::P1,
            Hold::Threads => Rule::R2,
            Hold::SharedMemory => Rule::R3,
            Hold::Registers | Hold::BlockLimit | Hold::Mixed => Rule::R1,
            Hold::Engine(_) => Rule::C2,
        }
    }
}
