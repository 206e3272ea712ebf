//! What is asked of a chain: a GPU, kernels, cores, host tasks.
//!
//! Invariants of a validated chain: every index is in range; names differ; every kernel fits a multiprocessor and
//! every unit that its string needs is there; an assignment names a multiprocessor for each block; a deadline is no
//! longer than its period; a task has a segment. A task is activated by time or in one segment of one other task, whose
//! period it has; who activates whom has no cycle. A task awaits only what it has activated before, each activation once.

use super::assumptions::Assumption;
use super::machine_code::MachineCode;
use super::units::{CoreClock, Cycles, GpuClock, Ticks};
use base::Nanos;
use blocks::{Device, Direction};
use warps::{self, Machine, Memory, Misses, Normalised, Unit};

/// A GPU, what runs on it, and who waits for that.
#[derive(Debug, Clone, PartialEq)]
pub struct Chain {
    /// The GPU.
    pub device: Device,
    /// One multiprocessor of it.
    pub sm: Normalised,
    /// What loads cost; none where each takes a cycle. Their unit is pipelined.
    pub memory: Option<Memory>,
    /// Threads of a warp.
    pub warp: u32,
    /// The GPU's clock.
    pub clock: GpuClock,
    /// How tasks share it.
    pub sharing: Sharing,
    /// The launch order of all kernels named, released together; none for every order.
    pub order: Option<Vec<usize>>,
    /// The kernels.
    pub kernels: Vec<Kernel>,
    /// The cores of the host.
    pub cores: Vec<Core>,
    /// The host tasks.
    pub tasks: Vec<Host>,
    /// States the exact search may look at for each makespan.
    pub effort: u64,
    /// What is taken for granted; numbers are made of all this in module `inputs` alone.
    pub assumed: Vec<Assumption>,
}

/// A multiprocessor: what it does in a cycle, and what loads cost, if that is more than a cycle. Places of units are
/// not held: with held ones, more warps could take less long (module `makespan`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sm {
    /// Capacities.
    pub machine: Machine,
    /// Pipelined loads.
    pub memory: Option<Memory>,
}

impl Sm {
    /// Every instruction takes a cycle.
    pub fn plain(machine: Machine) -> Self {
        Self { machine, memory: None }
    }

    /// Cycles of one warp that nobody blocks: at least, and at most.
    pub fn path(&self, kernel: &warps::Kernel) -> (u64, u64) {
        let length = kernel.len() as u64;
        let Some(memory) = &self.memory else { return (length, length) };
        let loads = u64::from(kernel.totals()[Unit::LoadStore]);
        let missing = |misses: u64| {
            let (hit, miss) = (u64::from(memory.hit) - 1, u64::from(memory.miss) - 1);
            length + (loads - misses) * hit + misses * miss
        };
        match memory.misses {
            Misses::None => (missing(0), missing(0)),
            Misses::All => (missing(loads), missing(loads)),
            Misses::AtMost(most) => (missing(0), missing(loads.min(most.into()))),
        }
    }
}

impl Chain {
    /// One multiprocessor, as makespans see it.
    pub fn multiprocessor(&self) -> Sm {
        Sm { machine: self.sm.machine, memory: self.memory.clone() }
    }
}

/// How kernels of several tasks share the GPU.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sharing {
    /// They may be on it at once, as the published rules have it.
    Shared,
    /// One after the other, in the order of their launches.
    Exclusive,
}

/// A kernel: what its warps do, and its grid.
#[derive(Debug, Clone, PartialEq)]
pub struct Kernel {
    /// Its name.
    pub name: String,
    /// What its warps do.
    pub work: Work,
    /// Its grid.
    pub grid: Grid,
    /// The multiprocessor of each block, where it is known.
    pub assignment: Option<Vec<u16>>,
}

/// What the warps of a kernel do.
#[derive(Debug, Clone, PartialEq)]
pub enum Work {
    /// Instructions.
    Instructions(Instructions),
    /// Machine code.
    Code(MachineCode),
    /// One block takes so many cycles, as its author says.
    Cycles(Cycles),
}

/// The instructions of each warp.
#[derive(Debug, Clone, PartialEq)]
pub struct Instructions {
    /// As written.
    pub written: warps::Kernel,
    /// Normalised for the multiprocessor.
    pub normalised: warps::Kernel,
    /// Why nothing proven of the string is proven of the kernel, where that is so.
    pub assumed: Option<String>,
}

/// Blocks and what each takes of a multiprocessor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grid {
    /// Blocks, at least 1.
    pub blocks: u32,
    /// Threads of a block, at least 1.
    pub threads: u32,
    /// Registers of a thread; 0 where nothing is known of them.
    pub registers: u32,
    /// Bytes of shared memory of a block.
    pub shared_memory: u32,
}

/// A core of the host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Core {
    /// Its name.
    pub name: String,
    /// Its clock.
    pub clock: CoreClock,
    /// Whose verdict counts.
    pub scheduler: Scheduler,
}

/// How a core chooses among its tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheduler {
    /// By fixed priorities, with preemption.
    FixedPriority,
    /// By deadlines, with preemption.
    Edf,
}

/// A host task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Host {
    /// Its name.
    pub name: String,
    /// Its core.
    pub core: usize,
    /// Least time between activations; of one that another task activates, between those of that task.
    pub period: Nanos,
    /// How much later than such a series its activations may be, each by itself.
    pub jitter: Nanos,
    /// The task that activates it, and the segment in which it does so; none for one that time activates.
    pub activated: Option<(usize, usize)>,
    /// From activation.
    pub deadline: Nanos,
    /// On its core: 1 is the most urgent. Of equal ones any may go first.
    pub priority: u32,
    /// Where its priority is from.
    pub ranked: Ranked,
    /// What its core does while it waits for the GPU or for another task.
    pub wait: Wait,
    /// Whether others of its core may take it away from what it computes.
    pub preemptive: bool,
    /// What it does, one after the other.
    pub segments: Vec<Segment>,
}

/// Where a priority is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ranked {
    /// The document says it.
    Said,
    /// Shorter deadlines go first.
    ByDeadline,
}

/// What a core does while its task waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wait {
    /// It serves others.
    Suspend,
    /// It waits too.
    Spin,
}

/// A piece of a host task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    /// What it is called; empty for no name of its own.
    pub label: String,
    /// What it does.
    pub kind: SegmentKind,
}

/// What a piece of a host task does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SegmentKind {
    /// Computes for so long.
    Cpu(Nanos),
    /// Computes so many ticks of its core.
    Ticks(Ticks),
    /// Copies and waits for it.
    Copy {
        /// From where to where.
        direction: Direction,
        /// How much, where that is known.
        bytes: Option<u64>,
        /// How long it takes on its engine, at most.
        duration: Nanos,
        /// And at least: not the same where a rate makes no whole nanoseconds of the bytes.
        least: Nanos,
    },
    /// Launches a kernel and waits for it.
    Launch(usize),
    /// Activates another task, which takes no time.
    Activate(usize),
    /// Waits until the job is over which it has activated last of this task.
    Await(usize),
}

impl SegmentKind {
    /// Whether its time is one on the core: else the task waits for something.
    pub fn is_on_core(self) -> bool {
        matches!(self, Self::Cpu(_) | Self::Ticks(_) | Self::Activate(_))
    }
}
