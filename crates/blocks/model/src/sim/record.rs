//! What is written down: the trace, and the decisions with what holds each operation back.
//!
//! Reasons are looked at once an instant is settled, and only those of operations that were touched in it. Each
//! reason names the operation directly before, in the stream, in the queue or in the next queue, so that it
//! changes only when that one goes, and a thousand kernels that wait cost no more than a few.

use std::ops::Range;

use super::super::trace::{BlockRun, Decision, Hold, KernelRun, OpId, Run, Slice, Stop, Trace, Verdict};
use super::super::workload::StreamKind;
use super::{Simulation, Stage, What};
use base::Nanos;

/// The trace and the decisions so far.
#[derive(Debug, Default)]
pub(super) struct Record {
    pub(super) trace: Trace,
    decisions: Vec<Decision>,
    /// Operations whose reason to wait may have changed at this instant.
    pub(super) touched: Vec<u32>,
}

impl Record {
    /// Room for the blocks of a launch.
    pub(super) fn reserve(&mut self, blocks: u32) -> Option<Range<usize>> {
        let all = &mut self.trace.blocks;
        let start = all.len();
        let end = start.checked_add(blocks as usize)?;
        all.try_reserve(blocks as usize).ok()?;
        all.resize(end, BlockRun { start: Nanos::NEVER, end: Nanos::NEVER, sm: 0 });
        Some(start..end)
    }
}

impl Simulation {
    /// The reason why this operation waits may change at this instant.
    pub(super) fn touch(&mut self, op: Option<u32>) {
        self.record.touched.extend(op);
    }

    /// Writes a decision down.
    pub(super) fn decide(&mut self, op: u32, verdict: Verdict) {
        self.ops[op as usize].hold = None;
        self.record.decisions.push(Decision { at: self.now, op: OpId(op), verdict });
    }

    /// Writes down what holds back those whose reason changed.
    pub(super) fn settle(&mut self) {
        let mut touched = std::mem::take(&mut self.record.touched);
        touched.sort_unstable();
        touched.dedup();
        for op in touched.drain(..) {
            let reason = self.reason(op);
            if reason != self.ops[op as usize].hold
                && let Some(hold) = reason
            {
                self.decide(op, Verdict::Held(hold));
                self.ops[op as usize].hold = reason;
            }
        }
        self.record.touched = touched;
    }

    /// Why an operation does not go on.
    fn reason(&self, op: u32) -> Option<Hold> {
        let it = &self.ops[op as usize];
        let line = &self.streams[it.stream as usize];
        match (it.stage, it.what) {
            (Stage::Waiting, _) if line.head != op => Some(Hold::Behind(OpId(it.before))),
            (Stage::Waiting, _) if line.kind == StreamKind::Null => {
                self.processes[line.process].heads.first().map(|&head| Hold::NullWaits(OpId(head)))
            }
            (Stage::Waiting, _) => Some(Hold::WaitsForNull(OpId(it.null_before))),
            (Stage::Queued, What::Kernel(_)) => Some(self.kernel_reason(op)),
            (Stage::Queued, What::Copy(run)) => {
                let engine = &self.engines[usize::from(self.record.trace.copies[run as usize].engine)];
                match engine.busy {
                    Some((busy, _)) if engine.queue.front() == Some(&op) => Some(Hold::Engine(OpId(busy))),
                    _ => Some(Hold::NotHead(OpId(it.before))),
                }
            }
            (Stage::Running | Stage::Ended, _) => None,
        }
    }

    /// Why a kernel in an EE queue does not go on.
    fn kernel_reason(&self, op: u32) -> Hold {
        let it = &self.ops[op as usize];
        let line = &self.streams[it.stream as usize];
        let process = &self.processes[line.process];
        if process.head(line.queue) != Some(op) {
            return Hold::NotHead(OpId(it.before));
        }
        if let Some(urgent) = process.head_before(line.queue) {
            return Hold::Urgent(OpId(urgent));
        }
        let other = match self.holding.holder {
            Some(holder) if holder == line.process && self.holding.draining => self.holding.next(),
            holder => holder.filter(|&holder| holder != line.process),
        };
        other.map_or_else(|| self.fit.hold(), |other| Hold::Process(self.processes[other].number))
    }

    /// The run so far, or all of it.
    pub(super) fn into_run(mut self, stop: Stop) -> Run {
        if self.holding.since < self.now {
            self.end_slice();
        }
        if self.holding.preempts() {
            self.real_ends();
        }
        let Record { mut trace, decisions, .. } = self.record;
        if self.ended < self.ops.len() {
            keep_ended(&mut trace);
        }
        let ends = trace.kernels.iter().map(|run| run.end).chain(trace.copies.iter().map(|run| run.end));
        trace.end = ends.max().unwrap_or_default();
        Run { trace, decisions, stop }
    }

    /// Turns ends of blocks from the time of their process into real time.
    fn real_ends(&mut self) {
        let Trace { kernels, blocks, slices, .. } = &mut self.record.trace;
        let clocks: Vec<Clock> =
            self.processes.iter().map(|process| Clock::of(process.number, slices)).collect();
        for run in kernels.iter().filter(|run| run.end != Nanos::NEVER) {
            let clock = &clocks[self.streams[run.stream].process];
            let duration = &self.grids[run.kernel].duration;
            for (number, block) in (0..).zip(&mut blocks[run.blocks.clone()]) {
                block.end = match duration.of(number) {
                    Nanos::ZERO => block.start,
                    _ => clock.real(block.end),
                };
            }
        }
    }
}

/// The time of a process: it goes on only while the process has the device.
struct Clock(Vec<Stretch>);

/// A stretch in which it goes on.
struct Stretch {
    /// When it ends, in the time of the process.
    until: Nanos,
    /// How far that time is behind.
    behind: Nanos,
}

impl Clock {
    fn of(process: u32, slices: &[Slice]) -> Self {
        let mut own = Nanos::ZERO;
        let stretch = |slice: &Slice| {
            let behind = slice.start.since(own);
            own = slice.end.since(behind);
            Stretch { until: own, behind }
        };
        Self(slices.iter().filter(|slice| slice.process == process).map(stretch).collect())
    }

    fn real(&self, own: Nanos) -> Nanos {
        let stretch = self.0.get(self.0.partition_point(|stretch| stretch.until < own));
        own + stretch.map_or(Nanos::ZERO, |stretch| stretch.behind)
    }
}

/// Leaves only what has ended.
fn keep_ended(trace: &mut Trace) {
    let Trace { kernels, blocks, copies, .. } = trace;
    copies.retain(|run| run.end != Nanos::NEVER);
    kernels.retain(|run| run.end != Nanos::NEVER);
    let mut kept = 0;
    for KernelRun { blocks: range, .. } in kernels {
        let start = kept;
        kept += range.len();
        blocks.copy_within(range.clone(), start);
        *range = start..kept;
    }
    blocks.truncate(kept);
}
