//! What is asked of the GPU: streams, kernels, copies, and the host programs that issue them.
//!
//! Invariant of a validated workload: every index is in range, every kernel fits an SM of its mask, every repeat
//! has a limit or ends with other programs, and every round of a repeat without a number of rounds takes time.

use super::device::{Device, Mask};
use base::Nanos;

/// The device and what runs on it, without when: shared by simulated and measured runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setup {
    /// The device.
    pub device: Device,
    /// The streams.
    pub streams: Vec<Stream>,
    /// The kernels; each may run many times.
    pub kernels: Vec<Kernel>,
    /// The copies; each may run many times.
    pub copies: Vec<Copy>,
}

/// A stream: operations in it run one after another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stream {
    /// What people call it.
    pub label: String,
    /// As CUDA counts: the lower, the more urgent. -1 is high, 0 is low, the default.
    pub priority: i32,
    /// How it minds the null stream.
    pub kind: StreamKind,
    /// The process it belongs to. Every process has a null stream of its own.
    pub process: u32,
}

/// How a stream minds the null stream of its process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StreamKind {
    /// It is the null stream: one for each process at the most.
    Null,
    /// It waits for the null stream, and the null stream for it (N1, N2).
    Blocking,
    /// It does neither.
    NonBlocking,
}

/// A kernel: a grid of blocks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kernel {
    /// What people call it.
    pub label: String,
    /// Blocks of the grid, at least 1.
    pub blocks: u32,
    /// Threads of a block, at least 1.
    pub threads: u32,
    /// Shared memory of a block in bytes.
    pub shared_memory: u32,
    /// Registers of a thread; 0 where nothing is known of them, and then they hold nothing back.
    pub registers: u32,
    /// How long its blocks take.
    pub duration: Durations,
    /// The SMs its blocks may go to.
    pub mask: Mask,
    /// Its deadline after its launch, where it has one.
    pub deadline: Option<Nanos>,
    /// The separation of its releases, where it has one.
    pub period: Option<Nanos>,
}

/// How long the blocks of a kernel take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Durations {
    /// All the same.
    Same(Nanos),
    /// Each its own; as many as there are blocks.
    Each(Vec<Nanos>),
}

impl Durations {
    /// How long a block takes.
    pub fn of(&self, block: u32) -> Nanos {
        match self {
            Durations::Same(nanos) => *nanos,
            Durations::Each(each) => each.get(block as usize).copied().unwrap_or_default(),
        }
    }

    /// The longest of them.
    pub fn longest(&self) -> Nanos {
        match self {
            Durations::Same(nanos) => *nanos,
            Durations::Each(each) => each.iter().copied().max().unwrap_or_default(),
        }
    }
}

/// A copy between memories, or setting memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Copy {
    /// What people call it.
    pub label: String,
    /// From where to where.
    pub direction: Direction,
    /// How much of it.
    pub bytes: u64,
    /// How long it takes on its engine.
    pub duration: Nanos,
}

/// From where to where.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From the host to the device.
    In,
    /// From the device to the host.
    Out,
    /// Within the device.
    Within,
    /// Nowhere: memory is set to a value.
    Set,
}

/// A host program: a thread or process of the CPU that issues operations. Issuing takes no time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// What people call it.
    pub label: String,
    /// The process it is, or is a thread of.
    pub process: u32,
    /// What it does.
    pub repeat: Repeat,
    /// Whether the others end with it: once all programs that say so are over, the rest begin no further round.
    pub ends_others: bool,
}

/// Something done again and again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repeat {
    /// How long it sleeps before its first round.
    pub release: Nanos,
    /// Rounds at the most.
    pub rounds: Option<u64>,
    /// No round begins so long after the first one, counted from after the release.
    pub time: Option<Nanos>,
    /// Whether each round waits until every other program in lockstep, that is not over, is about to begin one, the
    /// first round included. Only the outermost repeats of programs.
    pub lockstep: bool,
    /// One round.
    pub body: Vec<Action>,
}

/// What a program does, in order; only waiting, sleeping and repeating take time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Launches a kernel: it enters the queue of the stream (G1).
    Launch {
        /// Which stream.
        stream: usize,
        /// Which kernel.
        kernel: usize,
    },
    /// Issues a copy.
    Copy {
        /// Which stream.
        stream: usize,
        /// Which copy.
        copy: usize,
        /// Whether the program goes on only when it is done.
        wait: bool,
    },
    /// Sleeps, or computes on the CPU.
    Sleep(Nanos),
    /// Waits until a stream's queue is empty.
    WaitStream(usize),
    /// Waits until the queues of all streams of its process are empty.
    WaitDevice,
    /// Does something again and again.
    Repeat(Repeat),
}

/// Which SM a block goes to among those it fits on. Hardware does not document it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Placement {
    /// The one with the most free threads, the lowest of equals.
    #[default]
    MostFreeThreads,
    /// The one with the fewest blocks, the lowest of equals.
    FewestBlocks,
    /// The first after the one that was given a block last.
    RoundRobin,
    /// The lowest: one SM is filled before the next.
    LowestFirst,
    /// The highest.
    HighestFirst,
}

impl Placement {
    /// All of them with the names documents use.
    pub const ALL: [(Self, &'static str); 5] = [
        (Self::MostFreeThreads, "most-free-threads"),
        (Self::FewestBlocks, "fewest-blocks"),
        (Self::RoundRobin, "round-robin"),
        (Self::LowestFirst, "lowest-first"),
        (Self::HighestFirst, "highest-first"),
    ];
}

/// How processes share the device: kernels of different processes never run together (P1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slicing {
    /// How long a process keeps the device while another one has kernels waiting.
    pub quantum: Nanos,
    /// What happens to running blocks then.
    pub switch: Switch,
}

/// What happens to running blocks when the device goes to another process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Switch {
    /// They run to their end first; no new ones are assigned meanwhile.
    Drain,
    /// They stand still and go on where they were once the process has the device again.
    Preempt,
}

/// Everything a simulation needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Workload {
    /// Device, streams, kernels, copies.
    pub setup: Setup,
    /// The host programs, in the order in which they act when they act at the same time.
    pub programs: Vec<Program>,
    /// Which SM a block goes to.
    pub placement: Placement,
    /// How processes share the device.
    pub slicing: Slicing,
    /// No program issues anything any more where one more kernel would make more blocks than this, or one more
    /// copy more copies.
    pub most_blocks: u64,
}
