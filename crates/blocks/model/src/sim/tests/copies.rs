//! Rules of copies: C1 to C4, with one engine and with two.

use super::*;
use expect_test::expect;

/// A copy in, a kernel and a copy out in each of two streams.
fn there_and_back() -> Workload {
    let mut w = idle();
    let kernel = w.kernel(1, 1, 6);
    let (to, back) = (w.copy(Direction::In, 4), w.copy(Direction::Out, 3));
    for _ in 0..2 {
        let stream = w.stream();
        let copy = |copy| Action::Copy { stream, copy, wait: false };
        w.program(vec![copy(to), launch(stream, kernel), copy(back)]);
    }
    w
}

#[test]
fn c1_to_c4_one_copy_at_a_time_beside_the_kernels() {
    check(
        &there_and_back(),
        expect![[r#"
        #0 copy 0 in stream 0, round 0, [0, 0, 0, 4] on 0
        #1 kernel 0 in stream 0, round 0, [0, 4, 4, 4, 10]: 0@4-10
        #2 copy 1 in stream 0, round 0, [0, 10, 10, 13] on 0
        #3 copy 0 in stream 1, round 0, [0, 0, 4, 8] on 0
        #4 kernel 0 in stream 1, round 0, [0, 8, 8, 8, 14]: 1@8-14
        #5 copy 1 in stream 1, round 0, [0, 14, 14, 17] on 0
        Done, 17
    "#]],
    );
}

#[test]
fn c2_two_engines_go_both_ways_at_once() {
    let mut w = there_and_back();
    w.setup.copies[0].duration = Nanos(10);
    check(
        &w,
        expect![[r#"
        #0 copy 0 in stream 0, round 0, [0, 0, 0, 10] on 0
        #1 kernel 0 in stream 0, round 0, [0, 10, 10, 10, 16]: 0@10-16
        #2 copy 1 in stream 0, round 0, [0, 16, 20, 23] on 0
        #3 copy 0 in stream 1, round 0, [0, 0, 10, 20] on 0
        #4 kernel 0 in stream 1, round 0, [0, 20, 20, 20, 26]: 0@20-26
        #5 copy 1 in stream 1, round 0, [0, 26, 26, 29] on 0
        Done, 29
    "#]],
    );
    w.setup.device.copy_engines = 2;
    check(
        &w,
        expect![[r#"
        #0 copy 0 in stream 0, round 0, [0, 0, 0, 10] on 0
        #1 kernel 0 in stream 0, round 0, [0, 10, 10, 10, 16]: 0@10-16
        #2 copy 1 in stream 0, round 0, [0, 16, 16, 19] on 1
        #3 copy 0 in stream 1, round 0, [0, 0, 10, 20] on 0
        #4 kernel 0 in stream 1, round 0, [0, 20, 20, 20, 26]: 0@20-26
        #5 copy 1 in stream 1, round 0, [0, 26, 26, 29] on 1
        Done, 29
    "#]],
    );
}

#[test]
fn a_copy_that_is_waited_for_keeps_the_program() {
    let mut w = idle();
    let (stream, other) = (w.stream(), w.stream());
    let (copy, kernel) = (w.copy(Direction::Set, 7), w.kernel(1, 1, 5));
    w.program(vec![launch(stream, kernel), Action::Copy { stream, copy, wait: true }, launch(other, kernel)]);
    check(
        &w,
        expect![[r#"
        #0 kernel 0 in stream 0, round 0, [0, 0, 0, 0, 5]: 0@0-5
        #1 copy 0 in stream 0, round 0, [0, 5, 5, 12] on 0
        #2 kernel 0 in stream 1, round 0, [12, 12, 12, 12, 17]: 0@12-17
        Done, 17
    "#]],
    );
}

#[test]
fn copies_mind_the_null_stream_too() {
    let mut w = idle();
    let blocking = w.stream_as(StreamKind::Blocking, 0, 0);
    let null = w.stream_as(StreamKind::Null, 0, 0);
    let copy = w.copy(Direction::Within, 4);
    let kernel = w.kernel(1, 1, 5);
    let issue = |stream| Action::Copy { stream, copy, wait: false };
    w.program(vec![launch(blocking, kernel), issue(null), issue(blocking)]);
    check(
        &w,
        expect![[r#"
        #0 kernel 0 in stream 0, round 0, [0, 0, 0, 0, 5]: 0@0-5
        #1 copy 0 in stream 1, round 0, [0, 5, 5, 9] on 0
        #2 copy 0 in stream 0, round 0, [0, 9, 9, 13] on 0
        Done, 13
    "#]],
    );
}

#[test]
fn copies_that_take_no_time_hold_nobody_up() {
    let mut w = idle();
    let (stream, copy) = (w.stream(), w.copy(Direction::In, 0));
    let issue = Action::Copy { stream, copy, wait: true };
    w.program(vec![issue.clone(), issue.clone(), sleep(1), issue]);
    check(
        &w,
        expect![[r#"
        #0 copy 0 in stream 0, round 0, [0, 0, 0, 0] on 0
        #1 copy 0 in stream 0, round 0, [0, 0, 0, 0] on 0
        #2 copy 0 in stream 0, round 0, [1, 1, 1, 1] on 0
        Done, 1
    "#]],
    );
}
