//! One clock for all times, and the trace on it.
//!
//! Times of launches are taken by the CPU, those of blocks by the GPU. Where most kernels seem to start before
//! their launch, by no more than the clocks can differ, all times of the CPU are moved by as much as makes every
//! launch come first. Where few do, they are left as they are: that is for the check to find.

use super::launches::Launch;
use crate::base::Nanos;
use crate::base::people::counted;
use crate::blocks::{BlockRun, KernelRun, OpId, Trace};
use crate::import::examiner::notes::Notes;

/// The largest difference of clocks that is believed.
const LARGEST_OFFSET: Nanos = Nanos(10_000_000);

/// How times of logs become times of the trace.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clock {
    pub offset: Nanos,
    pub shift: i64,
}

impl Clock {
    /// The clock for these launches.
    pub fn of(launches: &[Launch<'_>], notes: &mut Notes) -> Self {
        let offset = offset(launches, notes);
        let first = |launch: &Launch<'_>| {
            let launched = match launch.logged.launched {
                Some(time) => signed(time) - signed(offset),
                None => signed(launch.launched),
            };
            launched.min(signed(launch.span[0]))
        };
        Self { offset, shift: launches.iter().map(first).min().unwrap_or(0) }
    }

    /// A time of the CPU.
    pub fn of_cpu(&self, time: Nanos) -> Nanos {
        self.moved(signed(time) - signed(self.offset))
    }

    /// A time of the GPU.
    pub fn of_gpu(&self, time: Nanos) -> Nanos {
        self.moved(signed(time))
    }

    fn moved(&self, time: i64) -> Nanos {
        Nanos(u64::try_from(time.saturating_sub(self.shift)).unwrap_or(0))
    }
}

fn signed(time: Nanos) -> i64 {
    i64::try_from(time.0).unwrap_or(i64::MAX)
}

fn offset(launches: &[Launch<'_>], notes: &mut Notes) -> Nanos {
    let early = |launch: &Launch<'_>| {
        launch.logged.launched.map(|launched| launched.since(launch.span[0])).filter(|&by| by > Nanos::ZERO)
    };
    let by: Vec<Nanos> = launches.iter().filter_map(early).collect();
    let largest = by.iter().copied().max().unwrap_or_default();
    if by.is_empty() {
        return Nanos::ZERO;
    }
    let all = counted(launches.len(), "kernel");
    let start = format!("{} of {all} start before the launch, by {largest} at the most", by.len());
    // One early start is no pattern.
    if by.len() >= 2 && by.len() * 2 > launches.len() && largest <= LARGEST_OFFSET {
        notes.add("", format!("{start}: the clocks of CPU and GPU differ; launches are moved by as much"));
        return largest;
    }
    notes.add("", format!("{start}; launches are left as they are"));
    Nanos::ZERO
}

/// The trace of all launches, which come in the order of their launch.
pub(super) fn trace(clock: &Clock, launches: &[Launch<'_>], streams: usize) -> Trace {
    let mut trace = Trace::default();
    let mut free = vec![Nanos::ZERO; streams];
    for (op, launch) in (0_u32..).zip(launches) {
        let launched = match launch.logged.launched {
            Some(time) => clock.of_cpu(time),
            None => clock.of_gpu(launch.launched),
        };
        let [start, end] = launch.span.map(|time| clock.of_gpu(time));
        let first = trace.blocks.len();
        let mut dispatched = start;
        for run in &launch.logged.runs {
            let (start, end) = (clock.of_gpu(run.start), clock.of_gpu(run.end));
            dispatched = dispatched.max(start);
            trace.blocks.extend(run.sm.map(|sm| BlockRun { start, end, sm }));
        }
        let before = free.get(launch.stream).copied().unwrap_or_default();
        if let Some(free) = free.get_mut(launch.stream) {
            *free = before.max(end);
        }
        trace.end = trace.end.max(end);
        trace.kernels.push(KernelRun {
            op: OpId(op),
            kernel: launch.kernel,
            stream: launch.stream,
            round: launch.logged.round,
            launched,
            queued: launched.max(before),
            start,
            dispatched,
            end,
            blocks: first..trace.blocks.len(),
        });
    }
    trace
}
