//! One clock for all times, and the trace on it.
//!
//! Times of launches are taken by the CPU, those of blocks by the GPU; how far both clocks are apart is
//! [`offset`]'s to estimate.

use super::launches::Launch;
use super::offset::{Offset, Pair};
use crate::import::examiner::log::Log;
use crate::import::examiner::notes::Notes;
use base::Nanos;
use blocks::{BlockRun, KernelRun, OpId, Trace};

/// How times of logs become times of the trace.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clock {
    /// What is taken off times of the CPU.
    pub offset: i64,
    pub shift: i64,
}

impl Clock {
    /// The clock for these launches.
    pub fn of(logs: &[Log], launches: &[Launch<'_>], notes: &mut Notes) -> Self {
        let pairs: Vec<Pair> = launches.iter().map(|launch| pair(logs, launch)).collect();
        let found = Offset::of(&pairs);
        found.note(&pairs, notes);
        let offset = found.moved;
        let first = |launch: &Launch<'_>| {
            let launched = match launch.logged.launched {
                Some(time) => signed(time).saturating_sub(offset),
                None => signed(launch.launched),
            };
            launched.min(signed(launch.span[0]))
        };
        Self { offset, shift: launches.iter().map(first).min().unwrap_or(0) }
    }

    /// A time of the CPU.
    pub fn of_cpu(&self, time: Nanos) -> Nanos {
        self.moved(signed(time).saturating_sub(self.offset))
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

/// What both clocks say of one launch.
fn pair(logs: &[Log], launch: &Launch<'_>) -> Pair {
    let round = logs.get(launch.log).and_then(|log| log.rounds.get(launch.logged.round as usize));
    // Block times are copied out and waited for before a round is over.
    let over = round.and_then(|round| {
        let ends = [round.all, round.execute, round.copy_out].map(|span| span.map(|[_, end]| end));
        ends.into_iter().flatten().max()
    });
    let idle = launch.logged.synchronised.into_iter().chain(over).min();
    Pair {
        called: launch.logged.launched.map(signed),
        started: signed(launch.span[0]),
        ended: signed(launch.span[1]),
        idle: idle.map(signed),
    }
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
