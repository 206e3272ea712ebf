//! The state of streams, queues, copy engines and SMs at one instant.

use crate::trace::OpId;
use base::Nanos;

/// The state after some events of a run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct State {
    /// When: the time of the last of these events.
    pub at: Nanos,
    /// For each stream its queue, head first.
    pub streams: Vec<Vec<InStream>>,
    /// The EE queues that are not empty, by process and priority, the most urgent of a process first.
    pub ee: Vec<EeQueue>,
    /// For each copy engine its CE queue, head first.
    pub ce: Vec<Vec<OpId>>,
    /// For each copy engine the copy on it.
    pub copying: Vec<Option<OpId>>,
    /// Which process has the device, where that is known.
    pub device: Option<u32>,
    /// The SMs.
    pub sms: Vec<SmState>,
}

/// An operation in its stream's queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InStream {
    /// Which.
    pub op: OpId,
    /// How far it is.
    pub stage: Stage,
}

/// How far an operation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stage {
    /// In its stream's queue only.
    Waiting,
    /// In its EE or CE queue too, and nothing of it has started.
    Queued,
    /// In its EE queue too, and some of its blocks have started.
    Starting,
    /// All its blocks have started, or it is on its copy engine.
    Running,
}

/// An EE queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EeQueue {
    /// Whose.
    pub process: u32,
    /// Of which priority.
    pub priority: i32,
    /// Its kernels, head first, each with how many of its blocks have not started.
    pub ops: Vec<(OpId, u32)>,
}

/// An SM.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SmState {
    /// Threads taken by running blocks.
    pub threads_used: u64,
    /// Bytes of shared memory taken by running blocks.
    pub shared_memory_used: u64,
    /// Registers taken by running blocks.
    pub registers_used: u64,
    /// Its blocks, in the order in which they started.
    pub blocks: Vec<Resident>,
}

/// A block on an SM.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resident {
    /// Of which launch: an index of the trace's kernels.
    pub kernel: usize,
    /// Its number.
    pub block: u32,
    /// Whether it runs.
    pub motion: Motion,
}

/// Whether a block on an SM runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Motion {
    /// It does.
    Running,
    /// It stands still while another process has the device, which sees the SM without it.
    Paused,
}
