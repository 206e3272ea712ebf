//! Each assumption by itself: what is said when it does not hold, and that without it the analysis would be wrong.

use expect_test::{Expect, expect};

use super::super::assumptions::ASSUMED;
use super::super::{Basis, Holds, Task, completions, examine};
use super::{idle, kernel, launched, published_workload, simulated};
use crate::{Action, Copy, Direction, Durations, Kernel, Mask, Repeat, StreamKind, Workload};
use base::Nanos;

/// What does not hold.
fn refused(workload: &Workload) -> String {
    let examined = examine(workload);
    let no = |(name, holds): (&str, Holds)| match holds {
        Holds::Yes => None,
        Holds::No(why) => Some(format!("{name}: {why}\n")),
    };
    let text: String = examined.assumptions.into_iter().filter_map(|a| no((a.name, a.holds))).collect();
    assert_eq!(text.is_empty(), examined.case.is_some());
    text
}

/// A change that breaks one assumption and makes the analysis wrong: the published kernels on 8 places, or those of
/// another workload, no longer end when Algorithm 2 says.
fn breaks(mut workload: Workload, change: impl Fn(&mut Workload), expected: Expect) {
    assert_eq!(refused(&workload), "");
    change(&mut workload);
    expected.assert_eq(&refused(&workload));
    let tasks: Vec<Task> = workload.setup.kernels.iter().map(Task::of).collect();
    let mut said = completions(&tasks, 8);
    let mut ends = simulated(&workload);
    said.sort_unstable();
    ends.sort_unstable();
    assert_ne!(said, ends);
}

#[test]
fn the_published_kernels_are_the_published_case() {
    let examined = examine(&published_workload([1, 2, 3, 4]));
    let names: Vec<(&str, &str)> = examined.assumptions.iter().map(|a| (a.name, a.sentence)).collect();
    assert_eq!(names, ASSUMED);
    let case = examined.case.expect("all assumptions hold");
    assert_eq!((case.places.all(), case.places.basis), (8, Basis::Published));
    assert_eq!(case.tasks, super::published());
    assert_eq!(case.launches.iter().map(|launch| launch.kernel).collect::<Vec<_>>(), [0, 1, 2, 3]);
}

#[test]
fn not_launched_at_all() {
    let ends = |workload: &mut Workload| workload.programs[1].ends_others = true;
    breaks(
        published_workload([1, 2, 3, 4]),
        ends,
        expect![[r#"
        released together: perhaps not launched, as those that end all others are over before: K3 and K4
    "#]],
    );
}

#[test]
fn released_later() {
    let late = |workload: &mut Workload| workload.programs[1].repeat.release = Nanos(5);
    breaks(
        published_workload([1, 2, 3, 4]),
        late,
        expect![[r#"
        released together: launched later: K2
    "#]],
    );
}

#[test]
fn launched_after_waiting() {
    let wait = |workload: &mut Workload| {
        workload.programs[3].repeat.body.insert(0, Action::WaitStream(0));
        workload.programs[2].repeat.body.insert(0, Action::WaitDevice);
    };
    breaks(
        published_workload([1, 2, 3, 4]),
        wait,
        expect![[r#"
        released together: launched later: K3 and K4
    "#]],
    );
}

#[test]
fn launched_again() {
    let again = |workload: &mut Workload| workload.programs[0].repeat.rounds = Some(2);
    breaks(
        published_workload([1, 2, 3, 4]),
        again,
        expect![[r#"
        released together: launched again and again: K1
    "#]],
    );
}

#[test]
fn two_kernels_in_a_stream() {
    let share = |workload: &mut Workload| {
        workload.programs[2].repeat.body[0] = Action::Launch { stream: 1, kernel: 2 }
    };
    breaks(
        published_workload([1, 2, 3, 4]),
        share,
        expect![[r#"
        streams of their own: in stream S2: K2 and K3
    "#]],
    );
}

#[test]
fn two_processes() {
    let split = |workload: &mut Workload| workload.setup.streams[1].process = 7;
    breaks(
        published_workload([1, 2, 3, 4]),
        split,
        expect![[r#"
        one process: there are kernels of processes 0 and 7
    "#]],
    );
}

#[test]
fn two_priorities() {
    let urgent = |workload: &mut Workload| workload.setup.streams[3].priority = -1;
    breaks(
        published_workload([1, 2, 3, 4]),
        urgent,
        expect![[r#"
        one priority: there are kernels of priorities -1 and 0
    "#]],
    );
}

#[test]
fn the_null_stream() {
    let null = |workload: &mut Workload| {
        workload.setup.streams.iter_mut().for_each(|stream| stream.kind = StreamKind::Blocking);
        workload.setup.streams[2].kind = StreamKind::Null;
    };
    breaks(
        published_workload([1, 2, 3, 4]),
        null,
        expect![[r#"
        null stream: in the null stream: K3
    "#]],
    );
}

#[test]
fn copies() {
    let copy = |workload: &mut Workload| {
        let copy = Copy { label: "in".into(), direction: Direction::In, bytes: 4, duration: Nanos(3) };
        workload.setup.copies.push(copy);
        workload.programs[1].repeat.body.insert(0, Action::Copy { stream: 1, copy: 0, wait: false });
    };
    breaks(
        published_workload([1, 2, 3, 4]),
        copy,
        expect![[r#"
        no copies: copies: in
    "#]],
    );
}

#[test]
fn blocks_of_different_times() {
    let differ = |workload: &mut Workload| {
        workload.setup.kernels[3].duration = Durations::Each([5, 5, 5, 5, 50].map(Nanos).to_vec());
    };
    breaks(
        published_workload([1, 2, 3, 4]),
        differ,
        expect![[r#"
        equal blocks: blocks take differently long: K4
    "#]],
    );
}

#[test]
fn different_multiprocessors() {
    let mask = |workload: &mut Workload| workload.setup.kernels[1].mask = Mask::NONE.with(0, true);
    breaks(
        published_workload([1, 2, 3, 4]),
        mask,
        expect![[r#"
        same multiprocessors: K1 and K2 may use different ones
    "#]],
    );
}

#[test]
fn different_sizes() {
    let larger = |workload: &mut Workload| workload.setup.kernels[1].threads = 1_024;
    breaks(
        published_workload([1, 2, 3, 4]),
        larger,
        expect![[r#"
        one size: it takes 2 to 4 blocks, depending on the kernels
    "#]],
    );
    let memory = |workload: &mut Workload| workload.setup.kernels[1].shared_memory = 40_000;
    breaks(
        published_workload([1, 2, 3, 4]),
        memory,
        expect![[r#"
        one size: it takes 1 to 4 blocks, depending on the kernels
    "#]],
    );
    let registers = |workload: &mut Workload| workload.setup.kernels[1].registers = 33;
    breaks(
        published_workload([1, 2, 3, 4]),
        registers,
        expect![[r#"
        one size: it takes 3 to 4 blocks, depending on the kernels
    "#]],
    );
}

#[test]
fn kernels_that_never_run() {
    let mut workload = published_workload([1, 2, 3, 4]);
    workload.setup.kernels[2].threads = 1_025;
    expect![[r#"
        one size: K3 can never run: a block needs 1,025 threads, a block may have 1,024
    "#]]
    .assert_eq(&refused(&workload));
    expect![[r#"
        released together: no kernel is launched
    "#]]
    .assert_eq(&refused(&idle()));
}

#[test]
fn many_names_are_cut() {
    let late = |mut workload: Workload| {
        workload.programs.iter_mut().for_each(|program| program.repeat.release = Nanos(1));
        workload
    };
    let kernels = (1..=7).map(|i| kernel(&format!("K{i}"), 1, 1));
    expect![[r#"
        released together: launched later: K1, K2, K3, K4, K5 and 2 more
    "#]]
    .assert_eq(&refused(&late(launched(idle(), kernels))));
}

/// How many blocks kernels of different sizes take on an SM, where all say the same number.
#[test]
fn places_of_other_sizes() {
    let places = |sizes: &[(u32, u32, u32)]| {
        let kernels = sizes.iter().map(|&(threads, shared_memory, registers)| Kernel {
            threads,
            shared_memory,
            registers,
            ..kernel("K", 1, 1)
        });
        examine(&launched(idle(), kernels)).case.map(|case| (case.places.per_sm, case.places.basis))
    };
    assert_eq!(places(&[(512, 0, 0), (512, 16_384, 32)]), Some((4, Basis::Published)));
    assert_eq!(places(&[(600, 0, 0), (650, 0, 0)]), Some((3, Basis::General)));
    assert_eq!(places(&[(600, 0, 0), (512, 0, 0)]), None);
    assert_eq!(places(&[(768, 0, 0)]), Some((2, Basis::General)));
    assert_eq!(places(&[(32, 0, 0), (64, 0, 0)]), Some((32, Basis::General)), "the block limit");
    assert_eq!(places(&[(32, 20_000, 0), (64, 17_000, 0)]), Some((3, Basis::General)), "shared memory");
    assert_eq!(places(&[(128, 0, 128), (256, 0, 64)]), Some((4, Basis::General)), "registers");
}

#[test]
fn what_changes_nothing_is_allowed() {
    let mut workload = published_workload([1, 2, 3, 4]);
    let mask = Mask::ALL.with(1, false);
    workload.setup.kernels.iter_mut().for_each(|kernel| kernel.mask = mask);
    // There are two multiprocessors: both masks leave the first.
    workload.setup.kernels[2].mask = Mask::NONE.with(0, true);
    let case = examine(&workload).case.expect("all have the same mask");
    assert_eq!((case.places.all(), case.places.basis), (4, Basis::General));

    let mut workload = published_workload([1, 2, 3, 4]);
    workload.setup.kernels[2].duration = Durations::Each(vec![Nanos(6); 9]);
    workload.setup.kernels[3].duration = Durations::Each(vec![Nanos(5); 5]);
    workload.setup.streams[1].kind = StreamKind::Null;
    let again = |rounds, body| {
        Action::Repeat(Repeat { release: Nanos::ZERO, rounds, time: None, lockstep: false, body })
    };
    let before = &mut workload.programs[0].repeat.body;
    before.insert(0, Action::WaitDevice);
    before.insert(0, Action::Sleep(Nanos::ZERO));
    before.insert(0, again(Some(0), vec![Action::Launch { stream: 0, kernel: 0 }]));
    before.insert(0, again(Some(9), vec![Action::WaitStream(2)]));
    workload.programs[3].repeat.body.insert(0, Action::WaitStream(3));
    workload.programs[1].repeat.body.extend([Action::WaitDevice, Action::Sleep(Nanos(9))]);
    assert_eq!(refused(&workload), "");
    assert_eq!(simulated(&workload), [4, 10, 12, 11].map(Nanos));
}

#[test]
fn programs_in_lockstep_begin_when_the_last_of_them_does() {
    let mut workload = published_workload([1, 2, 3, 4]);
    workload.programs[1..3].iter_mut().for_each(|program| program.repeat.lockstep = true);
    assert_eq!(refused(&workload), "");
    workload.programs[1].repeat.release = Nanos(5);
    assert_eq!(refused(&workload), "released together: launched later: K2 and K3\n");
}

#[test]
fn blocks_of_which_no_one_knows_how_long_they_take() {
    let mut workload = published_workload([1, 2, 3, 4]);
    workload.setup.kernels[3].duration = Durations::Each(vec![Nanos(5); 4]);
    assert_eq!(refused(&workload), "equal blocks: blocks take differently long: K4\n");
}
