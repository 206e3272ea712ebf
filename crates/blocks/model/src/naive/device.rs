//! Step 5 of the twin: who has the device, and which block goes to which SM.

use super::super::trace::Slice;
use super::super::workload::{Placement, Switch, Workload};
use super::{Naive, Running};
use base::Nanos;

impl Naive<'_> {
    pub(super) fn step_5_blocks(&mut self) -> bool {
        let Some(process) = self.turn() else { return false };
        let mut any = false;
        while let Some(op) = self.foremost(process)
            && let Some(sm) = self.sm_for(op, process)
        {
            any = true;
            self.last_sm = Some(sm);
            let it = &mut self.ops[op];
            let block = self.blocks.iter().filter(|it| it.op == op).count()
                + it.blocks.iter().filter(|block| block.2.is_some()).count();
            it.blocks[block] = (sm, self.now, None);
            it.start.get_or_insert(self.now);
            let kernel = &self.workload.setup.kernels[it.kernel.unwrap()];
            let left = kernel.duration.of(block as u32).0;
            self.blocks.push(Running { op, block, left });
            if block + 1 == self.ops[op].blocks.len() {
                self.ops[op].dispatched = Some(self.now);
                self.queued.retain(|&queued| queued != op);
            }
        }
        any
    }

    pub(super) fn process(&self, op: usize) -> u32 {
        self.workload.setup.streams[self.ops[op].stream].process
    }

    /// The kernel whose blocks a process may start: of the most urgent, the first to have entered.
    fn foremost(&self, process: u32) -> Option<usize> {
        let priority = |op: usize| self.workload.setup.streams[self.ops[op].stream].priority;
        let own = self.queued.iter().copied();
        let own = own.filter(|&op| self.ops[op].kernel.is_some() && self.process(op) == process);
        own.min_by_key(|&op| priority(op))
    }

    /// The SM for the next block of a kernel.
    fn sm_for(&self, op: usize, process: u32) -> Option<u16> {
        let Workload { setup, placement, .. } = self.workload;
        let (device, kernels) = (&setup.device, &setup.kernels);
        let kernel = &kernels[self.ops[op].kernel.unwrap()];
        let mut fitting = Vec::new();
        for sm in kernel.mask.below(device.sms) {
            let here = self
                .blocks
                .iter()
                .filter(|it| self.ops[it.op].blocks[it.block].0 == sm && self.process(it.op) == process);
            let here: Vec<_> = here.map(|it| &kernels[self.ops[it.op].kernel.unwrap()]).collect();
            let all = || here.iter().copied().chain([kernel]);
            let threads: u32 = all().map(|kernel| device.granted(kernel.threads)).sum();
            let fits = threads <= device.threads_per_sm
                && all().map(|kernel| kernel.shared_memory).sum::<u32>() <= device.shared_memory_per_sm
                && all().map(|kernel| device.granted(kernel.threads) * kernel.registers).sum::<u32>()
                    <= device.registers_per_sm
                && all().count() <= device.blocks_per_sm as usize;
            if fits {
                fitting.push((sm, threads, here.len()));
            }
        }
        let after = |sm: u16| self.last_sm.is_some_and(|last| sm <= last);
        let chosen = match placement {
            Placement::MostFreeThreads => fitting.iter().min_by_key(|&&(sm, threads, _)| (threads, sm)),
            Placement::FewestBlocks => fitting.iter().min_by_key(|&&(sm, _, blocks)| (blocks, sm)),
            Placement::RoundRobin => fitting.iter().min_by_key(|&&(sm, ..)| (after(sm), sm)),
            Placement::LowestFirst => fitting.first(),
            Placement::HighestFirst => fitting.last(),
        };
        chosen.map(|&(sm, ..)| sm)
    }

    fn has_queued(&self, process: u32) -> bool {
        self.foremost(process).is_some()
    }

    fn has_running(&self, process: u32) -> bool {
        self.blocks.iter().any(|it| self.process(it.op) == process)
    }

    /// The processes that could use the device, in the order in which they are given it.
    pub(super) fn takers(&self) -> Vec<u32> {
        let mut all: Vec<u32> = self.workload.setup.streams.iter().map(|it| it.process).collect();
        all.sort_by_key(|&process| (self.holder_before.is_some_and(|before| process <= before), process));
        all.dedup();
        all.retain(|&process| self.has_queued(process) || self.has_running(process));
        all
    }

    /// The process that may start blocks (P1).
    fn turn(&mut self) -> Option<u32> {
        let slicing = self.workload.slicing;
        loop {
            let Some(holder) = self.holder else {
                self.holder = Some(*self.takers().first()?);
                (self.since, self.draining) = (self.now, false);
                continue;
            };
            let (running, queued) = (self.has_running(holder), self.has_queued(holder));
            let others = self.takers().iter().any(|&process| process != holder);
            let over = others && self.now - self.since >= slicing.quantum.0.max(1);
            self.draining |= over && slicing.switch == Switch::Drain;
            let done = !running && (!queued || self.draining);
            if done || over && slicing.switch == Switch::Preempt {
                let (start, end) = (Nanos(self.since), Nanos(self.now));
                self.slices.push(Slice { process: holder, start, end });
                self.holder_before = self.holder.take();
            } else {
                return Some(holder).filter(|_| !self.draining);
            }
        }
    }
}
