//! Each rule, broken by one number.

use expect_test::expect;

use super::{breaks, breaks_with, checked, lines};
use crate::check::{CheckConfig, Processes, SIGHTS, Sight};
use crate::rule::Rule;
use base::Nanos;

#[test]
fn g1_a_kernel_starts_before_its_launch() {
    breaks(
        Rule::G1,
        "K1 s @5 : 0:4-9",
        "@5",
        "@4",
        expect![
            "G1 at 4 ns: block 0 of K1 starts at 4 ns, before the call was made; expected a start from 5 ns on"
        ],
    );
    breaks(
        Rule::G1,
        "copy C1 s @5 : 4-9",
        "@5",
        "@4",
        expect!["G1 at 4 ns: C1 starts at 4 ns, before the call was made; expected a start from 5 ns on"],
    );
}

#[test]
fn of_blocks_that_start_too_early_together_the_first_is_told() {
    let found = checked("K1 s @5 : 1:6-8 0:4-9 1:4-9");
    assert_eq!(found.violations.iter().map(|told| told.block).collect::<Vec<_>>(), [Some(1)]);
}

#[test]
fn g2_a_kernel_starts_before_the_one_before_it_has_ended() {
    let text = "K1 s @0 : 0:0-10 1:0-8
                K2 s @0 : 1:8-20 1:10-20";
    breaks(
        Rule::G2,
        text,
        "1:8-20",
        "1:10-20",
        expect![
            "G2 at 8 ns: block 0 of K2 starts at 8 ns, before K1 has ended; expected a start from 10 ns on, when K1 ended"
        ],
    );
    let text = "copy C1 s @0 : 0-10
                K2 s @0 : 1:8-20";
    breaks(
        Rule::G2,
        text,
        "1:8-20",
        "1:10-20",
        expect![
            "G2 at 8 ns: block 0 of K2 starts at 8 ns, before C1 has ended; expected a start from 10 ns on, when C1 ended"
        ],
    );
}

#[test]
fn g3_a_kernel_that_leaves_too_soon_is_overtaken() {
    let text = "stream s1
                K1 s @0 : 0:0-10 0:0-10 1:0-10 1:0-10 0:10-20 0:12-20
                K2 s1 @0 : 1:10-14";
    breaks(
        Rule::X1,
        text,
        "0:12-20",
        "0:10-20",
        expect![
            "X1 at 10 ns: block 0 of K2 starts at 10 ns, while K1, queued before it, has blocks to start; expected a start from 12 ns on, when the last of K1 started"
        ],
    );
    assert_eq!(SIGHTS[2].1, Sight::Through(Rule::X1));
}

#[test]
fn g4_a_kernel_runs_on_after_the_host_saw_its_stream_idle() {
    let seen = [Some(Nanos(10))];
    let config = CheckConfig { synchronised: &seen, ..CheckConfig::simulated() };
    breaks_with(
        &config,
        Rule::G4,
        "K1 s @0 : 0:0-11 0:0-10",
        "0:0-11",
        "0:0-10",
        expect![
            "G4 at 11 ns: K1 still runs, to 11 ns, after the host saw its stream idle; expected an end by 10 ns"
        ],
    );
    // What comes after it is on time.
    let text = "K1 s @0 : 0:0-11
                K2 s @10 q=10 : 0:10-20";
    breaks_with(
        &config,
        Rule::G4,
        text,
        "0:0-11",
        "0:0-10",
        expect![
            "G4 at 11 ns: K1 still runs, to 11 ns, after the host saw its stream idle; expected an end by 10 ns"
        ],
    );
}

#[test]
fn x1_a_kernel_overtakes_one_of_its_queue() {
    // K1 needs a whole SM and waits; K2 would fit beside K0, but came later.
    let text = "stream s1
                stream s2
                K0 s @0 : 0:0-10 1:0-10
                K1 s1 @1 t=1024 : 0:10-20
                K2 s2 @2 : 1:9-15";
    breaks(
        Rule::X1,
        text,
        "1:9-15",
        "1:10-15",
        expect![
            "X1 at 9 ns: block 0 of K2 starts at 9 ns, while K1, queued before it, has blocks to start; expected a start from 10 ns on, when the last of K1 started"
        ],
    );
    // Of two that leave together, the one right before it is told.
    let text = "stream s1
                stream s2
                stream s3
                K0 s @0 : 0:0-10 0:0-10 1:0-10
                K1 s1 @1 t=1024 : 0:10-20
                K2 s2 @2 t=1024 : 1:10-20
                K3 s3 @3 : 1:9-10";
    breaks(
        Rule::X1,
        text,
        "1:9-10",
        "1:20-21",
        expect![
            "X1 at 9 ns: block 0 of K3 starts at 9 ns, while K2, queued before it, has blocks to start; expected a start from 10 ns on, when the last of K2 started"
        ],
    );
    // Of two at the same time, the first issued is the first in the queue.
    let text = "stream s1
                device sms=1
                K1 s @0 t=1024 : 0:0-10 0:11-20
                K2 s1 @0 t=1024 : 0:10-11";
    breaks(
        Rule::X1,
        text,
        "0:10-11",
        "0:20-21",
        expect![
            "X1 at 10 ns: block 0 of K2 starts at 10 ns, while K1, queued before it, has blocks to start; expected a start from 11 ns on, when the last of K1 started"
        ],
    );
}

#[test]
fn a1_a_kernel_in_the_wrong_queue_lets_less_urgent_ones_go_first_or_is_late() {
    assert_eq!(SIGHTS[12].1, Sight::Through(Rule::A2));
    // As if K2, more urgent, stood behind K1 in one queue.
    let text = "device sms=1
                stream high prio=-1
                K0 s @0 : 0:0-10
                K1 s @1 t=1024 : 0:10-20
                K2 high @2 : 0:20-30";
    let found = checked(text);
    assert_eq!(found.broken.some().collect::<Vec<_>>(), [(Rule::A2, 1)], "K1 goes first");
    let found = checked(&text.replace("K1 s @1", "K1 s @25").replace("0:10-20", "0:30-40"));
    assert!(found.conforms());
    expect!["block 0 of K2 started 18 ns after there was room for it on a multiprocessor"]
        .assert_eq(&found.remarks[0].text);
}

#[test]
fn a2_a_less_urgent_kernel_goes_first() {
    let text = "stream high prio=-1
                K0 s @0 : 0:0-10 1:0-10
                K1 high @1 t=1024 : 0:10-20
                K2 s @1 : 1:10-20 1:11-20 0:20-30";
    breaks(
        Rule::A2,
        &text.replace("0:10-20", "0:11-20"),
        "0:11-20",
        "0:10-20",
        expect![
            "A2 at 10 ns: block 0 of K2 starts at 10 ns, while K1, of higher priority, has blocks to start; expected a start from 11 ns on, when the last of K1 started"
        ],
    );
}

#[test]
fn where_all_are_as_urgent_nothing_is_looked_at() {
    let looked = |text: &str| checked(text).examined.by_rule.get(Rule::A2);
    assert_eq!(looked("stream s1\nK1 s @0 : 0:0-10\nK2 s1 @0 : 0:0-10"), 0);
    assert_eq!(looked("stream s1 prio=-1\nK1 s @0 : 0:0-10\nK2 s1 @0 : 0:0-10"), 2);
}

#[test]
fn n1_the_null_stream_waits_for_blocking_ones() {
    let text = "stream null null
                K1 s @0 : 0:0-10
                K2 null @1 q=10 : 1:9-20";
    breaks(
        Rule::N1,
        text,
        "1:9-20",
        "1:10-20",
        expect![
            "N1 at 9 ns: block 0 of K2 starts at 9 ns, before K1 has ended; expected a start from 10 ns on, when K1 ended"
        ],
    );
    assert!(
        checked(&text.replace("stream null", "stream x free\nstream null").replace("K1 s", "K1 x"))
            .conforms()
    );
    let text = "stream s1
                stream null null
                K0 s @0 : 0:0-10
                K1 s1 @0 : 0:0-10
                K2 null @1 q=10 : 1:9-20";
    expect!["N1 at 9 ns: block 0 of K2 starts at 9 ns, before K1 has ended; expected a start from 10 ns on, when K1 ended"].assert_eq(&lines(&checked(text)));
    let text = "stream null null
                K1 s @0 : 0:0-10
                copy C2 null @1 q=10 : 9-20";
    breaks(
        Rule::N1,
        text,
        "9-20",
        "10-20",
        expect![
            "N1 at 9 ns: C2 starts at 9 ns, before K1 has ended; expected a start from 10 ns on, when K1 ended"
        ],
    );
}

#[test]
fn n2_blocking_streams_wait_for_the_null_stream() {
    let text = "stream null null
                K1 null @0 : 0:0-10
                K2 s @1 q=10 : 1:9-20";
    breaks(
        Rule::N2,
        text,
        "1:9-20",
        "1:10-20",
        expect![
            "N2 at 9 ns: block 0 of K2 starts at 9 ns, before K1 has ended; expected a start from 10 ns on, when K1 ended"
        ],
    );
    assert!(
        checked(&text.replace("stream null", "stream x free\nstream null").replace("K2 s", "K2 x"))
            .conforms()
    );
}

#[test]
fn p1_kernels_of_two_processes_run_together() {
    let text = "stream other process=1
                slice 0 0-10
                slice 1 10-20
                K1 s @0 : 0:0-10
                K2 other @0 : 0:9-20";
    breaks(
        Rule::P1,
        text,
        "0:9-20",
        "0:10-20",
        expect![
            "P1 at 9 ns: block 0 of K2 runs while its process does not have the device; expected one process at a time"
        ],
    );
    let together = CheckConfig { processes: Processes::NeverTogether, ..CheckConfig::simulated() };
    let text = "stream other process=1
                K1 s @0 : 0:0-10
                K2 other @0 : 0:9-20";
    breaks_with(
        &together,
        Rule::P1,
        text,
        "0:9-20",
        "0:10-20",
        expect![
            "P1 at 9 ns: block 0 of K2 starts while blocks of process 0 run; expected one process at a time"
        ],
    );
    assert!(checked(text).conforms(), "not asked for");
}

#[test]
fn a_block_of_another_process_overtakes_nothing_besides() {
    let text = "stream s1
                stream other process=1
                slice 1 0-10
                slice 0 10-40
                K0 other @0 : 0:0-10
                K1 s @0 : 0:20-30
                K2 s1 @1 : 0:5-40";
    breaks(
        Rule::P1,
        &text.replace("5-40", "5-6"),
        "0:5-6",
        "0:20-21",
        expect![
            "P1 at 5 ns: block 0 of K2 runs while its process does not have the device; expected one process at a time"
        ],
    );
}

#[test]
fn a_block_that_overtakes_and_overfills_breaks_both_rules() {
    // K2 overtakes K1 and lands on a full SM.
    let text = "stream s1
                stream s2
                K0 s @0 : 0:0-10 0:0-10 1:0-10 1:0-10
                K1 s1 @1 : 0:10-20 0:10-20 1:10-20 1:10-20
                K2 s2 @2 : 0:9-15 0:20-25";
    expect![[r#"
        X1 at 9 ns: block 0 of K2 starts at 9 ns, while K1, queued before it, has blocks to start; expected a start from 10 ns on, when the last of K1 started
        R2 at 9 ns: block 0 of K2 starts on SM 0, which has 0 threads free; expected 512 threads free"#]]
    .assert_eq(&lines(&checked(text)));
}

#[test]
fn a_correct_run_of_everything_conforms() {
    let text = "device engines=2
                stream null null
                stream free free prio=-1
                copy In s @0 in e=0 : 0-4
                K1 s @0 : 0:4-10 1:4-10
                copy Out s @0 out e=1 : 10-12
                K2 null @1 q=12 : 0:12-15
                K4 s @2 q=15 : 0:15-20
                K3 free @5 t=1024 shared=1000 : 0:10-12";
    let found = checked(text);
    expect![].assert_eq(&lines(&found));
    assert!(found.conforms() && found.remarks.is_empty(), "{:?}", found.remarks);
}

#[test]
fn the_table_lists_every_rule_in_order() {
    assert_eq!(SIGHTS.map(|(rule, ..)| rule), Rule::ALL);
}
