//! Random workloads: decisions say what the trace says, and every reason is true as long as it is given.

use super::random::drawn;
use super::*;
use crate::{Decision, Hold, OpId, Trace};

/// An operation as the trace and the decisions have it.
struct Known {
    stream: usize,
    /// Its copy engine, if it is a copy.
    engine: Option<u16>,
    issued: u64,
    queued: u64,
    /// When it left its EE or CE queue.
    left: u64,
    end: u64,
    /// Which decision put it in that queue.
    place: usize,
}

/// All operations, in their order.
fn known(run: &Run) -> Vec<Known> {
    let kernels = run.trace.kernels.iter().map(|it| {
        (it.op, it.stream, None, [it.launched, it.queued, it.dispatched, it.end].map(|time| time.0))
    });
    let copies = run.trace.copies.iter().map(|it| {
        (it.op, it.stream, Some(it.engine), [it.issued, it.queued, it.start, it.end].map(|time| time.0))
    });
    let mut all: Vec<_> = kernels.chain(copies).collect();
    all.sort_by_key(|(op, ..)| *op);
    assert!((0..).zip(&all).all(|(index, (op, ..))| *op == OpId(index)));
    let known = |(op, stream, engine, [issued, queued, left, end]): (OpId, usize, Option<u16>, [u64; 4])| {
        let queues = |it: &Decision| it.op == op && it.verdict == Verdict::Queued;
        let place = run.decisions.iter().position(queues).unwrap();
        Known { stream, engine, issued, queued, left, end, place }
    };
    all.into_iter().map(known).collect()
}

/// A run to look things up in.
struct Facts<'a> {
    w: &'a Workload,
    trace: &'a Trace,
    all: &'a [Known],
}

impl Facts<'_> {
    fn stream(&self, op: usize) -> &Stream {
        &self.w.setup.streams[self.all[op].stream]
    }

    /// Why an operation waits at a time; any other process stands for the one that has the device.
    fn reason(&self, op: usize, at: u64) -> Hold {
        let it = &self.all[op];
        let id = |op: usize| OpId(op as u32);
        if at >= it.queued {
            return match it.engine {
                Some(engine) => self.copy_reason(op, engine, at),
                None => self.kernel_reason(op, at),
            };
        }
        let earlier: Vec<usize> = (0..op).filter(|&other| self.all[other].end > at).collect();
        let same = |other: &&usize| self.all[**other].stream == it.stream;
        if let Some(before) = earlier.iter().rfind(same) {
            return Hold::Behind(id(*before));
        }
        let process = self.stream(op).process;
        let of = |kind: StreamKind| {
            let own = move |stream: &Stream| stream.process == process && stream.kind == kind;
            earlier.iter().filter(move |other| own(self.stream(**other)))
        };
        match self.stream(op).kind {
            StreamKind::Null => Hold::NullWaits(id(*of(StreamKind::Blocking).next().unwrap())),
            _ => Hold::WaitsForNull(id(*of(StreamKind::Null).next_back().unwrap())),
        }
    }

    /// Operations in EE or CE queues at a time, in the order in which they came.
    fn queued(&self, at: u64, wanted: impl Fn(usize) -> bool) -> Vec<usize> {
        let there = |op: &usize| self.all[*op].queued <= at && at < self.all[*op].left;
        let mut queued: Vec<usize> = (0..self.all.len()).filter(there).filter(|op| wanted(*op)).collect();
        queued.sort_by_key(|&op| self.all[op].place);
        queued
    }

    fn copy_reason(&self, op: usize, engine: u16, at: u64) -> Hold {
        let queue = self.queued(at, |other| self.all[other].engine == Some(engine));
        let place = queue.iter().position(|&other| other == op).unwrap();
        let runs = |it: &Known| it.engine == Some(engine) && it.left <= at && at < it.end;
        match place.checked_sub(1) {
            Some(before) => Hold::NotHead(OpId(queue[before] as u32)),
            None => Hold::Engine(OpId(self.all.iter().position(runs).unwrap() as u32)),
        }
    }

    fn kernel_reason(&self, op: usize, at: u64) -> Hold {
        let Stream { process, priority, .. } = *self.stream(op);
        let own = |other: usize| self.all[other].engine.is_none() && self.stream(other).process == process;
        let queue = |priority| self.queued(at, |it| own(it) && self.stream(it).priority == priority);
        let same = queue(priority);
        let place = same.iter().position(|&other| other == op).unwrap();
        if let Some(before) = place.checked_sub(1) {
            return Hold::NotHead(OpId(same[before] as u32));
        }
        let more_urgent = self.queued(at, |it| own(it) && self.stream(it).priority < priority);
        if let Some(next) = more_urgent.iter().map(|&it| self.stream(it).priority).max() {
            return Hold::Urgent(OpId(queue(next)[0] as u32));
        }
        let slice = self.trace.slices.iter().find(|slice| slice.start.0 <= at && at < slice.end.0);
        match slice {
            Some(slice) if slice.process != process => Hold::Process(slice.process),
            Some(slice) if self.is_over(process, slice.start.0, at) => Hold::Process(u32::MAX),
            _ => self.lacking(op, at),
        }
    }

    /// Whether a process that has the device only waits for its blocks to end.
    fn is_over(&self, process: u32, since: u64, at: u64) -> bool {
        let Slicing { quantum, switch } = self.w.slicing;
        let others = || {
            let other = |op: usize| self.all[op].engine.is_none() && self.stream(op).process != process;
            !self.queued(at, other).is_empty()
        };
        switch == Switch::Drain && at >= since + quantum.0.max(1) && others()
    }

    /// What the SMs lack at a time for blocks of a kernel.
    fn lacking(&self, op: usize, at: u64) -> Hold {
        let setup = &self.w.setup;
        let own = self.trace.kernels.iter().find(|run| run.op.0 as usize == op).unwrap();
        let kernel = &setup.kernels[own.kernel];
        let device = &setup.device;
        let needs = |kernel: &Kernel| {
            let registers = device.granted(kernel.threads) * kernel.registers;
            [device.granted(kernel.threads), kernel.shared_memory, registers, 1]
        };
        let lacks = |sm: u16| {
            let mut used = needs(kernel);
            for run in &self.trace.kernels {
                let here = |block: &&BlockRun| block.sm == sm && block.start.0 <= at && at < block.end.0;
                let here = self.trace.blocks[run.blocks.clone()].iter().filter(here).count() as u32;
                if self.stream(run.op.0 as usize).process == self.stream(op).process {
                    let needs = needs(&setup.kernels[run.kernel]);
                    used = [0, 1, 2, 3].map(|index| used[index] + here * needs[index]);
                }
            }
            let limits = [device.threads_per_sm, device.shared_memory_per_sm, device.registers_per_sm];
            let limits = [limits[0], limits[1], limits[2], device.blocks_per_sm];
            [0, 1, 2, 3].map(|index| used[index] > limits[index])
        };
        let lacks: Vec<[bool; 4]> = kernel.mask.below(device.sms).map(lacks).collect();
        let everywhere = [0, 1, 2, 3].map(|index| lacks.iter().all(|lacks| lacks[index]));
        let reasons = [Hold::Threads, Hold::SharedMemory, Hold::Registers, Hold::BlockLimit];
        let found = reasons.into_iter().zip(everywhere).find(|(_, everywhere)| *everywhere);
        found.map_or(Hold::Mixed, |(hold, _)| hold)
    }
}

/// Equal, but for which of the other processes it is.
fn alike(a: Hold, b: Hold) -> bool {
    a == b || matches!((a, b), (Hold::Process(_), Hold::Process(_)))
}

#[test]
fn every_reason_is_true_as_long_as_it_is_given() {
    for stream in 0..700 {
        let w = drawn(2, stream);
        let run = simulate(&w);
        assert!(run.decisions.is_sorted_by_key(|decision| decision.at));
        let all = known(&run);
        let facts = Facts { w: &w, trace: &run.trace, all: &all };
        for (op, it) in all.iter().enumerate() {
            let own = run.decisions.iter().filter(|decision| decision.op.0 as usize == op);
            let own: Vec<(u64, Verdict)> = own.map(|it| (it.at.0, it.verdict)).collect();
            for (index, &(at, verdict)) in own.iter().enumerate() {
                let Some(&(next, _)) = own.get(index + 1) else { break };
                match verdict {
                    _ if at == next => {}
                    Verdict::Held(hold) => {
                        for time in [at, next - 1] {
                            let reason = facts.reason(op, time);
                            assert!(alike(hold, reason), "{stream} #{op} {time}: {hold:?}, {reason:?}");
                        }
                    }
                    _ => assert!(at >= it.left, "{stream} #{op} {at}: {verdict:?}"),
                }
            }
        }
    }
}

#[test]
fn decisions_say_what_the_trace_says() {
    for stream in 0..700 {
        let run = simulate(&drawn(3, stream));
        for (op, it) in known(&run).iter().enumerate() {
            let at = |wanted: Verdict| {
                let own = run.decisions.iter().filter(|it| it.op.0 as usize == op && it.verdict == wanted);
                own.map(|it| it.at.0).collect::<Vec<_>>()
            };
            let leaves = if it.engine.is_some() { Verdict::Copying } else { Verdict::Dispatched };
            let milestones = [Verdict::Issued, Verdict::Queued, leaves, Verdict::Ended].map(at);
            assert_eq!(milestones, [it.issued, it.queued, it.left, it.end].map(|at| vec![at]));
        }
        for it in &run.trace.kernels {
            let mut blocks = run.trace.blocks[it.blocks.clone()].iter();
            let mut next = 0;
            for decision in run.decisions.iter().filter(|decision| decision.op == it.op) {
                let Verdict::Assigned { first, count } = decision.verdict else { continue };
                assert_eq!(first, next);
                next += count;
                assert!(blocks.by_ref().take(count as usize).all(|block| block.start == decision.at));
            }
            assert_eq!(next as usize, it.blocks.len());
        }
    }
}
