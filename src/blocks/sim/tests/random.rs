//! Random workloads: the naive twin sees the same, and decisions say what the trace says.

use super::*;
use crate::base::{Control, Seeded};
use crate::blocks::{Hold, OpId, Simulation, Stop, Trace, naive, random};

fn drawn(seed: u64, stream: u64) -> Workload {
    random::workload(&mut Seeded::new(seed, stream))
}

#[test]
fn the_naive_twin_sees_the_same() {
    let (mut blocks, mut copies, mut slices, mut cut) = (0, 0, 0, 0);
    for stream in 0..2_500 {
        let w = drawn(1, stream);
        let mut simulation = Simulation::new(&w);
        while simulation.step(&mut Control::slice(1 + stream % 50)) {}
        let run = simulation.finish();
        assert_eq!(run.trace, naive::simulate(&w), "{stream}: {w:#?}");
        blocks += run.trace.blocks.len();
        copies += run.trace.copies.len();
        slices += run.trace.slices.len();
        assert!(matches!(run.stop, Stop::Done | Stop::TooManyBlocks), "{:?}", run.stop);
        cut += usize::from(run.stop == Stop::TooManyBlocks);
    }
    // Nothing is drawn so rarely that it would not be tested.
    assert!(
        blocks > 30_000 && copies > 3_000 && slices > 3_000 && cut > 100,
        "{blocks} {copies} {slices} {cut}"
    );
}

/// An operation as the trace has it.
struct Known {
    stream: usize,
    /// Its copy engine, if it is a copy.
    engine: Option<u16>,
    issued: u64,
    queued: u64,
    /// When it left its EE or CE queue.
    left: u64,
    end: u64,
}

/// All operations, in their order.
fn known(trace: &Trace) -> Vec<Known> {
    let kernels = trace.kernels.iter().map(|it| {
        let [issued, queued, left, end] = [it.launched.0, it.queued.0, it.dispatched.0, it.end.0];
        (it.op, Known { stream: it.stream, engine: None, issued, queued, left, end })
    });
    let copies = trace.copies.iter().map(|it| {
        let [issued, queued, left, end] = [it.issued.0, it.queued.0, it.start.0, it.end.0];
        (it.op, Known { stream: it.stream, engine: Some(it.engine), issued, queued, left, end })
    });
    let mut all: Vec<(OpId, Known)> = kernels.chain(copies).collect();
    all.sort_by_key(|(op, _)| *op);
    assert!((0..).zip(&all).all(|(index, (op, _))| *op == OpId(index)));
    all.into_iter().map(|(_, known)| known).collect()
}

/// What the SMs lack at a time for blocks of a kernel launched as this operation.
fn lacking(w: &Workload, trace: &Trace, op: usize, at: u64) -> Option<Hold> {
    let Workload { setup, .. } = w;
    let process = |stream: usize| setup.streams[stream].process;
    let own = trace.kernels.iter().find(|run| run.op.0 as usize == op)?;
    let kernel = &setup.kernels[own.kernel];
    let device = &setup.device;
    let lacks = kernel.mask.below(device.sms).map(|sm| {
        let mut used = [0; 4];
        let mut add = |kernel: &Kernel| {
            let registers = kernel.threads * kernel.registers;
            let needs = [device.granted(kernel.threads), kernel.shared_memory, registers, 1];
            used = [0, 1, 2, 3].map(|index| used[index] + needs[index]);
        };
        for run in trace.kernels.iter().filter(|run| process(run.stream) == process(own.stream)) {
            let here = |block: &&BlockRun| block.sm == sm && block.start.0 <= at && at < block.end.0;
            let here = trace.blocks[run.blocks.clone()].iter().filter(here);
            here.for_each(|_| add(&setup.kernels[run.kernel]));
        }
        add(kernel);
        let Device { threads_per_sm, shared_memory_per_sm, registers_per_sm, blocks_per_sm, .. } = *device;
        let limits = [threads_per_sm, shared_memory_per_sm, registers_per_sm, blocks_per_sm];
        [0, 1, 2, 3].map(|index| used[index] > limits[index])
    });
    let lacks: Vec<[bool; 4]> = lacks.collect();
    let everywhere = [0, 1, 2, 3].map(|index| lacks.iter().all(|lacks| lacks[index]));
    let reasons = [Hold::Threads, Hold::SharedMemory, Hold::Registers, Hold::BlockLimit];
    let found = reasons.into_iter().zip(everywhere).find(|(_, everywhere)| *everywhere);
    Some(found.map_or(Hold::Mixed, |(hold, _)| hold))
}

/// Whether a reason given at a time is one.
fn holds_up(w: &Workload, trace: &Trace, all: &[Known], op: usize, at: u64, hold: Hold) -> bool {
    let it = &all[op];
    let stream = |it: &Known| w.setup.streams[it.stream].clone();
    let (own, waits) = (stream(it), it.queued > at);
    let earlier = |other: OpId| (other.0 as usize) < op && all[other.0 as usize].end > at;
    let queued = |it: &Known| it.queued <= at && at < it.left;
    let one = |other: OpId| &all[other.0 as usize];
    match hold {
        Hold::Behind(other) => waits && earlier(other) && one(other).stream == it.stream,
        Hold::NullWaits(other) | Hold::WaitsForNull(other) => {
            let kinds = (own.kind, stream(one(other)).kind);
            let right = match hold {
                Hold::NullWaits(_) => (StreamKind::Null, StreamKind::Blocking),
                _ => (StreamKind::Blocking, StreamKind::Null),
            };
            waits && earlier(other) && kinds == right && own.process == stream(one(other)).process
        }
        Hold::NotHead(other) => {
            let (other, its) = (one(other), stream(one(other)));
            let same = it.engine.is_some() || (own.process, own.priority) == (its.process, its.priority);
            queued(it) && queued(other) && other.engine == it.engine && same
        }
        Hold::Urgent(other) => {
            let its = stream(one(other));
            let urgent = own.process == its.process && its.priority < own.priority;
            queued(it) && queued(one(other)) && one(other).engine.is_none() && urgent
        }
        Hold::Process(other) => queued(it) && it.engine.is_none() && other != own.process,
        Hold::Engine(other) => {
            let other = one(other);
            queued(it) && other.left <= at && at < other.end && other.engine == it.engine
        }
        Hold::Threads | Hold::SharedMemory | Hold::Registers | Hold::BlockLimit | Hold::Mixed => {
            queued(it) && lacking(w, trace, op, at) == Some(hold)
        }
    }
}

#[test]
fn decisions_say_what_the_trace_says() {
    for stream in 0..1_000 {
        let w = drawn(2, stream);
        let run = simulate(&w);
        assert!(run.decisions.is_sorted_by_key(|decision| decision.at));
        let all = known(&run.trace);
        let mut of_ops = vec![Vec::new(); all.len()];
        for decision in &run.decisions {
            of_ops[decision.op.0 as usize].push((decision.at.0, decision.verdict));
        }
        for (op, (it, decisions)) in all.iter().zip(&of_ops).enumerate() {
            let at = |wanted: Verdict| {
                let found = decisions.iter().filter(|(_, verdict)| *verdict == wanted);
                found.map(|(at, _)| *at).collect::<Vec<_>>()
            };
            let leaves = if it.engine.is_some() { Verdict::Copying } else { Verdict::Dispatched };
            let milestones = [Verdict::Issued, Verdict::Queued, leaves, Verdict::Ended].map(at);
            assert_eq!(milestones, [it.issued, it.queued, it.left, it.end].map(|at| vec![at]));
            // Between two instants, whatever waits is held for a reason that is true.
            for together in decisions.chunk_by(|a, b| a.0 == b.0) {
                let [.., (at, last)] = *together else { continue };
                match last {
                    Verdict::Held(hold) => {
                        let sound = holds_up(&w, &run.trace, &all, op, at, hold);
                        assert!(sound, "{stream}: {hold:?} of #{op} at {at}");
                    }
                    _ => assert!(at >= it.left, "{stream}: {last:?} of #{op} at {at}"),
                }
            }
        }
        for it in &run.trace.kernels {
            let mut next = 0;
            for (at, verdict) in &of_ops[it.op.0 as usize] {
                let Verdict::Assigned { first, count } = *verdict else { continue };
                assert_eq!(first, next);
                next += count;
                let blocks = &run.trace.blocks[it.blocks.clone()][first as usize..next as usize];
                assert!(blocks.iter().all(|block| block.start.0 == *at));
            }
            assert_eq!(next as usize, it.blocks.len());
        }
    }
}
