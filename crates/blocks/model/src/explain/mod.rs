//! Why everything that was issued and does not run waits at an instant, and what just happened, in people's words.
//!
//! Reads states of a run that is told, simulated or measured. An operation that nothing holds back by the rules has
//! no reason: it starts late, or later in the same instant.

mod reasons;
mod words;

#[cfg(test)]
mod tests;

pub use reasons::hold_sentence;
pub use words::{Words, sentence};

use super::device::Device;
use super::replay::{EeQueue, InStream, Stage, State};
use super::resources::{Resource, Resources};
use super::trace::{Hold, OpId, Subject, Trace};
use super::workload::{Kernel, Setup, Stream, StreamKind};

/// Everything that is issued and waits, or has blocks that do, with the reason; ascending by stream, head first.
pub fn holds(setup: &Setup, trace: &Trace, state: &State) -> Vec<(OpId, Hold)> {
    let mut holds = Vec::new();
    let scene = Scene { setup, trace, state };
    for (stream, queue) in state.streams.iter().enumerate() {
        for (i, waiting) in queue.iter().enumerate() {
            let before = i.checked_sub(1).map(|before| queue[before].op);
            let hold = match (waiting.stage, before) {
                (Stage::Waiting, Some(before)) => Some(Hold::Behind(before)),
                (Stage::Waiting, None) => scene.across(stream, waiting.op),
                (Stage::Queued | Stage::Starting, _) => scene.in_queue(stream, waiting.op),
                (Stage::Running, _) => None,
            };
            holds.extend(hold.map(|hold| (waiting.op, hold)));
        }
    }
    holds
}

/// The kernel of a launch.
fn kernel<'a>(setup: &'a Setup, trace: &Trace, op: OpId) -> Option<&'a Kernel> {
    let Some(Subject::Kernel(run)) = trace.subject(op) else { return None };
    setup.kernels.get(trace.kernels.get(run)?.kernel)
}

/// What is free on an SM for a process: what its own blocks leave.
fn free(setup: &Setup, trace: &Trace, state: &State, sm: usize, process: u32) -> Resources {
    let whole = Resources::of_sm(&setup.device);
    let Some(sm) = state.sms.get(sm) else { return whole };
    let need = |kernel: usize| {
        let run = trace.kernels.get(kernel)?;
        let own = setup.streams.get(run.stream)?.process == process;
        Some(Resources::of_block(&setup.device, setup.kernels.get(run.kernel)?)).filter(|_| own)
    };
    let taken = sm.blocks.iter().filter_map(|block| need(block.kernel));
    whole.minus(taken.fold(Resources::default(), Resources::plus))
}

/// An instant of a run.
struct Scene<'a> {
    setup: &'a Setup,
    trace: &'a Trace,
    state: &'a State,
}

impl Scene<'_> {
    /// N1 and N2, for the head of a stream.
    fn across(&self, stream: usize, op: OpId) -> Option<Hold> {
        let own = self.setup.streams.get(stream)?;
        let of_kind = |kind: StreamKind| {
            let other = move |stream: &Stream| stream.process == own.process && stream.kind == kind;
            let queues = self.setup.streams.iter().zip(&self.state.streams);
            queues.filter(move |(stream, _)| other(stream)).map(|(_, queue)| queue)
        };
        let earlier = |waiting: &&InStream| waiting.op < op;
        match own.kind {
            StreamKind::Null => {
                let heads = of_kind(StreamKind::Blocking).filter_map(|queue| queue.first());
                heads.filter(earlier).map(|head| head.op).min().map(Hold::NullWaits)
            }
            StreamKind::Blocking => {
                let null = of_kind(StreamKind::Null).flatten();
                null.filter(earlier).map(|waiting| waiting.op).max().map(Hold::WaitsForNull)
            }
            StreamKind::NonBlocking => None,
        }
    }

    fn in_queue(&self, stream: usize, op: OpId) -> Option<Hold> {
        match self.trace.subject(op)? {
            Subject::Kernel(_) => self.kernel_in_queue(self.setup.streams.get(stream)?, op),
            Subject::Copy(run) => {
                let engine = usize::from(self.trace.copies.get(run)?.engine);
                let queue = self.state.ce.get(engine)?;
                let place = queue.iter().position(|other| *other == op)?;
                match place.checked_sub(1) {
                    Some(before) => Some(Hold::NotHead(queue[before])),
                    None => self.state.copying.get(engine).copied().flatten().map(Hold::Engine),
                }
            }
        }
    }

    /// X1, A2, P1, R1 to R3, for a kernel in an EE queue.
    fn kernel_in_queue(&self, stream: &Stream, op: OpId) -> Option<Hold> {
        let mine = |queue: &&EeQueue| queue.process == stream.process;
        let own = self.state.ee.iter().filter(mine).find(|queue| queue.priority == stream.priority)?;
        let place = own.ops.iter().position(|(other, _)| *other == op)?;
        if let Some(before) = place.checked_sub(1) {
            return Some(Hold::NotHead(own.ops[before].0));
        }
        // Queues of a process stand by priority: the last of the more urgent ones is the next one up.
        let urgent = self.state.ee.iter().filter(mine).rfind(|queue| queue.priority < stream.priority);
        if let Some(urgent) = urgent.and_then(|queue| queue.ops.first()) {
            return Some(Hold::Urgent(urgent.0));
        }
        match self.state.device {
            Some(process) if process != stream.process => Some(Hold::Process(process)),
            _ => self.short(stream.process, op).or_else(|| self.draining(stream.process)),
        }
    }

    /// What the SMs lack for the next block of a kernel.
    fn short(&self, process: u32, op: OpId) -> Option<Hold> {
        let Device { sms, .. } = self.setup.device;
        let kernel = kernel(self.setup, self.trace, op)?;
        let need = Resources::of_block(&self.setup.device, kernel);
        let usable = kernel.mask.below(sms);
        let free: Vec<Resources> =
            usable.map(|sm| free(self.setup, self.trace, self.state, usize::from(sm), process)).collect();
        if free.iter().any(|free| free.lacks(need).is_none()) {
            return None;
        }
        let everywhere = |resource: &Resource| free.iter().all(|free| free.lacks_of(*resource, need));
        Some(match Resource::ALL.into_iter().find(everywhere) {
            Some(Resource::Threads) => Hold::Threads,
            Some(Resource::SharedMemory) => Hold::SharedMemory,
            Some(Resource::Registers) => Hold::Registers,
            Some(Resource::Blocks) => Hold::BlockLimit,
            None => Hold::Mixed,
        })
    }

    /// A process that has the device and room and yet starts nothing waits for its blocks to end, if another one
    /// has the device next.
    fn draining(&self, process: u32) -> Option<Hold> {
        let next = self.trace.slices.partition_point(|slice| slice.start <= self.state.at);
        let next = self.trace.slices.get(next).filter(|slice| slice.process != process)?;
        Some(Hold::Process(next.process))
    }
}
