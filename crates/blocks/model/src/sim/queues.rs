//! Streams' queues (G1, G4, C4), and who enters an EE or a CE queue (G2, C1, N1, N2).
//!
//! Invariant: operations of one stream end in the order in which they were issued. So "every earlier operation
//! of the null stream has ended" is "the last of them has", and that one never changes for an operation.

use super::super::trace::{CopyRun, KernelRun, OpId, Verdict};
use super::super::workload::StreamKind;
use super::{NONE, Op, Simulation, Stage, What};
use base::Nanos;

/// A stream's queue.
#[derive(Debug)]
pub(super) struct Line {
    /// Its process, by its place in the list.
    pub(super) process: usize,
    /// Its EE queue among those of the process.
    pub(super) queue: usize,
    pub(super) kind: StreamKind,
    pub(super) head: u32,
    pub(super) tail: u32,
    /// Programs waiting until it is empty.
    pub(super) waiters: Vec<u32>,
}

impl Simulation {
    /// Issues a kernel, unless that would be one block too many.
    pub(super) fn launch(&mut self, stream: usize, kernel: usize, round: u32) -> Option<u32> {
        let blocks = self.grids[kernel].blocks;
        let run = u32::try_from(self.record.trace.kernels.len()).ok()?;
        let too_many = self.launched + u64::from(blocks) > self.most_blocks;
        if too_many || u64::from(run) >= self.most_blocks {
            return None;
        }
        let blocks = self.record.reserve(blocks)?;
        let op = self.issue(stream, What::Kernel(run), blocks.len() as u32)?;
        self.launched += blocks.len() as u64;
        self.record.trace.kernels.push(KernelRun {
            op: OpId(op),
            kernel,
            stream,
            round,
            launched: self.now,
            queued: Nanos::NEVER,
            start: Nanos::NEVER,
            dispatched: Nanos::NEVER,
            end: Nanos::NEVER,
            blocks,
        });
        Some(op)
    }

    /// Issues a copy, unless there would be more of them than there may be blocks.
    pub(super) fn issue_copy(&mut self, stream: usize, copy: usize, round: u32) -> Option<u32> {
        let run = u32::try_from(self.record.trace.copies.len()).ok()?;
        if u64::from(run) >= self.most_blocks {
            return None;
        }
        let op = self.issue(stream, What::Copy(run), 0)?;
        self.record.trace.copies.push(CopyRun {
            op: OpId(op),
            copy,
            stream,
            round,
            engine: self.copies[copy].engine,
            issued: self.now,
            queued: Nanos::NEVER,
            start: Nanos::NEVER,
            end: Nanos::NEVER,
        });
        Some(op)
    }

    /// Puts an operation at the tail of its stream's queue.
    fn issue(&mut self, stream: usize, what: What, blocks: u32) -> Option<u32> {
        let op = u32::try_from(self.ops.len()).ok().filter(|&op| op != NONE)?;
        let line = &mut self.streams[stream];
        let process = &mut self.processes[line.process];
        let null = match (line.kind, process.null) {
            (StreamKind::Blocking, Some(null)) => null,
            _ => usize::MAX,
        };
        let line = &mut self.streams[stream];
        let before = std::mem::replace(&mut line.tail, op);
        if line.head == NONE {
            line.head = op;
            process.busy_streams += 1;
            if null != usize::MAX {
                process.heads.insert(op);
            }
            self.arriving.push(op);
        } else {
            self.ops[before as usize].next = op;
        }
        let null_before = self.streams.get(null).map_or(NONE, |null| null.tail);
        self.ops.push(Op::new(what, stream, before, null_before, blocks));
        self.decide(op, Verdict::Issued);
        self.record.touched.push(op);
        Some(op)
    }

    /// An operation ends and leaves its stream's queue.
    pub(super) fn end(&mut self, op: u32) {
        self.decide(op, Verdict::Ended);
        let it = &mut self.ops[op as usize];
        it.stage = Stage::Ended;
        self.ended += 1;
        let (next, waiter) = (it.next, it.waiter);
        match it.what {
            What::Kernel(run) => self.record.trace.kernels[run as usize].end = self.now,
            What::Copy(run) => self.record.trace.copies[run as usize].end = self.now,
        }
        let line = &mut self.streams[it.stream as usize];
        line.head = next;
        if next == NONE {
            line.tail = NONE;
            let process = &mut self.processes[line.process];
            process.busy_streams -= 1;
            line.waiters.drain(..).for_each(|actor| self.host.wake(actor));
            if process.busy_streams == 0 {
                process.waiters.drain(..).for_each(|actor| self.host.wake(actor));
            }
        } else {
            self.arriving.push(next);
        }
        if waiter != NONE {
            self.host.wake(waiter);
        }
        self.tell_across(op, next);
    }

    /// Those held back by the null stream, or the null stream itself, may go on.
    fn tell_across(&mut self, op: u32, next: u32) {
        let line = &self.streams[self.ops[op as usize].stream as usize];
        let process = &mut self.processes[line.process];
        let Some(null) = process.null else { return };
        match line.kind {
            StreamKind::Null => {
                while let Some(&(waits_for, held)) = process.held.first()
                    && waits_for <= op
                {
                    process.held.pop_first();
                    self.arriving.push(held);
                }
            }
            StreamKind::Blocking => {
                process.heads.remove(&op);
                if next != NONE {
                    process.heads.insert(next);
                }
                let head = self.streams[null].head;
                if head != NONE {
                    self.arriving.push(head);
                }
            }
            StreamKind::NonBlocking => {}
        }
    }

    /// Lets heads of streams enter EE and CE queues, in the order in which they were issued.
    pub(super) fn enter(&mut self) -> u64 {
        let mut arriving = std::mem::take(&mut self.arriving);
        arriving.sort_unstable();
        arriving.dedup();
        for &op in &arriving {
            self.enter_one(op);
        }
        let units = arriving.len() as u64;
        arriving.clear();
        self.arriving = arriving;
        units
    }

    /// Whether the null stream holds it back, or it is in the null stream and others do (N1, N2).
    fn is_held(&mut self, op: u32) -> bool {
        let it = &self.ops[op as usize];
        let line = &self.streams[it.stream as usize];
        let process = &mut self.processes[line.process];
        match line.kind {
            StreamKind::Null => process.heads.first().is_some_and(|&head| head < op),
            StreamKind::Blocking => {
                let before = self.ops.get(it.null_before as usize);
                let held = before.is_some_and(|before| before.stage != Stage::Ended);
                if held {
                    process.held.insert((it.null_before, op));
                }
                held
            }
            StreamKind::NonBlocking => false,
        }
    }

    fn enter_one(&mut self, op: u32) {
        if self.ops[op as usize].stage != Stage::Waiting {
            return;
        }
        self.touch(Some(op));
        if self.is_held(op) {
            return;
        }
        let it = &mut self.ops[op as usize];
        it.stage = Stage::Queued;
        let line = &self.streams[it.stream as usize];
        match it.what {
            What::Kernel(run) => {
                self.record.trace.kernels[run as usize].queued = self.now;
                let (index, queue) = (line.process, line.queue);
                let process = &mut self.processes[index];
                it.before = process.queues[queue].back().copied().unwrap_or(NONE);
                process.queues[queue].push_back(op);
                if process.filled.insert(queue) {
                    let after = process.head_after(queue);
                    self.touch(after);
                }
                self.mind(index);
            }
            What::Copy(run) => {
                let run = &mut self.record.trace.copies[run as usize];
                run.queued = self.now;
                let queue = &mut self.engines[usize::from(run.engine)].queue;
                it.before = queue.back().copied().unwrap_or(NONE);
                queue.push_back(op);
            }
        }
        self.decide(op, Verdict::Queued);
    }
}
