//! Sentences of a small run, and reasons that agree with the simulator's.

use std::collections::BTreeMap;

use expect_test::{Expect, expect};

use super::*;
use crate::damage::damage;
use crate::replay::Replay;
use crate::small::small;
use crate::{Decision, Verdict, random, simulate};
use base::{Nanos, Seeded};

#[test]
fn what_is_short_of_different_things_or_on_many_is_told_shortly() {
    let mixed = "stream s1
                 stream s2
                 K1 s @0 t=900 : 0:0-9
                 K2 s1 @0 t=1 shared=900 mask=1 : 1:0-9
                 K3 s2 @1 t=512 shared=512 : 0:9-10";
    let last = |text: &str| {
        let (setup, trace) = small(text);
        let replay = Replay::new(&setup, &trace);
        let state = replay.state_at(replay.step_at(Nanos(1)));
        let held = holds(&setup, &trace, &state);
        held.last().map(|(op, hold)| hold_sentence(&setup, &trace, &state, *op, *hold)).unwrap_or_default()
    };
    expect!["K3 waits: block 0 needs 512 threads and 512 bytes of shared memory; SM 0 has 124 threads free, SM 1 has 100 bytes of shared memory free (R1)."].assert_eq(&last(mixed));
    let many = "device sms=6
                stream s1
                K1 s @0 t=900 : 0:0-9 1:0-9 2:0-9 3:0-9 4:0-9 5:0-9
                K2 s1 @1 t=200 : 0:9-10";
    expect![
        "K2 waits: block 0 needs 200 threads; none of 6 multiprocessors has more than 124 of 1,024 free (R2)."
    ]
    .assert_eq(&last(many));
}

/// What happens, and after each instant why things wait.
fn told(text: &str, expected: Expect) {
    let (setup, trace) = small(text);
    let replay = Replay::new(&setup, &trace);
    let mut lines = Vec::new();
    for (i, event) in replay.events().iter().enumerate() {
        lines.push(format!("{}: {}", event.at, sentence(&setup, &trace, event)));
        if replay.step_at(event.at) == i + 1 {
            let state = replay.state_at(i + 1);
            let holds = holds(&setup, &trace, &state);
            lines.extend(
                holds
                    .iter()
                    .map(|(op, hold)| format!("    {}", hold_sentence(&setup, &trace, &state, *op, *hold))),
            );
        }
    }
    expected.assert_eq(&lines.join("\n"));
}

#[test]
fn a_small_run_in_sentences() {
    told(
        "device engines=1
         stream null null
         stream high prio=-1
         copy In s @0 : 0-4
         K1 s @0 t=768 : 0:4-10 1:4-10 0:10-14
         copy Set high @1 : 4-6
         K2 high @1 t=512 mask=1 : 1:10-12
         K3 null @2 q=14 : 0:14-16",
        expect![[r#"
            0 s: In is issued: it enters the queue of stream s (G1).
            0 s: K1 is launched: it enters the queue of stream s (G1).
            0 s: In heads its stream's queue: it enters the copy queue (C1).
            0 s: In heads the copy queue and its engine is free: it starts (C2) and leaves that queue (C3).
                K1 waits: In, before it in its stream, has not ended (G2).
            1 ns: Set is issued: it enters the queue of stream high (G1).
            1 ns: K2 is launched: it enters the queue of stream high (G1).
            1 ns: Set heads its stream's queue: it enters the copy queue (C1).
                K1 waits: In, before it in its stream, has not ended (G2).
                Set waits: its copy engine is busy with In (C2).
                K2 waits: Set, before it in its stream, has not ended (G2).
            2 ns: K3 is launched: it enters the queue of stream null (G1).
                K1 waits: In, before it in its stream, has not ended (G2).
                K3 waits: it is in the null stream, and In, issued before it in a blocking stream, has not ended (N1).
                Set waits: its copy engine is busy with In (C2).
                K2 waits: Set, before it in its stream, has not ended (G2).
            4 ns: In is done: it leaves its stream's queue (C4).
            4 ns: K1 heads its stream's queue: it enters the execution queue of priority 0 (G2).
            4 ns: Set heads the copy queue and its engine is free: it starts (C2) and leaves that queue (C3).
            4 ns: 2 blocks of K1 went to SM 0 and SM 1: K1 heads the execution queue (X1), and there was room for each: 768 threads (R2).
                K1 waits: block 2 needs 768 threads; SM 0 has 256 of 1,024 free, SM 1 has 256 (R2).
                K3 waits: it is in the null stream, and K1, issued before it in a blocking stream, has not ended (N1).
                K2 waits: Set, before it in its stream, has not ended (G2).
            6 ns: Set is done: it leaves its stream's queue (C4).
            6 ns: K2 heads its stream's queue: it enters the execution queue of priority -1 (G2).
                K1 waits: K2, of higher priority, has blocks to start (A2).
                K3 waits: it is in the null stream, and K1, issued before it in a blocking stream, has not ended (N1).
                K2 waits: block 0 needs 512 threads; SM 1 has 256 of 1,024 free (R2).
            10 ns: 2 blocks of K1 have ended on SM 0 and SM 1: what they held is free again.
            10 ns: Block 0 of K2 went to SM 1: K2 heads the execution queue (X1), it may use these multiprocessors (M1), and there was room for it: 512 threads (R2).
            10 ns: The last block of K2 has started: it leaves the execution queue (G3).
            10 ns: Block 2 of K1 went to SM 0: K1 heads the execution queue (X1), and there was room for it: 768 threads (R2).
            10 ns: The last block of K1 has started: it leaves the execution queue (G3).
                K3 waits: it is in the null stream, and K1, issued before it in a blocking stream, has not ended (N1).
            12 ns: 1 block of K2 has ended on SM 1: what it held is free again.
            12 ns: The last block of K2 has ended: it leaves its stream's queue (G4).
                K3 waits: it is in the null stream, and K1, issued before it in a blocking stream, has not ended (N1).
            14 ns: 1 block of K1 has ended on SM 0: what it held is free again.
            14 ns: The last block of K1 has ended: it leaves its stream's queue (G4).
            14 ns: K3 heads its stream's queue: it enters the execution queue of priority 0 (G2).
            14 ns: Block 0 of K3 went to SM 0: K3 heads the execution queue (X1), and there was room for it: 512 threads (R2).
            14 ns: The last block of K3 has started: it leaves the execution queue (G3).
            16 ns: 1 block of K3 has ended on SM 0: what it held is free again.
            16 ns: The last block of K3 has ended: it leaves its stream's queue (G4)."#]],
    );
}

#[test]
fn what_is_short_is_told_in_numbers() {
    let text = "K1 s @0 t=600 shared=100 : 0:0-9 1:0-5 1:5-9
                stream s1
                K2 s1 @1 t=1 shared=950 : 1:9-10";
    let text = &text.replace("K1", "K0 s @0 t=1 : 0:0-0\n K1");
    told(
        text,
        expect![[r#"
        0 s: K0 is launched: it enters the queue of stream s (G1).
        0 s: K1 is launched: it enters the queue of stream s (G1).
        0 s: K0 heads its stream's queue: it enters the execution queue (G2).
        0 s: Block 0 of K0 went to SM 0: K0 heads the execution queue (X1), and there was room for it: 1 thread (R2).
        0 s: The last block of K0 has started: it leaves the execution queue (G3).
        0 s: 1 block of K0 has ended on SM 0: what it held is free again.
        0 s: The last block of K0 has ended: it leaves its stream's queue (G4).
        0 s: K1 heads its stream's queue: it enters the execution queue (G2).
        0 s: 2 blocks of K1 went to SM 0 and SM 1: K1 heads the execution queue (X1), and there was room for each: 600 threads (R2), 100 bytes of shared memory (R3).
            K1 waits: block 2 needs 600 threads; SM 0 has 424 of 1,024 free, SM 1 has 424 (R2).
        1 ns: K2 is launched: it enters the queue of stream s1 (G1).
        1 ns: K2 heads its stream's queue: it enters the execution queue (G2).
            K1 waits: block 2 needs 600 threads; SM 0 has 424 of 1,024 free, SM 1 has 424 (R2).
            K2 waits: K1 stands before it in the queue (X1).
        5 ns: 1 block of K1 has ended on SM 1: what it held is free again.
        5 ns: Block 2 of K1 went to SM 1: K1 heads the execution queue (X1), and there was room for it: 600 threads (R2), 100 bytes of shared memory (R3).
        5 ns: The last block of K1 has started: it leaves the execution queue (G3).
            K2 waits: block 0 needs 950 bytes of shared memory; SM 0 has 900 of 1,000 free, SM 1 has 900 (R3).
        9 ns: 2 blocks of K1 have ended on SM 0 and SM 1: what they held is free again.
        9 ns: The last block of K1 has ended: it leaves its stream's queue (G4).
        9 ns: Block 0 of K2 went to SM 1: K2 heads the execution queue (X1), and there was room for it: 1 thread (R2), 950 bytes of shared memory (R3).
        9 ns: The last block of K2 has started: it leaves the execution queue (G3).
        10 ns: 1 block of K2 has ended on SM 1: what it held is free again.
        10 ns: The last block of K2 has ended: it leaves its stream's queue (G4)."#]],
    );
}

fn process(setup: &Setup, trace: &Trace, op: OpId) -> Option<u32> {
    let Some(Subject::Kernel(run)) = trace.subject(op) else { return None };
    Some(setup.streams[trace.kernels[run].stream].process)
}

#[test]
fn reasons_agree_with_the_simulator() {
    (0..400).for_each(|stream| agree(4, stream));
}

fn agree(seed: u64, stream: u64) {
    let w = random::workload(&mut Seeded::new(seed, stream));
    let run = simulate(&w);
    let replay = Replay::new(&w.setup, &run.trace);
    let mut said = BTreeMap::<OpId, Hold>::new();
    for together in run.decisions.chunk_by(|a, b| a.at == b.at) {
        for Decision { op, verdict, .. } in together {
            match verdict {
                Verdict::Held(hold) => said.insert(*op, *hold),
                _ => said.remove(op),
            };
        }
        let state = replay.state_at(replay.step_at(together[0].at));
        let mut holds: BTreeMap<OpId, Hold> = holds(&w.setup, &run.trace, &state).into_iter().collect();
        for (op, hold) in &said {
            let agrees = match (hold, holds.get(op)) {
                // The simulator names the process that had the device when this began to wait.
                (Hold::Process(_), Some(Hold::Process(_))) => true,
                // That the time of a process is over does not show in a trace while its blocks run on.
                (Hold::Process(_), Some(_)) => {
                    state.device.is_some() && process(&w.setup, &run.trace, *op) == state.device
                }
                // Which of two comes first in a queue does not always show.
                (Hold::NotHead(_), Some(Hold::NotHead(_))) => true,
                _ => false,
            };
            if agrees {
                holds.insert(*op, *hold);
            }
        }
        assert_eq!(holds, said, "{stream} at {}", together[0].at);
    }
}

#[test]
fn no_record_stops_it() {
    for stream in 0..150 {
        let mut rng = Seeded::new(5, stream);
        let mut w = random::workload(&mut rng);
        let mut trace = simulate(&w).trace;
        for _ in 0..1 + rng.below(6) {
            damage(&mut rng, &mut trace);
        }
        if rng.below(4) == 0 {
            (w.setup.device.sms, w.setup.device.copy_engines) = (300, 300);
            w.setup.kernels.iter_mut().for_each(|kernel| kernel.threads = u32::MAX);
        }
        let replay = Replay::new(&w.setup, &trace);
        let words = Words::new(&w.setup, &trace);
        assert!(replay.events().is_sorted_by_key(|event| event.at));
        for (i, event) in replay.events().iter().enumerate() {
            assert_ne!(words.event(event), "");
            assert!(replay.blocks(i).len() <= trace.blocks.len());
            let state = replay.state_at(i);
            for (op, hold) in holds(&w.setup, &trace, &state) {
                assert_ne!(words.hold(&state, op, hold), "");
            }
        }
    }
}
