//! What a check is told besides the trace: how exact the times are, and what else the host saw.
//!
//! Measured times. The start of a block is read by the block itself once it runs, so blocks that were assigned
//! together start microseconds apart, in any order; the timer they read moves in steps of up to a microsecond, and
//! the first block of a kernel follows the call by ten to thirty. 50 µs is above all of these and far below the
//! milliseconds that blocks of such experiments take. Host and device have clocks of their own: the offset is
//! measured once, with a kernel whose way to the device takes tens of microseconds, and the clocks of graphics
//! cards were seen to run away from the host's by up to 60 µs a second.

use crate::trace::Trace;
use base::Nanos;

/// How to check. Lists may be shorter than what they are about; what is missing is unknown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckConfig<'a> {
    /// Times that differ by at most this are simultaneous, and taken in the order that breaks no rule.
    pub tolerance: Nanos,
    /// The clocks of host and device differ by at most this, on top of the tolerance.
    pub clocks: Nanos,
    /// For each launch, when the call returned, where known: it is in its stream's queue from then on, and entered
    /// it at some time since the call was made.
    pub returned: &'a [Option<Nanos>],
    /// For each launch, whether something that is not in the trace (a copy, setting memory, a launch nobody logged)
    /// may have stood before it, so that it may have entered its EE queue as late as its first block started.
    pub behind_unseen: &'a [bool],
    /// For each launch, when the host saw its stream idle, where it waited for that (G4, C4).
    pub synchronised: &'a [Option<Nanos>],
    /// For each copy, likewise.
    pub synchronised_copies: &'a [Option<Nanos>],
    /// What the times of copies are.
    pub copies: CopyTimes,
    /// What is known of processes (P1).
    pub processes: Processes,
    /// Whether the run followed the model to the nanosecond.
    pub exactness: Exactness,
    /// At most so many violations, findings and remarks are listed each; all are counted.
    pub most: usize,
}

/// What the start and end of a copy are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CopyTimes {
    /// When its engine began and was done.
    OnEngine,
    /// When the host called and when it went on: the copy was somewhere in between.
    AroundCalls,
}

/// Whether and how P1 is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Processes {
    /// Against the slices of the trace, if it has any. Without slices nothing is checked: on a device that stops a
    /// process in the middle of its blocks, the blocks of two processes overlap in a record and yet never run
    /// together.
    BySlices,
    /// No block starts while one of another process runs: for devices that let running blocks end first.
    NeverTogether,
    /// Likewise, but what overlaps is remarked and breaks nothing: for runs of which nobody knows whether their
    /// device stops processes in the middle of their blocks.
    RemarkOverlaps,
}

/// Whether a run followed the model to the nanosecond.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Exactness {
    /// Blocks take as long as the setup says, and queue times are those of the rules: a simulated run.
    Exact,
    /// Durations are what they are, and queue times are not recorded: a measured run.
    Loose,
}

/// So many violations, findings and remarks are listed, unless asked otherwise.
pub const MOST: usize = 100_000;

impl Default for CheckConfig<'_> {
    fn default() -> Self {
        Self {
            tolerance: Nanos::ZERO,
            clocks: Nanos::ZERO,
            returned: &[],
            behind_unseen: &[],
            synchronised: &[],
            synchronised_copies: &[],
            copies: CopyTimes::OnEngine,
            processes: Processes::BySlices,
            exactness: Exactness::Exact,
            most: MOST,
        }
    }
}

impl CheckConfig<'_> {
    /// The tolerance for measured runs, unless asked otherwise.
    pub const MEASURED_TOLERANCE: Nanos = Nanos(50_000);
    /// How far the clocks of host and device are apart at the start of a measured run, at the most.
    pub const CLOCKS_AT_START: Nanos = Nanos(100_000);
    /// How far they run apart in each second of it, in nanoseconds.
    pub const CLOCKS_PER_SECOND: u64 = 60_000;

    /// For a simulated run: every nanosecond counts.
    pub fn simulated() -> Self {
        Self::default()
    }

    /// For a measured run.
    pub fn measured(trace: &Trace) -> Self {
        let first = trace.kernels.iter().map(|run| run.launched).min().unwrap_or_default();
        let lasted = u128::from(trace.end.since(first).0);
        let drift = lasted * u128::from(Self::CLOCKS_PER_SECOND) / 1_000_000_000;
        Self {
            tolerance: Self::MEASURED_TOLERANCE,
            clocks: Self::CLOCKS_AT_START + Nanos(u64::try_from(drift).unwrap_or(u64::MAX)),
            copies: CopyTimes::AroundCalls,
            exactness: Exactness::Loose,
            ..Self::default()
        }
    }

    pub(super) fn returned_at(&self, run: usize) -> Option<Nanos> {
        self.returned.get(run).copied().flatten()
    }

    pub(super) fn is_behind_unseen(&self, run: usize) -> bool {
        self.behind_unseen.get(run).copied().unwrap_or_default()
    }

    pub(super) fn idle_at(&self, run: usize) -> Option<Nanos> {
        self.synchronised.get(run).copied().flatten()
    }

    pub(super) fn idle_after_copy_at(&self, run: usize) -> Option<Nanos> {
        self.synchronised_copies.get(run).copied().flatten()
    }
}
