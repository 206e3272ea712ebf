//! Why operations wait: every reason once, and all decisions of a small run.

use super::*;
use expect_test::expect;

#[test]
fn all_decisions_of_a_small_run() {
    let mut w = idle();
    w.setup.device.sms = 1;
    let (stream, kernel) = w.alone(3, 2, 5);
    let copy = w.copy(Direction::Out, 2);
    w.programs[0].repeat.body = vec![launch(stream, kernel), Action::Copy { stream, copy, wait: false }];
    let line = |it: &crate::Decision| format!("{} #{} {:?}\n", it.at.0, it.op.0, it.verdict);
    let decisions: String = simulate(&w).decisions.iter().map(line).collect();
    expect![[r#"
        0 #0 Issued
        0 #1 Issued
        0 #0 Queued
        0 #0 Assigned { first: 0, count: 2 }
        0 #0 Held(Threads)
        0 #1 Held(Behind(OpId(0)))
        5 #0 Assigned { first: 2, count: 1 }
        5 #0 Dispatched
        10 #0 Ended
        10 #1 Queued
        10 #1 Copying
        12 #1 Ended
    "#]]
    .assert_eq(&decisions);
}

#[test]
fn behind_another_of_its_stream() {
    let mut w = idle();
    let (stream, kernel) = w.alone(1, 1, 5);
    w.programs[0].repeat.rounds = Some(3);
    w.programs[0].repeat.body = vec![launch(stream, kernel)];
    check_holds(
        &w,
        expect![[r#"
        0 #1 G2 Behind(OpId(0))
        0 #2 G2 Behind(OpId(1))
    "#]],
    );
}

#[test]
fn the_null_stream_waits() {
    let mut w = idle();
    let (one, two) = (w.stream_as(StreamKind::Blocking, 0, 0), w.stream_as(StreamKind::Blocking, 0, 0));
    let null = w.stream_as(StreamKind::Null, 0, 0);
    let (short, long) = (w.kernel(1, 1, 3), w.kernel(1, 1, 5));
    w.program(vec![launch(one, short), launch(two, long), launch(one, long), launch(null, short)]);
    check_holds(
        &w,
        expect![[r#"
        0 #2 G2 Behind(OpId(0))
        0 #3 N1 NullWaits(OpId(0))
        3 #3 N1 NullWaits(OpId(1))
        5 #3 N1 NullWaits(OpId(2))
    "#]],
    );
}

#[test]
fn blocking_streams_wait_for_the_null_stream() {
    let mut w = idle();
    let null = w.stream_as(StreamKind::Null, 0, 0);
    let (one, two) = (w.stream_as(StreamKind::Blocking, 0, 0), w.stream_as(StreamKind::Blocking, 0, 0));
    let kernel = w.kernel(1, 1, 3);
    w.program(vec![launch(null, kernel), launch(null, kernel), launch(one, kernel), launch(two, kernel)]);
    check_holds(
        &w,
        expect![[r#"
        0 #1 G2 Behind(OpId(0))
        0 #2 N2 WaitsForNull(OpId(1))
        0 #3 N2 WaitsForNull(OpId(1))
    "#]],
    );
}

#[test]
fn in_the_queue_behind_the_one_before() {
    let mut w = idle();
    for _ in 0..4 {
        w.alone(1, 4, 5);
    }
    w.setup.device.sms = 1;
    check_holds(
        &w,
        expect![[r#"
        0 #1 R2 Threads
        0 #2 X1 NotHead(OpId(1))
        0 #3 X1 NotHead(OpId(2))
        5 #2 R2 Threads
        10 #3 R2 Threads
    "#]],
    );
}

#[test]
fn more_urgent_queues_go_first() {
    let mut w = idle();
    w.setup.device.sms = 1;
    let kernel = w.kernel(2, 4, 5);
    for priority in [0, -1, -2, -1] {
        let stream = w.stream_as(StreamKind::NonBlocking, priority, 0);
        w.program(vec![launch(stream, kernel)]);
    }
    check_holds(
        &w,
        expect![[r#"
        0 #0 A2 Urgent(OpId(1))
        0 #1 A2 Urgent(OpId(2))
        0 #2 R2 Threads
        0 #3 X1 NotHead(OpId(1))
        5 #1 R2 Threads
        10 #1 R2 Threads
        15 #0 A2 Urgent(OpId(3))
        15 #3 R2 Threads
        20 #3 R2 Threads
        25 #0 R2 Threads
        30 #0 R2 Threads
    "#]],
    );
}

#[test]
fn another_process_has_the_device() {
    let mut w = idle();
    w.setup.device.sms = 1;
    let kernel = w.kernel(2, 3, 5);
    for process in [4, 6] {
        let stream = w.stream_as(StreamKind::NonBlocking, 0, process);
        w.program_of(process, vec![launch(stream, kernel)]);
    }
    w.slicing = Slicing { quantum: Nanos(3), switch: Switch::Drain };
    check_holds(
        &w,
        expect![[r#"
        0 #0 R2 Threads
        0 #1 P1 Process(4)
        3 #0 P1 Process(6)
        5 #1 R2 Threads
        8 #1 P1 Process(4)
    "#]],
    );
    w.slicing.switch = Switch::Preempt;
    check_holds(
        &w,
        expect![[r#"
        0 #0 R2 Threads
        0 #1 P1 Process(4)
        3 #0 P1 Process(6)
        3 #1 R2 Threads
        6 #0 R2 Threads
        6 #1 P1 Process(4)
        9 #1 R2 Threads
    "#]],
    );
}

#[test]
fn threads_shared_memory_registers_places_or_a_mixture() {
    let mut w = idle();
    let (_, first) = w.alone(2, 3, 5);
    w.alone(1, 2, 1);
    check_holds(
        &w,
        expect![[r#"
        0 #1 R2 Threads
    "#]],
    );
    let second = w.setup.kernels.len() - 1;
    w.setup.kernels[first].threads = 1;
    w.setup.kernels[first].shared_memory = 80;
    w.setup.kernels[second].shared_memory = 30;
    check_holds(
        &w,
        expect![[r#"
        0 #1 R3 SharedMemory
    "#]],
    );
    w.setup.kernels[second].shared_memory = 0;
    w.setup.kernels[first].registers = 900;
    w.setup.kernels[second].registers = 51;
    check_holds(
        &w,
        expect![[r#"
        0 #1 R1 Registers
    "#]],
    );
    w.setup.kernels[second].registers = 0;
    w.setup.device.blocks_per_sm = 1;
    check_holds(
        &w,
        expect![[r#"
        0 #1 R1 BlockLimit
    "#]],
    );
}

#[test]
fn each_sm_lacks_something_else() {
    let mut w = idle();
    let (_, one) = w.alone(1, 3, 5);
    let (_, two) = w.alone(1, 1, 7);
    let (_, three) = w.alone(1, 2, 1);
    w.setup.kernels[one].mask = Mask::NONE.with(0, true);
    w.setup.kernels[two].mask = Mask::NONE.with(1, true);
    w.setup.kernels[two].shared_memory = 90;
    w.setup.kernels[three].shared_memory = 20;
    check_holds(
        &w,
        expect![[r#"
        0 #2 R1 Mixed
    "#]],
    );
    // Where it may only use one of them, that one tells.
    w.setup.kernels[three].mask = Mask::NONE.with(1, true);
    check_holds(
        &w,
        expect![[r#"
        0 #2 R3 SharedMemory
    "#]],
    );
}

#[test]
fn the_reason_changes_when_what_runs_does() {
    let mut w = idle();
    w.setup.device.sms = 1;
    let (_, memory) = w.alone(1, 1, 9);
    w.setup.kernels[memory].shared_memory = 60;
    w.alone(1, 2, 5);
    let (_, last) = w.alone(1, 2, 1);
    w.setup.kernels[last].shared_memory = 60;
    check_holds(
        &w,
        expect![[r#"
        0 #2 R2 Threads
        5 #2 R3 SharedMemory
    "#]],
    );
}

#[test]
fn copies_wait_for_their_engine() {
    let mut w = idle();
    let copy = w.copy(Direction::In, 4);
    for _ in 0..4 {
        let stream = w.stream();
        w.program(vec![Action::Copy { stream, copy, wait: false }]);
    }
    check_holds(
        &w,
        expect![[r#"
        0 #1 C2 Engine(OpId(0))
        0 #2 X1 NotHead(OpId(1))
        0 #3 X1 NotHead(OpId(2))
        4 #2 C2 Engine(OpId(1))
        8 #3 C2 Engine(OpId(2))
    "#]],
    );
}

#[test]
fn a_thousand_kernels_that_wait_cost_a_few_decisions_each() {
    let mut w = idle();
    let kernel = w.kernel(4, 4, 5);
    for index in 0..1_000 {
        let priority = -(index % 10);
        let stream = w.stream_as(StreamKind::NonBlocking, priority, 0);
        w.program(vec![launch(stream, kernel)]);
    }
    let decisions = simulate(&w).decisions.len();
    assert!(decisions <= 1_000 * 10 + 1_000, "{decisions}");
}
