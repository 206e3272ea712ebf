//! Host programs: sleeps, waits, repeats, lockstep, and the limit of blocks.

use super::*;
use crate::{Simulation, Stop};
use expect_test::expect;

#[test]
fn programs_act_in_their_order() {
    let mut w = idle();
    w.setup.device.sms = 1;
    w.alone(1, 4, 2);
    w.alone(1, 4, 2);
    w.programs[0].repeat.release = Nanos(3);
    w.alone(1, 4, 2);
    check(
        &w,
        expect![[r#"
        #0 kernel 1 in stream 1, round 0, [0, 0, 0, 0, 2]: 0@0-2
        #1 kernel 2 in stream 2, round 0, [0, 0, 2, 2, 4]: 0@2-4
        #2 kernel 0 in stream 0, round 0, [3, 3, 4, 4, 6]: 0@4-6
        Done, 6
    "#]],
    );
}

#[test]
fn waiting_for_a_stream_and_for_the_device() {
    let mut w = idle();
    let (one, two, foreign) = (w.stream(), w.stream(), w.stream_as(StreamKind::NonBlocking, 0, 7));
    let (short, long) = (w.kernel(1, 1, 2), w.kernel(1, 1, 5));
    w.program_of(7, vec![sleep(100), launch(foreign, short)]);
    w.program(vec![
        launch(one, short),
        launch(two, long),
        Action::WaitStream(one),
        launch(one, short),
        Action::WaitDevice,
        launch(one, short),
    ]);
    check(
        &w,
        expect![[r#"
        #0 kernel 0 in stream 0, round 0, [0, 0, 0, 0, 2]: 0@0-2
        #1 kernel 1 in stream 1, round 0, [0, 0, 0, 0, 5]: 1@0-5
        #2 kernel 0 in stream 0, round 0, [2, 2, 2, 2, 4]: 0@2-4
        #3 kernel 0 in stream 0, round 0, [5, 5, 5, 5, 7]: 0@5-7
        #4 kernel 0 in stream 2, round 0, [100, 100, 100, 100, 102]: 0@100-102
        process 0 has the device 0-7
        process 7 has the device 100-102
        Done, 102
    "#]],
    );
}

#[test]
fn repeats_within_repeats() {
    let mut w = idle();
    let (stream, kernel) = (w.stream(), w.kernel(1, 1, 1));
    let inner = Repeat { release: Nanos(10), ..times(2, vec![launch(stream, kernel), sleep(3)]) };
    let outer = w.program(vec![Action::Repeat(inner), sleep(100)]);
    (outer.rounds, outer.release) = (Some(2), Nanos(1));
    check(
        &w,
        expect![[r#"
        #0 kernel 0 in stream 0, round 0, [11, 11, 11, 11, 12]: 0@11-12
        #1 kernel 0 in stream 0, round 0, [14, 14, 14, 14, 15]: 0@14-15
        #2 kernel 0 in stream 0, round 1, [127, 127, 127, 127, 128]: 0@127-128
        #3 kernel 0 in stream 0, round 1, [130, 130, 130, 130, 131]: 0@130-131
        Done, 131
    "#]],
    );
}

#[test]
fn a_repeat_that_is_limited_by_time_begins_no_round_at_the_limit() {
    let mut w = idle();
    let (stream, kernel) = (w.stream(), w.kernel(1, 1, 1));
    let repeat = w.program(vec![launch(stream, kernel), sleep(4)]);
    (repeat.release, repeat.rounds, repeat.time) = (Nanos(5), None, Some(Nanos(8)));
    check(
        &w,
        expect![[r#"
        #0 kernel 0 in stream 0, round 0, [5, 5, 5, 5, 6]: 0@5-6
        #1 kernel 0 in stream 0, round 1, [9, 9, 9, 9, 10]: 0@9-10
        Done, 10
    "#]],
    );
    w.programs[0].repeat.time = Some(Nanos(9));
    check(
        &w,
        expect![[r#"
        #0 kernel 0 in stream 0, round 0, [5, 5, 5, 5, 6]: 0@5-6
        #1 kernel 0 in stream 0, round 1, [9, 9, 9, 9, 10]: 0@9-10
        #2 kernel 0 in stream 0, round 2, [13, 13, 13, 13, 14]: 0@13-14
        Done, 14
    "#]],
    );
}

#[test]
fn programs_in_lockstep_begin_each_round_together_and_in_their_order() {
    let mut w = idle();
    for (rounds, duration, release) in [(2, 3, 0), (3, 5, 4), (1, 1, 0)] {
        let (stream, kernel) = w.alone(1, 1, duration);
        let last = w.programs.len() - 1;
        w.programs[last].repeat = Repeat {
            release: Nanos(release),
            lockstep: true,
            ..times(rounds, vec![launch(stream, kernel), Action::WaitStream(stream)])
        };
    }
    w.alone(1, 1, 2);
    check(
        &w,
        expect![[r#"
        #0 kernel 3 in stream 3, round 0, [0, 0, 0, 0, 2]: 0@0-2
        #1 kernel 0 in stream 0, round 0, [4, 4, 4, 4, 7]: 0@4-7
        #2 kernel 1 in stream 1, round 0, [4, 4, 4, 4, 9]: 1@4-9
        #3 kernel 2 in stream 2, round 0, [4, 4, 4, 4, 5]: 0@4-5
        #4 kernel 0 in stream 0, round 1, [9, 9, 9, 9, 12]: 0@9-12
        #5 kernel 1 in stream 1, round 1, [9, 9, 9, 9, 14]: 1@9-14
        #6 kernel 1 in stream 1, round 2, [14, 14, 14, 14, 19]: 0@14-19
        Done, 19
    "#]],
    );
}

#[test]
fn too_many_blocks_end_every_program() {
    let mut w = idle();
    w.most_blocks = 5;
    let (stream, kernel) = w.alone(2, 1, 2);
    w.programs[0].repeat = times(100, vec![launch(stream, kernel), sleep(1)]);
    w.alone(1, 1, 1);
    w.programs[1].repeat.release = Nanos(50);
    check(
        &w,
        expect![[r#"
        #0 kernel 0 in stream 0, round 0, [0, 0, 0, 0, 2]: 0@0-2 1@0-2
        #1 kernel 0 in stream 0, round 1, [1, 2, 2, 2, 4]: 0@2-4 1@2-4
        TooManyBlocks, 4
    "#]],
    );
}

#[test]
fn too_many_copies_end_every_program_as_well() {
    let mut w = idle();
    w.most_blocks = 2;
    let (stream, copy) = (w.stream(), w.copy(Direction::In, 0));
    let repeat = w.program(vec![Action::Copy { stream, copy, wait: true }]);
    repeat.rounds = None;
    check(
        &w,
        expect![[r#"
        #0 copy 0 in stream 0, round 0, [0, 0, 0, 0] on 0
        #1 copy 0 in stream 0, round 1, [0, 0, 0, 0] on 0
        TooManyBlocks, 0
    "#]],
    );
}

#[test]
fn what_does_not_exist_is_left_out() {
    let mut w = idle();
    let (stream, kernel) = w.alone(1, 1, 2);
    w.programs[0].repeat.body = vec![
        launch(7, kernel),
        launch(stream, 7),
        Action::Copy { stream, copy: 0, wait: true },
        Action::WaitStream(9),
        launch(stream, kernel),
    ];
    check(
        &w,
        expect![[r#"
        #0 kernel 0 in stream 0, round 0, [0, 0, 0, 0, 2]: 0@0-2
        Done, 2
    "#]],
    );
}

#[test]
fn a_kernel_that_fits_nowhere_ends_the_run() {
    let mut w = idle();
    w.alone(1, 1, 2);
    w.alone(1, 5, 2);
    w.alone(1, 1, 2);
    check(
        &w,
        expect![[r#"
            #0 kernel 0 in stream 0, round 0, [0, 0, 0, 0, 2]: 0@0-2
            Stuck(Nanos(2)), 2
        "#]],
    );
}

#[test]
fn time_that_cannot_be_counted_ends_the_run() {
    let mut w = idle();
    let (stream, kernel) = w.alone(1, 1, u64::MAX - 1);
    w.programs[0].repeat.body = vec![launch(stream, kernel), launch(stream, kernel)];
    check(
        &w,
        expect![[r#"
            #0 kernel 0 in stream 0, round 0, [0, 0, 0, 0, 18446744073709551614]: 0@0-18446744073709551614
            Stuck(Nanos(18446744073709551614)), 18446744073709551614
        "#]],
    );
    w.programs[0].repeat.body = vec![sleep(u64::MAX), launch(stream, kernel)];
    check(
        &w,
        expect![[r#"
            Stuck(Nanos(0)), 0
        "#]],
    );
}

#[test]
fn grids_without_blocks_end_where_they_begin() {
    let mut w = idle();
    let (stream, kernel) = w.alone(0, 1, 2);
    let after = w.kernel(1, 1, 1);
    w.programs[0].repeat.body = vec![launch(stream, kernel), launch(stream, after)];
    check(
        &w,
        expect![[r#"
        #0 kernel 0 in stream 0, round 0, [0, 0, 0, 0, 0]:
        #1 kernel 1 in stream 0, round 0, [0, 0, 0, 0, 1]: 0@0-1
        Done, 1
    "#]],
    );
}

#[test]
fn programs_that_only_go_round_come_to_an_end() {
    // As long as a sleep of a nanosecond fits, or a wait for nothing within repeats within repeats.
    let mut w = idle();
    let (stream, kernel) = w.alone(1, 1, 2);
    let rounds = Repeat { rounds: None, time: Some(Nanos(1_000_000_000)), ..times(1, vec![sleep(1)]) };
    let waits = times(1_000_000, vec![Action::Repeat(times(1_000_000, vec![Action::WaitStream(stream)]))]);
    for repeat in [rounds, waits] {
        w.programs[0].repeat.body = vec![launch(stream, kernel), Action::Repeat(repeat)];
        let mut simulation = Simulation::new(&w);
        simulation.most_steps = 1_000;
        let run = simulation.finish();
        assert!(matches!(run.stop, Stop::TooManySteps(_)), "{:?}", run.stop);
        assert_eq!(run.trace.kernels[0].end, Nanos(2), "what was launched runs to its end");
    }
}

#[test]
fn each_launch_allows_for_the_steps_around_it() {
    let mut w = idle();
    let (stream, kernel) = w.alone(1, 1, 2);
    w.programs[0].repeat = times(500, vec![launch(stream, kernel), sleep(1), Action::WaitStream(stream)]);
    let mut simulation = Simulation::new(&w);
    simulation.most_steps = 10;
    assert_eq!(simulation.finish().stop, Stop::Done);
}
