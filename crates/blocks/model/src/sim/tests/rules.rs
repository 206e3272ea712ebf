//! Rules of kernels and blocks: G1 to G4, X1, R1 to R3, A1, A2, N1, N2, M1.

use super::*;
use expect_test::expect;

#[test]
fn g1_to_g4_kernels_of_one_stream_run_one_after_another() {
    let mut w = idle();
    let (stream, first) = w.alone(3, 4, 5);
    let second = w.kernel(1, 1, 2);
    w.programs[0].repeat.body = vec![launch(stream, first), launch(stream, second)];
    // The second could start at 5, when the last block of the first does, but its stream keeps it.
    check(
        &w,
        expect![[r#"
        #0 kernel 0 in stream 0, round 0, [0, 0, 0, 5, 10]: 0@0-5 1@0-5 0@5-10
        #1 kernel 1 in stream 0, round 0, [0, 10, 10, 10, 12]: 0@10-12
        Done, 12
    "#]],
    );
}

#[test]
fn x1_no_kernel_overtakes_the_head_of_the_queue() {
    let mut w = idle();
    w.alone(3, 2, 10);
    w.alone(2, 3, 4);
    w.alone(1, 1, 1);
    // The third would fit at 0, but the second stands before it.
    check(
        &w,
        expect![[r#"
        #0 kernel 0 in stream 0, round 0, [0, 0, 0, 0, 10]: 0@0-10 1@0-10 0@0-10
        #1 kernel 1 in stream 1, round 0, [0, 0, 10, 10, 14]: 0@10-14 1@10-14
        #2 kernel 2 in stream 2, round 0, [0, 0, 10, 10, 11]: 0@10-11
        Done, 14
    "#]],
    );
}

#[test]
fn g3_the_next_kernel_starts_in_the_instant_in_which_the_head_is_dispatched() {
    let mut w = idle();
    w.alone(1, 4, 10);
    w.alone(1, 2, 10);
    w.alone(1, 2, 10);
    check(
        &w,
        expect![[r#"
        #0 kernel 0 in stream 0, round 0, [0, 0, 0, 0, 10]: 0@0-10
        #1 kernel 1 in stream 1, round 0, [0, 0, 0, 0, 10]: 1@0-10
        #2 kernel 2 in stream 2, round 0, [0, 0, 0, 0, 10]: 1@0-10
        Done, 10
    "#]],
    );
}

#[test]
fn r1_registers_and_the_block_limit() {
    let mut w = idle();
    let (_, many) = w.alone(5, 1, 10);
    w.setup.kernels[many].registers = 500;
    w.setup.device.sms = 1;
    check(
        &w,
        expect![[r#"
        #0 kernel 0 in stream 0, round 0, [0, 0, 0, 20, 30]: 2x 0@0-10 2x 0@10-20 0@20-30
        Done, 30
    "#]],
    );
    w.setup.kernels[many].registers = 0;
    w.setup.device.blocks_per_sm = 3;
    check(
        &w,
        expect![[r#"
        #0 kernel 0 in stream 0, round 0, [0, 0, 0, 10, 20]: 3x 0@0-10 2x 0@10-20
        Done, 20
    "#]],
    );
}

#[test]
fn r2_threads_in_the_granularity_of_the_device() {
    let mut w = idle();
    w.setup.device.sms = 1;
    w.alone(4, 1, 10);
    check(
        &w,
        expect![[r#"
        #0 kernel 0 in stream 0, round 0, [0, 0, 0, 0, 10]: 4x 0@0-10
        Done, 10
    "#]],
    );
    w.setup.device.thread_granularity = 2;
    check(
        &w,
        expect![[r#"
        #0 kernel 0 in stream 0, round 0, [0, 0, 0, 10, 20]: 2x 0@0-10 2x 0@10-20
        Done, 20
    "#]],
    );
}

#[test]
fn r3_shared_memory() {
    let mut w = idle();
    let (_, kernel) = w.alone(3, 1, 10);
    w.setup.kernels[kernel].shared_memory = 60;
    check(
        &w,
        expect![[r#"
        #0 kernel 0 in stream 0, round 0, [0, 0, 0, 10, 20]: 0@0-10 1@0-10 0@10-20
        Done, 20
    "#]],
    );
}

#[test]
fn m1_blocks_keep_to_the_mask() {
    let mut w = idle();
    let (_, kernel) = w.alone(3, 2, 10);
    w.setup.kernels[kernel].mask = Mask::NONE.with(1, true);
    check(
        &w,
        expect![[r#"
        #0 kernel 0 in stream 0, round 0, [0, 0, 0, 10, 20]: 2x 1@0-10 1@10-20
        Done, 20
    "#]],
    );
}

#[test]
fn a1_a2_the_more_urgent_queue_goes_first_but_takes_nothing_back() {
    let mut w = idle();
    w.setup.device.sms = 1;
    w.alone(3, 4, 10);
    let urgent = w.stream_as(StreamKind::NonBlocking, -1, 0);
    let kernel = w.kernel(2, 2, 3);
    w.program(vec![sleep(5), launch(urgent, kernel)]);
    check(
        &w,
        expect![[r#"
        #0 kernel 0 in stream 0, round 0, [0, 0, 0, 23, 33]: 0@0-10 0@13-23 0@23-33
        #1 kernel 1 in stream 1, round 0, [5, 5, 10, 10, 13]: 2x 0@10-13
        Done, 33
    "#]],
    );
}

#[test]
fn n1_the_null_stream_waits_for_what_was_issued_before_it() {
    let mut w = idle();
    let blocking = w.stream_as(StreamKind::Blocking, 0, 0);
    let free = w.stream();
    let null = w.stream_as(StreamKind::Null, 0, 0);
    let kernel = w.kernel(1, 1, 5);
    let long = w.kernel(1, 1, 50);
    w.program(vec![
        launch(free, long),
        launch(blocking, kernel),
        launch(blocking, kernel),
        launch(null, kernel),
        launch(free, kernel),
    ]);
    check(
        &w,
        expect![[r#"
        #0 kernel 1 in stream 1, round 0, [0, 0, 0, 0, 50]: 0@0-50
        #1 kernel 0 in stream 0, round 0, [0, 0, 0, 0, 5]: 1@0-5
        #2 kernel 0 in stream 0, round 0, [0, 5, 5, 5, 10]: 1@5-10
        #3 kernel 0 in stream 2, round 0, [0, 10, 10, 10, 15]: 1@10-15
        #4 kernel 0 in stream 1, round 0, [0, 50, 50, 50, 55]: 0@50-55
        Done, 55
    "#]],
    );
}

#[test]
fn n2_blocking_streams_wait_for_what_the_null_stream_was_given_before() {
    let mut w = idle();
    let null = w.stream_as(StreamKind::Null, 0, 0);
    let blocking = w.stream_as(StreamKind::Blocking, 0, 0);
    let free = w.stream();
    let other = w.stream_as(StreamKind::Blocking, 0, 1);
    let kernel = w.kernel(1, 1, 5);
    w.program(vec![
        launch(null, kernel),
        launch(blocking, kernel),
        launch(free, kernel),
        launch(null, kernel),
        launch(blocking, kernel),
        launch(other, kernel),
    ]);
    check(
        &w,
        expect![[r#"
        #0 kernel 0 in stream 0, round 0, [0, 0, 0, 0, 5]: 0@0-5
        #1 kernel 0 in stream 1, round 0, [0, 5, 5, 5, 10]: 0@5-10
        #2 kernel 0 in stream 2, round 0, [0, 0, 0, 0, 5]: 1@0-5
        #3 kernel 0 in stream 0, round 0, [0, 10, 15, 15, 20]: 0@15-20
        #4 kernel 0 in stream 1, round 0, [0, 20, 20, 20, 25]: 0@20-25
        #5 kernel 0 in stream 3, round 0, [0, 0, 10, 10, 15]: 0@10-15
        process 0 has the device 0-10
        process 1 has the device 10-15
        process 0 has the device 15-25
        Done, 25
    "#]],
    );
}

#[test]
fn each_block_may_take_its_own_time() {
    let mut w = idle();
    let (_, kernel) = w.alone(4, 4, 0);
    w.setup.kernels[kernel].duration = Durations::Each([3, 1, 4, 1].map(Nanos).to_vec());
    check(
        &w,
        expect![[r#"
        #0 kernel 0 in stream 0, round 0, [0, 0, 0, 3, 5]: 0@0-3 1@0-1 1@1-5 0@3-4
        Done, 5
    "#]],
    );
}

#[test]
fn blocks_that_take_no_time_end_where_they_begin() {
    let mut w = idle();
    w.setup.device.sms = 1;
    let (stream, kernel) = w.alone(3, 3, 0);
    let after = w.kernel(1, 4, 1);
    w.program(vec![Action::WaitStream(stream), launch(stream, after)]);
    w.programs[0].repeat.body = vec![launch(stream, kernel), launch(stream, kernel)];
    check(
        &w,
        expect![[r#"
        #0 kernel 0 in stream 0, round 0, [0, 0, 0, 0, 0]: 3x 0@0-0
        #1 kernel 0 in stream 0, round 0, [0, 0, 0, 0, 0]: 3x 0@0-0
        #2 kernel 1 in stream 0, round 0, [0, 0, 0, 0, 1]: 0@0-1
        Done, 1
    "#]],
    );
}

#[test]
fn nothing_to_do_takes_no_time() {
    check(
        &idle(),
        expect![[r#"
        Done, 0
    "#]],
    );
}
