//! States of small runs, and of random ones step by step.

use std::fmt::Write;

use expect_test::{Expect, expect};

use super::*;
use crate::small::small;
use crate::{Workload, random, simulate};
use base::Seeded;

/// Every event with the state after it.
fn told(text: &str, expected: Expect) {
    let (setup, trace) = small(text);
    let replay = Replay::new(&setup, &trace);
    let mut out = String::new();
    for (i, event) in replay.events().iter().enumerate() {
        let kind = format!("{:?}", event.kind);
        let _ =
            writeln!(out, "{} {kind} {:?}: {}", event.at.0, replay.blocks(i), shown(&replay.state_at(i + 1)));
    }
    expected.assert_eq(&out);
}

/// Queues of streams, EE queues, CE queues, engines and SMs in a line.
fn shown(state: &State) -> String {
    let stage = |stage| match stage {
        Stage::Waiting => 'w',
        Stage::Queued => 'q',
        Stage::Starting => 's',
        Stage::Running => 'r',
    };
    let streams = state.streams.iter().map(|queue| {
        let ops = queue.iter().map(|waiting| format!("{}{}", waiting.op.0, stage(waiting.stage)));
        ops.collect::<Vec<_>>().join(" ")
    });
    let ee = state.ee.iter().map(|queue| {
        let ops = queue.ops.iter().map(|(op, left)| format!("{}({left})", op.0)).collect::<Vec<_>>();
        format!("{}/{}: {}", queue.process, queue.priority, ops.join(" "))
    });
    let ce = state.ce.iter().zip(&state.copying).map(|(queue, copying)| {
        let queue: Vec<u32> = queue.iter().map(|op| op.0).collect();
        format!("{queue:?} on {:?}", copying.map(|op| op.0))
    });
    let sms = state.sms.iter().map(|sm| {
        let blocks = sm.blocks.iter().map(|block| format!("{}:{}", block.kernel, block.block));
        format!("{} {}", sm.threads_used, blocks.collect::<Vec<_>>().join(" "))
    });
    let parts = [streams.collect::<Vec<_>>(), ee.collect(), ce.collect(), sms.collect()];
    parts.map(|part| part.join(", ")).join(" | ")
}

#[test]
fn two_streams_a_copy_and_a_block_that_takes_no_time() {
    told(
        "stream s1 prio=-1
         copy C0 s @0 : 0-4
         K1 s @0 : 0:4-9 1:4-4 1:9-12
         K2 s1 @1 t=1024 : 0:1-3
         K3 s1 @2 : 0:3-8",
        expect![[r#"
            0 Issued(OpId(0)) []: 0w,  |  | [] on None | 0 , 0 
            0 Issued(OpId(1)) []: 0w 1w,  |  | [] on None | 0 , 0 
            0 Queued(OpId(0)) []: 0q 1w,  |  | [0] on None | 0 , 0 
            0 CopyStarted(OpId(0)) []: 0r 1w,  |  | [] on Some(0) | 0 , 0 
            1 Issued(OpId(2)) []: 0r 1w, 2w |  | [] on Some(0) | 0 , 0 
            1 Queued(OpId(2)) []: 0r 1w, 2q | 0/-1: 2(1) | [] on Some(0) | 0 , 0 
            1 BlocksAssigned { kernel: 1, first: 0, count: 1 } [0]: 0r 1w, 2s | 0/-1: 2(0) | [] on Some(0) | 1024 1:0, 0 
            1 Dispatched(OpId(2)) []: 0r 1w, 2r |  | [] on Some(0) | 1024 1:0, 0 
            2 Issued(OpId(3)) []: 0r 1w, 2r 3w |  | [] on Some(0) | 1024 1:0, 0 
            3 BlocksEnded { kernel: 1, count: 1 } [0]: 0r 1w, 2r 3w |  | [] on Some(0) | 0 , 0 
            3 KernelEnded(OpId(2)) []: 0r 1w, 3w |  | [] on Some(0) | 0 , 0 
            3 Queued(OpId(3)) []: 0r 1w, 3q | 0/-1: 3(1) | [] on Some(0) | 0 , 0 
            3 BlocksAssigned { kernel: 2, first: 0, count: 1 } [0]: 0r 1w, 3s | 0/-1: 3(0) | [] on Some(0) | 512 2:0, 0 
            3 Dispatched(OpId(3)) []: 0r 1w, 3r |  | [] on Some(0) | 512 2:0, 0 
            4 CopyEnded(OpId(0)) []: 1w, 3r |  | [] on None | 512 2:0, 0 
            4 Queued(OpId(1)) []: 1q, 3r | 0/0: 1(3) | [] on None | 512 2:0, 0 
            4 BlocksAssigned { kernel: 0, first: 0, count: 2 } [0, 1]: 1s, 3r | 0/0: 1(1) | [] on None | 1024 2:0 0:0, 512 0:1
            4 BlocksEnded { kernel: 0, count: 1 } [1]: 1s, 3r | 0/0: 1(1) | [] on None | 1024 2:0 0:0, 0 
            8 BlocksEnded { kernel: 2, count: 1 } [0]: 1s, 3r | 0/0: 1(1) | [] on None | 512 0:0, 0 
            8 KernelEnded(OpId(3)) []: 1s,  | 0/0: 1(1) | [] on None | 512 0:0, 0 
            9 BlocksEnded { kernel: 0, count: 1 } [0]: 1s,  | 0/0: 1(1) | [] on None | 0 , 0 
            9 BlocksAssigned { kernel: 0, first: 2, count: 1 } [2]: 1s,  | 0/0: 1(0) | [] on None | 0 , 512 0:2
            9 Dispatched(OpId(1)) []: 1r,  |  | [] on None | 0 , 512 0:2
            12 BlocksEnded { kernel: 0, count: 1 } [2]: 1r,  |  | [] on None | 0 , 0 
            12 KernelEnded(OpId(1)) []: ,  |  | [] on None | 0 , 0 
        "#]],
    );
}

/// What an event does to a state.
fn apply(replay: &Replay, i: usize, state: &mut State) {
    let event = replay.events()[i];
    let stream = |op: OpId| match replay.trace.subject(op) {
        Some(Subject::Kernel(run)) => replay.trace.kernels[run].stream,
        Some(Subject::Copy(run)) => replay.trace.copies[run].stream,
        None => unreachable!("{op:?}"),
    };
    let engine = |op: OpId| match replay.trace.subject(op) {
        Some(Subject::Copy(run)) => usize::from(replay.trace.copies[run].engine),
        _ => unreachable!("{op:?}"),
    };
    let key = |op: OpId| {
        let stream = &replay.setup.streams[stream(op)];
        (stream.process, stream.priority)
    };
    state.at = event.at;
    match event.kind {
        EventKind::Issued(op) => state.streams[stream(op)].push(InStream { op, stage: Stage::Waiting }),
        EventKind::Queued(op) => {
            stage(state, stream(op), op, Stage::Queued);
            match replay.trace.subject(op) {
                Some(Subject::Kernel(run)) => {
                    let (process, priority) = key(op);
                    let left = replay.setup.kernels[replay.trace.kernels[run].kernel].blocks;
                    let place =
                        state.ee.binary_search_by_key(&key(op), |queue| (queue.process, queue.priority));
                    let place = place.unwrap_or_else(|place| {
                        state.ee.insert(place, EeQueue { process, priority, ops: Vec::new() });
                        place
                    });
                    let ops = &mut state.ee[place].ops;
                    ops.push((op, left));
                    ops.sort_by_key(|(op, _)| entered(replay, *op));
                }
                _ => {
                    let queue = &mut state.ce[engine(op)];
                    queue.push(op);
                    queue.sort_by_key(|op| entered(replay, *op));
                }
            }
        }
        EventKind::BlocksAssigned { kernel, count, first } => {
            let (run, numbers) = (&replay.trace.kernels[kernel], replay.blocks(i));
            assert_eq!((numbers.len(), numbers.iter().min()), (count as usize, Some(&first)));
            stage(state, run.stream, run.op, Stage::Starting);
            let queued = state.ee.iter_mut().flat_map(|queue| &mut queue.ops).find(|(op, _)| *op == run.op);
            queued.expect("it is queued").1 -= count;
            for block in numbers {
                let sm = replay.trace.blocks[run.blocks.start + block as usize].sm;
                state.sms[usize::from(sm)].blocks.push(Resident { kernel, block, motion: Motion::Running });
            }
        }
        EventKind::Dispatched(op) => {
            stage(state, stream(op), op, Stage::Running);
            let place = state.ee.iter().position(|queue| queue.ops.contains(&(op, 0))).expect("none is left");
            state.ee[place].ops.retain(|(other, _)| *other != op);
            state.ee.retain(|queue| !queue.ops.is_empty());
        }
        EventKind::CopyStarted(op) => {
            stage(state, stream(op), op, Stage::Running);
            assert_eq!(state.ce[engine(op)].remove(0), op);
            assert_eq!(state.copying[engine(op)].replace(op), None);
        }
        EventKind::BlocksEnded { kernel, .. } => {
            let numbers = replay.blocks(i);
            let mut ended = 0;
            for sm in &mut state.sms {
                let before = sm.blocks.len();
                sm.blocks.retain(|block| block.kernel != kernel || !numbers.contains(&block.block));
                ended += before - sm.blocks.len();
            }
            assert_eq!(ended, numbers.len());
        }
        EventKind::KernelEnded(op) => assert_eq!(state.streams[stream(op)].remove(0).op, op),
        EventKind::CopyEnded(op) => {
            assert_eq!(state.streams[stream(op)].remove(0).op, op);
            assert_eq!(state.copying[engine(op)].take(), Some(op));
        }
        EventKind::DeviceTo(process) => state.device = process,
    }
    recount(replay, state);
}

fn stage(state: &mut State, stream: usize, op: OpId, stage: Stage) {
    let found = state.streams[stream].iter_mut().find(|waiting| waiting.op == op);
    found.expect("it is in its stream's queue").stage = stage;
}

/// Its place among all that enter queues.
fn entered(replay: &Replay, op: OpId) -> u32 {
    replay.ops.iter().find(|found| found.id == op).expect("it is there").place
}

/// Who runs, and what they take.
fn recount(replay: &Replay, state: &mut State) {
    for sm in &mut state.sms {
        (sm.threads_used, sm.shared_memory_used, sm.registers_used) = (0, 0, 0);
        for block in &mut sm.blocks {
            let run = &replay.trace.kernels[block.kernel];
            let kernel = &replay.setup.kernels[run.kernel];
            let own = replay.setup.streams[run.stream].process;
            let runs = state.device.is_none_or(|process| process == own);
            block.motion = if runs { Motion::Running } else { Motion::Paused };
            if runs {
                sm.threads_used += u64::from(replay.setup.device.granted(kernel.threads));
                sm.shared_memory_used += u64::from(kernel.shared_memory);
                sm.registers_used += replay.setup.device.granted_registers(kernel.threads, kernel.registers);
            }
        }
    }
}

#[test]
fn every_state_of_a_random_run_follows_from_the_one_before() {
    (0..150).for_each(|stream| follows(3, stream));
}

fn follows(seed: u64, stream: u64) {
    let w: Workload = random::workload(&mut Seeded::new(seed, stream));
    let trace = simulate(&w).trace;
    let replay = Replay::new(&w.setup, &trace);
    let mut state = replay.state_at(0);
    assert!(state.streams.iter().all(Vec::is_empty) && state.sms.iter().all(|sm| sm.blocks.is_empty()));
    // What comes first where things begin and end at one instant, no record tells.
    let blocks = trace.blocks.iter().map(|block| (block.start, block.end));
    let spans = blocks.chain(trace.copies.iter().map(|copy| (copy.start, copy.end)));
    let twice: Vec<Nanos> = spans.filter(|(start, end)| start == end).map(|(start, _)| start).collect();
    for (i, event) in replay.events().iter().enumerate() {
        if twice.contains(&event.at) {
            state = replay.state_at(i + 1);
            continue;
        }
        apply(&replay, i, &mut state);
        assert_eq!(replay.state_at(i + 1), state, "{stream}: {event:?}");
    }
    let (last, events) = (replay.state_at(usize::MAX), replay.events().len());
    assert_eq!(last, state);
    assert!(last.streams.iter().all(Vec::is_empty) && last.sms.iter().all(|sm| sm.blocks.is_empty()));
    assert_eq!(replay.step_at(Nanos::NEVER), events);
    assert!(replay.events().is_sorted_by_key(|event| event.at));
}
