//! What happens in a run, one thing after another.

use crate::trace::OpId;
use base::Nanos;

/// Something that happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Event {
    /// When.
    pub at: Nanos,
    /// What.
    pub kind: EventKind,
}

/// What happens. Launches are named by their index in the trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventKind {
    /// An operation enters its stream's queue (G1).
    Issued(OpId),
    /// It enters its EE queue (G2, A1) or CE queue (C1).
    Queued(OpId),
    /// Blocks of a launch start: all that do so at this instant.
    BlocksAssigned {
        /// Of which launch.
        kernel: usize,
        /// The lowest of their numbers; measured ones need not follow each other.
        first: u32,
        /// How many.
        count: u32,
    },
    /// All blocks of a launch have started: it leaves its EE queue (G3).
    Dispatched(OpId),
    /// A copy is taken by its engine and leaves its CE queue (C2, C3).
    CopyStarted(OpId),
    /// Blocks of a launch end: all that do so at this instant.
    BlocksEnded {
        /// Of which launch.
        kernel: usize,
        /// How many.
        count: u32,
    },
    /// All blocks of a launch have ended: it leaves its stream's queue (G4).
    KernelEnded(OpId),
    /// A copy is done and leaves its stream's queue (C4).
    CopyEnded(OpId),
    /// A process has the device now, or none (P1).
    DeviceTo(Option<u32>),
}
