//! Processes share the device in slices (P1).

use super::*;
use crate::{Simulation, Stop};
use expect_test::expect;

/// Two processes with one kernel each, of so many blocks of 4 threads on one SM.
fn two(first: (u32, u64), second: (u32, u64), quantum: u64, switch: Switch) -> Workload {
    let mut w = idle();
    w.setup.device.sms = 1;
    w.slicing = Slicing { quantum: Nanos(quantum), switch };
    for (process, (blocks, duration)) in [(3, first), (8, second)] {
        let stream = w.stream_as(StreamKind::NonBlocking, 0, process);
        let kernel = w.kernel(blocks, 4, duration);
        w.program_of(process, vec![launch(stream, kernel)]);
    }
    w
}

#[test]
fn p1_a_process_that_is_done_hands_on_at_once() {
    check(
        &two((2, 3), (1, 4), 100, Switch::Drain),
        expect![[r#"
        #0 kernel 0 in stream 0, round 0, [0, 0, 0, 3, 6]: 0@0-3 0@3-6
        #1 kernel 1 in stream 1, round 0, [0, 0, 6, 6, 10]: 0@6-10
        process 3 has the device 0-6
        process 8 has the device 6-10
        Done, 10
    "#]],
    );
}

#[test]
fn p1_drain_lets_running_blocks_end() {
    check(
        &two((3, 6), (2, 5), 7, Switch::Drain),
        expect![[r#"
        #0 kernel 0 in stream 0, round 0, [0, 0, 0, 22, 28]: 0@0-6 0@6-12 0@22-28
        #1 kernel 1 in stream 1, round 0, [0, 0, 12, 17, 22]: 0@12-17 0@17-22
        process 3 has the device 0-12
        process 8 has the device 12-22
        process 3 has the device 22-28
        Done, 28
    "#]],
    );
}

#[test]
fn p1_preempt_lets_blocks_stand_still() {
    check(
        &two((2, 6), (2, 5), 4, Switch::Preempt),
        expect![[r#"
        #0 kernel 0 in stream 0, round 0, [0, 0, 0, 10, 20]: 0@0-10 0@10-20
        #1 kernel 1 in stream 1, round 0, [0, 0, 4, 13, 22]: 0@4-13 0@13-22
        process 3 has the device 0-4
        process 8 has the device 4-8
        process 3 has the device 8-12
        process 8 has the device 12-16
        process 3 has the device 16-20
        process 8 has the device 20-22
        Done, 22
    "#]],
    );
}

#[test]
fn p1_nobody_else_waits_so_the_device_is_kept() {
    let mut w = two((4, 6), (1, 5), 4, Switch::Preempt);
    w.programs[1].repeat.release = Nanos(15);
    check(
        &w,
        expect![[r#"
        #0 kernel 0 in stream 0, round 0, [0, 0, 0, 22, 29]: 0@0-6 0@6-12 0@12-22 0@22-29
        #1 kernel 1 in stream 1, round 0, [15, 15, 15, 15, 24]: 0@15-24
        process 3 has the device 0-15
        process 8 has the device 15-19
        process 3 has the device 19-23
        process 8 has the device 23-24
        process 3 has the device 24-29
        Done, 29
    "#]],
    );
    w.slicing.switch = Switch::Drain;
    check(
        &w,
        expect![[r#"
        #0 kernel 0 in stream 0, round 0, [0, 0, 0, 23, 29]: 0@0-6 0@6-12 0@12-18 0@23-29
        #1 kernel 1 in stream 1, round 0, [15, 15, 18, 18, 23]: 0@18-23
        process 3 has the device 0-18
        process 8 has the device 18-23
        process 3 has the device 23-29
        Done, 29
    "#]],
    );
}

#[test]
fn p1_three_take_turns_by_number() {
    let mut w = two((1, 9), (1, 9), 4, Switch::Preempt);
    let stream = w.stream_as(StreamKind::NonBlocking, 0, 5);
    w.program_of(5, vec![launch(stream, 0)]);
    check(
        &w,
        expect![[r#"
        #0 kernel 0 in stream 0, round 0, [0, 0, 0, 0, 25]: 0@0-25
        #1 kernel 1 in stream 1, round 0, [0, 0, 8, 8, 27]: 0@8-27
        #2 kernel 0 in stream 2, round 0, [0, 0, 4, 4, 26]: 0@4-26
        process 3 has the device 0-4
        process 5 has the device 4-8
        process 8 has the device 8-12
        process 3 has the device 12-16
        process 5 has the device 16-20
        process 8 has the device 20-24
        process 3 has the device 24-25
        process 5 has the device 25-26
        process 8 has the device 26-27
        Done, 27
    "#]],
    );
}

#[test]
fn p1_each_process_has_the_whole_device_and_copies_do_not_care() {
    let mut w = two((1, 9), (1, 9), 4, Switch::Preempt);
    let (stream, copy) = (w.stream_as(StreamKind::NonBlocking, 0, 8), w.copy(Direction::In, 3));
    w.program_of(8, vec![Action::Copy { stream, copy, wait: false }]);
    check(
        &w,
        expect![[r#"
        #0 kernel 0 in stream 0, round 0, [0, 0, 0, 0, 17]: 0@0-17
        #1 kernel 1 in stream 1, round 0, [0, 0, 4, 4, 18]: 0@4-18
        #2 copy 0 in stream 2, round 0, [0, 0, 0, 3] on 0
        process 3 has the device 0-4
        process 8 has the device 4-8
        process 3 has the device 8-12
        process 8 has the device 12-16
        process 3 has the device 16-17
        process 8 has the device 17-18
        Done, 18
    "#]],
    );
}

#[test]
fn p1_a_quantum_of_nothing_still_lets_everybody_go_on() {
    check(
        &two((1, 2), (1, 2), 0, Switch::Preempt),
        expect![[r#"
        #0 kernel 0 in stream 0, round 0, [0, 0, 0, 0, 3]: 0@0-3
        #1 kernel 1 in stream 1, round 0, [0, 0, 1, 1, 4]: 0@1-4
        process 3 has the device 0-1
        process 8 has the device 1-2
        process 3 has the device 2-3
        process 8 has the device 3-4
        Done, 4
    "#]],
    );
    check(
        &two((2, 2), (1, 2), 0, Switch::Drain),
        expect![[r#"
        #0 kernel 0 in stream 0, round 0, [0, 0, 0, 4, 6]: 0@0-2 0@4-6
        #1 kernel 1 in stream 1, round 0, [0, 0, 2, 2, 4]: 0@2-4
        process 3 has the device 0-2
        process 8 has the device 2-4
        process 3 has the device 4-6
        Done, 6
    "#]],
    );
}

#[test]
fn p1_too_many_slices_end_the_run() {
    let mut simulation = Simulation::new(&two((1, 1_000), (1, 1_000), 1, Switch::Preempt));
    simulation.most_slices = 100;
    let run = simulation.finish();
    assert_eq!((run.trace.slices.len(), run.stop), (100, Stop::TooManySlices(Nanos(100))));
}

#[test]
fn p1_each_process_has_a_null_stream_of_its_own() {
    let mut w = idle();
    let kernel = w.kernel(1, 1, 3);
    for process in 0..2 {
        let null = w.stream_as(StreamKind::Null, 0, process);
        let blocking = w.stream_as(StreamKind::Blocking, 0, process);
        w.program_of(process, vec![launch(null, kernel), launch(blocking, kernel)]);
    }
    check(
        &w,
        expect![[r#"
        #0 kernel 0 in stream 0, round 0, [0, 0, 0, 0, 3]: 0@0-3
        #1 kernel 0 in stream 1, round 0, [0, 3, 3, 3, 6]: 0@3-6
        #2 kernel 0 in stream 2, round 0, [0, 0, 6, 6, 9]: 0@6-9
        #3 kernel 0 in stream 3, round 0, [0, 9, 9, 9, 12]: 0@9-12
        process 0 has the device 0-6
        process 1 has the device 6-12
        Done, 12
    "#]],
    );
}
