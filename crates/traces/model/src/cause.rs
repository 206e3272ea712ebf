//! The kinds of causes, and who or what is to blame.

use crate::occupancy::Resource;

/// Why something did not run. Of constraints that permit a start at the same time, the first here is called binding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cause {
    /// The host had not launched it.
    Launch,
    /// The operation before it in its stream was not done.
    Stream,
    /// An event that its stream was told to wait for was not passed.
    Event,
    /// The null stream was not done, or, for the null stream, the blocking ones.
    NullStream,
    /// The host had not launched it, for it waited for the device.
    HostWait,
    /// A copy in the same direction was not done.
    CopyEngine,
    /// No multiprocessor could hold one of its blocks.
    Room,
    /// The device worked for another process.
    Process,
    /// What the device always takes.
    Latency,
    /// No rule explains it.
    Unexplained,
}

impl Cause {
    /// All of them, in the order of accounts.
    pub const ALL: [Self; 10] = [
        Self::Launch,
        Self::Stream,
        Self::Event,
        Self::NullStream,
        Self::HostWait,
        Self::CopyEngine,
        Self::Room,
        Self::Process,
        Self::Latency,
        Self::Unexplained,
    ];

    /// What it is called in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Launch => "launch",
            Self::Stream => "stream",
            Self::Event => "event",
            Self::NullStream => "null-stream",
            Self::HostWait => "host-wait",
            Self::CopyEngine => "copy-engine",
            Self::Room => "room",
            Self::Process => "process",
            Self::Latency => "latency",
            Self::Unexplained => "unexplained",
        }
    }
}

/// Who or what is to blame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Witness {
    /// Nobody.
    Nothing,
    /// A call of the host, by its place.
    Call(u32),
    /// An operation, by its place.
    Operation(u32),
    /// An operation that an event follows, and the wait for it.
    Event {
        /// The operation.
        operation: u32,
        /// The wait.
        wait: u32,
    },
    /// A call that waited for an operation.
    Waited {
        /// The call.
        call: u32,
        /// The operation.
        operation: u32,
    },
    /// A kernel that held what another one needed.
    Held {
        /// The kernel.
        operation: u32,
        /// What there was not enough of.
        lacking: Resource,
    },
    /// The slice in which the operation began.
    Slice(u32),
}
