//! Records that contradict themselves are told apart from broken rules, and nothing in a record can stop a check.

use expect_test::{Expect, expect};

use super::{check, checked, checked_with, lines};
use crate::check::{CheckConfig, CopyTimes, Processes};
use crate::damage::{damage, time};
use crate::{random, simulate};
use base::{Nanos, Seeded};

fn told(text: &str, expected: Expect) {
    let found = checked(text);
    assert!(found.conforms(), "{:?}", found.violations);
    expected.assert_eq(&lines(&found));
}

#[test]
fn what_is_wrong_with_a_record() {
    told(
        "K1 s @0 : 0:5-4 0:0-9",
        expect![[r#"
            missing-blocks at 0 s: K1: 1 block; expected 2 blocks
            backwards at 5 ns: block 0 of K1: it starts at 5 ns and ends at 4 ns; expected an end after the start"#]],
    );
    told(
        "K1 s @0 : 2:0-9",
        expect!["no-such-sm at 0 s: block 0 of K1: it ran on SM 2; expected one of 2 SMs, from 0"],
    );
    told("K1 s @0 grid=2 : 0:0-9", expect!["missing-blocks at 0 s: K1: 1 block; expected 2 blocks"]);
    told("K1 s @0 grid=1 : 0:0-9 0:0-9", expect!["extra-blocks at 0 s: K1: 2 blocks; expected 1 block"]);
    told(
        "K1 s @0 d=8 : 0:0-9",
        expect!["wrong-duration at 0 s: block 0 of K1: it ran for 9 ns; expected 8 ns"],
    );
    told(
        "K1 s @0 q=1 : 0:0-9",
        expect!["wrong-queue-time at 1 ns: K1: it entered its queue at 1 ns; expected 0 s"],
    );
    told(
        "K1 s @5 : 0:5-9\nK2 s @4 : 0:9-10",
        expect![
            "order at 4 ns: K2: it was issued at 4 ns; expected 5 ns or later, when operation 0 before it was issued"
        ],
    );
    told("copy C1 s @0 d=8 : 0-9", expect!["wrong-duration at 0 s: C1: it ran for 9 ns; expected 8 ns"]);
    told(
        "device engines=2\ncopy C1 s @0 in e=1 : 0-9",
        expect!["wrong-engine at 0 s: C1: it ran on engine 1; expected engine 0"],
    );
    told("copy C1 s @0 e=1 : 0-9", expect!["wrong-engine at 0 s: C1: it ran on engine 1; expected engine 0"]);
    told(
        "copy C1 s @0 : 9-8",
        expect!["backwards at 9 ns: C1: it starts at 9 ns and ends at 8 ns; expected an end after the start"],
    );
    told(
        "stream s1 process=1\nslice 0 0-9\nslice 1 8-9\nK1 s @0 : 0:0-8",
        expect![
            "wrong-slice at 8 ns: process 1 has the device from 8 ns to 9 ns; expected a start from 9 ns on, and an end after it"
        ],
    );
}

#[test]
fn a_launch_says_what_its_blocks_say() {
    let (setup, mut trace) = super::small("K1 s @0 : 0:0-9 0:0-8");
    trace.kernels[0].end = Nanos(8);
    expect!["wrong-summary at 8 ns: K1: the launch gives 8 ns as the end of the last block; expected 9 ns"]
        .assert_eq(&lines(&check(&setup, &trace, &CheckConfig::simulated())));
    trace.kernels[0].kernel = 1;
    expect!["unknown at 0 s: kernel 1: it is not of the setup; expected a kernel or copy, and a stream, of the setup"].assert_eq(&lines(&check(&setup, &trace, &CheckConfig::simulated())));
}

#[test]
fn what_no_lines_can_say() {
    let told = |setup, trace: &_, expected: Expect| {
        expected.assert_eq(&lines(&check(setup, trace, &CheckConfig::simulated())));
    };
    let (setup, mut trace) = super::small("copy C1 s @0 : 0-9");
    trace.copies[0].copy = 1;
    told(
        &setup,
        &trace,
        expect![
            "unknown at 0 s: copy 1: it is not of the setup; expected a kernel or copy, and a stream, of the setup"
        ],
    );
    let (setup, mut trace) = super::small("K1 s @0 : 0:0-9\nK2 s @0 : 0:9-10");
    trace.kernels[1].op = trace.kernels[0].op;
    told(
        &setup,
        &trace,
        expect![
            "order at 0 s: K2: it was issued at 0 s; expected 0 s or later, when operation 0 before it was issued"
        ],
    );
    let (setup, mut trace) =
        super::small("stream s1\nK1 s @0 grid=3 : 0:0-9 1:0-9\nK2 s1 @0 grid=2 : 0:0-9 1:0-9");
    trace.kernels[0].blocks = 1..4;
    (trace.kernels[0].op, trace.kernels[1].op) = (trace.kernels[1].op, trace.kernels[0].op);
    told(
        &setup,
        &trace,
        expect![[r#"
        missing-blocks at 0 s: K1: 1 block; expected 3 blocks
        extra-blocks at 0 s: block 1 of K1: another launch has the same blocks; expected one launch for each block"#]],
    );
}

#[test]
fn slices_of_the_only_process_do_not_stop_it() {
    told("slice 0 0-5\nK1 s @0 d=9 : 0:0-9", expect![""]);
}

#[test]
fn a_block_that_stood_still_is_as_long_as_it_ran() {
    let text = "stream other process=1
                slice 0 0-5
                slice 1 5-9
                slice 0 9-14
                K1 s @0 d=10 : 0:0-14
                K2 other @0 d=4 : 0:5-9";
    told(text, expect![""]);
    told(
        &text.replace("d=10", "d=14"),
        expect!["wrong-duration at 0 s: block 0 of K1: it ran for 10 ns; expected 14 ns"],
    );
}

#[test]
fn all_are_counted_even_where_few_are_listed() {
    let config = CheckConfig { most: 2, ..CheckConfig::simulated() };
    let found = checked_with(&config, "K1 s @0 mask=1 d=1 : 0:0-9 0:0-9 0:0-9 1:0-8 1:0-8");
    assert_eq!((found.violations.len(), found.broken.sum()), (2, 3));
    assert_eq!((found.findings.len(), found.all_findings), (2, 5));
}

#[test]
fn no_record_stops_a_check() {
    for stream in 0..1_500 {
        let mut rng = Seeded::new(12, stream);
        let mut w = random::workload(&mut rng);
        let mut trace = simulate(&w).trace;
        for _ in 0..1 + rng.below(6) {
            damage(&mut rng, &mut trace);
        }
        if rng.below(4) == 0 {
            w.setup.device.sms = 0;
            w.setup.device.thread_granularity = 0;
            w.setup
                .kernels
                .iter_mut()
                .for_each(|kernel| (kernel.threads, kernel.registers) = (u32::MAX, u32::MAX));
        }
        let seen: Vec<Option<Nanos>> = (0..4).map(|_| Some(time(&mut rng))).collect();
        for tolerance in [Nanos(0), Nanos(3), Nanos::NEVER] {
            let config = CheckConfig {
                tolerance,
                clocks: time(&mut rng),
                synchronised: &seen,
                synchronised_copies: &seen,
                returned: &seen,
                copies: if rng.below(2) == 0 { CopyTimes::OnEngine } else { CopyTimes::AroundCalls },
                processes: if rng.below(2) == 0 { Processes::BySlices } else { Processes::NeverTogether },
                ..CheckConfig::simulated()
            };
            let found = check(&w.setup, &trace, &config);
            assert!(found.violations.is_sorted_by_key(|violation| violation.at));
            assert!(found.findings.is_sorted_by_key(|finding| finding.at));
        }
    }
}
