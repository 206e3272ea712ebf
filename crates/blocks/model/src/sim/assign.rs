//! Blocks start and end (X1, A1, A2, R1 to R3, M1, G3).
//!
//! Blocks of one kernel that start together on one SM and take equally long end as one batch.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::super::trace::{BlockRun, Verdict};
use super::process::Batch;
use super::{Simulation, Stage, What};
use base::Nanos;

/// Blocks that start now, by SM, until they are put among those that end.
#[derive(Debug)]
pub(super) struct Starting {
    /// For each SM, blocks that end together, and when.
    open: Vec<(u16, Nanos)>,
    /// The SMs with some.
    used: Vec<u16>,
}

impl Starting {
    /// None, on so many SMs.
    pub(super) fn new(sms: usize) -> Self {
        Self { open: vec![(0, Nanos::ZERO); sms], used: Vec::new() }
    }

    fn add(&mut self, op: u32, sm: u16, end: Nanos, ends: &mut BinaryHeap<Reverse<Batch>>) {
        let (count, at) = &mut self.open[usize::from(sm)];
        if *count == 0 {
            self.used.push(sm);
        } else if *at != end || *count == u16::MAX {
            ends.push(Reverse(Batch { end: *at, op, sm, count: *count }));
            *count = 0;
        }
        *at = end;
        *count += 1;
    }

    fn flush(&mut self, op: u32, ends: &mut BinaryHeap<Reverse<Batch>>) {
        for sm in self.used.drain(..) {
            let (count, end) = &mut self.open[usize::from(sm)];
            ends.push(Reverse(Batch { end: *end, op, sm, count: *count }));
            *count = 0;
        }
    }
}

impl Simulation {
    /// Ends the blocks that end now; how many batches.
    pub(super) fn blocks_end(&mut self) -> u64 {
        let Some(holder) = self.holding.holder else { return 0 };
        let mut batches = 0;
        let process = &mut self.processes[holder];
        let own = self.now.since(process.behind);
        while let Some(&Reverse(batch)) = self.processes[holder].ends.peek()
            && batch.end <= own
        {
            self.processes[holder].ends.pop();
            self.end_batch(holder, batch);
            batches += 1;
        }
        if batches > 0 {
            self.mind(holder);
        }
        batches
    }

    fn end_batch(&mut self, holder: usize, Batch { op, sm, count, .. }: Batch) {
        let it = &mut self.ops[op as usize];
        let What::Kernel(run) = it.what else { return };
        let grid = &self.grids[self.record.trace.kernels[run as usize].kernel];
        let process = &mut self.processes[holder];
        if count > 0 {
            let state = &mut process.sms[usize::from(sm)];
            state.give(&grid.needs, u32::from(count));
            self.fit.ended(holder, sm, state);
        }
        process.running -= u64::from(count);
        self.done += u64::from(count);
        it.left -= u32::from(count);
        if it.left == 0 && it.stage == Stage::Running {
            self.end(op);
        }
    }

    /// Starts blocks of the process that has the device, as many as fit; how many.
    pub(super) fn blocks_start(&mut self) -> u64 {
        let Some(index) = self.whose_turn() else { return 0 };
        let mut units = 0;
        while let Some(op) = self.processes[index].foremost() {
            let What::Kernel(run) = self.ops[op as usize].what else { break };
            units += 1 + u64::from(self.start_blocks_of(index, op, run as usize));
            if self.ops[op as usize].stage != Stage::Running {
                self.touch(Some(op));
                break;
            }
        }
        self.mind(index);
        units
    }

    /// Starts blocks of the foremost kernel; how many.
    fn start_blocks_of(&mut self, index: usize, op: u32, run: usize) -> u32 {
        let run = &mut self.record.trace.kernels[run];
        let grid = &self.grids[run.kernel];
        let process = &mut self.processes[index];
        let it = &mut self.ops[op as usize];
        let first = it.assigned;
        let own = self.now.since(process.behind);
        self.fit.prepare(index, run.kernel, grid, &process.sms);
        let slots = &mut self.record.trace.blocks[run.blocks.start + first as usize..run.blocks.end];
        let mut count = 0;
        for slot in slots {
            let Some(sm) = self.fit.place(&mut process.sms) else { break };
            let end = own + grid.duration.of(first + count);
            *slot = BlockRun { start: self.now, end, sm };
            self.starting.add(op, sm, end, &mut process.ends);
            count += 1;
        }
        self.starting.flush(op, &mut process.ends);
        process.running += u64::from(count);
        it.assigned += count;
        if first == 0 {
            run.start = self.now;
        }
        let all = it.assigned as usize == run.blocks.len();
        if count > 0 {
            self.decide(op, Verdict::Assigned { first, count });
        }
        if all {
            self.dispatch(index, op);
        }
        count
    }

    /// All blocks of the foremost kernel are assigned: it leaves its EE queue (G3).
    fn dispatch(&mut self, index: usize, op: u32) {
        let it = &mut self.ops[op as usize];
        it.stage = Stage::Running;
        let What::Kernel(run) = it.what else { return };
        let queue = self.streams[it.stream as usize].queue;
        let empty = it.left == 0;
        let run = &mut self.record.trace.kernels[run as usize];
        run.dispatched = self.now;
        let process = &mut self.processes[index];
        if empty {
            // A grid without blocks ends as soon as it has begun.
            let end = self.now.since(process.behind);
            process.ends.push(Reverse(Batch { end, op, sm: 0, count: 0 }));
        }
        process.queues[queue].pop_front();
        if process.queues[queue].is_empty() {
            process.filled.remove(&queue);
        }
        let after = process.head_after(queue);
        self.decide(op, Verdict::Dispatched);
        self.touch(after); // the new head of this queue is looked at next anyway
    }
}
